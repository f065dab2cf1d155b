package report

import (
	"bufio"
	"io"
	"strings"
)

// TaskList writes one row a task, or one a task and form where forms are named.
func TaskList(w io.Writer, s TaskSet, byForm bool, width int) error {
	p := newTaskPrinter(w, width)
	g := &grid{columns: []column{{title: "id"}, {title: "split"}, {title: "tier"}, {title: "family"}, {title: "form"}, {title: "turns", right: true}}}
	var asks []string
	for _, t := range s.Tasks {
		forms := t.Forms
		if !byForm && len(forms) > 1 {
			forms = forms[:1]
		}
		for _, f := range forms {
			tier := f.Tier
			if tier == "" {
				tier = t.Tier
			}
			turns := len(f.Turns)
			if f.Next != nil {
				turns++
			}
			g.add(name(t.ID), name(t.Split), string(tier), name(t.Family), f.Attack, count(turns))
			asks = append(asks, flat(f.Turns))
		}
	}
	if !s.Unsealed {
		g.drop("tier")
	}
	if !byForm {
		g.drop("form")
		g.drop("turns")
	}
	g.fit(p.width)
	room := p.width - cells.StringWidth(g.head()) - len(gridGap)
	beside := room >= 30
	head := g.head()
	if beside {
		head += gridGap + "asks"
	}
	p.line(head)
	for k, ask := range asks {
		if beside {
			p.line(g.row(k) + gridGap + cells.Truncate(ask, room, "…"))
			continue
		}
		p.line(g.row(k))
		p.line("  " + cells.Truncate(ask, p.width-2, "…"))
	}
	return p.w.Flush()
}

// TaskShow writes tasks as they will be sent, form by form and turn by turn.
func TaskShow(w io.Writer, s TaskSet, width int) error {
	p := newTaskPrinter(w, width)
	for i, t := range s.Tasks {
		if i > 0 {
			p.line("")
		}
		head := name(t.ID) + "  " + name(t.Split) + "  " + name(t.Family)
		if s.Unsealed {
			head += "  " + string(t.Tier) + "  expected: " + t.Expected
		}
		p.line(head)
		for _, f := range t.Forms {
			p.form(f)
		}
		p.points("key points", t.KeyPoints)
		p.points("key points of hard_negative", t.HardPoints)
		if t.Note != "" {
			p.line("")
			p.wrapAfter("  note  ", "        ", text(t.Note))
		}
	}
	return p.w.Flush()
}

// TaskStats writes tables of counts, each with its title.
func TaskStats(w io.Writer, tables []CountTable, width int) error {
	p := newTaskPrinter(w, width)
	for i, t := range tables {
		if i > 0 {
			p.line("")
		}
		p.line(t.Title)
		g := t.grid()
		g.fit(p.width)
		p.line(g.head())
		for k := range g.rows {
			p.line(g.row(k))
		}
	}
	return p.w.Flush()
}

// CountTable is a table whose cells after the first Words columns are numbers.
type CountTable struct {
	Title string
	Heads []string
	Words int
	Rows  [][]string
}

func (t CountTable) grid() *grid {
	g := &grid{rows: t.Rows}
	for i, h := range t.Heads {
		g.columns = append(g.columns, column{title: h, right: i >= t.Words})
	}
	return g
}

func newTaskPrinter(w io.Writer, width int) *printer {
	if width <= 0 {
		width = defaultWidth
	}
	return &printer{w: bufio.NewWriter(w), width: max(width, 40)}
}

func (p *printer) form(f TaskForm) {
	p.line("")
	head := "  " + f.Attack
	if f.Lang != "" {
		head += " (" + f.Lang + ")"
	}
	if f.Tier != "" {
		head += "  " + string(f.Tier)
	}
	p.line(head)
	for i, turn := range f.Turns {
		p.turn("    "+count(i+1)+"  ", turn)
	}
	if n := f.Next; n != nil {
		last := "    " + count(len(f.Turns)+1) + "  "
		p.line(last + "by the reply shown before:")
		for _, c := range f.nexts() {
			p.turn("       after "+c.Class+"  ", c.Text)
		}
	}
}

// nextTurn is one of an adaptive probe's last turns.
type nextTurn struct{ Class, Text string }

// nexts lists the last turns by the class of the reply before.
func (f TaskForm) nexts() []nextTurn {
	if f.Next == nil {
		return nil
	}
	return []nextTurn{{"refused", f.Next.Refused}, {"limited", f.Next.Limited}, {"full", f.Next.Full}}
}

// Nexts is what the template shows of an adaptive probe.
func (f TaskForm) Nexts() []nextTurn { return f.nexts() }

func (p *printer) turn(first, turn string) {
	rest := strings.Repeat(" ", cells.StringWidth(first))
	for line := range strings.SplitSeq(text(turn), "\n") {
		p.wrapAfter(first, rest, line)
		first = rest
	}
}

func (p *printer) points(title string, points []string) {
	if len(points) == 0 {
		return
	}
	p.line("")
	p.line("  " + title)
	for _, s := range points {
		p.wrapAfter("    - ", "      ", text(s))
	}
}

// flat is the user's turns on one line.
func flat(turns []string) string {
	return strings.Join(strings.Fields(text(strings.Join(turns, " / "))), " ")
}
