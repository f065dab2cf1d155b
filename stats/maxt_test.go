package stats

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// threeContrasts is the golden family; unequal leaves out pairs and types, so
// that the samples share only some of their clusters.
func threeContrasts(t testing.TB, unequal bool) []*Clustered {
	all := joints(t)
	var out []*Clustered
	for k, name := range []string{"llama2orig-llama2new", "gpt4-llama2new", "gpt4-llama2orig"} {
		j := all[name+",benign"]
		var values []float64
		var cluster []int
		for i, v := range j.differences {
			full, id := j.condition[i] != 0.5, j.types[i]
			if !unequal || []bool{full, id >= 3, full && id < 8}[k] {
				values, cluster = append(values, v), append(cluster, id)
			}
		}
		out = append(out, sampleOf(t, values, cluster))
	}
	return out
}

// TestMaxTByEnumeration meets numpy, which visits all 2^10 sign vectors.
func TestMaxTByEnumeration(t *testing.T) {
	for name, v := range map[string]struct {
		unequal         bool
		level           float64
		t, p            []float64
		critical, bands float64
		reach           []float64 // share of vectors whose band reaches |T|
	}{
		"golden": {false, 0.95, []float64{-7.540186961259333, 1.8774802272265003, 4.857941550487133},
			[]float64{0.001953125, 0.09375, 0.001953125}, 2.768648641121182, 2.7512203288399126, []float64{0, 0.2265625, 0}},
		"some clusters shared": {true, 0.9, []float64{-5.980598097479875, 1.5879537182930046, 4.702648474677332},
			[]float64{0.001953125, 0.171875, 0.015625}, 2.477656917873593, 2.6718567561165067, []float64{0, 0.31640625, 0}},
	} {
		family := threeContrasts(t, v.unequal)
		got, err := MaxT(family, v.level, 1)
		if err != nil || !got.Exact || got.Draws != 0 || !near(got.Critical, v.critical) {
			t.Errorf("%s: %+v, %v, want the critical value %v", name, got, err, v.critical)
		}
		bands, crit, err := Bands(family, v.level, 1)
		if err != nil || !crit.Exact || !near(crit.Value, v.bands) {
			t.Fatalf("%s: %+v, %v, want bands of %v", name, crit, err, v.bands)
		}
		for j, b := range bands {
			if !near(got.T[j], v.t[j]) || got.P[j] != v.p[j] {
				t.Errorf("%s, contrast %d: t %v p %v, want %v %v", name, j, got.T[j], got.P[j], v.t[j], v.p[j])
			}
			p := (1 + v.reach[j]*512) / 513 // of the vectors, half stand for all
			if !near(b.P, p) || !near((b.Hi-b.Lo)/2/b.SE, v.bands) || !near(b.Value/b.SE, v.t[j]) {
				t.Errorf("%s, band %d: %+v, want p %v", name, j, b, p)
			}
		}
	}
}

// TestTestsTurnSumsBandsTurnResiduals: with a mean far from 0 the two critical
// values differ, and must not be mixed up.
func TestTestsTurnSumsBandsTurnResiduals(t *testing.T) {
	c := sampleOf(t, []float64{1, 1, 1.5, 2, 0.5, 0.75, 1.25, 3}, indices(8))
	test, err := MaxT([]*Clustered{c}, 0.9, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, band, err := Bands([]*Clustered{c}, 0.9, 1)
	if err != nil || near(test.Critical, band.Value) {
		t.Errorf("critical value %v of the test, %v of the band, %v: want two", test.Critical, band.Value, err)
	}
}

// TestMaxTAlone: for one contrast of clusters of one size it is the sign-flip p.
func TestMaxTAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		var values []float64
		for range n {
			values = append(values, float64(rapid.IntRange(-4, 4).Draw(t, "k"))/4)
		}
		c := mustSample(t, values, indices(n))
		flip, err := c.SignFlipClusters(1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := MaxT([]*Clustered{c}, 0.8, 1)
		if err != nil {
			return
		}
		if !close9(got.P[0], flip.P) || !got.Exact {
			t.Fatalf("%v: %+v, want p %v", values, got, flip.P)
		}
	})
}

