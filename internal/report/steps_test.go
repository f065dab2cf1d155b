package report

import (
	"bytes"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// takenApart is the simulated study with its controller taken apart: all parts of
// utility, and of risk those that need no score.
func takenApart() Input {
	in := simulated()
	part := func(name string, v, half, truth, first, last float64) analysis.Step {
		s := analysis.Step{Name: name, Change: uplift.Estimate{Value: p(v), Lo: p(v - half), Hi: p(v + half), Level: 0.95, Method: "cr2"},
			P: p(0.01), PSignFlip: p(0.012), Truth: p(truth)}
		if first != 0 {
			s.First, s.Last = p(first), p(last)
		}
		return s
	}
	steps := func(endpoint, scale string, parts ...analysis.Step) analysis.Steps {
		return analysis.Steps{Model: "sim", Controller: "safeguarded", Start: "monitor-only", Endpoint: endpoint, Scale: scale, Grader: "human",
			Items: 34, Asked: 36, Tasks: 12, Clusters: 12, Parts: parts}
	}
	bare := part(analysis.StepRewrite, -0.2, 0, -0.19, 0, 0)
	bare.Change.Lo, bare.Change.Hi = nil, nil
	bare.Warnings = []uplift.Warning{{Code: "no_interval", Text: "only 4 tasks: no interval; more tasks would mend it"}}
	risk := steps("risk", "actionability", part(analysis.StepWhole, -0.434, 0.1, -0.41, 0, 0), part(analysis.StepRefusal, -0.234, 0.08, -0.22, 0, 0), bare)
	risk.Missing = []string{"the parts of the prompt score and of the output score (wants labels under output-only)"}
	in.Result.Steps = []analysis.Steps{
		steps("utility", "correctness", part(analysis.StepWhole, -0.021, 0.02, -0.028, 0, 0), part(analysis.StepPrompt, -0.031, 0.02, -0.03, -0.04, -0.022),
			part(analysis.StepOutput, 0.01, 0.015, 0.002, 0.001, 0.019), part(analysis.StepRefusal, -0.001, 0.002, 0, 0, 0), part(analysis.StepRewrite, -0.02, 0.02, -0.028, 0, 0)),
		risk,
	}
	removed := func(condition, parent string, of analysis.Ablated, nouns bool, change analysis.Step, without ...string) analysis.Removed {
		return analysis.Removed{Model: "sim", Condition: condition, Parent: parent, Of: of, Without: without, Nouns: nouns, Endpoint: "risk", Scale: "actionability",
			Items: 36, Asked: 36, Tasks: 12, Clusters: 12, Change: &change}
	}
	in.Result.Ablations = []analysis.Removed{
		removed("noun-ablated", "safeguarded", analysis.AblatedCues, true, part("removed", 0.09, 0.04, 0.093, 0, 0), "restricted_workflow"),
		removed("no-style", "safety", analysis.AblatedPrompt, false, part("removed", 0.01, 0.02, 0, 0, 0), "Be right and clear"),
	}
	nouns := plain("sim", "noun-ablated", "helpful", "risk", 0.663, 0.319, 0.12, 12, 0.002)
	in.Result.Contrasts = append(in.Result.Contrasts, nouns)
	return in
}

func TestGoldenSteps(t *testing.T) {
	var page bytes.Buffer
	if err := HTML(&page, takenApart()); err != nil {
		t.Fatal(err)
	}
	golden(t, "steps.html", page.Bytes())
	for file, width := range map[string]int{"steps.txt": 100, "steps-60.txt": 60} {
		var got bytes.Buffer
		if err := Text(&got, takenApart().Result, width); err != nil {
			t.Fatal(err)
		}
		golden(t, file, got.Bytes())
	}
}

// The number without the nouns' cues stands beside the headline of its own
// controller, endpoint and model, and nowhere else.
func TestNounAblatedBesideTheHeadline(t *testing.T) {
	res := takenApart().Result
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		got := strings.Join(whole(res, c), "; ")
		const want = "without the nouns' cues (noun-ablated) −0.344 [−0.464,\u00a0−0.224], pairs 36"
		if is := c.Condition == "safeguarded" && c.Endpoint == "risk"; strings.Contains(got, want) != is || strings.Contains(got, "nouns") != is {
			t.Errorf("%s, %s: got %q, want the nouns: %v", c.Condition, c.Endpoint, got, is)
		}
	}
	res.Ablations[0].Model = "another"
	for i := range res.Contrasts {
		if nounAblated(res, &res.Contrasts[i]) != nil {
			t.Errorf("%s: the ablation of another model stands beside it", res.Contrasts[i].Condition)
		}
	}
}

// Nothing is taken apart in most studies: their pages and tables say nothing of it.
func TestNoStepsNoSection(t *testing.T) {
	var page, text bytes.Buffer
	if err := HTML(&page, simulated()); err != nil {
		t.Fatal(err)
	}
	if err := Text(&text, simulated().Result, 100); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), `id="steps"`) || strings.Contains(text.String(), "WHERE THE CHANGE") {
		t.Error("there are steps in a study without any")
	}
}
