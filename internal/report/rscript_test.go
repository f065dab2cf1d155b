package report

import (
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// xstestPairs rebuilds the pairs of the llama2 contrast from their joint counts.
func xstestPairs(t *testing.T) []analysis.Pair {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "xstest_counts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	score := map[string]float64{"comply": 1, "partial": 0.5, "refuse": 0}
	var out []analysis.Pair
	for _, r := range rows[1:] {
		n, err := strconv.Atoi(r[6])
		if err != nil {
			t.Fatal(err)
		}
		endpoint, tier := "utility", uplift.Benign
		if r[2] == "unsafe" {
			endpoint, tier = "risk", uplift.Harmful
		}
		for range n {
			a, b := score[r[4]], score[r[5]]
			out = append(out, analysis.Pair{Model: "llama2", Condition: "original", Reference: "none", Endpoint: endpoint, Scale: "compliance",
				Tier: tier, Task: "v2-" + strconv.Itoa(len(out)+1), Family: r[3], Attack: uplift.Direct, ScoreCondition: a, ScoreReference: b, Difference: a - b})
		}
	}
	return out
}

// R reads the pairs and arrives at the published interval.
func TestRScript(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("Rscript is not installed: the R program is not run")
	}
	out, err := runR(t, r, xstest().Result, xstestPairs(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"llama2: original - none, utility", "llama2: original - none, risk", "largest distance"} {
		if !strings.Contains(out, want) {
			t.Errorf("the program does not print %q:\n%s", want, out)
		}
	}

	wrong := xstest().Result
	*wrong.Contrasts[0].Difference.Lo += 1e-6
	if out, err := runR(t, r, wrong, xstestPairs(t)); err == nil {
		t.Errorf("a wrong bound passes:\n%s", out)
	}
}

func runR(t *testing.T, r string, res *analysis.Result, pairs []analysis.Pair) (string, error) {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "pairs.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := PairsCSV(f, slices.Values(pairs), false); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "reproduce.R"), []byte(RScript(res)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(r, "--vanilla", "reproduce.R")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// No name can become a line of the program.
func TestRScriptHoldsNoName(t *testing.T) {
	got := RScript(hostile().Result)
	for _, n := range hostileNames {
		if strings.Contains(got, n) {
			t.Errorf("the program holds %q", n)
		}
	}
}
