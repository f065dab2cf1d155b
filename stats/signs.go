package stats

import (
	"fmt"
	"math"
)

// signTable sums +-x over clusters for four columns at once, four clusters by one
// look-up: a block of four has 16 sign patterns, and the table holds the sums of
// each. Bit 0 of a pattern stands for +.
type signTable [][16][4]float64

// newSignTable takes columns of one length, up to four; the others are 0.
func newSignTable(columns ...[]float64) signTable {
	t := make(signTable, (len(columns[0])+3)/4)
	for j, x := range columns {
		for g, v := range x {
			for pattern := range 16 {
				if pattern>>(g%4)&1 == 1 {
					t[g/4][pattern][j] -= v
				} else {
					t[g/4][pattern][j] += v
				}
			}
		}
	}
	return t
}

// sum is the four sums under the signs of word and, from the 65th cluster on, of
// words from s.
func (t signTable) sum(word uint64, s stream) (a, b, c, d float64) {
	for i := range t {
		if i > 0 && i%16 == 0 {
			word = s.next()
		}
		cell := &t[i][word&15]
		a, b, c, d = a+cell[0], b+cell[1], c+cell[2], d+cell[3]
		word >>= 4
	}
	return a, b, c, d
}

// signVectors says which sign vectors a test visits. A vector and its mirror
// give the same |t|, so that half of them stand for all.
type signVectors struct {
	exact bool
	count int  // of the vectors visited: 2^(G-1), or the draws
	fewer bool // draws than usual, for the time they would take
	seed  uint64
	g     int
}

// enumerableHalf is the largest number of vectors that is enumerated.
const enumerableHalf = 1 << 20

// newSignVectors enumerates the vectors of g >= 1 clusters where there are few
// enough, and at most as many as budget; else it draws.
func newSignVectors(g, draws int, budget float64, seed uint64) signVectors {
	if half := math.Ldexp(1, g-1); half <= min(budget, enumerableHalf) {
		return signVectors{exact: true, count: int(half), g: g}
	}
	return signVectors{count: draws, seed: seed, g: g}
}

// word is the first 64 signs of vector i, and the stream that gives the rest.
// Vector 0 of an enumeration is the observed one.
func (v signVectors) word(i int) (uint64, stream) {
	if v.exact {
		return uint64(i), stream{}
	}
	s := newStream(v.seed, uint64(i))
	return s.next(), s
}

// p is the p of k vectors at least as extreme as the observed one, which joins
// the draws of a Monte Carlo.
func (v signVectors) p(k int) float64 {
	if v.exact {
		return float64(k) / float64(v.count)
	}
	return float64(1+k) / float64(1+v.count)
}

// draws is 0 for an enumeration.
func (v signVectors) draws() int {
	if v.exact {
		return 0
	}
	return v.count
}

func (v signVectors) method() string {
	if v.exact {
		return fmt.Sprintf("exact, all 2^%d sign vectors", v.g)
	}
	if v.fewer {
		return fmt.Sprintf("Monte Carlo, %d sign vectors, fewer than usual for the size of the family", v.count)
	}
	return fmt.Sprintf("Monte Carlo, %d sign vectors", v.count)
}
