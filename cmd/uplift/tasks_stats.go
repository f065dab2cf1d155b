package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/report"
)

func newTasksStats(env *Env) *cobra.Command {
	var (
		flags  taskFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: "stats [DIR]", Short: "Count the tasks: splits, tiers, families, items and words",
		Long: `stats counts the tasks that the study in DIR asks, or those of the built-in set
without DIR. It shows no task. What it counts by tier is published of the built-in
set; of your own file it is sealed, and needs --unseal.`,
		Example: `  uplift tasks stats
  uplift tasks stats --split test --attack standard
  uplift tasks stats s --json`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := flags.source(env, cmd, args)
			if err != nil {
				return err
			}
			stats, err := flags.stats(src)
			if err := flags.keepUnsealing(env, src, "tasks stats", "", stats.Total); err != nil {
				return err
			}
			if err != nil {
				return err
			}
			if asJSON {
				return writeTaskJSON(env.Stdout, stats)
			}
			return report.TaskStats(harmlessWriter{env.Stdout}, stats.tables(), env.Width)
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// taskStats is what stats prints.
type taskStats struct {
	Set    string `json:"set"`
	Digest string `json:"digest"` // of the whole set's tasks
	Seed   uint64 `json:"seed"`
	Of     int    `json:"of"` // tasks of the whole set
	benchmark.Composition
	Items     []itemCount     `json:"items"`
	Words     []wordCount     `json:"words"`
	Languages []languageCount `json:"languages"`
}

// itemCount counts the items of one named set, or of one form that is asked by
// itself.
type itemCount struct {
	Attack  string         `json:"attack"`
	BySplit map[string]int `json:"by_split"`
	Total   int            `json:"total"`
}

// wordCount is how long the asks of a split are, in words.
type wordCount struct {
	Split string `json:"split"`
	benchmark.Spread
}

// languageCount counts the items whose frame is in one language.
type languageCount struct {
	Lang  string `json:"lang"` // BCP 47
	Items int    `json:"items"`
}

// stats counts the tasks that were chosen, in the forms that were chosen.
func (f *taskFlags) stats(src *taskSource) (taskStats, error) {
	tasks := f.choose(src)
	s := taskStats{Set: src.name, Digest: benchmark.Digest(src.tasks), Seed: src.seed, Of: len(src.tasks), Composition: benchmark.Compose(tasks)}
	if !src.builtin && !f.unseal {
		s.Composition = s.Composition.Sealed()
	}
	items, names := f.items(src, tasks), src.attacks
	if len(f.attacks) > 0 {
		names = f.attacks
	}
	for _, name := range names {
		s.Items = append(s.Items, countItems(items, name))
	}
	for _, c := range s.Splits {
		in := slices.DeleteFunc(slices.Clone(tasks), func(t uplift.Task) bool { return t.Split != c.Split })
		s.Words = append(s.Words, wordCount{c.Split, benchmark.Words(in)})
	}
	s.Languages = countLanguages(items)
	if len(items) == 0 {
		return s, f.none(src, tasks)
	}
	return s, nil
}

// items are those of the tasks in the forms that were chosen.
func (f *taskFlags) items(src *taskSource, tasks []uplift.Task) []uplift.Item {
	wanted, _ := attack.Expand(f.attacks) // they were checked
	chosen := map[string]bool{}
	for _, t := range tasks {
		chosen[t.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(src.items), func(i uplift.Item) bool {
		return !chosen[i.Task] || len(wanted) > 0 && !slices.Contains(wanted, i.Attack)
	})
}

func countItems(items []uplift.Item, name string) itemCount {
	forms, _ := attack.Expand([]string{name}) // it was checked
	c := itemCount{Attack: name, BySplit: map[string]int{}}
	for _, item := range items {
		if slices.Contains(forms, item.Attack) {
			c.BySplit[item.Split]++
			c.Total++
		}
	}
	return c
}

func countLanguages(items []uplift.Item) []languageCount {
	var out []languageCount
	for _, lang := range attack.Languages() {
		n := 0
		for _, item := range items {
			if item.Lang == lang {
				n++
			}
		}
		if n > 0 {
			out = append(out, languageCount{lang, n})
		}
	}
	return out
}

// uses says what each split is for.
var uses = map[string]string{
	uplift.Train: "write rules, fit action effects",
	uplift.Dev:   "choose thresholds",
	uplift.Test:  "the headline, once",
	uplift.TestB: "external validity, marked post hoc unless locked with the test",
}

// splitTitles name the splits that are not like the others.
var splitTitles = map[string]string{uplift.Test: "test (locked)", uplift.TestB: "test-b (apart)"}

func splitTitle(split string) string {
	if t, ok := splitTitles[split]; ok {
		return t
	}
	return split
}

func (s taskStats) tables() []report.CountTable {
	tables := []report.CountTable{s.splitTable(), s.familyTable(), s.itemTable(), s.wordTable()}
	if len(s.Languages) > 0 {
		t := report.CountTable{Title: "languages of translation frames", Heads: []string{"language", "items"}, Words: 1}
		for _, l := range s.Languages {
			t.Rows = append(t.Rows, []string{l.Lang, strconv.Itoa(l.Items)})
		}
		tables = append(tables, t)
	}
	return tables
}

// splitTable is the composition: the base total stands before test-b.
func (s taskStats) splitTable() report.CountTable {
	t := report.CountTable{Title: s.Set + ": " + several(s.Total, "task"), Heads: []string{"split", "total"}, Words: 1, Last: "use"}
	if s.Total < s.Of {
		t.Title = fmt.Sprintf("%s: %d of %s", s.Set, s.Total, several(s.Of, "task"))
	}
	if slices.ContainsFunc(s.Splits, func(c benchmark.SplitCount) bool { return c.ByTier != nil }) {
		t.Heads = []string{"split", "benign", "borderline", "harmful", "total"}
	}
	row := func(title string, c benchmark.Count, use string) {
		cells := []string{title}
		if by := c.ByTier; by != nil {
			cells = append(cells, strconv.Itoa(by.Benign), strconv.Itoa(by.Borderline), strconv.Itoa(by.Harmful))
		}
		t.Rows, t.Notes = append(t.Rows, append(cells, strconv.Itoa(c.Total))), append(t.Notes, use)
	}
	base := 0
	for _, c := range s.Splits {
		if c.Split != uplift.TestB {
			base++
			row(splitTitle(c.Split), c.Count, uses[c.Split])
		}
	}
	if base > 1 {
		row("base total", s.Base, "")
	}
	for _, c := range s.Splits {
		if c.Split == uplift.TestB {
			row(splitTitle(c.Split), c.Count, uses[c.Split])
		}
	}
	return t
}

func (s taskStats) familyTable() report.CountTable {
	tiers := slices.ContainsFunc(s.Families, func(f benchmark.FamilyCount) bool { return f.Tier.Known() })
	t := report.CountTable{Title: "families", Words: 1, Heads: append(append([]string{"family"}, s.splits()...), "total")}
	if tiers {
		t.Title, t.Words, t.Heads = "families of each tier", 2, append([]string{"tier"}, t.Heads...)
	}
	for _, f := range s.Families {
		row := s.row(f.Family, f.BySplit, f.Total)
		if tiers {
			row = append([]string{string(f.Tier)}, row...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// itemTable has a total where there is more than one row.
func (s taskStats) itemTable() report.CountTable {
	t := report.CountTable{Title: "items", Words: 1, Heads: append(append([]string{"asked as"}, s.splits()...), "total")}
	all := itemCount{BySplit: map[string]int{}}
	for _, c := range s.Items {
		t.Rows = append(t.Rows, s.row(c.Attack, c.BySplit, c.Total))
		for split, n := range c.BySplit {
			all.BySplit[split] += n
		}
		all.Total += c.Total
	}
	if len(s.Items) > 1 {
		t.Rows = append(t.Rows, s.row("total", all.BySplit, all.Total))
	}
	return t
}

func (s taskStats) wordTable() report.CountTable {
	t := report.CountTable{Title: "words of an ask", Heads: []string{"split", "min", "median", "max"}, Words: 1}
	for _, w := range s.Words {
		t.Rows = append(t.Rows, []string{w.Split, strconv.Itoa(w.Min), strconv.FormatFloat(w.Median, 'f', -1, 64), strconv.Itoa(w.Max)})
	}
	return t
}

// splits are those that have tasks.
func (s taskStats) splits() []string {
	var out []string
	for _, c := range s.Splits {
		out = append(out, c.Split)
	}
	return out
}

// row is a name with its counts by split.
func (s taskStats) row(name string, by map[string]int, total int) []string {
	row := []string{name}
	for _, split := range s.splits() {
		row = append(row, strconv.Itoa(by[split]))
	}
	return append(row, strconv.Itoa(total))
}
