package stats

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTwoProportions meets R's fisher.test and scipy's boschloo_exact. The sides
// are two-sided, greater, less.
func TestTwoProportions(t *testing.T) {
	for _, v := range []struct {
		x1, n1, x2, n2   int
		fisher, boschloo [3]float64
	}{
		{7, 12, 8, 12, [3]float64{1, 0.79983847085745041, 0.5}, [3]float64{0.838819742202757, 0.714563131332396, 0.4194098711013785}},
		{3, 10, 9, 11, [3]float64{0.029973122852379838, 0.99828190385465931, 0.02417242200523935}, [3]float64{0.027469936530848737, 0.9893849704401367, 0.013734968265424368}},
		{0, 5, 5, 5, [3]float64{0.0079365079365079395, 1, 0.003968253968253968}, [3]float64{0.001953125, 1, 0.0009765625}},
		{15, 18, 7, 18, [3]float64{0.01526011187954412, 0.0076300559397720564, 0.99921039480259877}, [3]float64{0.006695143233387545, 0.0033475716166937726, 0.9977870629518281}},
		{74, 100, 63, 100, [3]float64{0.12761290730015715, 0.063806453650078546, 0.96634445293038818}, [3]float64{0.10363904584664842, 0.05181952292332421, 0.9544329601811968}},
		{2, 2, 0, 3, [3]float64{0.099999999999999964, 0.099999999999999992, 1}, [3]float64{0.0691199999999965, 0.03455999999999825, 1}},
		{1, 30, 8, 40, [3]float64{0.067917698421129644, 0.99579541682491168, 0.039680753714895753}, [3]float64{0.05147299237084693, 0.9908573508516632, 0.025736496185423466}},
		{0, 4, 0, 6, [3]float64{1, 1, 1}, [3]float64{1, 1, 1}},
		{50, 250, 20, 250, [3]float64{0.00015468481467136811, 7.7342407335684001e-05, 0.99997465905049432}, [3]float64{0.00011311210784564275, 5.655605392282137e-05, 0.9999664352228534}},
	} {
		for i, side := range []Side{TwoSided, Greater, Less} {
			f, err1 := Fisher(v.x1, v.n1, v.x2, v.n2, side)
			b, err2 := Boschloo(v.x1, v.n1, v.x2, v.n2, side)
			if err1 != nil || math.Abs(f.P/v.fisher[i]-1) > 1e-10 {
				t.Errorf("fisher %d/%d, %d/%d %v: %v, %v, want %v", v.x1, v.n1, v.x2, v.n2, side, f.P, err1, v.fisher[i])
			}
			if err2 != nil || math.Abs(b.P/v.boschloo[i]-1) > 1e-7 {
				t.Errorf("boschloo %d/%d, %d/%d %v: %v, %v, want %v", v.x1, v.n1, v.x2, v.n2, side, b.P, err2, v.boschloo[i])
			}
			if f.Side != side || !strings.Contains(f.String(), side.String()) || !strings.Contains(b.String(), side.String()) {
				t.Errorf("%v, %v do not name the side %v", f, b, side)
			}
		}
	}
}

// TestFisherTies: tables of equal chance count, whatever rounding makes of them; in
// integers.
func TestFisherTies(t *testing.T) {
	ways := func(x1, n1, x2, n2 int) *big.Int {
		a, b := new(big.Int).Binomial(int64(n1), int64(x1)), new(big.Int).Binomial(int64(n2), int64(x2))
		return a.Mul(a, b)
	}
	for _, n := range [][2]int{{7, 7}, {12, 12}, {9, 18}, {40, 40}, {33, 66}} {
		n1, n2 := n[0], n[1]
		for x1 := range n1 + 1 {
			x2 := (n2 - x1) / 2
			sum, all, own := new(big.Int), new(big.Int).Binomial(int64(n1+n2), int64(x1+x2)), ways(x1, n1, x2, n2)
			for k := range min(n1, x1+x2) + 1 {
				if w := ways(k, n1, x1+x2-k, n2); x1+x2-k <= n2 && w.Cmp(own) <= 0 {
					sum.Add(sum, w)
				}
			}
			want, _ := new(big.Rat).SetFrac(sum, all).Float64()
			if got, err := Fisher(x1, n1, x2, n2, TwoSided); err != nil || !close9(got.P, want) {
				t.Errorf("%d/%d, %d/%d: %v, %v, want %v", x1, n1, x2, n2, got.P, err, want)
			}
		}
	}
}

