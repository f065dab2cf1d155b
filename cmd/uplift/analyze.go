package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// analysisFlags choose how the labels are analysed.
type analysisFlags struct {
	reference, cluster, grader string
	level                      float64
	replicates                 int
	seed                       uint64
	exploratory                bool
	seedSet                    func() bool
	set                        func(flag string) bool // nil where nobody sets any
}

func (f *analysisFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.reference, "reference", "", "condition that all others are compared with (default: the study's)")
	cmd.Flags().StringVar(&f.cluster, "cluster", "task", "independent unit: task or family")
	cmd.Flags().StringVar(&f.grader, "grader", "", "whose labels count: human or a judge's name (default: human)")
	cmd.Flags().Float64Var(&f.level, "level", 0.95, "confidence level, from 0.5 to 0.9999")
	cmd.Flags().IntVar(&f.replicates, "replicates", 10_000, "resamples of every bootstrap")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "seed of every bootstrap (default: the study's)")
	cmd.Flags().BoolVar(&f.exploratory, "exploratory", false, "show a locked split without a valid lock: recorded, and every number is marked")
	f.seedSet = func() bool { return cmd.Flags().Changed("seed") }
	f.set = cmd.Flags().Changed
	choices(cmd, "cluster", "task", "family")
}

// opened is a study whose numbers may be shown, with its database.
type opened struct {
	*studyDir
	db    *store.Store
	leave *permit
	opt   analysis.Options
}

// open checks the flags, wants leave to show the study's numbers, opens its
// database, and joins the flags with what study and lock say.
func (f *analysisFlags) open(ctx context.Context, env *Env, command, dir string) (*opened, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	s, err := loadStudy(dir)
	if err != nil {
		return nil, err
	}
	leave, err := guard(ctx, env, s, command, f.exploratory)
	if err != nil {
		return nil, err
	}
	db, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return &opened{s, db, leave, f.options(s, leave)}, nil
}

func (f *analysisFlags) check() error {
	if err := checkAnalysis("", f.cluster, f.level); err != nil {
		return err
	}
	if f.replicates < 100 || f.replicates > 10_000_000 {
		return usage("--replicates: %d (want 100 to 10000000)", f.replicates)
	}
	return nil
}

// options joins the flags with what the study says.
func (f *analysisFlags) options(s *studyDir, leave *permit) analysis.Options {
	plan := s.plan.Plan()
	opt := analysis.Options{
		Study: plan.Name, Digest: s.plan.Digest(), Simulated: plan.Simulated(),
		Cluster: analysis.Cluster(f.cluster), Level: f.level, Grader: f.grader,
		Reference: plan.Reference, Endpoints: s.endpoints(), Planned: plan.Contrasts(),
		Seed: plan.Seed, Replicates: f.replicates,
		Adaptive: attack.Probes(), Standing: leave.Standing, Blocks: analysis.Blocks(plan.ProviderBlocks),
		Baselines: baselines(plan.Conditions.List), Ablations: ablations(plan.Conditions.List),
	}
	if f.reference != "" {
		opt.Reference = f.reference
	}
	if f.seedSet() {
		opt.Seed = f.seed
	}
	leave.fill(&opt.Cluster, &opt.Level, f.set != nil && f.set("cluster"), f.set != nil && f.set("level"))
	opt.Standing.Deviations = leave.notAsLocked(plan, opt)
	return opt
}

func newAnalyze(env *Env) *cobra.Command {
	var (
		flags  analysisFlags
		format string
		asJSON bool
		detail bool
	)
	cmd := &cobra.Command{
		Use: "analyze [DIR]", Short: "Paired contrasts, intervals and the utility-risk frontier",
		Long: `analyze compares every condition with the reference on the responses that both
have labels for (same model, item and replicate). The headline interval is CR2
with Satterthwaite degrees of freedom over the clusters; beside it stand the
exact sign-flip p and sensitivity intervals; --detail shows every one, with how
often it covered the truth in simulations, and every other number.

The contrasts of one endpoint, over conditions and models, are a family: Holm
and max-t adjust their p for its size. Where study.yaml gives an endpoint a
margin, "not worse by more than the margin" is tested; without a margin no
result is called no worse.

Where a study takes a controller apart (scores, actions, ablate), a table says
where its change comes from: by score, by action, and without some cues.`,
		Example: `  uplift analyze s --reference none --cluster family
  uplift analyze s --reference none --detail
  uplift analyze s --reference none --json`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := analysisWriter(env, format, asJSON, detail)
			if err != nil {
				return err
			}
			s, err := flags.open(cmd.Context(), env, "analyze", dirArg(args))
			if err != nil {
				return err
			}
			defer s.db.Close()
			found, err := s.analyzeShown(cmd.Context(), env, nil)
			if err != nil {
				return err
			}
			if err := s.leave.begin(); err != nil {
				return err
			}
			if err := write(env.Stdout, found.Result); err != nil {
				return err
			}
			return leftOut(found.Result)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "text, md, csv or latex")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print everything as JSON")
	cmd.Flags().BoolVar(&detail, "detail", false, "show every interval and number of each contrast")
	choices(cmd, "format", "text", "md", "csv", "latex")
	return cmd
}

