package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// family is samples whose clusters are joined by id and turn their signs
// together.
type family struct {
	members  []member
	clusters int // with a number other than 0 in some member, at least 1
}

// member is what a sign vector needs of a sample: t*^2 = (sum s_g S_g)^2 / V, with
// V = G/(G-1) * (ss - 2*m*sum s_g S_g n_g + m^2*nn), m = sum s_g S_g / n.
type member struct {
	size, ss, nn float64   // n, sum of S_g^2, sum of n_g^2
	factor       float64   // G/(G-1)
	abs          float64   // sum of |S_g|
	at           []int32   // places, among those of the family, of its clusters with a number other than 0; ascending
	s, sn        []float64 // S_g and S_g*n_g of these
}

// newFamily takes S_g, or another number of a cluster, from of.
func newFamily(samples []*Clustered, level float64, of func(*Clustered, int) float64) (*family, error) {
	if len(samples) == 0 {
		return nil, errors.New("an empty family (want at least one contrast)")
	}
	var ids []int // with a number other than 0
	for j, c := range samples {
		if c == nil {
			return nil, fmt.Errorf("contrast %d is nil", j)
		}
		if err := c.checkInterval(level); err != nil {
			return nil, fmt.Errorf("contrast %d: %w", j, err)
		}
		for g, id := range c.ids {
			if of(c, g) != 0 {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	f := &family{clusters: max(len(ids), 1)}
	for _, c := range samples {
		f.members = append(f.members, c.member(ids, of))
	}
	return f, nil
}

// member finds the places of the sample's clusters among ids, which hold all of
// those with a number other than 0.
func (c *Clustered) member(ids []int, of func(*Clustered, int) float64) member {
	n := float64(len(c.ids))
	m := member{size: float64(len(c.values)), factor: n / (n - 1)}
	for g, id := range c.ids {
		v, n := of(c, g), c.sizes[g]
		m.ss, m.nn, m.abs = m.ss+v*v, m.nn+n*n, m.abs+math.Abs(v)
		if v != 0 {
			at, _ := slices.BinarySearch(ids, id)
			m.at, m.s, m.sn = append(m.at, int32(at)), append(m.s, v), append(m.sn, v*n)
		}
	}
	return m
}

// higher is the greater of most and the |t*| that s, the sum of s_g S_g, and sn,
// that of s_g S_g n_g, make; infinite where the resample's error is 0 and its
// mean is not.
func (m *member) higher(most, s, sn float64) float64 {
	if math.Abs(s) <= rounding*m.abs {
		return most
	}
	mean := s / m.size
	v := m.ss - 2*mean*sn + mean*mean*m.nn
	if v <= rounding*m.ss {
		return math.Inf(1)
	}
	v *= m.factor
	if s*s < most*most*v*(1-1e-9) { // plainly lower: spares the root
		return most
	}
	return max(most, math.Abs(s)/math.Sqrt(v))
}

// tie is the relative size up to which two |t*| are equal: that of the rounding
// of V, which the cancellation of its terms magnifies where the sample's own V is
// small beside them.
func (m *member) tie() float64 {
	s, sn := 0.0, 0.0
	for k, v := range m.s {
		s, sn = s+v, sn+m.sn[k]
	}
	mean := s / m.size
	v := max(m.ss-2*mean*sn+mean*mean*m.nn, rounding*m.ss)
	if v == 0 {
		return 0
	}
	return 1e-9 + 1e-14*m.ss/v
}

// stepDown counts, for each rank of an order of the members, the sign vectors in
// which the greatest |t*| from that rank on reaches the |t| at it. It also gives
// the greatest |t*| over all members of every vector, ascending. Of a vector
// nothing but the greatest |t*| so far is held, whatever the family's size.
func (f *family) stepDown(v signVectors, t []float64, order []int) (counts []int, greatest []float64) {
	greatest = make([]float64, v.count)
	blocks := (v.count + signBlockSize - 1) / signBlockSize
	reached := make([]int32, blocks*len(order)) // by block and rank
	pool := sync.Pool{New: func() any { return new(signBlock) }}
	eachReplicate(blocks, int(min(f.work()*signBlockSize, math.MaxInt32)), func(i int) {
		b := pool.Get().(*signBlock)
		b.start(v, i*signBlockSize)
		most := greatest[i*signBlockSize : i*signBlockSize+b.count]
		for rank := len(order) - 1; rank >= 0; rank-- {
			m, least, k := &f.members[order[rank]], 0.0, int32(0)
			least = math.Abs(t[order[rank]]) * (1 - m.tie())
			b.turn(m)
			for d := range most {
				most[d] = m.higher(most[d], b.s[d], b.sn[d])
				if most[d] >= least {
					k++
				}
			}
			reached[i*len(order)+rank] = k
		}
		pool.Put(b)
	})
	slices.Sort(greatest)
	counts = make([]int, len(order))
	for i, k := range reached {
		counts[i%len(order)] += int(k)
	}
	return counts, greatest
}

// Bounds of the joint sign flips: vectors of an enumeration times the contrasts,
// and the work of a Monte Carlo, in look-ups, some four seconds of one core.
const enumerableFamily, familyWork = 1 << 21, 2e9

// vectors enumerates or draws, with fewer draws for a family that takes long.
func (f *family) vectors(seed uint64) signVectors {
	draws := signFlipDraws
	if most := familyWork / f.work(); most < signFlipDraws+1 {
		draws = max(int(most/1000), 1)*1000 - 1
	}
	v := newSignVectors(f.clusters, draws, enumerableFamily/float64(len(f.members)), seed)
	v.fewer = !v.exact && draws < signFlipDraws
	return v
}

// work is that of one sign vector, in look-ups of a table.
func (f *family) work() float64 {
	sum := 0.0
	for _, m := range f.members {
		words, fours := 0, 0
		for k, at := range m.at {
			if k == 0 || at/64 != m.at[k-1]/64 {
				words++
			}
			if k == 0 || at/4 != m.at[k-1]/4 {
				fours++
			}
		}
		sum += float64(fours + 3*words + 5)
	}
	return sum
}
