package controller

import "strings"

// maxPasses bounds how often a redaction is repeated until nothing changes.
const maxPasses = 4

// redact puts one mark in place of each run of risky sentences and list items.
// What it gives is not changed by another redaction.
func (r *rules) redact(draft, mark string) (shown string, removed bool) {
	shown = draft
	for range maxPasses {
		next := r.redactOnce(shown, mark)
		if next == shown {
			return shown, shown != draft
		}
		shown = next
	}
	return mark, draft != mark
}

// redaction is one pass over a draft.
type redaction struct {
	*rules
	mark   string
	list   bool // the draft has a numbered list
	out    strings.Builder
	marked bool   // the last thing written is the mark
	gap    string // blank lines since then
}

func (r *rules) redactOnce(draft, mark string) string {
	a := &redaction{rules: r, mark: mark, list: r.steps && r.units.shapeOf(draft).steps > stepsFrom}
	for _, b := range blocksOf(draft) {
		switch b.kind {
		case blankLine:
			a.gap += b.text
		case fencedCode:
			a.fenced(b)
		case tableRow:
			a.row(b.text)
		default:
			a.line(b.text)
		}
	}
	a.out.WriteString(a.gap)
	return a.out.String()
}

// keep writes what stays.
func (a *redaction) keep(text string) {
	a.out.WriteString(a.gap)
	a.out.WriteString(text)
	a.gap, a.marked = "", false
}

// drop writes the mark in place of a whole line, once a run.
func (a *redaction) drop(head, tail string) {
	if a.marked {
		a.gap = ""
		return
	}
	a.keep(head + a.mark + tail)
	a.marked = true
}

func (a *redaction) fenced(b block) {
	opening, content, closing := b.inside()
	if !a.risky(content) && !a.riskyLines(content) {
		a.keep(b.text)
		return
	}
	tail := ""
	if closing != "" {
		tail = "\n"
	}
	a.keep(opening + a.mark + tail + closing)
}

func (a *redaction) riskyLines(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if a.riskyLine(line) {
			return true
		}
	}
	return false
}

// riskyLine is risky, but for a number at the head where there is no list.
func (a *redaction) riskyLine(line string) bool {
	if m := markerOf(line); m.ordered {
		return a.list || a.specific(line[m.length:])
	}
	return a.risky(line)
}

// row keeps a table's shape: the first of a run of risky rows holds the mark.
func (a *redaction) row(text string) {
	if !a.risky(strings.Trim(text, " |\t\r\n")) && !a.risky(text) {
		a.keep(text)
		return
	}
	cells := max(strings.Count(strings.TrimSpace(text), "|")-2, 0)
	a.drop("| ", " |"+strings.Repeat("  |", cells)+space(text))
}

func (a *redaction) line(text string) {
	m := markerOf(text)
	if m.ordered && a.list {
		a.drop(text[:m.bullet], space(text))
		return
	}
	head := text[:m.length]
	parts := sentences(text[m.length:])
	risky := make([]bool, len(parts))
	all := len(parts) > 0
	for i, p := range parts {
		risky[i] = a.risky(p)
		all = all && risky[i]
	}
	if all {
		a.drop(head, space(text))
		return
	}
	goesOn := a.marked // the run of the lines before
	a.keep(head)
	for i, p := range parts {
		switch {
		case !risky[i]:
			a.out.WriteString(p)
		case i == 0 && !goesOn || i > 0 && !risky[i-1]:
			a.out.WriteString(a.mark + space(p))
		}
	}
}
