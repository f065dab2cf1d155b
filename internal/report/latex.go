package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// LaTeX writes the contrast table as a table environment that needs the
// booktabs package and a UTF-8 engine, and one more for each part that stands
// apart; names keep their letters.
func LaTeX(w io.Writer, res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	l := legendOf(res)
	b := bufio.NewWriter(w)
	b.WriteString("% needs \\usepackage{booktabs}\n")
	latexTable(b, res, l, "")
	for _, a := range res.Apart {
		if a.Result == nil {
			b.WriteString("% a part that stands apart could not be analysed\n")
			continue
		}
		latexTable(b, a.Result, l, "Standing apart: "+partTitle(a)+". ")
	}
	return b.Flush()
}

// latexTable is the contrasts of one result; first begins its caption.
func latexTable(b *bufio.Writer, res *analysis.Result, l legend, first string) {
	g := contrastGrid(res, l)
	var form strings.Builder
	titles := make([]string, len(g.columns))
	for i, c := range g.columns {
		titles[i] = latex(c.title)
		if head, ok := strings.CutSuffix(c.title, "p"); ok && (head == "" || strings.HasSuffix(head, " ")) {
			titles[i] = latex(head) + `$p$`
		}
		if c.right {
			form.WriteByte('r')
		} else {
			form.WriteByte('l')
		}
	}
	b.WriteString("\\begin{table}\n\\centering\n\\caption{" + latexCaption(res, g, l, first) + "}\n")
	b.WriteString("\\begin{tabular}{@{}" + form.String() + "@{}}\n\\toprule\n" + strings.Join(titles, " & ") + ` \\` + "\n\\midrule\n")
	for _, r := range g.rows {
		row := make([]string, len(r))
		for i, s := range r {
			row[i] = latex(s)
		}
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
}

func latexCaption(res *analysis.Result, g *grid, l legend, first string) string {
	s := first + "Paired differences, condition minus " + name(res.Reference) + ", with " + percent(res.Level) +
		" CR2 intervals (Satterthwaite df), clustered by " + unitOf(res).one + "; p by sign flips" + g.columnNotes() + "."
	for _, m := range l.within(res) {
		s += " Mark " + m.String() + "."
	}
	if first == "" {
		for _, a := range amendmentLines(res) {
			s += " Amended " + a + "."
		}
	}
	if word := qualifier(res.Marks); word != "" && first == "" {
		s = strings.ToUpper(word) + ". " + s
	}
	if res.Simulated {
		s = "SIMULATED. " + s
	}
	return latex(s)
}

// latexEscapes are the characters that LaTeX reads as markup, and the signs
// of this package that not every font holds.
var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`,
	`%`, `\%`, `_`, `\_`, `^`, `\textasciicircum{}`, `~`, `\textasciitilde{}`, `<`, `\textless{}`, `>`, `\textgreater{}`,
	`|`, `\textbar{}`, `"`, `\textquotedbl{}`, "`", `\textasciigrave{}`, `'`, `\textquotesingle{}`,
	minus, `$-$`, absent, `--`, firm, `~`, `⟨`, `$\langle$`, `⟩`, `$\rangle$`, `…`, `\dots{}`, `[`, `{[}`, `]`, `{]}`)

// latex escapes a text; a bracket is braced, since after \\ it would be an
// optional argument.
func latex(s string) string { return latexEscapes.Replace(s) }
