package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/quarantine"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/store"
)

func newQuarantineList(env *Env) *cobra.Command {
	var ids, asJSON bool
	cmd := &cobra.Command{
		Use: "list [DIR]", Short: "Count what is withheld, by condition and rule class",
		Long: `list counts the responses of each condition that are withheld, and by which
classes of rules, beside the share at which a run pauses. It never shows a text.

Counts of 1 and 2 are not shown ("<3"), and neither are counts that would give
them away ("3+", "-"); there are no sums. A count includes what was released
since.

With --ids it names each record instead: its id, what it is of, the rules, the
SHA-256 of what is locked, the time, whether the text is sealed or gone, and who
released it. That list is for reviewers: it hides no count.`,
		Example: "  uplift quarantine list s\n  uplift quarantine list s --ids\n  uplift quarantine list s --json",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			db, err := s.read(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			if ids {
				return listRecords(cmd.Context(), env, s, db, asJSON)
			}
			counts, err := s.withheldCounts(cmd.Context(), db)
			switch {
			case err != nil:
				return err
			case asJSON:
				return writeJSON(env.Stdout, counts)
			}
			return counts.print(env.Stdout)
		},
	}
	cmd.Flags().BoolVar(&ids, "ids", false, "name each record, for reviewers")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// withheldCounts is what may be published of a study's withheld responses.
type withheldCounts struct {
	Study      string              `json:"study"`
	Hazard     string              `json:"hazard,omitempty"` // real: every text is sealed, and only hits of rules are counted
	Reviewers  bool                `json:"reviewers"`        // false: the study names none, and texts are not stored
	Limit      float64             `json:"limit"`            // the share above which a run pauses
	After      int                 `json:"after"`            // so many responses of a condition
	Conditions []withheldCondition `json:"conditions"`
}

type withheldCondition struct {
	Model     string           `json:"model"`
	Condition string           `json:"condition"`
	Responses int              `json:"responses"`
	Withheld  quarantine.Count `json:"withheld"`
	Share     *float64         `json:"share"` // null: the count is suppressed
	Over      *bool            `json:"over"`  // the limit; null: the count is suppressed
	Released  quarantine.Count `json:"released"`
	Classes   []withheldClass  `json:"classes"`
}

type withheldClass struct {
	Class string           `json:"class"`
	Count quarantine.Count `json:"count"`
}

// hits are the rules of a response's records, and whether all of these are
// released.
type hits struct {
	rules []string
	open  bool
}

func (d *studyDir) withheldCounts(ctx context.Context, db *store.Store) (*withheldCounts, error) {
	list, released, err := withheldOf(ctx, db)
	if err != nil {
		return nil, err
	}
	found := map[string]*hits{}
	for _, w := range list {
		id, ok := strings.CutPrefix(w.Of, "response ")
		if !ok || !run.Hit(w) {
			continue
		}
		if found[id] == nil {
			found[id] = &hits{}
		}
		_, free := released[w.ID]
		found[id].rules = append(found[id].rules, w.Rules...)
		found[id].open = found[id].open || !free
	}
	plan := d.plan.Plan()
	out := &withheldCounts{Study: plan.Name, Hazard: plan.Hazard, Reviewers: plan.Quarantine != nil,
		Limit: run.PauseShare, After: run.PauseAfter, Conditions: []withheldCondition{}}
	var tally quarantine.Tally
	for r, err := range db.Responses(ctx) {
		if err != nil {
			return nil, err
		}
		if n := len(out.Conditions); n == 0 || out.Conditions[n-1].Model != r.Model || out.Conditions[n-1].Condition != r.Condition {
			out.close(tally)
			tally = quarantine.Tally{Classes: map[string]int{}}
			out.Conditions = append(out.Conditions, withheldCondition{Model: r.Model, Condition: r.Condition})
		}
		count(&tally, found[r.ID()])
	}
	out.close(tally)
	return out, nil
}

// count adds a response to the tally of its condition.
func count(t *quarantine.Tally, h *hits) {
	t.Responses++
	if h == nil {
		return
	}
	t.Withheld++
	if !h.open {
		t.Released++
	}
	slices.Sort(h.rules)
	for _, rule := range slices.Compact(h.rules) {
		if rule != run.RealHazard {
			t.Classes[rule]++
		}
	}
}

// close writes the tally of the last condition.
func (c *withheldCounts) close(t quarantine.Tally) {
	if len(c.Conditions) == 0 {
		return
	}
	p, to := t.Public(), &c.Conditions[len(c.Conditions)-1]
	to.Responses, to.Withheld, to.Released, to.Classes = t.Responses, p.Withheld, p.Released, []withheldClass{}
	for _, k := range p.Classes {
		to.Classes = append(to.Classes, withheldClass{k.Name, k.Count})
	}
	if n, ok := p.Withheld.N(); ok {
		share := float64(n) / float64(t.Responses)
		over := t.Responses >= run.PauseAfter && share > run.PauseShare
		to.Share, to.Over = &share, &over
	}
}

func (c *withheldCounts) print(out io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "condition\tresponses\twithheld\tshare\treleased\n")
	several := slices.ContainsFunc(c.Conditions, func(k withheldCondition) bool { return k.Model != c.Conditions[0].Model })
	for _, k := range c.Conditions {
		k.print(t, several)
	}
	t.Flush()
	if len(c.Conditions) == 0 {
		b.WriteString("(no responses)\n")
	}
	fmt.Fprintf(&b, "\n!: above %.0f %%, at which a run pauses (after %d responses of a condition).\n", 100*c.Limit, c.After)
	fmt.Fprintf(&b, "<%d: 1 or 2, or any of fewer than %d responses. %d+ and -: not shown, since the\nnumber could give such a count away.\n", quarantine.Least, quarantine.Least, quarantine.Least)
	switch {
	case c.Hazard != "":
		b.WriteString("The study says hazard: real: every text is sealed, and nothing is released. The\ncounts are of those in which a rule found something.\n")
	case !c.Reviewers:
		b.WriteString("The study names no reviewers: what is withheld is not stored.\n")
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}

func (k withheldCondition) print(out io.Writer, model bool) {
	name, share := k.Condition, "-"
	if model {
		name = k.Model + "/" + name
	}
	if k.Share != nil {
		share = fmt.Sprintf("%.1f %%", 100**k.Share)
		if *k.Over {
			share += " !"
		}
	}
	fmt.Fprintf(out, "%s\t%9s\t%8s\t%s\t%s\n", shorten(name, 40), grouped(k.Responses), k.Withheld, share, k.Released)
	for _, c := range k.Classes {
		fmt.Fprintf(out, "  %s\t\t%8s\t\t\n", shorten(c.Class, 38), c.Count)
	}
}

// listedRecord is a record as --ids shows it.
type listedRecord struct {
	uplift.Withheld
	Cell     string          `json:"cell,omitempty"` // of a response
	State    string          `json:"state"`          // sealed, or gone
	Released *store.Released `json:"released"`
}

func listRecords(ctx context.Context, env *Env, s *studyDir, db *store.Store, asJSON bool) error {
	list, released, err := withheldOf(ctx, db)
	if err != nil {
		return err
	}
	cells := map[string]string{}
	for r, err := range db.Responses(ctx) {
		if err != nil {
			return err
		}
		if r.Withheld != "" || len(released) > 0 {
			cells[r.ID()] = r.Cell.String()
		}
	}
	records := make([]listedRecord, 0, len(list))
	for _, w := range list {
		l := listedRecord{Withheld: w, State: "gone"}
		if _, ok, err := db.Sealed(ctx, w.ID); err != nil {
			return err
		} else if ok {
			l.State = "sealed"
		}
		id, _ := strings.CutPrefix(w.Of, "response ")
		l.Cell = cells[id]
		if r, ok := released[w.ID]; ok {
			l.Released = &r
		}
		records = append(records, l)
	}
	fmt.Fprintln(env.Stderr, "note: for reviewers: this list hides no count and is not for publication")
	if asJSON {
		return writeJSON(env.Stdout, records)
	}
	return printRecords(env.Stdout, s.dir, records)
}

func printRecords(out io.Writer, dir string, records []listedRecord) error {
	var b strings.Builder
	for _, l := range records {
		fmt.Fprintf(&b, "%s  %s  %s\n", l.ID, l.At.UTC().Format("2006-01-02T15:04:05Z"), l.State)
		fmt.Fprintf(&b, "  %s\n", l.Of)
		if l.Cell != "" {
			fmt.Fprintf(&b, "  cell    %s\n", l.Cell)
		}
		fmt.Fprintf(&b, "  rules   %s\n  sha256  %s\n", strings.Join(l.Rules, ", "), l.SHA256)
		if l.Released != nil {
			fmt.Fprintf(&b, "  released %s by\n          %s\n", l.Released.At.UTC().Format("2006-01-02T15:04:05Z"), strings.Join(l.Released.By, "\n          "))
		}
	}
	if len(records) == 0 {
		fmt.Fprintf(&b, "%s: nothing is withheld\n", dir)
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}
