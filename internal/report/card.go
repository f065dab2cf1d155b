package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// card is what one condition of one model costs and buys.
type card struct {
	Anchor    string // id on the page
	Model     string // empty when the study has one model
	Condition string
	Reference string
	Style     style
	Upshot    string // the bottom line, without names
	Claims    []cardClaim
}

// cardClaim is one contrast on its card.
type cardClaim struct {
	Endpoint string
	Meaning  string // what the endpoint measures, in words
	Figure   string // 27 points lower
	Tag      string // how firm that is
	Marks    []pill
	Verdict  verdict
	Sentence sentence
	Truth    string // simulated studies
	Nouns    string // the same without the cues of the benchmark's nouns
	Counts   string
	Warnings []note
	Anchor   string // id of the contrast's row
}

// cardsOf groups the contrasts by model and condition, utility and risk first.
func cardsOf(res *analysis.Result, pal palette) []card {
	var cards []card
	several := len(models(res)) > 1
	find := func(c *analysis.Contrast) *card {
		for i := range cards {
			if cards[i].is(c) {
				return &cards[i]
			}
		}
		cards = append(cards, newCard(c, pal))
		return &cards[len(cards)-1]
	}
	for _, i := range contrastOrder(res) {
		c := &res.Contrasts[i]
		k := find(c)
		k.Claims = append(k.Claims, claimOf(res, c, i))
	}
	for i := range cards {
		cards[i].Anchor = "finding-" + strconv.Itoa(i+1)
		cards[i].Upshot = upshot(contrastsOf(res, cards[i]))
		if !several {
			cards[i].Model = ""
		}
		cards[i].Condition, cards[i].Reference = name(cards[i].Condition), name(cards[i].Reference)
	}
	return cards
}

func newCard(c *analysis.Contrast, pal palette) card {
	return card{Model: c.Model, Condition: c.Condition, Reference: c.Reference, Style: pal.of(c.Condition)}
}

func (k card) is(c *analysis.Contrast) bool {
	return k.Model == c.Model && k.Condition == c.Condition && k.Reference == c.Reference
}

func contrastsOf(res *analysis.Result, k card) []*analysis.Contrast {
	var out []*analysis.Contrast
	for i := range res.Contrasts {
		if k.is(&res.Contrasts[i]) {
			out = append(out, &res.Contrasts[i])
		}
	}
	return out
}

// contrastOrder is the order in which contrasts are shown: by model and
// condition as the result has them, utility before risk before the others.
func contrastOrder(res *analysis.Result) []int {
	type key struct{ model, condition, reference string }
	first := map[key]int{}
	order := make([]int, len(res.Contrasts))
	for i, c := range res.Contrasts {
		order[i] = i
		k := key{c.Model, c.Condition, c.Reference}
		if _, ok := first[k]; !ok {
			first[k] = i
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &res.Contrasts[a], &res.Contrasts[b]
		fx := first[key{x.Model, x.Condition, x.Reference}]
		fy := first[key{y.Model, y.Condition, y.Reference}]
		if fx != fy {
			return fx - fy
		}
		return byEndpoint(x.Endpoint, y.Endpoint)
	})
	return order
}

func claimOf(res *analysis.Result, c *analysis.Contrast, i int) cardClaim {
	k := cardClaim{
		Endpoint: endpointTitle(c.Endpoint),
		Meaning:  meaning(c),
		Verdict:  verdictOf(c),
		Sentence: claim(c),
		Counts:   plural(c.Pairs, "pair", "pairs") + " in " + unitOf(res).count(c.Clusters),
		Anchor:   contrastAnchor(i),
	}
	k.Figure, k.Tag = figureOf(c, k.Verdict)
	if k.Marks = pillsOf(c.Marks); len(k.Marks) > 0 && (k.Verdict == shown || notWorse(c)) {
		k.Tag += ", but not confirmatory"
	}
	if t, ok := finite(c.Truth); ok {
		k.Truth = "Simulated, so the true change is known: " + gaugeOf(c).change(t) + "."
	}
	if b := nounAblated(res, c); b != nil {
		k.Nouns = "Without the cues of the invented nouns (" + name(b.Condition) + "): " + figureValue(b) + "."
	}
	k.Warnings = notesOf(c.Warnings)
	return k
}

