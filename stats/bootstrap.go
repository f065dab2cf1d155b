package stats

import "errors"

// Resample says how to resample. The zero value is invalid.
type Resample struct {
	B     int     // replicates, at least 1
	Seed  uint64  // equal seeds give equal results on every machine
	Level float64 // nominal coverage in (0,1)
}

// BootT is the symmetric bootstrap-t interval over clusters.
func (c *Clustered) BootT(r Resample) (Interval, error) {
	return Interval{}, errors.New("bootstrap-t: not built yet")
}

// BootClusters gives the percentile and BCa intervals over clusters.
func (c *Clustered) BootClusters(r Resample) (percentile, bca Interval, err error) {
	return Interval{}, Interval{}, errors.New("cluster bootstrap: not built yet")
}

// BootPairs gives the percentile and BCa intervals over single values.
func (c *Clustered) BootPairs(r Resample) (percentile, bca Interval, err error) {
	return Interval{}, Interval{}, errors.New("pairs bootstrap: not built yet")
}

// ClusterWeights fills counts with one multinomial draw of len(counts)
// clusters, keyed by seed and replicate.
func ClusterWeights(seed uint64, replicate uint64, counts []int32) {
	clear(counts)
}
