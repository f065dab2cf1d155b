package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// family is samples whose clusters are joined by id and turn their signs
// together.
type family struct {
	members  []member
	tables   []signTable // each of two members: s, s*n, s, s*n
	clusters int         // with a sum other than 0 in some member, at least 1
}

// member is what a sign vector needs of a sample: t*^2 = (sum s_g S_g)^2 / V, with
// V = G/(G-1) * (ss - 2*m*sum s_g S_g n_g + m^2*nn), m = sum s_g S_g / n.
type member struct {
	size, ss, nn float64 // n, sum of S_g^2, sum of n_g^2
	factor       float64 // G/(G-1)
	abs          float64 // sum of |S_g|
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
	var columns [][]float64
	for _, c := range samples {
		s, sn, m := c.columns(ids, f.clusters, of)
		f.members, columns = append(f.members, m), append(columns, s, sn)
	}
	for pair := range slices.Chunk(columns, 4) {
		f.tables = append(f.tables, newSignTable(pair...))
	}
	return f, nil
}

// columns are S_g and S_g*n_g at the place of each cluster among ids.
func (c *Clustered) columns(ids []int, clusters int, of func(*Clustered, int) float64) (s, sn []float64, m member) {
	s, sn = make([]float64, clusters), make([]float64, clusters)
	g := float64(len(c.ids))
	m = member{size: float64(len(c.values)), factor: g / (g - 1)}
	for g, id := range c.ids {
		v, n := of(c, g), c.sizes[g]
		m.ss, m.nn, m.abs = m.ss+v*v, m.nn+n*n, m.abs+math.Abs(v)
		if at, ok := slices.BinarySearch(ids, id); ok {
			s[at], sn[at] = v, v*n
		}
	}
	return s, sn, m
}

// ratio is |t*| from the sums of s_g S_g and s_g S_g n_g; infinite where the
// resample's error is 0 and its mean is not.
func (m *member) ratio(s, sn float64) float64 {
	if math.Abs(s) <= rounding*m.abs {
		return 0
	}
	mean := s / m.size
	v := m.ss - 2*mean*sn + mean*mean*m.nn
	if v <= rounding*m.ss {
		return math.Inf(1)
	}
	return math.Abs(s) / math.Sqrt(m.factor*v)
}

// ratios fills out with the |t*| of every member under sign vector i.
func (f *family) ratios(out []float64, v signVectors, i int) {
	for k, table := range f.tables {
		a, b, c, d := table.sum(v.word(i))
		out[2*k] = f.members[2*k].ratio(a, b)
		if 2*k+1 < len(out) {
			out[2*k+1] = f.members[2*k+1].ratio(c, d)
		}
	}
}

// stepDown counts, for each rank of an order of the members, the sign vectors in
// which the greatest |t*| from that rank on reaches the |t| at it. It also gives
// the greatest |t*| over all members of every vector, ascending.
func (f *family) stepDown(v signVectors, t []float64, order []int) (counts []int, greatest []float64) {
	greatest = make([]float64, v.count)
	m := len(f.members)
	words := (v.count + 63) / 64
	reached := make([]uint8, words*len(order)) // by rank and 64 vectors
	eachReplicate(words, 64*m*(2+len(f.tables[0])), func(w int) {
		ratios := make([]float64, m)
		for i := 64 * w; i < min(64*(w+1), v.count); i++ {
			f.ratios(ratios, v, i)
			greatest[i] = slices.Max(ratios)
			most := 0.0
			for rank := len(order) - 1; rank >= 0; rank-- {
				j := order[rank]
				most = max(most, ratios[j])
				if most >= math.Abs(t[j])*(1-1e-9) {
					reached[rank*words+w]++
				}
			}
		}
	})
	slices.Sort(greatest)
	counts = make([]int, len(order))
	for i, k := range reached {
		counts[i/words] += int(k)
	}
	return counts, greatest
}
