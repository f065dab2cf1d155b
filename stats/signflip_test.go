package stats

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// flipByGrayCode visits every sign vector, one sign turned at a time.
func flipByGrayCode(sums []float64) float64 {
	observed, scale := 0.0, 0.0
	for _, s := range sums {
		observed, scale = observed+s, scale+math.Abs(s)
	}
	sign, sum, hits := make([]float64, len(sums)), observed, 0
	for i := range sign {
		sign[i] = 1
	}
	total := 1 << len(sums)
	for i := 1; i <= total; i++ {
		if math.Abs(sum) >= math.Abs(observed)-1e-9*scale {
			hits++
		}
		if k := bits.TrailingZeros(uint(i)); k < len(sums) {
			sign[k] = -sign[k]
			sum += 2 * sign[k] * sums[k]
		}
	}
	return float64(hits) / float64(total)
}

func TestSignFlipByGrayCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c := mustSample(t, values, cluster)
		got, err := c.SignFlipClusters(1)
		want := flipByGrayCode(c.sums)
		if err != nil || !got.Exact || !close9(got.P, want) {
			t.Fatalf("%+v, %v, want exactly %v", got, err, want)
		}
		if floor := min(1, math.Ldexp(1, 1-c.NonZero())); got.P < floor*(1-1e-12) {
			t.Fatalf("p %v below its floor %v", got.P, floor)
		}
		turned := make([]float64, len(values))
		for i, v := range values {
			turned[i] = -3 * v
		}
		again, err := mustSample(t, turned, cluster).SignFlipClusters(1)
		if err != nil || !close9(got.P, again.P) {
			t.Fatalf("p %v, turned and scaled %v, %v", got.P, again.P, err)
		}
	})
}

// TestSignFlipAlgorithmsAgree: on one lattice sample the convolution, the
// enumeration and, within its error, the Monte Carlo give one p.
func TestSignFlipAlgorithmsAgree(t *testing.T) {
	values, cluster := quarters(60)
	for i := range cluster {
		cluster[i] /= 3
	}
	units := sampleOf(t, values, cluster).tuples()
	groups, observed := magnitudes(units)
	total := 0.0
	for _, g := range groups {
		total += g.size * float64(g.count)
	}
	limit := (total - math.Abs(observed)) / 2
	exact := convolve(groups, divisor(groups), limit)
	if got := enumerate(groups, limit); !close9(got, exact) {
		t.Errorf("enumeration %v, convolution %v", got, exact)
	}
	got, want := sampleSigns(groups, math.Abs(observed), 7), exact
	if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/signFlipDraws) {
		t.Errorf("Monte Carlo %v, convolution %v", got, want)
	}
}

// TestSignFlipPaths: which algorithm answers, and that it says so.
func TestSignFlipPaths(t *testing.T) {
	continuous := func(n int) (values []float64, each []int) {
		s := newStream(11, 0)
		for i := range n {
			values, each = append(values, s.uniform()-0.3), append(each, i)
		}
		return values, each
	}
	for name, c := range map[string]struct {
		n     int
		exact bool
		say   string
	}{
		"25 off the lattice": {25, true, "enumeration"},
		"26 off the lattice": {26, false, "Monte Carlo, 99999 draws"},
		"80 off the lattice": {80, false, "Monte Carlo, 99999 draws"},
	} {
		values, each := continuous(c.n)
		s := sampleOf(t, values, each)
		got, err := s.SignFlipClusters(5)
		if err != nil || got.Exact != c.exact || !strings.Contains(got.Method, c.say) || (got.Draws == 0) != c.exact {
			t.Errorf("%s: %+v, %v, want exact %v by %s", name, got, err, c.exact, c.say)
		}
		if again, _ := s.SignFlipClusters(5); again != got {
			t.Errorf("%s: %+v with the same seed, first %+v", name, again, got)
		}
	}
	values, each := continuous(80)
	for i := range values { // two magnitudes only: off the lattice, yet few sign vectors differ
		values[i] = math.Copysign([]float64{math.Sqrt2, math.Pi}[i%2], values[i])
	}
	got, err := sampleOf(t, values, each).SignFlipClusters(5)
	if err != nil || !got.Exact {
		t.Errorf("equal magnitudes: %+v, %v, want an exact p", got, err)
	}
}

