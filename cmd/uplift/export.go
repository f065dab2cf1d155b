package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"

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

func newExportLabels(env *Env) *cobra.Command {
	var (
		format, out string
		text, force bool
		opt         interop.ExportOptions
	)
	cmd := &cobra.Command{
		Use: "labels [DIR]", Short: "Write every label as CSV or JSON lines",
		Long: `labels writes one row a label: adjudicated values (grader human), judges' values
and every rater's own mark (grader rater:NAME). "uplift import labels" reads it
back unchanged.`,
		Example: `  uplift export labels s --out labels.csv
  uplift export labels s --format jsonl --text | head`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write := map[string]func(io.Writer, labelSeq, interop.ExportOptions) error{
				"csv": interop.WriteLabelsCSV, "jsonl": interop.WriteLabelsJSONL}[format]
			if write == nil {
				return usage("export labels: --format: unknown value %q (want csv or jsonl)", format)
			}
			study, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			db, err := study.read(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			if text {
				if opt.Text, err = texts(cmd.Context(), db); err != nil {
					return err
				}
			}
			if opt.Simulated, err = simulated(cmd.Context(), db); err != nil {
				return err
			}
			if _, err := os.Lstat(out); err == nil && out != "-" && !force {
				return hint(fmt.Errorf("write %s: is there already", out), "name another file, or write over it with --force")
			}
			return writeOut(env, out, func(w io.Writer) error { return write(w, db.Labels(cmd.Context()), opt) })
		},
	}
	cmd.Flags().StringVar(&format, "format", "csv", "csv or jsonl")
	cmd.Flags().StringVar(&out, "out", "-", "file to write; - is stdout")
	cmd.Flags().BoolVar(&force, "force", false, "write over a file that is there")
	choices(cmd, "format", "csv", "jsonl")
	cmd.Flags().BoolVar(&text, "text", false, "add the column text: the reply as the user saw it")
	cmd.Flags().BoolVar(&opt.Spreadsheet, "spreadsheet", false, "disarm cells that a spreadsheet would run as formulas (the file no longer reads back unchanged)")
	return cmd
}

// labelSeq is what [store.Store.Labels] gives.
type labelSeq = iter.Seq2[uplift.Label, error]

// texts gives every reply by its cell.
func texts(ctx context.Context, db *store.Store) (func(uplift.Cell) string, error) {
	by := map[uplift.Cell]string{}
	for r, err := range db.Texts(ctx) {
		if err != nil {
			return nil, err
		}
		by[r.Cell] = r.Text
	}
	return func(c uplift.Cell) string { return by[c] }, nil
}

// simulated says which replies no real model gave; nil when there are none, so
// that the column stands only where it says something.
func simulated(ctx context.Context, db *store.Store) (func(uplift.Cell) bool, error) {
	by := map[uplift.Cell]bool{}
	for r, err := range db.Responses(ctx) {
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
