package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// LaTeX writes the contrast table as a table environment that needs the
// booktabs package and a UTF-8 engine; names keep their letters.
func LaTeX(w io.Writer, res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	g := contrastGrid(res)
	b := bufio.NewWriter(w)
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
	b.WriteString("% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{" + latexCaption(res, g) + "}\n")
	b.WriteString("\\begin{tabular}{@{}" + form.String() + "@{}}\n\\toprule\n" + strings.Join(titles, " & ") + ` \\` + "\n\\midrule\n")
	for _, r := range g.rows {
		row := make([]string, len(r))
		for i, s := range r {
			row[i] = latex(s)
		}
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	return b.Flush()
}

func latexCaption(res *analysis.Result, g *grid) string {
	s := "Paired differences, condition minus " + name(res.Reference) + ", with " + percent(res.Level) +
		" CR2 intervals (Satterthwaite df), clustered by " + unitOf(res).one + "; p by sign flips" + g.columnNotes() + "."
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
