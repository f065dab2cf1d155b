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
	out, err := runR(t, r, margined(), xstestPairs(t))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"llama2: original - none, utility", "llama2: original - none, risk", "sign-flip p 0.001953125", "sign-flip p 0.25",
		"not worse by 0.05 or more: p 0.9999150", "Holm over the 1 contrasts of utility", "sign-flip p: 0.001953125", "p of the interval: 3.54057551604", "largest distance"} {
		if !strings.Contains(out, want) {
			t.Errorf("the program does not print %q:\n%s", want, out)
		}
	}

	for what, wrong := range map[string]func(*analysis.Contrast){
		"bound":           func(c *analysis.Contrast) { *c.Difference.Lo += 1e-6 },
		"sign-flip p":     func(c *analysis.Contrast) { *c.PSignFlip += 1e-6 },
		"Holm p":          func(c *analysis.Contrast) { *c.PHolm += 1e-6 },
		"Holm p of CR2":   func(c *analysis.Contrast) { *c.PHolmCR2 += 1e-6 },
		"non-inferiority": func(c *analysis.Contrast) { c.NonInferiority.P += 1e-6 },
	} {
		res := margined()
		wrong(&res.Contrasts[0])
		if out, err := runR(t, r, res, xstestPairs(t)); err == nil {
			t.Errorf("a wrong %s passes:\n%s", what, out)
		}
	}
}

// Two contrasts of one endpoint with the same p: Holm doubles both.
func TestRScriptAdjustsAFamily(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("Rscript is not installed: the R program is not run")
	}
	res, pairs := xstest().Result, xstestPairs(t)
	for i := range 2 {
		again := res.Contrasts[i]
		again.Model = "again"
		res.Contrasts = append(res.Contrasts, again)
	}
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		c.Family = &analysis.Family{Name: c.Endpoint, Size: 2, Tested: 2}
		c.PHolm, c.PHolmCR2 = p(2**c.PSignFlip), p(2**c.P)
	}
	for _, q := range slices.Clone(pairs) {
		q.Model = "again"
		pairs = append(pairs, q)
	}
	out, err := runR(t, r, res, pairs)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Holm over the 2 contrasts of utility", "sign-flip p: 0.00390625 0.00390625", "p of the interval: 7.0811510"} {
		if !strings.Contains(out, want) {
			t.Errorf("the program does not print %q:\n%s", want, out)
		}
	}
	// A p that is withheld keeps its place: the other is still doubled.
	res.Contrasts[2].PHolmCR2, res.Contrasts[2].P = nil, nil
	if out, err := runR(t, r, res, pairs); err != nil {
		t.Errorf("with one withheld: %v\n%s", err, out)
	}
	res.Contrasts[0].PHolm = p(*res.Contrasts[0].PSignFlip)
	if out, err := runR(t, r, res, pairs); err == nil {
		t.Errorf("a p that is not adjusted passes:\n%s", out)
	}
}

// What was planned and has no pairs counts with p = 1.
func TestRScriptAdjustsForWhatWasPlanned(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("Rscript is not installed: the R program is not run")
	}
	res := xstest().Result
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		c.Family = &analysis.Family{Name: c.Endpoint, Size: 1, Planned: 3, Tested: 1}
		c.PHolm, c.PHolmCR2 = p(3**c.PSignFlip), p(min(1, 3**c.P))
	}
	out, err := runR(t, r, res, xstestPairs(t))
	if want := "Holm over the 3 contrasts of utility"; err != nil || !strings.Contains(out, want) {
		t.Errorf("got %v, want %q in\n%s", err, want, out)
	}
}

// margined is the fixture with a margin of .05 on both endpoints. The p of
// utility is clubSandwich's; that of risk is pt((.05 + .01)/se, 7) with its se.
func margined() *analysis.Result {
	res := xstest().Result
	for i, pNI := range []float64{0.99991501157180696, 4.969994286402746e-06} {
		c := &res.Contrasts[i]
		c.NonInferiority = &analysis.NonInferiority{Margin: 0.05, Alpha: 0.025, Better: c.Better, P: pNI}
	}
	return res
}

func runR(t *testing.T, r string, res *analysis.Result, pairs []analysis.Pair) (string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a b")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "pairs.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := PairsCSV(f, slices.Values(pairs), res); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "reproduce.R"), []byte(RScript(res)), 0o644); err != nil {
		t.Fatal(err)
	}
	// Run from elsewhere: the pairs lie beside the program.
	cmd := exec.Command(r, "--vanilla", filepath.Join(dir, "reproduce.R"))
	cmd.Dir = t.TempDir()
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
