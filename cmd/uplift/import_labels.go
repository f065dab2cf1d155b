package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/interop"
)

func newImportLabels(env *Env) *cobra.Command {
	var (
		flags                       importFlags
		columns, set, maps, graders []string
	)
	cmd := &cobra.Command{
		Use: "labels DIR FILE...", Short: "Import a table of labels, CSV or JSON lines",
		Long: `labels reads what "uplift export labels" writes: the columns model, condition,
task, family, tier, attack, replicate, scale, value, grader and, if there,
text, prompt, split and outcome. A grader is "human" for the adjudicated value,
"rater:NAME" for one rater's own mark, or the name of a judge.

Other people's tables are read with four flags:
  --columns ours=theirs      which of their columns holds ours
  --set ours=constant        one value for every row
  --map theirs:code=value    what a code in one of their columns means
  --grader NAME=COLUMN       several graders a row, each in a column of its own`,
		Example: `  uplift import labels s labels.csv
  uplift import labels s theirs.csv --columns task=id,family=type,tier=safe \
      --map safe:1=benign,safe:0=harmful --set model=m,condition=plain,scale=compliance \
      --grader human=final --map final:1=1,final:2=0,final:3=0.5`,
		Args: positional(2, -1, "a directory and at least one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := labelOptions(columns, set, maps, graders)
			if err != nil {
				return usage("import labels: %w", err)
			}
			var sources []source
			for _, path := range args[1:] {
				sources = append(sources, source{path: path, format: "labels", read: func(f *os.File, sink interop.Sink) (interop.Counts, error) {
					return interop.Labels(f, path, opt, sink)
				}})
			}
			return importSources(cmd.Context(), env, args[0], flags, sources)
		},
	}
	// StringArray leaves commas to the parsers, which know about quoting.
	cmd.Flags().StringArrayVar(&columns, "columns", nil, "ours=theirs,...: which of their columns holds ours")
	cmd.Flags().StringArrayVar(&set, "set", nil, "ours=constant,...: one value for every row")
	cmd.Flags().StringArrayVar(&maps, "map", nil, "theirs:code=value,...: what a code in a column of theirs means")
	cmd.Flags().StringArrayVar(&graders, "grader", nil, "NAME=COLUMN: a grader's column (repeatable)")
	flags.add(cmd)
	return cmd
}

func labelOptions(columns, set, maps, graders []string) (opt interop.LabelOptions, err error) {
	if opt.Columns, err = interop.ParseColumns(columns...); err != nil {
		return opt, err
	}
	if opt.Set, err = interop.ParseSet(set...); err != nil {
		return opt, err
	}
	if opt.Map, err = interop.ParseMap(maps...); err != nil {
		return opt, err
	}
	opt.Graders, err = interop.ParseGraders(graders...)
	return opt, err
}
