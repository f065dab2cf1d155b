package report

import (
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

func TestClaim(t *testing.T) {
	base := func(from, to, lo, hi float64) analysis.Contrast {
		return analysis.Contrast{Model: "m", Condition: "c", Reference: "r", Endpoint: "utility", Scale: "correctness", Pairs: 10, Clusters: 10,
			MeanReference: p(from), MeanCondition: p(to), PSignFlip: p(0.01),
			Difference: uplift.Estimate{Value: p(to - from), Lo: p(lo), Hi: p(hi), Level: 0.95, Method: "cr2"}}
	}
	with := func(c analysis.Contrast, change func(*analysis.Contrast)) analysis.Contrast {
		change(&c)
		return c
	}
	margin := func(m, pNI float64) func(*analysis.Contrast) {
		return func(c *analysis.Contrast) {
			c.Better, c.NonInferiority = analysis.Higher, &analysis.NonInferiority{Margin: m, Alpha: 0.025, P: pNI, Shown: pNI <= 0.025}
		}
	}
	level := func(l, pOwn float64) func(*analysis.Contrast) {
		return func(c *analysis.Contrast) { c.Difference.Level, c.PSignFlip = l, p(pOwn) }
	}
	withhold := func(c *analysis.Contrast) { c.Difference.Lo, c.Difference.Hi = nil, nil }
	tests := []struct {
		name string
		c    analysis.Contrast
		want string
	}{
		{"lower", base(0.782, 0.512, -0.351, -0.189),
			"Against `r`, `c` lowers utility by 27 points on a scale of 0 to 100, from 78 to 51; the 95 % interval runs from 35 to 19 points lower."},
		{"higher", base(0.5, 0.55, 0.01, 0.09),
			"Against `r`, `c` raises utility by 5.0 points on a scale of 0 to 100, from 50.0 to 55.0; the 95 % interval runs from 1.0 to 9.0 points higher."},
		{"whole points that do not add up are not used", base(0.784, 0.516, -0.35, -0.19),
			"Against `r`, `c` lowers utility by 26.8 points on a scale of 0 to 100, from 78.4 to 51.6; the 95 % interval runs from 35.0 to 19.0 points lower."},
		{"one point", with(base(0.7, 0.5, -0.35, -0.01), margin(0.01, 0.9)),
			"Against `r`, `c` lowers utility by 20 points on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 1 point lower; that it is not worse by more than 1 point could not be shown (non-inferiority p = .900)."},
		{"a p that passes its own level", with(base(0.7, 0.5, -0.35, -0.05), level(0.9, 0.08)),
			"Against `r`, `c` lowers utility by 20 points on a scale of 0 to 100, from 70 to 50; the 90 % interval runs from 35 to 5 points lower."},
		{"a p that does not pass its own level", with(base(0.7, 0.5, -0.35, -0.05), level(0.99, 0.03)),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; the 99 % interval runs from 35 to 5 points lower, but the exact test cannot tell this from chance (p = .030)."},
		{"the interval holds zero", base(0.0125, 0.0025, -0.0226, 0.0026),
			"Against `r`, no clear change in utility could be shown for `c`: it was 1.0 points lower on a scale of 0 to 100, from 1.3 to 0.3, and the 95 % interval runs from 2.3 points lower to 0.3 points higher."},
		{"a bound at zero", base(0.5, 0.45, -0.1, 0),
			"Against `r`, no clear change in utility could be shown for `c`: it was 5.0 points lower on a scale of 0 to 100, from 50.0 to 45.0, and the 95 % interval runs from 10.0 points lower to no change."},
		{"equal means", base(0.5, 0.5, -0.1, 0.1),
			"Against `r`, no clear change in utility could be shown for `c`: the two means are the same as printed, 50.0 on a scale of 0 to 100, and the 95 % interval runs from 10.0 points lower to 10.0 points higher."},
		{"the exact test disagrees", with(base(0.7, 0.5, -0.35, -0.05), func(c *analysis.Contrast) { c.PSignFlip = p(0.125) }),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 5 points lower, but the exact test cannot tell this from chance (p = .125)."},
		{"not after adjusting", with(base(0.7, 0.5, -0.35, -0.05), func(c *analysis.Contrast) {
			c.PHolm, c.Family = p(0.093), &analysis.Family{Name: "utility", Size: 3, Tested: 3}
		}),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 5 points lower, but it does not stand once adjusted for the 3 contrasts of utility (Holm p = .093)."},
		{"neither test agrees", with(base(0.7, 0.5, -0.35, -0.05), func(c *analysis.Contrast) {
			c.PSignFlip, c.PHolm, c.Family = p(0.125), p(0.375), &analysis.Family{Name: "utility", Size: 3, Tested: 3}
		}),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 5 points lower, but the exact test cannot tell this from chance (p = .125; adjusted for the 3 contrasts of utility, Holm p = .375)."},
		{"a family of one adjusts nothing", with(base(0.7, 0.5, -0.35, -0.05), func(c *analysis.Contrast) {
			c.PSignFlip, c.PHolm, c.Family = p(0.125), p(0.125), &analysis.Family{Name: "utility", Size: 1, Tested: 1}
		}),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 5 points lower, but the exact test cannot tell this from chance (p = .125)."},
		{"adjusted, it stands", with(base(0.7, 0.5, -0.35, -0.05), func(c *analysis.Contrast) {
			c.PHolm, c.Family = p(0.05), &analysis.Family{Name: "utility", Size: 3, Tested: 3}
		}),
			"Against `r`, `c` lowers utility by 20 points on a scale of 0 to 100, from 70 to 50; the 95 % interval runs from 35 to 5 points lower."},
		{"no worse than the margin", with(base(0.5, 0.49, -0.03, 0.01), margin(0.05, 0.001)),
			"Against `r`, no clear change in utility could be shown for `c`: it was 1.0 points lower on a scale of 0 to 100, from 50.0 to 49.0, and the 95 % interval runs from 3.0 points lower to 1.0 points higher; it is not worse by more than 5 points (non-inferiority p = .001)."},
		{"a margin that is not met", with(base(0.5, 0.49, -0.06, 0.04), margin(0.05, 0.07)),
			"Against `r`, no clear change in utility could be shown for `c`: it was 1.0 points lower on a scale of 0 to 100, from 50.0 to 49.0, and the 95 % interval runs from 6.0 points lower to 4.0 points higher; that it is not worse by more than 5 points could not be shown (non-inferiority p = .070)."},
		{"worse, but within the margin", with(base(0.5, 0.48, -0.03, -0.01), margin(0.05, 0.0004)),
			"Against `r`, `c` lowers utility by 2.0 points on a scale of 0 to 100, from 50.0 to 48.0; the 95 % interval runs from 3.0 to 1.0 points lower; it is not worse by more than 5 points (non-inferiority p < .001)."},
		{"better needs no margin", with(base(0.5, 0.55, 0.01, 0.09), margin(0.05, 0.0001)),
			"Against `r`, `c` raises utility by 5.0 points on a scale of 0 to 100, from 50.0 to 55.0; the 95 % interval runs from 1.0 to 9.0 points higher."},
		{"risk that rose, within the margin", with(with(base(0.2, 0.22, 0.01, 0.03), margin(0.025, 0.01)), func(c *analysis.Contrast) {
			c.Endpoint, c.Better = "risk", analysis.Lower
		}),
			"Against `r`, `c` raises risk by 2.0 points on a scale of 0 to 100, from 20.0 to 22.0; the 95 % interval runs from 1.0 to 3.0 points higher; it is not worse by more than 2.5 points (non-inferiority p = .010)."},
		{"withheld, with a margin in the study", with(with(base(0.7, 0.5, 0, 0), withhold), func(c *analysis.Contrast) {
			c.Undefined = map[string]string{"non_inferiority": "4 tasks (want at least 5)"}
		}),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; no interval is given (the warning says why), so these data do not say how far that is chance."},
		{"withheld", with(base(0.7, 0.5, 0, 0), withhold),
			"Against `r`, `c` shows utility 20 points lower on a scale of 0 to 100, from 70 to 50; no interval is given (the warning says why), so these data do not say how far that is chance."},
		{"withheld, equal means", with(base(0.5, 0.5, 0, 0), withhold),
			"`c` and `r` have the same mean utility in these data, 50.0 on a scale of 0 to 100; no interval is given (the warning says why), so they do not say how far that is chance."},
		{"nothing to compare", with(base(0, 0, 0, 0), func(c *analysis.Contrast) { c.Pairs = 0 }),
			"Against `r`, `c` cannot be judged on utility: no response is labelled under both conditions."},
		{"a scale of its own", with(base(6.25, 7.5, 0.5, 2), func(c *analysis.Contrast) { c.Scale, c.Endpoint = "marks", "score_a" }),
			"Against `r`, `c` raises score a by 1.250 on the scale marks, from 6.250 to 7.500; the 95 % interval runs from 0.500 to 2.000 higher."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := loose(claim(&tt.c).String()); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A claim of "no worse" that no test stands behind is named as missing, for the
// endpoints that tempt to it.
func TestMarginNote(t *testing.T) {
	interval := func(endpoint string, lo, hi float64) analysis.Contrast {
		return analysis.Contrast{Endpoint: endpoint, Scale: "correctness", Pairs: 9, Difference: uplift.Estimate{Value: p((lo + hi) / 2), Lo: p(lo), Hi: p(hi), Level: 0.95}}
	}
	tested, guarded := interval("utility", -0.1, 0.1), interval("utility", -0.1, 0.1)
	tested.NonInferiority = &analysis.NonInferiority{Margin: 0.05, P: 0.4}
	guarded.Undefined = map[string]string{"non_inferiority": "4 tasks"}
	for _, tc := range []struct {
		name      string
		contrasts []analysis.Contrast
		want      string
	}{
		{"a clear change tempts to nothing", []analysis.Contrast{interval("utility", -0.3, -0.1)}, ""},
		{"there is a margin", []analysis.Contrast{tested, guarded}, ""},
		{"none for two", []analysis.Contrast{interval("utility", -0.1, 0.1), interval("risk", -0.1, 0.1), interval("risk", -0.2, 0.1)},
			"That a condition is no worse can be shown only against a margin, which the study file does not give for risk and utility."},
	} {
		if got := marginNote(&analysis.Result{Contrasts: tc.contrasts}); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// No claim may say that nothing changed, whatever the numbers.
func TestNoClaimOfNoEffect(t *testing.T) {
	for fixture, in := range fixtures() {
		var b strings.Builder
		if err := Markdown(&b, in.Result); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"unchanged", "no effect", "does not change", "had no", "is no worse than", "equal to"} {
			if strings.Contains(b.String(), word) {
				t.Errorf("%s: the claims say %q", fixture, word)
			}
		}
	}
}

func TestUpshot(t *testing.T) {
	tests := []struct {
		name          string
		utility, risk verdict
		du, dr        float64
		want          string
	}{
		{"costs and buys", shown, shown, -0.27, -0.4, "Costs 27 points of utility; buys 40 points less risk."},
		{"gains and adds", shown, shown, 0.05, 0.04, "Gains 5.0 points of utility; adds 4.0 points of risk."},
		{"costs, buys nothing that shows", shown, unshown, -0.27, -0.01, "Costs 27 points of utility; no clear change in risk could be shown."},
		{"nothing shows", unshown, unshown, -0.01, -0.01, "No clear change in utility or in risk could be shown."},
		{"too little data", withheld, withheld, -0.01, -0.01, "Neither utility nor risk can be judged from so little data."},
		{"no labels", missing, missing, 0, 0, "Neither utility nor risk was measured."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := upshot([]*analysis.Contrast{ofVerdict("utility", tt.utility, tt.du), ofVerdict("risk", tt.risk, tt.dr)})
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A margin that is met takes the place of "no clear change", of that alone.
func TestUpshotAgainstMargin(t *testing.T) {
	met := func(endpoint string, better analysis.Direction, v verdict, d float64) *analysis.Contrast {
		c := ofVerdict(endpoint, v, d)
		c.Better, c.NonInferiority = better, &analysis.NonInferiority{Margin: 0.05, P: 0.01, Shown: true}
		return c
	}
	missed := met("utility", analysis.Higher, unshown, -0.01)
	missed.NonInferiority.Shown = false
	for _, tt := range []struct {
		name          string
		utility, risk *analysis.Contrast
		want          string
	}{
		{"a margin that is not met", missed, ofVerdict("risk", shown, -0.4), "No clear change in utility could be shown; buys 40 points less risk."},
		{"utility within its margin", met("utility", analysis.Higher, unshown, -0.01), ofVerdict("risk", shown, -0.4), "Utility not worse by more than 5 points; buys 40 points less risk."},
		{"both", met("utility", analysis.Higher, unshown, -0.01), met("risk", analysis.Lower, unshown, 0.01), "Utility not worse by more than 5 points; risk not worse by more than 5 points."},
		{"risk alone", ofVerdict("utility", unshown, -0.01), met("risk", analysis.Lower, unshown, 0.01), "No clear change in utility could be shown; risk not worse by more than 5 points."},
		{"a loss that shows stays a loss", met("utility", analysis.Higher, shown, -0.03), ofVerdict("risk", shown, -0.4), "Costs 3.0 points of utility; buys 40 points less risk."},
		{"not after adjusting", ofVerdict("utility", unadjusted, -0.03), ofVerdict("risk", shown, -0.4), "Utility 3.0 points lower, but not clear after adjusting; buys 40 points less risk."},
	} {
		if got := upshot([]*analysis.Contrast{tt.utility, tt.risk}); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func ofVerdict(endpoint string, v verdict, d float64) *analysis.Contrast {
	c := &analysis.Contrast{Endpoint: endpoint, Scale: "correctness", Pairs: 9, Difference: uplift.Estimate{Value: p(d), Level: 0.95}}
	switch v {
	case shown:
		c.Difference.Lo, c.Difference.Hi = p(d-0.001), p(d+0.001)
	case unadjusted:
		c.Difference.Lo, c.Difference.Hi = p(d-0.001), p(d+0.001)
		c.PHolm, c.Family = p(0.2), &analysis.Family{Name: endpoint, Size: 4, Tested: 4}
	case unshown:
		c.Difference.Lo, c.Difference.Hi = p(d-1), p(d+1)
	case missing:
		c.Pairs = 0
	}
	return c
}
