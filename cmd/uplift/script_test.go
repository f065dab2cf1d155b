package main

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"uplift": main, "uplift-killed": killedMain})
}

// TestScripts runs every command in a process of its own. The commands below
// are the scripts' own.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPLIFT_UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"zip":     zipDir,
			"labels":  makeLabels,
			"cut":     cutFile,
			"replace": replaceIn,
			"fill":    fillLabels,
			"forget":  forgetLine,
		},
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %q (want long)", name)
			}
			return os.Getenv("UPLIFT_LONG") != "", nil
		},
	})
}

// forget FILE takes the last line off a file.
func forgetLine(ts *testscript.TestScript, _ bool, args []string) {
	lines := strings.SplitAfter(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines[:len(lines)-1], "")), 0o666))
}

// exits CODE ARG... runs uplift and wants that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARG...")
	}
	err := ts.Exec("uplift", args[1:]...)
	got := 0
	if err != nil {
		got = -1
		if i := strings.LastIndex(err.Error(), "exit status "); i >= 0 {
			got, _ = strconv.Atoi(err.Error()[i+len("exit status "):])
		}
	}
	if want, _ := strconv.Atoi(args[0]); got != want {
		ts.Fatalf("uplift %s: got exit code %d (%v), want %d", strings.Join(args[1:], " "), got, err, want)
	}
}

// zip FILE DIR packs the files of DIR.
func zipDir(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: zip FILE DIR")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := zip.NewWriter(f)
	ts.Check(w.AddFS(os.DirFS(ts.MkAbs(args[1]))))
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// labels FILE TASKS writes a table of two conditions in our own columns: TASKS
// tasks a tier, two a family. Under the condition guarded every third benign
// task loses a half, and every other harmful task a whole point.
func makeLabels(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: labels FILE TASKS")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b strings.Builder
	b.WriteString("model,condition,task,family,tier,attack,replicate,scale,value,grader\n")
	row := func(condition, tier string, i int, v float64) {
		fmt.Fprintf(&b, "m,%s,%s%d,%s-f%d,%s,direct,0,compliance,%v,human\n", condition, tier[:1], i, tier, i/2, tier, v)
	}
	for i := range n {
		row("open", "benign", i, 1)
		row("guarded", "benign", i, map[bool]float64{true: .5, false: 1}[i%3 == 0])
		row("open", "harmful", i, 1)
		row("guarded", "harmful", i, float64(i%2))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o666))
}

// cut FILE BYTES shortens a file.
func cutFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE BYTES")
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// replace OLD NEW FILE changes the one place that holds OLD.
func replaceIn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace OLD NEW FILE")
	}
	text := ts.ReadFile(args[2])
	if n := strings.Count(text, args[0]); n != 1 {
		ts.Fatalf("%s holds %q %d times, want once", args[2], args[0], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Replace(text, args[0], args[1], 1)), 0o666))
}

// fill FILE GRADER writes a value into each empty one of a table in our columns,
// and names who gave it. Under the condition safety it is a half, else one.
func fillLabels(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fill FILE GRADER")
	}
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	value, grader, condition := slices.Index(rows[0], "value"), slices.Index(rows[0], "grader"), slices.Index(rows[0], "condition")
	for _, row := range rows[1:] {
		if row[value] == "" {
			row[value], row[grader] = map[bool]string{true: "0.5", false: "1"}[row[condition] == "safety"], args[1]
		}
	}
	var b strings.Builder
	ts.Check(csv.NewWriter(&b).WriteAll(rows))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o666))
}

// shared is a file of the shared folder, which lies beside the project; the
// test is skipped without it.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	root := os.Getenv("UPLIFT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	p := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("the shared files are not here (%v): set UPLIFT_SHARED to their folder", err)
	}
	return p
}
