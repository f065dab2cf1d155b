package replay

import (
	"context"
	"errors"
	"iter"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/run"
)

// Source is what a study has kept.
type Source interface {
	Texts(ctx context.Context) iter.Seq2[uplift.Response, error]
	Call(ctx context.Context, digest string) (uplift.Call, bool, error)
	AttemptsOf(ctx context.Context, digest string) ([]uplift.Attempt, error)
	Raw(ctx context.Context, hash string) ([]byte, bool, error)
}

// Options of a replay.
type Options struct {
	Drawn    map[string]bool // models that are drawn from again: they need no network
	Outside  map[string]bool // conditions whose controller is another program
	Most     int             // differences that are listed
	Progress func(cells int)
}

// Replay compares everything that is stored with what follows from its bytes.
// Models that are not drawn from must reach the network through [Transport].
func Replay(ctx context.Context, spec run.Spec, from Source, opt Options) (Report, error) {
	report := Report{Differences: []Difference{}}
	cells := index(spec)
	calls := &calls{from: from, drawn: opt.Drawn, most: opt.Most, report: &report, known: map[string]*reading{}}
	why := map[string]int{}
	for stored, err := range from.Texts(ctx) {
		if err != nil {
			return report, err
		}
		gap, differs, err := calls.cell(ctx, cells, stored, spec.Simulated, opt)
		if err != nil {
			return report, err
		}
		report.Cells++
		switch {
		case differs:
			report.Differing++
		case gap != "":
			report.Gaps++
			why[gap]++
		default:
			report.Reproduced++
		}
		if opt.Progress != nil {
			opt.Progress(report.Cells)
		}
	}
	report.Why = reasons(why)
	return report, ctx.Err()
}

// cell replays one stored response. A difference says more than a gap: it is
// told also where a part of the bytes is not there.
func (c *calls) cell(ctx context.Context, cells planned, stored uplift.Response, simulated bool, opt Options) (gap string, differs bool, err error) {
	work, ok := cells.find(stored.Cell)
	switch {
	case stored.Call == "" && stored.Outcome != uplift.NullAnchor:
		return isImported, false, nil
	case !ok:
		return noCell, false, nil
	case opt.Outside[stored.Condition]:
		return isOutside, false, nil
	}
	var needed []*reading
	got, err := work.Again(ctx, c.via(stored.Model, &needed), simulated)
	for _, r := range needed {
		differs = differs || r.differs
		if gap == "" {
			gap = r.gap
		}
	}
	if m, ok := errors.AsType[*missing](err); ok {
		return m.why, differs, nil
	}
	if err != nil {
		return "", false, err
	}
	if stored.Withheld != "" {
		return isWithheld, differs, nil
	}
	list := between(stored.Cell.String(), responseParts(stored), responseParts(got))
	c.report.differ(c.most, list)
	return gap, differs || len(list) > 0, nil
}

// planned finds the work of a cell.
type planned struct {
	conditions map[[2]string]*access.Condition
	items      map[[2]string]uplift.Item
	replicates int
}

func index(spec run.Spec) planned {
	p := planned{map[[2]string]*access.Condition{}, map[[2]string]uplift.Item{}, max(spec.Replicates, 1)}
	for i := range spec.Conditions {
		c := &spec.Conditions[i]
		p.conditions[[2]string{c.ModelName, c.Name}] = c
	}
	for _, item := range spec.Items {
		p.items[[2]string{item.Task, item.Attack}] = item
	}
	return p
}

func (p planned) find(c uplift.Cell) (run.Work, bool) {
	condition := p.conditions[[2]string{c.Model, c.Condition}]
	item, ok := p.items[[2]string{c.Task, c.Attack}]
	return run.Work{Cell: c, Item: item, Condition: condition}, ok && condition != nil && c.Replicate < p.replicates
}
