package analysis

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// intervals bootstraps units in clusters, under the guards of every interval.
func (a *agreer) intervals(out *ScaleAgreement, r *stats.Ratings, measures []measure, cluster []int, shared map[int]int) {
	if a.opt.Replicates == 0 {
		return
	}
	withheld := a.withheld(out.Shared, shared)
	var names []string
	var figures []stats.Figure
	for _, m := range measures {
		switch reason := out.Undefined[m.name]; {
		case withheld != "":
			out.Undefined["ci."+m.name] = withheld
		case reason != "":
			out.Undefined["ci."+m.name] = reason
		default:
			names, figures = append(names, m.name), append(figures, m.figure)
		}
	}
	if len(figures) == 0 {
		return
	}
	got, errs := r.Bootstrap(cluster, stats.Resample{B: a.opt.Replicates, Seed: a.opt.Seed, Level: a.opt.Level}, figures...)
	for i, n := range names {
		if errs[i] != nil {
			out.Undefined["ci."+n] = errs[i].Error()
			continue
		}
		out.CI[n] = Range{Lo: got[i].Lo, Hi: got[i].Hi}
		if c := coverageOf(n, out.Clusters); c != nil && a.opt.Level == coveredLevel {
			out.Coverage[n] = *c
		}
	}
}

// withheld says why the shared units carry no interval.
func (a *agreer) withheld(units int, shared map[int]int) string {
	if len(shared) < minClusters {
		word := a.opt.Cluster.plural()
		if len(shared) == 1 {
			word = string(a.opt.Cluster)
		}
		return fmt.Sprintf("%d %s with two ratings of a response (want at least %d)", len(shared), word, minClusters)
	}
	for _, n := range shared {
		if float64(n) > maxShare*float64(units) {
			return fmt.Sprintf("one %s holds more than half of the responses with two ratings", a.opt.Cluster)
		}
	}
	return ""
}
