package coverage

import (
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write doc/coverage.md anew from coverage.csv; with UPLIFT_LONG=1 simulate both anew")

// sizes are the numbers of tasks: those of one endpoint of the paper, of its
// locked test, and two and six times as many.
var sizes = []int{6, 18, 36, 108}

const (
	simulations = 10_000
	replicates  = 1_999
	again       = 20 // simulations that every test makes again
)

func scenes() []scene {
	var out []scene
	for _, c := range contrasts {
		for _, g := range sizes {
			out = append(out, c.scene(g, simulations, replicates))
		}
	}
	for _, f := range families {
		for _, g := range sizes {
			out = append(out, f.scene(g, simulations/5))
		}
	}
	for _, p := range panels {
		for _, g := range sizes {
			out = append(out, p.scene(g, simulations, replicates))
		}
	}
	for _, b := range benches {
		for _, g := range sizes {
			out = append(out, b.scene(g, simulations))
		}
	}
	for _, l := range losses {
		for _, g := range sizes {
			out = append(out, l.scene(g, simulations))
		}
	}
	for _, m := range markings {
		for _, g := range sizes {
			out = append(out, m.scene(g, simulations/2, 999))
		}
	}
	return out
}

// TestSimulated makes the whole table. Equal seeds give equal counts on one
// kind of processor. With -update and, say, -run TestSimulated/^sparse/18 only
// those rows are made anew.
func TestSimulated(t *testing.T) {
	if os.Getenv("UPLIFT_LONG") != "1" {
		t.Skip("simulates for minutes: set UPLIFT_LONG=1")
	}
	if raced {
		t.Skip("the race detector makes it hours")
	}
	rows, starts := byScene(measured, 2), byScene(readFile(t, firstFile), 1)
	for _, s := range scenes() {
		t.Run(s.key(), func(t *testing.T) {
			began := time.Now()
			boards := s.run(s.simulations)
			got, fresh := lines(tally(s, boards)), firstLines(s, boards[:again])
			t.Logf("%v", time.Since(began).Round(time.Second))
			if !*update && got != rows[s.key()] {
				t.Errorf("simulated\n%sbut in coverage.csv\n%s", got, rows[s.key()])
			}
			rows[s.key()], starts[s.key()] = got, fresh
		})
	}
	if *update {
		measured = strings.Join(columns, ",") + "\n" + inOrder(rows)
		write(t, "coverage.csv", measured)
		write(t, firstFile, strings.Join(firstColumns, ",")+"\n"+inOrder(starts))
	}
}

// inOrder joins the lines of all scenes.
func inOrder(lines map[string]string) string {
	var b strings.Builder
	for _, s := range scenes() {
		b.WriteString(lines[s.key()])
	}
	return b.String()
}

// TestFirstSimulations makes the first few simulations of every scene again: a
// changed estimator or process makes the table stale, and this test red. Then
// simulate anew: UPLIFT_LONG=1 go test ./internal/coverage -update
func TestFirstSimulations(t *testing.T) {
	if *update {
		t.Skip("writes")
	}
	want, seen := readFirsts(t), 0
	for _, s := range scenes() {
		if raced && s.clusters > 18 { // the detector is slow, and sees the same code
			continue
		}
		for method, got := range firsts(s.run(again)) {
			w, ok := want[firstKey{s.process, s.clusters, method}]
			seen++
			if !ok {
				t.Errorf("%s, %d tasks, %s: not in %s", s.process, s.clusters, method, firstFile)
				continue
			}
			if got.endings != w.endings || math.Abs(got.lo-w.lo) > 1e-6 || math.Abs(got.hi-w.hi) > 1e-6 {
				t.Errorf("%s, %d tasks, %s: %v, want %v: coverage.csv is stale", s.process, s.clusters, method, got, w)
			}
		}
	}
	if !raced && seen != len(want) || len(want) != len(Rows()) {
		t.Errorf("%d methods at scenes, but %d in %s and %d rows in coverage.csv", seen, len(want), firstFile, len(Rows()))
	}
}

// TestRowsAreThoseOfTheScenes: the table was made with the constants above.
func TestRowsAreThoseOfTheScenes(t *testing.T) {
	all := scenes()
	for _, r := range Rows() {
		k := slices.IndexFunc(all, func(s scene) bool { return s.process == r.Process && s.clusters == r.Clusters })
		if k < 0 {
			t.Errorf("%s, %d tasks: no such scene", r.Process, r.Clusters)
			continue
		}
		if s := all[k]; r.Simulations+r.Undefined != s.simulations || (r.Replicates != 0 && r.Replicates != s.replicates) {
			t.Errorf("%s, %d tasks, %s: %d+%d simulations of %d replicates, want %d of %d or 0",
				r.Process, r.Clusters, r.Method, r.Simulations, r.Undefined, r.Replicates, s.simulations, s.replicates)
		}
	}
}
