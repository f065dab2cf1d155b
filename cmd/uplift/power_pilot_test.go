package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/stats"
)

// pilotStudy is a study of twelve benign tasks, two a family, of which utility
// has a margin of .3; with the differences of its pairs.
func pilotStudy(t *testing.T) (dir string, differences []float64) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	var b strings.Builder
	b.WriteString("model,condition,task,family,tier,attack,replicate,scale,value,grader\n")
	for i := range 12 {
		v := []float64{1, 0.5, 0, 1, 0.5, 0.5, 1}[i%7]
		differences = append(differences, v-1)
		for condition, value := range map[string]float64{"open": 1, "guarded": v} {
			fmt.Fprintf(&b, "m,%s,b%02d,f%d,benign,direct,0,compliance,%v,human\n", condition, i, i/2, value)
		}
	}
	table := dir + ".csv"
	if err := os.WriteFile(table, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	uplifted(t, "init", dir, "--template", "labels")
	uplifted(t, "import", "labels", dir, table)
	file := filepath.Join(dir, "study.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	with := strings.Replace(string(text), "tiers: [benign]}", "tiers: [benign], margin: 0.3}", 1)
	if with == string(text) {
		t.Fatalf("%s has no endpoint of benign tasks", file)
	}
	if err := os.WriteFile(file, []byte(with), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, differences
}

// uplifted runs a command that must succeed, and gives what it prints.
func uplifted(t *testing.T, args ...string) string {
	t.Helper()
	env, out, talk := testEnv()
	if code := execute(t.Context(), env, args); code != exitDone {
		t.Fatalf("uplift %s: exit code %d: %s", strings.Join(args, " "), code, talk)
	}
	return out.String()
}

// A pilot is read by the clusters, at the level and with the margin that it was
// asked for: as package stats gives them for the same pairs.
func TestPilotIsReadAsAsked(t *testing.T) {
	dir, differences := pilotStudy(t)
	for _, c := range []struct {
		cluster string
		alpha   string
		level   float64
		tasks   int
	}{
		{"task", "0.05", 0.95, 12}, {"family", "0.05", 0.95, 6}, {"task", "0.1", 0.9, 12},
		{"task", "0.5", 0.5, 12}, {"family", "0.3", 0.7, 6}, {"task", "0.0001", 0.9999, 12},
	} {
		name := fmt.Sprintf("by %s at alpha %s", c.cluster, c.alpha)
		var res power.Result
		out := uplifted(t, "power", dir, "--reference", "open", "--endpoint", "utility", "--cluster", c.cluster, "--alpha", c.alpha, "--json")
		if err := json.Unmarshal([]byte(out), &res); err != nil {
			t.Fatal(err)
		}
		var ids []int
		for i := range differences {
			ids = append(ids, i*c.tasks/12)
		}
		s, err := stats.NewClustered(differences, ids)
		if err != nil {
			t.Fatal(err)
		}
		want, err := s.Interval(stats.CR2, c.level)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Answers) != 1 {
			t.Fatalf("%s: got %d answers, want 1", name, len(res.Answers))
		}
		a := res.Answers[0]
		if b := a.Basis; b.Tasks != c.tasks || b.Pairs != 12 || b.Differ != s.NonZero() || a.Present == nil || a.Present.Tasks != c.tasks {
			t.Errorf("%s: got %d pairs in %d clusters, of which %d differ; want 12 in %d, of which %d", name, b.Pairs, b.Tasks, b.Differ, c.tasks, s.NonZero())
		}
		if lo, hi := a.Basis.Lo, a.Basis.Hi; lo == nil || hi == nil || math.Abs(*lo-want.Lo) > 1e-9 || math.Abs(*hi-want.Hi) > 1e-9 {
			t.Errorf("%s: got [%v, %v], want [%v, %v]", name, lo, hi, want.Lo, want.Hi)
		}
		if c.cluster == "family" {
			icc, err := s.ICCInterval(c.level)
			if err != nil {
				t.Fatal(err)
			}
			if b := a.Basis; b.ICCLo == nil || math.Abs(*b.ICCLo-icc.Lo) > 1e-9 || math.Abs(*b.ICCHi-icc.Hi) > 1e-9 {
				t.Errorf("%s: got ICC [%v, %v], want [%v, %v]", name, b.ICCLo, b.ICCHi, icc.Lo, icc.Hi)
			}
		}
		if n := a.NonInferiority; n == nil || n.Margin != 0.3 || n.Better != power.Higher || len(n.Now) == 0 {
			t.Errorf("%s: got non-inferiority %+v, want it at the study's margin, .3", name, n)
		}
	}
	// A margin that is asked for goes before the study's.
	var res power.Result
	if err := json.Unmarshal([]byte(uplifted(t, "power", dir, "--reference", "open", "--endpoint", "utility", "--margin", "0.2", "--json")), &res); err != nil {
		t.Fatal(err)
	}
	if n := res.Answers[0].NonInferiority; n == nil || n.Margin != 0.2 {
		t.Errorf("got %+v, want the margin that was asked, .2", n)
	}
}
