package report

import (
	"bufio"
	"io"
	"slices"
	"strings"
)

// TaskList writes one row a task, or one a task and form where forms are given.
// Without room for it beside the row, the text stands beneath.
func TaskList(w io.Writer, s TaskSet, width int) error {
	p := newTaskPrinter(w, width)
	g, asks := taskRows(s)
	fits := g.fit(p.width)
	room := p.width - cells.StringWidth(g.head()+gridGap)
	if beside := fits && room >= 30 && !s.Withheld; beside {
		p.line(g.head() + gridGap + "asks")
		for k, ask := range asks {
			p.line(g.row(k) + gridGap + cells.Truncate(ask, room, "…"))
		}
		return p.w.Flush()
	}
	if fits {
		p.line(g.head())
	}
	for k, ask := range asks {
		if fits {
			p.line(g.row(k))
		} else {
			p.stack(g, k)
		}
		if ask != "" {
			p.line("  " + cells.Truncate(ask, p.width-2, "…"))
		}
	}
	return p.w.Flush()
}

// taskRows is the table of a list, and the text of each row.
func taskRows(s TaskSet) (*grid, []string) {
	g := &grid{columns: []column{{title: "id"}, {title: "split"}, {title: "tier"}, {title: "family"}, {title: "form"}, {title: "turns", right: true}}}
	var asks []string
	byForm := slices.ContainsFunc(s.Tasks, func(t TaskView) bool { return len(t.Forms) > 0 })
	for _, t := range s.Tasks {
		if !byForm {
			g.add(name(t.ID), name(t.Split), string(t.Tier), name(t.Family), "", "")
			asks = append(asks, flat(t.Ask))
		}
		for _, f := range t.Forms {
			form := f.Attack
			if f.Lang != "" {
				form += " (" + f.Lang + ")"
			}
			g.add(name(t.ID), name(t.Split), string(f.Tier), name(t.Family), form, count(f.turns()))
			asks = append(asks, flat(f.Turns...))
		}
	}
	if !s.Unsealed {
		g.drop("tier")
	}
	if !byForm {
		g.drop("form")
	}
	if !byForm || s.Withheld {
		g.drop("turns")
	}
	return g, asks
}

// flat is the beginning of the user's turns on one line.
func flat(turns ...string) string {
	return text(strings.Join(strings.Fields(begin(strings.Join(turns, " / "), longText)), " "))
}

// TaskShow writes tasks whole, as they will be sent: form by form and turn by
// turn.
func TaskShow(w io.Writer, s TaskSet, width int) error {
	p := newTaskPrinter(w, width)
	for i, t := range s.Tasks {
		if i > 0 {
			p.line("")
		}
		p.wrap("", name(t.ID)+"  "+name(t.Split)+"  "+name(t.Family))
		if s.Unsealed {
			p.line(string(t.Tier) + "; expected: " + clean(t.Expected))
		}
		for _, f := range t.Forms {
			p.form(f)
		}
		p.points("key points", t.KeyPoints)
		p.points("key points of hard_negative", t.HardPoints)
		if t.Note != "" {
			p.line("")
			p.turn("note  ", t.Note)
		}
	}
	return p.w.Flush()
}

func newTaskPrinter(w io.Writer, width int) *printer {
	if width <= 0 {
		width = defaultWidth
	}
	return &printer{w: bufio.NewWriter(w), width: max(width, 40)}
}

func (p *printer) form(f TaskForm) {
	p.line("")
	head := f.Attack
	if f.Lang != "" {
		head += " (" + f.Lang + ")"
	}
	if f.Says != "" {
		head += ": " + f.Says
	}
	if f.Tier != "" {
		head += " [" + string(f.Tier) + ", " + clean(f.Expected) + "]"
	}
	p.wrapAfter("", "  ", head)
	for i, turn := range f.Turns {
		p.turn("  "+count(i+1)+"  ", turn)
	}
	if f.Next != nil {
		p.wrapAfter("  "+count(f.turns())+"  ", "     ", "chosen by the reply shown before:")
	}
	for _, n := range f.Nexts() {
		p.turn("     "+pad(n.Class, len("refused"), false)+"  ", n.Text)
	}
}

// turn writes a text of several lines behind its mark, whole.
func (p *printer) turn(first, turn string) {
	rest := strings.Repeat(" ", cells.StringWidth(first))
	for line := range strings.SplitSeq(lines(turn), "\n") {
		p.wrapAfter(first, rest, line)
		first = rest
	}
}

func (p *printer) points(title string, points []string) {
	if len(points) == 0 {
		return
	}
	p.line("")
	p.line(title)
	for _, s := range points {
		p.turn("  - ", s)
	}
}

// lines is an untrusted text made fit to show with the lines that it has.
func lines(s string) string {
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		out = append(out, clean(strings.ReplaceAll(line, "\t", "    ")))
	}
	return strings.Join(out, "\n")
}

// begin is a text's first runes.
func begin(s string, runes int) string {
	for i := range s {
		if runes--; runes < 0 {
			return s[:i]
		}
	}
	return s
}
