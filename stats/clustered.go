package stats

import (
	"fmt"
	"math"
	"slices"
)

// Clustered holds n values in G clusters. It is immutable. Its zero value is an
// empty sample, of which every interval and test is an error.
//
// Notation: d_i is a value, n_g the number of values of cluster g, S_g their
// sum, p_g = n_g/n, and U_g = S_g - n_g*mean the cluster's residual sum.
type Clustered struct {
	values []float64 // ordered by cluster, then by value, so that no result depends on the caller's order
	ids    []int     // of the clusters, ascending
	start  []int     // of each cluster in values; one more entry than clusters
	sums   []float64 // S_g
	sizes  []float64 // n_g
	mean   float64

	distinct []tuple // values, ascending, with their counts
	lattice  lattice // of the values
	exact    bool    // there is a lattice
}

// NewClustered makes a sample of n >= 1 finite values, n below 2^31; cluster[i] >= 0 is the
// id of value i's cluster. Ids need not be dense: they are kept, because
// [CrossCovariance] joins two samples by them. Both slices are copied. Values
// other than 0 have a size of 1e-50 to 1e50.
func NewClustered(values []float64, cluster []int) (*Clustered, error) {
	if err := checkSample(values, cluster); err != nil {
		return nil, fmt.Errorf("clustered sample: %w", err)
	}
	c := &Clustered{values: make([]float64, len(values)), ids: slices.Clone(cluster)}
	slices.Sort(c.ids)
	c.ids = slices.Compact(c.ids)
	c.place(values, cluster)
	c.sum()
	c.count()
	return c, nil
}

// place puts each value in its cluster, and each cluster in order.
func (c *Clustered) place(values []float64, cluster []int) {
	of, next := make([]int32, len(values)), make([]int, len(c.ids)+1)
	for i, id := range cluster {
		g, _ := slices.BinarySearch(c.ids, id)
		of[i] = int32(g)
		next[g+1]++
	}
	for g := range c.ids {
		next[g+1] += next[g]
	}
	c.start = slices.Clone(next)
	for i, g := range of {
		c.values[next[g]] = values[i]
		next[g]++
	}
	for g := range c.ids {
		slices.Sort(c.values[c.start[g]:c.start[g+1]])
	}
}

// count finds the distinct values and their lattice.
func (c *Clustered) count() {
	all := slices.Clone(c.values)
	slices.Sort(all)
	for i, v := range all {
		if i == 0 || v != all[i-1] {
			c.distinct = append(c.distinct, tuple{s: v, n: 1})
		}
		c.distinct[len(c.distinct)-1].count++
	}
	c.lattice, c.exact = findLattice(c.distinct)
	c.exact = c.exact && float64(len(c.values)) < 1<<52/latticeSpan
}

func checkSample(values []float64, cluster []int) error {
	if len(values) != len(cluster) {
		return fmt.Errorf("%d values with %d cluster ids (want one id a value)", len(values), len(cluster))
	}
	if len(values) == 0 || len(values) > math.MaxInt32 {
		return fmt.Errorf("%d values (want 1 to %d)", len(values), math.MaxInt32)
	}
	for i, v := range values {
		if size := math.Abs(v); !(size <= maxValue) || (size > 0 && size < minValue) {
			return fmt.Errorf("value %d is %v (want 0, or a number of size %g to %g)", i, v, minValue, maxValue)
		}
		if cluster[i] < 0 {
			return fmt.Errorf("cluster id %d of value %d (want 0 or more)", cluster[i], i)
		}
	}
	return nil
}

// minValue and maxValue keep squares and cubes far from underflow and overflow.
const minValue, maxValue = 1e-50, 1e50

// rounding is the relative size up to which a difference counts as none: what
// the arithmetic of scores such as 0.3-0.2 leaves behind.
const rounding = 1e-12

func (c *Clustered) sum() {
	total := 0.0
	for g := range c.ids {
		s, size := 0.0, 0.0
		for _, v := range c.values[c.start[g]:c.start[g+1]] {
			s, size = s+v, size+math.Abs(v)
		}
		if math.Abs(s) <= rounding*size {
			s = 0
		}
		c.sums = append(c.sums, s)
		c.sizes = append(c.sizes, float64(c.start[g+1]-c.start[g]))
		total += s
	}
	c.mean = total / float64(len(c.values))
}

// N is the number of values.
func (c *Clustered) N() int { return len(c.values) }

// Clusters is the number of clusters, G.
func (c *Clustered) Clusters() int { return len(c.ids) }

// Mean is the value-weighted mean, the sum of S_g over n: every value counts
// the same.
func (c *Clustered) Mean() float64 { return c.mean }

// ClusterWeighted is the mean of the cluster means S_g/n_g: every cluster
// counts the same. It estimates the value for a new cluster.
func (c *Clustered) ClusterWeighted() float64 {
	t := 0.0
	for g, s := range c.sums {
		t += s / c.sizes[g]
	}
	return t / float64(max(len(c.sums), 1))
}

// NonZero is the number of clusters whose sum S_g is not zero (beyond
// rounding). A cluster whose changes cancel counts as zero, because that is
// how every statistic by clusters sees it: no sign-flip p by clusters lies
// below 2^(1-NonZero).
func (c *Clustered) NonZero() int {
	k := 0
	for _, s := range c.sums {
		if s != 0 {
			k++
		}
	}
	return k
}

// MaxShare is the largest p_g, in (0,1]: the share of the values that one
// cluster holds.
func (c *Clustered) MaxShare() float64 {
	most := 0.0
	for _, n := range c.sizes {
		most = max(most, n/float64(len(c.values)))
	}
	return most
}

// Group is one cluster of a sample.
type Group struct {
	Cluster int     // its id
	N       int     // its values, at least 1
	Mean    float64 // S_g/n_g
}

// Groups lists the clusters in ascending order of id.
func (c *Clustered) Groups() []Group {
	out := make([]Group, len(c.ids))
	for g, id := range c.ids {
		out[g] = Group{Cluster: id, N: int(c.sizes[g]), Mean: c.sums[g] / c.sizes[g]}
	}
	return out
}

// Left is the mean of a sample without one of its clusters.
type Left struct {
	Cluster int // the id of the cluster left out
	Mean    float64
}

// LeaveOneOut gives, in ascending order of id, the mean without each cluster.
// With a single cluster nothing would be left, and the slice is empty.
func (c *Clustered) LeaveOneOut() []Left {
	if len(c.ids) < 2 {
		return nil
	}
	n := float64(len(c.values))
	out := make([]Left, len(c.ids))
	for g, id := range c.ids {
		out[g] = Left{Cluster: id, Mean: (c.mean*n - c.sums[g]) / (n - c.sizes[g])}
	}
	return out
}
