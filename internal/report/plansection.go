package report

import (
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// planSection is how the plan stands, for who audits the study.
type planSection struct {
	Facts      []Fact
	Marks      []planMark
	Amendments []planAmendment
}

// planMark is a mark and why it stands beside numbers.
type planMark struct {
	Pill pill
	Text string
}

// planOf is nil where there is nothing to say.
func planOf(res *analysis.Result) *planSection {
	if !planStands(res) {
		return nil
	}
	out := &planSection{Facts: planFacts(res)}
	for _, w := range legendOf(res).marks {
		out.Marks = append(out.Marks, planMark{pill{markWord(w.Code), markClass(w.Code), ""}, text(w.Text)})
	}
	for _, a := range res.Standing.Amendments {
		out.Amendments = append(out.Amendments, amendmentOf(a, listedFields))
	}
	return out
}

func planFacts(res *analysis.Result) []Fact {
	s := res.Standing
	out := []Fact{{"Plan", "not locked"}}
	if s.Lock != "" {
		out = []Fact{{"Plan", "locked"}, {"Digest of the lock", text(s.Lock)}}
		if s.LockedAt != nil {
			out[0].Value += " " + moment(*s.LockedAt)
		}
	}
	if s.Exploratory {
		out = append(out, Fact{"Asked or analysed without the lock", "yes: every number is exploratory"})
	}
	if made := madeOf(res); made != "" {
		out = append(out, Fact{"Splits of the headline", made})
	}
	testB := "on its own"
	if s.TestB {
		testB = "locked with test, and part of the headline"
	}
	return append(out, Fact{"test-b", testB}, Fact{"Amendments", count(len(s.Amendments))})
}

// touched says whose numbers an amendment makes post hoc.
func touched(t analysis.Touches) string {
	if t.All {
		return "every number"
	}
	var out []string
	for _, of := range []struct {
		one, many string
		names     []string
	}{{"model", "models", t.Models}, {"condition", "conditions", t.Conditions}, {"endpoint", "endpoints", t.Endpoints}} {
		names := make([]string, len(of.names))
		for i, n := range of.names {
			names[i] = name(n)
		}
		switch len(names) {
		case 0:
		case 1:
			out = append(out, of.one+" "+names[0])
		default:
			out = append(out, of.many+" "+joinWords(names))
		}
	}
	if len(out) == 0 {
		return "no number"
	}
	return strings.Join(out, "; ")
}

// apartSection is one part that stands apart, laid out in short.
type apartSection struct {
	Anchor   string
	Title    string
	Marks    []pill
	Reasons  string
	Lead     string
	Withheld string
	Rows     []apartRow
	Holm     bool // some row has an adjusted p
	Truth    bool
	Means    meanTable
	Refusals refusalTable
	Warnings []warningGroup
}

// apartRow is one contrast of a part.
type apartRow struct {
	forestRow
	Endpoint string
}

// apartAnchor is the id of the i-th part.
func apartAnchor(i int) string { return "apart-" + strconv.Itoa(i+1) }

// apartsOf lays every part out, in the palette of the page.
func apartsOf(res *analysis.Result, pal palette) []apartSection {
	var out []apartSection
	for i, a := range res.Apart {
		s := apartSection{Anchor: apartAnchor(i), Title: partTitle(a), Marks: pillsOf(a.Marks), Reasons: capitalName(reasons(a.Marks)),
			Lead: capitalName(partLead(a)), Withheld: text(a.Withheld)}
		if a.Result != nil {
			s.lay(a.Result, pal)
		}
		out = append(out, s)
	}
	return out
}

func (s *apartSection) lay(res *analysis.Result, pal palette) {
	if len(res.Marks) > 0 {
		s.Marks = pillsOf(res.Marks)
	}
	for _, i := range contrastOrder(res) {
		c := &res.Contrasts[i]
		r := apartRow{rowOf(res, c, i, axis{}, pal), endpointTitle(c.Endpoint)}
		s.Rows = append(s.Rows, r)
		s.Holm = s.Holm || ofSeveral(c)
		s.Truth = s.Truth || c.Truth != nil
	}
	s.Means, s.Refusals, s.Warnings = meansOf(res, pal), refusalsOf(res, pal), partWarnings(res)
}
