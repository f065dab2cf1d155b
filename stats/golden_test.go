package stats

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goldenRows reads a golden file, without its header.
func goldenRows(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// near compares to 1e-9, relative below 1.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*math.Abs(want) || (want == 0 && math.Abs(got) < 1e-15)
}

// joint is the pairs of one golden contrast, rebuilt from counts.
type joint struct {
	differences, condition, reference []float64
	types                             []int
	gain, loss                        int
}

func (j joint) clustered(t testing.TB) *Clustered { return sampleOf(t, j.differences, j.types) }

func (j joint) singletons(t testing.TB) *Clustered {
	each := make([]int, len(j.differences))
	for i := range each {
		each[i] = i
	}
	return sampleOf(t, j.differences, each)
}

// joints is the golden contrasts by "condition-reference,tier".
func joints(t testing.TB) map[string]joint {
	t.Helper()
	score := map[string]float64{"comply": 1, "partial": 0.5, "refuse": 0}
	out, ids := map[string]joint{}, map[string]int{}
	for _, r := range goldenRows(t, "xstest_counts.csv") {
		name := r[0] + "-" + r[1] + "," + r[2]
		j := out[name]
		if _, ok := ids[r[3]]; !ok {
			ids[r[3]] = len(ids)
		}
		for range int(number(t, r[6])) {
			c, h := score[r[4]], score[r[5]]
			j.condition, j.reference = append(j.condition, c), append(j.reference, h)
			j.differences, j.types = append(j.differences, c-h), append(j.types, ids[r[3]])
			if c == 1 && h < 1 {
				j.gain++
			}
			if c < 1 && h == 1 {
				j.loss++
			}
		}
		out[name] = j
	}
	return out
}

// The golden ledger: a test walks every row of a file and fails on a stat that it
// does not know, so that no row goes unread. Only these are not compared: they
// break ties another way than mid-rank.
var notCompared = map[string]string{
	"boot_pairs_bca_lo":           "R boot's BCa counts ties as above",
	"boot_pairs_bca_hi":           "R boot's BCa counts ties as above",
	"boot_type_bca_lo":            "R boot's BCa counts ties as above",
	"boot_type_bca_hi":            "R boot's BCa counts ties as above",
	"bca_lo_strict(R boot)":       "strict",
	"bca_hi_strict(R boot)":       "strict",
	"bca_alpha_lo_strict(R boot)": "strict",
	"bca_alpha_hi_strict(R boot)": "strict",
}

// compared walks the rows of a golden file; value tells what the package says of
// a stat, and how far it may be from want.
func compared(t *testing.T, file string, key, stat, want int, value func(key, stat string) (got, tolerance float64, ok bool)) {
	t.Helper()
	rows, met, left := goldenRows(t, file), 0, 0
	for _, r := range rows {
		k, s := strings.Join(r[:key], ","), r[stat]
		if _, ok := notCompared[s]; ok {
			left++
			continue
		}
		got, tolerance, ok := value(k, s)
		if !ok {
			t.Errorf("%s: %s: no test knows the stat %q", file, k, s)
			continue
		}
		met++
		w := number(t, r[want])
		if math.IsNaN(w) { // R's answer where no pair is discordant
			if strings.HasPrefix(s, "mcnemar_chi2") {
				w = 0
			} else {
				w = 1
			}
		}
		if !(math.Abs(got-w) <= tolerance) && !near(got, w) {
			t.Errorf("%s: %s %s = %v, want %v within %v", file, k, s, got, w, tolerance)
		}
	}
	t.Logf("%s: %d rows met, %d not compared", file, met, left)
	if met+left != len(rows) || met == 0 {
		t.Errorf("%s: %d rows met and %d left out of %d", file, met, left, len(rows))
	}
}

