package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/internal/report"
)

// powerFlags are what uplift power is asked.
type powerFlags struct {
	analysis analysisFlags

	interval        string
	sd, icc         float64
	pairs, tasks    int
	delta           float64
	alpha, aim      float64
	margin, truth   float64
	better          string
	tasksGrid       string
	pairsGrid       string
	iccGrid, raters string
	double, noise   float64
	endpoints       int
	conditions      int
	minutes, price  float64
	out             string
	width           int
	asJSON          bool

	set func(flag string) bool
}

func newPower(env *Env) *cobra.Command {
	var f powerFlags
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
test is the t test on tasks less one degrees of freedom.`,
		Example: `  uplift power --from-interval -0.063,-0.117,-0.011 --pairs 49 --tasks 18
  uplift power s --delta -0.05 --margin 0.05 --out power.html
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
	s.IntVar(&f.pairs, "pairs", 0, "pairs of the published study, or of the present design")
	s.IntVar(&f.tasks, "tasks", 0, "tasks in which those pairs lie")
	s.Float64Var(&f.sd, "sd", 0, "standard deviation of one pair's difference")
	s.Float64Var(&f.icc, "icc", 0, "intraclass correlation of the pairs of one task, from 0 to below 1")
	s.Float64Var(&f.delta, "delta", 0, "true difference to find (default: the published or the pilot's)")
	s.Float64Var(&f.alpha, "alpha", 0.05, "two-sided level of the test; non-inferiority is tested at half of it")
	s.Float64Var(&f.aim, "power", 0.8, "power to aim for")
	s.Float64Var(&f.margin, "margin", 0, "margin of non-inferiority, on the scale")
	s.Float64Var(&f.truth, "truth", 0, "true difference under which non-inferiority is to be shown")
	s.StringVar(&f.better, "better", "", "which way the scale is better: lower or higher")
	s.StringVar(&f.tasksGrid, "tasks-grid", "", "tasks of the endpoint, such as 18,36,54")
	s.StringVar(&f.pairsGrid, "pairs-grid", "", "pairs a task, such as 2.72,5,10")
	s.StringVar(&f.iccGrid, "icc-grid", "", "intraclass correlations, such as 0,0.1,0.25,0.5")
	s.StringVar(&f.raters, "raters", "1", "raters of every response, such as 1,2")
	s.Float64Var(&f.double, "double", 0, "share of the responses that one rater more marks")
	s.Float64Var(&f.noise, "noise", 0, "share of a pair's variance, each response rated once, that is rating noise (default: what a pilot's pairs rated twice tell)")
	s.IntVar(&f.endpoints, "endpoints", 0, "endpoints into which a benchmark's tasks divide (default: 3 with --from-interval, else 1)")
	s.IntVar(&f.conditions, "conditions", 1, "conditions that share one reference, for the price")
	s.Float64Var(&f.minutes, "minutes-per-rating", 0, "minutes of work a rating, for the hours")
	s.Float64Var(&f.price, "price-per-rating", 0, "price of a rating, for the money")
	s.StringVar(&f.out, "out", "", "also write a picture or a page: FILE.html, .svg, .png or .pdf")
	s.IntVar(&f.width, "width", 0, "columns of the text (default: the terminal's)")
	s.BoolVar(&f.asJSON, "json", false, "print JSON")
	s.StringVar(&f.analysis.reference, "reference", "", "of a pilot: condition that all others are compared with (default: the study's)")
	s.StringVar(&f.analysis.cluster, "cluster", "task", "of a pilot: independent unit, task or family")
	s.StringVar(&f.analysis.grader, "grader", "", "of a pilot: whose labels count, human or a judge's name (default: human)")
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
			return err
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

// leftOutOfPower is the gap of a pilot of which a contrast tells nothing.
func leftOutOfPower(res *power.Result) error {
	for _, w := range res.Warnings {
		if w.Code == power.CodeLeftOut || w.Code == analysis.CodeNoReference {
			return gaps("%s", w.Text)
		}
	}
	return nil
}
