package stats

import "math"

// lattice is a spacing on which every value of a sample lies: value = k*unit/q
// with k an integer of at most latticeSpan. Means of ratings lie on one: levels
// of a quarter, averaged over three raters, have step 1/12.
//
// On a lattice sums are exact integers, held in float64, so that ties are ties
// and exact distributions can be had by convolution.
type lattice struct{ unit, q float64 }

const (
	latticeDenominator = 240
	latticeSpan        = 1e6
	latticeError       = 1e-9 // of k
)

// findLattice finds the coarsest step unit/q, q = 1..240, on which all values
// lie. The unit is 1, or else the smallest value that is not 0, so that values
// in other units have a lattice too.
func findLattice(distinct []tuple) (lattice, bool) {
	smallest := math.Inf(1)
	for _, v := range distinct {
		if v.s != 0 {
			smallest = min(smallest, math.Abs(v.s))
		}
	}
	for _, unit := range []float64{1, smallest} {
		for q := 1.0; q <= latticeDenominator; q++ {
			if l := (lattice{unit, q}); l.holds(distinct) {
				return l, true
			}
		}
	}
	return lattice{}, false
}

func (l lattice) holds(values []tuple) bool {
	for _, v := range values {
		k := v.s / l.unit * l.q
		if math.Abs(k) > latticeSpan || math.Abs(k-math.Round(k)) > latticeError {
			return false
		}
	}
	return true
}

// index is the k of a value on the lattice.
func (l lattice) index(v float64) float64 { return math.Round(v / l.unit * l.q) }

// value is the inverse of index; k need not be an integer.
func (l lattice) value(k float64) float64 { return k / l.q * l.unit }
