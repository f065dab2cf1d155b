package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// browser reads a study's responses for a person.
type browser struct {
	env    *Env
	study  *studyDir
	db     *store.Store
	now    *store.Snapshot
	flags  *responseFlags
	chosen *choice
	hazard bool          // no text at all
	locked []string      // splits whose texts are sealed while rating is open
	tasks  []uplift.Task // that are asked; of the locked splits' study
	rules  map[string][]string
	seen   surveyed
}

// surveyed is what a first walk without texts found.
type surveyed struct {
	all, match, sealed int
	cells              []uplift.Cell // the first that match
	tasks              map[string]bool
	splits             map[string]bool
}

// survey counts what matches, texts aside, and wants every name to be known.
func (b *browser) survey(ctx context.Context) error {
	if err := b.learn(ctx); err != nil {
		return err
	}
	b.seen = surveyed{tasks: map[string]bool{}, splits: map[string]bool{}}
	there := newNames()
	for r, err := range b.sealedIn(ctx, b.now.Responses(ctx)) {
		if err != nil {
			return err
		}
		b.seen.all++
		there.add(&r.Response)
		if !b.chosen.takes(&r.Response) {
			continue
		}
		b.seen.match++
		if len(b.seen.cells) < 6 {
			b.seen.cells = append(b.seen.cells, r.Cell)
		}
		b.seen.tasks[r.Task] = true
		if r.sealed {
			b.seen.sealed++
			b.seen.splits[r.Item.Split] = true
		}
	}
	if err := b.chosen.known(there); err != nil {
		return err
	}
	if b.flags.show != "" {
		return b.one()
	}
	return nil
}

// one wants a single response.
func (b *browser) one() error {
	switch {
	case b.seen.match == 0:
		return fmt.Errorf("%s: no response is stored", b.flags.show)
	case b.seen.match > 1:
		var list []string
		for _, c := range b.seen.cells[:min(5, len(b.seen.cells))] {
			list = append(list, c.ID()[:min(32, len(b.chosen.id)+6)]+" "+c.String())
		}
		return usage("responses: --show: %s responses have an id that begins with %s (want more of it):\n%s",
			grouped(b.seen.match), b.chosen.id, strings.Join(list, "\n"))
	}
	return nil
}

// learn reads which splits are locked, and why texts are withheld.
func (b *browser) learn(ctx context.Context) error {
	plan := b.study.plan.Plan()
	if !plan.Conditions.Imported && plan.Benchmark != nil {
		w, err := wire(nil, b.study)
		if err != nil {
			return err
		}
		b.tasks, b.locked = w.tasks, study.LockedSplits(plan, w.tasks)
	}
	b.rules = map[string][]string{}
	for w, err := range b.db.Withheld(ctx) {
		if err != nil {
			return err
		}
		b.rules[w.ID] = w.Rules
	}
	return nil
}

// lookedAt is a response, and whether its texts are sealed.
type lookedAt struct {
	uplift.Response
	sealed bool
}

// sealedIn tells which responses have texts that are sealed: those of a locked
// split that have no label yet, and all of it while a row can still be rated.
// Responses and labels come in one order.
func (b *browser) sealedIn(ctx context.Context, all iter.Seq2[uplift.Response, error]) iter.Seq2[lookedAt, error] {
	return func(yield func(lookedAt, error) bool) {
		next, stop := iter.Pull2(b.now.Labels(ctx))
		defer stop()
		var label uplift.Label
		more, begun := false, false
		advance := func() error {
			var err error
			label, err, more = next()
			if errors.Is(err, store.ErrRatingOpen) {
				more, err = false, nil
			}
			return err
		}
		for r, err := range all {
			if err == nil && !begun && len(b.locked) > 0 {
				err = advance()
			}
			begun = true
			labelled := false
			for err == nil && more && label.Cell == r.Cell {
				labelled = true
				err = advance()
			}
			if err != nil {
				yield(lookedAt{}, err)
				return
			}
			sealed := !labelled && r.Outcome != uplift.Failed && slices.Contains(b.locked, r.Item.Split)
			if !yield(lookedAt{r, sealed}, nil) {
				return
			}
		}
	}
}

// allow wants leave for the texts of sealed responses, and for the tiers that
// --unseal adds to an export, and writes that down before anything is shown.
func (b *browser) allow() error {
	f := b.flags
	if f.page != "" && b.hazard {
		return hint(fmt.Errorf("%s: the study says hazard: real, so no page may show its responses", b.study.dir), "uplift responses %s", b.study.dir)
	}
	shows := f.format == "" && (f.show != "" || f.item != "" || f.page != "") || f.text
	if b.seen.sealed > 0 && shows && !f.unseal && !b.hazard {
		return hint(fmt.Errorf("%s of the locked split %s are among them, and their rating is open: who rates or tunes must not read them",
			several(b.seen.sealed, "response"), listNames(b.seen.splits)),
			"add --unseal, which is logged, or leave them out with --split")
	}
	if !f.unseal || b.study.plan.Plan().Conditions.Imported {
		return nil
	}
	return b.keepUnsealing()
}

func (b *browser) keepUnsealing() error {
	path := filepath.Join(b.study.dir, evidence.File)
	log, err := evidence.Open(path)
	if err == nil {
		c := b.chosen
		_, err = log.Append(evidence.KindUnseal, unsealing{Command: "responses", Set: b.study.plan.Name(), Digest: benchmark.Digest(b.tasks),
			Tasks: len(b.seen.tasks), ID: strings.Join(c.tasks, ","), Splits: c.splits, Attacks: c.attacks}, b.env.Now())
	}
	if err != nil {
		return fmt.Errorf("--unseal: the evidence log cannot be written: %w (nothing is shown)", err)
	}
	fmt.Fprintf(b.env.Stderr, "unsealed %s: logged in %s\n", several(b.seen.match, "response"), harmless(path))
	return nil
}

// matches yields what is wanted, without the texts that may not be shown.
func (b *browser) matches(ctx context.Context, texts bool) iter.Seq2[report.ResponseView, error] {
	return func(yield func(report.ResponseView, error) bool) {
		all := b.now.Responses(ctx)
		if texts || len(b.chosen.contains) > 0 {
			all = b.now.Texts(ctx)
		}
		for r, err := range b.sealedIn(ctx, all) {
			if err != nil {
				yield(report.ResponseView{}, err)
				return
			}
			if !b.chosen.takes(&r.Response) {
				continue
			}
			v := b.view(r)
			if len(b.chosen.contains) > 0 && (v.Hidden != "" || !b.chosen.holds(v.Text)) {
				continue
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// view is a response as it may be shown.
func (b *browser) view(r lookedAt) report.ResponseView {
	v := report.ResponseView{Response: r.Response}
	switch {
	case r.Withheld != "":
		v.Hidden = "withheld"
		if rules := b.rules[r.Withheld]; len(rules) > 0 {
			v.Hidden += ": " + strings.Join(rules, ", ")
		}
	case b.hazard:
		v.Hidden = "not shown: hazard: real"
	case r.sealed && !b.flags.unseal:
		v.Hidden = "sealed: its rating is open"
	}
	if v.Hidden != "" {
		v.Text, v.Draft, v.Transcript, v.Item.Turns, v.Item.Next = "", "", nil, nil, nil
	}
	if b.hazard {
		v.Detail = ""
	}
	return v
}
