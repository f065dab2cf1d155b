package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/lint"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/study"
)

// runFlags say what of a study is run, and how far. The zero value runs all.
type runFlags struct {
	only         []string
	limit        int
	replicates   int
	dryRun       bool
	retry        bool
	pastPause    bool
	asJSON       bool
	jsonProgress bool
	maxCost      float64
	maxRequests  int
	maxMinutes   float64
	pricesFile   string
	operatorFile string

	newOperatorList bool

	selected run.Only
	prices   run.Prices // of a file; the zero value is none
	profile  lint.Profile

	operatorList []byte // the file's bytes
}

func (f *runFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.only, "only", nil, "ask only cells with FIELD=VALUE: model, condition, task, attack, split or id; may be repeated")
	flags.IntVar(&f.limit, "limit", 0, "ask at most this many cells now")
	flags.IntVar(&f.replicates, "replicates", 0, "ask only the first of the study's replicates")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be asked and what it would cost at most; send nothing")
	flags.BoolVar(&f.retry, "retry", false, "ask cells that failed again")
	flags.BoolVar(&f.pastPause, "past-pause", false, "go on where more than 2 % of a condition is withheld: recorded")
	flags.Float64Var(&f.maxCost, "max-cost-usd", 0, "most US dollars over all runs (default: the study's limit)")
	flags.IntVar(&f.maxRequests, "max-requests", 0, "most requests over all runs (default: the study's limit)")
	flags.Float64Var(&f.maxMinutes, "max-minutes", 0, "most minutes of this run (default: the study's limit)")
	flags.StringVar(&f.pricesFile, "prices", "", "file of prices, before the program's own")
	flags.StringVar(&f.operatorFile, "operator-list", "", "file of words that are locked away too, one a line; it is not kept: give the same one each time")
	flags.BoolVar(&f.newOperatorList, "new-operator-list", false, "the operator's list is another one than before: recorded")
	flags.BoolVar(&f.jsonProgress, "json-progress", false, "write progress to stderr as lines of JSON")
	flags.BoolVar(&f.asJSON, "json", false, "print what was done, or would be, as JSON")
}

// read checks the flags and reads their files.
func (f *runFlags) read(cmd *cobra.Command, s *studyDir) (err error) {
	if f.selected, err = run.ParseOnly(f.only); err != nil {
		return usage("run: --only: %w", err)
	}
	for _, n := range []struct {
		name string
		bad  bool
	}{
		{"limit", f.limit < 1}, {"replicates", f.replicates < 1}, {"max-cost-usd", !(f.maxCost > 0)},
		{"max-requests", f.maxRequests < 1}, {"max-minutes", !(f.maxMinutes > 0)},
	} {
		if cmd.Flags().Changed(n.name) && n.bad {
			return usage("run: --%s: %s (want more than 0)", n.name, cmd.Flag(n.name).Value)
		}
	}
	if most := s.plan.Plan().Replicates; f.replicates > most {
		return usage("run: --replicates: %d (the study plans %d; more of them are another plan)", f.replicates, most)
	}
	if f.pricesFile != "" {
		data, err := os.ReadFile(f.pricesFile)
		if err != nil {
			return fmt.Errorf("--prices: %w", err)
		}
		if f.prices, err = run.ReadPrices(f.pricesFile, data); err != nil {
			return err
		}
	}
	if f.operatorFile != "" {
		data, err := os.ReadFile(f.operatorFile)
		if err != nil {
			return fmt.Errorf("--operator-list: %w", err)
		}
		f.profile, err = lint.ReadOperator(f.operatorFile, data)
		if err != nil {
			return err
		}
		f.operatorList = data
	}
	if f.newOperatorList && f.operatorFile == "" {
		return usage("run: --new-operator-list: wants --operator-list FILE with it")
	}
	return nil
}

// limits are the study's, but for what the flags say.
func (f *runFlags) limits(plan study.Plan) study.Limits {
	l := plan.Limits
	if f.maxCost > 0 {
		l.MaxCostUSD = f.maxCost
	}
	if f.maxRequests > 0 {
		l.MaxRequests = f.maxRequests
	}
	if f.maxMinutes > 0 {
		l.MaxMinutes = f.maxMinutes
	}
	return l
}

// price gives the prices of a study's models by their names in it. A model that
// is reached in several ways counts with the highest.
func (f *runFlags) price(plan study.Plan) map[string]run.Price {
	list, out := run.ListPrices(), map[string]run.Price{}
	of := func(name string) (run.Price, bool) {
		if p, ok := f.prices.Of(name); ok {
			return p, true
		}
		return list.Of(name)
	}
	for _, m := range slices.Concat(plan.Models, plan.Rewriters) {
		if m.Provider == study.Sim {
			out[m.Name] = run.Price{}
			continue
		}
		price, known := of(m.Model)
		for _, c := range plan.Conditions.List {
			if c.Model != "" {
				p, ok := of(c.Model)
				price, known = price.Max(p), known && ok
			}
		}
		if known {
			out[m.Name] = price
		}
	}
	return out
}
