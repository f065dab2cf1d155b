package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/report"
)

// taskFlags choose tasks and the forms in which they are asked.
type taskFlags struct {
	splits, families, attacks, tiers []string
	unseal                           bool
	seed                             uint64
}

// add gives a command the flags that narrow, and those that say what is seen.
func (f *taskFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringSliceVar(&f.splits, "split", nil, "only this split: train, dev, test or test-b; may be repeated")
	s.StringSliceVar(&f.families, "family", nil, "only families whose names hold this word; may be repeated")
	s.StringSliceVar(&f.tiers, "tier", nil, "only this tier: benign, borderline or harmful; needs --unseal")
	choices(cmd, "split", uplift.Splits()...)
	choices(cmd, "tier", "benign", "borderline", "harmful")
	f.addForms(cmd)
}

func (f *taskFlags) addForms(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.attacks, "attack", nil, "only this form, such as direct, standard or adaptive; may be repeated")
	choices(cmd, "attack", append(attack.Names(), attack.Sets()...)...)
	f.addSeal(cmd)
}

func (f *taskFlags) addSeal(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.unseal, "unseal", false, "show tiers and what depends on them; this is written to the evidence log")
	f.addSeed(cmd)
}

func (f *taskFlags) addSeed(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&f.seed, "seed", 20260713, "seed of what rotates between tasks of the built-in set; a study has its own")
}

// check checks the flags by themselves.
func (f *taskFlags) check(cmd *cobra.Command, dir string) error {
	for _, s := range f.splits {
		if !slices.Contains(uplift.Splits(), s) {
			return usage("--split: unknown value %q (want %s)", s, strings.Join(uplift.Splits(), ", "))
		}
	}
	for _, t := range f.tiers {
		if _, err := uplift.ParseTier(t); err != nil {
			return usage("--tier: %w", err)
		}
	}
	if len(f.tiers) > 0 && !f.unseal {
		return hint(usage("--tier tells which tasks are of a tier, and tiers are sealed"), "add --unseal; it is written to the evidence log")
	}
	if slices.Contains(f.families, "") {
		return usage("--family: is empty (want a word of the family's name)")
	}
	if dir != "" && cmd.Flags().Changed("seed") {
		return usage("--seed: a study has its own (want no directory, or no seed)")
	}
	if _, err := attack.Expand(f.attacks); err != nil {
		return usage("--attack: %w", err)
	}
	return nil
}

// taskSource is a set of tasks with the forms in which it is asked.
type taskSource struct {
	name      string // builtin, or the file's path
	dir       string // the study's directory; empty for the built-in set
	builtin   bool
	hazardous bool // real hazardous requests, whose texts are shown nowhere
	tasks     []uplift.Task
	whole     []uplift.Task // of every split
	items     []uplift.Item
	attacks   []string // as the study names them: sets and forms
	seed      uint64
	notes     []string
	odd       []string // notes that tell tiers
}

// taskSourceOf is the study in a directory, or the built-in set without one.
func taskSourceOf(dir string, seed uint64) (*taskSource, error) {
	if dir == "" {
		return builtinSource(seed)
	}
	s, err := loadStudy(dir)
	if err != nil {
		return nil, err
	}
	plan := s.plan.Plan()
	if plan.Benchmark == nil {
		return nil, fmt.Errorf("%s: conditions are imported: the study asks no tasks", dir)
	}
	b := *plan.Benchmark
	w := &wired{}
	if err := w.ask(s); err != nil {
		return nil, err
	}
	src := &taskSource{
		name: b.Set, dir: dir, builtin: b.File == "" && b.Set == benchmark.Builtin, hazardous: plan.Hazard != "",
		tasks: w.tasks, items: w.spec.Items, attacks: b.Attacks.Names, seed: plan.Seed, notes: w.notes, odd: w.odd,
	}
	if b.File != "" {
		src.name = filepath.Join(dir, b.File)
	}
	if b.Attacks.Set != "" {
		src.attacks = []string{b.Attacks.Set}
	}
	if src.whole, err = (&wired{}).read(s, b, nil); err != nil {
		return nil, err
	}
	return src, nil
}

func builtinSource(seed uint64) (*taskSource, error) {
	tasks, err := benchmark.Set(benchmark.Builtin)
	if err != nil {
		return nil, err
	}
	src := &taskSource{name: benchmark.Builtin, builtin: true, tasks: tasks, whole: tasks, attacks: attack.Sets(), seed: seed}
	src.items, err = attack.Items(tasks, src.attacks, seed)
	return src, err
}

