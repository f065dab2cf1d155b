package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/stats"
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
	s.Float64Var(&f.noise, "noise", 0, "share of a pair's variance that is rating noise (default: not known)")
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

// ask turns the flags into a question and answers it.
func (f *powerFlags) ask(ctx context.Context, args []string) (*power.Result, error) {
	q, err := f.question()
	if err != nil {
		return nil, err
	}
	if err := f.checkSource(args); err != nil {
		return nil, err
	}
	switch {
	case f.set("from-interval"):
		return f.fromInterval(q)
	case f.set("sd"):
		return f.fromNumbers(q)
	}
	return f.fromPilot(ctx, dirArg(args), q)
}

// checkSource refuses flags of one source with another.
func (f *powerFlags) checkSource(args []string) error {
	interval, numbers := f.set("from-interval"), f.set("sd")
	switch {
	case interval && numbers:
		return usage("--from-interval and --sd exclude each other: the interval gives the standard deviation")
	case (interval || numbers) && len(args) > 0:
		return usage("a directory and --from-interval or --sd exclude each other (got %s)", args[0])
	case interval && !(f.set("pairs") && f.set("tasks")):
		return usage("--from-interval: --pairs and --tasks are missing (want the pairs behind the difference, and the tasks in which they lie)")
	case numbers && f.set("pairs") != f.set("tasks"):
		return usage("--pairs and --tasks describe the present design together (want both, or neither)")
	case !interval && !numbers && (f.set("pairs") || f.set("tasks") || f.set("icc")):
		return usage("--pairs, --tasks and --icc go with --from-interval or --sd: a pilot's pairs tell them (for other ICCs take --icc-grid)")
	case f.set("tasks") && f.tasks < 2:
		return usage("--tasks: %d (want at least 2)", f.tasks)
	case f.set("pairs") && f.pairs < f.tasks:
		return usage("--pairs: %d pairs in %d tasks (want at least one pair a task)", f.pairs, f.tasks)
	case f.set("icc") && !(f.icc >= 0 && f.icc < 1):
		return usage("--icc: %v (want from 0 to below 1)", f.icc)
	}
	for _, flag := range []string{"reference", "cluster", "grader"} {
		if (interval || numbers) && f.set(flag) {
			return usage("--%s goes with a pilot only (want a directory)", flag)
		}
	}
	return nil
}

// question is what the flags ask, before its basis is known.
func (f *powerFlags) question() (power.Question, error) {
	q := power.Question{
		Alpha: f.alpha, Power: f.aim, Margin: f.margin, Truth: f.truth, Better: power.Better(f.better),
		Double: f.double, Noise: f.noise, Endpoints: f.endpoints, Conditions: f.conditions,
		Minutes: f.minutes, Price: f.price, Curves: f.out != "",
	}
	if f.set("delta") {
		q.Delta = &f.delta
	}
	for flag, v := range map[string]float64{"margin": f.margin, "alpha": f.alpha, "power": f.aim, "minutes-per-rating": f.minutes, "price-per-rating": f.price} {
		if f.set(flag) && !(v > 0) {
			return q, usage("--%s: %v (want above 0)", flag, v)
		}
	}
	for flag, n := range map[string]int{"endpoints": f.endpoints, "conditions": f.conditions, "width": f.width} {
		if f.set(flag) && n < 1 {
			return q, usage("--%s: %d (want at least 1)", flag, n)
		}
	}
	if f.out != "" && !slices.Contains(append(report.Formats(), "html"), f.format()) {
		return q, usage("--out: %s (want a name that ends in .html, .svg, .png or .pdf)", f.out)
	}
	whole := func(s string) (int, error) { return strconv.Atoi(s) }
	real := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	return q, errors.Join(
		grid(&q.Tasks, "tasks-grid", f.tasksGrid, "whole numbers, such as 18,36,54", whole),
		grid(&q.Pairs, "pairs-grid", f.pairsGrid, "numbers, such as 2.72,5,10", real),
		grid(&q.ICCs, "icc-grid", f.iccGrid, "numbers, such as 0,0.1,0.25,0.5", real),
		grid(&q.Raters, "raters", f.raters, "whole numbers, such as 1,2", whole))
}

// grid reads a list of numbers.
func grid[T int | float64](into *[]T, flag, list, want string, read func(string) (T, error)) error {
	if list == "" {
		return nil
	}
	for word := range strings.SplitSeq(list, ",") {
		v, err := read(strings.TrimSpace(word))
		if err != nil {
			return usage("--%s: %q is no such number (want %s)", flag, word, want)
		}
		*into = append(*into, v)
	}
	return nil
}

// format is how --out ends.
func (f *powerFlags) format() string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
}

// answer asks, and turns what is wrong with a question into an error of usage.
func answer(bases []power.Basis, q power.Question) (*power.Result, error) {
	res, err := power.Ask(bases, q)
	if err != nil {
		return nil, usage("--%s", strings.ReplaceAll(err.Error(), "\n", "\n--"))
	}
	return res, nil
}

