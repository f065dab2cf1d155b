package report

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// cell is what stands in a row of a grid under a title; empty without such a column.
func (g *grid) cell(row int, title string) string {
	for i, c := range g.columns {
		if c.title == title {
			return g.rows[row][i]
		}
	}
	return ""
}

// least is the p that a printed one stands for.
func least(t *rapid.T, s string) float64 {
	s = loose(s)
	if s == "< .001" {
		return 0
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%q is no p", s)
	}
	return v
}

// Where more was planned than has pairs, every output says both numbers.
func TestWordsOfWhatWasPlanned(t *testing.T) {
	c := plain("m", "c", "r", "utility", 0.5, 0.4, 0.05, 12, 0.03)
	c.PHolm, c.PHolmCR2, c.Family = p(0.09), p(0.09), &analysis.Family{Name: "utility", Size: 1, Planned: 3, Tested: 1}
	res := &analysis.Result{Level: 0.95, Cluster: analysis.ByTask, Contrasts: []analysis.Contrast{c}}
	_, tag := figureOf(&c, unadjusted)
	for got, want := range map[string]string{
		loose(strings.Join(whole(res, &c), "; ")): "(family of 1, 3 planned)",
		forestsOf(res, paletteOf(res))[0].Family:  "1, 3 planned",
		tag:                                       "not clear after adjusting for 3 planned contrasts",
		loose(doubt(&c)):                          "adjusted for the 3 planned contrasts of utility",
		csvFamily(&c)[1]:                          "3",
		contrastGrid(res, legendOf(res)).cell(0, holmTitle): ".090",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
}

// Holm's p as shown is never below the p shown beside it, and a family of one
// shows none, in the table, the page and the text.
func TestHolmBesideItsP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.Float64Range(0, 1).Draw(t, "p")
		size := rapid.IntRange(1, 9).Draw(t, "size")
		adjusted := min(1, own*float64(rapid.IntRange(1, size).Draw(t, "factor")))
		c := plain("m", "c", "r", "utility", 0.5, 0.4, 0.05, 12, own)
		c.P, c.PHolmCR2 = p(own/1000), p(own/500)
		c.PHolm, c.Family = p(adjusted), &analysis.Family{Name: "utility", Size: size, Tested: size}
		res := &analysis.Result{Level: 0.95, Cluster: analysis.ByTask, Contrasts: []analysis.Contrast{c}}
		g := contrastGrid(res, legendOf(res))
		f := forestsOf(res, paletteOf(res))[0]
		line := loose(strings.Join(whole(res, &c), "; "))
		if size == 1 {
			if g.cell(0, holmTitle) != "" || f.Rows[0].Holm != absent || f.Family != "" || strings.Contains(line, "Holm") {
				t.Errorf("a family of one shows %q and %q in %q", g.cell(0, holmTitle), f.Rows[0].Holm, line)
			}
			return
		}
		if least(t, g.cell(0, holmTitle)) < least(t, g.cell(0, "p")) {
			t.Errorf("the table shows p %s and Holm %s", g.cell(0, "p"), g.cell(0, holmTitle))
		}
		if least(t, f.Rows[0].Holm) < least(t, f.Rows[0].P) {
			t.Errorf("the page shows p %s and Holm %s", f.Rows[0].P, f.Rows[0].Holm)
		}
		if want := "Holm " + loose(pEquals(adjusted)) + " (family of "; !strings.Contains(line, want) {
			t.Errorf("got %q, want %q in it", line, want)
		}
	})
}
