package report

import (
	"slices"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// The marks of the fixtures.
var (
	noLock    = uplift.Warning{Code: analysis.MarkExploratory, Text: "a locked split was asked or analysed without a lock, so nothing shows that this was planned"}
	ownTestB  = uplift.Warning{Code: analysis.MarkPostHoc, Text: "test-b was not locked together with test"}
	isProbe   = uplift.Warning{Code: analysis.MarkPostHoc, Text: "adaptive probes are never part of the locked estimate"}
	isMadeOn  = uplift.Warning{Code: analysis.MarkDevelopment, Text: "rules and thresholds are made on train and dev"}
	changedOn = func(day int) time.Time { return time.Date(2026, 11, day, 9, 30, 0, 0, time.UTC) }
)

// amended is a locked study with two amendments, one of a condition and one of
// an endpoint, and something in every part; one part cannot be analysed.
func amended() Input {
	in := simulated()
	res := in.Result
	res.Study, res.Simulated, res.Part, res.Splits = "amended", false, analysis.PartHeadline, []string{"test"}
	in.Title = "A locked study, amended twice"
	prompt := analysis.Amendment{At: changedOn(3), Reason: "the vendor withdrew the model behind safety, and its prompt was made anew",
		Changed: []string{"conditions.safety.system", "replicates"},
		Changes: []analysis.Change{{Path: "conditions.safety.system", Old: "prompts/safety.md (SHA-256 0f343b0931126a20)", New: "prompts/safety-2.md (SHA-256 9b71d224bd62f378)"}, {Path: "replicates", Old: "1", New: "2"}},
		Touches: analysis.Touches{Conditions: []string{"safety"}}}
	budget := analysis.Amendment{At: changedOn(5), Reason: "risk counts a provider's block apart", Changed: []string{"provider_blocks"}, Touches: analysis.Touches{Endpoints: []string{"risk"}}}
	res.Standing = analysis.Standing{Lock: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", LockedAt: new(changedOn(1)), Amendments: []analysis.Amendment{prompt, budget}}
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		c.Truth = nil
		c.Marks = marksOf(prompt.Mark(), c.Condition == "safety", budget.Mark(), c.Endpoint == "risk")
		if len(c.Marks) == 0 {
			c.Warnings = []uplift.Warning{{Code: "mixed_family", Text: "adjusted together with 1 post hoc contrast of utility: its Holm and max-t p and its band rest on that too, its own p and interval do not"}}
		}
	}
	for i := range res.Conditions {
		c := &res.Conditions[i]
		c.Truth, c.Marks = nil, marksOf(prompt.Mark(), c.Condition == "safety", budget.Mark(), false)
		for e, m := range c.Endpoints {
			m.Marks = marksOf(prompt.Mark(), c.Condition == "safety", budget.Mark(), e == "risk")
			c.Endpoints[e] = m
		}
	}
	for i := range res.Frontier {
		o := &res.Frontier[i]
		o.Marks = marksOf(prompt.Mark(), o.Condition == "safety", budget.Mark(), true)
		if o.Condition != "safety" {
			o.RivalMarks = []uplift.Warning{{Code: analysis.MarkPostHoc, Text: "compared with safety: " + prompt.Mark().Text}}
		}
	}
	few := uplift.Warning{Code: "few_clusters", Text: "too few tasks: 6; an interval from so few tends to be too narrow"}
	b := partOf(res, analysis.PartTestB, []string{"test-b"}, 0.04, ownTestB, prompt.Mark())
	for i := range b.Contrasts {
		b.Contrasts[i].Warnings = []uplift.Warning{few}
	}
	unlabelled := partOf(res, analysis.PartAdaptive, []string{"test"}, 0, isProbe, prompt.Mark())
	unlabelled.Labels, unlabelled.Frontier, unlabelled.Grader = 0, nil, ""
	for i := range unlabelled.Contrasts {
		c := &unlabelled.Contrasts[i]
		*c = analysis.Contrast{Model: c.Model, Condition: c.Condition, Reference: c.Reference, Endpoint: c.Endpoint, Scale: c.Scale, Tiers: c.Tiers, Better: c.Better, Marks: c.Marks,
			Difference: uplift.Estimate{Level: 0.95, Method: "cr2"}, Warnings: []uplift.Warning{{Code: "no_pairs", Text: "no estimate: of 30 matched pairs of responses none carries a label on both sides"}}}
	}
	res.Apart = []analysis.Apart{
		{Name: analysis.PartTestB, Marks: []uplift.Warning{ownTestB}, Result: b},
		{Name: analysis.PartAdaptive, Marks: []uplift.Warning{isProbe}, Result: unlabelled},
		{Name: analysis.PartDevelopment, Marks: []uplift.Warning{isMadeOn}, Withheld: "scale correctness: no label by people, but by gpt, strmatch (want one of them named as the grader)"},
	}
	return in
}

// marksOf gives those marks of two that hold.
func marksOf(a uplift.Warning, isA bool, b uplift.Warning, isB bool) []uplift.Warning {
	out := []uplift.Warning{}
	if isA {
		out = append(out, a)
	}
	if isB {
		out = append(out, b)
	}
	return out
}

// partOf is a part whose numbers are the headline's, moved, and carry a mark; those
// of safety carry another one too.
func partOf(res *analysis.Result, part string, splits []string, move float64, own, prompt uplift.Warning) *analysis.Result {
	p := *res
	p.Part, p.Splits, p.Marks, p.Apart, p.Warnings = part, splits, []uplift.Warning{own}, nil, nil
	p.Responses, p.Labels = 108, 324
	p.Contrasts, p.Conditions, p.Frontier = slices.Clone(res.Contrasts), slices.Clone(res.Conditions), slices.Clone(res.Frontier)
	marks := func(condition string) []uplift.Warning { return marksOf(own, true, prompt, condition == "safety") }
	for i := range p.Contrasts {
		c := &p.Contrasts[i]
		to, d := *c.MeanCondition+move, *c.Difference.Value+move
		c.MeanCondition, c.Difference.Value = &to, &d
		c.Difference.Lo, c.Difference.Hi = new(d-0.1), new(d+0.1)
		c.Marks, c.Warnings = marks(c.Condition), nil
	}
	for i := range p.Conditions {
		p.Conditions[i].Marks = marks(p.Conditions[i].Condition)
		p.Conditions[i].Endpoints = map[string]analysis.Mean{}
		for e, m := range res.Conditions[i].Endpoints {
			m.Marks = p.Conditions[i].Marks
			p.Conditions[i].Endpoints[e] = m
		}
	}
	for i := range p.Frontier {
		p.Frontier[i].Marks, p.Frontier[i].RivalMarks = marks(p.Frontier[i].Condition), nil
	}
	return &p
}

// exploratory is the simulated study asked without a lock: every number is marked.
func exploratory() Input {
	in := simulated()
	res := in.Result
	every := []uplift.Warning{noLock}
	res.Standing, res.Splits, res.Marks = analysis.Standing{Exploratory: true}, []string{"test"}, every
	for i := range res.Contrasts {
		res.Contrasts[i].Marks = every
	}
	for i := range res.Conditions {
		res.Conditions[i].Marks = every
		for e, m := range res.Conditions[i].Endpoints {
			m.Marks = every
			res.Conditions[i].Endpoints[e] = m
		}
	}
	for i := range res.Frontier {
		res.Frontier[i].Marks = every
	}
	a := agreement()
	a.Simulated, a.Marks = true, every
	in.Agreement, in.Title = a, "Demo study, asked without a lock"
	return in
}

// hostileStanding puts hostile text into everything that a lock, an amendment and
// a part bring.
func hostileStanding(res *analysis.Result, h func() string) {
	change := analysis.Amendment{At: changedOn(3), Reason: h(), Changed: []string{h(), h(), strings.Repeat(h(), 3)},
		Touches: analysis.Touches{Models: []string{h()}, Conditions: []string{h(), h()}, Endpoints: []string{h()}}}
	marks := []uplift.Warning{change.Mark(), {Code: h(), Text: h()}}
	part := *res
	part.Splits, part.Part = []string{h()}, h()
	res.Standing = analysis.Standing{Lock: h(), LockedAt: new(changedOn(1)), Amendments: []analysis.Amendment{change, {At: changedOn(4), Reason: h()}}}
	res.Splits, res.Marks = []string{h(), h()}, []uplift.Warning{{Code: h(), Text: h()}}
	for i := range res.Contrasts {
		res.Contrasts[i].Marks = marks
	}
	for i := range res.Conditions {
		res.Conditions[i].Marks = marks
	}
	for i := range res.Frontier {
		res.Frontier[i].Marks, res.Frontier[i].RivalMarks = marks, marks
	}
	part.Contrasts = slices.Clone(res.Contrasts)
	res.Apart = []analysis.Apart{{Name: h(), Marks: marks, Result: &part}, {Name: h(), Marks: marks, Withheld: h()}}
}
