package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/uplift-eval/uplift/internal/evidence"
)

// runHold is the file on which the process that runs a study holds it. It says
// who that is, for people; only the lock on it counts.
const runHold = ".run.held"

// holdRun keeps every other process from running the study until release: two at
// once would each pay for the same calls.
func (s *studyDir) holdRun(env *Env) (release func(), err error) {
	path := filepath.Join(s.dir, runHold)
	release, err = evidence.Hold(path, true)
	if errors.Is(err, evidence.ErrHeld) {
		return nil, hint(fmt.Errorf("%s: another process runs this study%s", s.dir, holder(path)),
			"wait until it has ended, or stop it: what is finished is kept; commands that read go on meanwhile")
	}
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	who := fmt.Sprintf("process %d on %s since %s\n", os.Getpid(), host, env.Now().UTC().Format(time.RFC3339))
	if err := os.WriteFile(path, []byte(who), 0o666); err != nil { // a full disk: the lock holds all the same
		fmt.Fprintf(env.Stderr, "warning %s: %v\n", path, cause(err))
	}
	return release, nil
}

// holder says who holds a study, as far as that can be read.
func holder(path string) string {
	data, err := os.ReadFile(path)
	who := strings.TrimSpace(string(data))
	if err != nil || who == "" || len(who) > 300 {
		return ""
	}
	return " (" + who + ")"
}
