package quarantine

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Least is the smallest count of withheld texts that is made public, but for 0.
const Least = 3

// Form says how a count may be published. The zero value publishes nothing.
type Form int

// The forms.
const (
	Hidden  Form = iota // nothing of it
	Below               // that it is from 1 to Least-1, or of a handful of responses
	AtLeast             // that it is Least or more
	Exact
)

// Count is a count as it may be published.
type Count struct {
	n    int
	form Form
}

// N is the count; ok is false when it may not be published.
func (c Count) N() (n int, ok bool) {
	if c.form != Exact {
		return 0, false
	}
	return c.n, true
}

// String is "12", "<3", "3+" or "-".
func (c Count) String() string {
	switch c.form {
	case Exact:
		return strconv.Itoa(c.n)
	case Below:
		return "<" + strconv.Itoa(Least)
	case AtLeast:
		return strconv.Itoa(Least) + "+"
	}
	return "-"
}

// MarshalJSON writes {"count": 12}, or null with what may be said of it.
func (c Count) MarshalJSON() ([]byte, error) {
	v := struct {
		Count      *int `json:"count"`
		Suppressed bool `json:"suppressed,omitempty"`
		Below      int  `json:"below,omitempty"`
		AtLeast    int  `json:"at_least,omitempty"`
	}{Suppressed: c.form != Exact}
	switch c.form {
	case Exact:
		v.Count = &c.n
	case Below:
		v.Below = Least
	case AtLeast:
		v.AtLeast = Least
	}
	return json.Marshal(v)
}

// Tally counts the responses of one condition.
type Tally struct {
	Responses int
	Withheld  int            // in which a rule found something, also those that were released
	Released  int            // of Withheld
	Classes   map[string]int // of Withheld, by rule class; one response may have several
}

// Public is a tally as it may be published.
type Public struct {
	Withheld Count
	Released Count
	Classes  []Class // in order of name
}

// Class is one rule class.
type Class struct {
	Name  string
	Count Count
}

// Public hides counts below [Least], and those that give them away. A reader
// knows the rule, so what it hides depends on nothing but what is published
// beside:
//
//   - of a handful of responses (fewer than Least) the count is hidden, whatever
//     it is, and no class is named;
//   - a class below Least hides the exact counts of the other classes of its row:
//     the row's count lies between the largest class and the sum of all;
//   - where every class of a row is below Least the row's count is hidden too: it
//     could be their sum;
//   - released ones are shown when neither they nor the rest are few.
//
// There is no sum over conditions or classes, so that no row says anything of
// another.
func (t Tally) Public() Public {
	if t.Responses < Least {
		return Public{Withheld: Count{form: Below}, Released: Count{form: Hidden}}
	}
	p := Public{Withheld: few(t.Withheld)}
	some, all := false, len(t.Classes) > 0
	for _, n := range t.Classes {
		some, all = some || n < Least, all && n < Least
	}
	if all && t.Withheld >= Least {
		p.Withheld = Count{form: AtLeast}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Classes)) {
		c := few(t.Classes[name])
		if some && c.form == Exact {
			c = Count{form: AtLeast}
		}
		p.Classes = append(p.Classes, Class{name, c})
	}
	p.Released = t.released(p.Withheld)
	return p
}

// few hides a count from 1 to Least-1.
func few(n int) Count {
	if 0 < n && n < Least {
		return Count{form: Below}
	}
	return Count{n, Exact}
}

func (t Tally) released(withheld Count) Count {
	rest := t.Withheld - t.Released
	switch {
	case t.Released == 0:
		return Count{0, Exact}
	case withheld.form != Exact, t.Released < Least, 0 < rest && rest < Least:
		return Count{form: Hidden}
	}
	return Count{t.Released, Exact}
}