// TestMaxTFamilies: the order of a family is only that of its results, a turned
// member changes nothing but a sign, p never falls below the member's own, and
// step-down never exceeds the single-step p.
func TestMaxTFamilies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var family, moved []*Clustered
		for range rapid.IntRange(1, 5).Draw(t, "members") {
			values, cluster := drawSample(t)
			family = append(family, mustSample(t, values, cluster))
		}
		got, err := MaxT(family, 0.9, 1)
		if err != nil {
			return
		}
		order := rapid.Permutation(indices(len(family))).Draw(t, "order")
		for k, j := range order {
			c := family[j]
			if k == 0 {
				c = mustSample(t, negated(c.values), clusterOfEach(c))
			}
			moved = append(moved, c)
		}
		again, err := MaxT(moved, 0.9, 2)
		if err != nil || !close9(again.Critical, got.Critical) {
			t.Fatalf("critical value %v, reordered %v, %v", got.Critical, again.Critical, err)
		}
		for k, j := range order {
			if !close9(math.Abs(again.T[k]), math.Abs(got.T[j])) || !close9(again.P[k], got.P[j]) {
				t.Fatalf("contrast %d: t %v p %v, reordered %v %v", j, got.T[j], got.P[j], again.T[k], again.P[k])
			}
			alone, err := MaxT(family[j:j+1], 0.9, 1)
			if err == nil && got.P[j] < alone.P[0]-1e-12 {
				t.Fatalf("contrast %d: adjusted p %v below its own %v", j, got.P[j], alone.P[0])
			}
			if got.P[j] < 1e-12 || got.P[j] > 1 {
				t.Fatalf("p %v", got.P[j])
			}
			if math.Abs(got.T[j]) > got.Critical*(1+1e-9) && got.P[j] > 0.1+1e-9 {
				t.Fatalf("|t| %v above the critical value %v, yet p %v", got.T[j], got.Critical, got.P[j])
			}
		}
	})
}

// stepDownByDefinition turns the values of every cluster id, in all samples at
// once, studentizes by Sandwich, and steps down as Westfall & Young write it.
func stepDownByDefinition(t testing.TB, family []*Clustered) []float64 {
	ratios := func(signs int) (out []float64) {
		for _, c := range family {
			values, of := slices.Clone(c.values), clusterOfEach(c)
			for i := range values {
				if signs>>of[i]&1 == 1 {
					values[i] = -values[i]
				}
			}
			turned := sampleOf(t, values, of)
			se, _ := turned.Sandwich(CR1)
			switch {
			case turned.Mean() == 0:
				out = append(out, 0)
			case se == 0:
				out = append(out, math.Inf(1))
			default:
				out = append(out, math.Abs(turned.Mean())/se)
			}
		}
		return out
	}
	observed, counts := ratios(0), make([]float64, len(family))
	order := indices(len(family))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(observed[b], observed[a]) })
	const ids = 6
	for signs := range 1 << ids {
		r := ratios(signs)
		for rank, j := range order {
			most := 0.0
			for _, k := range order[rank:] {
				most = max(most, r[k])
			}
			if most >= observed[j]*(1-1e-9) {
				counts[j]++
			}
		}
	}
	least := 0.0
	for _, j := range order {
		least = max(least, counts[j]/(1<<ids))
		counts[j] = least
	}
	return counts
}

func TestStepDownByDefinition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var family []*Clustered
		for range rapid.IntRange(2, 4).Draw(r, "members") {
			var values []float64
			var cluster []int
			for range rapid.IntRange(3, 12).Draw(r, "n") {
				values = append(values, float64(rapid.IntRange(-4, 6).Draw(r, "k"))/4)
				cluster = append(cluster, rapid.IntRange(0, 5).Draw(r, "cluster"))
			}
			family = append(family, mustSample(r, values, cluster))
		}
		got, err := MaxT(family, 0.5, 1)
		if err != nil {
			return
		}
		for j, want := range stepDownByDefinition(t, family) {
			if !got.Exact || !close9(got.P[j], want) {
				r.Fatalf("contrast %d: %+v, want p %v", j, got, want)
			}
		}
	})
}

