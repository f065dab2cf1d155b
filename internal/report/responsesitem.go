package report

import (
	"io"
	"strings"
)

// sideCells is the narrowest column that a text is read in, and sideGap stands
// between two.
const (
	sideCells = 34
	sideGap   = " │ "
)

// ResponseItem writes each conversation as every condition answered it: side by
// side where the terminal has room for columns of 34, else one under the other.
// What a controller changed is marked against the draft; a text that is another
// condition's too is written once.
func ResponseItem(w io.Writer, s ResponseSet, width int) error {
	p := newTaskPrinter(w, width)
	p.unreal(s.simulated())
	var item string
	for _, g := range s.groups() {
		if now := name(g.Item.Task) + "/" + name(g.Item.Attack); now != item {
			p.askedAs(g, now)
			item = now
		}
		p.line("")
		p.wrap("", name(g.Model)+midDot+"replicate "+count(g.Replicate))
		p.sides(g)
	}
	if s.Total > len(s.Rows) {
		p.line("")
		p.wrap("", plural(s.Total-len(s.Rows), "more response is", "more responses are")+" left out")
	}
	return p.w.Flush()
}

// askedAs is the head of an item: what the user wrote.
func (p *printer) askedAs(g responseGroup, item string) {
	p.line("")
	head := item
	if g.Item.Split != "" {
		head += midDot + name(g.Item.Split)
	}
	if g.Item.Family != "" {
		head += midDot + name(g.Item.Family)
	}
	p.wrap("", head)
	for i, turn := range g.Item.Turns {
		p.turn("  user "+count(i+1)+"  ", turn)
	}
}

// sides writes the rows of a group, as many beside each other as there is room.
func (p *printer) sides(g responseGroup) {
	blocks := make([]sideBlock, len(g.Rows))
	for i := range g.Rows {
		blocks[i] = g.block(i)
	}
	across := max(1, (p.width+len(sideGap)-2)/(sideCells+len(sideGap)-2))
	across = min(across, len(blocks))
	room := (p.width - (across-1)*cells.StringWidth(sideGap)) / max(across, 1)
	for len(blocks) > 0 {
		n := min(across, len(blocks))
		p.line("")
		p.beside(blocks[:n], room)
		blocks = blocks[n:]
	}
}

// sideBlock is what stands of one response.
type sideBlock struct{ head, body []string }

func (g responseGroup) block(i int) sideBlock {
	r := g.Rows[i]
	b := sideBlock{head: []string{name(r.Condition), r.Verdict()}}
	text, note := r.said()
	switch twin := g.twin(i); {
	case note != "":
		b.body = []string{"(" + clean(note) + ")"}
	case twin != "":
		b.body = []string{"same as " + name(twin)}
	case r.changed():
		b.body = strings.Split(lines(marked(wordDiff(r.Draft, text))), "\n")
	default:
		b.body = strings.Split(lines(text), "\n")
	}
	return b
}

// beside writes blocks in columns of equal width.
func (p *printer) beside(blocks []sideBlock, room int) {
	columns := make([][]string, len(blocks))
	heads := 0
	for i, b := range blocks {
		columns[i] = broken(b.head, room)
		heads = max(heads, len(columns[i]))
	}
	for i, b := range blocks {
		for len(columns[i]) < heads {
			columns[i] = append(columns[i], "")
		}
		columns[i] = append(columns[i], strings.Repeat("─", min(room, 20)))
		columns[i] = append(columns[i], broken(b.body, room)...)
	}
	for at, more := 0, true; more; at++ {
		more = false
		row := make([]string, len(columns))
		for i, c := range columns {
			if at < len(c) {
				row[i], more = c[at], true
			}
			row[i] = pad(row[i], room, false)
		}
		if more {
			p.empty = false
			p.line(strings.Join(row, sideGap))
		}
	}
}

// broken breaks lines at width columns: between words, and within a word that
// is longer than a line.
func broken(texts []string, width int) []string {
	var out []string
	for _, text := range texts {
		line := ""
		for i, word := range strings.Split(loose(text), " ") {
			if i > 0 && cells.StringWidth(line)+1+cells.StringWidth(word) <= width {
				line += " " + word
				continue
			}
			if i > 0 {
				out = append(out, line)
			}
			for line = word; cells.StringWidth(line) > width; {
				head := cells.Truncate(line, width, "")
				if head == "" {
					break
				}
				out = append(out, head)
				line = line[len(head):]
			}
		}
		out = append(out, line)
	}
	return out
}
