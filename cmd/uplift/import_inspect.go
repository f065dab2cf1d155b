package main

import (
	"os"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

func newImportInspect(env *Env) *cobra.Command {
	var (
		flags  importFlags
		opt    interop.InspectOptions
		scales []string
		tier   string
	)
	cmd := &cobra.Command{
		Use: "inspect DIR LOG.eval...", Short: "Import Inspect AI logs",
		Long: `inspect reads .eval logs of Inspect AI. With no flags every score is taken, each
as a scale of its scorer's name, and the condition is the log's name. Samples
without a tier are kept but enter no endpoint: give --tier or --tier-from.`,
		Example: `  uplift import inspect s helpful.eval safety.eval --scale compliance=match --tier-from tier`,
		Args:    positional(2, -1, "a directory and at least one log"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if opt.Scales, err = interop.ParseScales(scales...); err != nil {
				return usage("import inspect: %w", err)
			}
			if tier != "" {
				if opt.Tier, err = uplift.ParseTier(tier); err != nil {
					return usage("import inspect: --tier: %w", err)
				}
				if opt.TierFrom != "" {
					return usage("import inspect: --tier and --tier-from exclude each other")
				}
			}
			var sources []source
			for _, path := range args[1:] {
				sources = append(sources, source{path: path, format: "inspect", read: func(f *os.File, sink interop.Sink) (interop.Counts, error) {
					info, err := f.Stat()
					if err != nil {
						return interop.Counts{}, err
					}
					return interop.Inspect(f, info.Size(), path, opt, sink)
				}})
			}
			return importSources(cmd.Context(), env, args[0], flags, sources)
		},
	}
	cmd.Flags().StringVar(&opt.Condition, "condition", "", "name of the condition (default: each log's own name)")
	cmd.Flags().StringArrayVar(&scales, "scale", nil, "NAME=SCORER,...: take only this score, as this scale (repeatable)")
	cmd.Flags().StringVar(&tier, "tier", "", "benign, borderline or harmful: the tier of every sample")
	cmd.Flags().StringVar(&opt.TierFrom, "tier-from", "", "KEY of the sample's metadata that holds its tier")
	flags.add(cmd)
	choices(cmd, "tier", "benign", "borderline", "harmful")
	return cmd
}
