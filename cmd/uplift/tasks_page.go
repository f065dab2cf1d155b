package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/report"
)

func newTasksPage(env *Env) *cobra.Command {
	var (
		flags taskFlags
		out   string
	)
	cmd := &cobra.Command{
		Use: "page [DIR]", Short: "Write a page of the tasks for reviewers, and the patterns",
		Long: `page writes the tasks of the study in DIR, or of the built-in set without DIR, as
they will be sent. Into a directory it writes

  tasks.html      every task with every form and turn, to browse and filter
  patterns.html   one representative task a family under every form
  patterns.json   the same for programs

and into a file that ends in .html, or to stdout for "-", only the first. The patterns show of each family
the first train task by id, and nothing of a split on which anything is measured.
The pages need no network, and no script but for the filter. A study of real
hazardous requests (hazard: real) has no page.`,
		Example: `  uplift tasks page --out pages
  uplift tasks page --split train --attack standard --out train.html
  uplift tasks page s --out s/tasks`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage("--out is missing (want a directory, or a file that ends in .html)")
			}
			src, err := flags.source(env, cmd, args)
			switch {
			case err != nil:
				return err
			case src.hazardous:
				return hint(fmt.Errorf("%s: the study says hazard: real, so no page may show its tasks", src.name), "uplift tasks list %s", src.dir)
			}
			return flags.writePage(env, src, out)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "directory to write into, or a file that ends in .html; - for stdout")
	return cmd
}

// writePage writes the pages once the log holds what they unseal.
func (f *taskFlags) writePage(env *Env, src *taskSource, out string) error {
	pats, without := f.patternSet(src)
	others, single := 0, out == "-" || strings.EqualFold(filepath.Ext(out), ".html")
	if !single {
		others = len(pats.Tasks) // a task may be among both
	}
	set, err := f.look(env, src, "tasks page", true, others)
	if err != nil {
		return err
	}
	if n := len(set.Tasks) + itemsOf(set); n > report.MaxOnPage {
		return hint(fmt.Errorf("%s: %d tasks and forms (want at most %d on a page)", src.name, n, report.MaxOnPage),
			"narrow it with --split, --family or --attack")
	}
	set.Canaries, pats.Canaries = src.canaries(), src.canaries()
	page := outFile{"tasks.html", func(w io.Writer) error { return report.TasksHTML(w, set, taskFacts(set)) }}
	if single {
		told := overwritten(out)
		err := writeOut(env, out, page.write)
		if err == nil && out != "-" {
			fmt.Fprintln(env.Stdout, out)
			fmt.Fprint(env.Stderr, told)
		}
		return err
	}
	files := []outFile{page}
	if len(without) > 0 {
		fmt.Fprintln(env.Stderr, harmless(lacking(without)))
	}
	if len(pats.Tasks) > 0 {
		files = append(files,
			outFile{"patterns.html", func(w io.Writer) error { return report.PatternsHTML(w, pats, patternRule, taskFacts(pats)) }},
			outFile{"patterns.json", func(w io.Writer) error { return writeTaskJSON(w, listPatterns(pats)) }})
	}
	var names []string
	for _, f := range files {
		names = append(names, filepath.Join(out, f.name))
	}
	told := overwritten(names...)
	paths, err := writeFiles(out, files)
	if err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, strings.Join(paths, "\n"))
	fmt.Fprint(env.Stderr, told)
	return nil
}

// overwritten says which files are there already.
func overwritten(paths ...string) string {
	var b strings.Builder
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil && p != "-" {
			fmt.Fprintf(&b, "wrote   %s over what was there\n", harmless(p))
		}
	}
	return b.String()
}

// taskFacts say where a page's tasks come from.
func taskFacts(set report.TaskSet) []report.Fact {
	facts := []report.Fact{
		{Name: "set", Value: set.Name}, {Name: "digest of its tasks", Value: set.Digest},
		{Name: "seed of what rotates", Value: strconv.FormatUint(set.Seed, 10)},
	}
	facts = append(facts, provenance()...)
	if len(set.Canaries) > 0 {
		facts = append(facts, report.Fact{Name: "canaries: please keep this page out of training data", Value: strings.Join(set.Canaries, " ")})
	}
	return facts
}

// itemsOf counts the forms of a set's tasks.
func itemsOf(set report.TaskSet) int {
	n := 0
	for _, t := range set.Tasks {
		n += len(t.Forms)
	}
	return n
}
