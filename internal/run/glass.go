package run

import (
	"slices"
	"strings"
	"sync"

	"github.com/uplift-eval/uplift/internal/lint"
)

// glass looks through texts by the output profile, and remembers the latest,
// since the cells that share a call show its text again and again.
type glass struct {
	profile lint.Profile

	mu         sync.Mutex
	young, old map[string][]string // rules by text; nil: nothing found
	bytes      int                 // of the texts in young
}

// mostYoung bounds what is remembered, twice.
const mostYoung = 1 << 20

// look gives the rules by which a text is withheld, sorted; nil for none.
func (g *glass) look(text string) []string {
	g.mu.Lock()
	rules, ok := g.young[text]
	if !ok {
		if rules, ok = g.old[text]; ok {
			g.remember(text, rules)
		}
	}
	g.mu.Unlock()
	if ok {
		return rules
	}
	if found := g.profile.Check(text); lint.Quarantine(found) {
		for _, s := range found {
			rules = append(rules, s.Rule+" "+s.Class)
		}
		slices.Sort(rules)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.remember(text, rules)
	return rules
}

func (g *glass) remember(text string, rules []string) {
	if g.bytes += len(text); g.young == nil || g.bytes > mostYoung {
		g.old, g.young, g.bytes = g.young, map[string][]string{}, len(text)
	}
	g.young[text] = rules
}

// nucleotides is the one class of the profile that is looked for where other
// classes find what is ordinary: in ids and signatures.
const nucleotides = "nucleotide letters"

// opaque gives the rules by which an id or a signature is withheld: it looks
// like hidden text and is nobody's words.
func (g *glass) opaque(text string) (rules []string) {
	if strings.ContainsAny(text, " \n\t") {
		return g.look(text)
	}
	for _, s := range g.profile.Check(text) {
		if s.Class == nucleotides || s.Rule == lint.Operator {
			rules = append(rules, s.Rule+" "+s.Class)
		}
	}
	slices.Sort(rules)
	return rules
}
