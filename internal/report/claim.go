package report

import (
	"math"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// verdict is how far a contrast's numbers carry a statement.
type verdict string

// The verdicts.
const (
	shown verdict = "shown" // the interval leaves zero out, and the exact test agrees
	split verdict = "split" // the interval leaves zero out, the exact test does not agree
	// unadjusted: the interval leaves zero out, the p adjusted for the family does
	// not agree.
	unadjusted verdict = "unadjusted"
	unshown    verdict = "unshown"  // the interval holds zero
	withheld   verdict = "withheld" // a guard withholds the interval
	missing    verdict = "missing"  // there is nothing to compare
)

func verdictOf(c *analysis.Contrast) verdict {
	_, known := finite(c.Difference.Value)
	lo, okLo := finite(c.Difference.Lo)
	hi, okHi := finite(c.Difference.Hi)
	switch {
	case c.Pairs == 0 || !known:
		return missing
	case !okLo || !okHi:
		return withheld
	case lo <= 0 && hi >= 0:
		return unshown
	}
	switch {
	case above(c.PSignFlip, c):
		return split
	case above(holm(c), c):
		return unadjusted
	}
	return shown
}

// above reports whether a p is too large for the contrast's level.
func above(p *float64, c *analysis.Contrast) bool {
	v, ok := finite(p)
	return ok && v > 1-c.Difference.Level+1e-12
}

// headline is the difference, and 0 where there is none: its verdict is then
// missing, and no word of it is shown.
func headline(c *analysis.Contrast) float64 {
	v, _ := finite(c.Difference.Value)
	return v
}

// span is a piece of a sentence; a name is set apart from the words.
type span struct {
	Text string
	Name bool
}

// sentence is one plain statement.
type sentence []span

// say builds a sentence from words and names: every odd part is a name.
func say(parts ...string) sentence {
	var s sentence
	for i, p := range parts {
		if p != "" {
			s = append(s, span{p, i%2 == 1})
		}
	}
	return s
}

// String is the sentence with its names in backquotes.
func (s sentence) String() string {
	var b strings.Builder
	for _, p := range s {
		if p.Name {
			b.WriteString("`" + p.Text + "`")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// claim is what one contrast says to somebody who knows no statistics. What was
// not planned says so first.
func claim(c *analysis.Contrast) sentence {
	s := plainClaim(c)
	word := qualifier(c.Marks)
	if word == "" {
		return s
	}
	if first, ok := strings.CutPrefix(s[0].Text, "Against "); ok && !s[0].Name {
		s[0].Text = "against " + first
	}
	return append(sentence{{Text: capitalName(word) + ", not confirmatory: "}}, s...)
}

// plainClaim is a claim without regard to how it was planned.
func plainClaim(c *analysis.Contrast) sentence {
	m := amountsOf(c)
	ref, cond, end := name(c.Reference), name(c.Condition), endpointWord(c.Endpoint)
	switch verdictOf(c) {
	case missing:
		return say("Against ", ref, ", ", cond, " cannot be judged on "+end+
			": no response is labelled under both conditions.")
	case withheld:
		if m.same != "" {
			return say("", cond, " and ", ref, " have the same mean "+end+" in these data"+m.same+
				"; no interval is given (the warning says why), so they do not say how far that is chance.")
		}
		return say("Against ", ref, ", ", cond, " shows "+end+" "+m.change+m.scale+m.fromTo+
			"; no interval is given (the warning says why), so these data do not say how far that is chance.")
	case unshown:
		return say("Against ", ref, ", no clear change in "+end+" could be shown for ", cond,
			": "+m.was+", and the "+m.level+" interval runs from "+m.interval+againstMargin(c)+".")
	case split, unadjusted:
		return say("Against ", ref, ", ", cond, " shows "+end+" "+m.change+m.scale+m.fromTo+
			"; the "+m.level+" interval runs from "+m.interval+", but "+doubt(c)+againstMargin(c)+".")
	}
	return say("Against ", ref, ", ", cond, " "+m.verb+" "+end+" by "+m.size+m.scale+m.fromTo+
		"; the "+m.level+" interval runs from "+m.interval+againstMargin(c)+".")
}

// doubt says what does not agree with an interval that leaves zero out.
func doubt(c *analysis.Contrast) string {
	var family, adjusted string
	if h, ok := finite(holm(c)); ok {
		family = "the " + adjustedFor(c.Family) + " of " + endpointWord(c.Endpoint)
		adjusted = "Holm " + pEquals(h)
	}
	switch {
	case !above(c.PSignFlip, c):
		return "it does not stand once adjusted for " + family + " (" + adjusted + ")"
	case adjusted != "":
		return "the exact test cannot tell this from chance (" + pEquals(*c.PSignFlip) + "; adjusted for " + family + ", " + adjusted + ")"
	}
	return "the exact test cannot tell this from chance (" + pEquals(*c.PSignFlip) + ")"
}

// amounts are the numbers of a contrast in words.
type amounts struct {
	size     string // 27 points
	change   string // 27 points lower
	verb     string // lowers
	scale    string // on a scale of 0 to 100
	fromTo   string // , from 78 to 51
	same     string // , 50.0 on a scale of 0 to 100: set when the means are equal as printed
	was      string // it was 27 points lower on a scale of 0 to 100, from 78 to 51
	interval string // 35 to 19 points lower
	level    string // 95 %
}

func amountsOf(c *analysis.Contrast) amounts {
	g := gaugeOf(c)
	v := headline(c)
	m := amounts{size: g.size(v), change: g.change(v), verb: "lowers", scale: g.scale,
		level: percent(c.Difference.Level), interval: g.between(c.Difference)}
	if v > 0 {
		m.verb = "raises"
	}
	from, okFrom := finite(c.MeanReference)
	to, okTo := finite(c.MeanCondition)
	if okFrom && okTo {
		m.fromTo = ", from " + g.number(from) + " to " + g.number(to)
	}
	m.was = "it was " + m.change + m.scale + m.fromTo
	if g.zero(v) {
		m.same = g.scale
		if okTo {
			m.same = ", " + g.number(to) + g.scale
		}
		m.was = "the two means are the same as printed" + m.same
	}
	return m
}

// gauge words the amounts of one contrast: in points of 100 on the scales of
// the rubric, else in the scale's own unit.
type gauge struct {
	factor   float64
	decimals int
	noun     string // "points", or empty
	scale    string
}

func gaugeOf(c *analysis.Contrast) gauge {
	if !rubric(c.Scale) {
		return gauge{factor: 1, decimals: 3, scale: " on the scale " + name(c.Scale)}
	}
	g := gauge{factor: 100, decimals: 1, noun: "points", scale: " on a scale of 0 to 100"}
	if g.wholeSuffices(c) {
		g.decimals = 0
	}
	return g
}

// wholeSuffices reports whether whole points neither hide the change nor fail
// to add up.
func (g gauge) wholeSuffices(c *analysis.Contrast) bool {
	from, okFrom := finite(c.MeanReference)
	to, okTo := finite(c.MeanCondition)
	d := headline(c)
	if math.Abs(d) < 0.0995 {
		return false
	}
	return !okFrom || !okTo || nearest(100*to)-nearest(100*from) == nearest(100*d)
}

func (g gauge) number(v float64) string { return round(g.factor*v, g.decimals) }

// size is an amount without its direction: 27 points.
func (g gauge) size(v float64) string {
	s := g.number(math.Abs(v))
	switch {
	case g.noun == "":
		return s
	case s == "1":
		return s + " point"
	}
	return s + " " + g.noun
}

// change is an amount with its direction: 27 points lower.
func (g gauge) change(v float64) string {
	if g.zero(v) {
		return "equal means"
	}
	return g.size(v) + " " + way(v)
}

// zero reports whether an amount rounds to nothing.
func (g gauge) zero(v float64) bool { return strings.Trim(g.number(v), "0.") == "" }

func way(v float64) string {
	if v < 0 {
		return "lower"
	}
	return "higher"
}

// between is an interval in words, the larger change first when both bounds
// lie on one side: 35 to 19 points lower.
func (g gauge) between(e uplift.Estimate) string {
	lo, okLo := finite(e.Lo)
	hi, okHi := finite(e.Hi)
	switch {
	case !okLo || !okHi:
		return ""
	case lo < 0 && hi < 0:
		return g.number(-lo) + " to " + g.size(hi) + " lower"
	case lo > 0 && hi > 0:
		return g.number(lo) + " to " + g.size(hi) + " higher"
	}
	return g.bound(lo, "lower") + " to " + g.bound(hi, "higher")
}

// bound is one end of an interval that holds zero.
func (g gauge) bound(v float64, word string) string {
	if v == 0 {
		return "no change"
	}
	return g.size(v) + " " + word
}

// endpointWord is the endpoint's name as a word in a sentence.
func endpointWord(e string) string { return name(strings.ReplaceAll(e, "_", " ")) }
