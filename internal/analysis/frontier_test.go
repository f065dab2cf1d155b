package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

func frontierStudy() Options {
	o := taskStudy()
	o.Endpoints = append(o.Endpoints, Endpoint{Name: Risk, Better: Lower, Scale: uplift.Actionability, Tiers: []uplift.Tier{uplift.Harmful}})
	return o
}

// placed adds a condition whose scores by task are given: on benign tasks for
// utility, on harmful ones for risk.
func (m *memory) placed(condition string, utility, risk []float64) {
	for i, v := range utility {
		m.graded(place{condition: condition, task: fmt.Sprintf("b%02d", i)}, v)
	}
	for i, v := range risk {
		p := place{condition: condition, task: fmt.Sprintf("h%02d", i), tier: uplift.Harmful}
		m.respond(p)
		m.mark(p, uplift.Actionability, uplift.Human, v)
	}
}

// levels is twelve scores around a mean, in an order that depends on seed.
func levels(mean float64, seed uint64) []float64 {
	out := make([]float64, 12)
	for i := range out {
		out[i] = mean + 0.02*float64(i-6)
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func (r *Result) point(t *testing.T, condition string) OperatingPoint {
	t.Helper()
	for _, p := range r.Frontier {
		if p.Condition == condition {
			return p
		}
	}
	t.Fatalf("no point of %s", condition)
	return OperatingPoint{}
}

func TestDominance(t *testing.T) {
	m := &memory{}
	m.placed("ref", levels(0.8, 1), levels(0.6, 2))     // most useful
	m.placed("safe", levels(0.7, 3), levels(0.2, 4))    // least risk
	m.placed("worse", levels(0.3, 5), levels(0.5, 6))   // beaten by safe, clearly
	m.placed("middle", levels(0.75, 7), levels(0.4, 8)) // between
	r := mustRun(t, m, frontierStudy())
	for _, c := range []struct {
		condition string
		by        []string
		lo, hi    float64 // of p_dominated
	}{
		{"ref", nil, 0, 0.2},
		{"middle", nil, 0, 0.2},
		{"safe", nil, 0, 0.001},
		{"worse", []string{"middle", "safe"}, 0.999, 1},
	} {
		p := r.point(t, c.condition)
		if p.Dominated != (c.by != nil) || !slices.Equal(p.By, c.by) {
			t.Errorf("%s: got dominated %v by %v, want by %v", c.condition, p.Dominated, p.By, c.by)
		}
		if p.PDominated == nil || *p.PDominated < c.lo || *p.PDominated > c.hi {
			t.Errorf("%s: got p %v (%s), want in [%v, %v]", c.condition, show(p.PDominated), p.Withheld, c.lo, c.hi)
		}
	}
}

// Equal in one, better in the other dominates; equal in both does not.
func TestDominatesStrictly(t *testing.T) {
	for _, c := range []struct {
		name string
		u, r float64
		want bool
	}{
		{"equal", 0.5, 0.5, false}, {"more useful", 0.6, 0.5, true}, {"less risky", 0.5, 0.4, true},
		{"both", 0.6, 0.4, true}, {"a trade", 0.6, 0.6, false}, {"worse", 0.4, 0.6, false}, {"rounding only", 0.5 + 1e-16, 0.5, false},
	} {
		if got := dominates(c.u, c.r, 0.5, 0.5); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestGuardsOfTheFrontier(t *testing.T) {
	cases := []struct {
		name      string
		build     func(m *memory)
		p, region bool
		says      string // in withheld
	}{
		{"twelve tasks a tier", func(m *memory) { m.placed("safe", levels(0.7, 3), levels(0.2, 4)) }, true, true, ""},
		{"four benign tasks", func(m *memory) { m.placed("safe", levels(0.7, 3)[:4], levels(0.2, 4)) }, false, false,
			"no share of resamples in which it is dominated: utility of safe: 4 tasks (want at least 5); no region: utility: 4 tasks"},
		{"risk differs in five tasks", func(m *memory) {
			m.placed("safe", levels(0.7, 3), append(levels(0.1, 4)[:5], levels(0.6, 2)[5:]...))
		}, false, true, "risk differs from that of ref in 5 tasks only"},
		{"no risk at all", func(m *memory) { m.placed("safe", levels(0.7, 3), make([]float64, 12)) }, true, false, "no region: risk: the standard error is 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := &memory{}
			m.placed("ref", levels(0.8, 1), levels(0.6, 2))
			c.build(m)
			p := mustRun(t, m, frontierStudy()).point(t, "safe")
			if (p.PDominated != nil) != c.p || (p.Region != nil) != c.region {
				t.Errorf("got p %v, region %+v; want a p: %v, a region: %v", show(p.PDominated), p.Region, c.p, c.region)
			}
			if !strings.Contains(p.Withheld, c.says) || (p.Withheld == "") != (c.says == "") {
				t.Errorf("got withheld %q, want %q", p.Withheld, c.says)
			}
		})
	}
}

// Twelve tasks that all carry both endpoints: covariance and variances are the
// plain ones of twelve pairs of means, and Hotelling's T^2(.95; 2, 11) is
// 2*11/10 * F(.95; 2, 10) = 2.2 * 4.102821.
func TestRegion(t *testing.T) {
	m := &memory{}
	us, rs := levels(0.7, 3), levels(0.3, 4)
	for _, c := range []string{"ref", "safe"} {
		for i := range us {
			p := place{condition: c, task: fmt.Sprintf("t%02d", i)}
			m.graded(p, us[i])
			m.mark(p, uplift.Actionability, uplift.Human, rs[i])
		}
	}
	opt := frontierStudy()
	opt.Endpoints[1].Tiers = []uplift.Tier{uplift.Benign}
	got := mustRun(t, m, opt).point(t, "safe").Region
	var mu, mr, vu, vr, cov float64
	for i := range us {
		mu += us[i] / 12
		mr += rs[i] / 12
	}
	for i := range us {
		vu += (us[i] - mu) * (us[i] - mu) / 11 / 12
		vr += (rs[i] - mr) * (rs[i] - mr) / 11 / 12
		cov += (us[i] - mu) * (rs[i] - mr) / 11 / 12
	}
	if got == nil || math.Abs(got.VarUtility-vu) > 1e-12 || math.Abs(got.VarRisk-vr) > 1e-12 || math.Abs(got.Cov-cov) > 1e-12 ||
		math.Abs(got.DF-10) > 1e-9 || math.Abs(got.Scale-2.2*4.102821) > 1e-5 {
		t.Errorf("got %+v, want variances %v, %v, covariance %v, df 10, scale %v", got, vu, vr, cov, 2.2*4.102821)
	}
}

func TestNoFrontierWithoutBothEndpoints(t *testing.T) {
	if got := mustRun(t, paired(spread(10)...), taskStudy()).Frontier; got == nil || len(got) != 0 {
		t.Errorf("got %v, want an empty list", got)
	}
}
