package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// mustExecute runs a command line that must end well and returns its stdout.
func mustExecute(t *testing.T, args ...string) string {
	t.Helper()
	env, out, talk := testEnv()
	if code := execute(context.Background(), env, args); code != exitDone {
		t.Fatalf("uplift %s: exit code %d\n%s", strings.Join(args, " "), code, talk)
	}
	return out.String()
}

// TestXSTestHeadline imports two conditions of one model, as XSTest publishes
// them but without texts, and wants the figures that R's clubSandwich 0.5.8 and
// exact enumeration gave for its labels. The files are rebuilt from counts.
func TestXSTestHeadline(t *testing.T) {
	original, none := rebuiltXSTest(t)
	headline(t, original, none)
}

// TestXSTestPublished is the same from the published files.
func TestXSTestPublished(t *testing.T) {
	headline(t, shared(t, "data", "xstest", "xstest_v2_completions_llama2orig.csv"),
		shared(t, "data", "xstest", "xstest_v2_completions_llama2new.csv"))
}

// rebuiltXSTest writes completions files that hold the labels of llama2orig and
// llama2new in the order of their joint counts.
func rebuiltXSTest(t *testing.T) (original, none string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "stats", "testdata", "xstest_counts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counts, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{"comply": "1_full_compliance", "refuse": "2_full_refusal", "partial": "3_partial_refusal"}
	const header = "id,type,prompt,completion,annotation_1,annotation_2,agreement,final_label\n"
	files := [2]strings.Builder{}
	for i := range files {
		files[i].WriteString(header)
	}
	id := 0
	for _, c := range counts[1:] { // condition, reference, tier, type, label of either, count
		if c[0] != "llama2orig" || c[1] != "llama2new" {
			continue
		}
		n, err := strconv.Atoi(c[6])
		if err != nil {
			t.Fatal(err)
		}
		for range n {
			id++
			for i, label := range c[4:6] {
				code := codes[label]
				fmt.Fprintf(&files[i], "v2-%d,%s,ask %d,reply,%s,%s,TRUE,%s\n", id, c[3], id, code, code, code)
			}
		}
	}
	dir := t.TempDir()
	original, none = filepath.Join(dir, "original.csv"), filepath.Join(dir, "none.csv")
	for i, path := range []string{original, none} {
		if err := os.WriteFile(path, []byte(files[i].String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return original, none
}

func headline(t *testing.T, original, none string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "s")
	mustExecute(t, "init", dir, "--template", "labels")
	mustExecute(t, "import", "xstest", dir, "--model", "llama2",
		"--condition", "original="+original, "--condition", "none="+none)

	var got analysis.Result
	out := mustExecute(t, "analyze", dir, "--reference", "none", "--cluster", "family", "--json")
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Contrasts) != 2 {
		t.Fatalf("got %d contrasts, want utility and risk", len(got.Contrasts))
	}
	u, r := got.Contrasts[0], got.Contrasts[1]
	if u.Endpoint != "utility" || r.Endpoint != "risk" {
		t.Fatalf("got endpoints %s and %s, want utility and risk", u.Endpoint, r.Endpoint)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"utility", *u.Difference.Value, -0.27},
		{"utility lo", *u.Difference.Lo, -0.35100361928605345},
		{"utility hi", *u.Difference.Hi, -0.18899638071394659},
		{"utility df", *u.Difference.DF, 9},
		{"utility sign-flip p", *u.PSignFlip, 0.001953125},
		{"risk", *r.Difference.Value, -0.01},
		{"risk sign-flip p", *r.PSignFlip, 0.25},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: got %.17g, want %.17g", c.name, c.got, c.want)
		}
	}
	for _, s := range r.Sensitivity {
		if s.Lo != nil || s.Hi != nil {
			t.Errorf("risk: %s has an interval, want none", s.Method)
		}
	}
	if !hasWarning(r, analysis.CodeFewNonZero) {
		t.Errorf("risk: got warnings %v, want %s", r.Warnings, analysis.CodeFewNonZero)
	}
}

func hasWarning(c analysis.Contrast, code string) bool {
	for _, w := range c.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

// TestInspectLogs imports four published logs. The counts were read from the
// files with another program.
func TestInspectLogs(t *testing.T) {
	var args []string
	want := []struct {
		file                      string
		samples, scores, untiered int
	}{
		{"2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", 10, 0, 10},
		{"log_formats.eval", 1, 1, 1},
		{"log_message_deduplication.eval", 1, 1, 1},
		{"log_read_sample.eval", 1, 1, 1},
	}
	for _, w := range want {
		args = append(args, shared(t, "data", "inspect", w.file))
	}
	dir := filepath.Join(t.TempDir(), "s")
	mustExecute(t, "init", dir, "--template", "labels")
	var got imported
	out := mustExecute(t, append([]string{"import", "inspect", "--json", dir}, args...)...)
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		c := got.Files[i].Counts
		if c.Samples != w.samples || c.Responses != w.samples || c.Scores != w.scores || c.Labels != w.scores || c.Untiered != w.untiered {
			t.Errorf("%s: got %+v, want %+v", w.file, c, w)
		}
	}
	if got.Store.Responses != 13 || got.Store.Labels != 3 {
		t.Errorf("store: got %+v, want 13 responses and 3 labels", got.Store)
	}
	again := mustExecute(t, append([]string{"import", "inspect", dir}, args...)...)
	if !strings.Contains(again, "study: 13 rows that said nothing new\n") {
		t.Errorf("again: got %q, want nothing new", again)
	}
}
