package interop_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

// memory is a sink that keeps what it is given and, like a store, refuses a
// second text for one response.
type memory struct {
	responses []uplift.Response
	labels    []uplift.Label
	texts     map[uplift.Cell]string
	full      error // returned by every Add
}

type clash string

func (c clash) Error() string    { return "clash: " + string(c) }
func (c clash) Conflict() string { return string(c) }

func (m *memory) Add(r uplift.Response, labels ...uplift.Label) error {
	if m.full != nil {
		return m.full
	}
	if m.texts == nil {
		m.texts = map[uplift.Cell]string{}
	}
	old, ok := m.texts[r.Cell]
	if !ok {
		m.responses = append(m.responses, r)
	} else if r.Text != "" && old != r.Text {
		return fmt.Errorf("wrapped: %w", clash(fmt.Sprintf("%s: another text is stored", r.Cell)))
	}
	m.texts[r.Cell] = r.Text
	m.labels = append(m.labels, labels...)
	return nil
}

// problems are the lines of an import's error.
func problems(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var ps *interop.Problems
	if !errors.As(err, &ps) {
		t.Fatalf("got error %v (%T), want *interop.Problems", err, err)
	}
	return strings.Split(ps.Error(), "\n")
}

// wantProblems compares the problems with want, of which each is contained in
// one line, in order.
func wantProblems(t *testing.T, err error, want ...string) {
	t.Helper()
	got := problems(t, err)
	if len(got) != len(want) {
		t.Fatalf("got %d problems, want %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("problem %d: got %q, want it to hold %q", i+1, got[i], want[i])
		}
	}
}

func wantConflicts(t *testing.T, err error, want int) {
	t.Helper()
	var ps *interop.Problems
	if !errors.As(err, &ps) || ps.Conflicts != want {
		t.Errorf("got %v, want problems of which %d are conflicts with the sink", err, want)
	}
}

// shared finds a public data file, or skips.
func shared(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("UPLIFT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(append([]string{root, "data"}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("public data not at hand: %v (set UPLIFT_SHARED)", err)
	}
	return path
}

// tallyBy counts labels by a key.
func tallyBy(labels []uplift.Label, key func(uplift.Label) string) map[string]int {
	n := map[string]int{}
	for _, l := range labels {
		n[key(l)]++
	}
	return n
}

func graderNames(labels []uplift.Label) (names []string) {
	for _, l := range labels {
		if !slices.Contains(names, l.Grader) {
			names = append(names, l.Grader)
		}
	}
	return names
}
