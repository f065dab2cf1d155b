package analysis

import (
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// The p and bounds come from clubSandwich. Turned round, with the condition for
// the reference and lower for higher, the p are the same and the bounds have the
// other sign.
func TestXSTestMargins(t *testing.T) {
	for _, g := range []struct {
		model                   string
		margin, p, tost, bound  float64
		notWorse, bothWithinOne bool
	}{
		{"llama2orig-llama2new", 0.05, 0.99991501157180696, 0.99991501157180696, -0.35100361928605345, false, false},
		{"llama2orig-llama2new", 0.1, 0.99947609048597597, 0.99947609048597597, -0.35100361928605345, false, false},
		{"llama2orig-llama2new", 0.2, 0.95883943962691898, 0.95883943962691898, -0.35100361928605345, false, false},
		{"gpt4-llama2new", 0.05, 0.016134008835154597, 0.87426964792432282, -0.029504160906213578, true, false},
		{"gpt4-llama2new", 0.1, 0.0055808486699649414, 0.70988053494954362, -0.029504160906213578, true, false},
		{"gpt4-llama2new", 0.2, 0.0007606136688122244, 0.24194020746037415, -0.029504160906213578, true, false},
		{"gpt4-llama2orig", 0.05, 0.00020425057723148801, 0.99896172914577752, 0.22121606967367807, true, false},
		{"gpt4-llama2orig", 0.1, 9.7436170057116169e-05, 0.99748001346671233, 0.22121606967367807, true, false},
		{"gpt4-llama2orig", 0.2, 2.5285113459241127e-05, 0.98337492575129182, 0.22121606967367807, true, false},
	} {
		for _, way := range []struct {
			better               Direction
			condition, reference string
			sign                 float64
		}{{Higher, "treated", "none", 1}, {Lower, "none", "treated", -1}} {
			opt := labelStudy()
			opt.Replicates = 20
			opt.Endpoints = []Endpoint{{Name: "help", Scale: uplift.Compliance, Tiers: []uplift.Tier{uplift.Benign}, Better: way.better, Margin: &g.margin}}
			c := mustRun(t, xstestFamily(t, way.condition, way.reference), opt).of(t, g.model, "help")
			n, e := c.NonInferiority, c.Equivalence
			if n == nil || e == nil {
				t.Fatalf("%s at %v: got %+v and %+v", g.model, g.margin, n, e)
			}
			if !near(&n.P, g.p, 1e-10) || !near(&n.Lower, way.sign*g.bound, 1e-10) || n.Shown != g.notWorse || n.Better != way.better || n.Margin != g.margin || n.Alpha != 0.025 {
				t.Errorf("%s at %v, %s is better: got %+v, want p %v and bound %v", g.model, g.margin, way.better, *n, g.p, way.sign*g.bound)
			}
			if !near(&e.P, g.tost, 1e-10) || e.Shown != g.bothWithinOne || e.Lo != *c.Difference.Lo || e.Hi != *c.Difference.Hi {
				t.Errorf("%s at %v, %s is better: got equivalence %+v, want p %v and the 95 %% interval", g.model, g.margin, way.better, *e, g.tost)
			}
		}
	}
}

// Without a margin nothing is tested; where the interval is withheld, the tests
// that stand on it are too.
func TestMarginNeedsItsInterval(t *testing.T) {
	opt := taskStudy()
	c := mustRun(t, paired(spread(12)...), opt).find(t, "safe", Utility)
	if c.NonInferiority != nil || c.Equivalence != nil || c.Undefined["non_inferiority"] != "" {
		t.Errorf("without a margin: got %+v, %+v, %q", c.NonInferiority, c.Equivalence, c.Undefined["non_inferiority"])
	}
	opt.Endpoints[0].Margin = new(0.05)
	c = mustRun(t, paired(spread(4)...), opt).find(t, "safe", Utility)
	const want = "4 tasks (want at least 5)"
	if c.NonInferiority != nil || c.Equivalence != nil || c.Undefined["non_inferiority"] != want || c.Undefined["equivalence"] != want {
		t.Errorf("four tasks: got %+v, %+v because %q", c.NonInferiority, c.Equivalence, c.Undefined)
	}
}

// One task of eighteen that moved makes the error far too small: by the t test
// alone a true loss of the margin would pass for none in 8 % of such studies.
func TestMarginNeedsTasksThatDiffer(t *testing.T) {
	opt := taskStudy()
	opt.Endpoints[0].Margin = new(0.05)
	differences := make([][]float64, 18)
	for i := range differences {
		differences[i] = []float64{0}
	}
	differences[0] = []float64{-0.25}
	c := mustRun(t, paired(differences...), opt).find(t, "safe", Utility)
	if c.Difference.Lo == nil {
		t.Fatal("the headline interval is withheld too")
	}
	const want = "only 1 of 18 tasks shows a difference (want at least 6)"
	if c.NonInferiority != nil || c.Equivalence != nil || c.Undefined["non_inferiority"] != want || c.Undefined["equivalence"] != want {
		t.Errorf("got %+v, %+v because %q", c.NonInferiority, c.Equivalence, c.Undefined)
	}
}

func TestDirections(t *testing.T) {
	for name, bad := range map[string]struct {
		end  Endpoint
		want string
	}{
		"unsaid":    {Endpoint{Name: "x", Scale: "s"}, `x: better: unknown value "" (want higher or lower)`},
		"direction": {Endpoint{Name: "x", Scale: "s", Better: "less"}, `x: better: unknown value "less" (want higher or lower)`},
		"frontier":  {Endpoint{Name: Risk, Scale: "s", Better: Higher}, "risk: better: higher, and the frontier takes it as better lower"},
		"no margin": {Endpoint{Name: "x", Better: Higher, Scale: "s", Margin: new(0.0)}, "x: margin: 0 (want a number above 0"},
		"negative":  {Endpoint{Name: "x", Better: Higher, Scale: "s", Margin: new(-0.1)}, "x: margin: -0.1 (want a number above 0"},
	} {
		opt := taskStudy()
		opt.Endpoints = []Endpoint{bad.end}
		if _, err := Run(t.Context(), paired(spread(12)...), opt); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: got %v, want %q", name, err, bad.want)
		}
	}
}
