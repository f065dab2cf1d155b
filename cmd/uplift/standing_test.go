package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/study"
)

func TestStandingOfEntries(t *testing.T) {
	for data, want := range map[string]bool{
		`{"command":"run"}`: true, `{"command":"analyze"}`: false, `{"command":"report"}`: false, `{"command":"agreement"}`: false, `{"command":"power"}`: false,
		`{"command":5}`: true, `{"splits":"test"}`: true, `{}`: true, `{"command":"serve"}`: true,
	} {
		f := &frozen{entries: []evidence.Entry{{Kind: evidence.KindExploratory, Data: json.RawMessage(data)}}}
		if got := standingOf(f).Exploratory; got != want {
			t.Errorf("%s: got %v, want %v", data, got, want)
		}
	}
	if standingOf(&frozen{entries: []evidence.Entry{{Kind: evidence.KindUnseal, Data: json.RawMessage("{}")}}}).Exploratory {
		t.Error("tiers that were shown count as exploratory")
	}
}

// Two processes that were given leave at once record one entry.
func TestExploratoryWorkIsRecordedOnce(t *testing.T) {
	dir := lockableStudy(t)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := lockEnv()
	var permits []*permit
	for _, command := range []string{runCommand, runCommand, "analyze"} {
		p, err := guard(t.Context(), env, s, command, true)
		if err != nil {
			t.Fatal(err)
		}
		permits = append(permits, p)
	}
	for _, p := range permits {
		if err := p.begin(); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := evidence.Verify(s.logPath()); err != nil || len(entries) != 2 {
		t.Errorf("got %d entries, want 2; %v", len(entries), err)
	}
}

// What is shown of a study that is no longer as it was locked is exploratory, and
// has the lock, and the parts, that it had.
func TestExploratoryLookKeepsTheLock(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, study.File), []byte(strings.Replace(lockable, "[test]", "[test, test-b]", 1)), 0o666)
	uplifted(t, "lock", dir)
	edit(t, filepath.Join(dir, study.File), "replicates: 2", "replicates: 1")
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := lockEnv()
	if _, err := guard(t.Context(), env, s, "analyze", false); err == nil {
		t.Error("shown without --exploratory")
	}
	p, err := guard(t.Context(), env, s, "analyze", true)
	if err != nil || p.Lock == "" || p.LockedAt == nil || !p.TestB || !p.Exploratory {
		t.Errorf("got %+v, %v", p.Standing, err)
	}
}

// ratedStudy is a locked study that is asked as far as its limits go, and rated.
func ratedStudy(t *testing.T, limits string) string {
	t.Helper()
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	edit(t, filepath.Join(dir, study.File), "replicates: 2", "replicates: 2\n"+limits)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := lockEnv()
	a, err := s.asking(t.Context(), env, false)
	if err != nil {
		t.Fatal(err)
	}
	defer a.end()
	err = runStudy(t.Context(), env, a)
	if x, ok := err.(*exitError); err != nil && (!ok || x.code != exitGaps) {
		t.Fatal(err)
	}
	if err := simulateRating(t.Context(), env, s, a.w, a.db); err != nil {
		t.Fatal(err)
	}
	return dir
}

// analysisOf runs analyze --json.
func analysisOf(t *testing.T, args ...string) *analysis.Result {
	t.Helper()
	var res analysis.Result
	if err := json.Unmarshal([]byte(uplifted(t, append([]string{"analyze", "--json"}, args...)...)), &res); err != nil {
		t.Fatal(err)
	}
	return &res
}

