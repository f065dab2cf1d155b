package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// stored is what a database holds, beside a plan.
type stored struct {
	meta      store.Meta
	there     bool           // the database
	total     int            // cells of the plan
	planned   int            // responses to them
	locked    int            // responses of the splits that want a lock; all where none does
	otherwise map[string]int // in which way responses were asked otherwise: how many
}

// asked tells the ways in which a response was asked otherwise than a plan says.
type asked struct {
	*planned
	plan  study.Plan
	items map[itemKey]uplift.Item
	// of an amendment; empty without one
	models, conditions []string
	unsure             func(uplift.Item) bool
	seed               bool // the simulated model answers otherwise
}

// askedBy is how the plan asks.
func askedBy(plan study.Plan, p *planned) asked {
	a := asked{planned: p, plan: plan, items: map[itemKey]uplift.Item{}, unsure: func(uplift.Item) bool { return false }}
	for _, i := range p.asked.Items {
		a.items[itemKey{i.Task, i.Attack}] = i
	}
	return a
}

// otherwise lists how a response was asked otherwise.
func (a asked) otherwise(r uplift.Response) (ways []string) {
	add := func(yes bool, format string, args ...any) {
		if yes {
			ways = append(ways, fmt.Sprintf(format, args...))
		}
	}
	add(slices.Contains(a.models, r.Model), "models.%s was changed or taken away", r.Model)
	add(slices.Contains(a.conditions, r.Condition), "conditions.%s, or whose drafts it acts on, was changed or taken away", r.Condition)
	add(a.seed, "seed: the simulated model answers otherwise")
	if a.plan.Conditions.Imported {
		return ways
	}
	model := slices.ContainsFunc(a.plan.Models, func(m study.Model) bool { return m.Name == r.Model })
	add(!model && !slices.Contains(a.models, r.Model), "there is no model %s", r.Model)
	condition := slices.ContainsFunc(a.plan.Conditions.List, func(c study.Condition) bool { return c.Name == r.Condition })
	add(!condition && !slices.Contains(a.conditions, r.Condition), "there is no condition %s", r.Condition)
	now, ok := a.items[itemKey{r.Task, r.Attack}]
	add(!ok, "task %s is no longer asked in the form %s", r.Task, r.Attack)
	add(ok && (!sameItem(now, r.Item) || a.unsure(now)), "task %s is asked otherwise in the form %s", r.Task, r.Attack)
	add(r.Replicate >= a.plan.Replicates, "replicates is %d now", a.plan.Replicates)
	return ways
}

// sameItem compares an item with the one that a response holds, but for the turn
// of an adaptive probe, of which a response holds the one that was chosen.
func sameItem(now, held uplift.Item) bool {
	return now.Tier == held.Tier && now.Family == held.Family && now.Split == held.Split && slices.Equal(now.Turns, held.Turns)
}

// stored compares what the database holds with how a plan asks. Without a
// database it holds nothing.
func (s *studyDir) stored(ctx context.Context, a asked) (*stored, error) {
	out := &stored{otherwise: map[string]int{}, total: len(a.items) * len(a.plan.Models) * len(a.plan.Conditions.List) * a.plan.Replicates}
	db, err := store.Open(ctx, s.path(), store.ReadOnly)
	if errors.Is(err, store.ErrMissing) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out.there = true
	if out.meta, err = db.Meta(ctx); err != nil {
		return nil, err
	}
	for r, err := range db.Asked(ctx) {
		if err != nil {
			return nil, err
		}
		out.add(a, r)
	}
	return out, nil
}

func (d *stored) add(a asked, r uplift.Response) {
	if len(a.locked) == 0 || slices.Contains(a.locked, r.Item.Split) {
		d.locked++
	}
	ways := a.otherwise(r)
	for _, w := range ways {
		d.otherwise[w]++
	}
	if len(ways) == 0 {
		d.planned++
	}
}

// unanswered wants no response in the locked splits, or none at all in a study
// without one.
func (s *studyDir) unanswered(ctx context.Context, p *planned) error {
	d, err := s.stored(ctx, askedBy(s.plan.Plan(), p))
	if err != nil || !d.there || d.locked == 0 && s.plan.Plan().Conditions.Imported {
		return err
	}
	if d.locked == 0 {
		return hint(fmt.Errorf("%s: is there already: a lock comes before the database of its responses, or nobody could tell which came first", s.path()),
			"move it away; or begin in another directory")
	}
	if s.plan.Plan().Conditions.Imported {
		return hint(fmt.Errorf("%s: %s there already: a lock comes before its labels", s.path(), several(d.locked, "imported response")),
			"analyze and report need no lock where conditions are imported")
	}
	return hint(fmt.Errorf("%s: %s of %s there already: a lock comes before the first", s.path(), several(d.locked, "response"), ofSplits(p.locked)),
		"what was asked without a lock stays exploratory: add --exploratory to run, analyze and report, or begin in another directory")
}

// beside reads what the database holds beside a lock that the study matches, and
// says what of it that lock cannot cover.
func (s *studyDir) beside(ctx context.Context, l *study.Lock, p *planned) (*stored, error) {
	plan := s.plan.Plan()
	d, err := s.stored(ctx, askedBy(plan, p))
	switch {
	case err != nil:
		return nil, err
	case d.there && d.locked > 0 && d.meta.Created.Before(l.Time):
		return d, hint(fmt.Errorf("%s: is from %s, before the lock of %s, and holds %s of %s: they may be older than the lock",
			s.path(), d.meta.Created.Format(time.RFC3339), l.Time.Format(time.RFC3339), several(d.locked, "response"), ofSplits(p.locked)),
			"was it copied here? put back the one that was asked after the lock; or --exploratory, which marks every number")
	case d.there && !plan.Conditions.Imported && d.meta.Digest != s.plan.Digest() && !slices.Contains(l.Digests(), d.meta.Digest):
		return d, hint(fmt.Errorf("%s: was made under another plan than the locked one (study digest %.12s, locked %.12s)", s.path(), d.meta.Digest, l.StudyDigest),
			"was it copied here? put back the one of this study; or --exploratory, which marks every number")
	case len(d.otherwise) > 0:
		return d, hint(errors.New(listFound(s, d.otherwise)), "was %s copied here? put back the one of this study; or --exploratory, which marks every number", storeFile)
	}
	return d, nil
}

func ofSplits(splits []string) string {
	if len(splits) == 0 {
		return "the study"
	}
	return strings.Join(splits, " and ")
}

// incomplete says how much of a plan is there; empty when all of it is, and
// where nobody can know.
func (d *stored) incomplete() string {
	if d == nil || d.planned >= d.total {
		return ""
	}
	return fmt.Sprintf("%d of %d planned cells have responses", d.planned, d.total)
}

// listFound lists in which way responses were asked otherwise.
func listFound(s *studyDir, found map[string]int) string {
	const most = 12
	lines := []string{fmt.Sprintf("%s: responses are there that were asked otherwise", s.dir)}
	var what []string
	for w := range found {
		what = append(what, w)
	}
	slices.Sort(what)
	for _, w := range what[:min(len(what), most)] {
		lines = append(lines, fmt.Sprintf("%s (%s)", w, several(found[w], "response")))
	}
	if n := len(what) - most; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}