// analysisWriter chooses how a result is printed.
func analysisWriter(env *Env, format string, asJSON, detail bool) (func(io.Writer, *analysis.Result) error, error) {
	if detail && (asJSON || format != "text") {
		return nil, usage("analyze: --detail is for the text form; the others hold everything already")
	}
	if asJSON {
		if format != "text" {
			return nil, usage("analyze: --json and --format %s exclude each other", format)
		}
		return func(w io.Writer, r *analysis.Result) error { return writeJSON(w, r) }, nil
	}
	switch format {
	case "text":
		var parts []report.TextPart
		if detail {
			parts = append(parts, report.ContrastDetail)
		}
		return func(w io.Writer, r *analysis.Result) error { return report.Text(w, r, env.Width, parts...) }, nil
	case "md":
		return report.Markdown, nil
	case "csv":
		return report.CSV, nil
	case "latex":
		return report.LaTeX, nil
	}
	return nil, usage("analyze: --format: unknown value %q (want text, md, csv or latex)", format)
}

// analyzeShown is analyze with a bar on a terminal: many conditions take a while.
func (s *opened) analyzeShown(ctx context.Context, env *Env, agree *analysis.AgreeOptions) (*analysis.Findings, error) {
	bar := newProgress(env, "contrasts")
	defer bar.end()
	s.opt.Progress = bar.set
	return s.analyze(ctx, agree)
}

// analyze reads the store as it is at one moment and analyses it; the raters'
// agreement comes along when agree asks for it. In a simulated study the truth
// goes beside each estimate.
func (o *opened) analyze(ctx context.Context, agree *analysis.AgreeOptions) (*analysis.Findings, error) {
	s, db, opt := o.studyDir, o.db, o.opt
	if opt.Reference == "" {
		return nil, referenceMissing(ctx, db)
	}
	if err := o.imported(ctx, &opt); err != nil {
		return nil, err
	}
	switch changed, err := s.changed(ctx, db, o.leave); {
	case err != nil:
		return nil, err
	case changed != "": // the truth would be that of another plan, and so would what conditions are
		opt.Baselines, opt.Ablations = nil, nil
		opt.Notes = append(opt.Notes, uplift.Warning{Code: analysis.CodeStudyChanged, Text: changed + ": what it says now is not what was run"})
	case opt.Simulated && !opt.BroughtIn: // else the truth is that of other labels
		if opt.Truth, err = truth(ctx, s, opt); err != nil {
			return nil, err
		}
	}
	if len(opt.Standing.Deviations) > 0 {
		opt.Notes = append(opt.Notes, opt.Standing.Deviation())
	}
	if part := o.leave.stored.incomplete(); part != "" {
		opt.Notes = append(opt.Notes, uplift.Warning{Code: analysis.CodeIncomplete, Text: part + ": who saw these numbers before the rest was asked could have chosen when to stop"})
	}
	now, err := db.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer now.Close()
	note, err := withheldNote(ctx, db, now)
	if err != nil {
		return nil, err
	}
	opt.Notes = append(opt.Notes, note...)
	found, err := analysis.Full(ctx, now, opt, agree)
	if errors.Is(err, analysis.ErrOtherScales) {
		return nil, hint(err, "say under endpoints: in %s which scales utility and risk are made of", filepath.Join(s.dir, study.File))
	}
	if err != nil {
		err = unlabelled(ctx, s, db, err)
	}
	return found, err
}

// referenceMissing names the conditions to choose from.
func referenceMissing(ctx context.Context, db *store.Store) error {
	var names []string
	seen := map[string]bool{}
	for r, err := range db.Responses(ctx) {
		if err != nil {
			return err
		}
		if !seen[r.Condition] {
			seen[r.Condition] = true
			names = append(names, r.Condition)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return fmt.Errorf("there are no responses to compare")
	}
	return hint(usage("--reference is missing: an imported study names none (have %s)", someOf(names)),
		"give the condition that the others are compared with, such as --reference NAME")
}

// someOf lists names, but not hundreds of them.
func someOf(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// leftOut is the gap of an analysis in which a model has no reference.
func leftOut(res *analysis.Result) error {
	for _, w := range res.Warnings {
		if w.Code == analysis.CodeNoReference {
			return gaps("%s", w.Text)
		}
	}
	return nil
}
