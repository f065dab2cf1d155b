package stats

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
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

// TestContrasts meets every closed-form row of R's clubSandwich and base R.
func TestContrasts(t *testing.T) {
	all, met := joints(t), 0
	for _, r := range goldenRows(t, "contrasts.csv") {
		j, ok := all[r[0]+","+r[1]]
		if !ok {
			t.Fatalf("no pairs for %s", r[0])
		}
		stat, _, _ := strings.Cut(r[2], "(")
		got, ok := closedForms(t, j)[stat]
		if !ok {
			continue
		}
		met++
		if want := number(t, r[3]); !near(got, want) {
			t.Errorf("%s %s %s = %v, want %v", r[0], r[1], stat, got, want)
		}
	}
	if met != 6*20 {
		t.Errorf("%d rows compared, want 120", met)
	}
}

func closedForms(t *testing.T, j joint) map[string]float64 {
	c, pairs := j.clustered(t), j.singletons(t)
	byType, err := c.Interval(CR2, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	byPair, err := pairs.Interval(CR1, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	cr0, _ := c.Sandwich(CR0)
	cr1, _ := c.Sandwich(CR1)
	return map[string]float64{
		"n": float64(c.N()), "G": float64(c.Clusters()), "diff": c.Mean(),
		"mean_safeguarded": sampleOf(t, j.condition, j.types).Mean(),
		"mean_helpful":     sampleOf(t, j.reference, j.types).Mean(),
		"sd_diff":          byPair.SE * math.Sqrt(float64(c.N())), "se_pairs": byPair.SE,
		"pairs_t_lo": byPair.Lo, "pairs_t_hi": byPair.Hi, "pairs_t_p": byPair.P,
		"se_CR0": cr0, "se_CR1": cr1, "se_CR2": byType.SE, "CR2_df": byType.DF,
		"CR2_lo": byType.Lo, "CR2_hi": byType.Hi, "CR2_p": byType.P,
		"mcnemar_gain": float64(j.gain), "mcnemar_loss": float64(j.loss),
		"mcnemar_exact_p": McNemar(j.gain, j.loss),
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
	for _, r := range goldenRows(t, "unbalanced.csv") {
		if want := number(t, r[1]); !near(got[r[0]], want) {
			t.Errorf("%s = %v, want %v", r[0], got[r[0]], want)
		}
	}
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

// exactRows is bootstrap_exact.csv by "contrast,prompts,unit" and stat.
func exactRows(t testing.TB) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, r := range goldenRows(t, "bootstrap_exact.csv") {
		key := strings.Join(r[:3], ",")
		if out[key] == nil {
			out[key] = map[string]float64{}
		}
		out[key][r[3]] = number(t, r[4])
	}
	return out
}

func TestSignFlipGolden(t *testing.T) {
	all := joints(t)
	for key, want := range exactRows(t) {
		contrast, unit := key[:strings.LastIndex(key, ",")], key[strings.LastIndex(key, ",")+1:]
		c := all[contrast].clustered(t)
		flip := c.SignFlipClusters
		if unit == "pairs" {
			flip = c.SignFlipPairs
		}
		got, err := flip(1)
		if err != nil || !got.Exact || !near(got.P, want["signflip_exact_p"]) {
			t.Errorf("%s: %+v, %v, want exactly %v", key, got, err, want["signflip_exact_p"])
		}
	}
}

// TestBootstrapGolden compares B = 1e5 resamples, by index and by counts, with
// the exact distribution; the tolerance is four Monte Carlo standard errors of
// the percentile plus one step of the lattice.
func TestBootstrapGolden(t *testing.T) {
	all := joints(t)
	for key, want := range exactRows(t) {
		contrast, unit := key[:strings.LastIndex(key, ",")], key[strings.LastIndex(key, ",")+1:]
		c := all[contrast].clustered(t)
		units := c.tuples()
		if unit == "pairs" {
			units = c.singletons()
		}
		for path, draw := range map[string]func(Resample) []float64{"index": units.meansByIndex, "count": units.meansByCount} {
			t.Run(key+"/"+path, func(t *testing.T) { meetExact(t, units, draw, want) })
		}
	}
}

const goldenB = 100_000

func meetExact(t *testing.T, units tuples, draw func(Resample) []float64, want map[string]float64) {
	r := Resample{B: goldenB, Seed: 20260713, Level: 0.95}
	mean, size := units.mean()
	acc, _ := units.acceleration(mean, size)
	if !near(acc, want["acc"]) {
		t.Errorf("acceleration %v, want %v", acc, want["acc"])
	}
	means := draw(r)
	b := intervals(units, r, means, mean, acc)
	sd := want["boot_sd_exact"]
	tolerance := 4*math.Sqrt(.025*.975/goldenB)/0.058445*sd + want["lattice_step"] + 1e-12
	for name, got := range map[string]float64{"perc_lo": b.Percentile.Lo, "perc_hi": b.Percentile.Hi,
		"bca_lo_mid(scipy)": b.BCa.Lo, "bca_hi_mid(scipy)": b.BCa.Hi} {
		if math.Abs(got-want[name]) > tolerance {
			t.Errorf("%s = %v, want %v within %v", name, got, want[name], tolerance)
		}
	}
	if math.Abs(b.Percentile.SE/sd-1) > 4/math.Sqrt(goldenB) {
		t.Errorf("se = %v, want %v", b.Percentile.SE, sd)
	}
	below, tied := 0, 0
	for _, m := range means {
		if m < mean {
			below++
		} else if m == mean {
			tied++
		}
	}
	for name, k := range map[string]int{"P(T*<t)": below, "P(T*=t)": tied} {
		p := want[name]
		if got := float64(k) / goldenB; math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/goldenB) {
			t.Errorf("%s = %v, want %v", name, got, p)
		}
	}
}

// TestBootstrapR compares with R's boot, itself a Monte Carlo of 1e5.
func TestBootstrapR(t *testing.T) {
	want := map[string]map[string]float64{}
	for _, r := range goldenRows(t, "contrasts.csv") {
		key := r[0] + "," + r[1]
		if want[key] == nil {
			want[key] = map[string]float64{}
		}
		if strings.HasPrefix(r[2], "boot_") {
			want[key][r[2]] = number(t, r[3])
		}
	}
	exact := exactRows(t)
	for key, j := range joints(t) {
		for unit, run := range map[string]func(Resample) (Bootstrap, error){
			"pairs": j.clustered(t).BootPairs, "type": j.clustered(t).BootClusters} {
			b, err := run(Resample{B: goldenB, Seed: 1, Level: 0.95})
			if err != nil {
				t.Fatal(err)
			}
			got := b.Percentile
			se := want[key]["boot_"+unit+"_se"]
			step := exact[key+","+unit]["lattice_step"]
			tolerance := 4*math.Sqrt2*math.Sqrt(.025*.975/goldenB)/0.058445*se + step
			lo, hi := want[key]["boot_"+unit+"_perc_lo"], want[key]["boot_"+unit+"_perc_hi"]
			if math.Abs(got.Lo-lo) > tolerance || math.Abs(got.Hi-hi) > tolerance || math.Abs(got.SE/se-1) > 6/math.Sqrt(goldenB) {
				t.Errorf("%s by %s: %v, want [%v, %v] se %v", key, unit, fmt.Sprintf("%+v", got), lo, hi, se)
			}
		}
	}
}
