package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// headline is the published risk difference: 49 pairs in 18 tasks.
var headline = Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18}

// two prints a power with two decimals, 1 for what rounds to it.
func two(p float64) string {
	if s := strings.TrimPrefix(fmt.Sprintf("%.2f", p), "0"); s != "1.00" {
		return s
	}
	return "1"
}

func design(t *testing.T, tasks int, pairs, sd, icc float64) Design {
	t.Helper()
	d := Design{Tasks: tasks, PairsPerTask: pairs, SD: sd, ICC: icc}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

// row is the power over ICCs 0, .1, .25, .5, as the tables print it.
func row(t *testing.T, tasks int, pairs, sd, delta float64) string {
	t.Helper()
	var out []string
	for _, icc := range []float64{0, 0.1, 0.25, 0.5} {
		p, err := design(t, tasks, pairs, sd, icc).Power(delta)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, two(p))
	}
	return strings.Join(out, "/")
}

// The tables were made once with scipy's nct.
func TestPowerTable(t *testing.T) {
	for _, c := range []struct {
		tasks int
		pairs float64
		want  string
	}{
		{18, 2.72, ".59/.53/.45/.36"}, {18, 5, ".84/.71/.56/.41"}, {18, 10, ".99/.86/.65/.44"},
		{36, 2.72, ".89/.84/.76/.65"}, {36, 5, ".99/.96/.87/.71"}, {36, 10, "1/.99/.93/.74"},
		{54, 2.72, ".98/.96/.91/.83"}, {54, 5, "1/1/.97/.87"}, {54, 10, "1/1/.99/.90"},
		{6, 8, ".46/.30/.21/.14"},
	} {
		if got := row(t, c.tasks, c.pairs, headline.SD(), headline.Value); got != c.want {
			t.Errorf("%d tasks with %v pairs: got %s, want %s", c.tasks, c.pairs, got, c.want)
		}
	}
}

func TestPublished(t *testing.T) {
	// (.117-.011)/(2*1.959963984540054) and that times 7
	if got, want := headline.SE(), 0.027041313217006663; math.Abs(got-want) > 1e-15 {
		t.Errorf("SE %v, want %v", got, want)
	}
	if got, want := headline.SD(), 0.18928919251904663; math.Abs(got-want) > 1e-15 {
		t.Errorf("SD %v, want %v", got, want)
	}
	// scipy: 2*t.sf(abs(v)/se/sqrt(1+(49/18-1)*icc), 17)
	for _, c := range []struct{ icc, want float64 }{
		{0, 0.032399170695273746}, {0.1, 0.04607546108425971}, {0.2, 0.060657403568459015}, {0.3, 0.07568351057679663},
	} {
		if got, err := headline.P(c.icc); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("p at ICC %v: got %v (%v), want %v", c.icc, got, err, c.want)
		}
	}
}

func TestTasksFor(t *testing.T) {
	for i, icc := range []float64{0, 0.1, 0.25, 0.5} {
		want := []int{28, 33, 40, 51}[i]
		d := Design{PairsPerTask: 2.72, SD: 0.189, ICC: icc}
		got, err := d.TasksFor(-0.063, 0.8)
		if err != nil || got != want {
			t.Errorf("ICC %v: got %d tasks (%v), want %d", icc, got, err, want)
		}
		for _, g := range []int{got - 1, got} { // smallest: one less falls short
			p, _ := design(t, g, 2.72, 0.189, icc).Power(-0.063)
			if (p >= 0.8) != (g == got) {
				t.Errorf("ICC %v: %d tasks have power %v", icc, g, p)
			}
		}
	}
	// The interval's own SD is .1893, not .189: 28 tasks then reach .7995.
	d := Design{PairsPerTask: 2.72, SD: headline.SD()}
	if got, err := d.TasksFor(-0.063, 0.8); err != nil || got != 29 {
		t.Errorf("with the unrounded SD: got %d (%v), want 29", got, err)
	}
}

