package analysis

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// Marks that cannot give a figure give its reason, under names that stay.
func TestAgreeSaysWhyNot(t *testing.T) {
	at := func(i int) place { return place{condition: "c", task: fmt.Sprintf("t%02d", i)} }
	cases := []struct {
		name    string
		mark    func(m *memory)
		reasons map[string]string // of these keys
		defined string            // figures that are there all the same
		pairs   int
	}{
		{"one rater", func(m *memory) {
			for i := range 9 {
				m.mark(at(i), uplift.Compliance, "rater:a", float64(i%3)/2)
			}
		}, map[string]string{"percent": "no unit has two ratings", "alpha_ordinal": "no unit has two ratings", "kappa": "one rater only", "fleiss": "no unit has two ratings",
			"brennan_prediger": "no unit has two ratings", "ac2_ordinal": "no unit has two ratings", "icc_ak": "one rater only",
			"ci.percent": "0 tasks with two ratings of a response (want at least 5)"}, "", 0},
		{"raters who never meet", func(m *memory) {
			for i := range 10 {
				m.mark(at(i), uplift.Compliance, []string{"rater:a", "rater:b"}[i%2], float64(i%3)/2)
			}
		}, map[string]string{"percent": "no unit has two ratings", "kappa_quadratic": "no unit has two ratings", "icc_a1": "no unit is rated by all raters"}, "", 0},
		{"one category", func(m *memory) {
			for i := range 9 {
				m.mark(at(i), uplift.Compliance, "rater:a", 1)
				m.mark(at(i), uplift.Compliance, "rater:b", 1)
			}
		}, map[string]string{"alpha_nominal": "one category only", "kappa": "one category only", "fleiss": "one category only", "icc_a1": "one category only", "icc_ak": "one category only",
			"ci.ac1": "nearly every resample gives the same value"}, "percent ac1 ac2_linear ac2_quadratic ac2_ordinal brennan_prediger", 1},
		{"one category of a scale that is not known", func(m *memory) {
			for i := range 9 {
				m.mark(at(i), "tone", "rater:a", 3)
				m.mark(at(i), "tone", "rater:b", 3)
			}
		}, map[string]string{"ac1": "the scale has fewer than two categories", "coincidences": "the scale has fewer than two categories"}, "percent", 1},
		{"a mark off the scale", func(m *memory) {
			for i := range 9 {
				m.mark(at(i), uplift.Compliance, "rater:a", 0.25*float64(i%5))
				m.mark(at(i), uplift.Compliance, "rater:b", 0.25*float64(i%4))
			}
		}, map[string]string{"ac1": "a mark of 0.25 is not on the scale [0 0.5 1]", "ci.ac1": "a mark of 0.25 is not on the scale [0 0.5 1]"}, "alpha_ordinal kappa", 1},
		{"more values than a table holds", func(m *memory) {
			for i := range 30 {
				m.mark(at(i), "slider", "rater:a", float64(i))
				m.mark(at(i), "slider", "rater:b", float64(i+i%3))
			}
		}, map[string]string{"coincidences": "31 values were marked (a table has at most 25)"}, "alpha_interval icc_ak", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := &memory{}
			c.mark(m)
			a := mustAgree(t, m, AgreeOptions{Replicates: 40})
			s := a.Scales[len(a.Scales)-1]
			for key, want := range c.reasons {
				if got := s.Undefined[key]; got != want {
					t.Errorf("%s: got %q, want %q", key, got, want)
				}
			}
			for _, f := range s.Figures() {
				if (f.Value == nil) != (s.Undefined[f.Name] != "") {
					t.Errorf("%s: value %v because %q", f.Name, show(f.Value), s.Undefined[f.Name])
				}
				if f.Value == nil && slices.Contains(strings.Fields(c.defined), f.Name) {
					t.Errorf("%s: got nothing because %q, want a value", f.Name, s.Undefined[f.Name])
				}
			}
			if s.Pairs == nil || len(s.Pairs) != c.pairs || len(s.ByRater) != s.Raters || len(s.Patterns) == 0 {
				t.Errorf("got %d pairs, %d raters, %d patterns", len(s.Pairs), len(s.ByRater), len(s.Patterns))
			}
			if _, err := json.Marshal(a); err != nil {
				t.Error(err)
			}
		})
	}
}

