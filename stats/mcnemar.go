package stats

import "math"

// Discordant is the forms of McNemar's test, for whoever compares with a
// published one. Every P is two-sided and lies in (0,1].
type Discordant struct {
	Gain, Loss int     // pairs that are yes under the condition only, and under the reference only
	Exact      float64 // P, by the binomial distribution: that of [McNemar]
	MidP       float64 // P, counting half of the observed outcome
	ChiSquare  float64 // (gain-loss)^2 / (gain+loss), one degree of freedom; 0 without a discordant pair
	P          float64 // of ChiSquare
	Corrected  float64 // (|gain-loss|-1)^2 / (gain+loss), 0 where gain equals loss; Edwards (1948)
	PCorrected float64 // of Corrected
}

// McNemarTest gives McNemar's test of paired yes-or-no values in all its forms.
// Exact is the one to print: the chi-squares are approximate below about 25
// discordant pairs, and MidP, which is approximate too, keeps its level in
// practice (Fagerland, Lydersen & Laake 2013). Pairs are taken as independent.
// Without a discordant pair every P is 1. A negative count is taken
// as 0, as McNemar takes it.
func McNemarTest(gain, loss int) Discordant {
	gain, loss = max(gain, 0), max(loss, 0)
	d := Discordant{Gain: gain, Loss: loss, Exact: McNemar(gain, loss), MidP: 1, P: 1, PCorrected: 1}
	n := float64(gain) + float64(loss)
	if n == 0 {
		return d
	}
	gap := math.Abs(float64(gain) - float64(loss))
	d.ChiSquare, d.Corrected = gap*gap/n, max(gap-1, 0)*max(gap-1, 0)/n
	d.P, d.PCorrected = chiSquare1(d.ChiSquare), chiSquare1(d.Corrected)
	switch {
	case gain == loss:
	case n > manyPairs: // half of an outcome is what the correction is for
		d.MidP = min(d.P, d.Exact)
	default:
		d.MidP = probability(d.Exact - binomialMass(min(gain, loss), gain+loss, 0.5, 0.5))
	}
	return d
}

// chiSquare1 is the upper tail of chi-square with one degree of freedom.
func chiSquare1(x float64) float64 {
	return probability(2 * NormalCDF(-math.Sqrt(x)))
}
