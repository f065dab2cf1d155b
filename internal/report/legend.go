package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// legend gives every mark of a study a sign that fits beside a number: E for
// exploratory, D for development, P for post hoc, numbered where there are
// several of it.
type legend struct {
	marks []uplift.Warning
	signs []string
}

// legendOf knows the marks of a result and of what stands apart from it:
// exploratory first, amendments in order of time, then what a part brings.
func legendOf(res *analysis.Result) legend {
	var l legend
	l.add(res)
	for _, a := range res.Apart {
		l.all(a.Marks)
		if a.Result != nil {
			l.add(a.Result)
		}
	}
	slices.SortStableFunc(l.marks, func(a, b uplift.Warning) int { return cmp.Compare(markRank(res, a), markRank(res, b)) })
	l.sign()
	return l
}

// markRank orders marks.
func markRank(res *analysis.Result, w uplift.Warning) int {
	if w.Code == analysis.MarkExploratory {
		return -1
	}
	if i := slices.IndexFunc(res.Standing.Amendments, func(a analysis.Amendment) bool { return a.Mark() == w }); i >= 0 {
		return i
	}
	return len(res.Standing.Amendments)
}

// add collects the marks of a result's numbers.
func (l *legend) add(res *analysis.Result) {
	l.all(res.Marks)
	for _, c := range res.Contrasts {
		l.all(c.Marks)
	}
	for _, c := range res.Conditions {
		l.all(c.Marks)
		for _, e := range endpoints(res) {
			l.all(c.Endpoints[e].Marks)
		}
	}
	for _, o := range res.Frontier {
		l.all(o.Marks)
	}
	for _, s := range res.Steps {
		l.all(s.Marks)
	}
	for _, a := range res.Ablations {
		l.all(a.Marks)
	}
}

func (l *legend) all(marks []uplift.Warning) {
	for _, w := range marks {
		if !slices.Contains(l.marks, w) {
			l.marks = append(l.marks, w)
		}
	}
}

func (l *legend) sign() {
	letter := func(w uplift.Warning) string {
		switch w.Code {
		case analysis.MarkExploratory:
			return "E"
		case analysis.MarkDevelopment:
			return "D"
		}
		return "P"
	}
	total, seen := map[string]int{}, map[string]int{}
	for _, w := range l.marks {
		total[letter(w)]++
	}
	for _, w := range l.marks {
		s := letter(w)
		if seen[s]++; total[s] > 1 {
			s += strconv.Itoa(seen[s])
		}
		l.signs = append(l.signs, s)
	}
}

// cell is the signs of a number's marks, in the legend's order; empty without any.
func (l legend) cell(marks []uplift.Warning) string {
	var out []string
	for _, m := range l.lines(marks) {
		out = append(out, m.Sign)
	}
	return strings.Join(out, " ")
}

// within explains the marks that numbers of one result carry.
func (l legend) within(res *analysis.Result) []signedMark {
	var here legend
	here.add(res)
	return l.lines(here.marks)
}

// lines explains some marks, in the legend's order.
func (l legend) lines(marks []uplift.Warning) []signedMark {
	var out []signedMark
	for i, w := range l.marks {
		if slices.Contains(marks, w) {
			out = append(out, signedMark{l.signs[i], markWord(w.Code), text(w.Text)})
		}
	}
	return out
}

// signedMark is a line of a legend, made fit to show.
type signedMark struct{ Sign, Word, Text string }

// String is the line in words.
func (m signedMark) String() string { return m.Sign + ", " + m.Word + ": " + m.Text }

// markWord is a mark's code as a word.
func markWord(code string) string { return endpointWord(code) }
