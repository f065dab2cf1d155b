package analysis

import "github.com/uplift-eval/uplift/stats"

// The further intervals of a difference stand in a fixed order, all with the
// same seed. The guard of the bootstraps holds for all of them: withheld ones
// are listed with the reason.

func (o Options) resample() stats.Resample {
	return stats.Resample{B: o.Replicates, Seed: o.Seed, Level: o.Level}
}

// clusterIntervals take the clusters as independent.
func clusterIntervals(s *stats.Clustered, v verdict, opt Options) []Sensitivity {
	clusters, weights := "independent "+opt.Cluster.plural(), stats.WildWeights(s.Clusters())
	out := []Sensitivity{
		{Method: "boot_t", Assumes: clusters},
		{Method: "task_percentile", Assumes: clusters},
		{Method: "task_expanded", Assumes: clusters},
		{Method: "task_bca", Assumes: clusters},
		{Method: "wild", Assumes: clusters + "; " + weightsName[weights]},
	}
	if withhold(out, s, v) {
		return out
	}
	t, err := s.BootT(opt.resample())
	out[0].set(t, err)
	b, err := s.BootClusters(opt.resample())
	out[1].set(b.Percentile, err)
	out[2].set(b.Expanded, err)
	out[3].set(b.BCa, err)
	w, err := s.Wild(weights, opt.resample())
	out[4].set(w, err)
	return out
}

// weightsName says which weights a wild bootstrap draws.
var weightsName = map[stats.Weights]string{
	stats.Rademacher: "Rademacher weights",
	stats.Webb6:      "Webb's six-point weights",
}

// pairIntervals take the pairs as independent.
func pairIntervals(s *stats.Clustered, v verdict, opt Options) []Sensitivity {
	const byPair = "assumes independent pairs"
	out := []Sensitivity{
		{Method: "pairs_percentile", Assumes: byPair},
		{Method: "pairs_bca", Assumes: byPair},
		{Method: "pairs_t", Assumes: byPair},
	}
	if withhold(out, s, v) {
		return out
	}
	b, err := s.BootPairs(opt.resample())
	out[0].set(b.Percentile, err)
	out[1].set(b.BCa, err)
	t, err := s.PairsT(opt.Level)
	out[2].set(t, err)
	return out
}

// withhold gives the intervals their value, and reports whether the guard
// leaves it at that.
func withhold(all []Sensitivity, s *stats.Clustered, v verdict) bool {
	for i := range all {
		all[i].Value, all[i].Withheld = s.Mean(), v.bootstrap
	}
	return v.bootstrap != ""
}

func (s *Sensitivity) set(i stats.Interval, err error) {
	if err != nil {
		s.Withheld = err.Error()
		return
	}
	s.Lo, s.Hi = new(i.Lo), new(i.Hi)
}
