package stats

import (
	"errors"
	"math"
)

// Cohen's kappa between two raters over the units that both marked:
//
//	kappa = 1 - sum p_ck v(c,k) / sum p_c. p_.k v(c,k)
//
// with each rater's own marginals; Cohen (1960), and (1968) for weights. With
// more than two raters it is the plain mean over the pairs of raters, as Light
// (1971) proposed; a pair that shares no unit, or of which both raters used one
// and the same category only, has no kappa and is left out ([Ratings.RaterPairs]
// counts them). Undefined when no pair has one.

// Kappa counts every disagreement alike.
func (r *Ratings) Kappa() (float64, error) {
	return r.light(func(c, k int32) float64 {
		if c == k {
			return 0
		}
		return 1
	})
}

// KappaLinear weighs a disagreement by the distance |c-k| of the values.
func (r *Ratings) KappaLinear() (float64, error) {
	return r.light(func(c, k int32) float64 { return math.Abs(r.categories[c] - r.categories[k]) })
}

// KappaQuadratic weighs a disagreement by (c-k)^2 of the values.
func (r *Ratings) KappaQuadratic() (float64, error) {
	return r.light(func(c, k int32) float64 {
		d := r.categories[c] - r.categories[k]
		return d * d
	})
}

// RaterPairs counts the pairs of raters that share a unit, and those among
// them for which kappa does not exist because both used one category only.
func (r *Ratings) RaterPairs() (shared, constant int) {
	for _, t := range r.tables() {
		if t == nil || t.n == 0 {
			continue
		}
		shared++
		if t.constant() {
			constant++
		}
	}
	return shared, constant
}

// table is what two raters make of the units that both marked.
type table struct {
	n, disagreement float64
	first, second   []float64 // marginal counts by category
}

func (r *Ratings) light(v func(c, k int32) float64) (float64, error) {
	sum, pairs, shared := 0.0, 0, false
	for _, t := range r.weighted(v) {
		if t == nil || t.n == 0 {
			continue
		}
		shared = true
		if t.constant() {
			continue
		}
		sum += t.kappa(v)
		pairs++
	}
	switch {
	case !shared && len(r.raters) < 2:
		return 0, errors.New("one rater only")
	case !shared:
		return 0, errNoShared
	case pairs == 0:
		return 0, errOneCategory
	}
	return sum / float64(pairs), nil
}

func (r *Ratings) tables() []*table {
	return r.weighted(func(c, k int32) float64 { return 0 })
}

// weighted fills one table a pair of raters, in order of the raters; a pair
// that shares no unit may be nil.
func (r *Ratings) weighted(v func(c, k int32) float64) []*table {
	k, q := len(r.raters), len(r.categories)
	tables := make([]*table, k*(k-1)/2)
	for i, p := range r.patterns {
		w := float64(r.weight[i])
		if w == 0 {
			continue
		}
		for bi, b := range p.cells {
			for _, a := range p.cells[:bi] {
				at := int(b.rater)*(int(b.rater)-1)/2 + int(a.rater)
				if tables[at] == nil {
					tables[at] = &table{first: make([]float64, q), second: make([]float64, q)}
				}
				tables[at].add(w, a.category, b.category, v)
			}
		}
	}
	return tables
}

func (t *table) add(w float64, a, b int32, v func(c, k int32) float64) {
	t.n += w
	t.first[a] += w
	t.second[b] += w
	t.disagreement += w * v(a, b)
}

// constant reports whether both raters used one and the same category only.
func (t *table) constant() bool {
	for c := range t.first {
		if t.first[c] == t.n && t.second[c] == t.n {
			return true
		}
	}
	return false
}

func (t *table) kappa(v func(c, k int32) float64) float64 {
	chance := 0.0
	for c, x := range t.first {
		for k, y := range t.second {
			chance += x * y * v(int32(c), int32(k))
		}
	}
	return 1 - t.disagreement*t.n/chance
}
