package run

import (
	"bufio"
	"encoding/json"
	"maps"
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

// jsonTexts are the texts inside JSON, or inside the data lines of an event
// stream; of anything else all of it. A provider's ids and signatures are left
// out: they look like hidden text and are nobody's words.
func jsonTexts(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	var v any
	if json.Unmarshal([]byte(s), &v) == nil {
		walkTexts(v, &out)
		return out
	}
	if !strings.Contains(s, "data:") {
		return []string{s}
	}
	lines := bufio.NewScanner(strings.NewReader(s))
	lines.Buffer(nil, len(s)+1)
	for lines.Scan() {
		line, _ := strings.CutPrefix(lines.Text(), "data:")
		if json.Unmarshal([]byte(line), &v) == nil {
			walkTexts(v, &out)
		} else {
			out = append(out, line)
		}
	}
	return append(out, strings.Join(out, "")) // a word may be cut between two pieces
}

// opaque are the keys of what no person wrote.
var opaque = []string{"id", "signature", "encrypted_content", "thoughtSignature", "responseId", "system_fingerprint", "obfuscation"}

func walkTexts(v any, out *[]string) {
	switch v := v.(type) {
	case string:
		*out = append(*out, v)
	case []any:
		for _, e := range v {
			walkTexts(e, out)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !slices.Contains(opaque, key) {
				walkTexts(v[key], out)
			}
		}
	}
}