// TestContrasts meets every row of R's clubSandwich, boot and base R.
func TestContrasts(t *testing.T) {
	all, steps := joints(t), exactRows(t)
	figures := map[string]map[string]float64{}
	errs := map[string]float64{} // of R's bootstraps, themselves Monte Carlos of 1e5
	for _, r := range goldenRows(t, "contrasts.csv") {
		if strings.HasSuffix(r[2], "_se") {
			errs[r[0]+","+r[1]+" "+r[2]] = number(t, r[3])
		}
	}
	compared(t, "contrasts.csv", 2, 2, 3, func(key, stat string) (got, tolerance float64, ok bool) {
		j, ok := all[key]
		if !ok {
			t.Fatalf("no pairs for %s", key)
		}
		if figures[key] == nil {
			figures[key] = closedForms(t, j)
			addBootstraps(t, figures[key], j)
		}
		if rest, boot := strings.CutPrefix(stat, "boot_"); boot {
			unit, what, _ := strings.Cut(rest, "_")
			se := errs[key+" boot_"+unit+"_se"]
			tolerance = 4*math.Sqrt2*math.Sqrt(.025*.975/goldenB)/0.058445*se + steps[key+","+unit]["lattice_step"]
			if what == "se" {
				tolerance = 6 / math.Sqrt(goldenB) * se
			}
		}
		stat, _, _ = strings.Cut(stat, "(")
		got, ok = figures[key][stat]
		return got, tolerance, ok
	})
}

func closedForms(t *testing.T, j joint) map[string]float64 {
	c, pairs := j.clustered(t), j.singletons(t)
	byType, err1 := c.Interval(CR2, 0.95)
	byPair, err2 := c.PairsT(0.95)
	crossed, err3 := pairs.Interval(CR1, 0.95)
	ranks, err4 := c.SignedRank()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	if !near(crossed.SE, byPair.SE) || !near(crossed.P, byPair.P) || !near(crossed.Lo, byPair.Lo) {
		t.Errorf("pairs t %+v, CR1 with every pair a cluster %+v: want one interval", byPair, crossed)
	}
	cr0, _ := c.Sandwich(CR0)
	cr1, _ := c.Sandwich(CR1)
	changed := McNemarTest(j.gain, j.loss)
	return map[string]float64{
		"n": float64(c.N()), "G": float64(c.Clusters()), "diff": c.Mean(),
		"mean_safeguarded": sampleOf(t, j.condition, j.types).Mean(),
		"mean_helpful":     sampleOf(t, j.reference, j.types).Mean(),
		"sd_diff":          byPair.SE * math.Sqrt(float64(c.N())), "se_pairs": byPair.SE,
		"pairs_t_lo": byPair.Lo, "pairs_t_hi": byPair.Hi, "pairs_t_p": byPair.P,
		"wilcoxon_p_normal_nocorr": ranks.P,
		"se_CR0":                   cr0, "se_CR1": cr1, "se_CR2": byType.SE, "CR2_df": byType.DF,
		"CR2_lo": byType.Lo, "CR2_hi": byType.Hi, "CR2_p": byType.P,
		"mcnemar_gain": float64(changed.Gain), "mcnemar_loss": float64(changed.Loss), "mcnemar_exact_p": changed.Exact,
		"mcnemar_chi2_cc": changed.Corrected, "mcnemar_p_cc": changed.PCorrected,
		"mcnemar_chi2_nocc": changed.ChiSquare, "mcnemar_p_nocc": changed.P,
	}
}

func addBootstraps(t *testing.T, figures map[string]float64, j joint) {
	for unit, run := range map[string]func(Resample) (Bootstrap, error){"pairs": j.clustered(t).BootPairs, "type": j.clustered(t).BootClusters} {
		b, err := run(Resample{B: goldenB, Seed: 1, Level: 0.95})
		if err != nil {
			t.Fatal(err)
		}
		figures["boot_"+unit+"_se"] = b.Percentile.SE
		figures["boot_"+unit+"_perc_lo"], figures["boot_"+unit+"_perc_hi"] = b.Percentile.Lo, b.Percentile.Hi
	}
}

