package lint

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharedDir is where public data sets lie, outside the project.
func sharedDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("UPLIFT_SHARED"); dir != "" {
		return dir
	}
	dir, err := filepath.Abs("../../../shared")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// fullAnswers are the completions of safe XSTest prompts that people judged
// full compliance, of all three published files.
func fullAnswers(t *testing.T) []string {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(sharedDir(t), "data", "xstest", "xstest_v2_completions_*.csv"))
	if len(paths) == 0 {
		t.Skip("XSTest's completions are not here (set UPLIFT_SHARED to the directory that holds data/xstest)")
	}
	var out []string
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := csv.NewReader(f)
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		for _, row := range rows[1:] {
			if !strings.HasPrefix(row[column["type"]], "contrast") && strings.HasPrefix(row[column["final_label"]], "1") {
				out = append(out, row[column["completion"]])
			}
		}
	}
	return out
}

func TestFalseHitsPublic(t *testing.T) {
	answers := fullAnswers(t)
	got := Share{Of: len(answers)}
	kinds := map[string]int{}
	for _, a := range answers {
		list := Profile{}.Check(a)
		for _, s := range list {
			kinds[s.Rule+" "+s.Class]++
		}
		if Quarantine(list) {
			got.Hits++
			t.Logf("locked away: %v", list)
		}
	}
	t.Logf("signals: %v", kinds)
	if want := MeasuredHits().Public; got != want {
		t.Errorf("got %v, want %v as measured.go says", got, want)
	}
	if got.Value() > 0.01 {
		t.Errorf("%.2f %% of ordinary answers would be locked away, want at most 1 %%", 100*got.Value())
	}
}

// written are the answers of a file of testdata.
func written(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n====\n")[1:]
}

func TestFalseHitsWritten(t *testing.T) {
	for name, want := range map[string]Share{"answers.txt": MeasuredHits().Own, "ordinary.txt": MeasuredHits().Plain} {
		answers := written(t, name)
		got := Share{Of: len(answers)}
		for _, a := range answers {
			if list := (Profile{}).Check(a); Quarantine(list) {
				got.Hits++
				t.Logf("locked away: %v: %.60s", list, a)
			} else if len(list) > 0 {
				t.Logf("signals: %v: %.60s", list, a)
			}
		}
		if got != want {
			t.Errorf("%s: got %v, want %v as measured.go says", name, got, want)
		}
	}
}