// TestSignFlipTails: one-sided data of equal size has p = 2^(1-n) exactly, far
// below the reach of 1-CDF and down to the end of float64.
func TestSignFlipTails(t *testing.T) {
	for _, n := range []int{1, 2, 6, 70, 300, 1000, 1070, 2000} {
		values, each := make([]float64, n), make([]int, n)
		for i := range values {
			values[i], each[i] = 1.0/12, i
		}
		got, err := sampleOf(t, values, each).SignFlipPairs(1)
		want := max(math.Ldexp(1, 1-n), math.SmallestNonzeroFloat64)
		if err != nil || got.P != want {
			t.Errorf("n = %d: %v, %v, want %v", n, got.P, err, want)
		}
	}
}

// TestSignFlipBinomial: with n values of one size and k of them negative, p is
// both tails of Binomial(n, 1/2), here in exact integers.
func TestSignFlipBinomial(t *testing.T) {
	for _, c := range [][2]int64{{700, 250}, {1500, 200}, {90, 44}} {
		n, k := c[0], c[1]
		var values []float64
		var each []int
		tail := new(big.Int)
		for i := range n {
			v := 0.5
			if i < k {
				v = -0.5
			}
			values, each = append(values, v), append(each, int(i))
		}
		for i := range k + 1 {
			tail.Add(tail, new(big.Int).Binomial(n, i))
		}
		want, _ := new(big.Rat).SetFrac(tail, new(big.Int).Lsh(big.NewInt(1), uint(n-1))).Float64()
		got, err := sampleOf(t, values, each).SignFlipPairs(1)
		if err != nil || math.Abs(got.P/want-1) > 1e-12 {
			t.Errorf("%d of %d: %v, %v, want %v", k, n, got.P, err, want)
		}
		if p := McNemar(int(k), int(n-k)); math.Abs(p/want-1) > 1e-11 {
			t.Errorf("mcnemar %d, %d: %v, want %v", k, n-k, p, want)
		}
	}
}

// TestTiltedConvolution: the tilted and the plain convolution agree at every
// size of p, from 1 to below 1e-280.
func TestTiltedConvolution(t *testing.T) {
	for name, groups := range map[string][]magnitude{
		"one size":   {{1, 900}},
		"two sizes":  {{2, 300}, {1, 500}},
		"many sizes": {{37, 1}, {20, 9}, {12, 30}, {7, 55}, {5, 100}, {4, 20}, {3, 77}, {2, 31}, {1, 90}},
		"odd ones":   {{11, 60}, {7, 80}, {3, 2}},
		"few":        {{4, 1}, {3, 2}, {1, 3}},
	} {
		total := 0.0
		for _, g := range groups {
			total += g.size * float64(g.count)
		}
		for _, share := range []float64{0, 0.02, 0.1, 0.25, 0.4, 0.48, 0.499} {
			limit := math.Floor(total * share)
			want := convolve(groups, 1, limit)
			if want < 1e-280 {
				continue
			}
			if got, ok := tilted(groups, 1, limit); !ok || math.Abs(got/want-1) > 1e-10 {
				t.Errorf("%s: limit %v of %v: %v %v, want %v", name, limit, total, got, ok, want)
			}
		}
	}
}

// TestSignFlipOfManyPairs: 200,000 pairs of quarters stay exact, and the p of
// their one size is the binomial's.
func TestSignFlipOfManyPairs(t *testing.T) {
	n, up := 200_000, 100_500
	values, each := make([]float64, n), make([]int, n)
	for i := range values {
		values[i], each[i] = 0.25, i
		if i >= up {
			values[i] = -0.25
		}
	}
	got, err := sampleOf(t, values, each).SignFlipPairs(1)
	z := float64(2*up-n-1) / math.Sqrt(float64(n))
	if err != nil || !got.Exact || math.Abs(got.P/(2*NormalCDF(-z))-1) > 1e-4 {
		t.Errorf("%+v, %v, want nearly %v", got, err, 2*NormalCDF(-z))
	}
	if want := McNemar(up, n-up); math.Abs(got.P/want-1) > 1e-7 {
		t.Errorf("p %v, mcnemar %v", got.P, want)
	}
}
