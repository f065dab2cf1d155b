package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// everyPart is what --all asks for.
var everyPart = []AgreementPart{AgreementFigures, AgreementTables, AgreementRaters, AgreementPairs, AgreementPatterns}

func agreementText(t *testing.T, a *analysis.Agreement, width int, parts ...AgreementPart) string {
	t.Helper()
	var b bytes.Buffer
	if err := AgreementText(&b, a, width, parts...); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGoldenAgreementParts(t *testing.T) {
	for file, width := range map[string]int{"agreement-all.txt": 100, "agreement-all-80.txt": 80, "agreement-all-60.txt": 60} {
		t.Run(file, func(t *testing.T) {
			got := agreementText(t, threeRaters(), width, everyPart...)
			for _, line := range strings.Split(got, "\n") {
				if w := cells.StringWidth(line); w > width {
					t.Errorf("%d columns: %q", w, line)
				}
			}
			golden(t, file, []byte(got))
		})
	}
}

// A part is written when it is asked for, and the plain text says what is there.
func TestAgreementPartsAreAskedFor(t *testing.T) {
	marks := map[AgreementPart]string{AgreementFigures: "tiers: every coefficient", AgreementTables: "tiers: how often", AgreementRaters: "tiers: raters",
		AgreementPairs: "tiers: pairs", AgreementPatterns: "tiers: who marked"}
	plain := agreementText(t, threeRaters(), 100)
	if !strings.Contains(plain, "also there: every coefficient") {
		t.Errorf("the plain text does not say what is there:\n%s", plain)
	}
	for _, part := range everyPart {
		got := agreementText(t, threeRaters(), 100, part)
		for of, mark := range marks {
			if is := strings.Contains(got, mark); is != (of == part) {
				t.Errorf("asked for part %d: %q stands there: %v", part, mark, is)
			}
		}
		if strings.Contains(got, "also there") {
			t.Errorf("asked for part %d, the text still says what is there", part)
		}
	}
}

func TestHostileRatersOnATerminal(t *testing.T) {
	got := agreementText(t, hostile().Agreement, 80, everyPart...)
	if !utf8.ValidString(got) {
		t.Error("the text is no UTF-8")
	}
	for _, r := range got {
		if r != '\n' && hidden(r) {
			t.Errorf("the text holds the invisible %U", r)
		}
	}
}

func TestStepOf(t *testing.T) {
	for share, want := range map[float64]int{0: 0, 1e-9: 1, 0.0099: 1, 0.01: 2, 0.0199: 2, 0.02: 3, 0.05: 4, 0.0999: 4, 0.1: 5, 0.2: 6, 0.399: 6, 0.4: 7, 1: 7} {
		if got := stepOf(share); got != want {
			t.Errorf("a share of %v: got step %d, want %d", share, got, want)
		}
	}
	var key []string
	for _, s := range heatSteps {
		key = append(key, fmt.Sprint(s.Step, " ", loose(s.Text)))
	}
	if got := strings.Join(key, ", "); got != "1 below 1 %, 2 1–2, 3 2–5, 4 5–10, 5 10–20, 6 20–40, 7 40 % and more" {
		t.Errorf("got the key %s", got)
	}
}

// The map of two raters is theirs, rows and columns; that of more is of every
// two marks.
func TestHeatOf(t *testing.T) {
	all := &agreement().Scales[2]
	two := heatOf(all)
	if two.Row != "ann" || two.Column != "bob" || two.Sums || two.Counts != "900 responses marked by both" {
		t.Errorf("got %+v", two)
	}
	var got []string
	for _, r := range two.Rows {
		line := r.Value + ":"
		for _, c := range r.Cells {
			line += fmt.Sprintf(" %s/%s/%d", c.Count, loose(c.Share), c.Step)
			if c.Same {
				line += "="
			}
		}
		got = append(got, line+" "+r.Sum)
	}
	want := []string{"0: 518/58 %/7= 10/1 %/2 2/< 1 %/1 530", "0.5: 10/1 %/2 79/9 %/4= 5/< 1 %/1 94", "1: 3/< 1 %/1 5/< 1 %/1 268/30 %/6= 276"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("rows (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(two.Total, []string{"531", "94", "275", "900"}); diff != "" {
		t.Errorf("sums (-got +want):\n%s", diff)
	}
	three := heatOf(&threeRaters().Scales[0])
	if !three.Sums || three.Row != "" || three.Total[3] != "3,345" {
		t.Errorf("three raters: got %+v", three)
	}
}

// A table that cannot be drawn says so.
func TestHeatWithout(t *testing.T) {
	many := threeRaters().Scales[0]
	many.Values, many.Coincidences = make([]float64, 20), make([][]float64, 20)
	for i := range many.Values {
		many.Values[i], many.Coincidences[i] = float64(i), make([]float64, 20)
	}
	one := analysis.ScaleAgreement{Scale: "tone", Tier: "all", Raters: 1, Values: []float64{0, 1}, Coincidences: [][]float64{{0, 0}, {0, 0}}}
	none := analysis.ScaleAgreement{Scale: "tone", Tier: "all", Undefined: map[string]string{"coincidences": "31 values were marked (a table has at most 25)"}}
	for want, s := range map[string]analysis.ScaleAgreement{"20 values were marked; the table stands in the JSON": many, "no response has two marks": one,
		"31 values were marked (a table has at most 25)": none, "no table": {}} {
		if got := heatOf(&s).Why; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Of many raters the page lists those with the most marks or shared responses,
// in their order, and counts the rest.
func TestAgreementOfManyRaters(t *testing.T) {
	s := analysis.ScaleAgreement{Scale: "tone", Tier: "all", Raters: 50, Units: 10, Values: []float64{0, 1}, Coincidences: [][]float64{{1, 0}, {0, 1}}}
	for i := range 50 {
		s.ByRater = append(s.ByRater, analysis.RaterMarks{Name: fmt.Sprintf("r%02d", i), Marks: 1 + i%25, Counts: []int{1, i % 25}})
		s.Patterns = append(s.Patterns, analysis.RaterPattern{Raters: []string{"a", fmt.Sprintf("r%02d", i)}, Units: 50 - i})
		for k := range i {
			s.Pairs = append(s.Pairs, analysis.RaterPair{A: fmt.Sprintf("r%02d", k), B: fmt.Sprintf("r%02d", i), Shared: 1 + i%7, Table: [][]int{{1, 0}, {0, i % 7}}})
		}
	}
	r, p, w := ratersOf(&s), pairsOf(&s), patternsOf(&s)
	if len(r.Rows) != mostRaters || r.Left != 30 || r.Rows[0].Name != "r15" || !slices.IsSortedFunc(r.Rows, func(a, b raterRow) int { return strings.Compare(a.Name, b.Name) }) {
		t.Errorf("got %d raters from %s and %d more", len(r.Rows), r.Rows[0].Name, r.Left)
	}
	if len(p.Rows) != mostPairs || p.Left != 1225-mostPairs || len(p.Heats) != mostPairHeats || p.More != 1225-mostPairHeats || p.Rows[0].Shared != "7" {
		t.Errorf("got %d pairs and %d more, %d maps and %d more", len(p.Rows), p.Left, len(p.Heats), p.More)
	}
	if len(w.Rows) != mostPatterns || w.Left != 50-mostPatterns || w.Rows[0].Raters != "a, r00" {
		t.Errorf("got %d patterns from %s and %d more", len(w.Rows), w.Rows[0].Raters, w.Left)
	}
	text := agreementText(t, &analysis.Agreement{Level: 0.95, Scales: []analysis.ScaleAgreement{s}}, 100, everyPart...)
	for _, want := range []string{"and 30 more raters", "and 1,210 more pairs", "and 38 more patterns", "tables of 1,219 more pairs"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q", want)
		}
	}
}

// A ratio alpha that nobody asked for is no finding; one that was asked for has
// its row.
func TestAgreementRatioIsAskedFor(t *testing.T) {
	a := threeRaters()
	a.Scales[0].Undefined["alpha_ratio"], a.Scales[0].Undefined["ci.alpha_ratio"] = "not asked for", "not asked for"
	if got := agreementText(t, a, 100, everyPart...); strings.Contains(got, "ratio") {
		t.Errorf("got\n%s", got)
	}
	a.Scales[0].AlphaRatio = p(0.5)
	if got := agreementText(t, a, 100, everyPart...); !strings.Contains(got, "Alpha, ratio") {
		t.Errorf("got\n%s", got)
	}
}