func TestNonInferiorityPower(t *testing.T) {
	for i, icc := range []float64{0, 0.1, 0.25} {
		want := []int{68, 80, 97}[i]
		d := Design{PairsPerTask: 2.72, SD: 0.239, ICC: icc}
		if got, err := d.TasksForNonInferiority(0.05, 0, 0.8); err != nil || got != want {
			t.Errorf("ICC %v: got %d tasks (%v), want %d", icc, got, err, want)
		}
	}
	// Six tasks, eight pairs: scipy nct.sf(t.ppf(.975,5), 5, .05/se)
	for i, icc := range []float64{0, 0.1, 0.25, 0.5} {
		want := []float64{0.219, 0.147, 0.107, 0.081}[i]
		got, err := design(t, 6, 8, 0.239, icc).NonInferiority(0.05, 0)
		if err != nil || math.Abs(got-want) > 5e-4 {
			t.Errorf("ICC %v: got %v (%v), want %v", icc, got, err, want)
		}
	}
	// At the margin itself, whichever way it is reached, the power is the test's level.
	for _, c := range []struct{ margin, gain float64 }{{0.05, -0.05}, {0.2, -0.2}} {
		if got, err := design(t, 12, 4, 0.2, 0.1).NonInferiority(c.margin, c.gain); err != nil || math.Abs(got-0.025) > 1e-12 {
			t.Errorf("margin %v, gain %v: got %v (%v), want .025", c.margin, c.gain, got, err)
		}
	}
	if _, err := (Design{PairsPerTask: 2, SD: 1}).TasksForNonInferiority(0.05, -0.05, 0.8); err == nil || !strings.Contains(err.Error(), "truly worse by 0.05") {
		t.Errorf("a truth at the margin: got %v", err)
	}
}

// A second rater saves 5 to 25 % of the tasks while rating noise is a fifth to
// a half of the pair variance.
func TestSecondRater(t *testing.T) {
	for _, noise := range []float64{0.2, 0.5} {
		for _, icc := range []float64{0, 0.1, 0.25, 0.5} {
			one := Design{PairsPerTask: 2.72, SD: 0.189, ICC: icc, Raters: Raters{Noise: noise}}
			two := one
			two.Raters.Each = 2
			a, err := one.TasksFor(0.063, 0.8)
			b, err2 := two.TasksFor(0.063, 0.8)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if saved := 1 - float64(b)/float64(a); saved < 0.05 || saved > 0.25 {
				t.Errorf("noise %v, ICC %v: a second rater takes %d tasks to %d, %.0f %%", noise, icc, a, b, 100*saved)
			}
		}
	}
	// By hand: SD 1, ICC .2, noise .4, 4 pairs, 10 tasks, two raters on half of the rows:
	// noise left .75*.4 = .3, so within .7, and SE^2 = (.2 + .7/4)/10.
	d := Design{Tasks: 10, PairsPerTask: 4, SD: 1, ICC: 0.2, Raters: Raters{Noise: 0.4, Double: 0.5}}
	if se, err := d.SE(); err != nil || math.Abs(se-math.Sqrt(0.0375)) > 1e-15 {
		t.Errorf("SE %v (%v), want %v", se, err, math.Sqrt(0.0375))
	}
	if got := d.Raters.PerResponse(); got != 1.5 {
		t.Errorf("ratings a response: got %v, want 1.5", got)
	}
}

