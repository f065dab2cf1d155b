package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Markdown writes the contrast table as a pipe table (GitHub's dialect), then
// the claims in words and the warnings.
func Markdown(w io.Writer, res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	b := bufio.NewWriter(w)
	if res.Simulated {
		b.WriteString("**SIMULATED**: no model and no person took part.\n\n")
	}
	g := contrastGrid(res)
	bars := make([]string, len(g.columns))
	titles := make([]string, len(g.columns))
	for i, c := range g.columns {
		titles[i], bars[i] = markdown(c.title), "---"
		if c.right {
			bars[i] = "---:"
		}
	}
	pipe(b, titles)
	pipe(b, bars)
	for _, r := range g.rows {
		row := make([]string, len(r))
		for i, s := range r {
			row[i] = markdown(s)
		}
		pipe(b, row)
	}
	b.WriteString("\n" + markdown("Differences are condition minus reference, with CR2 intervals by "+unitOf(res).many+"; p by sign flips"+g.columnNotes()+".") + "\n\n")
	for _, i := range contrastOrder(res) {
		c := &res.Contrasts[i]
		b.WriteString("- " + markdownSentence(claim(c)) + "\n")
		for _, note := range c.Warnings {
			b.WriteString("  - Warning: " + markdown(text(note.Text)) + "\n")
		}
	}
	if note := marginNote(res); note != "" {
		b.WriteString("- " + markdown(note) + "\n")
	}
	for _, note := range res.Warnings {
		b.WriteString("- Warning: " + markdown(text(note.Text)) + "\n")
	}
	return b.Flush()
}

func pipe(b *bufio.Writer, fields []string) {
	b.WriteString("| " + strings.Join(fields, " | ") + " |\n")
}

// markdownSentence is a sentence with its names set apart by emphasis-free
// escapes, since a code span cannot hold every name.
func markdownSentence(s sentence) string {
	var b strings.Builder
	for _, p := range s {
		if p.Name {
			b.WriteString("“" + markdown(p.Text) + "”")
		} else {
			b.WriteString(markdown(p.Text))
		}
	}
	return b.String()
}

// markdown escapes every character that Markdown or the HTML in it could read
// as markup (CommonMark 2.4: any ASCII punctuation may be escaped).
func markdown(s string) string {
	var b strings.Builder
	for _, r := range loose(s) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!$@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "://", ":\\//")
}
