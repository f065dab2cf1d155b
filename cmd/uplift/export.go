package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
	"github.com/uplift-eval/uplift/internal/store"
)

func newExport(env *Env) *cobra.Command {
	cmd := group("export WHAT", "Write what the study holds for other tools", "export writes what a study holds as plain tables.")
	cmd.Example = "  uplift export labels s --out labels.csv"
	cmd.AddCommand(newExportLabels(env))
	return cmd
}

// exportFlags say what a table of labels holds and where it goes.
type exportFlags struct {
	format, out                             string
	text, unlabelled, unseal, force, disarm bool
}

func newExportLabels(env *Env) *cobra.Command {
	var flags exportFlags
	cmd := &cobra.Command{
		Use: "labels [DIR]", Short: "Write every label as CSV or JSON lines",
		Long: `labels writes one row a label: adjudicated values (grader human), judges' values
and every rater's own mark (grader rater:NAME). "uplift import labels" reads it
back unchanged.

With --unlabelled a row with an empty value follows for each response and each
scale of the study's endpoints that has no adjudicated value yet. With --text it
is a table to be filled in elsewhere and brought back with "uplift import labels".
It names models and conditions, so it is not for raters as it is: take those
columns out, shuffle the rows, and put the columns back by a key of your own.

Where the study asks its models itself, tiers are sealed and the column tier is
left out; --unseal writes it, and that is written to the evidence log. What is
imported carries its tiers.`,
		Example: `  uplift export labels s --out labels.csv
  uplift export labels s --unlabelled --text --out to-rate.csv
  uplift export labels s --format jsonl --text | head`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exportLabels(cmd.Context(), env, dirArg(args), flags)
		},
	}
	cmd.Flags().StringVar(&flags.format, "format", "csv", "csv or jsonl")
	cmd.Flags().StringVar(&flags.out, "out", "-", "file to write; - is stdout")
	cmd.Flags().BoolVar(&flags.force, "force", false, "write over a file that is there")
	choices(cmd, "format", "csv", "jsonl")
	cmd.Flags().BoolVar(&flags.text, "text", false, "add the column text: the reply as the user saw it")
	cmd.Flags().BoolVar(&flags.unlabelled, "unlabelled", false, "add a row with an empty value for what has no label yet")
	cmd.Flags().BoolVar(&flags.unseal, "unseal", false, "write the tiers of a study that asks; this is written to the evidence log")
	cmd.Flags().BoolVar(&flags.disarm, "spreadsheet", false, "disarm cells that a spreadsheet would run as formulas (the file no longer reads back unchanged)")
	return cmd
}

// exportLabels writes the labels of the study in a directory.
func exportLabels(ctx context.Context, env *Env, dir string, flags exportFlags) error {
	write := map[string]func(io.Writer, labelSeq, interop.ExportOptions) error{
		"csv": interop.WriteLabelsCSV, "jsonl": interop.WriteLabelsJSONL}[flags.format]
	if write == nil {
		return usage("export labels: --format: unknown value %q (want csv or jsonl)", flags.format)
	}
	study, err := loadStudy(dir)
	if err != nil {
		return err
	}
	db, err := study.read(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	now, err := db.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer now.Close()
	opt := interop.ExportOptions{Spreadsheet: flags.disarm, Sealed: !study.plan.Plan().Conditions.Imported && !flags.unseal}
	if flags.text {
		if opt.Text, err = texts(ctx, now); err != nil {
			return err
		}
	}
	if opt.Simulated, err = simulated(ctx, now); err != nil {
		return err
	}
	labels := now.Labels(ctx)
	if flags.unlabelled {
		labels, opt.Unlabelled = waiting(ctx, now, labels, study.scales())
	}
	if err := sayWithheld(ctx, env, db, now, flags); err != nil {
		return err
	}
	if _, err := os.Lstat(flags.out); err == nil && flags.out != "-" && !flags.force {
		return hint(fmt.Errorf("write %s: is there already", flags.out), "name another file, or write over it with --force")
	}
	if flags.unseal {
		if err := keepExported(env, study); err != nil {
			return err
		}
	}
	return writeOut(env, flags.out, func(w io.Writer) error { return write(w, labels, opt) })
}

// keepExported writes to the evidence log that tiers are about to be written.
// Tiers of imported labels are no secret.
func keepExported(env *Env, s *studyDir) error {
	if s.plan.Plan().Conditions.Imported {
		return nil
	}
	src, err := taskSourceOf(s.dir, 0)
	if err != nil {
		return err
	}
	return (&taskFlags{unseal: true}).keepUnsealing(env, src, "export labels", "", len(src.tasks))
}

// labelSeq is what [store.Store.Labels] gives.
type labelSeq = iter.Seq2[uplift.Label, error]

// scales are those of the study's endpoints.
func (d *studyDir) scales() (out []string) {
	for _, e := range d.plan.Plan().Endpoints {
		if !slices.Contains(out, e.Scale) {
			out = append(out, e.Scale)
		}
	}
	return out
}

// waiting gives the labels, and what has no adjudicated one on a scale once
// they have passed. Every scale is asked of every response: which of them an
// endpoint takes would tell its tier. Where nothing was shown there is nothing
// to label, and what is withheld is labelled by nobody but its reviewers.
func waiting(ctx context.Context, now *store.Snapshot, labels labelSeq, scales []string) (all, rest labelSeq) {
	type graded struct {
		uplift.Cell
		scale string
	}
	done := map[graded]bool{}
	all = func(yield func(uplift.Label, error) bool) {
		for l, err := range labels {
			if l.Grader == uplift.Human {
				done[graded{l.Cell, l.Scale}] = true
			}
			if !yield(l, err) {
				return
			}
		}
	}
	rest = func(yield func(uplift.Label, error) bool) {
		for r, err := range now.Responses(ctx) {
			if err != nil {
				yield(uplift.Label{}, err)
				return
			}
			for _, scale := range scales {
				if done[graded{r.Cell, scale}] || r.Outcome == uplift.Failed || r.Withheld != "" {
					continue
				}
				if !yield(uplift.Label{Cell: r.Cell, Family: r.Item.Family, Split: r.Item.Split, Tier: r.Item.Tier,
					Outcome: r.Outcome, Scale: scale, Grader: uplift.Human}, nil) {
					return
				}
			}
		}
	}
	return all, rest
}

// texts gives every reply by its cell.
func texts(ctx context.Context, now *store.Snapshot) (func(uplift.Cell) string, error) {
	by := map[uplift.Cell]string{}
	for r, err := range now.Texts(ctx) {
		if err != nil {
			return nil, err
		}
		by[r.Cell] = r.Text
	}
	return func(c uplift.Cell) string { return by[c] }, nil
}

// simulated says which replies no real model gave; nil when there are none, so
// that the column stands only where it says something.
func simulated(ctx context.Context, now *store.Snapshot) (func(uplift.Cell) bool, error) {
	by := map[uplift.Cell]bool{}
	for r, err := range now.Responses(ctx) {
		if err != nil {
			return nil, err
		}
		if r.Simulated {
			by[r.Cell] = true
		}
	}
	if len(by) == 0 {
		return nil, nil
	}
	return func(c uplift.Cell) bool { return by[c] }, nil
}
