package stats

import "errors"

// SignFlip is the result of a sign-flip test.
type SignFlip struct {
	P      float64 // two-sided, in (0,1]
	Exact  bool    // false: Monte Carlo
	Draws  int     // of the Monte Carlo; 0 when exact
	Method string  // for people, such as "exact, lattice 1/4"
}

// SignFlipClusters tests that the values are symmetric about 0 by flipping
// whole clusters.
func (c *Clustered) SignFlipClusters(seed uint64) (SignFlip, error) {
	return SignFlip{}, errors.New("sign flip: not built yet")
}

// SignFlipPairs flips each value by itself; it assumes independent values.
func (c *Clustered) SignFlipPairs(seed uint64) (SignFlip, error) {
	return SignFlip{}, errors.New("sign flip: not built yet")
}
