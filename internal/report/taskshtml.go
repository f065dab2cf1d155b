package report

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed taskpage
var taskAssets embed.FS

// MaxOnPage is how many tasks and forms a page holds: about 4 MB.
const MaxOnPage = 6000

// ErrWithheld is the error of a page of texts that may stand on none.
var ErrWithheld = errors.New("report: the texts are withheld (want a set of surrogates)")

// TasksHTML writes the tasks as one page for reviewers: by family, each task
// with every form in which it is sent. It needs nothing else; see [HTML].
func TasksHTML(w io.Writer, s TaskSet, facts []Fact) error {
	lead := plural(len(s.Tasks), "task", "tasks") + " in " + plural(len(s.Families()), "family", "families")
	if n := s.items(); n > 0 {
		lead += ", each as it is sent: " + plural(n, "conversation", "conversations") + " in all"
	}
	return taskPage(w, taskPageView{Title: "The tasks", Lead: lead, Set: s, Facts: facts})
}

// PatternsHTML writes representative tasks under every form: what a reader may
// take away of a benchmark without the tasks that are asked. The rule says how
// they were chosen.
func PatternsHTML(w io.Writer, s TaskSet, rule string, facts []Fact) error {
	return taskPage(w, taskPageView{Title: "Representative patterns", Lead: rule, Set: s, Facts: facts, Open: true})
}

// taskPageView is everything that the template shows.
type taskPageView struct {
	Policy      string
	Style       template.CSS
	Script      template.JS
	Title, Lead string
	Set         TaskSet
	Splits      []string
	Sections    []taskSection
	Attacks     []string
	Facts       []Fact
	Open        bool // the forms are open from the start
}

// taskSection is a family of the page.
type taskSection struct {
	ID, Name string
	Tasks    []taskArticle
}

// taskArticle is a task of the page, with its place.
type taskArticle struct {
	Anchor string
	TaskView
}

func taskPage(w io.Writer, v taskPageView) error {
	if v.Set.Withheld {
		return ErrWithheld
	}
	if n := len(v.Set.Tasks) + v.Set.items(); n > MaxOnPage {
		return fmt.Errorf("report: %d tasks and forms (want at most %d on a page)", n, MaxOnPage)
	}
	t, err := template.New("tasks").Funcs(template.FuncMap{"name": name, "clean": clean, "sent": sent}).ParseFS(taskAssets, "taskpage/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js, err := taskSheets()
	if err != nil {
		return err
	}
	v.Policy, v.Style, v.Script = policy(css, js), template.CSS(css), template.JS(js)
	v.Splits, v.Sections, v.Attacks = v.Set.Splits(), v.Set.sections(), v.Set.attacks()
	v.Facts = slices.Clone(v.Facts)
	for i, f := range v.Facts {
		v.Facts[i] = Fact{name(f.Name), clean(f.Value)}
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "tasks.tmpl", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// taskSheets are the page's style and script.
func taskSheets() (css, js string, err error) {
	if css, js, err = sheets(); err != nil {
		return "", "", err
	}
	ownCSS, err := taskAssets.ReadFile("taskpage/tasks.css")
	if err != nil {
		return "", "", fmt.Errorf("report: %w", err)
	}
	ownJS, err := taskAssets.ReadFile("taskpage/tasks.js")
	if err != nil {
		return "", "", fmt.Errorf("report: %w", err)
	}
	return css + string(ownCSS), js + string(ownJS), nil
}

// items counts the tasks' forms.
func (s TaskSet) items() int {
	n := 0
	for _, t := range s.Tasks {
		n += len(t.Forms)
	}
	return n
}

// attacks lists the forms in the order in which they first come.
func (s TaskSet) attacks() []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range s.Tasks {
		for _, f := range t.Forms {
			if !seen[f.Attack] {
				seen[f.Attack] = true
				out = append(out, f.Attack)
			}
		}
	}
	return out
}

// plainID is an id that can stand in an address as it is.
var plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// sections are the families in order, each with its tasks as they come.
func (s TaskSet) sections() []taskSection {
	var out []taskSection
	at := map[string]int{}
	for i, f := range s.Families() {
		out = append(out, taskSection{ID: "family-" + strconv.Itoa(i+1), Name: opened(name(f))})
		at[f] = i
	}
	for i, t := range s.Tasks {
		anchor := "task-" + t.ID
		if !plainID.MatchString(t.ID) {
			anchor = "task:" + strconv.Itoa(i+1)
		}
		k := at[t.Family]
		out[k].Tasks = append(out[k].Tasks, taskArticle{anchor, t})
	}
	return out
}

// opened begins a name with a capital.
func opened(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

// sent is a text as it is sent, with its lines, cut when it is long.
func sent(s string) string {
	const most = 3000
	head := begin(s, most)
	if len(head) == len(s) {
		return lines(s)
	}
	return lines(head) + "… (" + count(len([]rune(s[len(head):]))) + " characters more)"
}
