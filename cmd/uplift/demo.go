package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

const demoDir = "uplift-demo"

func newDemo(env *Env) *cobra.Command {
	var full bool
	cmd := &cobra.Command{
		Use: "demo [DIR]", Short: "The whole road with a simulated model and raters, in seconds",
		Long: `demo walks the whole road in DIR (by default ./uplift-demo): it asks a simulated
model the 72 training tasks of the benchmark in three forms under three access
conditions, has simulated raters mark the replies blind, compares the conditions
and writes the report. The true effects are known, so the truth stands beside
each estimate. Nothing leaves this machine. Everything that it makes is marked
SIMULATED.

With --full it asks all 162 tasks in all seventeen forms, the locked ones after
it has locked the study, which takes a minute or more.

DIR may hold a study of your own whose models are all simulated (provider: sim):
demo then takes that one down the road, from where it is. One that asks a locked
split wants its lock first: by uplift lock, or here by --full.

Run again in the same directory, it goes on where it was.`,
		Example: "  uplift demo\n  uplift demo /tmp/demo\n  uplift demo --full /tmp/full",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := demoDir
			if len(args) > 0 {
				dir = args[0]
			}
			return demo(cmd.Context(), env, dir, full)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "all tasks in every form; lock the study first")
	return cmd
}

// demo walks the road. Each step is the one that a real study takes.
func demo(ctx context.Context, env *Env, dir string, full bool) error {
	s, err := demoStudy(env, dir, full)
	if err != nil {
		return err
	}
	if full {
		if err := lockStudy(ctx, env, s); err != nil {
			return err
		}
	}
	a, err := s.asking(ctx, env, false)
	if err != nil {
		return err
	}
	defer a.end()
	if err := runStudy(ctx, env, a); err != nil {
		return err
	}
	if err := simulateRating(ctx, env, s, a.w, a.db); err != nil {
		return err
	}
	return demoReport(ctx, env, s, a.db)
}

// demoStudy writes the demo's study, or takes the one that is there.
func demoStudy(env *Env, dir string, full bool) (*studyDir, error) {
	names, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(names) == 0:
		if err := writeDemo(dir, full); err != nil {
			return nil, hint(err, "choose another directory: uplift demo DIR")
		}
	case err != nil:
		return nil, hint(fmt.Errorf("demo: %w", err), "choose another directory: uplift demo DIR")
	}
	s, err := loadStudy(dir)
	if err != nil {
		return nil, hint(err, "choose an empty directory, or a new one: uplift demo DIR")
	}
	plan := s.plan.Plan()
	for _, m := range plan.Models {
		if m.Provider != study.Sim {
			return nil, hint(fmt.Errorf("%s: this is a real study: model %s is not simulated", dir, m.Name),
				"choose another directory: uplift demo DIR")
		}
	}
	if len(plan.Models) == 0 {
		return nil, hint(fmt.Errorf("%s: this is a real study: its conditions are imported", dir),
			"choose another directory: uplift demo DIR")
	}
	if full && !asksLocked(plan) {
		return nil, hint(fmt.Errorf("%s: this is the demo without --full", dir), "choose another directory: uplift demo --full DIR")
	}
	fmt.Fprintf(env.Stderr, "SIMULATED study in %s\n", dir)
	return s, nil
}

// asksLocked reports whether the plan asks the locked split.
func asksLocked(plan study.Plan) bool {
	return plan.Benchmark != nil && slices.Contains(plan.Benchmark.Splits, uplift.Test)
}

// writeDemo writes the demo's study. The full one differs in what it asks.
func writeDemo(dir string, full bool) error {
	if _, err := initStudy(dir, "demo"); err != nil || !full {
		return err
	}
	path := filepath.Join(dir, study.File)
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	data = benchmarkLine.ReplaceAllLiteral(data, []byte("benchmark: {set: builtin, splits: [train, dev, test, test-b], attacks: [standard, adaptive]}"))
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return nil
}

// benchmarkLine is what the template's study asks.
var benchmarkLine = regexp.MustCompile(`(?m)^benchmark: .*$`)

// simulateRating blinds every response, has the simulated panel mark the rows
// that are still open, and closes the rating.
func simulateRating(ctx context.Context, env *Env, s *studyDir, w *wired, db *store.Store) error {
	seed := s.plan.Plan().Seed
	key := fmt.Appendf(nil, "simulated rating key %d", seed) // a real study's key is drawn, and kept apart
	rows, shows, err := blindRows(ctx, db, w, key)
	if err != nil {
		return err
	}
	if err := db.PutRows(ctx, shows); err != nil {
		return err
	}
	open, err := db.OpenRows(ctx)
	if err != nil || len(open) == 0 {
		return err
	}
	panel := rating.Panel{Seed: seed}
	var ratings []rating.Rating
	for _, id := range open {
		ratings = append(ratings, panel.Rate(rows[id], env.Now())...)
	}
	if err := db.PutRatings(ctx, ratings...); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "rated   %s rows blind, %s ratings by simulated raters\n", grouped(len(open)), grouped(len(ratings)))
	return db.Freeze(ctx)
}

// demoReport analyses, writes the report and says what to do next.
func demoReport(ctx context.Context, env *Env, s *studyDir, db *store.Store) error {
	flags := analysisFlags{cluster: "task", level: 0.95, replicates: 10_000, seedSet: func() bool { return false }}
	leave, err := guard(ctx, env, s, "report", false)
	if err != nil {
		return err
	}
	opt := flags.options(s, leave)
	res, names, err := (&opened{s, db, leave, opt}).writeReport(ctx, env, filepath.Join(s.dir, "report"))
	if err != nil {
		return err
	}
	if err := report.Text(env.Stdout, res, env.Width); err != nil {
		return err
	}
	page, err := filepath.Abs(names[0])
	if err != nil {
		page = names[0]
	}
	fmt.Fprintf(env.Stderr, `
report  %s
next    %s
`, page, nextAfterDemo(s.dir))
	return nil
}
