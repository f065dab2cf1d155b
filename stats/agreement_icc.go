package stats

import (
	"errors"
	"fmt"
)

// ICCForm says which differences count against an intraclass correlation; McGraw
// & Wong (1996), table 4. The zero value is invalid.
type ICCForm int

const (
	// OneWay is ICC(1): each unit has raters of its own, as far as the model
	// knows; all variance within a unit is error.
	OneWay ICCForm = iota + 1
	// Consistency is ICC(C): two-way; a rater's constant shift does not count.
	Consistency
	// Absolute is ICC(A): two-way; a rater's constant shift counts as error.
	Absolute
)

// String is the form in lower case, such as "consistency".
func (f ICCForm) String() string {
	names := [...]string{"", "one-way", "consistency", "absolute agreement"}
	if f < OneWay || f > Absolute {
		return fmt.Sprintf("icc form %d", int(f))
	}
	return names[f]
}

// ICC is the intraclass correlation over the n units that all k raters marked
// (complete cases), of one rater or of the average of the k: with the mean squares
// of units R, raters C, error E and, within units, W,
//
//	form         one rater                                   average
//	one-way      (R - W) / (R + (k-1) W)                     (R - W) / R
//	consistency  (R - E) / (R + (k-1) E)                     (R - E) / R
//	absolute     (R - E) / (R + (k-1) E + k/n (C - E))       (R - E) / (R + (C - E)/n)
//
// McGraw & Wong (1996), table 4; equal to irr and psych. At most 1; the estimate
// may be negative, that of an average without bound. Exact; [Ratings.ICCInterval] says
// what an interval assumes. Undefined with fewer
// than two raters or complete units, when all complete marks are equal ("one
// category only"), when the denominator is not above 0 and, for the average, when
// all units have the same mean.
func (r *Ratings) ICC(form ICCForm, average bool) (float64, error) {
	if err := form.check(); err != nil {
		return 0, err
	}
	a, err := r.meanSquares()
	if err != nil {
		return 0, err
	}
	return a.icc(form, average)
}

func (f ICCForm) check() error {
	if f < OneWay || f > Absolute {
		return fmt.Errorf("%v is unknown (want one-way, consistency or absolute agreement)", f)
	}
	return nil
}

// ICCA1 is ICC(A,1), [Ratings.ICC] of one rater for absolute agreement: at most 1.
// Exact; McGraw & Wong (1996), table 4. Undefined as that is.
func (r *Ratings) ICCA1() (float64, error) { return r.ICC(Absolute, false) }

// ICCAK is ICC(A,k), [Ratings.ICC] of the average of the k raters for absolute
// agreement: at most 1. Exact; McGraw & Wong (1996), table 4. Undefined as that is.
func (r *Ratings) ICCAK() (float64, error) { return r.ICC(Absolute, true) }

// Complete is the number of units that every rater marked: those that the
// intraclass correlations rest on.
func (r *Ratings) Complete() int { return int(r.sums.anova.n) }

func (r *Ratings) meanSquares() (*anova, error) {
	switch a := &r.sums.anova; {
	case len(r.raters) < 2:
		return nil, errors.New("one rater only")
	case a.n == 0:
		return nil, errors.New("no unit is rated by all raters")
	case a.n == 1:
		return nil, errors.New("one unit only is rated by all raters")
	case a.constant:
		return nil, errOneCategory
	default:
		return a, nil
	}
}

func (a *anova) icc(form ICCForm, average bool) (float64, error) {
	noise, extra := a.error, 0.0
	switch form {
	case OneWay:
		noise = a.within
	case Absolute:
		extra = (a.raters - a.error) / a.n
	}
	below := a.units + extra
	if !average {
		below = a.units + (a.k-1)*noise + a.k*extra
	}
	if below <= 1e-12*(a.units+a.raters+a.error) {
		return 0, errors.New("no variance to share")
	}
	return (a.units - noise) / below, nil
}
