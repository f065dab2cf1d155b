package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// ResponseList writes one row a response: with the beginning of what the user
// saw beside it, or beneath it where there is no room. What no row differs in
// stands once above the table.
func ResponseList(w io.Writer, s ResponseSet, width int) error {
	p := newTaskPrinter(w, width)
	p.unreal(s.simulated())
	g, texts := responseRows(s)
	if len(s.Rows) > 1 {
		p.shared(g, "model", "condition", "task", "attack", "rep", "outcome", "action")
	}
	const least = 24
	if slim := g.narrow(p.width-least-len(gridGap), "prompt", "output", "rep"); slim != nil {
		head := slim.head() + gridGap
		room := p.width - cells.StringWidth(head)
		p.line(head + "text")
		for k, t := range texts {
			p.line(slim.row(k) + gridGap + cells.Truncate(t, room, "…"))
		}
		return p.w.Flush()
	}
	row := p.rows(g, "prompt", "output", "rep")
	for k, t := range texts {
		row(k)
		p.line("  " + cells.Truncate(t, p.width-2, "…"))
	}
	return p.w.Flush()
}

// unreal marks replies that a simulation made.
func (p *printer) unreal(is bool) {
	if is {
		p.wrapAfter("SIMULATED  ", "           ", "no real model replied; nothing here says anything about one")
	}
}

// shared drops the columns in which all rows agree, and says what they hold.
func (p *printer) shared(g *grid, titles ...string) {
	var same []string
	for _, title := range titles {
		i := slices.IndexFunc(g.columns, func(c column) bool { return c.title == title })
		first := g.rows[0][i]
		if slices.ContainsFunc(g.rows, func(r []string) bool { return r[i] != first }) {
			continue
		}
		if first != absent {
			same = append(same, title+" "+first)
		}
		g.drop(title)
	}
	if len(same) > 0 {
		p.wrap("", "all: "+strings.Join(same, midDot))
	}
}

// responseRows is the table, and the text of each row.
func responseRows(s ResponseSet) (*grid, []string) {
	g := &grid{columns: []column{{title: "model"}, {title: "condition"}, {title: "task"}, {title: "attack"}, {title: "rep", right: true},
		{title: "outcome"}, {title: "action"}, {title: "prompt", right: true}, {title: "output", right: true}, {title: "score", right: true}, {title: "chars", right: true}}}
	var texts []string
	decided := false
	for _, r := range s.Rows {
		prompt, output, all := "", "", ""
		if d := r.Decision; d != nil {
			prompt, output, all, decided = score(d.PromptScore), score(d.OutputScore), score(d.Score), true
		}
		length := count(r.length())
		text, note := r.said()
		if note != "" {
			length, text = absent, "("+note+")"
		}
		g.add(name(r.Model), name(r.Condition), name(r.Task), name(r.Attack), count(r.Replicate),
			string(r.Outcome), r.action(), prompt, output, all, length)
		texts = append(texts, flat(text))
	}
	if !decided {
		for _, title := range []string{"prompt", "output", "score"} {
			g.drop(title)
		}
	}
	return g, texts
}

// ResponseShow writes one response whole: the conversation as the user saw it,
// the draft, the decision, and the call.
func ResponseShow(w io.Writer, r ResponseView, width int) error {
	p := newTaskPrinter(w, width)
	p.unreal(r.Simulated)
	p.wrap("", name(r.Model)+"/"+name(r.Condition)+"/"+name(r.Task)+"/"+name(r.Attack)+"/"+count(r.Replicate))
	p.field("id", r.ID())
	p.field("family", r.Item.Family)
	p.field("split", r.Item.Split)
	p.field("outcome", string(r.Outcome))
	p.field("error", r.Detail)
	p.field("withheld", r.Response.Withheld)
	p.conversation(r)
	p.draft(r)
	if r.Decision != nil {
		p.decision(*r.Decision)
	}
	p.call(r)
	return p.w.Flush()
}

// field writes a name and its value; nothing where there is none.
func (p *printer) field(name, value string) {
	if value != "" {
		p.wrapAfter(pad(name, 11, false), strings.Repeat(" ", 11), lines(value))
	}
}

func (p *printer) title(s string) {
	p.line("")
	p.line(s)
}

func (p *printer) conversation(r ResponseView) {
	p.title("conversation, as the user saw it")
	if r.Hidden != "" {
		p.wrapAfter("  ", "  ", "("+r.Hidden+")")
		return
	}
	turns := r.Message
	for _, m := range turns {
		p.turn("  "+pad(clean(m.Role), 11, false), m.Text)
	}
	if _, note := r.said(); note != "" {
		p.wrapAfter("  "+pad("assistant", 11, false), strings.Repeat(" ", 13), "("+clean(note)+")")
	} else if len(turns) == 0 {
		p.turn("  "+pad("assistant", 11, false), r.Text)
	}
}

func (p *printer) draft(r ResponseView) {
	switch {
	case r.Hidden != "" || r.Draft == "":
	case !r.changed():
		p.title("draft: as shown")
	default:
		p.title("draft, and what became of it: [-gone-] {+come+}")
		p.turn("  ", marked(wordDiff(r.Draft, r.Text)))
	}
}

func (p *printer) decision(d uplift.Decision) {
	p.title("decision")
	action := string(d.Action)
	if d.Would != "" {
		action += " (would " + string(d.Would) + ")"
	}
	p.field("  action", action)
	p.field("  scores", fmt.Sprintf("prompt %.3f, output %.3f: %.3f", d.PromptScore, d.OutputScore, d.Score))
	p.field("  rewriter", d.Rewriter)
	p.field("  policy", d.Policy)
	p.field("  error", d.Err)
	if len(d.Features) > 0 {
		p.line("")
		g := &grid{columns: []column{{title: "  side"}, {title: "feature"}, {title: "value", right: true}, {title: "adds", right: true}}}
		for _, f := range d.Features {
			g.add("  "+name(f.Where), name(f.Name), score(f.Value), score(f.Adds))
		}
		p.table(g)
	}
	for i, c := range d.Cues {
		if i == 0 {
			p.line("  cues")
		}
		p.wrapAfter("  ", "    ", fmt.Sprintf("%s  %s  %q  bytes %d-%d", clean(c.Where), clean(c.Class), clean(c.Words), c.Start, c.End))
	}
}

func (p *printer) call(r ResponseView) {
	c := r.Call
	if c == nil {
		if r.Response.Call != "" {
			p.title("call")
			p.field("  digest", r.Response.Call+" (not kept)")
		}
		return
	}
	p.title("call")
	p.field("  digest", r.Response.Call)
	p.field("  shared", strings.Join(r.With, ", "))
	p.field("  stop", string(c.Stop))
	p.field("  reason", c.Reason)
	p.field("  details", c.Details)
	p.field("  version", c.Version)
	p.field("  request", c.RequestID)
	p.field("  tokens", count(c.TokensIn)+" in, "+count(c.TokensOut)+" out")
	p.field("  cost", r.Cost)
	p.field("  latency", count(int(c.LatencyMS))+" ms")
	p.field("  attempts", count(c.Attempts))
	for _, a := range r.Attempts {
		p.wrapAfter("    ", "      ", clean(a.At)+"  "+clean(a.Said))
	}
	p.field("  error", c.Err)
}
