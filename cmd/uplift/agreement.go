package main

import (
	"slices"

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
		// show one condition of a locked split
		exploratory bool
		show        agreementParts
	)
	cmd := &cobra.Command{
		Use: "agreement [DIR]", Short: "How far the raters agree, by scale and tier",
		Long: `agreement compares the raters' own marks, by scale and tier: the share of equal
marks, Krippendorff's alpha, Cohen's kappa, Gwet's AC1 and the ICC, with
intervals from drawing tasks again. A figure that the marks cannot give is left
out with its reason, never shown as 0 or 1.

--all adds every coefficient with its standard error, the tables of which values
met, each rater, each two raters, and who marked together; these are of all tiers
unless --tier names one. --json holds everything, of every tier.`,
		Example: `  uplift agreement s
  uplift agreement s --pairs --raters
  uplift agreement s --all --scale actionability --tier harmful
  uplift agreement s --condition original --json`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkAnalysis("agreement: ", cluster, analysis.DefaultLevel); err != nil {
				return err
			}
			for _, t := range opt.Tiers {
				if !slices.Contains(agreementTiers, t) {
					return usage("agreement: --tier: unknown value %q (want benign, borderline, harmful or all)", t)
				}
			}
			study, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			leave := study.look(cmd.Context())
			if opt.Condition != "" || leave.apart { // else nothing is told of a condition
				if err := leave.grant(env, study, "agreement", exploratory); err != nil {
					return err
				}
			}
			agreeAsLocked(&opt, study, leave, analysis.Cluster(cluster), cmd.Flags().Changed("cluster"))
			if cmd.Flags().Changed("seed") {
				opt.Seed = seed
			}
			opt.Standing.Deviations = agreesOtherwise(opt, study, leave)
			db, err := study.read(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			a, err := analysis.Agree(cmd.Context(), db, opt)
			if err != nil {
				return unlabelled(cmd.Context(), study, db, err)
			}
			if err := leave.begin(); err != nil {
				return err
			}
			if a.BroughtIn, err = study.broughtIn(cmd.Context(), db); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Stdout, a)
			}
			return report.AgreementText(env.Stdout, a, env.Width, show.parts()...)
		},
	}
	cmd.Flags().StringVar(&opt.Condition, "condition", "", "only this condition (default: all)")
	cmd.Flags().StringArrayVar(&opt.Scales, "scale", nil, "only this scale (repeatable; default: all)")
	cmd.Flags().StringArrayVar(&opt.Tiers, "tier", nil, "only this tier: benign, borderline, harmful or all (repeatable; default: each)")
	cmd.Flags().StringArrayVar(&opt.Judges, "judge", nil, "a judge that counts as one more rater (repeatable)")
	cmd.Flags().StringArrayVar(&opt.Ratio, "ratio", nil, "a scale of amounts with a true zero, which then has a ratio alpha (repeatable)")
	cmd.Flags().StringVar(&cluster, "cluster", "task", "what the bootstrap of the intervals resamples: task or family")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the bootstrap (default: the study's)")
	cmd.Flags().BoolVar(&exploratory, "exploratory", false, "with --condition, show a locked split without a valid lock: recorded")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: everything, of every tier")
	show.add(cmd)
	choices(cmd, "cluster", "task", "family")
	choices(cmd, "tier", agreementTiers...)
	return cmd
}

// agreeAsLocked takes what the flags leave open from study and lock.
func agreeAsLocked(opt *analysis.AgreeOptions, s *studyDir, leave *permit, cluster analysis.Cluster, clusterSet bool) {
	opt.Standing, opt.Seed, opt.Cluster, opt.Level = leave.Standing, s.plan.Plan().Seed, cluster, analysis.DefaultLevel
	leave.fill(&opt.Cluster, &opt.Level, clusterSet, false)
}

// agreesOtherwise says how an agreement differs from what was locked, as far as
// it has the same choices as an analysis.
func agreesOtherwise(opt analysis.AgreeOptions, s *studyDir, leave *permit) []string {
	if leave.frozen == nil {
		return nil
	}
	return leave.notAsLocked(s.plan.Plan(), analysis.Options{Cluster: opt.Cluster, Level: opt.Level, Seed: opt.Seed,
		Reference: s.plan.Plan().Reference, Replicates: lockedAnalysis(leave.frozen.lock).Resamples})
}

var agreementTiers = []string{"benign", "borderline", "harmful", analysis.AllTiers}

// agreementParts are the flags for what the terminal shows beside its table.
type agreementParts struct{ figures, tables, raters, pairs, patterns, all bool }

func (s *agreementParts) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.figures, "figures", false, "show every coefficient with its standard error and interval")
	cmd.Flags().BoolVar(&s.tables, "tables", false, "show how often which two values met")
	cmd.Flags().BoolVar(&s.raters, "raters", false, "show how each rater marked")
	cmd.Flags().BoolVar(&s.pairs, "pairs", false, "show how each two raters agree")
	cmd.Flags().BoolVar(&s.patterns, "patterns", false, "show who marked together, and so which marks are missing")
	cmd.Flags().BoolVar(&s.all, "all", false, "show all of these")
}

func (s *agreementParts) parts() []report.AgreementPart {
	var out []report.AgreementPart
	for _, p := range []struct {
		on   bool
		part report.AgreementPart
	}{
		{s.figures, report.AgreementFigures}, {s.tables, report.AgreementTables}, {s.raters, report.AgreementRaters},
		{s.pairs, report.AgreementPairs}, {s.patterns, report.AgreementPatterns},
	} {
		if p.on || s.all {
			out = append(out, p.part)
		}
	}
	return out
}
