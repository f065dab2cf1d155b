package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/study"
)

// What a template offers in comments is a study too: every line that could be
// taken in, at once.
func TestWhatATemplateOffersCanBeTakenIn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if _, err := initStudy(dir, "default"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, study.File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	offered := regexp.MustCompile(`(?m)^( *)# (- \{|rewriters:|  - \{)`)
	all := offered.ReplaceAllString(string(data), "$1$2")
	pace := regexp.MustCompile(`(?m)^#   (requests_per_minute: .*)$`).FindStringSubmatch(all)
	if pace == nil {
		t.Fatal("no pace is offered")
	}
	all = strings.Replace(all, "max_minutes: 120}", "max_minutes: 120, "+pace[1]+"}", 1)
	s, err := knownNames().Parse(path, []byte(all))
	if err != nil {
		t.Fatalf("%v\n%s", err, all)
	}
	plan := s.Plan()
	if got, want := []int{len(plan.Models), len(plan.Rewriters), len(plan.Conditions.List), len(plan.Limits.Models)}, []int{4, 1, 14, 1}; got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
		t.Errorf("models, rewriters, conditions, paces: got %v, want %v", got, want)
	}
}

// The nine conditions of the grid differ in one thing each, and stand on two
// prompts' requests.
func TestPaperTemplate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if _, err := initStudy(dir, "paper"); err != nil {
		t.Fatal(err)
	}
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	drafts := 0
	for _, c := range s.plan.Plan().Conditions.List {
		got = append(got, c.Name)
		if c.Draft == "helpful" {
			drafts++
		}
	}
	const want = "helpful safety safeguarded prompt-only output-only refuse-only monitor-only cue-ablated null"
	if strings.Join(got, " ") != want || drafts != 6 {
		t.Errorf("got %v with %d on the drafts of helpful, want %s with 6", got, drafts, want)
	}
	p, err := s.planOf(study.Analysis{})
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	for _, d := range p.asked.Policies {
		digests[d] = true
	}
	if len(digests) != 6 || len(p.asked.Tasks) != 18 || len(p.asked.Items) != 18*12 {
		t.Errorf("%d controllers, %d tasks, %d items, want 6, 18 and 216", len(digests), len(p.asked.Tasks), len(p.asked.Items))
	}
}

// A part of a prompt is what a heading stands over, so that each can be left out.
func TestPromptsOfTemplatesHaveParts(t *testing.T) {
	for _, template := range []string{"default", "paper"} {
		files, err := study.Template(template)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"prompts/helpful.md", "prompts/safety.md"} {
			text := string(files[name])
			if n := strings.Count(text, "\n## "); n < 3 || len(text) < 1000 {
				t.Errorf("%s: %s has %d parts and %d bytes, want a prompt of several parts", template, name, n, len(text))
			}
		}
	}
}
