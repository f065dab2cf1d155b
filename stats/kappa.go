package stats

import "errors"

// Kappa is Cohen's kappa (1960) between two raters, in [-1,1], over the units that
// both marked: with p_ck the share of those that the first marks c and the second k,
// each rater's own marginals p_c. and p_.k, and v = 1 for different categories,
//
//	kappa = 1 - sum p_ck v(c,k) / sum p_c. p_.k v(c,k)
//
// Every disagreement counts alike. With more than two raters it is the plain mean
// over the pairs of raters, as Light (1971) proposed; a pair that shares no unit, or
// of which both raters used one and the same category only, has no kappa and is left
// out ([Ratings.RaterPairs] counts them). Exact. Undefined when no pair has one:
// with one rater only, without a shared unit, with one category only. The standard
// error of a pair's kappa is in [RaterPair.Kappa]; a mean of pairs has none.
func (r *Ratings) Kappa() (float64, error) { return r.light(Nominal) }

// KappaLinear is [Ratings.Kappa] with the disagreement v(c,k) = |c-k| of the values,
// Cohen (1968); at most 1, and the mean over the pairs of raters as there. Exact.
// Undefined as Kappa is.
func (r *Ratings) KappaLinear() (float64, error) { return r.light(Linear) }

// KappaQuadratic is [Ratings.Kappa] with the disagreement v(c,k) = (c-k)^2 of the
// values, Cohen (1968); at most 1, and the mean over the pairs of raters as there.
// Exact. Undefined as Kappa is.
func (r *Ratings) KappaQuadratic() (float64, error) { return r.light(Quadratic) }

// RaterPairs counts the pairs of raters that share a unit, and those among them for
// which kappa does not exist because both used one and the same category only. Exact;
// always defined.
func (r *Ratings) RaterPairs() (shared, constant int) {
	t := r.newTable()
	for _, d := range r.duos {
		if t.fill(r, d); t.n == 0 {
			continue
		}
		shared++
		if t.chance(Nominal.distances(r.categories)) == 0 {
			constant++
		}
	}
	return shared, constant
}

func (r *Ratings) light(w Weighting) (float64, error) {
	apart, t := w.distances(r.categories), r.newTable()
	sum, pairs, shared := 0.0, 0, false
	for _, d := range r.duos {
		if t.fill(r, d); t.n == 0 {
			continue
		}
		shared = true
		if chance := t.chance(apart); chance > 0 {
			sum += 1 - t.disagreement(apart)/chance
			pairs++
		}
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

// table is what two raters make of the units that both marked.
type table struct {
	n             float64
	cells         []cross   // only those that some unit shows
	count         []float64 // of each cell
	first, second []float64 // marginal counts by category
}

func (r *Ratings) newTable() table {
	return table{first: make([]float64, len(r.categories)), second: make([]float64, len(r.categories))}
}

func (t *table) fill(r *Ratings, d duo) {
	t.cells, t.count = r.crosses[d.lo:d.hi], r.sums.cross[d.lo:d.hi]
	t.n = 0
	clear(t.first)
	clear(t.second)
	for i, x := range t.cells {
		t.n += t.count[i]
		t.first[x.c] += t.count[i]
		t.second[x.k] += t.count[i]
	}
}

// disagreement is sum p_ck v(c,k).
func (t *table) disagreement(v distances) float64 {
	sum := 0.0
	for i, x := range t.cells {
		sum += t.count[i] * v.apart(x.c, x.k)
	}
	return sum / t.n
}

// chance is sum p_c. p_.k v(c,k): 0 when both raters used one and the same
// category only.
func (t *table) chance(v distances) float64 { return v.total(t.first, t.second) / t.n / t.n }
