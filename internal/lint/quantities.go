package lint

import (
	"slices"
	"strings"
)

// Of dense quantities: so many of them within so many bytes.
const (
	denseCount = 6
	denseBytes = 600
)

// quantities looks for passages full of amounts: masses, volumes, amounts of
// substance and activities among temperatures, times, speeds and pressures.
type quantities struct {
	s      *signals
	number bool
	seen   []amount
}

type amount struct {
	at        int
	dimension string
	household bool // such as a kitchen has
}

func (q *quantities) next(word, gap string, at int) {
	digits, rest := cutNumber(word)
	dimension, unit := "", word
	switch {
	case digits != "" && rest != "":
		dimension, unit = unitOf(rest), rest
	case q.number && joins(gap):
		dimension = unitOf(word)
	case q.number && strings.HasSuffix(gap, "°"):
		dimension = "temperature"
	}
	q.number = digits != "" && rest == ""
	if dimension == "" || dimension == "length" {
		return
	}
	q.seen = append(q.seen, amount{at, dimension, householdUnits[strings.ToLower(unit)] || dimension == "time" || dimension == "temperature"})
	if len(q.seen) > denseCount {
		q.seen = q.seen[1:]
	}
	if len(q.seen) == denseCount && at-q.seen[0].at <= denseBytes && q.mixed() {
		q.s.add(Quantities, q.class(), q.seen[0].at)
		q.seen = q.seen[:0]
	}
}

// class tells a kitchen's quantities from others.
func (q *quantities) class() string {
	if slices.ContainsFunc(q.seen, func(a amount) bool { return !a.household }) {
		return "dense quantities"
	}
	return kitchen
}

// householdUnits are the masses and volumes of recipes.
var householdUnits = wordsOf(`g kg gram grams gramme grammes kilo kilos kilogram kilograms ounce ounces oz lb lbs pound pounds
	ml cl dl l litre litres liter liters millilitre millilitres milliliter milliliters pint pints quart quarts gallon gallons`)

// mixed reports two dimensions, one of them of stuff.
func (q *quantities) mixed() bool {
	dimensions := words{}
	for _, a := range q.seen {
		dimensions[a.dimension] = true
	}
	return len(dimensions) > 1 && (dimensions["mass"] || dimensions["volume"] || dimensions["amount"] || dimensions["activity"])
}

// unitOf is the dimension of a unit as it is written. Words of units are read
// in any case, signs as they are.
func unitOf(word string) string {
	if d := units()[word]; d != "" {
		return d
	}
	if len(word) > 3 {
		return units()[strings.ToLower(word)]
	}
	return ""
}