// TestTwoProportionsHold: what is true of every table.
func TestTwoProportionsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.IntRange(1, 15).Draw(t, "n1"), rapid.IntRange(1, 15).Draw(t, "n2")
		x1, x2 := rapid.IntRange(0, n1).Draw(t, "x1"), rapid.IntRange(0, n2).Draw(t, "x2")
		p := map[string]map[Side]float64{"fisher": {}, "boschloo": {}}
		for name, test := range map[string]func(int, int, int, int, Side) (ProportionTest, error){"fisher": Fisher, "boschloo": Boschloo} {
			for _, side := range []Side{TwoSided, Greater, Less} {
				turned := map[Side]Side{TwoSided: TwoSided, Greater: Less, Less: Greater}[side]
				a, err1 := test(x1, n1, x2, n2, side)
				b, err2 := test(x2, n2, x1, n1, turned)
				if err1 != nil || err2 != nil || math.Abs(a.P-b.P) > 1e-7 || !close9(a.Difference, -b.Difference) || !(a.P > 0 && a.P <= 1) {
					t.Fatalf("%s: %v, %v; groups exchanged: %v, %v", name, a, err1, b, err2)
				}
				p[name][side] = a.P
			}
		}
		for _, side := range []Side{Greater, Less} {
			if p["boschloo"][side] > p["fisher"][side]+1e-9 {
				t.Fatalf("%v: boschloo's p %v above fisher's %v", side, p["boschloo"][side], p["fisher"][side])
			}
		}
		naive, tables := 0.0, extremeTables(x1, n1, x2, n2)
		for i := 1; i < 100; i++ {
			naive = max(naive, chanceOf(tables, n1, n2, float64(i)/100))
		}
		if got := p["boschloo"][Greater]; got < naive-1e-9 || got > naive+0.01 {
			t.Fatalf("boschloo, greater: %v, by all tables on a coarse grid %v", got, naive)
		}
	})
}

// extremeTables are the tables whose Fisher p (Greater) is at most that of the
// observed one, from factorials.
func extremeTables(x1, n1, x2, n2 int) (tables [][2]int) {
	fisher := func(a, b int) float64 {
		tail := 0.0
		for k := a; k <= min(n1, a+b); k++ {
			if a+b-k <= n2 {
				tail += math.Exp(logChoose(n1, k) + logChoose(n2, a+b-k) - logChoose(n1+n2, a+b))
			}
		}
		return tail
	}
	observed := fisher(x1, x2)
	for a := range n1 + 1 {
		for b := range n2 + 1 {
			if fisher(a, b) <= observed*(1+1e-9) {
				tables = append(tables, [2]int{a, b})
			}
		}
	}
	return tables
}

// chanceOf is the chance of some tables at one proportion.
func chanceOf(tables [][2]int, n1, n2 int, p float64) float64 {
	sum := 0.0
	for _, t := range tables {
		a, b := t[0], t[1]
		sum += math.Exp(logChoose(n1, a) + logChoose(n2, b) + float64(a+b)*math.Log(p) + float64(n1+n2-a-b)*math.Log1p(-p))
	}
	return sum
}

func TestTwoProportionsRefuse(t *testing.T) {
	for name, v := range map[string]struct {
		x1, n1, x2, n2 int
		side           Side
		want           string
	}{
		"no side":  {1, 2, 1, 2, 0, "side Side(0) (want TwoSided, Greater or Less)"},
		"no trial": {0, 0, 1, 2, Less, "0 of 0 (want 0 <= x <= n and n >= 1)"},
		"too many": {1, 2, 3, 2, Less, "3 of 2 (want"},
		"negative": {-1, 2, 1, 2, Less, "-1 of 2 (want"},
		"huge":     {1, math.MaxInt, 1, math.MaxInt, Less, "too many trials (want 20000 or fewer"},
	} {
		for _, test := range []func(int, int, int, int, Side) (ProportionTest, error){Fisher, Boschloo} {
			if _, err := test(v.x1, v.n1, v.x2, v.n2, v.side); err == nil || !strings.Contains(err.Error(), v.want) {
				t.Errorf("%s: %v, want an error with %q", name, err, v.want)
			}
		}
	}
}

func FuzzTwoProportions(f *testing.F) {
	f.Add(3, 10, 9, 11, 1)
	f.Add(0, 1, 300, 300, 2)
	f.Fuzz(func(t *testing.T, x1, n1, x2, n2, side int) {
		if n1 > 300 || n2 > 300 {
			return // slower, no different
		}
		for _, test := range []func(int, int, int, int, Side) (ProportionTest, error){Fisher, Boschloo} {
			if got, err := test(x1, n1, x2, n2, Side(side)); err == nil && !(got.P > 0 && got.P <= 1 && math.Abs(got.Difference) <= 1) {
				t.Fatalf("%v", got)
			}
		}
	})
}

func BenchmarkBoschloo(b *testing.B) {
	for b.Loop() {
		if _, err := Boschloo(5100, 10_000, 4900, 10_000, TwoSided); err != nil {
			b.Fatal(err)
		}
	}
}
