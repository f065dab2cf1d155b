package report

import (
	"io"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Text writes the terminal table, wrapped at width columns (0 means 100).
func Text(w io.Writer, res *analysis.Result, width int) error { return nil }

// AgreementText writes the agreement of the raters for a terminal.
func AgreementText(w io.Writer, a *analysis.Agreement, width int) error { return nil }

// Markdown writes the contrast table as a pipe table with its warnings.
func Markdown(w io.Writer, res *analysis.Result) error { return nil }

// CSV writes one row a contrast with a header, values unrounded.
func CSV(w io.Writer, res *analysis.Result) error { return nil }

// LaTeX writes the contrast table with booktabs rules.
func LaTeX(w io.Writer, res *analysis.Result) error { return nil }
