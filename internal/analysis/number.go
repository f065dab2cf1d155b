package analysis

import (
	"fmt"
	"math"
	"strings"
)

// minus is the sign of negative numbers in the text of a warning.
const minus = "−"

// number is a value in the text of a warning: three significant digits.
func number(v float64) string {
	return strings.Replace(fmt.Sprintf("%.3g", v), "-", minus, 1)
}

// signed is a difference in the text of a warning: a sign and three decimals,
// halves away from 0 though sums in another order may leave them a hair below.
func signed(v float64) string {
	r := math.Floor(1000*math.Abs(v)+0.5+1e-9) / 1000
	if r == 0 {
		return "0.000"
	}
	return strings.Replace(fmt.Sprintf("%+.3f", math.Copysign(r, v)), "-", minus, 1)
}
