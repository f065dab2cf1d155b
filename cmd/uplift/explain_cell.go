package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// stored explains the decision of a response that a study holds.
func (f *explainFlags) stored(ctx context.Context, env *Env, dir string) (*explained, error) {
	cell, err := parseCell(f.cell)
	if err != nil {
		return nil, err
	}
	s, err := loadStudy(dir)
	if err != nil {
		return nil, err
	}
	plan := s.plan.Plan()
	if plan.Hazard != "" {
		return nil, fmt.Errorf("%s: the study says hazard: real, so no text of its responses is shown", dir)
	}
	db, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	r, err := find(ctx, db, cell)
	if err == nil {
		err = decided(r)
	}
	if err != nil {
		return nil, err
	}
	if err := f.unsealed(ctx, env, s, db, r); err != nil {
		return nil, err
	}
	return explainStored(s, r), nil
}

// parseCell reads a cell as it is printed. A model's name may hold slashes.
func parseCell(text string) (uplift.Cell, error) {
	p := strings.Split(text, "/")
	n := len(p)
	if n >= 5 {
		if rep, err := strconv.Atoi(p[n-1]); err == nil && rep >= 0 {
			return uplift.Cell{Model: strings.Join(p[:n-4], "/"), Condition: p[n-4], Task: p[n-3], Attack: p[n-2], Replicate: rep}, nil
		}
	}
	return uplift.Cell{}, usage("--cell: %q (want MODEL/CONDITION/TASK/ATTACK/REPLICATE)", text)
}

// find is the response of a cell, whole.
func find(ctx context.Context, db *store.Store, cell uplift.Cell) (uplift.Response, error) {
	for r, err := range db.Texts(ctx) {
		if err != nil || r.Cell == cell {
			return r, err
		}
	}
	return uplift.Response{}, fmt.Errorf("%s: no response is stored", cell)
}

// decided wants a response with a decision and its texts.
func decided(r uplift.Response) error {
	switch {
	case r.Withheld != "":
		return fmt.Errorf("%s: its text is withheld, and nothing of it is shown (record %s)", r.Cell, r.Withheld)
	case r.Decision == nil:
		return fmt.Errorf("%s: no controller decided on it (outcome %s)", r.Cell, r.Outcome)
	}
	return nil
}

// unsealed wants leave to show a response of a locked split before its rating
// is closed, and writes that down first.
func (f *explainFlags) unsealed(ctx context.Context, env *Env, s *studyDir, db *store.Store, r uplift.Response) error {
	plan := s.plan.Plan()
	w, err := wire(nil, s)
	if err != nil {
		return err
	}
	if !slices.Contains(study.LockedSplits(plan, w.tasks), r.Item.Split) {
		return nil
	}
	closed, err := ratingClosed(ctx, db, r.Cell)
	if err != nil || closed {
		return err
	}
	if !f.unseal {
		return hint(fmt.Errorf("%s: the split %s is locked, and its rating is open: who rates must not know why a controller acted", r.Cell, r.Item.Split),
			"uplift explain %s --cell %s --unseal shows it, and is logged", s.dir, r.Cell)
	}
	path := filepath.Join(s.dir, evidence.File)
	log, err := evidence.Open(path)
	if err == nil {
		_, err = log.Append(evidence.KindUnseal, unsealing{Command: "explain", Set: s.plan.Name(), Digest: benchmark.Digest(w.tasks),
			Tasks: 1, ID: r.Task, Splits: []string{r.Item.Split}, Attacks: []string{r.Attack}}, env.Now())
	}
	if err != nil {
		return fmt.Errorf("--unseal: the evidence log cannot be written: %w (nothing is shown)", err)
	}
	fmt.Fprintf(env.Stderr, "unsealed 1 response: logged in %s\n", harmless(path))
	return nil
}

// ratingClosed reports whether a response has its labels, and no row is open.
func ratingClosed(ctx context.Context, db *store.Store, cell uplift.Cell) (bool, error) {
	for l, err := range db.Labels(ctx) {
		if errors.Is(err, store.ErrRatingOpen) {
			return false, nil
		}
		if err != nil || l.Cell == cell {
			return err == nil, err
		}
	}
	return false, nil
}

// explainStored shows what is stored. The weights are those of the study as it
// stands; where its controller is another one now, that is said.
func explainStored(s *studyDir, r uplift.Response) *explained {
	plan := s.plan.Plan()
	var p controller.Policy
	var config controller.Config
	var scan access.Scan
	note := ""
	c := named(plan, r.Condition)
	digest := ""
	if c.Controller != nil {
		var out access.Condition
		if err := control(&out, c.Controller); err == nil {
			scan = out.Scan
			p, config, _ = controllerConfig(c.Controller)
			digest, _ = controllerDigest(plan, c)
		}
	}
	if digest != r.Decision.Policy {
		note = "the study's controller is not the one that decided: the weights and cuts are today's"
	}
	e := newExplained(p, config, scan.Judged(r.Transcript), r.Draft, r.Text, *r.Decision)
	e.Cell, e.Note = &r.Cell, note
	return e
}
