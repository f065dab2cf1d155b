package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"text/template"
)

const document = "../../doc/coverage.md"

// TestDocument holds doc/coverage.md to the table it is made from. With -update
// it writes it.
func TestDocument(t *testing.T) {
	got := page(t)
	if *update {
		write(t, document, got)
		return
	}
	if got != readFile(t, document) {
		t.Errorf("doc/coverage.md is not what coverage.csv and testdata/coverage.md.tmpl make: go test ./internal/coverage -update")
	}
}

func page(t *testing.T) string {
	t.Helper()
	rows, err := parse(measured)
	if err != nil {
		t.Fatal(err)
	}
	p := sheet(rows)
	made, err := template.New("coverage.md.tmpl").Funcs(template.FuncMap{
		"table": p.table, "percent": p.percent, "spread": p.spread, "undefined": p.undefined,
		"missed":       p.missed,
		"certificates": p.certificates, "falsely": p.falsely,
		"truth": truthOf, "zeros": zerosOf,
		"simulations":   func() string { return thousands(simulations) },
		"replicates":    func() string { return thousands(replicates) },
		"simulationsOf": func(process string) string { return thousands(sceneOf(process).simulations) },
		"replicatesOf":  func(process string) string { return thousands(sceneOf(process).replicates) },
		"bandDraws":     func() string { return thousands(bandDraws) },
	}).ParseFiles("testdata/coverage.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := made.Execute(&b, nil); err != nil {
		t.Fatal(err)
	}
	return unbroken(b.String())
}

