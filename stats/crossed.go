package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scored is the difference that one rater saw on one pair: the rater's score of
// the pair's response under the condition, less that under the reference.
type Scored struct {
	Pair, Cluster, Rater int // ids, 0 or more
	Value                float64
}

// Crossed holds differences by cluster and by rater, who are crossed: a rater
// scores pairs of many clusters, and a cluster is scored by many raters, though
// not each by all. It is immutable. Its zero value is an empty sample, of which
// every interval is an error.
//
// Every difference counts the same, so that a pair with two raters counts twice
// as much as a pair with one. Where every pair has as many raters, the mean is
// that of the pairs' means.
type Crossed struct {
	clusters, raters []int // ids, ascending
	cells            []crossCell
	start            []int // of each cluster in cells; one more entry than clusters
	n                float64
	mean             float64
	pairs            []int    // by rater
	rows             []Scored // by cluster and rater
}

// crossCell is what one rater saw of one cluster.
type crossCell struct {
	rater  int     // its place
	sum, n float64 // of differences less the mean, and their number
}

// NewCrossed takes rows in any order. It is an error if a value is not a finite
// number of a size of 1e-50 to 1e50, or 0, if an id is negative, if a pair lies
// in two clusters, or if a rater has two rows for one pair.
func NewCrossed(rows []Scored) (*Crossed, error) {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Rater, b.Rater), cmp.Compare(a.Value, b.Value))
	})
	if err := checkScored(rows); err != nil {
		return nil, fmt.Errorf("crossed sample: %w", err)
	}
	c := &Crossed{n: float64(len(rows)), rows: rows}
	total := 0.0
	for _, r := range rows {
		c.clusters, c.raters = append(c.clusters, r.Cluster), append(c.raters, r.Rater)
		total += r.Value
	}
	c.mean = total / c.n
	c.clusters = slices.Compact(c.clusters) // sorted already
	slices.Sort(c.raters)
	c.raters = slices.Compact(c.raters)
	c.fill(rows)
	return c, nil
}

func checkScored(rows []Scored) error {
	values, ids := make([]float64, len(rows)), make([]int, len(rows))
	cluster, seen := map[int]int{}, map[[2]int]bool{}
	for i, r := range rows {
		values[i], ids[i] = r.Value, r.Cluster
		if r.Pair < 0 || r.Rater < 0 {
			return fmt.Errorf("pair %d of rater %d (want ids of 0 or more)", r.Pair, r.Rater)
		}
		if g, ok := cluster[r.Pair]; ok && g != r.Cluster {
			return fmt.Errorf("pair %d is in clusters %d and %d (want one)", r.Pair, g, r.Cluster)
		}
		if seen[[2]int{r.Pair, r.Rater}] {
			return fmt.Errorf("pair %d has two rows of rater %d (want one)", r.Pair, r.Rater)
		}
		cluster[r.Pair], seen[[2]int{r.Pair, r.Rater}] = r.Cluster, true
	}
	return checkSample(values, ids)
}

// fill makes the cells of rows sorted by cluster and rater.
func (c *Crossed) fill(rows []Scored) {
	c.pairs = make([]int, len(c.raters))
	for i, r := range rows {
		at, _ := slices.BinarySearch(c.raters, r.Rater)
		first := i == 0 || r.Cluster != rows[i-1].Cluster
		if first {
			c.start = append(c.start, len(c.cells))
		}
		if first || r.Rater != rows[i-1].Rater {
			c.cells = append(c.cells, crossCell{rater: at})
		}
		last := &c.cells[len(c.cells)-1]
		last.sum, last.n = last.sum+(r.Value-c.mean), last.n+1
		c.pairs[at]++
	}
	c.start = append(c.start, len(c.cells))
}

// N is the number of differences, one a pair and rater.
func (c *Crossed) N() int { return int(c.n) }

// Clusters is the number of clusters, G.
func (c *Crossed) Clusters() int { return len(c.clusters) }

// Raters is the number of raters, R.
func (c *Crossed) Raters() int { return len(c.raters) }

// Mean is the mean of all differences; 0 for an empty sample.
func (c *Crossed) Mean() float64 { return c.mean }

// RaterMean is the mean difference that one rater saw.
type RaterMean struct {
	Rater int // id
	Pairs int // at least 1
	Mean  float64
}

// ByRater lists the raters in ascending order of id. The means say where raters
// part; they are no test, since raters score different pairs unless all score
// all.
func (c *Crossed) ByRater() []RaterMean {
	out, sums := make([]RaterMean, len(c.raters)), c.raterSums()
	for r, id := range c.raters {
		out[r] = RaterMean{Rater: id, Pairs: c.pairs[r], Mean: c.mean + sums[r]/float64(c.pairs[r])}
	}
	return out
}

// raterSums are the sums of differences less the mean.
func (c *Crossed) raterSums() []float64 {
	sums := make([]float64, len(c.raters))
	for _, x := range c.cells {
		sums[x.rater] += x.sum
	}
	return sums
}

// RaterLeft is the mean of a sample without one of its raters.
type RaterLeft struct {
	Rater int // the id of the rater left out
	Mean  float64
}

// LeaveOneRaterOut gives, in ascending order of id, the mean of the differences
// that the other raters saw. With a single rater nothing would be left, and the
// slice is empty.
func (c *Crossed) LeaveOneRaterOut() []RaterLeft {
	if len(c.raters) < 2 {
		return nil
	}
	out, sums := make([]RaterLeft, len(c.raters)), c.raterSums()
	for r, id := range c.raters {
		shift := sums[r] / (c.n - float64(c.pairs[r]))
		out[r] = RaterLeft{Rater: id, Mean: c.mean - shift}
		if math.Abs(c.mean-shift) <= rounding*(math.Abs(c.mean)+math.Abs(shift)) {
			out[r].Mean = 0
		}
	}
	return out
}

// check is what both intervals need.
func (c *Crossed) check(level float64) error {
	if err := checkShare("level", level); err != nil {
		return err
	}
	switch {
	case len(c.cells) == 0:
		return errors.New("no values (want at least one)")
	case len(c.clusters) < 2:
		return fmt.Errorf("undefined, because all %d values are in one cluster (want at least 2 clusters)", c.N())
	case len(c.raters) < 2:
		return fmt.Errorf("undefined, because all %d values are of one rater (want at least 2 raters)", c.N())
	}
	return nil
}
