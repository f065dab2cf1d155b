package lint

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText prints a report as a table of rules, each with what offends below
// it, the first few of each (all of them when few is 0), in lines of at most
// width columns.
func (r Report) WriteText(w io.Writer, width, few int) error {
	p := &printer{width: max(width, 60)}
	p.line("%s, %s", plural(r.Tasks, "task"), plural(r.Items, "item"))
	p.line("")
	p.table(r)
	p.wording(r)
	p.cues(r)
	p.line("")
	p.wrapped("", fmt.Sprintf("Shapes of H2 to H7 in benign tasks: %d of %d (%.1f %%).", r.Benign.Hits, r.Benign.Of, 100*r.Benign.Value()))
	p.wrapped("", r.Output.String())
	for _, rule := range r.Rules {
		p.offenders(rule, few)
	}
	p.line("")
	p.line("%s", r.Verdict())
	_, err := io.WriteString(w, p.b.String())
	return err
}

// Verdict is the outcome in one line.
func (r Report) Verdict() string {
	failed, skipped := r.Failed(), 0
	for _, rule := range r.Rules {
		if rule.NotRun != "" {
			skipped++
		}
	}
	names := make([]string, len(failed))
	for i, f := range failed {
		names[i] = f.ID
	}
	s := fmt.Sprintf("%d of %d rules pass", len(r.Rules)-len(failed)-skipped, len(r.Rules))
	if skipped > 0 {
		s += fmt.Sprintf(", %d not run", skipped)
	}
	if len(failed) > 0 {
		s += fmt.Sprintf(", %d fail: %s", len(failed), strings.Join(names, ", "))
	}
	return s
}

// Warnings are the failed rules in a line each, for a run that goes on. Logs
// keep them, and tiers are sealed: they quote no text, and name no task, since
// some rules look at the tasks of some tiers only.
func (r Report) Warnings() []string {
	var out []string
	for _, f := range r.Failed() {
		out = append(out, fmt.Sprintf("%s %s: %d found", f.ID, f.Title, len(f.Offenders)))
	}
	return out
}

// String names the place and what was found there.
func (o Offender) String() string {
	var where []string
	for _, s := range []string{o.Task, o.Field} {
		if s != "" {
			where = append(where, s)
		}
	}
	if len(where) == 0 {
		return o.Text
	}
	return strings.Join(where, " ") + ": " + o.Text
}

// printer lays out lines.
type printer struct {
	b     strings.Builder
	width int
}

func (p *printer) line(format string, args ...any) {
	s := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	p.b.WriteString(cut(s, p.width) + "\n")
}

// table has one row a rule. Where figure and limit do not fit beside the title
// they go to a second line.
func (p *printer) table(r Report) {
	title, figure, limit := 0, len("figure"), len("limit")
	for _, rule := range r.Rules {
		title, figure, limit = max(title, size(rule.Title)), max(figure, size(rule.Figure)), max(limit, size(rule.Limit))
	}
	wide := 12+title+2+figure+2+limit <= p.width
	if wide {
		p.line("%-4s  %-4s  %s  %s  limit", "rule", "", left("", title), left("figure", figure))
	}
	for _, rule := range r.Rules {
		verdict := "pass"
		switch {
		case rule.NotRun != "":
			verdict = "-"
		case !rule.Pass:
			verdict = "FAIL"
		case rule.Limit == "reported":
			verdict = "info"
		}
		shown := rule.Figure
		if rule.NotRun != "" {
			shown += ": " + rule.NotRun
		}
		if wide {
			p.line("%-4s  %-4s  %s  %s  %s", rule.ID, verdict, left(rule.Title, title), left(shown, figure), rule.Limit)
			continue
		}
		p.line("%-4s  %-4s  %s", rule.ID, verdict, rule.Title)
		p.wrapped("            ", shown+"; limit: "+rule.Limit)
	}
}

// wording is the table of L4.
func (p *printer) wording(r Report) {
	if len(r.Wording) == 0 {
		return
	}
	p.line("")
	p.line("%-24s %6s  %-22s %s", "Wording (L4), AUC of", "tasks", "masked", "all words")
	for _, w := range r.Wording {
		p.line("  %-22s %6d  %-22s %s", w.Tier, w.Tasks, w.Masked, w.Unmasked)
	}
}

// String is the area with its interval.
func (a Area) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", a.Value, a.Lo, a.Hi) }

// cues is the table of L8.
func (p *printer) cues(r Report) {
	if r.Cues == nil {
		return
	}
	p.line("")
	p.line("%-24s %6s  %-12s %-8s %s", "Cues (L8) of "+r.Cues.Policy, "items", "score, mean", "actions", "stability")
	for _, c := range r.Cues.Classes {
		change := "-"
		if c.Items > 0 {
			change = fmt.Sprintf("%+.3f", c.Change)
		}
		p.line("  %-22s %6d  %-12s %-8d %.3f", cut(c.Class, 22), c.Items, change, c.Actions, c.Stability)
	}
}

// offenders are what breaks a rule, the first few.
func (p *printer) offenders(rule Rule, few int) {
	if len(rule.Offenders) == 0 {
		return
	}
	p.line("")
	p.line("%s  %s", rule.ID, rule.Title)
	for i, o := range rule.Offenders {
		if few > 0 && i == few {
			p.line("  and %d more (--all)", len(rule.Offenders)-few)
			break
		}
		p.wrapped("  ", o.String())
	}
}

// wrapped prints words in as many lines as they need.
func (p *printer) wrapped(indent, text string) {
	line := indent
	for _, w := range strings.Fields(text) {
		switch {
		case strings.TrimSpace(line) == "":
			line = indent + w
		case size(line)+1+size(w) <= p.width:
			line += " " + w
		default:
			p.line("%s", line)
			line = indent + w
		}
	}
	p.line("%s", line)
}

func size(s string) int { return utf8.RuneCountInString(s) }

func left(s string, n int) string { return s + strings.Repeat(" ", max(0, n-size(s))) }

func cut(s string, n int) string {
	if size(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
