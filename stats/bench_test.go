package stats

import (
	"math"
	"testing"
)

// quarters stands for paired differences of ratings: steps of a quarter, most of
// them 0.
func quarters(n int) (values []float64, cluster []int) {
	s := newStream(49, uint64(n))
	levels := []float64{0, 0, 0, 0, 0, 0, -0.25, -0.25, -0.5, 0.25}
	d := newDie(len(levels))
	for i := range n {
		a, _ := d.pair(&s)
		values, cluster = append(values, levels[a]), append(cluster, i)
	}
	return values, cluster
}

func sampleOf(tb testing.TB, values []float64, cluster []int) *Clustered {
	tb.Helper()
	c, err := NewClustered(values, cluster)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func benchIntervals(b *testing.B, t tuples, draw func(Resample) []float64) {
	b.Helper()
	mean, size := t.mean()
	acc, _ := t.acceleration(mean, size)
	r := Resample{B: 100_000, Seed: 1, Level: 0.95}
	for b.Loop() {
		intervals(t, r, draw(r), mean, acc)
	}
}

func BenchmarkPairsByIndex49(b *testing.B) {
	t := singletonsOf(b, 49)
	benchIntervals(b, t, t.meansByIndex)
}

func BenchmarkPairsByIndex5000(b *testing.B) {
	t := singletonsOf(b, 5000)
	benchIntervals(b, t, t.meansByIndex)
}

func BenchmarkPairsByCount5000(b *testing.B) {
	t := singletonsOf(b, 5000)
	benchIntervals(b, t, t.meansByCount)
}

func singletonsOf(b *testing.B, n int) tuples {
	values, cluster := quarters(n)
	return sampleOf(b, values, cluster).singletons()
}

// tasks10000 has clusters of one to four pairs.
func tasks10000(tb testing.TB) *Clustered {
	values, cluster := quarters(25_000)
	s, d, g, left := newStream(7, 0), newDie(4), 0, 1
	for i := range cluster {
		if left == 0 {
			a, _ := d.pair(&s)
			g, left = g+1, 1+int(a)
		}
		cluster[i], left = g, left-1
	}
	return sampleOf(tb, values, cluster)
}

func BenchmarkBootTByCount10000(b *testing.B) {
	t := tasks10000(b).tuples()
	for b.Loop() {
		t.studentizedByCount(Resample{B: 100_000, Seed: 1, Level: 0.95}, 1e-9)
	}
	b.ReportMetric(float64(len(t.rows)), "tuples")
}

func BenchmarkBootTByIndex10000(b *testing.B) {
	t := tasks10000(b).tuples()
	for b.Loop() {
		t.studentizedByIndex(Resample{B: 100_000, Seed: 1, Level: 0.95}, 1e-9)
	}
}

func BenchmarkSignFlip200(b *testing.B) {
	s, values, cluster := newStream(3, 0), []float64{}, []int{}
	d := newDie(25)
	for i := range 2000 {
		a, _ := d.pair(&s)
		values, cluster = append(values, (float64(a)-13)/12), append(cluster, i%200)
	}
	c := sampleOf(b, values, cluster)
	for b.Loop() {
		t, err := c.SignFlipClusters(1)
		if err != nil || !t.Exact || math.IsNaN(t.P) {
			b.Fatal(t, err)
		}
	}
}

// BenchmarkMillion is one contrast of a large study: 1,000,000 pairs of 10,000
// tasks, with every figure that an analysis prints.
func BenchmarkMillion(b *testing.B) {
	values, cluster := quarters(1_000_000)
	for i := range cluster {
		cluster[i] %= 10_000
	}
	c := sampleOf(b, values, cluster)
	r := Resample{B: 10_000, Seed: 1, Level: 0.95}
	for name, run := range map[string]func(){
		"new":               func() { sampleOf(b, values, cluster) },
		"cr2":               func() { _, _ = c.Interval(CR2, 0.95) },
		"sign flip":         func() { _, _ = c.SignFlipClusters(1) },
		"sign flip, pairs":  func() { _, _ = c.SignFlipPairs(1) },
		"bootstrap-t":       func() { _, _ = c.BootT(r) },
		"cluster bootstrap": func() { _, _ = c.BootClusters(r) },
		"pairs bootstrap":   func() { _, _ = c.BootPairs(r) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
