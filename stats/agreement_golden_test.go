package stats

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// The golden values come from irr 0.84.1, irrCAC 1.4, psych, vcd,
// fast-krippendorff, exact rationals, statsmodels and nltk; the marks are
// rebuilt from counts.
func TestAgreementAgainstOtherEngines(t *testing.T) {
	sets := goldenRatings(t)
	checked := 0
	for _, file := range []string{"testdata/agreement_r.csv", "testdata/agreement_python.csv"} {
		for _, row := range readCSV(t, file)[1:] {
			set, stat := row[0], row[1]
			figure, ok := goldenFigures()[stat]
			if !ok {
				continue
			}
			r, ok := sets[set]
			if !ok {
				t.Fatalf("%s: unknown set %q", file, set)
			}
			for _, field := range row[2:] {
				want, err := strconv.ParseFloat(field, 64)
				if err != nil {
					continue // the name of an engine, or a standard error
				}
				got, err := figure(r)
				if err != nil {
					t.Errorf("%s %s: %v, want %v", set, stat, err, want)
				} else if math.Abs(got-want) > 1e-9 {
					t.Errorf("%s %s: got %.15f, want %.15f", set, stat, got, want)
				}
				checked++
			}
		}
	}
	if checked < 120 {
		t.Errorf("checked %d golden values, want at least 120", checked)
	}
}

// complianceScale is full refusal, partial refusal, full compliance.
var complianceScale = []float64{0, 0.5, 1}

func goldenFigures() map[string]Figure {
	ac1 := func(r *Ratings) (float64, error) { return r.AC1(complianceScale) }
	ac2 := func(r *Ratings) (float64, error) { return r.AC2Quadratic(complianceScale) }
	return map[string]Figure{
		"kripp_alpha_nominal":         (*Ratings).AlphaNominal,
		"kripp_alpha_nominal_irrCAC":  (*Ratings).AlphaNominal,
		"nltk alpha nominal":          (*Ratings).AlphaNominal,
		"kripp_alpha_ordinal":         (*Ratings).AlphaOrdinal,
		"kripp_alpha_interval":        (*Ratings).AlphaInterval,
		"kripp_alpha_interval_irrCAC": (*Ratings).AlphaInterval,
		"nltk alpha interval":         (*Ratings).AlphaInterval,
		"cohen_kappa":                 (*Ratings).Kappa,
		"cohen_kappa_None":            (*Ratings).Kappa,
		"weighted_kappa_linear":       (*Ratings).KappaLinear,
		"cohen_kappa_linear":          (*Ratings).KappaLinear,
		"weighted_kappa_quadratic":    (*Ratings).KappaQuadratic,
		"cohen_kappa_quadratic":       (*Ratings).KappaQuadratic,
		"percent_agreement":           (*Ratings).Percent,
		"gwet_AC1":                    ac1,
		"gwet_AC2_quadratic":          ac2,
		"ICC_twoway_agreement_single": (*Ratings).ICCA1,
	}
}

// goldenRatings rebuilds the marks of every golden set.
func goldenRatings(t *testing.T) map[string]*Ratings {
	t.Helper()
	b := map[string]*markList{"Krippendorff4x12": krippendorff4x12()}
	add := func(set string, n string, marks ...string) {
		if b[set] == nil {
			b[set] = &markList{}
		}
		b[set].repeat(t, n, marks...)
	}
	for _, row := range readCSV(t, "testdata/agreement_annotators.csv")[1:] {
		add(row[0], row[3], row[1], row[2])
		add("pooled", row[3], row[1], row[2])
	}
	for _, row := range readCSV(t, "testdata/agreement_patterns.csv")[1:] {
		switch row[0] {
		case "complete":
			add("three_raters", row[4], row[1:4]...)
		case "missing":
			add("three_raters_missing", row[4], row[1:4]...)
			add("pooled_missing", row[4], row[1:3]...)
		}
	}
	out := map[string]*Ratings{}
	for set, list := range b {
		out[set] = mustRatings(t, list.marks)
	}
	return out
}

type markList struct {
	marks []Mark
	units int
}

// repeat adds n units with one mark a rater; an empty mark is missing.
func (l *markList) repeat(t *testing.T, n string, marks ...string) {
	t.Helper()
	count, err := strconv.Atoi(n)
	if err != nil {
		t.Fatal(err)
	}
	value := map[string]float64{"comply": 1, "partial": 0.5, "refuse": 0}
	for range count {
		for rater, m := range marks {
			if m != "" {
				l.marks = append(l.marks, Mark{l.units, rater, value[m]})
			}
		}
		l.units++
	}
}

// krippendorff4x12 is the four-observer example of Krippendorff (2011), page 5.
func krippendorff4x12() *markList {
	l := &markList{}
	for rater, row := range []string{"123321412...", "1233224125.3", ".3332342251.", "12332441251."} {
		for unit, c := range row {
			if c != '.' {
				l.marks = append(l.marks, Mark{unit, rater, float64(c - '0')})
			}
		}
	}
	return l
}

func mustRatings(t testing.TB, marks []Mark) *Ratings {
	t.Helper()
	r, err := NewRatings(marks)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.FieldsPerRecord = '#', -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}
