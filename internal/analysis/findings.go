package analysis

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Findings is all that an analysis gives, from one reading of its source: its
// parts cannot contradict each other, whatever is written to the source
// meanwhile.
type Findings struct {
	Result *Result
	// Pairs are the matched pairs behind every contrast, in the order of the
	// contrasts and then by task, attack and replicate. The sequence reads from
	// memory, and may be read more than once.
	Pairs iter.Seq[Pair]
	// Agreement is nil when it was not asked for, or no rater's own mark is there.
	Agreement *Agreement
}

// Full analyses everything that src holds, and reads its responses and its
// labels once each, and its texts at most once (see [Texts]). A nil agree asks for no agreement; its error is one of
// [Agree], but for ErrNoMarks, which is none here.
//
// It is an error when the options are invalid, when the reference is unknown
// or absent for every model, when several judges and no person marked a scale and
// none is named, when rows contradict each other, and when no contrast has a
// single pair. A contrast without pairs among others with some is a result with
// a warning, and so is a model without the reference among others with it.
func Full(ctx context.Context, src Source, opt Options, agree *AgreeOptions) (*Findings, error) {
	t, m, opt, err := prepare(ctx, src, opt, agree)
	if err != nil {
		return nil, err
	}
	out := &Findings{Pairs: t.pairs(opt)}
	if out.Result, err = t.analyse(ctx, opt); err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	if m == nil {
		return out, nil
	}
	out.Agreement, err = m.agreement(ctx)
	if errors.Is(err, ErrNoMarks) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("agreement: %w", err)
	}
	out.Agreement.Simulated = out.Result.Simulated
	return out, nil
}

// Run is the result of [Full] alone.
func Run(ctx context.Context, src Source, opt Options) (*Result, error) {
	f, err := Full(ctx, src, opt, nil)
	if err != nil {
		return nil, err
	}
	return f.Result, nil
}

// Pairs gives the pairs of [Full] alone. All reading is done when it returns.
func Pairs(ctx context.Context, src Source, opt Options) (iter.Seq[Pair], error) {
	t, _, opt, err := prepare(ctx, src, opt, nil)
	if err != nil {
		return nil, err
	}
	return t.pairs(opt), nil
}

// prepare checks the options and reads the source once, for the table and, when
// agree is given, for the raters' marks.
func prepare(ctx context.Context, src Source, opt Options, agree *AgreeOptions) (*table, *marks, Options, error) {
	opt, err := opt.checked()
	if err != nil {
		return nil, nil, opt, fmt.Errorf("analyse: %w", err)
	}
	r := &reader{}
	feeds := []feed{{r, opt.wanted()}}
	var m *marks
	if agree != nil {
		if m, err = newMarks(*agree); err != nil {
			return nil, nil, opt, fmt.Errorf("agreement: %w", err)
		}
		feeds = append(feeds, feed{m.reader, m.keep})
	}
	if err = r.readResponses(ctx, src); err == nil {
		err = readLabels(ctx, src, feeds...)
	}
	var t *table
	if err == nil {
		t, err = newTable(r, opt)
	}
	if err == nil {
		err = t.findTwins(ctx, src, opt)
	}
	if err != nil {
		return nil, nil, opt, fmt.Errorf("analyse: %w", err)
	}
	return t, m, opt, nil
}

func (t *table) pairs(opt Options) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		for _, p := range t.plans(opt) {
			for _, m := range t.pairUp(p).pairs {
				if !yield(t.pair(p, m, opt)) {
					return
				}
			}
		}
	}
}

func (t *table) pair(p plan, m pair, opt Options) Pair {
	cell, e := t.cell(t.cells[m.condition].key), opt.Endpoints[p.endpoint]
	it := t.items.list[t.cells[m.condition].item()]
	return Pair{
		Model: cell.Model, Condition: cell.Condition, Reference: opt.Reference, Endpoint: e.Name, Scale: e.Scale,
		Tier: it.tier, Task: cell.Task, Family: it.family, Attack: cell.Attack, Replicate: cell.Replicate,
		ScoreCondition: m.scoreCondition, ScoreReference: m.scoreReference, Difference: m.difference(),
	}
}
