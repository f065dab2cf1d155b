package main

import (
	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/report"
)

func newAgreement(env *Env) *cobra.Command {
	var (
		opt     analysis.AgreeOptions
		cluster string
		asJSON  bool
		seed    uint64
	)
	cmd := &cobra.Command{
		Use: "agreement [DIR]", Short: "How far the raters agree, by scale and tier",
		Long: `agreement compares the raters' own marks: raw agreement, Krippendorff's alpha,
Cohen's kappa, Gwet's AC1 and AC2 and the ICC, by scale and tier. A figure that
the marks cannot give is left out with its reason, never shown as 0 or 1.`,
		Example: `  uplift agreement s
  uplift agreement s --condition original --json`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Cluster = analysis.Cluster(cluster)
			if opt.Cluster != analysis.ByTask && opt.Cluster != analysis.ByFamily {
				return usage("agreement: --cluster: unknown value %q (want task or family)", cluster)
			}
			study, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			opt.Seed = study.plan.Plan().Seed
			if cmd.Flags().Changed("seed") {
				opt.Seed = seed
			}
			db, err := study.read(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			a, err := analysis.Agree(cmd.Context(), db, opt)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Stdout, a)
			}
			return report.AgreementText(env.Stdout, a, env.Width)
		},
	}
	cmd.Flags().StringVar(&opt.Condition, "condition", "", "only this condition (default: all)")
	cmd.Flags().StringArrayVar(&opt.Scales, "scale", nil, "only this scale (repeatable; default: all)")
	cmd.Flags().StringArrayVar(&opt.Judges, "judge", nil, "a judge that counts as one more rater (repeatable)")
	cmd.Flags().StringVar(&cluster, "cluster", "task", "what the bootstrap of the intervals resamples: task or family")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the bootstrap (default: the study's)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	choices(cmd, "cluster", "task", "family")
	return cmd
}
