package analysis

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// frontierReplicates is the number of joint resamples behind p_dominated.
const frontierReplicates = 2_000

// tie is the distance below which two means count as equal.
const tie = 1e-12

// point is an operating point with what stands behind it.
type point struct {
	described
	u, r  float64
	marks []uplift.Warning
}

// rivalMarks are the marks that point i lacks and another one has.
func rivalMarks(points []point, i int) []uplift.Warning {
	out := []uplift.Warning{}
	for _, q := range points {
		for _, w := range q.marks {
			if !slices.Contains(points[i].marks, w) {
				out = append(out, uplift.Warning{Code: w.Code, Text: "compared with " + q.Condition.Condition + ": " + w.Text})
			}
		}
	}
	return out
}

// frontier places the conditions of each model that have both a utility and a
// risk. A condition is dominated when another one of its model has at least its
// utility and at most its risk, and one of the two strictly.
func (t *table) frontier(ctx context.Context, all []described, opt Options) ([]OperatingPoint, error) {
	out := []OperatingPoint{}
	for _, model := range t.models.list {
		var points []point
		for _, d := range all {
			u, r := d.samples[Utility], d.samples[Risk]
			if d.Model == model && u != nil && r != nil {
				marks := t.markings(opt, about{[]string{model}, []string{d.Condition.Condition}, []string{Utility, Risk}})
				points = append(points, point{d, u.Mean(), r.Mean(), marks})
			}
		}
		share, err := dominatedShare(ctx, points, opt.Seed)
		if err != nil {
			return nil, err
		}
		for i, p := range points {
			o := p.place(points)
			o.Marks = p.marks
			o.RivalMarks = rivalMarks(points, i)
			var reasons []string
			if reason := withheld(points, i, opt.Cluster); reason != "" {
				reasons = append(reasons, "no share of resamples in which it is dominated: "+reason)
			} else if share == nil {
				reasons = append(reasons, "no share of resamples in which it is dominated: an endpoint has no label in more than 1 % of the resamples")
			} else {
				o.PDominated = new(share[i])
			}
			region, reason := p.region(opt.Level)
			if o.Region = region; region == nil {
				reasons = append(reasons, "no region: "+reason)
			}
			o.Withheld = strings.Join(reasons, "; ")
			out = append(out, o)
		}
	}
	return out, nil
}

func (p point) place(points []point) OperatingPoint {
	o := OperatingPoint{Model: p.Model, Condition: p.Condition.Condition, Utility: new(p.u), Risk: new(p.r)}
	for _, q := range points {
		if dominates(q.u, q.r, p.u, p.r) {
			o.By = append(o.By, q.Condition.Condition)
		}
	}
	o.Dominated = len(o.By) > 0
	return o
}

// dominates compares (utility, risk) of one point with another's.
func dominates(u, r, otherU, otherR float64) bool {
	return u >= otherU-tie && r <= otherR+tie && (u > otherU+tie || r < otherR-tie)
}

// region is the joint confidence ellipse of the two means, Hotelling's: with nu
// degrees of freedom behind the covariance, 2 nu/(nu-1) F(level; 2, nu-1). It is
// exact for normal clusters of equal size that both means share, else
// approximate: the covariance is the CR2 one over shared clusters, and nu is the
// smaller Satterthwaite df of the two, which is too wide for clusters that are
// not shared. There is none, for the given reason, where a guard withholds an interval, where the
// two means are tied to each other, and below 2 degrees of freedom.
func (p point) region(level float64) (*Region, string) {
	for _, end := range []string{Utility, Risk} {
		if reason := p.guards[end].interval; reason != "" {
			return nil, end + ": " + reason
		}
	}
	u, r := p.samples[Utility], p.samples[Risk]
	seU, dfU := u.Sandwich(stats.CR2)
	seR, dfR := r.Sandwich(stats.CR2)
	cov, df := stats.CrossCovariance(u, r), min(dfU, dfR)-1
	if cov*cov >= (1-1e-9)*seU*seU*seR*seR {
		return nil, "utility and risk are perfectly correlated"
	}
	if df < 2 {
		return nil, fmt.Sprintf("%.1f degrees of freedom (want at least 2)", df)
	}
	return &Region{VarUtility: seU * seU, VarRisk: seR * seR, Cov: cov, DF: df,
		Scale:  2 * (df + 1) / df * stats.FQuantile(level, 2, df),
		Method: "approximate: CR2 covariance over shared clusters, 2 (df+1)/df F(level; 2, df)"}, ""
}

