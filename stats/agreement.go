package stats

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Mark is the value that one rater gave to one unit. Values are categories:
// equal values agree.
type Mark struct {
	Unit, Rater int // any ids
	Value       float64
}

// Ratings holds the marks of units by raters; any mark may be missing. It is
// immutable.
//
// A method that gives a float64 is the coefficient alone, a [Figure] where it takes
// nothing else; one that gives a [Coefficient] has its standard error too, and needs a
// second unit for it. What takes a scale has a function named Figure that fixes the
// scale, as [GwetFigure]. AlphaNominal to AlphaRatio, FleissKappa, AC1 and
// AC2Quadratic are the values of [Ratings.Alpha], [Ratings.Fleiss] and [Ratings.AC2].
//
// Every coefficient is an estimate over the units, exact in the sense that it
// equals its published formula. One that does not exist is an error that gives
// the reason, such as "one category only"; it is never 0, 1 or NaN. With m_u
// the number of marks of unit u, a unit is shared when m_u >= 2.
type Ratings struct {
	categories []float64 // observed, ascending
	raters     []int     // ids, ascending
	units      []int     // ids, ascending
	marks      int
	patterns   []pattern // distinct, in order of first unit
	of         []int32   // the pattern of each unit
	weight     []int32   // how many units show each pattern

	meetings []meeting // pairs of categories that meet in a unit
	crosses  []cross   // pairs of categories that meet between two raters
	duos     []duo     // pairs of raters that share a unit
	sums     sums      // of the patterns at their weights
}

// pattern is the marks of a unit; many units share few patterns, and no
// coefficient can tell units with equal patterns apart.
type pattern struct {
	cells    []cell         // by rater
	tally    []count        // by category
	values   []float64      // by rater
	meetings []meetingCount // by category pair
	crosses  []int32        // indices into the ratings' crosses
}

type cell struct{ rater, category int32 } // indices into raters and categories

type count struct {
	category int32
	n        float64
}

var (
	errNoShared    = errors.New("no unit has two ratings")
	errOneCategory = errors.New("one category only")
)

// NewRatings takes the marks in any order; the slice is copied. A value other
// than 0 whose size is not 1e-50 to 1e50, two marks of one rater for one unit, and
// an empty list are errors.
func NewRatings(marks []Mark) (*Ratings, error) {
	if len(marks) == 0 {
		return nil, errors.New("ratings: no marks (want at least one)")
	}
	marks = slices.Clone(marks)
	slices.SortFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Rater, b.Rater))
	})
	r := &Ratings{marks: len(marks)}
	for i, m := range marks {
		if !squarable(m.Value) {
			return nil, fmt.Errorf("ratings: unit %d, rater %d: value %v (want 0, or a number of size %g to %g)", m.Unit, m.Rater, m.Value, minValue, maxValue)
		}
		if i > 0 && m.Unit == marks[i-1].Unit && m.Rater == marks[i-1].Rater {
			return nil, fmt.Errorf("ratings: unit %d, rater %d: two marks (want one)", m.Unit, m.Rater)
		}
		r.categories = append(r.categories, m.Value)
		r.raters = append(r.raters, m.Rater)
	}
	r.categories, r.raters = distinct(r.categories), distinct(r.raters)
	r.collapse(marks)
	r.index()
	r.sums = r.newSums()
	r.sum()
	return r, nil
}

// squarable says whether differences and their squares keep their digits.
func squarable(v float64) bool {
	size := math.Abs(v)
	return size == 0 || size >= minValue && size <= maxValue
}

func distinct[T cmp.Ordered](s []T) []T {
	slices.Sort(s)
	return slices.Clip(slices.Compact(s))
}

// collapse turns the sorted marks into distinct patterns.
func (r *Ratings) collapse(marks []Mark) {
	seen := map[string]int32{}
	var key []byte
	for i, j := 0, 0; i < len(marks); i = j {
		var cells []cell
		key = key[:0]
		for j = i; j < len(marks) && marks[j].Unit == marks[i].Unit; j++ {
			rater, _ := slices.BinarySearch(r.raters, marks[j].Rater)
			category, _ := slices.BinarySearch(r.categories, marks[j].Value)
			cells = append(cells, cell{int32(rater), int32(category)})
			key = binary.LittleEndian.AppendUint32(key, uint32(rater))
			key = binary.LittleEndian.AppendUint32(key, uint32(category))
		}
		p, ok := seen[string(key)]
		if !ok {
			p = int32(len(r.patterns))
			seen[string(key)] = p
			r.patterns = append(r.patterns, pattern{cells: cells, tally: tally(cells)})
			r.weight = append(r.weight, 0)
		}
		r.units = append(r.units, marks[i].Unit)
		r.of = append(r.of, p)
		r.weight[p]++
	}
}

func tally(cells []cell) []count {
	var t []count
	for _, c := range cells {
		i := slices.IndexFunc(t, func(k count) bool { return k.category == c.category })
		if i < 0 {
			t = append(t, count{c.category, 1})
			continue
		}
		t[i].n++
	}
	slices.SortFunc(t, func(a, b count) int { return cmp.Compare(a.category, b.category) })
	return t
}

// m is m_u.
func (p pattern) m() float64 { return float64(len(p.cells)) }

// Units lists the ids of the units in ascending order.
func (r *Ratings) Units() []int { return slices.Clone(r.units) }

// Raters lists the ids of the raters in ascending order.
func (r *Ratings) Raters() []int { return slices.Clone(r.raters) }

// Categories lists the observed values in ascending order.
func (r *Ratings) Categories() []float64 { return slices.Clone(r.categories) }

// Marks is the number of marks.
func (r *Ratings) Marks() int { return r.marks }

// Shared tells for each of [Ratings.Units] whether it has two marks or more.
func (r *Ratings) Shared() []bool {
	out := make([]bool, len(r.of))
	for u, p := range r.of {
		out[u] = len(r.patterns[p].cells) > 1
	}
	return out
}

// Percent is the observed agreement in [0,1]: the share of agreeing pairs of
// marks within a shared unit, averaged over the shared units. For two raters
// it is the share of units on which they agree. Exact; Fleiss (1971), equation
// 3. Undefined without a shared unit.
func (r *Ratings) Percent() (float64, error) {
	s := &r.sums
	if s.shared == 0 {
		return 0, errNoShared
	}
	equal := 0.0
	for i, j := range r.meetings {
		if j.c == j.k {
			equal += s.agreement[i]
		}
	}
	return equal / s.shared, nil
}
