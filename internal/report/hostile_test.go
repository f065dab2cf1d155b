package report

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// What a hostile name reaches must stay text. The browser test asks a real
// parser; this one needs none.
func TestHostileNamesInHTML(t *testing.T) {
	var b bytes.Buffer
	if err := HTML(&b, hostile()); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for tag, want := range map[string]int{"script": 1, "style": 1, "img": 0, "iframe": 0, "link": 0, "base": 0, "meta": 6} {
		if got := len(regexp.MustCompile(`(?i)<`+tag+`[\s>/]`).FindAllString(page, -1)); got != want {
			t.Errorf("<%s> stands %d times in the page, want %d", tag, got, want)
		}
	}
	for _, r := range page {
		if r != '\n' && hidden(r) {
			t.Errorf("the page holds the invisible %U", r)
		}
	}
	bare := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(page, `""`)
	for _, attribute := range regexp.MustCompile(`<[a-z][^<>]*?\s(on[a-z]+|style|src)=`).FindAllString(bare, -1) {
		t.Errorf("the page holds %q", attribute)
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("html/template refused a value: the page holds ZgotmplZ")
	}
}

func TestHostileNamesOnATerminal(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, hostile().Result, 80); err != nil {
		t.Fatal(err)
	}
	if err := AgreementText(&b, hostile().Agreement, 80); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(b.Bytes()) {
		t.Error("the text is no UTF-8")
	}
	for _, r := range b.String() {
		if r != '\n' && hidden(r) {
			t.Errorf("the text holds the invisible %U", r)
		}
	}
}

func TestHostileNamesInMarkdown(t *testing.T) {
	for _, n := range hostileNames {
		res := simulated().Result
		for i := range res.Contrasts {
			res.Contrasts[i].Condition, res.Contrasts[i].Scale = n, n
			res.Contrasts[i].Warnings = []uplift.Warning{{Code: n, Text: n}}
		}
		var b bytes.Buffer
		if err := Markdown(&b, res); err != nil {
			t.Fatal(err)
		}
		bare := regexp.MustCompile(`\\.`).ReplaceAllString(b.String(), "")
		for _, line := range strings.Split(bare, "\n") {
			if strings.HasPrefix(line, "|") && strings.Count(line, "|") != 13 {
				t.Errorf("a row has %d bars, want 13: %s", strings.Count(line, "|"), line)
			}
			if strings.ContainsAny(line, "<>`[]_{}") {
				t.Errorf("unescaped markup: %s", line)
			}
		}
	}
}

func TestHostileNamesInLaTeX(t *testing.T) {
	var b bytes.Buffer
	if err := LaTeX(&b, hostile().Result); err != nil {
		t.Fatal(err)
	}
	for _, command := range regexp.MustCompile(`\\[a-zA-Z]+`).FindAllString(b.String(), -1) {
		known := []string{`\usepackage`, `\begin`, `\end`, `\centering`, `\caption`, `\toprule`, `\midrule`, `\bottomrule`,
			`\textbackslash`, `\textasciitilde`, `\textasciicircum`, `\textless`, `\textgreater`, `\textbar`, `\textquotedbl`,
			`\textasciigrave`, `\textquotesingle`, `\langle`, `\rangle`, `\dots`}
		if !slices.Contains(known, command) {
			t.Errorf("the table holds the command %s", command)
		}
	}
}

// CSV keeps every name as it is.
func TestCSVRoundTrip(t *testing.T) {
	var pairs []analysis.Pair
	for _, n := range hostileNames {
		if strings.Contains(n, "\r") {
			continue // encoding/csv reads a carriage return before a line feed as part of the line end
		}
		pairs = append(pairs, analysis.Pair{Model: n, Condition: n, Reference: n, Endpoint: n, Scale: n, Task: n, Family: n, Attack: n,
			Replicate: 3, ScoreCondition: 0.1, ScoreReference: 0.3, Difference: -0.19999999999999998})
	}
	marked := &analysis.Result{Simulated: true}
	for _, p := range pairs[1:] { // the contrast of the first pair has no mark
		marked.Contrasts = append(marked.Contrasts, analysis.Contrast{Model: p.Model, Condition: p.Condition, Endpoint: p.Endpoint,
			Marks: []uplift.Warning{{Code: analysis.MarkExploratory}, {Code: analysis.MarkPostHoc}, {Code: analysis.MarkPostHoc}}})
	}
	var b bytes.Buffer
	if err := PairsCSV(&b, slices.Values(pairs), marked); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows[0], pairColumns); diff != "" {
		t.Errorf("header (-got +want):\n%s", diff)
	}
	for i, row := range rows[1:] {
		n, marks := pairs[i].Model, "exploratory+post_hoc"
		if i == 0 {
			marks = ""
		}
		want := []string{n, n, n, n, n, "", n, n, n, "3", "0.1", "0.3", "-0.19999999999999998", "true", marks}
		if diff := cmp.Diff(row, want); diff != "" {
			t.Errorf("row %d (-got +want):\n%s", i+1, diff)
		}
	}
}
