package stats

import "testing"

// Among the exact sign vectors are the sample's own signs and their mirror, so
// that P is at least 2/2^k, whatever the cancellation in V of means far from 0
// does to |t|. All sums have one sign here: no other vector comes near.
func TestMaxTCountsItself(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []float64
		cluster []int
		want    float64
	}{
		{"two clusters far from 0", []float64{-78.05, -78.045}, []int{1, 0}, 0.5},
		{"three clusters far from 0", []float64{-868.5, -868.5, -868.5, -868.5, -868.5, -868.5, -868}, []int{0, 0, 0, 0, 2, 2, 7}, 0.25},
		{"one step in ten thousand", []float64{1e4, 1e4, 1e4, 1e4 + 1}, []int{0, 1, 2, 3}, 0.125},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := MaxT([]*Clustered{sampleOf(t, c.values, c.cluster)}, 0.4, 1)
			if err != nil || !got.Exact || got.P[0] != c.want {
				t.Errorf("got %+v, %v; want p %v", got, err, c.want)
			}
		})
	}
}
