package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// banded is a family of three contrasts, two of them tested, with bands a fifth
// wider than their intervals.
func banded(withBand bool) *analysis.Result {
	res := &analysis.Result{Level: 0.95, Cluster: analysis.ByTask}
	for _, name := range []string{"a", "b", "c"} {
		c := plain("m", name, "r", "utility", 0.5, 0.4, 0.05, 12, 0.01)
		inFamily(&c, 3, 0.03)
		c.Family.Tested = 2
		if !withBand || name == "c" {
			c.Band = nil
		}
		res.Contrasts = append(res.Contrasts, c)
	}
	return res
}

// A band is drawn around its interval, a fifth wider on both sides, and is said
// to hold for the contrasts that were tested.
func TestBandIsDrawn(t *testing.T) {
	f := forestsOf(banded(true), paletteOf(banded(true)))[0]
	for i, r := range f.Rows {
		s, drawn := r.Strip, i < 2
		if s.Banded != drawn {
			t.Fatalf("row %d: got a band %v, want %v", i, s.Banded, drawn)
		}
		if lo, hi := (s.Point-s.BandLo)/(s.Point-s.Lo), (s.BandHi-s.Point)/(s.Hi-s.Point); drawn && (math.Abs(lo-1.2) > 1e-9 || math.Abs(hi-1.2) > 1e-9) {
			t.Errorf("row %d: the band is %v and %v of the interval, want 1.2", i, lo, hi)
		}
		said := ""
		for _, m := range r.Methods {
			if strings.HasPrefix(m.Name, "simultaneous band") {
				said = m.Assumes
			}
		}
		if want := "independent tasks; all 2 of the family hold their truths at once"; drawn && said != want || !drawn && said != "" {
			t.Errorf("row %d: got %q, want %q where there is a band", i, said, want)
		}
	}
	with, errWith := Forest(banded(true), "svg")
	without, errWithout := Forest(banded(false), "svg")
	if errWith != nil || errWithout != nil {
		t.Fatal(errWith, errWithout)
	}
	// A line and its two ends, in two rows.
	if got := bytes.Count(with, []byte("<path")) - bytes.Count(without, []byte("<path")); got != 6 {
		t.Errorf("the figure has %d lines more with bands, want 6", got)
	}
	const note = "Thin line: simultaneous band, 95 % for all contrasts of the endpoint at once."
	if !strings.Contains(loose(string(with)), note) || strings.Contains(loose(string(without)), "simultaneous") {
		t.Errorf("the figure does not say %q where a band is drawn, and only there", note)
	}
	for withBand, want := range map[bool]int{true: 2, false: 0} {
		var page bytes.Buffer
		if err := HTML(&page, Input{Result: banded(withBand)}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(page.String(), `class="band"`); got != want {
			t.Errorf("the page draws %d bands, want %d", got, want)
		}
	}
}
