package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// analyse makes the result of every part. Without a pair in the headline it is
// an error, unless a part apart has one.
func (p *prepared) analyse(ctx context.Context) (*Result, error) {
	tables, plans := p.tables(), 0
	for _, t := range tables {
		plans += len(t.plans(p.opt))
	}
	done := 0
	step := func(n int) {
		if done += n; p.opt.Progress != nil {
			p.opt.Progress(done, plans)
		}
	}
	step(0)
	headline := tables[0]
	out, err := headline.analyse(ctx, p.opt, step)
	if err != nil {
		return nil, err
	}
	if len(out.Contrasts) == 0 {
		return nil, headline.nothing(0)
	}
	pairs := out.pairs()
	for _, a := range p.parts[1:] {
		next := Apart{Name: a.name, Marks: a.apart, Withheld: a.withheld}
		if a.table != nil {
			if next.Result, err = a.table.analyse(ctx, p.opt, step); err != nil {
				return nil, fmt.Errorf("%s: %w", a.name, err)
			}
			pairs += next.Result.pairs()
		}
		out.Apart = append(out.Apart, next)
	}
	if pairs == 0 {
		return nil, headline.nothing(len(out.Contrasts))
	}
	if out.pairs() == 0 {
		out.Warnings = append(out.Warnings, uplift.Warning{Code: CodeNoHeadline,
			Text: fmt.Sprintf("the headline has no number yet, only what stands apart has: %v", headline.nothing(len(out.Contrasts)))})
	}
	return out, nil
}

func (r *Result) pairs() int {
	n := 0
	for _, c := range r.Contrasts {
		n += c.Pairs
	}
	return n
}

// analyse makes everything that the table can say. It tells step of every
// contrast that is made.
func (t *table) analyse(ctx context.Context, opt Options, step func(int)) (*Result, error) {
	out := t.result(opt)
	var err error
	if out.Contrasts, err = t.contrasts(ctx, opt, step); err != nil {
		return nil, err
	}
	described, err := t.describeAll(opt)
	if err != nil {
		return nil, err
	}
	for _, d := range described {
		out.Conditions = append(out.Conditions, d.Condition)
	}
	if out.Frontier, err = t.frontier(ctx, described, opt); err != nil {
		return nil, err
	}
	if out.Steps, err = t.steps(ctx, opt); err != nil {
		return nil, err
	}
	out.Ablations, err = t.ablations(ctx, opt)
	return out, err
}

func (t *table) result(opt Options) *Result {
	return &Result{
		Study: opt.Study, Digest: opt.Digest, Simulated: opt.Simulated || t.simulated, BroughtIn: opt.BroughtIn,
		Standing: opt.Standing, Part: t.name, Splits: t.splits, Marks: t.markings(opt, about{}),
		Cluster: opt.Cluster, Level: opt.Level, Grader: t.graderName(opt), Seed: opt.Seed, Replicates: opt.Replicates,
		Reference: opt.Reference, Blocks: opt.Blocks, Refusal: RefusalDefinition, Responses: len(t.cells), Labels: t.labels,
		Conditions: []Condition{}, Warnings: t.warnings(opt), Apart: []Apart{},
	}
}

// contrasts makes every contrast of the table.
func (t *table) contrasts(ctx context.Context, opt Options, step func(int)) ([]Contrast, error) {
	var all []contrasted
	for _, p := range t.plans(opt) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := t.contrast(p, opt)
		if err != nil {
			return nil, err
		}
		step(1)
		all = append(all, c)
	}
	if err := adjust(ctx, all, opt); err != nil {
		return nil, err
	}
	out := make([]Contrast, len(all))
	for i, c := range all {
		out[i] = c.Contrast
	}
	return out, nil
}

// nothing says why there is no pair at all.
func (t *table) nothing(contrasts int) error {
	if contrasts == 0 {
		return fmt.Errorf("there is no condition beside the reference (%s)", t.describeConditions())
	}
	if other := t.otherScales(); t.labels == 0 && other != "" {
		return fmt.Errorf("%w: the endpoints are made of %s, and the labels stand on %s", ErrOtherScales, strings.Join(t.endpointScales(), ", "), other)
	}
	hint := ""
	if t.raterMarks > 0 && t.human == 0 {
		hint = fmt.Sprintf("; %d marks of single raters do not count before they are adjudicated", t.raterMarks)
	}
	return fmt.Errorf("no pair: no item of the endpoints' tiers carries a label under a condition and its reference (%d responses, %d labels, %s)%s",
		len(t.cells), t.labels, t.describeConditions(), hint)
}

// ErrOtherScales means that no label stands on a scale of the endpoints, though
// there are labels.
var ErrOtherScales = errors.New("no label on a scale of the endpoints")

func (t *table) endpointScales() []string {
	var names []string
	for _, c := range t.endpoints {
		names = append(names, t.columns[c].scale)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// otherScales lists the labelled scales that are in no endpoint, with counts.
func (t *table) otherScales() string {
	var parts []string
	for _, s := range slices.Sorted(maps.Keys(t.labelled)) {
		if !slices.Contains(t.endpointScales(), s) {
			parts = append(parts, fmt.Sprintf("%s (%d)", s, t.labelled[s]))
		}
	}
	return strings.Join(parts, ", ")
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
	if t.onErrors > 0 {
		warn(CodeErrorLabels, "%d labels stand on responses that ended in an error and are not used: an error is never a score", t.onErrors)
	}
	for _, model := range t.alone {
		warn(CodeNoReference, "model %s has no condition %q and is in no contrast (it has %s)",
			model, opt.Reference, strings.Join(t.conditionsOf(int(t.models.find(model))), ", "))
	}
	if t.raterMarks > 0 && t.human == 0 {
		warn(CodeRaterMarks, "%d marks of single raters are not used: only their adjudicated value is, which needs the rating closed", t.raterMarks)
	}
	if t.name != PartHeadline { // a caller's notes are of the whole
		return out
	}
	return append(out, opt.Notes...)
}
