package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// nextAfterNothing says how a study comes by its first responses.
func nextAfterNothing(s *studyDir) string {
	switch {
	case s.plan.Plan().Conditions.Imported:
		return fmt.Sprintf("uplift import xstest|labels|inspect %s FILE..., see uplift import --help", s.dir)
	case len(s.unlocked()) > 0:
		return fmt.Sprintf("uplift lock %s, then uplift run %s", s.dir, s.dir)
	}
	return "uplift run " + s.dir
}

// unlocked are the locked splits that a study asks without a lock.
func (s *studyDir) unlocked() []string {
	f, splits, _ := s.stands()
	if f == nil || f.lock != nil {
		return nil
	}
	return splits
}

// nextAfterRun says how responses come by labels.
func nextAfterRun(s *studyDir) string {
	bring := fmt.Sprintf("uplift export labels %[1]s --unlabelled --text, fill in the values, and uplift import labels %[1]s FILE", s.dir)
	if s.plan.Plan().Simulated() {
		return fmt.Sprintf("uplift demo %s (simulated raters mark the responses), or %s", s.dir, bring)
	}
	return bring
}

// unlabelled adds to an error what is missing: labels on responses that are
// there.
func unlabelled(ctx context.Context, s *studyDir, db *store.Store, err error) error {
	for _, broken := range db.Labels(ctx) {
		_ = broken // whether it can be read or not, there is one
		return err
	}
	for _, broken := range db.Responses(ctx) {
		if broken == nil {
			return hint(err, "%s", nextAfterRun(s))
		}
		break
	}
	return err
}

// nextAfterDemo is the end of a demo: of its own study, or of one that somebody
// brought.
func nextAfterDemo(dir string) string {
	if isDemo(dir) {
		return "open the report in a browser; then bring in labels of your own:\n          uplift init s --template labels\n          uplift import --help"
	}
	return fmt.Sprintf("open the report in a browser; the simulated labels as a table:\n          uplift export labels %s", dir)
}

// isDemo reports whether a directory holds the demo's own study, with --full or
// without.
func isDemo(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, study.File))
	files, unknown := study.Template("demo")
	if err != nil || unknown != nil {
		return false
	}
	own := nameStudy(files[study.File], dir)
	return bytes.Equal(benchmarkLine.ReplaceAll(data, nil), benchmarkLine.ReplaceAll(own, nil))
}