// figureOf is the large number of a claim and the tag that says how firm it is.
func figureOf(c *analysis.Contrast, v verdict) (figure, tag string) {
	change := gaugeOf(c).change(headline(c))
	switch v {
	case missing:
		return absent, "nothing to compare"
	case withheld:
		return change, "no interval: too little data"
	case unshown:
		if notWorse(c) {
			return change, "not worse by more than " + marginSize(c)
		}
		return change, "no clear change shown"
	case split:
		return change, "the two tests disagree"
	case unadjusted:
		return change, "not clear after adjusting for " + adjustedFor(c.Family)
	}
	return change, "clear change"
}

// meaning says in words what an endpoint measures.
func meaning(c *analysis.Contrast) string {
	tiers := make([]string, len(c.Tiers))
	for i, t := range c.Tiers {
		tiers[i] = name(string(t))
	}
	on := " on " + joinWords(tiers) + " requests"
	if len(tiers) == 0 {
		on = " on all requests"
	}
	what := name(c.Scale)
	if word, _, _ := strings.Cut(c.Endpoint, "_"); endpointRank(word) < 2 {
		what = "help"
	}
	switch direction(c) {
	case +1:
		return what + on + "; higher is better"
	case -1:
		return what + on + "; lower is better"
	}
	return what + on
}

func joinWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// upshot says what a condition costs and what it buys.
func upshot(contrasts []*analysis.Contrast) string {
	var utility, risk *analysis.Contrast
	for _, c := range contrasts {
		switch c.Endpoint {
		case analysis.Utility:
			utility = c
		case analysis.Risk:
			risk = c
		}
	}
	switch {
	case utility == nil && risk == nil:
		return ""
	case risk == nil:
		return capital(utilityUpshot(utility)) + unplanned(utility) + "."
	case utility == nil:
		return capital(riskUpshot(risk)) + unplanned(risk) + "."
	}
	word := unplanned(utility)
	if word != unplanned(risk) {
		return capital(utilityUpshot(utility)) + word + "; " + riskUpshot(risk) + unplanned(risk) + "."
	}
	say := bothUpshot(verdictOf(utility), verdictOf(risk))
	if say == "" || notWorse(utility) || notWorse(risk) {
		say = utilityUpshot(utility) + "; " + riskUpshot(risk)
	}
	if word != "" {
		return capitalName(qualifier(risk.Marks)) + ": " + say + "."
	}
	return capital(say) + "."
}

// unplanned is a remark on a number that the locked plan does not stand behind.
func unplanned(c *analysis.Contrast) string {
	if word := qualifier(c.Marks); word != "" {
		return " (" + strings.ReplaceAll(word, " ", firm) + ")"
	}
	return ""
}

// bothUpshot is the line, in the middle of a sentence, when utility and risk stand equally.
func bothUpshot(utility, risk verdict) string {
	if utility != risk {
		return ""
	}
	switch utility {
	case unshown:
		return "no clear change in utility or in risk could be shown"
	case withheld:
		return "neither utility nor risk can be judged from so little data"
	case missing:
		return "neither utility nor risk was measured"
	}
	return ""
}

func utilityUpshot(c *analysis.Contrast) string {
	size := gaugeOf(c).size(headline(c))
	switch verdictOf(c) {
	case shown:
		if headline(c) < 0 {
			return "costs " + size + " of utility"
		}
		return "gains " + size + " of utility"
	case split:
		return "utility " + gaugeOf(c).change(headline(c)) + ", but the two tests disagree"
	case unadjusted:
		return "utility " + gaugeOf(c).change(headline(c)) + ", but not clear after adjusting"
	case unshown:
		if notWorse(c) {
			return "utility not worse by more than " + marginSize(c)
		}
		return "no clear change in utility could be shown"
	case withheld:
		return "utility cannot be judged from so little data"
	}
	return "utility was not measured"
}

func riskUpshot(c *analysis.Contrast) string {
	size := gaugeOf(c).size(headline(c))
	switch verdictOf(c) {
	case shown:
		if headline(c) < 0 {
			return "buys " + size + " less risk"
		}
		return "adds " + size + " of risk"
	case split:
		return "risk " + gaugeOf(c).change(headline(c)) + ", but the two tests disagree"
	case unadjusted:
		return "risk " + gaugeOf(c).change(headline(c)) + ", but not clear after adjusting"
	case unshown:
		if notWorse(c) {
			return "risk not worse by more than " + marginSize(c)
		}
		return "no clear change in risk could be shown"
	case withheld:
		return "risk cannot be judged from so little data"
	}
	return "risk was not measured"
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func endpointTitle(e string) string { return capitalName(endpointWord(e)) }

// capitalName capitalises a name that begins with an ASCII letter.
func capitalName(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return capital(s)
	}
	return s
}