func TestSignFlipFloor(t *testing.T) {
	for tasks, want := range map[int]float64{-1: 1, 0: 1, 1: 1, 2: 0.5, 6: 0.03125, 18: 1.0 / 131072} {
		if got := SignFlipFloor(tasks); got != want {
			t.Errorf("%d tasks: got %v, want %v", tasks, got, want)
		}
	}
	for k, want := range map[int]int{1: 6, 2: 7, 4: 8} { // 2^-5 <= .05; 2^-6 <= .025; 2^-7 <= .0125
		if got, err := SignFlipTasks(k, 0.05); err != nil || got != want {
			t.Errorf("family of %d: got %d (%v), want %d", k, got, err, want)
		}
	}
	for tasks, alpha := range map[int]float64{6: 1.0 / 32, 7: 1.0 / 33} { // at 2^-5 itself 6 do
		if got, err := SignFlipTasks(1, alpha); err != nil || got != tasks {
			t.Errorf("alpha %v: got %d (%v), want %d", alpha, got, err, tasks)
		}
	}
	if _, err := SignFlipTasks(0, 0.05); err == nil {
		t.Error("a family of none has an answer")
	}
}

// The ends of what is looked for: 2^30 tasks, and a power at the level of the test.
func TestTasksEnds(t *testing.T) {
	from := func(n int) func(int) float64 {
		return func(tasks int) float64 {
			if tasks >= n {
				return 1
			}
			return 0
		}
	}
	if got, err := fewest(0.5, from(1<<30)); err != nil || got != 1<<30 {
		t.Errorf("2^30 tasks: got %d (%v)", got, err)
	}
	if got, err := fewest(0.5, from(1<<30+1)); err == nil {
		t.Errorf("more than 2^30 tasks: got %d, want an error", got)
	}
	d := Design{PairsPerTask: 2.72, SD: 0.239}
	if _, err := d.TasksForNonInferiority(0.05, 0, 0.03); err != nil {
		t.Errorf("a power of .03 of the one-sided test at .025: %v", err)
	}
	if _, err := d.TasksForNonInferiority(0.05, 0, 0.025); err == nil {
		t.Error("a power of the one-sided level itself has an answer")
	}
}

func TestDetectable(t *testing.T) {
	d := design(t, 18, 2.72, 0.189, 0.1)
	got, err := d.Detectable(0.8)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := d.Power(got); math.Abs(p-0.8) > 1e-9 {
		t.Errorf("at the detectable difference %v the power is %v, want .8", got, p)
	}
	if math.Abs(got-0.08693351127379838) > 1e-12 { // scipy: brentq over nct
		t.Errorf("got %v, want 0.08693351127379838", got)
	}
	if _, err := d.Detectable(0.05); err == nil {
		t.Error("a power of the level itself has an answer")
	}
}

// A second algorithm: tasks and pairs are drawn, and each sample is tested by
// the t test of its task means.
func TestPowerByMonteCarlo(t *testing.T) {
	const draws = 20_000
	for _, c := range []struct {
		tasks, pairs int
		icc, noise   float64
		raters       int
	}{{6, 8, 0.25, 0, 1}, {18, 5, 0.1, 0, 1}, {18, 3, 0, 0.4, 2}} {
		d := Design{Tasks: c.tasks, PairsPerTask: float64(c.pairs), SD: 0.19, ICC: c.icc, Raters: Raters{Each: c.raters, Noise: c.noise}}
		want, err := d.Power(0.063)
		if err != nil {
			t.Fatal(err)
		}
		want2, err := d.NonInferiority(0.1, -0.02)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, uint64(c.tasks)))
		critical := -TQuantile(0.025, float64(c.tasks-1))
		found, shown := 0, 0
		for range draws {
			mean, se := drawTasks(rng, c.tasks, c.pairs, c.raters, 0.19*0.19, c.icc, c.noise)
			if math.Abs(mean+0.063) > critical*se {
				found++
			}
			if mean-0.02+0.1 > critical*se {
				shown++
			}
		}
		for name, x := range map[string]struct{ got, want float64 }{"power": {float64(found) / draws, want}, "non-inferiority": {float64(shown) / draws, want2}} {
			if tolerance := 4 * math.Sqrt(x.want*(1-x.want)/draws); math.Abs(x.got-x.want) > tolerance {
				t.Errorf("%v: %s: drawn %v, computed %v (tolerance %.4f)", c, name, x.got, x.want, tolerance)
			}
		}
	}
}

