package analysis

import "github.com/uplift-eval/uplift/stats"

// sensitivities are the bootstrap intervals of a difference, in a fixed order.
// All use the same seed. Withheld ones are listed with the reason.
func sensitivities(s *stats.Clustered, v verdict, opt Options) []Sensitivity {
	clusters := "independent " + opt.Cluster.plural()
	const byPair = "assumes independent pairs"
	out := []Sensitivity{
		{Method: "boot_t", Assumes: clusters},
		{Method: "task_percentile", Assumes: clusters},
		{Method: "task_bca", Assumes: clusters},
		{Method: "pairs_percentile", Assumes: byPair},
		{Method: "pairs_bca", Assumes: byPair},
	}
	for i := range out {
		out[i].Value = s.Mean()
		out[i].Withheld = v.bootstrap
	}
	if v.bootstrap != "" {
		return out
	}
	r := stats.Resample{B: opt.Replicates, Seed: opt.Seed, Level: opt.Level}
	t, err := s.BootT(r)
	out[0].set(t, err)
	tasks, err := s.BootClusters(r)
	out[1].set(tasks.Percentile, err)
	out[2].set(tasks.BCa, err)
	pairs, err := s.BootPairs(r)
	out[3].set(pairs.Percentile, err)
	out[4].set(pairs.BCa, err)
	return out
}

func (s *Sensitivity) set(i stats.Interval, err error) {
	if err != nil {
		s.Withheld = err.Error()
		return
	}
	s.Lo, s.Hi = new(i.Lo), new(i.Hi)
}
