package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/report"
)

// responseFlags say which responses are shown, and how.
type responseFlags struct {
	chosen     choice
	show, item string
	page       string
	sort       string
	limit      int
	format     string
	asJSON     bool
	text       bool
	disarm     bool
	unseal     bool
	force      bool
	limited    bool // --limit was given
}

func newResponses(env *Env) *cobra.Command {
	f := &responseFlags{}
	cmd := &cobra.Command{
		Use: "responses [DIR]", Short: "Browse, filter, compare and export what users saw",
		Long: `responses lists what a study holds, one row a cell. Filters of one kind are
joined by or, those of different kinds by and. The first 50 are shown, in the
order of model, condition, task, attack and replicate, and the rest is counted.

  --show CELL   one response whole: conversation, draft, decision, call. CELL is
                MODEL/CONDITION/TASK/ATTACK/REPLICATE, or the beginning of an id
  --item TASK/ATTACK
                what every condition made of it, side by side where the terminal
                is wide enough; [-gone-] and {+come+} mark what a controller
                changed of the draft
  --page FILE   the same as a page that works offline, of an item or of what
                the filters leave; - for stdout
  --format      jsonl, csv or parquet to stdout, every row unless --limit;
                --json is --format jsonl. Texts come with --text alone. Rows are
                written as they are read; with --sort they are held in memory

A text that is withheld is never shown; its rules are. Of a study of real
hazardous requests (hazard: real) no text is shown or written at all.

As in "uplift explain", responses of a locked split have no texts here while
their rating is open: they could steer who rates or tunes. The table leaves
them out, --contains does not search them, and --show, --item, --page and --text
refuse them. --unseal shows them, and adds the column tier to an export, which
imported labels always have; it is written to the evidence log.`,
		Example: `  uplift responses s --condition guarded --action refuse
  uplift responses s --show sonnet/guarded/k7bpq8v4/direct/0
  uplift responses s --item k7bpq8v4/direct --page k7.html
  uplift responses s --format csv --text > responses.csv`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.limited = cmd.Flags().Changed("limit")
			if err := f.check(cmd); err != nil {
				return err
			}
			return f.run(cmd.Context(), env, dirArg(args))
		},
	}
	f.chosen.add(cmd)
	s := cmd.Flags()
	s.StringVar(&f.show, "show", "", "one response, whole")
	s.StringVar(&f.item, "item", "", "TASK/ATTACK, side by side across conditions")
	s.StringVar(&f.page, "page", "", "write a page (HTML) to this file")
	s.BoolVar(&f.force, "force", false, "write over a page that is there")
	s.StringVar(&f.sort, "sort", "", "by score, prompt, output, length, outcome, action or task; - before it turns it round")
	s.IntVar(&f.limit, "limit", 50, "at most so many responses; 0 for all (a page: 300)")
	s.StringVar(&f.format, "format", "", "jsonl, csv or parquet")
	s.BoolVar(&f.asJSON, "json", false, "the same as --format jsonl")
	s.BoolVar(&f.text, "text", false, "with --format: add text, draft and transcript")
	s.BoolVar(&f.disarm, "spreadsheet", false, "with --format csv: disarm cells that a spreadsheet would run as formulas")
	s.BoolVar(&f.unseal, "unseal", false, "show what is sealed; this is written to the evidence log")
	choices(cmd, "format", "jsonl", "csv", "parquet")
	choices(cmd, "sort", sortKeys()...)
	return cmd
}

// check checks the flags by themselves.
func (f *responseFlags) check(cmd *cobra.Command) error {
	if f.asJSON {
		if f.format != "" && f.format != "jsonl" {
			return usage("responses: --json stands beside --format %s (want one of them)", f.format)
		}
		f.format = "jsonl"
	}
	switch {
	case f.format != "" && !slices.Contains([]string{"jsonl", "csv", "parquet"}, f.format):
		return usage("responses: --format: unknown value %q (want jsonl, csv or parquet)", f.format)
	case f.format != "" && f.page != "":
		return usage("responses: --page stands beside --format (want one of them)")
	case f.format == "" && f.text:
		return usage("responses: --text goes with --format")
	case f.format != "csv" && f.disarm:
		return usage("responses: --spreadsheet goes with --format csv")
	case f.show != "" && f.item != "":
		return usage("responses: --show stands beside --item (want one of them)")
	case f.show != "" && f.page != "":
		return usage("responses: --page shows an item or what the filters leave (want --item in place of --show)")
	case f.limit < 0:
		return usage("responses: --limit: %d (want 0 or more)", f.limit)
	case f.sort != "" && !slices.Contains(sortKeys(), strings.TrimPrefix(f.sort, "-")):
		return usage("responses: --sort: unknown value %q (want %s)", f.sort, strings.Join(sortKeys(), ", "))
	}
	if f.item != "" {
		at := strings.LastIndexByte(f.item, '/')
		if at <= 0 || at == len(f.item)-1 {
			return usage("responses: --item: %q (want TASK/ATTACK)", f.item)
		}
		f.chosen.item = &itemKey{f.item[:at], f.item[at+1:]}
	}
	if f.show != "" {
		if err := f.chosen.pick(f.show); err != nil {
			return err
		}
	}
	return f.chosen.check(cmd)
}

// run reads what is asked for and shows it.
func (f *responseFlags) run(ctx context.Context, env *Env, dir string) error {
	s, err := loadStudy(dir)
	if err != nil {
		return err
	}
	db, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	now, err := db.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer now.Close()
	b := &browser{env: env, study: s, db: db, now: now, flags: f, hazard: s.plan.Plan().Hazard != "", chosen: &f.chosen}
	if err := b.survey(ctx); err != nil {
		return err
	}
	if err := b.allow(); err != nil {
		return err
	}
	switch {
	case f.format != "":
		return b.export(ctx)
	case f.page != "":
		return b.page(ctx)
	case f.show != "":
		return b.show(ctx)
	case f.item != "":
		return b.item(ctx)
	}
	return b.list(ctx)
}

// list prints the table.
func (b *browser) list(ctx context.Context) error {
	set, err := b.collect(ctx, b.flags.limit)
	if err != nil {
		return err
	}
	out := harmlessWriter{b.env.Stdout}
	if len(set.Rows) > 0 {
		if err := report.ResponseList(out, set, b.env.Width); err != nil {
			return err
		}
	}
	b.counted(out, set)
	return nil
}

// counted says how many rows there are, and of what there is more.
func (b *browser) counted(w io.Writer, set report.ResponseSet) {
	switch more := set.Total - len(set.Rows); {
	case set.Total == 0:
		fmt.Fprintf(w, "no response matches, of %s\n", grouped(b.seen.all))
	case more > 0:
		fmt.Fprintf(w, "%s of %s shown; %s more: --limit 0 shows all\n", grouped(len(set.Rows)), several(set.Total, "response"), grouped(more))
	default:
		fmt.Fprintf(w, "%s\n", several(set.Total, "response"))
	}
	if n := b.seen.sealed; n > 0 && !b.flags.unseal {
		said := "not shown"
		if len(b.chosen.contains) > 0 {
			said = "not searched"
		}
		fmt.Fprintf(b.env.Stderr, "sealed: the texts of %s in a locked split are %s while their rating is open\n", several(n, "response"), said)
	}
}

// overPage refuses to write over a page that is there.
func (f *responseFlags) overPage() error {
	if _, err := os.Lstat(f.page); err == nil && f.page != "-" && !f.force {
		return hint(fmt.Errorf("write %s: is there already", f.page), "name another file, or write over it with --force")
	}
	return nil
}