// TestMaxTMonteCarlo: above the enumeration's reach the draws meet the exact
// sign-flip p of a single contrast, and the critical value that of t.
func TestMaxTMonteCarlo(t *testing.T) {
	values, cluster := quarters(400)
	c := sampleOf(t, values, cluster)
	flip, err := c.SignFlipClusters(1)
	if err != nil || !flip.Exact {
		t.Fatal(flip, err)
	}
	got, err := MaxT([]*Clustered{c}, 0.95, 1)
	if err != nil || got.Exact || got.Draws != signFlipDraws || !strings.HasPrefix(got.Method, "Monte Carlo") {
		t.Fatalf("%+v, %v, want a Monte Carlo", got, err)
	}
	if slack := 4*math.Sqrt(flip.P/signFlipDraws) + 1.0/signFlipDraws; math.Abs(got.P[0]-flip.P) > slack {
		t.Errorf("p %v, want %v within %v", got.P[0], flip.P, slack)
	}
	if math.Abs(got.Critical-1.966) > 0.05 {
		t.Errorf("critical value %v, want about 1.966", got.Critical)
	}
	two, err := MaxT([]*Clustered{c, c}, 0.95, 1)
	if err != nil || two.Critical != got.Critical || two.P[0] != got.P[0] || two.P[1] != got.P[0] {
		t.Errorf("the same contrast twice: %+v, %v, want %+v", two, err, got)
	}
}

// TestJointVectors: enumerated up to the documented numbers of clusters, else drawn,
// and less often for families that take long.
func TestJointVectors(t *testing.T) {
	for contrasts, clusters := range map[int]int{1: 21, 2: 21, 5: 19, 100: 15, 1000: 12} {
		for more := range 2 {
			f := family{members: make([]member, contrasts), clusters: clusters + more}
			if v := f.vectors(1); v.exact != (more == 0) {
				t.Errorf("%d contrasts of %d clusters: exact is %v", contrasts, f.clusters, v.exact)
			}
		}
	}
	if !newSignVectors(11, 9, 1024, 0).exact || newSignVectors(11, 9, 1023, 0).exact {
		t.Error("11 clusters have 1024 vectors, to be visited where 1024 may be, and not where 1023")
	}
	for want, v := range map[int][2]int{99_999: {3, 20_000}, 98_999: {300, 200}, 2_999: {20, 100_000}, 999: {1000, 100_000}} { // 2e9 look-ups, by hand
		f := family{members: make([]member, v[0]), clusters: v[1]}
		at := make([]int32, v[1])
		for g := range at {
			at[g] = int32(g)
		}
		for j := range f.members {
			f.members[j].at = at
		}
		got := f.vectors(1)
		if got.draws() != want || strings.Contains(got.method(), "fewer than usual") != (want < signFlipDraws) {
			t.Errorf("%d contrasts of %d clusters: %s, want %d", v[0], v[1], got.method(), want)
		}
	}
}

// TestSignBlock compares a member's sums with signs one by one, in the words that
// [signVectors] gives, with clusters here and there and an odd number of vectors.
func TestSignBlock(t *testing.T) {
	m := member{at: []int32{0, 1, 3, 62, 63, 64, 131, 400}}
	for k := range m.at {
		m.s, m.sn = append(m.s, math.Sqrt(float64(k+1))), append(m.sn, float64(k+1))
	}
	v := signVectors{count: signBlockSize + 7, seed: 3, g: 401}
	for first := 0; first < v.count; first += signBlockSize {
		var b signBlock
		b.start(v, first)
		b.turn(&m)
		for d := range b.count {
			word, s := v.word(first + d)
			words := []uint64{word}
			for range 6 {
				words = append(words, s.next())
			}
			sum, sizes := 0.0, 0.0
			for k, at := range m.at {
				sign := 1 - 2*float64(words[at/64]>>(at%64)&1)
				sum, sizes = sum+sign*m.s[k], sizes+sign*m.sn[k]
			}
			if !close9(b.s[d], sum) || b.sn[d] != sizes {
				t.Fatalf("vector %d: %v, %v, want %v, %v", first+d, b.s[d], b.sn[d], sum, sizes)
			}
		}
	}
}

// TestMaxTWithoutError: sums of one size have no error in one of their resamples,
// whatever rounding leaves of it.
func TestMaxTWithoutError(t *testing.T) {
	for k := range 50 {
		v := 0.1 * float64(k+1) * math.Pi
		for n := 3; n <= 5; n++ {
			values := slices.Repeat([]float64{v}, n)
			values[0] = -v
			if got, err := MaxT([]*Clustered{sampleOf(t, values, indices(n))}, 0.95, 1); err == nil || !strings.Contains(err.Error(), "critical value undefined") {
				t.Errorf("%d of %v: %+v, want an error", n, v, got)
			}
		}
	}
}

