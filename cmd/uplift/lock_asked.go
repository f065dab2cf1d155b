package main

import (
	"cmp"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/study"
)

// planned is a study with all that a lock of it holds.
type planned struct {
	wired  wired
	asked  study.Asked
	locked []string // splits that want a lock
	fields []study.Field
}

// planOf finds what stands behind a study's names. It asks nobody, so that also
// a study can be locked whose models cannot be asked from here. Of how, cluster and level
// are a study's own choice; the rest is what the program does.
func (d *studyDir) planOf(how study.Analysis) (*planned, error) {
	plan := d.plan.Plan()
	p := &planned{asked: study.Asked{Analysis: study.Analysis{Cluster: cmp.Or(how.Cluster, string(analysis.ByTask)), Level: cmp.Or(how.Level, analysis.DefaultLevel),
		Interval: analysis.HeadlineInterval, Test: analysis.HeadlineTest, Adjust: analysis.FamilyAdjust, Resamples: analysis.DefaultReplicates}}}
	if !plan.Conditions.Imported {
		if err := p.asks(d, plan); err != nil {
			return nil, err
		}
	}
	var err error
	p.fields, err = d.plan.Fields(p.asked)
	return p, err
}

// asks adds the tasks, what is made of them, and what answers.
func (p *planned) asks(d *studyDir, plan study.Plan) error {
	w := &p.wired
	if err := w.ask(d); err != nil {
		return err
	}
	p.asked.Tasks, p.asked.Items, p.asked.Private = w.tasks, w.spec.Items, plan.Benchmark.File != ""
	p.asked.Rubric, p.asked.Templates = rating.RubricDigest(), attack.TemplatesDigest()
	for _, i := range w.spec.Items {
		c := w.card(i)
		p.asked.Cards = append(p.asked.Cards, study.Card{Task: i.Task, Attack: i.Attack, Expected: c.Expected, KeyPoints: c.KeyPoints})
	}
	p.asked.Policies = map[string]string{}
	for _, c := range plan.Conditions.List {
		if c.Controller == nil {
			continue
		}
		digest, err := controllerDigest(plan, c)
		if err != nil {
			return fmt.Errorf("%s: conditions: %s: controller: %w", d.dir, c.Name, err)
		}
		p.asked.Policies[c.Name] = digest
	}
	p.locked = study.LockedSplits(plan, p.asked.Tasks)
	return nil
}

// headline are the items that the main numbers will stand on.
func (p *planned) headline() []uplift.Item {
	parts := analysis.Parts(p.asked.Items, analysis.Options{Adaptive: attack.Probes(),
		Standing: analysis.Standing{TestB: slices.Contains(p.locked, uplift.TestB)}})
	var out []uplift.Item
	for i, part := range parts {
		if part == analysis.PartHeadline {
			out = append(out, p.asked.Items[i])
		}
	}
	return out
}

// state is the plan as it is now, for a lock.
func (d *studyDir) state(env *Env, p *planned, head string) study.State {
	b := thisBuild()
	return study.State{Time: env.Now(), Tool: study.Tool{Version: b.Version, Revision: b.Revision},
		StudyDigest: d.plan.Digest(), Head: head, Fields: p.fields}
}
