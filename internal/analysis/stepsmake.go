package analysis

import (
	"context"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Codes of warnings about steps.
const (
	// CodePartlyLabelled means that items are left out because they carry a label
	// under some of the conditions only.
	CodePartlyLabelled = "partly_labelled"
	// CodeStandIn means that a condition without a controller stands for one that
	// only watches.
	CodeStandIn = "stand_in"
)

// steps takes every controller apart, by model, then endpoint in the order of
// the options.
func (t *table) steps(ctx context.Context, opt Options) ([]Steps, error) {
	out := []Steps{}
	for m := range t.models.list {
		for _, b := range opt.Baselines {
			for e := range opt.Endpoints {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				s, err := t.takeApart(t.planOf(m, e, opt), b, opt)
				if err != nil {
					return nil, err
				}
				if s != nil {
					out = append(out, *s)
				}
			}
		}
	}
	return out, nil
}

func (t *table) planOf(model, endpoint int, opt Options) plan {
	return plan{model: int32(model), endpoint: endpoint, column: t.endpoints[endpoint], tiers: opt.Endpoints[endpoint].Tiers}
}

// takeApart makes the steps of one controller; nil where the data hold neither
// it nor what it is measured from.
func (t *table) takeApart(p plan, b Baselines, opt Options) (*Steps, error) {
	have := func(name string) string {
		if t.anyLabel(p, name) {
			return name
		}
		return ""
	}
	planned := b
	b = Baselines{have(b.Full), have(b.Monitor), have(b.Prompt), have(b.Output), have(b.Refuse), have(b.Draft), b.Cues}
	start := b.Monitor
	if start == "" {
		start = b.Draft
	}
	if b.Full == "" || start == "" {
		return nil, nil
	}
	missing := planned.missing(b)
	if b.Prompt == "" || b.Output == "" { // one score alone has no share of its own
		b.Prompt, b.Output = "", ""
	}
	need := slices.DeleteFunc([]string{b.Full, start, b.Prompt, b.Output, b.Refuse}, func(s string) bool { return s == "" })
	e := opt.Endpoints[p.endpoint]
	s := t.share(p, need)
	out := &Steps{
		Model: t.models.list[p.model], Controller: b.Full, Start: start, StandsIn: b.Monitor == "", Endpoint: e.Name, Scale: e.Scale,
		Grader: t.columns[p.column].grader, Tiers: e.Tiers, Better: e.Better, Conditions: need,
		Items: len(s.first), Asked: s.asked, Partly: s.partly, Tasks: s.tasks, Clusters: s.clusters,
		Parts: []Step{}, Missing: missing, Warnings: s.warnings(),
		Marks: t.markings(opt, about{[]string{t.models.list[p.model]}, need, []string{e.Name}}),
	}
	if out.StandsIn {
		out.Warnings = append(out.Warnings, uplift.Warning{Code: CodeStandIn,
			Text: "no condition lets this controller only watch: " + start + ", which has no controller, stands in for it"})
	}
	if b.Cues && !slices.ContainsFunc(opt.Ablations, func(a Ablation) bool { return a.Nouns && a.Parent == b.Full && t.anyLabel(p, a.Condition) }) {
		out.Missing = append(out.Missing, "how much of it the benchmark's invented nouns do (wants labels under a condition that ablates their cues alone)")
	}
	if out.Items == 0 {
		out.Missing = append(out.Missing, "everything: no item carries a label under all of the conditions")
		return out, nil
	}
	return out, t.fill(out, p, s, b, opt)
}

// fill makes the parts that the conditions allow.
func (t *table) fill(out *Steps, p plan, s shared, b Baselines, opt Options) error {
	add := func(name string, terms []Term) error {
		step, err := t.step(p, s, name, terms, opt)
		if err == nil {
			out.Parts = append(out.Parts, *step)
		}
		return err
	}
	// score is the mean of both orders: alone, and beside the other score.
	score := func(name, alone, other string) error {
		err := add(name, []Term{{b.Full, .5}, {alone, .5}, {other, -.5}, {out.Start, -.5}})
		if err == nil {
			last := &out.Parts[len(out.Parts)-1]
			last.First, last.Last = s.mean(less(alone, out.Start)), s.mean(less(b.Full, other))
		}
		return err
	}
	err := add(StepWhole, less(b.Full, out.Start))
	if err == nil && b.Prompt != "" {
		if err = score(StepPrompt, b.Prompt, b.Output); err == nil {
			err = score(StepOutput, b.Output, b.Prompt)
		}
	}
	if err == nil && b.Refuse != "" {
		if err = add(StepRefusal, less(b.Refuse, out.Start)); err == nil {
			err = add(StepRewrite, less(b.Full, b.Refuse))
		}
	}
	return err
}

// missing says what cannot be told of what is not there.
func (planned Baselines) missing(there Baselines) []string {
	out := []string{}
	lack := func(part, want string) { out = append(out, part+" (wants "+want+")") }
	var scores []string
	if there.Prompt == "" {
		scores = append(scores, planned.wants("scores: prompt", planned.Prompt))
	}
	if there.Output == "" {
		scores = append(scores, planned.wants("scores: output", planned.Output))
	}
	if len(scores) > 0 {
		lack("the parts of the prompt score and of the output score", strings.Join(scores, " and "))
	}
	if there.Refuse == "" {
		lack("the parts of refusing and of rewriting", planned.wants("actions: refuse", planned.Refuse))
	}
	return out
}

func (Baselines) wants(setting, name string) string {
	if name == "" {
		return "a condition with " + setting
	}
	return "labels under " + name
}

func (s shared) warnings() []uplift.Warning {
	c := Contrast{}
	if s.partly > 0 {
		c.warn(CodePartlyLabelled, "%d items carry a label under some of the conditions and not under all, and are left out: harmless when the labelled rows were drawn at random; labelling the rest would mend it, and mode: blocks draws items whole", s.partly)
	}
	return append([]uplift.Warning{}, c.Warnings...)
}

// ablations compares every condition that lacks parts with its parent.
func (t *table) ablations(ctx context.Context, opt Options) ([]Removed, error) {
	out := []Removed{}
	for m := range t.models.list {
		for _, a := range opt.Ablations {
			for e := range opt.Endpoints {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				r, err := t.remove(t.planOf(m, e, opt), a, opt)
				if err != nil {
					return nil, err
				}
				if r != nil {
					out = append(out, *r)
				}
			}
		}
	}
	return out, nil
}

// remove makes one ablation; nil where either side has no label.
func (t *table) remove(p plan, a Ablation, opt Options) (*Removed, error) {
	if !t.anyLabel(p, a.Condition) || !t.anyLabel(p, a.Parent) {
		return nil, nil
	}
	e, both := opt.Endpoints[p.endpoint], []string{a.Condition, a.Parent}
	s := t.share(p, both)
	out := &Removed{
		Model: t.models.list[p.model], Condition: a.Condition, Parent: a.Parent, Of: a.Of, Without: a.Without, Nouns: a.Nouns,
		Endpoint: e.Name, Scale: e.Scale, Grader: t.columns[p.column].grader, Tiers: e.Tiers, Better: e.Better,
		Items: len(s.first), Asked: s.asked, Partly: s.partly, Tasks: s.tasks, Clusters: s.clusters, Warnings: s.warnings(),
		Marks: t.markings(opt, about{[]string{t.models.list[p.model]}, both, []string{e.Name}}),
	}
	if out.Items == 0 {
		return out, nil
	}
	var err error
	out.Change, err = t.step(p, s, "removed", less(a.Condition, a.Parent), opt)
	return out, err
}
