package report

import (
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// note is a warning beside a number of the page, in short: the section of
// warnings has it in full, once for all numbers that carry it.
type note struct {
	Text   string
	Anchor string // id of the whole warning
	of     uplift.Warning
}

func notesOf(warnings []uplift.Warning) []note {
	out := make([]note, len(warnings))
	for i, w := range warnings {
		out[i] = note{Text: inShort(text(w.Text)), of: w}
	}
	return out
}

// inShort is the first clause of a warning as a sentence.
func inShort(s string) string {
	first, _, _ := strings.Cut(s, "; ")
	return asSentence(first)
}

// asSentence begins a text with a capital and ends it with a full stop.
func asSentence(s string) string {
	if s = capitalName(s); s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// link gives the notes of the page the ids of their warnings.
func (p *page) link() {
	anchor := map[[2]string]string{}
	for _, w := range p.Warnings {
		anchor[[2]string{w.Code, w.Text}] = w.Anchor
	}
	of := func(notes []note) {
		for i, n := range notes {
			notes[i].Anchor = anchor[[2]string{name(n.of.Code), text(n.of.Text)}]
		}
	}
	for _, k := range p.Cards {
		for _, c := range k.Claims {
			of(c.Warnings)
		}
	}
	for _, f := range p.Forests {
		for _, r := range f.Rows {
			of(r.Warnings)
		}
	}
	if p.Steps != nil {
		of(p.Steps.Warnings)
	}
	for _, a := range p.Apart {
		for i, w := range a.Warnings {
			a.Warnings[i].Anchor = anchor[[2]string{w.Code, w.Text}]
		}
	}
}
