package analysis

import "github.com/uplift-eval/uplift/stats"

// sensitivities are the bootstrap intervals of a difference, in a fixed order.
// All use the same seed. Withheld ones are listed with the reason.
func sensitivities(s *stats.Clustered, v verdict, opt Options) []Sensitivity {
	clusters := "independent " + opt.Cluster.plural()
	const pairs = "assumes independent pairs"
	out := []Sensitivity{
		{Method: "boot_t", Assumes: clusters},
		{Method: "task_percentile", Assumes: clusters},
		{Method: "task_bca", Assumes: clusters},
		{Method: "pairs_percentile", Assumes: pairs},
		{Method: "pairs_bca", Assumes: pairs},
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
	percentile, bca, err := s.BootClusters(r)
	out[1].set(percentile, err)
	out[2].set(bca, err)
	percentile, bca, err = s.BootPairs(r)
	out[3].set(percentile, err)
	out[4].set(bca, err)
	return out
}

func (s *Sensitivity) set(i stats.Interval, err error) {
	if err != nil {
		s.Withheld = err.Error()
		return
	}
	s.Lo, s.Hi = new(i.Lo), new(i.Hi)
}
