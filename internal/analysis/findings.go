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
	p, err := prepare(ctx, src, opt, agree)
	if err != nil {
		return nil, err
	}
	out := &Findings{Pairs: p.pairs()}
	if out.Result, err = p.analyse(ctx); err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	if p.marks == nil {
		return out, nil
	}
	out.Agreement, err = p.marks.agreement(ctx)
	if errors.Is(err, ErrNoMarks) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("agreement: %w", err)
	}
	out.Agreement.Simulated, out.Agreement.BroughtIn = out.Result.Simulated, out.Result.BroughtIn
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
	p, err := prepare(ctx, src, opt, nil)
	if err != nil {
		return nil, err
	}
	return p.pairs(), nil
}

// prepared is all that was read and checked.
type prepared struct {
	opt   Options
	parts []laidPart // the headline first
	marks *marks     // nil: not asked for
}

// laidPart is a part with its table.
type laidPart struct {
	part
	table    *table // nil: it cannot be analysed
	withheld string // why not
}

// tables are those of the parts that have one, the headline's first.
func (p *prepared) tables() []*table {
	var out []*table
	for _, a := range p.parts {
		if a.table != nil {
			out = append(out, a.table)
		}
	}
	return out
}

func (p *prepared) pairs() iter.Seq[Pair] { return p.parts[0].table.pairs(p.opt) }

// prepare checks the options and reads the source once, for the tables and, when
// agree is given, for the raters' marks.
func prepare(ctx context.Context, src Source, opt Options, agree *AgreeOptions) (*prepared, error) {
	opt, err := opt.checked()
	if err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	r := &reader{sorter: opt.sorter()}
	feeds := []feed{{r, opt.wanted()}}
	out := &prepared{opt: opt}
	if agree != nil {
		of := *agree
		of.Standing = opt.Standing
		if out.marks, err = newMarks(of); err != nil {
			return nil, fmt.Errorf("agreement: %w", err)
		}
		feeds = append(feeds, feed{out.marks.reader, out.marks.keep})
	}
	if err = r.readResponses(ctx, src); err == nil {
		err = readLabels(ctx, src, feeds...)
	}
	if err == nil {
		out.parts, err = layParts(r.divide(), opt)
	}
	if err == nil {
		err = findTwins(ctx, src, out.tables(), opt)
	}
	if err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	return out, nil
}

// layParts lays every part out. What cannot be laid out is an error of the
// headline alone, which no part apart may hold back.
func layParts(parts []part, opt Options) ([]laidPart, error) {
	out := make([]laidPart, len(parts))
	for i, p := range parts {
		t, err := newTable(p, opt)
		switch {
		case err == nil:
			out[i] = laidPart{part: p, table: t}
		case i == 0:
			return nil, err
		default:
			out[i] = laidPart{part: p, withheld: err.Error()}
		}
	}
	return out, nil
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
