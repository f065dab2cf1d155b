package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/analysis"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The golden files are read as prose before they are committed.
func TestGolden(t *testing.T) {
	type write func(io.Writer, Input) error
	of := func(f func(io.Writer, *analysis.Result) error) write {
		return func(w io.Writer, in Input) error { return f(w, in.Result) }
	}
	forms := map[string]write{
		"html": HTML,
		"txt":  func(w io.Writer, in Input) error { return Text(w, in.Result, 100) },
		"md":   of(Markdown),
		"csv":  of(CSV),
		"tex":  of(LaTeX),
		"R":    func(w io.Writer, in Input) error { _, err := io.WriteString(w, RScript(in.Result)); return err },
	}
	files := []string{"xstest.html", "xstest.txt", "xstest.md", "xstest.csv", "xstest.tex", "xstest.R",
		"simulated.txt", "simulated.md", "models.txt", "models.csv", "guarded.html", "guarded.txt", "guarded.md", "guarded.csv", "guarded.tex",
		"hostile.txt", "hostile.md", "hostile.tex", "empty.txt", "empty.md",
		"amended.html", "amended.txt", "amended.md", "amended.csv", "amended.tex", "amended.R", "explored.txt", "explored.md", "explored.tex", "explored.R"}
	all := fixtures()
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			ext := filepath.Ext(file)
			var got bytes.Buffer
			if err := forms[ext[1:]](&got, all[file[:len(file)-len(ext)]]); err != nil {
				t.Fatal(err)
			}
			golden(t, file, got.Bytes())
		})
	}
}

func TestGoldenNarrow(t *testing.T) {
	for file, c := range map[string]struct {
		in    Input
		width int
	}{"simulated-60.txt": {simulated(), 60}, "amended-80.txt": {amended(), 80}} {
		var got bytes.Buffer
		if err := Text(&got, c.in.Result, c.width); err != nil {
			t.Fatal(err)
		}
		golden(t, file, got.Bytes())
	}
}

// A table gives up the title of its marks, then a column, and neither where that
// alone does not help; what fits in no way keeps everything.
func TestNarrowTables(t *testing.T) {
	g := &grid{columns: []column{{title: "condition"}, {title: markTitle}, {title: "difference"}, {title: holmTitle}}}
	g.add("safe", "P", "0.1", "0.02") // 9+2+4+2+10+2+6 columns
	for width, want := range map[int]string{35: "condition,mark,difference,Holm p", 34: "condition,,difference,Holm p", 32: "condition,,difference,Holm p",
		31: "condition,mark,difference", 27: "condition,mark,difference", 26: "condition,,difference", 23: ""} {
		got := ""
		if slim := g.narrow(width, marginTitle, holmTitle); slim != nil {
			titles := make([]string, len(slim.columns))
			for i, c := range slim.columns {
				titles[i] = c.title
			}
			got = strings.Join(titles, ",")
		}
		if got != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
	if len(g.columns) != 4 || len(g.rows[0]) != 4 || g.columns[1].title != markTitle {
		t.Errorf("the table itself was changed: %v", g.columns)
	}
}

// Every interval and number of a contrast, where the line is not enough.
func TestGoldenDetail(t *testing.T) {
	for file, in := range map[string]Input{"simulated-detail.txt": simulated(), "guarded-detail.txt": fixtures()["guarded"]} {
		for width, suffix := range map[int]string{100: "", 60: "-60"} {
			var got bytes.Buffer
			if err := Text(&got, in.Result, width, ContrastDetail); err != nil {
				t.Fatal(err)
			}
			golden(t, strings.Replace(file, ".txt", suffix+".txt", 1), got.Bytes())
		}
	}
}

func TestGoldenAgreement(t *testing.T) {
	var got bytes.Buffer
	if err := AgreementText(&got, agreement(), 100); err != nil {
		t.Fatal(err)
	}
	golden(t, "agreement.txt", got.Bytes())
}

// The agreement of simulated raters is the same behind a line that says so.
func TestAgreementOfSimulatedRaters(t *testing.T) {
	var plain, got bytes.Buffer
	a := agreement()
	if err := AgreementText(&plain, a, 100); err != nil {
		t.Fatal(err)
	}
	a.Simulated = true
	if err := AgreementText(&got, a, 100); err != nil {
		t.Fatal(err)
	}
	want := "SIMULATED  no model and no person took part; the marks are those of simulated raters\n" + plain.String()
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), string(want)); diff != "" {
		t.Errorf("%s (-got +want):\n%s", file, diff)
	}
}

func TestSameInputSameBytes(t *testing.T) {
	for name := range fixtures() {
		var a, b bytes.Buffer
		if err := HTML(&a, fixtures()[name]); err != nil {
			t.Fatal(err)
		}
		if err := HTML(&b, fixtures()[name]); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two pages of one input differ", name)
		}
	}
}

func TestNothingGiven(t *testing.T) {
	if err := HTML(io.Discard, Input{}); err != ErrNoResult {
		t.Errorf("HTML without a result: got %v, want %v", err, ErrNoResult)
	}
	for name, f := range map[string]func(io.Writer, *analysis.Result) error{"Markdown": Markdown, "CSV": CSV, "LaTeX": LaTeX} {
		if err := f(io.Discard, nil); err != ErrNoResult {
			t.Errorf("%s without a result: got %v, want %v", name, err, ErrNoResult)
		}
	}
	if err := Text(io.Discard, nil, 0); err != ErrNoResult {
		t.Errorf("Text without a result: got %v, want %v", err, ErrNoResult)
	}
	if err := AgreementText(io.Discard, nil, 0); err != ErrNoAgreement {
		t.Errorf("AgreementText without an agreement: got %v, want %v", err, ErrNoAgreement)
	}
}
