package stats

import "testing"

// Balanced clusters have G-1 degrees of freedom exactly: no 8.999999999999998
// may reach a reader.
func TestBalancedDF(t *testing.T) {
	for _, g := range []int{2, 8, 10, 18, 36, 49} {
		for _, m := range []int{1, 3, 25} {
			var values []float64
			var cluster []int
			for i := range g * m {
				values, cluster = append(values, float64(i*i%7)), append(cluster, i/m)
			}
			c, err := NewClustered(values, cluster)
			if err != nil {
				t.Fatal(err)
			}
			for kind := CR0; kind <= CR3; kind++ {
				if _, df := c.Sandwich(kind); df != float64(g-1) {
					t.Errorf("%s, %d clusters of %d: got df %v, want %d", kind, g, m, df, g-1)
				}
			}
		}
	}
}
