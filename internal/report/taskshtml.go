package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
)

//go:embed taskpage
var taskAssets embed.FS

// TasksHTML writes the tasks as one page for reviewers: by family, each task
// with every form in which it is sent. It needs nothing else; see [HTML].
func TasksHTML(w io.Writer, s TaskSet, facts []Fact) error {
	return taskPage(w, taskPageView{
		Title: "The tasks", Set: s, Facts: facts,
		Lead: count(len(s.Tasks)) + " tasks of " + name(s.Name) + " in " + count(len(s.Families())) + " families, each as it will be sent",
	})
}

// PatternsHTML writes one representative task a family under every form: what
// a reader may take away of the benchmark without the tasks that are asked.
func PatternsHTML(w io.Writer, s TaskSet, facts []Fact) error {
	return taskPage(w, taskPageView{
		Title: "Representative patterns", Set: s, Facts: facts, Open: true,
		Lead: "One task a family under each form, from the split on which rules are written",
	})
}

// taskPageView is everything that the template shows.
type taskPageView struct {
	Policy      string
	Style       template.CSS
	Script      template.JS
	Title, Lead string
	Set         TaskSet
	Facts       []Fact
	Open        bool // the forms are open from the start
}

func taskPage(w io.Writer, v taskPageView) error {
	t, err := template.New("tasks").Funcs(template.FuncMap{
		"name": name, "text": text, "slug": slug, "inc": func(i int) int { return i + 1 }, "family": func(s string) string { return opened(name(s)) },
	}).ParseFS(taskAssets, "taskpage/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js, err := sheets()
	if err != nil {
		return err
	}
	ownCSS, err := taskAssets.ReadFile("taskpage/tasks.css")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	ownJS, err := taskAssets.ReadFile("taskpage/tasks.js")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js = css+string(ownCSS), js+string(ownJS)
	v.Policy, v.Style, v.Script = policy(css, js), template.CSS(css), template.JS(js)
	for i, f := range v.Facts {
		v.Facts[i] = Fact{name(f.Name), text(f.Value)}
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "tasks.tmpl", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// slug is a family's anchor on the page: its place, since a name may hold anything.
func slug(families []string, family string) string {
	for i, f := range families {
		if f == family {
			return "family-" + strconv.Itoa(i+1)
		}
	}
	return "family-0"
}

// opened begins a name with a capital.
func opened(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