// drawTasks draws one sample around 0 and returns its mean and the standard
// error from its task means.
func drawTasks(rng *rand.Rand, tasks, pairs, raters int, variance, icc, noise float64) (mean, se float64) {
	sum, squares := 0.0, 0.0
	for range tasks {
		m := 0.0
		for range pairs {
			m += rng.NormFloat64() * math.Sqrt(variance*(1-icc-noise))
			for range raters {
				m += rng.NormFloat64() * math.Sqrt(variance*noise) / float64(raters)
			}
		}
		m = m/float64(pairs) + rng.NormFloat64()*math.Sqrt(variance*icc)
		sum, squares = sum+m, squares+m*m
	}
	g := float64(tasks)
	mean = sum / g
	return mean, math.Sqrt((squares - g*mean*mean) / (g - 1) / g)
}

func TestPowerProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Design{
			Tasks: rapid.IntRange(2, 200).Draw(t, "tasks"), PairsPerTask: rapid.Float64Range(1, 40).Draw(t, "pairs"),
			SD: rapid.Float64Range(0.01, 3).Draw(t, "sd"), ICC: rapid.Float64Range(0, 0.95).Draw(t, "icc"),
		}
		d.Raters = Raters{Each: rapid.IntRange(0, 3).Draw(t, "raters"), Noise: rapid.Float64Range(0, 1-d.ICC).Draw(t, "noise")}
		delta := rapid.Float64Range(0.001, 3).Draw(t, "delta")
		p, err := d.Power(delta)
		if err != nil || !(p >= 0.05-1e-12 && p <= 1) {
			t.Fatalf("power %v (%v)", p, err)
		}
		if q, _ := d.Power(-delta); q != p {
			t.Fatalf("%v one way and %v the other", p, q)
		}
		scaled := d
		scaled.SD *= 8
		if q, _ := scaled.Power(8 * delta); math.Abs(q-p) > 1e-12 {
			t.Fatalf("%v, and %v in another unit", p, q)
		}
		for name, better := range map[string]func(*Design){
			"tasks": func(d *Design) { d.Tasks++ }, "pairs": func(d *Design) { d.PairsPerTask++ },
			"raters": func(d *Design) { d.Raters.Each = max(1, d.Raters.Each) + 1 }, "double": func(d *Design) { d.Raters.Double = 0.5 },
		} {
			e := d
			better(&e)
			if q, err := e.Power(delta); err != nil || q < p-1e-12 {
				t.Fatalf("more %s lower the power from %v to %v (%v)", name, p, q, err)
			}
		}
		if p > 0.06 && p < 1-1e-9 {
			if back, err := d.Detectable(p); err != nil || math.Abs(back/delta-1) > 1e-6 {
				t.Fatalf("power %v of %v gives %v back (%v)", p, delta, back, err)
			}
			if g, err := d.TasksFor(delta, p-1e-12); err != nil || g > d.Tasks {
				t.Fatalf("%d tasks have the power for which %d are asked (%v)", d.Tasks, g, err)
			}
		}
	})
}

// Equal task sizes: the test whose power this is is that of the CR2 interval.
func TestDesignIsCR2OfEqualClusters(t *testing.T) {
	values := []float64{0.5, -0.25, 0, 0.25, 0.75, 0.5, -0.5, 0, 0.25, 0, 0, 0.5}
	tasks := []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}
	c, err := NewClustered(values, tasks)
	if err != nil {
		t.Fatal(err)
	}
	se, df := c.Sandwich(CR2)
	means := []float64{0.25 / 3, 1.5 / 3, -0.25 / 3, 0.5 / 3}
	sum, squares := 0.0, 0.0
	for _, m := range means {
		sum, squares = sum+m, squares+m*m
	}
	if want := math.Sqrt((squares - sum*sum/4) / 3 / 4); math.Abs(se-want) > 1e-15 || df != 3 {
		t.Errorf("CR2 is %v on %v df, the task means give %v on 3", se, df, want)
	}
}
