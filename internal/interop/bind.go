package interop

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift"
)

// binding is where each of our fields comes from.
type binding struct {
	model, condition, task, family, tier, split, attack, replicate,
	outcome, prompt, text, scale, simulated *column
	graders []gradedColumn
}

// gradedColumn is one value of a record and who gave it.
type gradedColumn struct {
	value  *column
	grader *column
}

// binder makes columns and collects what is wrong with the options.
type binder struct {
	table table
	opt   LabelOptions
	used  map[string]bool // their columns that are read
	names []string        // the same, in order
	gone  []string        // our required columns that nothing gives
	wrong []string
}

// bindLabels binds all fields, or returns every reason why it cannot.
func bindLabels(t table, opt LabelOptions) (*binding, []string) {
	b := &binder{table: t, opt: opt, used: map[string]bool{}}
	b.checkOptions()
	bound := &binding{
		model: b.required("model"), condition: b.required("condition"), task: b.required("task"),
		family: b.optional("family", ""), tier: b.optional("tier", ""), split: b.optional("split", ""),
		attack: b.optional("attack", uplift.Direct), replicate: b.optional("replicate", "0"),
		outcome: b.optional("outcome", string(uplift.Unreported)),
		prompt:  b.optional("prompt", ""), text: b.optional("text", ""), scale: b.required("scale"),
		simulated: b.optional("simulated", ""),
	}
	bound.graders = b.graders()
	b.checkMaps()
	if len(b.gone) > 0 {
		b.wrong = append(b.wrong, b.missing())
	}
	return bound, b.wrong
}

// checkOptions refuses names that are none of ours and ways that contradict.
func (b *binder) checkOptions() {
	for _, m := range []map[string]string{b.opt.Columns, b.opt.Set} {
		for _, ours := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(fields(), ours) {
				b.wrong = append(b.wrong, fmt.Sprintf("%q is no column of ours (want %s)", ours, strings.Join(fields(), ", ")))
			}
		}
	}
	for _, ours := range slices.Sorted(maps.Keys(b.opt.Set)) {
		if theirs := b.opt.Columns[ours]; theirs != "" {
			b.wrong = append(b.wrong, fmt.Sprintf("%s is both the constant %q and the column %q (want one of them)", ours, b.opt.Set[ours], theirs))
		}
	}
	if len(b.opt.Graders) == 0 {
		return
	}
	for i, g := range b.opt.Graders {
		if slices.ContainsFunc(b.opt.Graders[:i], func(o Grader) bool { return o.Name == g.Name }) {
			b.wrong = append(b.wrong, fmt.Sprintf("grader %s has two columns (want one)", g.Name))
		}
	}
	for _, ours := range []string{"value", "grader"} {
		if b.opt.Columns[ours]+b.opt.Set[ours] != "" {
			b.wrong = append(b.wrong, fmt.Sprintf("%s and grader columns are both given (want one of them)", ours))
		}
	}
}

// optional binds a field, or gives it its default where the file lacks it.
func (b *binder) optional(ours, fallback string) *column {
	if c := b.column(ours); c != nil {
		return c
	}
	return fixedColumn(ours, fallback)
}

// required binds a field and notes when nothing gives it.
func (b *binder) required(ours string) *column {
	if c := b.column(ours); c != nil {
		return c
	}
	b.gone = append(b.gone, ours)
	return nil
}

// column binds a field to its constant or its column; nil when there is
// neither.
func (b *binder) column(ours string) *column {
	if constant, ok := b.opt.Set[ours]; ok {
		c := fixedColumn(ours, constant)
		if c.cells[0].wrong != "" {
			b.wrong = append(b.wrong, fmt.Sprintf("%s: %s", ours, c.cells[0].wrong))
		}
		return c
	}
	theirs, chosen := b.opt.Columns[ours]
	if !chosen {
		theirs = ours
	}
	c := b.read(ours, theirs)
	if c == nil && chosen {
		b.wrong = append(b.wrong, fmt.Sprintf("no column %q for %s (the file has %s)", theirs, ours, listed(b.table.columns())))
		return fixedColumn(ours, "")
	}
	return c
}

// read makes a column of one of theirs, nil when the file lacks it.
func (b *binder) read(ours, theirs string) *column {
	at, ok := b.table.bind(theirs)
	if !ok {
		return nil
	}
	if n := count(b.table.columns(), theirs); n > 1 {
		b.wrong = append(b.wrong, fmt.Sprintf("%d columns are named %q (want one)", n, theirs))
	}
	if !b.used[theirs] {
		b.used[theirs] = true
		b.names = append(b.names, theirs)
	}
	return tableColumn(ours, theirs, at, b.opt.Map[theirs])
}

// graders binds the grader columns, or else value with its grader.
func (b *binder) graders() []gradedColumn {
	if len(b.opt.Graders) == 0 {
		return []gradedColumn{{value: b.required("value"), grader: b.optional("grader", uplift.Human)}}
	}
	var list []gradedColumn
	for _, g := range b.opt.Graders {
		grader, value := fixedColumn("grader", g.Name), b.read("value", g.Column)
		if grader.cells[0].wrong != "" {
			b.wrong = append(b.wrong, fmt.Sprintf("grader: %s", grader.cells[0].wrong))
		}
		if value == nil {
			b.wrong = append(b.wrong, fmt.Sprintf("no column %q for grader %s (the file has %s)", g.Column, g.Name, listed(b.table.columns())))
		}
		list = append(list, gradedColumn{value, grader})
	}
	return list
}

// checkMaps refuses a map of a column that is not read.
func (b *binder) checkMaps() {
	for _, theirs := range slices.Sorted(maps.Keys(b.opt.Map)) {
		if !b.used[theirs] {
			b.wrong = append(b.wrong, fmt.Sprintf("the map's column %q is not read (want one of %s)", theirs, strings.Join(b.names, ", ")))
		}
	}
}

// missing names all required columns that nothing gives, in one sentence.
func (b *binder) missing() string {
	plural := ""
	if len(b.gone) > 1 {
		plural = "s"
	}
	return fmt.Sprintf("missing column%s %s (the file has %s; name a column with --columns %s=THEIRS or a constant with --set %[4]s=VALUE)",
		plural, strings.Join(b.gone, ", "), listed(b.table.columns()), b.gone[0])
}

func count(list []string, s string) (n int) {
	for _, one := range list {
		if one == s {
			n++
		}
	}
	return n
}
