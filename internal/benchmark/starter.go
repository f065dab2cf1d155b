package benchmark

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	uplift "github.com/uplift-eval/uplift"
)

//go:embed builtin/*.yaml
var files embed.FS

// part is one embedded file and what holds for all of its tasks. The files
// are not named after a tier, so that no path can give one away.
type part struct {
	file     string
	tier     uplift.Tier
	expected string
}

var parts = []part{
	{"builtin/education.yaml", uplift.Benign, Full},
	{"builtin/oversight.yaml", uplift.Borderline, Limited},
	{"builtin/withheld.yaml", uplift.Harmful, Withhold},
}

// split is that of every built-in task so far: none is locked.
const split = "train"

// starter reads the files of the starter set.
func starter() ([]uplift.Task, error) {
	var tasks []uplift.Task
	for _, p := range parts {
		data, err := files.ReadFile(p.file)
		if err != nil {
			return nil, fmt.Errorf("benchmark: %w", err)
		}
		got, err := p.read(data)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, got...)
	}
	slices.SortFunc(tasks, func(a, b uplift.Task) int { return strings.Compare(a.ID, b.ID) })
	return tasks, unique(tasks)
}

// read decodes one file strictly and fills in what its tasks share.
func (p part) read(data []byte) ([]uplift.Task, error) {
	var tasks []uplift.Task
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&tasks); err != nil {
		return nil, fmt.Errorf("benchmark: %s: %w", p.file, err)
	}
	var problems []error
	for i := range tasks {
		t := &tasks[i]
		t.Split, t.Tier, t.Expected = split, p.tier, p.expected
		t.Version = max(t.Version, 1)
		if err := check(*t); err != nil {
			problems = append(problems, fmt.Errorf("benchmark: %s: task %d: %w", p.file, i+1, err))
		}
	}
	return tasks, errors.Join(problems...)
}

// check says what a task lacks.
func check(t uplift.Task) error {
	var missing []string
	for _, f := range []struct{ name, value string }{
		{"id", t.ID}, {"family", t.Family}, {"ask", t.Ask}, {"ask_alt", t.AskAlt}, {"hard_negative", t.HardNegative},
	} {
		if strings.TrimSpace(f.value) == "" {
			missing = append(missing, f.name)
		}
	}
	if t.Expected != Withhold && len(t.KeyPoints) < 3 {
		missing = append(missing, "key_points (want at least three)")
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing: %s", strings.Join(missing, ", "))
	}
	return nil
}

// unique expects tasks in the order of their ids.
func unique(tasks []uplift.Task) error {
	for i := 1; i < len(tasks); i++ {
		if tasks[i].ID == tasks[i-1].ID {
			return fmt.Errorf("benchmark: id %s: used twice (want one task an id)", tasks[i].ID)
		}
	}
	return nil
}