// choose keeps the tasks that the flags ask for.
func (f *taskFlags) choose(src *taskSource) []uplift.Task {
	return slices.DeleteFunc(slices.Clone(src.tasks), func(t uplift.Task) bool {
		return len(f.splits) > 0 && !slices.Contains(f.splits, t.Split) ||
			len(f.tiers) > 0 && !slices.Contains(f.tiers, string(t.Tier)) ||
			len(f.families) > 0 && !slices.ContainsFunc(f.families, func(w string) bool { return holds(t.Family, w) })
	})
}

// none is the error of flags that leave nothing: of tasks that fit them, none
// is asked in their form, or there is none.
func (f *taskFlags) none(src *taskSource, tasks []uplift.Task) error {
	if len(tasks) == 0 {
		return hint(fmt.Errorf("%s: no task fits the flags", src.name), "uplift tasks stats %scounts what there is", spaced(src.dir))
	}
	return hint(fmt.Errorf("%s: none of the tasks is asked as %s", src.name, strings.Join(f.attacks, ", ")),
		"it asks %s", strings.Join(src.attacks, ", "))
}

// spaced is an argument before another word, if there is one.
func spaced(arg string) string {
	if arg == "" {
		return ""
	}
	return arg + " "
}

func holds(family, word string) bool {
	return strings.Contains(strings.ToLower(family), strings.ToLower(word))
}

// view is what a person sees of tasks: their forms as the source asks them,
// narrowed to those of --attack, or the tasks alone. It fills what is sealed
// only when it was asked to.
func (f *taskFlags) view(src *taskSource, tasks []uplift.Task, forms bool) (report.TaskSet, error) {
	set := report.TaskSet{Name: src.name, Digest: benchmark.Digest(src.tasks), Seed: src.seed, Unsealed: f.unseal, Withheld: src.hazardous}
	asked := map[string][]report.TaskForm{}
	if forms {
		wanted, err := attack.Expand(f.attacks)
		if err != nil {
			return set, err
		}
		byID, say := map[string]uplift.Task{}, says()
		for _, t := range tasks {
			byID[t.ID] = t
		}
		for _, item := range src.items {
			if t, ok := byID[item.Task]; ok && (len(wanted) == 0 || slices.Contains(wanted, item.Attack)) {
				asked[t.ID] = append(asked[t.ID], f.form(t, item, say[item.Attack], src.hazardous))
			}
		}
	}
	for _, t := range tasks {
		if v := f.task(t, src.hazardous); !forms || len(asked[t.ID]) > 0 {
			v.Forms = asked[t.ID]
			set.Tasks = append(set.Tasks, v)
		}
	}
	if len(set.Tasks) == 0 {
		return set, f.none(src, tasks)
	}
	return set, nil
}

func (f *taskFlags) task(t uplift.Task, withheld bool) report.TaskView {
	v := report.TaskView{ID: t.ID, Split: t.Split, Family: t.Family, Version: t.Version}
	if f.unseal {
		v.Tier, v.Expected = t.Tier, t.Expected
	}
	if withheld {
		return v
	}
	v.Ask = t.Ask
	if f.unseal {
		v.KeyPoints, v.HardPoints, v.Note = t.KeyPoints, t.HardPoints, t.Note
	}
	return v
}

func (f *taskFlags) form(t uplift.Task, item uplift.Item, says string, withheld bool) report.TaskForm {
	out := report.TaskForm{Attack: item.Attack, Says: says, Lang: item.Lang}
	if !withheld {
		out.Turns, out.Next = item.Turns, item.Next
	}
	if f.unseal {
		out.Tier = item.Tier
		out.Expected, _ = attack.Expected(t, item.Attack)
	}
	return out
}

// says is each form in a sentence, by name.
func says() map[string]string {
	out := map[string]string{}
	for _, f := range attack.Forms() {
		out[f.Name] = f.Says
	}
	return out
}

// canaries are those of the files of the built-in set.
func (src *taskSource) canaries() []string {
	if !src.builtin {
		return nil
	}
	var out []string
	for _, f := range benchmark.Files() {
		out = append(out, f.Canary)
	}
	return out
}