// The tables follow the values that were marked, on the scale or off it.
func TestAgreeValuesOfTables(t *testing.T) {
	m := &memory{}
	for i := range 6 {
		p := place{condition: "c", task: fmt.Sprintf("t%02d", i)}
		m.mark(p, uplift.Compliance, "rater:a", 0.25)
		m.mark(p, uplift.Compliance, "rater:b", float64(i%2))
	}
	s := mustAgree(t, m, AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	if got := fmt.Sprint(s.Values, s.Pairs[0].Table, s.ByRater[1].Counts); got != "[0 0.25 0.5 1] [[0 0 0 0] [3 0 0 3] [0 0 0 0] [0 0 0 0]] [3 0 0 3]" {
		t.Errorf("got %s", got)
	}
	if got := s.Pairs[0].Undefined; len(got) != 0 || *s.Pairs[0].Kappa != 0 {
		t.Errorf("got kappa %v, %v", show(s.Pairs[0].Kappa), got)
	}
}

func TestAgreeTiersAndRatio(t *testing.T) {
	m := annotated(t)
	for _, c := range []struct {
		tiers []string
		want  string
	}{{nil, "benign harmful all"}, {[]string{"all", "benign"}, "benign all"}, {[]string{"borderline"}, ""}} {
		a := mustAgree(t, m, AgreeOptions{Tiers: c.tiers, Replicates: -1})
		var got []string
		for _, s := range a.Scales {
			got = append(got, s.Tier)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("tiers %v: got %v, want %s", c.tiers, got, c.want)
		}
	}
	plain := mustAgree(t, m, AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	asked := mustAgree(t, m, AgreeOptions{Replicates: -1, Ratio: []string{uplift.Compliance}}).entry(t, uplift.Compliance, AllTiers)
	if plain.AlphaRatio != nil || !strings.Contains(plain.Undefined["alpha_ratio"], "true zero") || asked.AlphaRatio == nil || asked.SE["alpha_ratio"] == 0 {
		t.Errorf("ratio: got %v because %q; asked for: %v ± %v", show(plain.AlphaRatio), plain.Undefined["alpha_ratio"], show(asked.AlphaRatio), asked.SE["alpha_ratio"])
	}
}

// An error of units taken as independent and an interval of tasks drawn again
// agree where the tasks cluster nothing, and part where they do.
func TestAgreeErrorsAndIntervals(t *testing.T) {
	s := mustAgree(t, annotated(t), AgreeOptions{Seed: 3, Replicates: 1000}).entry(t, uplift.Compliance, AllTiers)
	for _, name := range slices.Sorted(maps.Keys(s.SE)) {
		half := (s.CI[name].Hi - s.CI[name].Lo) / 2 / 1.96
		// 450 tasks of three responses each, alike in their ease.
		if ratio := half / s.SE[name]; ratio < 0.7 || ratio > 1.5 {
			t.Errorf("%s: an interval of half width %v beside an error of %v", name, half*1.96, s.SE[name])
		}
	}
	if len(s.SE) != 12 {
		t.Errorf("got errors %v, want 12", s.SE)
	}
	// What was measured stands beside the intervals of that level, and no other.
	if got := s.Coverage["alpha_ordinal"]; got.Clusters != 108 || got.Lo < 0.9 || got.Hi > 1 || got.Lo > got.Hi {
		t.Errorf("alpha: got coverage %+v, want that of 108 tasks", got)
	}
	if _, ok := s.Coverage["ac2_linear"]; ok {
		t.Errorf("got a coverage of AC2, which nobody measured: %v", s.Coverage)
	}
	if other := mustAgree(t, annotated(t), AgreeOptions{Level: 0.9, Replicates: 100}).entry(t, uplift.Compliance, AllTiers); len(other.Coverage) != 0 || len(other.CI) == 0 {
		t.Errorf("at 90 %%: got coverage %v", other.Coverage)
	}
	clustered := &memory{}
	for i := range 300 { // thirty times the same ten responses
		p := place{condition: "c", task: fmt.Sprintf("t%02d", i%10), replicate: i / 10}
		clustered.mark(p, uplift.Compliance, "rater:a", float64(i%10%3)/2)
		clustered.mark(p, uplift.Compliance, "rater:b", float64((i%10+i%10/7)%3)/2)
	}
	c := mustAgree(t, clustered, AgreeOptions{Seed: 3}).entry(t, uplift.Compliance, AllTiers)
	for _, name := range []string{"ac1", "alpha_nominal", "kappa_quadratic"} {
		if half := (c.CI[name].Hi - c.CI[name].Lo) / 2 / 1.96; half < 3*c.SE[name] {
			t.Errorf("%s: ten tasks thirty times: an interval of %v does not stand out from an error of %v", name, c.CI[name], c.SE[name])
		}
	}
}

// Fifty raters, two a response: all pairs are there, and none is there twice.
func TestAgreeOfFiftyRaters(t *testing.T) {
	m, next := &memory{}, uint32(1)
	draw := func(n int) int { next = next*1664525 + 1013904223; return int(next>>16) % n }
	for i := range 6000 {
		a := draw(50)
		b := (a + 1 + draw(49)) % 50
		p := place{condition: "c", task: fmt.Sprintf("t%03d", i%200), replicate: i / 200}
		m.mark(p, uplift.Correctness, fmt.Sprintf("rater:r%02d", a), float64(draw(5))/4)
		m.mark(p, uplift.Correctness, fmt.Sprintf("rater:r%02d", b), float64(draw(5))/4)
	}
	s := mustAgree(t, m, AgreeOptions{Replicates: 20}).entry(t, uplift.Correctness, AllTiers)
	shared, units, cells := 0, 0, 0
	for i, p := range s.Pairs {
		shared += p.Shared
		for _, row := range p.Table {
			for _, n := range row {
				cells += n
			}
		}
		if p.A >= p.B || i > 0 && (p.A < s.Pairs[i-1].A || p.A == s.Pairs[i-1].A && p.B <= s.Pairs[i-1].B) {
			t.Fatalf("pair %d: %s, %s is out of order", i, p.A, p.B)
		}
	}
	for _, p := range s.Patterns {
		units += p.Units
	}
	if len(s.ByRater) != 50 || shared != 6000 || cells != 6000 || units != 6000 || len(s.Pairs) != len(s.Patterns) {
		t.Errorf("got %d raters, %d pairs with %d shared and %d in tables, %d patterns with %d", len(s.ByRater), len(s.Pairs), shared, cells, len(s.Patterns), units)
	}
}

// An intraclass correlation rests on the responses that everyone marked: on half
// of the shared ones it is given, on fewer it is not.
func TestAgreeOfHalfTheResponses(t *testing.T) {
	for whole, want := range map[int]bool{5: true, 4: false} {
		m := &memory{}
		for i := range 10 {
			p := place{condition: "c", task: fmt.Sprintf("t%d", i)}
			m.mark(p, uplift.Compliance, "rater:a", float64(i%3)/2)
			m.mark(p, uplift.Compliance, "rater:b", float64(i%2)/2)
			if i < whole {
				m.mark(p, uplift.Compliance, "rater:c", float64(i%3)/2)
			}
		}
		s := mustAgree(t, m, AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
		if got := s.ICCA1 != nil && s.ICCAK != nil; got != want {
			t.Errorf("%d of 10 marked by all: got an ICC %v because %q, want %v", whole, got, s.Undefined["icc_a1"], want)
		}
	}
}