func textOf(list []uplift.Warning, code string) string {
	for _, w := range list {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

// A locked study that has not asked everything says so: its limits are not locked.
func TestIncompleteStudies(t *testing.T) {
	dir := ratedStudy(t, "limits: {max_requests: 60}")
	var held int
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	db, err := s.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range db.Responses(context.Background()) {
		held++
	}
	db.Close()
	want := fmt.Sprintf("%d of 288 planned cells have responses", held) // 18 tasks, 2 forms, 2 replicates, 2 models, 2 conditions
	if got := textOf(analysisOf(t, dir).Warnings, analysis.CodeIncomplete); held == 0 || held >= 288 || !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := uplifted(t, "verify", dir); !strings.Contains(got, want) {
		t.Errorf("verify: got %s", got)
	}
	for _, args := range [][]string{{"analyze", dir}, {"analyze", dir, "--format", "md"}, {"report", dir, "--out", filepath.Join(dir, "r")}} {
		out := uplifted(t, args...)
		if args[0] == "report" {
			b, _ := os.ReadFile(filepath.Join(dir, "r", "report.html"))
			out = string(b)
		}
		if !strings.Contains(out, want) {
			t.Errorf("%v: says nothing of it", args)
		}
	}
}

// Every choice that is not the locked one marks every number.
func TestDeviationsMarkEveryNumber(t *testing.T) {
	dir := ratedStudy(t, "limits: {concurrency: 8}")
	if res := analysisOf(t, dir); len(res.Marks) > 0 || len(res.Standing.Deviations) > 0 || textOf(res.Warnings, analysis.CodeIncomplete) != "" {
		t.Errorf("as locked: got %v, %v", res.Marks, res.Warnings)
	}
	for flag, want := range map[string]string{
		"--level 0.9":       "the level is 0.9 (locked 0.95)",
		"--cluster family":  "clusters are family (locked task)",
		"--seed 2":          "the seed is 2 (locked 1)",
		"--replicates 200":  "the resamples are 200 (locked 10000)",
		"--reference a":     "the reference is a (locked b)",
		"--grader rater:r1": "the labels are those of rater:r1 (locked human)",
	} {
		var res *analysis.Result
		if strings.HasPrefix(flag, "--grader") {
			s, err := loadStudy(dir)
			if err != nil {
				t.Fatal(err)
			}
			f := analysisFlags{cluster: "task", level: 0.95, replicates: 10_000, grader: "rater:r1", seedSet: func() bool { return false }}
			if got := f.options(s, s.look(t.Context())).Standing.Deviations; len(got) != 1 || got[0] != want {
				t.Errorf("%s: got %v", flag, got)
			}
			continue
		}
		res = analysisOf(t, append([]string{dir}, strings.Fields(flag)...)...)
		for _, c := range res.Contrasts {
			if got := textOf(c.Marks, analysis.MarkPostHoc); !strings.HasSuffix(got, ": "+want) {
				t.Errorf("%s: %s of %s: got %q", flag, c.Endpoint, c.Condition, got)
			}
		}
		for _, c := range res.Conditions {
			if got := textOf(c.Marks, analysis.MarkPostHoc); !strings.HasSuffix(got, ": "+want) {
				t.Errorf("%s: %s: got %q", flag, c.Condition, got)
			}
		}
		if got := textOf(res.Warnings, analysis.MarkPostHoc); !strings.HasSuffix(got, ": "+want) {
			t.Errorf("%s: got %q", flag, got)
		}
	}
	for flag, want := range map[string]string{"--cluster family": "clusters are family", "--seed 2": "the seed is 2", "": ""} {
		var a struct{ Marks []uplift.Warning }
		if err := json.Unmarshal([]byte(uplifted(t, append([]string{"agreement", dir, "--json"}, strings.Fields(flag)...)...)), &a); err != nil {
			t.Fatal(err)
		}
		if got := textOf(a.Marks, analysis.MarkPostHoc); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("agreement %s: got %q, want %q", flag, got, want)
		}
	}
}

func TestShortP(t *testing.T) {
	for p, want := range map[float64]string{1: "1", .05: ".05", .03125: ".0312", 1e-12: "1e-12", 1e-301: "<1e-300", 0: "<1e-300"} {
		if got := short(p); got != want {
			t.Errorf("%v: got %q, want %q", p, got, want)
		}
	}
}
