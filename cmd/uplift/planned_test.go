package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/uplift-eval/uplift/internal/study"
)

// The analysis adjusts for every contrast that the study plans, whichever are
// labelled; an imported study plans none.
func TestPlannedContrasts(t *testing.T) {
	const two = "models: [{name: m, provider: sim}, {name: n, provider: sim}]\nconditions: [{name: a}, {name: b, system: x}, {name: c, system: y}]\nreference: a\n"
	for src, want := range map[string]int{
		"name: s\nbenchmark: {set: builtin}\n" + two:                                                        4, // two models, two conditions beside the reference
		"name: s\nbenchmark: {set: builtin}\nmodels: [{name: m, provider: sim}]\nconditions: [{name: a}]\n": 0,
		"name: s\nconditions: imported\nendpoints: {utility: {scale: compliance, tiers: [benign]}}\n":       0,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, study.File), []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := loadStudy(dir)
		if err != nil {
			t.Fatal(err)
		}
		flags := analysisFlags{cluster: "task", level: 0.95, replicates: 100, seedSet: func() bool { return false }}
		if got := flags.options(s, &permit{}).Planned; got != want {
			t.Errorf("got %d planned, want %d of\n%s", got, want, src)
		}
	}
}