// unbalanced is the golden subset whose types differ in size.
func unbalanced(t testing.TB) *Clustered {
	t.Helper()
	ids, values, cluster := map[string]int{}, []float64{}, []int{}
	for _, r := range goldenRows(t, "unbalanced_counts.csv") {
		if _, ok := ids[r[0]]; !ok {
			ids[r[0]] = len(ids)
		}
		for range int(number(t, r[2])) {
			values, cluster = append(values, number(t, r[1])), append(cluster, ids[r[0]])
		}
	}
	return sampleOf(t, values, cluster)
}

func TestUnbalanced(t *testing.T) {
	c := unbalanced(t)
	i, err := c.Interval(CR2, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{"n": float64(c.N()), "mean": c.Mean(), "df": i.DF, "lo": i.Lo, "hi": i.Hi}
	for k := CR0; k <= CR3; k++ {
		got["se_"+strings.ToUpper(k.String())], _ = c.Sandwich(k)
	}
	sizes := make([]float64, 0, 10)
	for _, g := range c.Groups() {
		sizes = append(sizes, float64(g.N))
	}
	slices.Sort(sizes)
	if want := []float64{9, 10, 10, 11, 15, 15, 15, 15, 15, 15}; !slices.Equal(sizes, want) {
		t.Errorf("sizes %v, want %v", sizes, want)
	}
	compared(t, "unbalanced.csv", 0, 0, 1, func(_, stat string) (float64, float64, bool) {
		v, ok := got[stat]
		return v, 0, ok
	})
}

// TestNonInferiorityGolden meets clubSandwich's one-sided tests, both ways round.
func TestNonInferiorityGolden(t *testing.T) {
	all := joints(t)
	for _, r := range goldenRows(t, "noninferiority.csv") {
		c, margin := all[r[0]+","+r[1]].clustered(t), number(t, r[2])
		mirrored := sampleOf(t, negated(c.values), clusterOfEach(c))
		at05, err1 := c.NonInferiority(margin, 0.05, HigherIsBetter)
		at025, err2 := c.NonInferiority(margin, 0.025, HigherIsBetter)
		risk, err3 := mirrored.NonInferiority(margin, 0.05, LowerIsBetter)
		tost, err4 := c.Equivalence(margin, 0.05)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"ni_p", at05.P, number(t, r[3])},
			{"ni_p at .025", at025.P, number(t, r[3])},
			{"ni_p of the mirrored", risk.P, number(t, r[3])},
			{"tost_p", tost.P, number(t, r[4])},
			{"lower95_one_sided", at05.Bound, number(t, r[5])},
			{"lower95 of the mirrored", -risk.Bound, number(t, r[5])},
			{"lower95 of the equivalence", tost.Lo, number(t, r[5])},
			{"lower975", at025.Bound, number(t, r[6])},
		} {
			if !near(v.got, v.want) {
				t.Errorf("%s margin %v: %s = %v, want %v", r[0], margin, v.name, v.got, v.want)
			}
		}
	}
}

func negated(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = -v
	}
	return out
}

// clusterOfEach is the cluster id of each value, in the sample's order.
func clusterOfEach(c *Clustered) []int {
	out := make([]int, 0, len(c.values))
	for g, id := range c.ids {
		for range c.start[g+1] - c.start[g] {
			out = append(out, id)
		}
	}
	return out
}

// TestNothingIsLeftOutInVain: what is not compared is there, and for the reason
// given.
func TestNothingIsLeftOutInVain(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range goldenRows(t, "contrasts.csv") {
		seen[r[2]] = true
	}
	for _, r := range goldenRows(t, "bootstrap_exact.csv") {
		seen[r[3]] = true
	}
	for stat, why := range notCompared {
		if !seen[stat] || !strings.Contains(stat, "bca") || why == "strict" && !strings.Contains(stat, "strict") {
			t.Errorf("%q is not compared (%s), but is no such row", stat, why)
		}
	}
}
