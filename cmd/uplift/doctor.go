package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// finding is one thing that doctor looked at.
type finding struct {
	Check string `json:"check"`
	State string `json:"state"` // ok, warning or failed
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
}

const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateFailed  = "failed"
)

func newDoctor(env *Env) *cobra.Command {
	var asJSON, asking bool
	cmd := &cobra.Command{
		Use: "doctor [DIR]", Short: "Check this machine and a study",
		Long: `doctor checks that this machine can run a study: the clock, a place for
temporary files, and a database that survives being closed. When DIR (by default
the working directory) holds a study, its file, its lock and log, and its database
are checked too.

With --ping it asks each model of the study, and each condition with an endpoint
of its own, for one word instead, which costs a few tokens. It tells the host, the
variable of the key (never its value), the answer or what is wrong, the version,
the time, the tokens and the rate limits. Keys come from ANTHROPIC_API_KEY,
GEMINI_API_KEY or GOOGLE_API_KEY, and OPENAI_API_KEY, or from what key_env names.
HTTPS_PROXY, HTTP_PROXY and NO_PROXY are honoured, but never for this machine.`,
		Example: "  uplift doctor s\n  uplift doctor --ping s",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asking {
				return doctorPing(cmd.Context(), env, dirArg(args), asJSON)
			}
			found := diagnose(cmd.Context(), env, dirArg(args), len(args) > 0)
			if asJSON {
				if err := writeJSON(env.Stdout, found); err != nil {
					return err
				}
			} else {
				printFindings(harmlessWriter{env.Stdout}, found)
			}
			for _, f := range found {
				if f.State == stateFailed {
					return fmt.Errorf("doctor: %s: %s", f.Check, f.Text)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&asking, "ping", false, "ask each model once: costs a few tokens")
	return cmd
}

// diagnose runs every check. A study that was not asked for and is not there
// is no finding.
func diagnose(ctx context.Context, env *Env, dir string, asked bool) []finding {
	b := thisBuild()
	found := []finding{
		{Check: "program", State: stateOK, Text: fmt.Sprintf("uplift %s, %s, %s", b.Version, b.Go, b.Platform)},
		checkClock(env),
		checkDatabase(ctx, env),
	}
	if _, err := os.Stat(filepath.Join(dir, study.File)); err != nil && !asked {
		return append(found, finding{Check: "study", State: stateOK, Text: "none in the working directory"})
	}
	s, err := loadStudy(dir)
	if err != nil {
		return append(found, failedCheck("study", err))
	}
	found = append(found, finding{Check: "study", State: stateOK,
		Text: fmt.Sprintf("%s, digest %.12s", s.plan.Name(), s.plan.Digest())})
	if _, err := s.vault(); err != nil {
		found = append(found, failedCheck("reviewers", err))
	}
	return append(found, append(checkPlan(s), checkWritable(s.dir), checkStore(ctx, s))...)
}

// checkPlan looks at the lock and the log, as far as there are any.
func checkPlan(s *studyDir) []finding {
	f, err := s.frozen()
	if err != nil {
		return []finding{failedCheck("lock", err)}
	}
	st, out := standingOf(f), []finding{}
	switch _, _, why := s.stands(); {
	case f.lock != nil && why != nil:
		out = append(out, finding{"lock", stateFailed, why.Error(), "uplift verify " + s.dir})
	case f.lock != nil:
		text := fmt.Sprintf("locked %s, digest %.12s", st.LockedAt.UTC().Format("2006-01-02 15:04 UTC"), st.Lock)
		if n := len(st.Amendments); n > 0 {
			text += fmt.Sprintf(", %s, the last on %s", several(n, "amendment"), st.Amendments[n-1].At.UTC().Format("2006-01-02"))
		}
		out = append(out, finding{Check: "lock", State: stateOK, Text: text})
	case len(s.unlocked()) > 0:
		out = append(out, finding{"lock", stateWarning, "none, and the study asks the locked split " + strings.Join(s.unlocked(), " and "),
			"uplift lock " + s.dir + ", before the first response"})
	}
	if st.Exploratory {
		out = append(out, finding{"log", stateWarning, "a locked split was asked without a valid lock: every number is exploratory", "uplift verify " + s.dir})
	}
	if n := len(f.entries); n > 0 {
		out = append(out, finding{Check: "log", State: stateOK, Text: several(n, "line") + ", whole"})
	}
	return out
}

func failedCheck(check string, err error) finding {
	f := finding{Check: check, State: stateFailed, Text: err.Error()}
	if x, ok := errors.AsType[*exitError](err); ok {
		f.Hint = x.hint
	}
	return f
}

func checkClock(env *Env) finding {
	now := env.Now()
	if now.Year() < 2026 {
		return finding{"clock", stateWarning, "it says " + now.Format("2006-01-02"), "set it: records carry the time"}
	}
	return finding{Check: "clock", State: stateOK, Text: now.UTC().Format("2006-01-02 15:04 UTC")}
}

// checkDatabase makes a store in a temporary place, closes it and opens it again.
func checkDatabase(ctx context.Context, env *Env) finding {
	dir, err := os.MkdirTemp("", "uplift-doctor-")
	if err != nil {
		return failedCheck("database", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, storeFile)
	s, err := store.Create(ctx, path, store.Meta{Study: "doctor", Created: env.Now()})
	if err != nil {
		return failedCheck("database", err)
	}
	if err := s.Close(); err != nil {
		return failedCheck("database", err)
	}
	if s, err = store.Open(ctx, path, store.ReadOnly); err != nil {
		return failedCheck("database", err)
	}
	defer s.Close()
	return finding{Check: "database", State: stateOK, Text: "a study database can be made, closed and opened again"}
}

func checkWritable(dir string) finding {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return finding{"directory", stateWarning, err.Error(), "reading works; running and importing need to write here"}
	}
	f.Close()
	os.Remove(f.Name())
	return finding{Check: "directory", State: stateOK, Text: dir + " can be written"}
}

func checkStore(ctx context.Context, s *studyDir) finding {
	db, err := store.Open(ctx, s.path(), store.ReadOnly)
	if errors.Is(err, store.ErrMissing) {
		return finding{"labels", stateWarning, "nothing has been run or imported yet", nextAfterNothing(s)}
	}
	if err != nil {
		return failedCheck("labels", err)
	}
	defer db.Close()
	if err := db.Check(ctx); err != nil {
		return failedCheck("labels", err)
	}
	var responses, labels int
	for _, err := range db.Responses(ctx) {
		if err != nil {
			return failedCheck("labels", err)
		}
		responses++
	}
	for _, err := range db.Labels(ctx) {
		if errors.Is(err, store.ErrRatingOpen) {
			return finding{Check: "labels", State: stateOK, Text: fmt.Sprintf("%s responses; rating is open", grouped(responses))}
		}
		if err != nil {
			return failedCheck("labels", err)
		}
		labels++
	}
	if labels == 0 && responses > 0 {
		return finding{"labels", stateWarning, grouped(responses) + " responses, and no label", nextAfterRun(s)}
	}
	return finding{Check: "labels", State: stateOK, Text: fmt.Sprintf("%s responses, %s labels and marks", grouped(responses), grouped(labels))}
}

func printFindings(w io.Writer, found []finding) {
	mark := map[string]string{stateOK: "ok     ", stateWarning: "warning", stateFailed: "FAILED "}
	for _, f := range found {
		fmt.Fprintf(w, "%s  %-9s  %s\n", mark[f.State], f.Check, strings.ReplaceAll(f.Text, "\n", "\n"+strings.Repeat(" ", 20)))
		if f.Hint != "" {
			fmt.Fprintf(w, "%20shint: %s\n", "", f.Hint)
		}
	}
}
