package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/power"
)

//go:embed powerpage
var powerAssets embed.FS

// PowerHTML writes a power analysis as one page that needs nothing else; see
// [HTML]. The facts end it, in order.
func PowerHTML(w io.Writer, r *power.Result, facts []Fact) error {
	if r == nil {
		return ErrNoPower
	}
	t, err := template.New("power").Funcs(template.FuncMap{"px": px}).ParseFS(powerAssets, "powerpage/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js, err := sheets()
	if err != nil {
		return err
	}
	own, err := powerAssets.ReadFile("powerpage/power.css")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p := newPowerPage(r, facts)
	css += string(own)
	p.Policy = policy(css, js)
	p.Style, p.Script = template.CSS(css), template.JS(js)
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "power.tmpl", p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// powerPage is everything that the template shows, already in words.
type powerPage struct {
	Policy       string
	Style        template.CSS
	Script       template.JS
	Title, Lead  string
	Simulated    bool
	Says         []string
	SaysTitle    string
	Answers      []powerSection
	Aim          string
	Unit         unitWords
	Facts        []Fact
	Warnings     []string
	Shared       []string // of every answer
	AnswersTitle string
}

// powerKey is one line of the legend.
type powerKey struct {
	Name string
	Line powerLine
}

// powerSection is one answer of the page.
type powerSection struct {
	ID, Title string
	Facts     []Fact
	Verdict   []string
	Panels    []powerPanel
	Keys      []powerKey
	Now       bool // the present design is marked
	Tables    []powerTable
	Warnings  []string
}

func newPowerPage(r *power.Result, facts []Fact) powerPage {
	p := powerPage{Title: "What could a design show?", Simulated: r.Simulated, SaysTitle: saysTitle, Unit: powerUnit(r), Aim: powerWord(r.Power), AnswersTitle: "Power"}
	if r.Study != "" {
		p.Lead = "Planned with " + name(r.Study) + " as a pilot"
	} else {
		p.Lead = basisTitle(r, r.Answers[0].Basis)
	}
	p.Lead += " · two-sided " + trimmed(r.Alpha, 4) + " · aim: power " + p.Aim
	for _, s := range r.Says {
		p.Says = append(p.Says, text(s))
	}
	for i := range r.Answers {
		a := &r.Answers[i]
		s := powerSection{ID: "answer-" + strconv.Itoa(i+1), Title: basisTitle(r, a.Basis), Facts: basisFacts(r, a), Tables: powerTables(r, a)}
		for _, v := range a.Verdict {
			s.Verdict = append(s.Verdict, text(v))
		}
		if s.Panels = powerPanels(r, a); len(s.Panels) > 0 {
			s.Now = a.Present != nil
			for k, icc := range iccNames(a) {
				s.Keys = append(s.Keys, powerKey{icc, powerLine{Style: k % colours}})
			}
		}
		s.Warnings = texts(slices.Concat(verdictWarnings(r, a), basisWarnings(r, a)))
		p.Answers = append(p.Answers, s)
	}
	p.Warnings, p.Shared = texts(r.Warnings), texts(sharedWarnings(r))
	for _, f := range facts {
		p.Facts = append(p.Facts, Fact{name(f.Name), text(f.Value)})
	}
	return p
}

// Head and Rows are the table's cells for the template.
func (t powerTable) Head() []column   { return t.Grid.columns }
func (t powerTable) Rows() [][]string { return t.Grid.rows }

// Label is the title of the i-th column, and Warned the warnings in words.
func (t powerTable) Label(i int) string { return t.Grid.columns[i].title }
func (t powerTable) Warned() []string   { return texts(t.Warnings) }

func texts(list []uplift.Warning) []string {
	var out []string
	for _, w := range list {
		out = append(out, text(w.Text))
	}
	return out
}

// Right reports whether the i-th column holds numbers.
func (t powerTable) Right(i int) bool { return t.Grid.columns[i].right }

// Title and Number are what the template shows of a column.
func (c column) Title() string { return c.title }
func (c column) Number() bool  { return c.right }
