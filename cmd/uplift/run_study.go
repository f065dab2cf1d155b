package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// runStudy walks the cells that the store does not hold yet.
func runStudy(ctx context.Context, env *Env, a *asking) error {
	w := a.w
	opt, err := a.ready(ctx, env)
	if err != nil {
		return err
	}
	w.notes = append(w.notes, a.lint.soon()...)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := a.begin(ctx, env); err != nil {
		return err
	}
	w.say(harmlessWriter{env.Stderr})
	spec := w.spec
	if a.flags.replicates > 0 {
		spec.Replicates = a.flags.replicates
	}
	defer leanMemory(env, len(spec.Items)*len(spec.Conditions)*max(spec.Replicates, 1))()
	// The first signal ends ctx: what is in the air is then finished. The second
	// ends the process.
	opt.Halt = ctx.Done()
	view := watchRun(env, a.flags.jsonProgress, opt)
	done, err := run.Run(context.WithoutCancel(ctx), spec, a.db, opt)
	view.end()
	for _, note := range a.lint.late() {
		fmt.Fprintln(harmlessWriter{env.Stderr}, note)
	}
	if err != nil && done.Total == 0 {
		return a.refused(err)
	}
	return a.told(env, done, opt, err)
}

// ready checks everything that can be in the way of a run, and changes nothing.
func (a *asking) ready(ctx context.Context, env *Env) (opt run.Options, err error) {
	if a.db != nil {
		switch changed, err := a.changed(ctx, a.db, a.leave); {
		case err != nil:
			return opt, err
		case changed != "":
			return opt, hint(fmt.Errorf("%s: %s", a.dir, changed), "put the file back, or begin in another directory: responses of two plans are never mixed")
		}
	}
	if opt, err = a.options(ctx, env); err != nil {
		return opt, err
	}
	if err := a.w.spec.Check(); err != nil {
		return opt, err
	}
	if err := opt.Check(a.w.spec); err != nil {
		return opt, a.refused(err)
	}
	return opt, a.checkScreen(&a.flags)
}

// begin writes what must be written before anything is asked, and then makes the
// database of a first run, which binds the study's file.
func (a *asking) begin(ctx context.Context, env *Env) error {
	if err := a.leave.begin(); err != nil {
		return err
	}
	if err := a.keepPastPause(env); err != nil {
		return err
	}
	err := a.keepScreen(env)
	if err == nil && a.db == nil {
		a.db, err = a.write(context.WithoutCancel(ctx), env, a.leave)
	}
	return err
}

// manyCells is from where on the memory of a run is worth some time. Below it the
// heap is so small that garbage would be collected all the time.
const manyCells = 20_000

// leanMemory collects the garbage of a large run at half the growth that is usual,
// until what it gives is called. $GOGC says otherwise.
func leanMemory(env *Env, cells int) func() {
	if cells < manyCells || env.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(50)
	return func() { debug.SetGCPercent(before) }
}

// options are what the study and the flags say of a run, with what the database
// knows of earlier ones.
func (a *asking) options(ctx context.Context, env *Env) (run.Options, error) {
	opt := baseOptions(a.studyDir, &a.flags)
	opt.Now, opt.Monitor = env.Now, &run.Monitor{}
	if a.vault != nil {
		opt.Vault = a.vault
	}
	if a.db == nil {
		return opt, nil
	}
	return opt, before(ctx, a.db, &opt)
}

// baseOptions are those that need no database.
func baseOptions(s *studyDir, f *runFlags) run.Options {
	plan := s.plan.Plan()
	l := f.limits(plan)
	opt := run.Options{
		Concurrency: l.Concurrency, MaxRequests: l.MaxRequests, MaxCostUSD: l.MaxCostUSD, MaxMinutes: l.MaxMinutes,
		Only: f.selected, Limit: f.limit, Retry: f.retry, PastPause: f.pastPause,
		Prices: f.price(plan), Profile: f.profile, Hazard: plan.Hazard != "", KeepRaw: plan.Raw != study.HashRaw,
		Seed: plan.Seed, Models: map[string]run.Pace{},
	}
	for _, m := range slices.Concat(plan.Models, plan.Rewriters) {
		own := l.Models[m.Name]
		opt.Models[m.Name] = run.Pace{Concurrency: first(own.Concurrency, l.Concurrency),
			RPM: first(own.RequestsPerMinute, l.RequestsPerMinute), TPM: first(own.TokensPerMinute, l.TokensPerMinute)}
	}
	return opt
}

// first is the first number that is not 0.
func first(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

// before fills in what earlier runs spent, tried and withheld.
func before(ctx context.Context, db *store.Store, opt *run.Options) error {
	spent, err := db.Spent(ctx)
	if err != nil {
		return err
	}
	opt.Spent, opt.Withheld = map[string]run.Spent{}, map[string]bool{}
	for name, s := range spent {
		opt.Spent[name] = run.Spent{Requests: s.Requests, TokensIn: s.TokensIn, TokensOut: s.TokensOut, Unknown: s.Unknown}
	}
	if opt.Tried, err = db.Tried(ctx); err != nil {
		return err
	}
	for w, err := range db.Withheld(ctx) {
		if err != nil {
			return err
		}
		if id, ok := strings.CutPrefix(w.Of, "response "); ok && run.Hit(w) {
			opt.Withheld[id] = true
		}
	}
	return nil
}

// refused is the error of a run that could not begin.
func (a *asking) refused(err error) error {
	if errors.Is(err, run.ErrNoPrice) {
		return hint(fmt.Errorf("%s: %w", a.dir, err), `give it in a file, by the provider's name of the model: --prices FILE with {"as_of": "2026-01-31", "prices": [{"model": "NAME", "input": 0, "output": 0}]}; or take max_cost_usd out of the limits in study.yaml, which a lock leaves free`)
	}
	return err
}

// pastPause is the data of a pause entry.
type pastPause struct {
	Command string `json:"command"`
}

// keepPastPause records that somebody goes on past a pause.
func (a *asking) keepPastPause(env *Env) error {
	if !a.flags.pastPause {
		return nil
	}
	log, err := evidence.Open(a.logPath())
	if err == nil {
		_, err = log.Append(evidence.KindPause, pastPause{runCommand}, env.Now())
	}
	return hint(err, "going on past a pause is recorded in %s, which must be writable", evidence.File)
}

// ways are the flags by which a run goes on past a limit.
var ways = map[run.Why]string{
	run.StopCost: " --max-cost-usd USD", run.StopRequests: " --max-requests N", run.StopPaused: " --past-pause",
}

// resume says how a run that ended early goes on.
func (a *asking) resume(done run.Report) string {
	again := a.again()
	for _, h := range done.Halts {
		switch {
		case h.Why == run.StopPaused:
			return "look at what is withheld (uplift quarantine list " + a.dir + " --ids); then " + again + ways[h.Why] + " goes on"
		case ways[h.Why] != "":
			return again + ways[h.Why] + " goes on"
		case h.Why == run.StopModel:
			return "mend the key or the quota; then " + again + " goes on with the cells that are open"
		}
	}
	switch {
	case done.Remaining > 0:
		return again + " goes on from there"
	case done.Failed > 0:
		return again + " --retry asks the failed cells again"
	}
	return ""
}