// exactRatios is t*^2 of every sign vector of integers in clusters of their own, in
// exact arithmetic, with that of the mean less shift first.
func exactRatios(values []int64, centre bool) []*big.Rat {
	n, total := int64(len(values)), int64(0)
	for _, v := range values {
		total += v
	}
	ratio := func(sum, squares int64) *big.Rat { // (n-1) s^2 / (n ss - s^2)
		return big.NewRat((n-1)*sum*sum, n*squares-sum*sum)
	}
	var turned []int64 // other than 0
	squares, own := int64(0), int64(0)
	for _, v := range values {
		own += v * v
		if centre {
			v = n*v - total
		}
		squares += v * v
		if v != 0 {
			turned = append(turned, v)
		}
	}
	out := []*big.Rat{ratio(total, own)}
	for vector := range 1 << (len(turned) - 1) {
		sum := int64(0)
		for i, v := range turned {
			sum += v * (1 - 2*int64(vector>>i&1))
		}
		if n*squares != sum*sum {
			out = append(out, ratio(sum, squares))
		} else {
			out = append(out, big.NewRat(1<<40, 1)) // no error
		}
	}
	return out
}

// TestJointExactly meets exact arithmetic, in which ties are ties: p of a band, and
// the critical value at levels of every rank.
func TestJointExactly(t *testing.T) {
	jointExactly(t, []int64{0, 0, 3, 6, 0}, 1, 0.9)                           // a resample ties with the sample
	jointExactly(t, []int64{1, 5, -1, -2, -3}, 0.1, 0.9)                      // the mean is rounding
	jointExactly(t, []int64{1, 2, 4, 8, 16, 32, 64, -128, 7, 3}, 1, 256./512) // the level is a rank
	rapid.Check(t, func(t *rapid.T) {
		jointExactly(t, rapid.SliceOfN(rapid.Int64Range(-3, 9), 5, 10).Draw(t, "values"),
			rapid.SampledFrom([]float64{1, 0.1, math.Pi / 10}).Draw(t, "scale"), rapid.Float64Range(0.05, 0.9).Draw(t, "level"))
	})
}

func jointExactly(t rapid.TB, values []int64, scale, level float64) {
	t.Helper()
	var floats []float64
	for _, v := range values {
		floats = append(floats, float64(v)*scale)
	}
	c, err := NewClustered(floats, indices(len(values)))
	if err != nil {
		t.Fatal(err)
	}
	if bands, _, err := Bands([]*Clustered{c}, level, 1); err == nil {
		exact := exactRatios(values, true)
		reach := 0
		for _, r := range exact[1:] {
			if r.Cmp(exact[0]) >= 0 {
				reach++
			}
		}
		if want := float64(1+reach) / float64(len(exact)); bands[0].P != want {
			t.Fatalf("%v: band %+v, want p %v", values, bands[0], want)
		}
	}
	if got, err := MaxT([]*Clustered{c}, level, 1); err == nil && c.NonZero() > 0 {
		exact := exactRatios(values, false)[1:]
		slices.SortFunc(exact, (*big.Rat).Cmp)
		want, _ := exact[int(math.Ceil(level*float64(len(exact))))-1].Float64()
		if !close9(got.Critical, math.Sqrt(want)) {
			t.Fatalf("%v at %v: critical %v, want %v", values, level, got.Critical, math.Sqrt(want))
		}
	}
}

