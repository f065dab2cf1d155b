package stats

import "errors"

// ICCA1 is the intraclass correlation ICC(A,1) of McGraw and Wong (1996), table
// 4: two-way, absolute agreement, single rater, over the n units that all k
// raters marked (complete cases):
//
//	(MSR - MSE) / (MSR + (k-1) MSE + k/n (MSC - MSE))
//
// with the mean squares of units, raters and error. Its numerator may be
// negative. Undefined with fewer than two raters or complete units, and when
// all complete marks are equal ("one category only").
func (r *Ratings) ICCA1() (float64, error) {
	k := len(r.raters)
	if k < 2 {
		return 0, errors.New("one rater only")
	}
	n, grand, byRater := r.complete()
	switch {
	case n == 0:
		return 0, errors.New("no unit is rated by all raters")
	case n == 1:
		return 0, errors.New("one unit only is rated by all raters")
	}
	kf := float64(k)
	var total, rows, columns float64
	for i, p := range r.patterns {
		w := float64(r.weight[i])
		if w == 0 || len(p.cells) < k {
			continue
		}
		mean := 0.0
		for _, c := range p.cells {
			v := r.categories[c.category]
			total += w * (v - grand) * (v - grand)
			mean += v / kf
		}
		rows += w * kf * (mean - grand) * (mean - grand)
	}
	if total == 0 {
		return 0, errOneCategory
	}
	for _, m := range byRater {
		columns += n * (m - grand) * (m - grand)
	}
	msr, msc := rows/(n-1), columns/(kf-1)
	mse := max(0, total-rows-columns) / ((n - 1) * (kf - 1))
	denominator := msr + (kf-1)*mse + kf/n*(msc-mse)
	if denominator <= 0 {
		return 0, errors.New("no variance to share")
	}
	return (msr - mse) / denominator, nil
}

// Complete is the number of units that every rater marked: those that ICCA1
// rests on.
func (r *Ratings) Complete() int {
	n, _, _ := r.complete()
	return int(n)
}

// complete gives the number of complete units, their grand mean and each
// rater's mean.
func (r *Ratings) complete() (n, grand float64, byRater []float64) {
	byRater = make([]float64, len(r.raters))
	for i, p := range r.patterns {
		if len(p.cells) < len(r.raters) {
			continue
		}
		w := float64(r.weight[i])
		n += w
		for _, c := range p.cells {
			byRater[c.rater] += w * r.categories[c.category]
		}
	}
	if n == 0 {
		return 0, 0, byRater
	}
	for j := range byRater {
		byRater[j] /= n
		grand += byRater[j] / float64(len(byRater))
	}
	return n, grand, byRater
}
