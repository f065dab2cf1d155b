package coverage

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// key names the scene, such as sparse/18.
func (s scene) key() string { return fmt.Sprintf("%s/%d", s.process, s.clusters) }

// byScene splits the lines of a file, whose header is left out, by scene; the
// number of tasks is in the given column.
func byScene(text string, column int) map[string]string {
	out := make(map[string]string)
	for i, line := range strings.SplitAfter(text, "\n") {
		if fields := strings.Split(line, ","); i > 0 && len(fields) > column {
			out[fields[0]+"/"+fields[column]] += line
		}
	}
	return out
}

// lines are rows of coverage.csv.
func lines(rows []counted) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s,%.2f,%d,%s,%g,%d,%d,%d,%d,%d,%d,%.4f\n", r.scene.process, r.scene.icc, r.scene.clusters,
			r.method, r.level, r.defined(), r.undefined, r.replicates, r.covered, r.below, r.over, r.width)
	}
	return b.String()
}

const firstFile = "testdata/first.csv"

var firstColumns = []string{"process", "clusters", "method", "endings", "lo", "hi"}

// firstKey names a method at a scene.
type firstKey struct {
	process  string
	clusters int
	method   string
}

func readFirsts(t *testing.T) map[firstKey]first {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(readFile(t, firstFile))).ReadAll()
	if err != nil || strings.Join(records[0], ",") != strings.Join(firstColumns, ",") {
		t.Fatalf("%s: %v, first line %v", firstFile, err, records[0])
	}
	out := make(map[firstKey]first)
	for _, r := range records[1:] {
		clusters, err1 := strconv.Atoi(r[1])
		lo, err2 := strconv.ParseFloat(r[4], 64)
		hi, err3 := strconv.ParseFloat(r[5], 64)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatalf("%s: %v", firstFile, r)
		}
		out[firstKey{r[0], clusters, r[2]}] = first{r[3], lo, hi}
	}
	return out
}

func firstLines(s scene, boards []board) string {
	var b strings.Builder
	all := firsts(boards)
	for _, o := range boards[0] {
		f := all[o.method]
		fmt.Fprintf(&b, "%s,%d,%s,%s,%.8f,%.8f\n", s.process, s.clusters, o.method, f.endings, f.lo, f.hi)
	}
	return b.String()
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