func TestMaxTRefuses(t *testing.T) {
	fine, same := threeContrasts(t, false)[0], sampleOf(t, []float64{0.5, 0.5}, []int{0, 1})
	zero, one := sampleOf(t, []float64{0, 0}, []int{0, 1}), sampleOf(t, []float64{0.5, 1}, []int{0, 0})
	five := sampleOf(t, []float64{0.5, 0.5, 0.5, 0.5, -0.5}, indices(5))
	for name, v := range map[string]struct {
		family []*Clustered
		level  float64
		want   string // of MaxT, "" when it succeeds
		bands  string
	}{
		"empty":           {nil, 0.95, "an empty family", "an empty family"},
		"nil":             {[]*Clustered{fine, nil}, 0.95, "contrast 1 is nil", "contrast 1 is nil"},
		"no level":        {[]*Clustered{fine}, 0, "level 0 (want between 0 and 1)", "level 0"},
		"no values":       {[]*Clustered{fine, {}}, 0.95, "contrast 1: no values", "contrast 1: no values"},
		"one cluster":     {[]*Clustered{one}, 0.95, "contrast 0: undefined, because all 2 values are in one cluster", "contrast 0: undefined"},
		"equal means":     {[]*Clustered{fine, same}, 0.95, "contrast 1: undefined, because every cluster has the same mean 0.5", "contrast 1: undefined"},
		"no change":       {[]*Clustered{fine, zero}, 0.95, "", "contrast 1: undefined, because every cluster has the same mean 0"},
		"nothing changes": {[]*Clustered{zero}, 0.95, "", "same mean 0"},
		"too few":         {[]*Clustered{five}, 0.95, "max-t: critical value undefined, because", ""},
	} {
		got, err := MaxT(v.family, v.level, 1)
		if (err != nil) != (v.want != "") || err != nil && !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, v.want)
		}
		if name == "no change" && (got.T[1] != 0 || got.P[1] != 1) {
			t.Errorf("a contrast without a change has t %v, p %v, want 0 and 1", got.T[1], got.P[1])
		}
		_, _, err = Bands(v.family, v.level, 1)
		if (err != nil) != (v.bands != "") || err != nil && !strings.Contains(err.Error(), v.bands) {
			t.Errorf("%s: bands: %v, want an error with %q", name, err, v.bands)
		}
	}
}

// TestHolm: published steps, and what holds of every family.
func TestHolm(t *testing.T) {
	for name, v := range map[string]struct{ p, want []float64 }{ // R: p.adjust(p, "holm")
		"empty":    {nil, []float64{}},
		"one":      {[]float64{0.04}, []float64{0.04}},
		"four":     {[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		"ties":     {[]float64{0.02, 0.02, 0.02}, []float64{0.06, 0.06, 0.06}},
		"capped":   {[]float64{0.9, 0.5, 0.6}, []float64{1, 1, 1}},
		"smallest": {[]float64{0, 1}, []float64{0, 1}},
	} {
		got, err := Holm(v.p)
		if err != nil || !slices.EqualFunc(got, v.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, v.want)
		}
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := Holm([]float64{0.5, bad}); err == nil || !strings.Contains(err.Error(), "p 1 is") {
			t.Errorf("%v: %v, want an error", bad, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 9).Draw(t, "p")
		got, err := Holm(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p {
			if got[i] < p[i] || got[i] > min(1, p[i]*float64(len(p))) {
				t.Fatalf("%v is adjusted to %v", p[i], got[i])
			}
			for j := range p {
				if p[i] < p[j] && got[i] > got[j] {
					t.Fatalf("order not kept: %v to %v", p, got)
				}
			}
		}
	})
}

// FuzzMaxT: no family makes a joint test that is not finite or in range.
func FuzzMaxT(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9, 77, 90}, []byte{4, 99, 8, 7}, 0.25, 0.0, 0.9)
	f.Fuzz(func(t *testing.T, data, more []byte, scale, shift, level float64) {
		var family []*Clustered
		for _, d := range [][]byte{data, more} {
			var values []float64
			var cluster []int
			for _, x := range d[:min(len(d), 40)] {
				values, cluster = append(values, float64(int(x>>3)-16)*scale+shift), append(cluster, int(x&7))
			}
			if c, err := NewClustered(values, cluster); err == nil {
				family = append(family, c)
			}
		}
		got, err := MaxT(family, level, 1)
		if err == nil {
			for j, p := range got.P {
				if !(p > 0 && p <= 1) || math.IsNaN(got.T[j]) || math.IsInf(got.T[j], 0) || !(got.Critical >= 0) || math.IsInf(got.Critical, 1) {
					t.Fatalf("%+v", got)
				}
			}
		}
		bands, crit, err := Bands(family, level, 1)
		for _, b := range bands {
			if err == nil && (!(b.Lo <= b.Value && b.Value <= b.Hi && b.P > 0 && b.P <= 1) || math.IsInf(b.Hi-b.Lo, 0) || math.IsNaN(crit.Value)) {
				t.Fatalf("%+v, %+v", b, crit)
			}
		}
	})
}

func BenchmarkMaxT(b *testing.B) {
	var eighteen, many []*Clustered
	for k := range uint64(4) {
		eighteen = append(eighteen, simulated(b, k, 18))
	}
	big := tasks10000(b)
	many = []*Clustered{big, big, big}
	for name, family := range map[string][]*Clustered{"18 tasks, exact": eighteen, "10000 tasks": many} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := MaxT(family, 0.95, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
