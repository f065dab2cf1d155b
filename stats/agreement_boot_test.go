package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// With every unit its own cluster the bootstrap of percent agreement is that of
// a binomial share, whose standard deviation is known.
func TestAgreementBootstrapOfAShare(t *testing.T) {
	r := goldenRatings(t)["llama2new"] // 431 of 450 agree
	own := make([]int, 450)
	for i := range own {
		own[i] = i
	}
	got, errs := r.Bootstrap(own, Resample{B: 4000, Seed: 7, Level: 0.95}, (*Ratings).Percent)
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	p := 431.0 / 450
	half := 1.96 * math.Sqrt(p*(1-p)/450)
	tolerance := 4*math.Sqrt(.025*.975/4000)/.0584*half/1.96 + 1.0/450
	if !(math.Abs(got[0].Lo-(p-half)) <= tolerance) || !(math.Abs(got[0].Hi-(p+half)) <= tolerance) {
		t.Errorf("got [%.4f, %.4f], want about [%.4f, %.4f]", got[0].Lo, got[0].Hi, p-half, p+half)
	}
	if got[0].Value != p || got[0].Level != 0.95 {
		t.Errorf("got value %v at level %v, want %v at 0.95", got[0].Value, got[0].Level, p)
	}
}

// A resample that is built by hand, unit by unit, gives the same figures as
// the weights do; and large clusters widen the interval.
func TestAgreementBootstrapDrawsClusters(t *testing.T) {
	r := mustRatings(t, krippendorff4x12().marks)
	cluster := []int{5, 5, 5, 2, 2, 2, 9, 9, 9, 9, 4, 4}
	var want []float64
	counts := make([]int32, 4)
	for b := range 200 {
		ClusterWeights(3, uint64(b), counts)
		var marks []Mark
		next := 0
		for g, id := range []int{2, 4, 5, 9} {
			for range counts[g] {
				for u, c := range cluster {
					if c != id {
						continue
					}
					for _, m := range krippendorff4x12().marks {
						if m.Unit == u {
							marks = append(marks, Mark{next, m.Rater, m.Value})
						}
					}
					next++
				}
			}
		}
		if v, err := mustRatings(t, marks).AlphaOrdinal(); err == nil {
			want = append(want, v)
		}
	}
	slices.Sort(want)
	got, errs := r.Bootstrap(cluster, Resample{B: 200, Seed: 3, Level: 0.9}, (*Ratings).AlphaOrdinal)
	if len(want) != 199 {
		t.Fatalf("%d resamples are defined; ranks 10 and 190 are those of 199", len(want))
	}
	if errs[0] != nil || !(math.Abs(got[0].Lo-want[9]) <= 1e-12) || !(math.Abs(got[0].Hi-want[189]) <= 1e-12) {
		t.Errorf("got %+v, %v; want [%v, %v]", got[0], errs[0], want[9], want[189])
	}
}

func TestAgreementBootstrapRefuses(t *testing.T) {
	ok := Resample{B: 100, Seed: 1, Level: 0.95}
	cases := []struct {
		name    string
		marks   []Mark
		cluster []int
		rs      Resample
		want    string
	}{
		{"too few ids", grid("01", "10"), []int{0}, ok, "1 cluster ids for 2 units"},
		{"no replicates", grid("01", "10"), []int{0, 1}, Resample{Level: 0.95}, "0 replicates"},
		{"one replicate", grid("01", "10"), []int{0, 1}, Resample{B: 1, Level: 0.95}, "1 replicates at level 0.95 (want 2 to 100000000, "},
		{"too many replicates", grid("01", "10"), []int{0, 1}, Resample{B: 100_000_001, Level: 0.95}, "100000001 replicates"},
		{"no level", grid("01", "10"), []int{0, 1}, Resample{B: 10}, "level 0"},
		{"perfect agreement", grid("00", "11", "22", "33", "44", "00", "11", "22", "33", "44"),
			[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, ok, "nearly every resample gives the same value"},
		{"often one category", grid("00", "44"), []int{0, 1}, ok, "undefined in "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, errs := mustRatings(t, c.marks).Bootstrap(c.cluster, c.rs, (*Ratings).AlphaOrdinal)
			if errs[0] == nil || !strings.Contains(errs[0].Error(), c.want) {
				t.Errorf("got %v, want an error with %q", errs[0], c.want)
			}
		})
	}
}

// One resample in a hundred may be undefined, not one more.
func TestPercentilesLoseAtMostOnePercent(t *testing.T) {
	for _, c := range []struct {
		b, lost int
		want    bool
	}{
		{1000, 9, true}, {1000, 10, true}, {1000, 11, false},
		{10_000, 100, true}, {10_000, 101, false}, {99, 0, true}, {99, 1, false},
	} {
		draws := make([]float64, c.b-c.lost)
		for i := range draws {
			draws[i] = float64(i)
		}
		_, err := percentiles(draws, Resample{B: c.b, Level: 0.95})
		if (err == nil) != c.want {
			t.Errorf("%d of %d undefined: got %v, want an interval: %v", c.lost, c.b, err, c.want)
		}
	}
}
