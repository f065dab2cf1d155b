package main

import (
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// takes is what a study takes of a file: anything where its conditions are
// imported, else labels of the cells of its plan that were asked.
type takes struct {
	study   *studyDir
	planned *plannedCells // nil where conditions are imported
}

// takes says what the study takes. One that is locked must be as it was locked,
// or nobody could say which plan a file is held to.
func (d *studyDir) takes() (*takes, error) {
	f, err := d.frozen()
	if err != nil {
		return nil, err
	}
	to := &takes{study: d}
	if d.plan.Plan().Conditions.Imported {
		return to, nil
	}
	p, err := d.planOf(lockedAnalysis(f.lock))
	if err != nil {
		return nil, err
	}
	if f.lock != nil {
		err = differs(d, study.Diff(f.lock.Fields, p.fields))
	}
	to.planned = newPlannedCells(d.plan.Plan(), p.asked.Items)
	return to, err
}

// given names a label that the study has.
type given struct {
	uplift.Cell
	scale, grader string
}

// derived are the labels of a planned study as they are now, those that follow
// from rated rows included. While rows can still be rated nothing follows.
func (t *takes) derived(ctx context.Context, db *store.Store) (map[given]float64, error) {
	if t.planned == nil {
		return nil, nil
	}
	by := map[given]float64{}
	for l, err := range db.Labels(ctx) {
		if errors.Is(err, store.ErrRatingOpen) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		by[given{l.Cell, l.Scale, l.Grader}] = l.Value
	}
	return by, nil
}

// sink is where the rows of a file go: straight into the batch, or past the
// plan. replaced counts values that followed from marks and are now stated.
func (t *takes) sink(b *store.Batch, derived map[given]float64, opt store.Options, replaced *int) interop.Sink {
	if t.planned == nil {
		return b
	}
	return &plannedSink{t.study.dir, b, t.planned, derived, opt.Supersede, replaced}
}

// plannedSink takes labels of what a planned study has asked.
type plannedSink struct {
	dir       string
	to        *store.Batch
	plan      *plannedCells
	derived   map[given]float64
	supersede bool
	replaced  *int
}

// Add implements [interop.Sink].
func (s *plannedSink) Add(r uplift.Response, labels ...uplift.Label) error {
	if bad := s.plan.problems(r); len(bad) > 0 {
		return &interop.Refusal{Problems: bad}
	}
	if !s.to.Holds(r.Cell) {
		return refused("", "has no response (uplift run %s asks it)", s.dir)
	}
	fresh, replaced, err := s.fresh(r.Cell, labels)
	if err != nil {
		return err
	}
	err = s.to.Add(r, fresh...)
	if c, ok := errors.AsType[*store.Conflict](err); ok && c.Fixed {
		return refused("", "%s", c.Conflict())
	}
	if err == nil {
		*s.replaced += replaced
	}
	return err
}

// fresh leaves out what the study says already by the marks of rated rows. What
// differs from such a mark is refused: the rating is kept as it was made.
func (s *plannedSink) fresh(c uplift.Cell, labels []uplift.Label) (out []uplift.Label, replaced int, err error) {
	for _, l := range labels {
		now, there := s.derived[given{c, l.Scale, l.Grader}]
		_, mark := l.Rater()
		switch {
		case !there, s.to.States(c, l.Scale, l.Grader):
			out = append(out, l)
		case now == l.Value:
		case mark:
			return nil, 0, refused("", "%s by %s: was marked here as %v, and %v is stated (a file changes no rating that was made here)", l.Scale, l.Grader, now, l.Value)
		case s.supersede:
			out = append(out, l)
			replaced++
		default:
			return nil, 0, &marksSay{l, now}
		}
	}
	return out, replaced, nil
}

// marksSay is a label that differs from what raters' marks say together. It is
// a conflict that an import may supersede.
type marksSay struct {
	uplift.Label
	now float64
}

// Conflict says what differs.
func (e *marksSay) Conflict() string {
	return fmt.Sprintf("%s by %s: %v follows from the marks that are held, and %v is stated", e.Scale, e.Grader, e.now, e.Value)
}

func (e *marksSay) Error() string { return e.Cell.String() + ": " + e.Conflict() }

// refused is the refusal of a row for one reason.
func refused(field, format string, args ...any) error {
	return &interop.Refusal{Problems: []interop.Problem{{Field: field, Text: fmt.Sprintf(format, args...)}}}
}
