package stats

import (
	"math"
	"strings"
	"testing"
)

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

const goldenB = 100_000

// TestBootstrapGolden compares B = 1e5 resamples, by index and by counts, with
// the exact distribution; the tolerance is four Monte Carlo standard errors of
// the percentile plus one step of the lattice. What needs no resample is met to
// nine digits.
func TestBootstrapGolden(t *testing.T) {
	all, exact := joints(t), exactRows(t)
	units := func(key string) tuples {
		contrast, unit := key[:strings.LastIndex(key, ",")], key[strings.LastIndex(key, ",")+1:]
		if unit == "pairs" {
			return all[contrast].clustered(t).singletons()
		}
		return all[contrast].clustered(t).tuples()
	}
	for path, draw := range map[string]func(tuples) []float64{
		"index": func(u tuples) []float64 { return u.meansByIndex(Resample{B: goldenB, Seed: 20260713}) },
		"count": func(u tuples) []float64 { return u.meansByCount(Resample{B: goldenB, Seed: 20260713}) },
	} {
		t.Run(path, func(t *testing.T) {
			figures := map[string]exactFigures{}
			compared(t, "bootstrap_exact.csv", 3, 3, 4, func(key, stat string) (float64, float64, bool) {
				if figures[key].value == nil {
					u := units(key)
					figures[key] = bootstrapFigures(u, draw(u), exact[key])
				}
				got, ok := figures[key].value[stat]
				return got, figures[key].tolerance[stat], ok
			})
		})
	}
}

// exactFigures are a bootstrap's figures by golden stat, and how far each may be
// from its exact value.
type exactFigures struct{ value, tolerance map[string]float64 }

func bootstrapFigures(u tuples, means []float64, exact map[string]float64) exactFigures {
	mean, size := u.mean()
	acc, _ := u.acceleration(mean, size)
	below, tied := 0, 0
	for _, m := range means {
		if m < mean {
			below++
		} else if m == mean {
			tied++
		}
	}
	b := intervals(u, Resample{B: goldenB, Level: 0.95}, means, mean, acc)
	z0, z := NormalQuantile(exact["P(T*<t)"]+exact["P(T*=t)"]/2), -NormalQuantile(0.025)
	sd, step := exact["boot_sd_exact"], u.lattice.value(1)/size
	end := 4*math.Sqrt(.025*.975/goldenB)/0.058445*sd + step + 1e-12
	binomial := func(p float64) float64 { return 4 * math.Sqrt(p*(1-p)/goldenB) }
	return exactFigures{map[string]float64{
		"perc_lo": b.Percentile.Lo, "perc_hi": b.Percentile.Hi, "bca_lo_mid(scipy)": b.BCa.Lo, "bca_hi_mid(scipy)": b.BCa.Hi,
		"boot_sd_exact": b.Percentile.SE, "P(T*<t)": float64(below) / goldenB, "P(T*=t)": float64(tied) / goldenB,
		"acc": acc, "bca_alpha_lo_mid(scipy)": bcaLevel(z0, -z, acc), "bca_alpha_hi_mid(scipy)": bcaLevel(z0, z, acc),
		"lattice_step": step, "signflip_exact_p": signFlip(u, 1).P,
	}, map[string]float64{
		"perc_lo": end, "perc_hi": end, "bca_lo_mid(scipy)": end, "bca_hi_mid(scipy)": end,
		"boot_sd_exact": 4 / math.Sqrt(goldenB) * sd,
		"P(T*<t)":       binomial(exact["P(T*<t)"]), "P(T*=t)": binomial(exact["P(T*=t)"]),
	}}
}

// TestSignFlipGolden: the exported tests say what TestBootstrapGolden compares.
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
