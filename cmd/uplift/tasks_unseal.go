package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/evidence"
)

// unsealing is the data of an unseal entry: who could have learnt which tiers.
type unsealing struct {
	Command  string   `json:"command"`
	Set      string   `json:"set"`
	Digest   string   `json:"digest"` // of the set's tasks
	Tasks    int      `json:"tasks"`  // shown
	ID       string   `json:"id,omitempty"`
	Splits   []string `json:"splits,omitempty"`
	Families []string `json:"families,omitempty"`
	Tiers    []string `json:"tiers,omitempty"`
	Attacks  []string `json:"attacks,omitempty"`
}

// keepUnsealing writes to the evidence log that tiers are about to be shown: to
// the study's, or to the user's own where there is no study. Without that entry
// nothing may be shown.
func (f *taskFlags) keepUnsealing(env *Env, src *taskSource, command, id string, tasks int) error {
	if !f.unseal {
		return nil
	}
	path, err := unsealLog(env, src.dir)
	if err != nil {
		return fmt.Errorf("--unseal: %w (nothing is shown)", err)
	}
	log, err := evidence.Open(path)
	if err == nil {
		_, err = log.Append(evidence.KindUnseal, unsealing{
			Command: command, Set: src.name, Digest: benchmark.Digest(src.tasks), Tasks: tasks, ID: id,
			Splits: f.splits, Families: f.families, Tiers: f.tiers, Attacks: f.attacks,
		}, env.Now())
	}
	if err != nil {
		return fmt.Errorf("--unseal: the evidence log cannot be written: %w (nothing is shown)", err)
	}
	fmt.Fprintf(env.Stderr, "unsealed %s: logged in %s\n", several(tasks, "task"), harmless(path))
	(&wired{notes: src.odd}).say(harmlessWriter{env.Stderr})
	return nil
}

// unsealLog is the log that an unsealing belongs into. The user's own lies
// where the XDG base directories put what a program remembers; a relative path
// there counts as none.
func unsealLog(env *Env, dir string) (string, error) {
	if dir != "" {
		return filepath.Join(dir, evidence.File), nil
	}
	state := env.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := env.Getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", errors.New("there is no place for the evidence log (want XDG_STATE_HOME or HOME, or a study's directory)")
		}
		state = filepath.Join(home, ".local", "state")
	}
	own := filepath.Join(state, "uplift")
	if err := os.MkdirAll(own, 0o700); err != nil {
		return "", fmt.Errorf("the evidence log cannot be written: %s: %w", own, cause(err))
	}
	return filepath.Join(own, evidence.File), nil
}
