package coverage

import (
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elsewhere is what another program (Python, numpy) gave for the same two
// processes at 18, 36 and 108 tasks, in percent.
var elsewhere = []struct {
	method         string
	sparse, varied [3]float64
}{
	{"cr2", [3]float64{92.0, 94.0, 94.8}, [3]float64{94.0, 95.1, 95.2}},
	{"boot_t", [3]float64{93.7, 94.7, 95.2}, [3]float64{95.3, 95.8, 95.4}},
	{"task_percentile", [3]float64{89.2, 92.8, 94.1}, [3]float64{90.2, 92.9, 94.4}},
	{"task_bca", [3]float64{89.7, 92.6, 93.8}, [3]float64{88.1, 91.2, 93.5}},
	{"wild", [3]float64{91.8, 93.8, 94.8}, [3]float64{93.3, 95.0, 95.0}},
	{"pairs_percentile", [3]float64{89.7, 92.1, 92.7}, [3]float64{86.5, 88.3, 89.0}},
}

func TestAgreesWithAnotherProgram(t *testing.T) {
	const points = 1.5
	for _, e := range elsewhere {
		for k, tasks := range []int{18, 36, 108} {
			for _, c := range []struct {
				process string
				want    float64
			}{{"sparse", e.sparse[k]}, {"sparse_varied", e.varied[k]}} {
				r, ok := find(e.method, c.process, tasks)
				if !ok {
					t.Errorf("%s, %s, %d tasks: not measured", e.method, c.process, tasks)
					continue
				}
				if got := 100 * r.Coverage; math.Abs(got-c.want) > points {
					t.Errorf("%s, %s, %d tasks: %.1f %% (standard error %.1f), want %.1f within %v",
						e.method, c.process, tasks, got, 100*r.errorOf(), c.want, points)
				}
			}
		}
	}
}

func find(method, process string, clusters int) (Row, bool) {
	rows := Rows()
	k := slices.IndexFunc(rows, func(r Row) bool {
		return r.Method == method && r.Process == process && r.Clusters == clusters
	})
	if k < 0 {
		return Row{}, false
	}
	return rows[k], true
}

// TestAgreesWithMoreOfTheOtherProgram: testdata/elsewhere.csv holds counts that
// the same Python program gave with a seed of its own, in 10,000 studies of 999
// resamples; those of the bands are of 999 sign vectors a study, at 6 tasks of
// all. It counts a study without an interval as a miss. Its bootstrap-t has
// no floor, which matters at 6 tasks, where it is left out.
func TestAgreesWithMoreOfTheOtherProgram(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(readFile(t, "testdata/elsewhere.csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range records[1:] {
		clusters, err1 := strconv.Atoi(f[1])
		covered, err2 := strconv.ParseFloat(f[3], 64)
		studies, err3 := strconv.ParseFloat(f[4], 64)
		r, ok := find(f[2], f[0], clusters)
		if err := errors.Join(err1, err2, err3); err != nil || !ok {
			t.Fatalf("%v: %v, measured %v", f, err, ok)
		}
		n := float64(r.Simulations + r.Undefined)
		got, want := r.Coverage*float64(r.Simulations)/n, covered/studies
		if off := 4 * math.Sqrt(want*(1-want)*(1/n+1/studies)); math.Abs(got-want) > off {
			t.Errorf("%s, %d tasks, %s: %.4f, want %.4f within %.4f", f[0], clusters, f[2], got, want, off)
		}
	}
}

// TestWhatTheoryKnows: what must hold whatever the simulations say.
func TestWhatTheoryKnows(t *testing.T) {
	for _, r := range Rows() {
		if sum := r.Coverage + r.MissLow + r.MissHigh; math.Abs(sum-1) > 1e-12 {
			t.Errorf("%+v: shares add to %v", r, sum)
		}
		if slices.Contains([]string{"cr2", "boot_t", "task_percentile", "task_bca", "task_expanded", "wild", "sign_flip"}, r.Method) &&
			r.Clusters == 108 && (r.Coverage < 0.925 || r.Coverage > 0.97) {
			t.Errorf("%s of %s covers %.3f at 108 tasks, where all methods by task come near 0.95", r.Method, r.Process, r.Coverage)
		}
	}
	for _, c := range contrasts {
		for _, g := range sizes {
			at := func(method string) float64 {
				r, ok := find(method, c.name, g)
				if !ok {
					t.Fatalf("%s, %s, %d: not measured", method, c.name, g)
				}
				return r.Coverage
			}
			for _, order := range [][]string{{"cr0", "cr1", "cr2", "cr3"}, {"task_percentile", "task_expanded"}, {"pairs_t", "cr2"}} {
				for i, method := range order[1:] {
					if at(method) < at(order[i])-0.005 {
						t.Errorf("%s, %d tasks: %s covers %.3f, less than %s with %.3f", c.name, g, method, at(method), order[i], at(order[i]))
					}
				}
			}
		}
	}
}

// TestProcesses holds a large sample of each process to what the other program
// saw: truth, ICC, standard deviation, share of zeros.
func TestProcesses(t *testing.T) {
	for _, p := range panels {
		between := panelTask * panelTask
		total := between + panelPair*panelPair + panelNoise*panelNoise/float64(p.raters)
		if icc := between / total; math.Abs(icc-p.icc) > 0.0051 {
			t.Errorf("%s: ICC %.3f, want %.2f", p.name, icc, p.icc)
		}
	}
	for _, c := range []struct {
		process               contrast
		truth, icc, sd, zeros float64
	}{
		{contrasts[0], -0.0609, 0.072, 0.188, 0.689},
		{contrasts[1], -0.0587, 0.230, 0.215, 0.676},
		{contrasts[2], -0.0588, 0.234, 0.216, 0.671},
	} {
		t.Run(c.process.name, func(t *testing.T) {
			values, task := c.process.sample(rand.New(rand.NewPCG(1, 2)), 40_000)
			s := clustered(values, task)
			icc, err := s.ICC()
			if err != nil {
				t.Fatal(err)
			}
			zeros, squares := 0.0, 0.0
			for _, v := range values {
				if v == 0 {
					zeros++
				}
				squares += (v - s.Mean()) * (v - s.Mean())
			}
			n := float64(len(values))
			for _, f := range []struct {
				name           string
				got, want, off float64
			}{
				{"exact truth", c.process.truth(), c.truth, 0.0003}, // 3 errors of 3.3 million differences
				{"truth", s.Mean(), c.truth, 0.004},
				{"icc", icc, c.icc, 0.015},
				{"icc in the table", c.process.icc, c.icc, 0.011},
				{"standard deviation", math.Sqrt(squares / n), c.sd, 0.003},
				{"zeros", zeros / n, c.zeros, 0.006},
				{"pairs a task", n / 40_000, c.process.pairs, 0.02 * c.process.pairs},
			} {
				if math.Abs(f.got-f.want) > f.off {
					t.Errorf("%s: %.4f, want %.4f within %v", f.name, f.got, f.want, f.off)
				}
			}
		})
	}
}
