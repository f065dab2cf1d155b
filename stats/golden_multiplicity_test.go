package stats

import (
	"errors"
	"testing"
)

// TestMultiplicityGolden meets an enumeration of all 2^10 sign vectors.
func TestMultiplicityGolden(t *testing.T) {
	all, family, raw := joints(t), []*Clustered{}, []float64{}
	rows := goldenRows(t, "multiplicity.csv")
	for _, r := range rows {
		family = append(family, all[r[0]+",benign"].clustered(t))
		raw = append(raw, number(t, r[3]))
	}
	joint, err1 := MaxT(family, 0.95, 1)
	holm, err2 := Holm(raw)
	if err := errors.Join(err1, err2); err != nil || !joint.Exact {
		t.Fatal(joint, err)
	}
	for k, r := range rows {
		cr1, err1 := family[k].Interval(CR1, 0.95)
		wild, err2 := family[k].WildTest(Rademacher, 0, Resample{B: 999, Seed: 1})
		flip, err3 := family[k].SignFlipClusters(1)
		if err := errors.Join(err1, err2, err3); err != nil || !wild.Exact || !flip.Exact {
			t.Fatal(wild, flip, err)
		}
		got := []float64{family[k].Mean(), joint.T[k], cr1.P, wild.P, flip.P, holm[k], joint.P[k]}
		if len(got) != len(r)-1 {
			t.Fatalf("%d columns, want %d", len(r)-1, len(got))
		}
		for i, v := range got {
			if want := number(t, r[i+1]); !near(v, want) {
				t.Errorf("%s, column %d: %v, want %v", r[0], i+1, v, want)
			}
		}
	}
	compared(t, "multiplicity_critical.csv", 0, 0, 1, func(_, stat string) (float64, float64, bool) {
		v, ok := map[string]float64{"critical_t_95": joint.Critical, "t9_975": TQuantile(0.975, 9)}[stat]
		return v, 0, ok
	})
}
