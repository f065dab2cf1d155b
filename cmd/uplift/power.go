package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/internal/report"
)

// powerFlags are what uplift power is asked.
type powerFlags struct {
	env      *Env
	analysis analysisFlags

	models, conds, ends []string // of a pilot; empty: all
	interval            string
	sd, icc             float64
	pairs, tasks        int
	delta               float64
	alpha, aim          float64
	margin, truth       float64
	better              string
	tasksGrid           string
	pairsGrid           string
	iccGrid, raters     string
	double, noise       float64
	endpoints           int
	conditions          int
	minutes, price      float64
	out                 string
	width               int
	asJSON              bool

	set func(flag string) bool
}

func newPower(env *Env) *cobra.Command {
	f := powerFlags{env: env}
	cmd := &cobra.Command{
		Use: "power [DIR]", Short: "What a design could show, before anyone pays for ratings",
		Long: `power tells how likely a study is to find a difference: by tasks of the endpoint,
pairs a task, raters and the intraclass correlation (ICC) of the pairs of one
task. It gives the smallest difference that a design finds, the tasks that a
power takes, the same for non-inferiority, and the price in ratings.

What it plans with comes from one of three places:

  uplift power DIR                     the pairs of a pilot study, contrast by contrast
  uplift power --from-interval V,L,H   a published difference with its 95 % interval
  uplift power --sd SD                 numbers

Tasks are the clusters: models, attacks and replicates add rows, not tasks. The
test is the t test on tasks less one degrees of freedom. Numbers joined by strokes,
such as .59/.53/.45/.36, go by ICC, lowest first.

A difference is condition minus reference. With a pilot, whose endpoints have
directions of their own, --delta and --truth are gains instead: -0.05 is a fall of
0.05 where higher is better (utility) and a rise where lower is (risk).`,
		Example: `  uplift power --from-interval -0.063,-0.117,-0.011 --pairs 49 --tasks 18
  uplift power s --reference none --cluster family --delta -0.2 --out power.html
  uplift power s --endpoint utility --delta -0.05 --margin 0.05
  uplift power --sd 0.19 --icc 0.1 --delta -0.06 --tasks-grid 12,24,48 --raters 1,2 --noise 0.3`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags().Changed
			res, err := f.ask(cmd.Context(), args)
			if err != nil {
				return err
			}
			if err := f.write(env, res); err != nil {
				return err
			}
			return leftOutOfPower(res)
		},
	}
	f.add(cmd)
	return cmd
}

func (f *powerFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.interval, "from-interval", "", "published difference with its 95 % interval: value,lower,upper")
	s.Var(wholeFlag(&f.pairs, 0), "pairs", "pairs of the published study, or of the present design")
	s.Var(wholeFlag(&f.tasks, 0), "tasks", "tasks in which those pairs lie")
	s.Var(realFlag(&f.sd, 0), "sd", "standard deviation of one pair's difference")
	s.Var(realFlag(&f.icc, 0), "icc", "intraclass correlation of the pairs of one task, from 0 to below 1")
	s.Var(realFlag(&f.delta, 0), "delta", "true difference to find; with a pilot a gain, below 0 a loss (default: the published or the pilot's)")
	s.Var(realFlag(&f.alpha, 0.05), "alpha", "two-sided level of the test, from 0.0001 to 0.5; non-inferiority is tested at half of it")
	s.Var(realFlag(&f.aim, 0.8), "power", "power to aim for")
	s.Var(realFlag(&f.margin, 0), "margin", "margin of non-inferiority, on the scale")
	s.Var(realFlag(&f.truth, 0), "truth", "true difference under which non-inferiority is to be shown; with a pilot a gain")
	s.StringVar(&f.better, "better", "", "which way the scale is better: lower or higher")
	s.StringVar(&f.tasksGrid, "tasks-grid", "", "tasks of the endpoint, such as 18,36,54")
	s.StringVar(&f.pairsGrid, "pairs-grid", "", "pairs a task, such as 2.72,5,10")
	s.StringVar(&f.iccGrid, "icc-grid", "", "intraclass correlations, such as 0,0.1,0.25,0.5")
	s.StringVar(&f.raters, "raters", "1", "raters of every response, such as 1,2")
	s.Var(realFlag(&f.double, 0), "double", "share of the responses that one rater more marks")
	s.Var(realFlag(&f.noise, 0), "noise", "share of a pair's variance, each response rated once, that is rating noise (default: what a pilot's pairs rated twice tell)")
	s.Var(wholeFlag(&f.endpoints, 0), "endpoints", "endpoints into which a benchmark's tasks divide (default: 3 with --from-interval, else 1)")
	s.Var(wholeFlag(&f.conditions, 1), "conditions", "conditions that share one reference, for the price")
	s.Var(realFlag(&f.minutes, 0), "minutes-per-rating", "minutes of work a rating, for the hours")
	s.Var(realFlag(&f.price, 0), "price-per-rating", "price of a rating, for the money")
	s.StringVar(&f.out, "out", "", "also write a picture or a page: FILE.html, .svg, .png or .pdf")
	s.Var(wholeFlag(&f.width, 0), "width", "columns of the text (default: the terminal's)")
	s.BoolVar(&f.asJSON, "json", false, "print JSON")
	s.StringVar(&f.analysis.reference, "reference", "", "of a pilot: condition that all others are compared with (default: the study's)")
	s.StringVar(&f.analysis.cluster, "cluster", "task", "of a pilot: independent unit, task or family")
	s.StringVar(&f.analysis.grader, "grader", "", "of a pilot: whose labels count, human or a judge's name (default: human)")
	s.BoolVar(&f.analysis.exploratory, "exploratory", false, "of a pilot: plan with a locked split without a valid lock: recorded")
	s.StringArrayVar(&f.ends, "endpoint", nil, "of a pilot: only this endpoint; may be repeated, as the next two")
	s.StringArrayVar(&f.conds, "condition", nil, "of a pilot: only this condition")
	s.StringArrayVar(&f.models, "model", nil, "of a pilot: only this model")
	choices(cmd, "better", "lower", "higher")
	choices(cmd, "cluster", "task", "family")
}

// write prints the result, and draws it where --out says.
func (f *powerFlags) write(env *Env, res *power.Result) error {
	if f.out != "" {
		draw := func(w io.Writer) error { return report.PowerHTML(w, res, provenance()) }
		if format := f.format(); format != "html" {
			draw = func(w io.Writer) error {
				b, err := report.PowerFigure(res, format)
				if err == nil {
					_, err = w.Write(b)
				}
				return err
			}
		}
		if err := writeOut(env, f.out, draw); err != nil {
			return outError(f.out, err)
		}
		fmt.Fprintf(env.Stderr, "wrote %s\n", f.out)
	}
	if f.asJSON {
		return writeJSON(env.Stdout, res)
	}
	width := env.Width
	if f.width > 0 {
		width = f.width
	}
	return report.PowerText(env.Stdout, res, width)
}

// outError says so where the folder of the file is missing.
func outError(path string, err error) error {
	dir := filepath.Dir(path)
	if _, missing := os.Stat(dir); errors.Is(missing, fs.ErrNotExist) {
		return fmt.Errorf("write %s: there is no folder %s", path, dir)
	}
	return err
}

// leftOutOfPower is the gap of a pilot of which a contrast tells nothing.
func leftOutOfPower(res *power.Result) error {
	for _, w := range res.Warnings {
		if w.Code == power.CodeLeftOut || w.Code == analysis.CodeNoReference {
			return gaps("%s", w.Text)
		}
	}
	return nil
}