// withheld says why point i gets no p_dominated: a mean without an interval,
// its own or a rival's, or a rival from which it differs in too few clusters
// for a bootstrap.
func withheld(points []point, i int, by Cluster) string {
	if len(points) < 2 {
		return "there is no other condition to compare with"
	}
	for _, end := range []string{Utility, Risk} {
		for _, q := range points {
			if s := q.samples[end]; s.Clusters() < minClusters || s.MaxShare() > maxShare {
				return fmt.Sprintf("%s of %s: %s", end, q.Condition.Condition, q.guards[end].interval)
			}
		}
	}
	for _, end := range []string{Utility, Risk} {
		for j, q := range points {
			if n := differing(points[i].samples[end], q.samples[end]); j != i && n < minNonZero {
				return fmt.Sprintf("%s differs from that of %s in %s (want at least %d)",
					end, q.Condition.Condition, onlyIn(n, by), minNonZero)
			}
		}
	}
	return ""
}

// onlyIn counts clusters in words, where they are few.
func onlyIn(n int, by Cluster) string {
	switch n {
	case 0:
		return fmt.Sprintf("no %s", by)
	case 1:
		return fmt.Sprintf("1 %s only", by)
	}
	return fmt.Sprintf("%d %s only", n, by.plural())
}

// differing counts the clusters whose means differ between two samples; a
// cluster that only one of them holds does not count.
func differing(a, b *stats.Clustered) int {
	n := 0
	x, y := a.Groups(), b.Groups()
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i].Cluster < y[j].Cluster:
			i++
		case x[i].Cluster > y[j].Cluster:
			j++
		default:
			if math.Abs(x[i].Mean-y[j].Mean) > tie {
				n++
			}
			i, j = i+1, j+1
		}
	}
	return n
}

// dominatedShare is the share of joint resamples of clusters in which each
// point is dominated: all conditions and both endpoints see the same draw.
// Replicate b depends on seed and b alone. A resample in which an endpoint has
// no value is left out; nil when more than 1 % are.
func dominatedShare(ctx context.Context, points []point, seed uint64) ([]float64, error) {
	if len(points) < 2 {
		return nil, nil
	}
	ids := unionOfClusters(points)
	sums := make([]axes, len(points))
	for i, p := range points {
		sums[i] = axes{lay(p.samples[Utility], ids), lay(p.samples[Risk], ids)}
	}
	counts, dominated, valid := make([]int32, len(ids)), make([]int, len(points)), 0
	us, rs := make([]float64, len(points)), make([]float64, len(points))
	for b := range frontierReplicates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stats.ClusterWeights(seed, uint64(b), counts)
		if !means(sums, counts, us, rs) {
			continue
		}
		valid++
		for i := range points {
			for j := range points {
				if dominates(us[j], rs[j], us[i], rs[i]) {
					dominated[i]++
					break
				}
			}
		}
	}
	if frontierReplicates-valid > frontierReplicates/100 {
		return nil, nil
	}
	out := make([]float64, len(points))
	for i, d := range dominated {
		out[i] = float64(d) / float64(valid)
	}
	return out, nil
}

// laid holds the sum and number of values of each cluster of a union.
type laid struct{ sum, n []float64 }

type axes struct{ utility, risk laid }

func unionOfClusters(points []point) []int {
	var ids []int
	for _, p := range points {
		for _, s := range []*stats.Clustered{p.samples[Utility], p.samples[Risk]} {
			for _, g := range s.Groups() {
				ids = append(ids, g.Cluster)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func lay(s *stats.Clustered, ids []int) laid {
	l := laid{make([]float64, len(ids)), make([]float64, len(ids))}
	for _, g := range s.Groups() {
		i, _ := slices.BinarySearch(ids, g.Cluster)
		l.sum[i], l.n[i] = g.Mean*float64(g.N), float64(g.N)
	}
	return l
}

// means gives the means of a resample; false when one has no value.
func means(sums []axes, counts []int32, us, rs []float64) bool {
	for i, s := range sums {
		var okU, okR bool
		us[i], okU = s.utility.mean(counts)
		rs[i], okR = s.risk.mean(counts)
		if !okU || !okR {
			return false
		}
	}
	return true
}

func (l laid) mean(counts []int32) (float64, bool) {
	sum, n := 0.0, 0.0
	for i, c := range counts {
		sum += float64(c) * l.sum[i]
		n += float64(c) * l.n[i]
	}
	return sum / n, n > 0
}
