package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/study"
)

// stepsOf are the roles in a study whose conditions are given.
func stepsOf(t *testing.T, conditions string) ([]analysis.Baselines, []analysis.Ablation) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "s")
	if _, err := initStudy(dir, "paper"); err != nil {
		t.Fatal(err)
	}
	if conditions != "" {
		path := filepath.Join(dir, study.File)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, after, _ := strings.Cut(string(b), "conditions:\n")
		_, after, _ = strings.Cut(after, "reference: helpful")
		if err := os.WriteFile(path, []byte(before+"conditions:\n"+conditions+"reference: helpful"+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := s.plan.Plan().Conditions.List
	return baselines(list), ablations(list)
}

func TestRolesOfThePaperTemplate(t *testing.T) {
	got, removed := stepsOf(t, "")
	want := []analysis.Baselines{{Full: "safeguarded", Monitor: "monitor-only", Prompt: "prompt-only", Output: "output-only", Refuse: "refuse-only", Draft: "helpful", Cues: true}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("baselines (-got +want):\n%s", diff)
	}
	cues := []analysis.Ablation{{Condition: "cue-ablated", Parent: "safeguarded", Of: analysis.AblatedCues, Without: []string{"step_by_step"}}}
	if diff := cmp.Diff(removed, cues); diff != "" {
		t.Errorf("ablations (-got +want):\n%s", diff)
	}
}

// Names mean nothing; what differs in anything but scores, actions and ablate is
// another controller.
func TestRolesFollowFromWhatConditionsAre(t *testing.T) {
	const helpful = "  - {name: helpful, system: {file: prompts/helpful.md}}\n  - {name: safety, system: {file: prompts/safety.md}}\n"
	cases := []struct {
		name, conditions string
		want             []analysis.Baselines
		removed          []analysis.Ablation
	}{
		{"names of other roles", helpful + `
  - {name: monitor-only, draft: helpful, controller: {policy: default}}
  - {name: safeguarded, draft: helpful, controller: {policy: default, actions: none}}
`, []analysis.Baselines{{Full: "monitor-only", Monitor: "safeguarded", Draft: "helpful", Cues: true}}, nil},
		{"nothing taken away", helpful + "  - {name: x, draft: helpful, controller: {policy: default}}\n", nil, nil},
		{"no whole controller", helpful + "  - {name: x, draft: helpful, controller: {policy: default, scores: prompt}}\n", nil, nil},
		{"other cuts, another draft", helpful + `
  - {name: x, draft: helpful, controller: {policy: default}}
  - {name: y, draft: helpful, controller: {policy: default, scores: prompt, cuts: {warn: 0.1, redact: 0.2, refuse: 0.3}}}
  - {name: z, draft: safety, controller: {policy: default, scores: output}}
`, nil, nil},
		{"cuts spelled out, and left to the policy", helpful + `
  - {name: x, draft: helpful, controller: {policy: default, cuts: {warn: 0.25, redact: 0.45, refuse: 0.70}}}
  - {name: xp, draft: helpful, controller: {policy: default, scores: prompt}}
  - {name: nouns, draft: helpful, controller: {policy: default, ablate: [restricted_workflow]}}
`, []analysis.Baselines{{Full: "x", Prompt: "xp", Draft: "helpful", Cues: true}},
			[]analysis.Ablation{{Condition: "nouns", Parent: "x", Of: analysis.AblatedCues, Without: []string{"restricted_workflow"}, Nouns: true}}},
		{"two controllers", helpful + `
  - {name: x, draft: helpful, controller: {policy: default}}
  - {name: xr, draft: helpful, controller: {policy: default, actions: refuse}}
  - {name: y, draft: safety, controller: {policy: default}}
  - {name: yp, draft: safety, controller: {policy: default, scores: prompt}}
`, []analysis.Baselines{{Full: "x", Refuse: "xr", Draft: "helpful", Cues: true}, {Full: "y", Prompt: "yp", Draft: "safety", Cues: true}}, nil},
		{"a rewriter, which nothing that rewrites nothing has", helpful + `
  - {name: x, draft: helpful, controller: {policy: default, rewriter: {model: claude}}}
  - {name: watch, draft: helpful, controller: {policy: default, actions: none}}
  - {name: rules, draft: helpful, controller: {policy: default, scores: prompt}}
  - {name: model, draft: helpful, controller: {policy: default, scores: prompt, rewriter: {model: claude}}}
`, []analysis.Baselines{{Full: "x", Monitor: "watch", Prompt: "model", Draft: "helpful", Cues: true}}, nil},
		{"drafts of their own", helpful + `
  - {name: x, system: {file: prompts/helpful.md}, controller: {policy: default}}
  - {name: watch, system: {file: prompts/helpful.md}, controller: {policy: default, actions: none}}
  - {name: other, system: {file: prompts/safety.md}, controller: {policy: default, actions: refuse}}
`, []analysis.Baselines{{Full: "x", Monitor: "watch", Draft: "helpful", Cues: true}}, nil},
		{"ablations", helpful + `
  - {name: x, draft: helpful, controller: {policy: default}}
  - {name: bare, draft: helpful, controller: {policy: default, ablate: [step_by_step, restricted_workflow]}}
  - {name: nouns, draft: helpful, controller: {policy: default, ablate: [restricted_workflow]}}
  - {name: orphan, draft: safety, controller: {policy: default, ablate: [step_by_step]}}
  - {name: no-goals, system: {file: prompts/helpful.md, without: [PART]}}
  - {name: guarded, system: {file: prompts/helpful.md, without: [PART]}, controller: {policy: default}}
`, nil, []analysis.Ablation{
			{Condition: "bare", Parent: "x", Of: analysis.AblatedCues, Without: []string{"restricted_workflow", "step_by_step"}},
			{Condition: "nouns", Parent: "x", Of: analysis.AblatedCues, Without: []string{"restricted_workflow"}, Nouns: true},
			{Condition: "no-goals", Parent: "helpful", Of: analysis.AblatedPrompt, Without: []string{"PART"}},
		}},
	}
	part := firstPart(t, "prompts/helpful.md")
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, removed := stepsOf(t, strings.ReplaceAll(c.conditions, "PART", part))
			if diff := cmp.Diff(got, c.want); diff != "" {
				t.Errorf("baselines (-got +want):\n%s", diff)
			}
			for i := range c.removed {
				for j := range c.removed[i].Without {
					c.removed[i].Without[j] = strings.Replace(c.removed[i].Without[j], "PART", part, 1)
				}
			}
			if diff := cmp.Diff(removed, c.removed); diff != "" {
				t.Errorf("ablations (-got +want):\n%s", diff)
			}
		})
	}
}

// firstPart is the first heading of the second level of a template's prompt.
func firstPart(t *testing.T, file string) string {
	t.Helper()
	files, err := study.Template("paper")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(files[file]), "\n## ")
	part, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(part)
}

// The class whose cues the benchmark's nouns are is one of the policy's.
func TestNounsAreAClass(t *testing.T) {
	all, err := classes(study.Policy{Name: "default"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c == nouns {
			return
		}
	}
	t.Errorf("%s is no class of the default policy: %v", nouns, all)
}
