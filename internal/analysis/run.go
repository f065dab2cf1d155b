package analysis

import (
	"context"
	"fmt"
	"iter"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Run analyses everything that src holds.
//
// It is an error when the options are invalid, when the reference is unknown
// or absent for every model, when several judges and no person marked a scale and
// none is named, when rows contradict each other, and when no contrast has a
// single pair. A contrast without pairs among others with some is a result with
// a warning, and so is a model without the reference among others with it.
func Run(ctx context.Context, src Source, opt Options) (*Result, error) {
	t, opt, err := prepare(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	out := t.result(opt)
	if out.Contrasts, err = t.contrasts(ctx, opt); err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	described, err := t.describeAll(opt)
	if err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	for _, d := range described {
		out.Conditions = append(out.Conditions, d.Condition)
	}
	if out.Frontier, err = t.frontier(ctx, described, opt); err != nil {
		return nil, fmt.Errorf("analyse: %w", err)
	}
	return out, nil
}

// prepare checks the options and reads the source.
func prepare(ctx context.Context, src Source, opt Options) (*table, Options, error) {
	opt, err := opt.checked()
	if err != nil {
		return nil, opt, fmt.Errorf("analyse: %w", err)
	}
	t, err := load(ctx, src, opt)
	if err != nil {
		return nil, opt, fmt.Errorf("analyse: %w", err)
	}
	return t, opt, nil
}

func (t *table) result(opt Options) *Result {
	return &Result{
		Study: opt.Study, Digest: opt.Digest, Simulated: opt.Simulated || t.simulated,
		Cluster: opt.Cluster, Level: opt.Level, Grader: t.graderName(opt), Seed: opt.Seed, Replicates: opt.Replicates,
		Reference: opt.Reference, Refusal: RefusalDefinition, Responses: len(t.cells), Labels: t.labels,
		Conditions: []Condition{}, Warnings: t.warnings(opt),
	}
}

// contrasts makes every contrast, and wants a pair in at least one.
func (t *table) contrasts(ctx context.Context, opt Options) ([]Contrast, error) {
	out, pairs := []Contrast{}, 0
	for _, p := range t.plans(opt) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := t.contrast(p, opt)
		if err != nil {
			return nil, err
		}
		pairs += c.Pairs
		out = append(out, c)
	}
	if pairs == 0 {
		return nil, t.nothing(len(out))
	}
	return out, nil
}

// nothing says why there is no pair at all.
func (t *table) nothing(contrasts int) error {
	if contrasts == 0 {
		return fmt.Errorf("there is no condition beside the reference (%s)", t.describeConditions())
	}
	hint := ""
	if t.raterMarks > 0 {
		hint = fmt.Sprintf("; %d marks of single raters do not count before they are adjudicated", t.raterMarks)
	}
	return fmt.Errorf("no pair: no item of the endpoints' tiers carries a label under a condition and its reference (%d responses, %d labels, %s)%s",
		len(t.cells), t.labels, t.describeConditions(), hint)
}

// warnings are about the data as a whole.
func (t *table) warnings(opt Options) []uplift.Warning {
	out := []uplift.Warning{}
	warn := func(code, format string, args ...any) {
		out = append(out, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	untiered, labelled := 0, 0
	for i := range t.cells {
		if t.tier(i).Known() {
			continue
		}
		untiered++
		for _, column := range t.endpoints {
			if _, ok := t.value(i, column); ok {
				labelled++
				break
			}
		}
	}
	if untiered > 0 {
		warn(CodeUntiered, "%d responses have no tier (%d of them labelled) and enter no endpoint; give their tasks a tier", untiered, labelled)
	}
	for _, model := range t.apart {
		warn(CodeNoReference, "model %s has no condition %q and is in no contrast (it has %s)",
			model, opt.Reference, strings.Join(t.conditionsOf(int(t.models.find(model))), ", "))
	}
	if t.raterMarks > 0 && t.graders.find(uplift.Human) < 0 {
		warn(CodeRaterMarks, "%d marks of single raters are not used: only their adjudicated value is, which needs the rating closed", t.raterMarks)
	}
	return append(out, opt.Notes...)
}

// Pairs gives the matched pairs behind every contrast of [Run], in the order
// of the contrasts and then by task, attack and replicate. All reading is done
// when it returns; the sequence may be read more than once.
func Pairs(ctx context.Context, src Source, opt Options) (iter.Seq[Pair], error) {
	t, opt, err := prepare(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	return func(yield func(Pair) bool) {
		for _, p := range t.plans(opt) {
			for _, m := range t.pairUp(p).pairs {
				if !yield(t.pair(p, m, opt)) {
					return
				}
			}
		}
	}, nil
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
