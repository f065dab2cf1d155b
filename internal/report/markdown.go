package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Markdown writes the contrast table as a pipe table (GitHub's dialect), then
// the claims in words and the warnings, then in short what stands apart.
func Markdown(w io.Writer, res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	b := bufio.NewWriter(w)
	if res.Simulated {
		b.WriteString("**SIMULATED**: " + nobody(res.BroughtIn) + ".\n\n")
	}
	l := legendOf(res)
	if word := qualifier(res.Marks); word != "" {
		b.WriteString("**" + strings.ToUpper(markdown(word)) + "**: no number here is confirmatory.\n\n")
	}
	if plan := planLine(res); plan != "" {
		b.WriteString(capital(markdown(plan)) + ".\n\n")
	}
	for _, a := range amendmentLines(res) {
		b.WriteString("- Amended " + markdown(a) + "\n")
	}
	if len(res.Standing.Amendments) > 0 {
		b.WriteString("\n")
	}
	g := contrastGrid(res, l)
	markdownTable(b, g)
	b.WriteString("\n" + markdown("Differences are condition minus reference, with CR2 intervals by "+unitOf(res).many+"; p by sign flips"+g.columnNotes()+".") + "\n\n")
	markdownMarks(b, l.within(res))
	markdownFindings(b, res)
	for _, a := range res.Apart {
		markdownApart(b, a, l)
	}
	return b.Flush()
}

// markdownMarks explains the signs of a table.
func markdownMarks(b *bufio.Writer, marks []signedMark) {
	for _, m := range marks {
		b.WriteString("- Mark " + markdown(m.String()) + "\n")
	}
}

// markdownApart is a part in short.
func markdownApart(b *bufio.Writer, a analysis.Apart, l legend) {
	b.WriteString("\n**Standing apart: " + markdown(partTitle(a)) + "**")
	if lead := partLead(a); lead != "" {
		b.WriteString(markdown(midDot + lead))
	}
	b.WriteString("\n\n")
	if a.Result == nil {
		markdownMarks(b, l.lines(a.Marks))
		b.WriteString("- Not analysed: " + markdown(text(a.Withheld)) + "\n")
		return
	}
	markdownTable(b, contrastGrid(a.Result, l))
	b.WriteString("\n")
	markdownMarks(b, l.lines(a.Marks))
	for _, w := range partWarnings(a.Result) {
		b.WriteString("- Warning: " + markdown(w.Text+" ("+w.Places()+")") + "\n")
	}
}

func markdownTable(b *bufio.Writer, g *grid) {
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
}

// markdownFindings are the claims of the headline in words, and the warnings.
func markdownFindings(b *bufio.Writer, res *analysis.Result) {
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
