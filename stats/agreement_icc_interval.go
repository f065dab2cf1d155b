package stats

import (
	"errors"
	"fmt"
)

// ICCInterval is [Ratings.ICC] with its interval from the F distribution at a
// level in (0,1); McGraw & Wong (1996), table 7; equal to psych. Under normal
// marks and independent units it is exact for one-way and consistency; for
// absolute agreement its degrees of freedom are Satterthwaite's, approximate. Marks
// on a few levels are not normal, and units that cluster make it too short:
// [Ratings.Bootstrap] assumes neither. In simulated studies of up to seven pairs of
// responses a task, at three marks a response, the 95 % interval of ICC(A,1) held the
// truth in 61 to 67 % of studies of 6 to 108 tasks (doc/coverage.md). Undefined as ICC
// is, without variance between units or within them, for raters who disagree so much
// that the formula no longer gives an interval that holds the estimate, and at levels
// so low that it does not.
func (r *Ratings) ICCInterval(form ICCForm, average bool, level float64) (Spread, error) {
	if !(level > 0 && level < 1) {
		return Spread{}, fmt.Errorf("icc interval: level %v (want between 0 and 1)", level)
	}
	value, err := r.ICC(form, average)
	if err != nil {
		return Spread{}, err
	}
	a := &r.sums.anova
	lo, hi, err := a.bounds(form, (1+level)/2)
	if err != nil {
		return Spread{}, err
	}
	if average { // Spearman-Brown, which has a pole
		if 1+(a.k-1)*lo <= 1e-6 { // beyond it the bound has too few digits of its own
			return Spread{}, errNoICCInterval
		}
		lo, hi = a.k*lo/(1+(a.k-1)*lo), a.k*hi/(1+(a.k-1)*hi)
	}
	if !(lo <= value && value <= hi) {
		return Spread{}, errNoICCInterval
	}
	return Spread{Value: value, Lo: lo, Hi: hi, Level: level}, nil
}

var errNoICCInterval = errors.New("the raters disagree too much for an interval from the F distribution")

// bounds are those of one rater, at quantile p of F.
func (a *anova) bounds(form ICCForm, p float64) (lo, hi float64, err error) {
	noise, df := a.error, (a.n-1)*(a.k-1)
	if form == OneWay {
		noise, df = a.within, a.n*(a.k-1)
	}
	switch {
	case a.units <= rounding*(a.raters+a.error+a.within): // all bounds and the estimate are one number
		return 0, 0, errors.New("no variance between units")
	case form == Absolute && a.within > 0:
		return a.absolute(p)
	case noise == 0:
		return 0, 0, errors.New("no variance within units")
	}
	f := a.units / noise
	low, high := f/FQuantile(p, a.n-1, df), f*FQuantile(p, df, a.n-1)
	return (low - 1) / (low + a.k - 1), (high - 1) / (high + a.k - 1), nil
}

// absolute are the bounds of ICC(A,1), whose error is a R + b E with weights that
// depend on the estimate.
func (a *anova) absolute(p float64) (lo, hi float64, err error) {
	rho, err := a.icc(Absolute, false)
	if err != nil {
		return 0, 0, err
	}
	c := a.k * rho / (a.n * (1 - rho)) * a.raters
	e := (1 + a.k*rho*(a.n-1)/(a.n*(1-rho))) * a.error
	df := (c + e) * (c + e) / (c*c/(a.k-1) + e*e/((a.n-1)*(a.k-1)))
	if !(df >= 0.1) { // the weights have opposite signs
		return 0, 0, errNoICCInterval
	}
	below, above := FQuantile(p, a.n-1, df), FQuantile(p, df, a.n-1)
	rest := a.k*a.raters + (a.k*a.n-a.k-a.n)*a.error
	lo = a.n * (a.units - below*a.error) / (below*rest + a.n*a.units)
	hi = a.n * (above*a.units - a.error) / (rest + a.n*above*a.units)
	return lo, hi, nil
}
