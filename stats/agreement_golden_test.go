package stats

import (
	"encoding/csv"
	"maps"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The golden values come from irr 0.84.1, irrCAC 1.4, psych, vcd,
// fast-krippendorff, exact rationals, statsmodels and nltk; the marks are
// rebuilt from counts. No row goes uncovered: an unknown statistic fails, and so
// does a field that is neither a number nor a source.
func TestAgreementAgainstOtherEngines(t *testing.T) {
	sets, figures := goldenRatings(t), goldenFigures()
	for file, want := range map[string]int{"testdata/agreement_r.csv": 153, "testdata/agreement_python.csv": 42 + 24 + 12} {
		checked := 0
		for _, row := range readCSV(t, file)[1:] {
			set, stat := row[0], row[1]
			r, ok := sets[set]
			if !ok {
				t.Fatalf("%s: unknown set %q", file, set)
			}
			for _, f := range goldenFields(t, row) {
				figure, ok := figures[f.stat]
				if !ok {
					t.Fatalf("%s: no figure for %q", file, f.stat)
				}
				got, err := figure(r)
				if err != nil || !(math.Abs(got-f.want) <= 1e-9) {
					t.Errorf("%s %s: got %.15f, %v, want %.15f", set, stat, got, err, f.want)
				}
				checked++
			}
		}
		if checked != want {
			t.Errorf("%s: checked %d values, want %d", file, checked, want)
		}
	}
}

type goldenField struct {
	stat string
	want float64
}

// goldenFields are the numbers of a row: set, statistic, value, then a source, a
// second value, or "se=" and a standard error.
func goldenFields(t *testing.T, row []string) []goldenField {
	t.Helper()
	var out []goldenField
	for i, field := range row[2:] {
		stat := row[1]
		if se, ok := strings.CutPrefix(field, "se="); ok {
			stat += "_se"
			field, _, _ = strings.Cut(se, " ")
		}
		want, err := strconv.ParseFloat(field, 64)
		switch {
		case err == nil:
			out = append(out, goldenField{stat, want})
		case i == 0 || !goldenSources[field]:
			t.Fatalf("%s %s: %q is no number", row[0], row[1], field)
		}
	}
	return out
}

var goldenSources = map[string]bool{"irr 0.84.1": true, "irrCAC 1.4": true, "psych": true, "vcd": true, "base": true, "": true}

// complianceScale is full refusal, partial refusal, full compliance.
var complianceScale = []float64{0, 0.5, 1}

// goldenFigures are what the golden rows name.
func goldenFigures() map[string]Figure {
	out := goldenICCs()
	for _, group := range []map[string]Figure{goldenAlphas(), goldenKappas(), goldenScaled()} {
		maps.Copy(out, group)
	}
	out["percent_agreement"] = (*Ratings).Percent
	return out
}

func goldenAlphas() map[string]Figure {
	alpha := func(m Metric) func(*Ratings) (Coefficient, error) {
		return func(r *Ratings) (Coefficient, error) { return r.Alpha(m) }
	}
	return map[string]Figure{
		"kripp_alpha_nominal":         (*Ratings).AlphaNominal,
		"kripp_alpha_nominal_irrCAC":  valueOf(alpha(NominalMetric)),
		"kripp_alpha_nominal_se":      errorOf(alpha(NominalMetric)),
		"nltk alpha nominal":          (*Ratings).AlphaNominal,
		"kripp_alpha_ordinal":         (*Ratings).AlphaOrdinal,
		"kripp_alpha_interval":        (*Ratings).AlphaInterval,
		"kripp_alpha_interval_irrCAC": valueOf(alpha(IntervalMetric)),
		"nltk alpha interval":         (*Ratings).AlphaInterval,
		"kripp_alpha_ratio":           (*Ratings).AlphaRatio,
	}
}

func goldenKappas() map[string]Figure {
	kappa := func(w Weighting) func(*Ratings) (Coefficient, error) {
		return func(r *Ratings) (Coefficient, error) { return r.Pairs()[0].Kappa(w) }
	}
	return map[string]Figure{
		"cohen_kappa":                  (*Ratings).Kappa,
		"cohen_kappa_None":             valueOf(kappa(Nominal)),
		"cohen_kappa_se":               errorOf(kappa(Nominal)),
		"cohen_kappa_ASE":              errorOf(kappa(Nominal)),
		"cohen_kappa_None_se":          errorOf(kappa(Nominal)),
		"weighted_kappa_linear":        (*Ratings).KappaLinear,
		"cohen_kappa_linear":           valueOf(kappa(Linear)),
		"cohen_kappa_linear_se":        errorOf(kappa(Linear)),
		"weighted_kappa_quadratic":     (*Ratings).KappaQuadratic,
		"weighted_kappa_quadratic_ASE": errorOf(kappa(Quadratic)),
		"cohen_kappa_quadratic":        valueOf(kappa(Quadratic)),
		"cohen_kappa_quadratic_se":     errorOf(kappa(Quadratic)),
	}
}

// goldenScaled are the coefficients that take a scale, and Fleiss' kappa.
func goldenScaled() map[string]Figure {
	gwet := func(w Weighting) func(*Ratings) (Coefficient, error) {
		return func(r *Ratings) (Coefficient, error) { return r.AC2(complianceScale, w) }
	}
	return map[string]Figure{
		"gwet_AC1":              func(r *Ratings) (float64, error) { return r.AC1(complianceScale) },
		"gwet_AC1_se":           errorOf(gwet(Nominal)),
		"gwet_AC2_linear":       valueOf(gwet(Linear)),
		"gwet_AC2_linear_se":    errorOf(gwet(Linear)),
		"gwet_AC2_quadratic":    func(r *Ratings) (float64, error) { return r.AC2Quadratic(complianceScale) },
		"gwet_AC2_quadratic_se": errorOf(gwet(Quadratic)),
		"gwet_AC2_ordinal":      valueOf(gwet(Ordinal)),
		"gwet_AC2_ordinal_se":   errorOf(gwet(Ordinal)),
		"fleiss_kappa":          (*Ratings).FleissKappa,
		"brennan_prediger":      BrennanPredigerFigure(complianceScale, Nominal),
	}
}

func goldenICCs() map[string]Figure {
	icc := func(form ICCForm, average bool) Figure {
		return func(r *Ratings) (float64, error) { return r.ICC(form, average) }
	}
	return map[string]Figure{
		"ICC_oneway_consistency_single":  icc(OneWay, false), // one-way has one form, whatever irr calls it
		"ICC_oneway_consistency_average": icc(OneWay, true),
		"ICC_twoway_consistency_single":  icc(Consistency, false),
		"ICC_twoway_consistency_average": icc(Consistency, true),
		"ICC_twoway_agreement_single":    (*Ratings).ICCA1,
		"ICC_twoway_agreement_average":   (*Ratings).ICCAK,
	}
}

func valueOf(of func(*Ratings) (Coefficient, error)) Figure {
	return func(r *Ratings) (float64, error) {
		c, err := of(r)
		return c.Value, err
	}
}

func errorOf(of func(*Ratings) (Coefficient, error)) Figure {
	return func(r *Ratings) (float64, error) {
		c, err := of(r)
		return c.SE, err
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
