package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/store"
)

// nothingKept is the store of a study that has none yet.
type nothingKept struct{}

func (nothingKept) Done(context.Context) (map[string]uplift.Outcome, error) { return nil, nil }

func (nothingKept) Call(context.Context, string) (uplift.Call, bool, error) {
	return uplift.Call{}, false, nil
}

// dryRun says what a run would ask. It sends and writes nothing.
func dryRun(ctx context.Context, env *Env, s *studyDir, f *runFlags) error {
	w, err := wire(nil, s)
	if err != nil {
		return err
	}
	spec := w.spec
	if f.replicates > 0 {
		spec.Replicates = f.replicates
	}
	var kept run.Kept = nothingKept{}
	db, err := store.Open(ctx, s.path(), store.ReadOnly)
	switch {
	case err == nil:
		defer db.Close()
		kept = db
	case !errors.Is(err, store.ErrMissing):
		return err
	}
	opt := baseOptions(s, f)
	if db != nil {
		if err := before(ctx, db, &opt); err != nil {
			return err
		}
	}
	list, err := run.Foresee(ctx, spec, kept, opt)
	if err != nil {
		return err
	}
	if err := s.checkScreen(f); err != nil {
		list.Refused = append(list.Refused, err.Error())
	}
	if f.asJSON {
		return writeJSON(env.Stdout, list)
	}
	return printForecast(env.Stdout, list)
}

func printForecast(out io.Writer, f run.Forecast) error {
	fmt.Fprintf(out, "cells   %s, of them %s held and %s to run", grouped(f.Total), grouped(f.Held), grouped(f.ToRun))
	if f.Later > 0 {
		fmt.Fprintf(out, ", %s left for later", grouped(f.Later))
	}
	if f.Skipped > 0 {
		fmt.Fprintf(out, "; %s not selected", grouped(f.Skipped))
	}
	fmt.Fprint(out, "\n")
	for _, why := range f.Refused {
		fmt.Fprintf(out, "refused a run would not begin: %s\n", why)
	}
	fmt.Fprintln(out)
	t := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "model\tcells\tcalls\ttokens in\tout, at most\tcost, at most\ttime")
	for _, m := range f.Models {
		cost := "no price"
		if m.Priced {
			cost = run.USD(m.CostUSD)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Model, grouped(m.Cells), between(m.Calls), between(m.TokensIn),
			grouped(m.TokensOut.Most), cost, (time.Duration(m.Seconds) * time.Second).String())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nCalls are counted after sharing, without retries; conversations of several\nturns, adaptive probes and rewriters have a range. Tokens in are estimated, and\ntime takes %d s a call. Nothing was sent.\n", run.AssumedLatency)
	return err
}

// between writes a range, or the one number that it is.
func between(r run.Range) string {
	if r.Least == r.Most {
		return grouped(r.Least)
	}
	return grouped(r.Least) + "-" + grouped(r.Most)
}
