package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/stats"
)

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
	case f.set("tasks") && (f.tasks < 2 || f.tasks > power.MostTasks):
		return usage("--tasks: %d (want 2 to %d)", f.tasks, power.MostTasks)
	case f.set("pairs") && f.pairs > power.MostPairs:
		return usage("--pairs: %d (want at most %d)", f.pairs, power.MostPairs)
	case f.set("pairs") && f.pairs < f.tasks:
		return usage("--pairs: %d in %d tasks (want at least one pair a task)", f.pairs, f.tasks)
	case f.set("icc") && !(f.icc >= 0 && f.icc < 1):
		return usage("--icc: %v (want from 0 to below 1)", f.icc)
	}
	for _, flag := range []string{"reference", "cluster", "grader", "endpoint", "condition", "model"} {
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
		Double: f.double, Noise: f.noise, NoiseGiven: f.set("noise"), Endpoints: f.endpoints, Conditions: f.conditions,
		Minutes: f.minutes, Price: f.price, Curves: f.out != "",
	}
	if f.set("delta") {
		q.Delta = &f.delta
	}
	if err := f.notZero(); err != nil {
		return q, err
	}
	if f.set("out") && !slices.Contains(append(report.Formats(), "html"), f.format()) {
		return q, usage("--out: %q (want a name that ends in .html, .svg, .png or .pdf)", f.out)
	}
	return q, errors.Join(
		grid(&q.Tasks, "tasks-grid", f.tasksGrid, "whole numbers, such as 18,36,54", readWhole),
		grid(&q.Pairs, "pairs-grid", f.pairsGrid, "numbers, such as 2.72,5,10", readReal),
		grid(&q.ICCs, "icc-grid", f.iccGrid, "numbers, such as 0,0.1,0.25,0.5", readReal),
		grid(&q.Raters, "raters", f.raters, "whole numbers, such as 1,2", readWhole))
}

// notZero refuses a 0 that was given where the question takes 0 for "not asked".
func (f *powerFlags) notZero() error {
	for _, n := range []struct {
		flag  string
		value float64
		want  string
	}{
		{"margin", f.margin, "above 0 and at most 1e+50"},
		{"alpha", f.alpha, "from 0.0001 to 0.5, such as 0.05"},
		{"power", f.aim, "above alpha and at most 0.999999, such as 0.8"},
		{"minutes-per-rating", f.minutes, "above 0 and at most 1e+09"},
		{"price-per-rating", f.price, "above 0 and at most 1e+09"},
		{"endpoints", float64(f.endpoints), "1 to 100"},
		{"conditions", float64(f.conditions), "1 to 1000"},
		{"width", float64(f.width), "at least 1"},
	} {
		if f.set(n.flag) && !(n.value > 0) {
			return usage("--%s: %v (want %s)", n.flag, n.value, n.want)
		}
	}
	return nil
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
		v, err := readReal(words[i])
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