// unbroken keeps a number of a table on one line with its error and its sign.
func unbroken(text string) string {
	return strings.NewReplacer(" ± ", "\u00a0±\u00a0", " (none: ", "\u00a0(none:\u00a0", " %)", "\u00a0%)").Replace(text)
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// sheet makes the parts of the page out of rows.
type sheet []Row

// titles name the methods for people, in the order of every table.
var titles = []struct{ method, title string }{
	{"cr2", "**CR2, Satterthwaite t** (headline)"},
	{"sign_flip", "exact sign flip"},
	{"boot_t", "symmetric bootstrap-t"},
	{"wild", "wild bootstrap-t"},
	{"task_expanded", "expanded percentile"},
	{"task_percentile", "task percentile"},
	{"task_bca", "task BCa"},
	{"cr0", "CR0"}, {"cr1", "CR1"}, {"cr3", "CR3"},
	{"task_mean_t", "t of the task means"},
	{"pairs_t", "pairs, t *"},
	{"pairs_percentile", "pairs percentile *"},
	{"pairs_bca", "pairs BCa *"},
	{"bands", "**max-t band** of three contrasts"},
	{"cr2_joint", "three CR2 intervals, each on its own"},
	{"pigeonhole", "**pigeonhole, tasks and raters**"},
	{"two_way", "two-way clustered t, least df"},
	{"cr2_any_rater", "CR2, raters taken as fixed"},
	{"task_percentile_any_rater", "task percentile, raters taken as fixed"},
	{"ppi_plus", "**PPI++** by tasks"},
	{"ppi", "PPI by tasks"},
	{"ppi_human", "labels only, by tasks"},
	{"ppi_judge", "judge only, by tasks"},
	{"ppi_plus_rows", "PPI++ by rows *"},
	{"ppi_rows", "PPI by rows *"},
	{"ppi_human_rows", "labels only, by rows *"},
	{"ppi_judge_rows", "judge only, by rows *"},
	{"alpha_ordinal", "Krippendorff's alpha, ordinal"},
	{"kappa_quadratic", "kappa, quadratic (mean over pairs of raters)"},
	{"fleiss", "Fleiss' kappa"},
	{"ac1", "Gwet's AC1"},
	{"icc_a1", "ICC(A,1)"},
	{"alpha_ordinal_se", "alpha, ordinal, by formula *"},
	{"kappa_pair_se", "kappa of one pair of raters, quadratic, by formula *"},
	{"fleiss_se", "Fleiss' kappa, by formula *"},
	{"ac1_se", "AC1, by formula *"},
	{"icc_a1_f", "ICC(A,1), by the F distribution *"},
}

func sceneOf(process string) scene {
	all := scenes()
	return all[slices.IndexFunc(all, func(s scene) bool { return s.process == process })]
}

func contrastOf(name string) contrast {
	return contrasts[slices.IndexFunc(contrasts, func(c contrast) bool { return c.name == name })]
}

func truthOf(name string) string { return fmt.Sprintf("%+.4f", contrastOf(name).truth()) }

// zerosOf is the share of pairs without a difference in a large sample, in percent.
func zerosOf(name string) string {
	values, _ := contrastOf(name).sample(rand.New(rand.NewPCG(1, 2)), 4_000)
	zeros := 0
	for _, v := range values {
		if v == 0 {
			zeros++
		}
	}
	return fmt.Sprintf("%.0f", 100*float64(zeros)/float64(len(values)))
}

func (s sheet) find(method, process string, clusters int) (Row, error) {
	k := slices.IndexFunc(s, func(r Row) bool { return r.Method == method && r.Process == process && r.Clusters == clusters })
	if k < 0 {
		return Row{}, fmt.Errorf("%s, %s, %d tasks: not measured", method, process, clusters)
	}
	return s[k], nil
}

// percent is a coverage, such as 92.1.
func (s sheet) percent(method, process string, clusters int) (string, error) {
	r, err := s.find(method, process, clusters)
	return fmt.Sprintf("%.1f", 100*r.Coverage), err
}

// missed is the share of studies whose interval exists and does not hold the
// truth, in percent.
func (s sheet) missed(method, process string, clusters int) (string, error) {
	r, err := s.find(method, process, clusters)
	return fmt.Sprintf("%.1f", 100*(1-r.Coverage)), err
}

// undefined is the number of simulations without an interval.
func (s sheet) undefined(method, process string, clusters int) (int, error) {
	r, err := s.find(method, process, clusters)
	return r.Undefined, err
}

// spread is the range of a coverage over the processes, such as 92-94.
func (s sheet) spread(method string, clusters int) string {
	lo, hi, _, _ := Near(method, clusters)
	a, b := fmt.Sprintf("%.0f", 100*lo), fmt.Sprintf("%.0f", 100*hi)
	if a == b {
		return a
	}
	return a + "-" + b
}

// table shows one process: coverage by method and number of tasks with its
// Monte Carlo standard error; where the misses lie, and how wide the interval
// is, at 18 tasks. The unit of width is that of a method, or 1.
func (s sheet) table(process, unit string) (string, error) {
	of := s.of(process)
	wide, err := of.find(unit, process, 18)
	if unit == "" {
		wide, err = Row{Width: 1}, nil
	}
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| method |")
	for _, g := range sizes {
		fmt.Fprintf(&b, " %d tasks |", g)
	}
	b.WriteString(" below / above, at 18 | width, at 18 |\n|---|" + strings.Repeat("--:|", len(sizes)+2) + "\n")
	for _, m := range titles {
		if _, err := of.find(m.method, process, 18); err != nil {
			continue // not of this process
		}
		line, err := of.line(m.title, m.method, process, wide.Width)
		if err != nil {
			return "", err
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func (s sheet) of(process string) sheet {
	var out sheet
	for _, r := range s {
		if r.Process == process {
			out = append(out, r)
		}
	}
	return out
}

func (s sheet) line(title, method, process string, unit float64) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", title)
	for _, g := range sizes {
		r, err := s.find(method, process, g)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, " %.1f ± %.1f%s |", 100*r.Coverage, 100*r.errorOf(), r.none())
	}
	r, _ := s.find(method, process, 18)
	fmt.Fprintf(&b, " %.1f / %.1f |", 100*r.MissLow, 100*r.MissHigh)
	if r.Width == 0 {
		return b.String() + " |\n", nil
	}
	return b.String() + fmt.Sprintf(" %.2f |\n", r.Width/unit), nil
}

// certificates shows in percent how often each method certifies falsely, for
// tasks of so many rows.
func (s sheet) certificates(rows int) (string, error) {
	var b strings.Builder
	b.WriteString("| method | ICC |")
	for _, g := range sizes {
		fmt.Fprintf(&b, " %d tasks |", g)
	}
	b.WriteString("\n|---|--:|" + strings.Repeat("--:|", len(sizes)) + "\n")
	for _, m := range []struct{ method, title string }{
		{"hb_tasks", "Hoeffding-Bentkus, tasks"}, {"wsr_tasks", "betting (WSR), tasks"},
		{"hb_rows", "Hoeffding-Bentkus, rows *"}, {"wsr_rows", "betting (WSR), rows *"},
	} {
		for _, l := range losses {
			if l.rows != rows {
				continue
			}
			fmt.Fprintf(&b, "| %s | %.1f |", m.title, l.icc)
			for _, g := range sizes {
				r, err := s.find(m.method, l.name(), g)
				if err != nil {
					return "", err
				}
				fmt.Fprintf(&b, " %.1f ± %.1f |", 100*r.MissHigh, 100*r.errorOf())
			}
			b.WriteString("\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// falsely is the share of false certificates, in percent.
func (s sheet) falsely(method, process string, clusters int) (string, error) {
	r, err := s.find(method, process, clusters)
	return fmt.Sprintf("%.0f", 100*r.MissHigh), err
}

// none says in how many studies there is no interval, if they are many.
func (r Row) none() string {
	if share := float64(r.Undefined) / float64(r.Undefined+r.Simulations); share >= 0.005 {
		return fmt.Sprintf(" (none: %.0f %%)", 100*share)
	}
	return ""
}

// errorOf is the Monte Carlo standard error of a coverage.
func (r Row) errorOf() float64 {
	return math.Sqrt(r.Coverage * (1 - r.Coverage) / float64(r.Simulations))
}