func (f *powerFlags) fromInterval(q power.Question) (*power.Result, error) {
	v, err := threeNumbers(f.interval)
	if err != nil {
		return nil, err
	}
	b, err := power.FromInterval(stats.Published{Value: v[0], Lo: v[1], Hi: v[2], Pairs: f.pairs, Tasks: f.tasks})
	if err != nil {
		return nil, usage("--from-interval: %s", strings.TrimPrefix(err.Error(), "published interval: "))
	}
	if f.set("icc") {
		b.ICC, b.ICCFrom = &f.icc, "as given"
	}
	if !f.set("endpoints") {
		q.Endpoints = 3 // a tier is an endpoint's
	}
	return answer([]power.Basis{b}, q)
}

// threeNumbers reads value,lower,upper.
func threeNumbers(list string) ([3]float64, error) {
	var out [3]float64
	words := strings.Split(list, ",")
	if len(words) != 3 {
		return out, usage("--from-interval: %q holds %d numbers (want three: value,lower,upper)", list, len(words))
	}
	for i, name := range []string{"value", "lower end", "upper end"} {
		v, err := strconv.ParseFloat(strings.TrimSpace(words[i]), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return out, usage("--from-interval: the %s %q is not a number (want value,lower,upper, such as -0.063,-0.117,-0.011)", name, words[i])
		}
		out[i] = v
	}
	return out, nil
}

func (f *powerFlags) fromNumbers(q power.Question) (*power.Result, error) {
	var icc *float64
	if f.set("icc") {
		icc = &f.icc
	}
	b, err := power.FromNumbers(f.sd, icc, f.pairs, f.tasks)
	if err != nil {
		return nil, usage("--sd: %w", err)
	}
	return answer([]power.Basis{b}, q)
}

// fromPilot plans with the pairs of a study, contrast by contrast.
func (f *powerFlags) fromPilot(ctx context.Context, dir string, q power.Question) (*power.Result, error) {
	f.analysis.level, f.analysis.replicates = 1-q.Alpha, 100 // no bootstrap is shown
	f.analysis.seedSet = func() bool { return false }
	if f.analysis.level < 0.5 || f.analysis.level > 0.9999 {
		return nil, usage("--alpha: %v (want from 0.0001 to 0.5)", q.Alpha)
	}
	s, opt, err := f.analysis.study(dir)
	if err != nil {
		return nil, err
	}
	db, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	found, err := analyze(ctx, s, db, opt, nil)
	if err != nil {
		return nil, err
	}
	bases, left := pilotBases(s, found, opt)
	if len(bases) == 0 {
		return nil, fmt.Errorf("%s: no contrast tells how its pairs vary: %s", s.dir, left[0].Text)
	}
	res, err := answer(bases, q)
	if err != nil {
		return nil, err
	}
	r := found.Result
	res.Study, res.Digest, res.Simulated, res.Cluster = r.Study, r.Digest, r.Simulated, string(r.Cluster)
	res.Warnings = slices.Concat(res.Warnings, r.Warnings, left)
	return res, nil
}

// contrastKey names a contrast.
type contrastKey struct{ model, condition, endpoint string }

// pilotBases makes one basis a contrast, and says which ones tell nothing.
func pilotBases(s *studyDir, found *analysis.Findings, opt analysis.Options) (bases []power.Basis, left []uplift.Warning) {
	values, tasks := map[contrastKey][]float64{}, map[contrastKey][]int{}
	ids := map[string]int{}
	for p := range found.Pairs {
		k := contrastKey{p.Model, p.Condition, p.Endpoint}
		unit := p.Task
		if opt.Cluster == analysis.ByFamily {
			unit = p.Family
		}
		if _, ok := ids[unit]; !ok {
			ids[unit] = len(ids)
		}
		values[k], tasks[k] = append(values[k], p.Difference), append(tasks[k], ids[unit])
	}
	for _, c := range found.Result.Contrasts {
		k := contrastKey{c.Model, c.Condition, c.Endpoint}
		b := power.Basis{Model: c.Model, Condition: c.Condition, Reference: c.Reference, Endpoint: c.Endpoint, Scale: c.Scale}
		for _, e := range s.plan.Plan().Endpoints {
			if e.Name == c.Endpoint {
				b.Better = power.Better(e.Better)
				if e.Margin != nil {
					b.Margin = *e.Margin
				}
			}
		}
		b, err := power.FromPairs(b, values[k], tasks[k], opt.Level)
		if err != nil {
			left = append(left, uplift.Warning{Code: power.CodeLeftOut, Text: fmt.Sprintf("%s of %s under %s is left out: %v", c.Endpoint, c.Condition, c.Model, err)})
			continue
		}
		bases = append(bases, b)
	}
	return bases, left
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
