package run

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/quarantine"
)

// Sealer encrypts what is locked away. It is safe for concurrent use.
type Sealer interface {
	Seal(payload []byte) ([]byte, error)
}

// RealHazard is the rule under which everything is withheld, whatever stands in
// it, of a study of real hazardous requests.
const RealHazard = "hazard: real"

// Hit reports whether a withheld text was found by a rule, and is not withheld
// for the study's sake alone.
func Hit(w uplift.Withheld) bool { return hit(w.Rules) }

func hit(rules []string) bool {
	return slices.ContainsFunc(rules, func(r string) bool { return r != RealHazard })
}

// guarded is a [Keeper] that lets no text through in which the output profile
// finds something. The record of such a text, sealed for the reviewers, is kept
// first, and then the call, attempt or response without it.
type guarded struct {
	Keeper
	profile *glass
	vault   Sealer // nil: the text is dropped
	hazard  bool   // every text is withheld
	now     func() time.Time
}

// withheldError stands for a provider's words on a failure that are withheld.
const withheldError = "the provider's words are withheld"

// putCall keeps a call with its last attempts. withheld is the id of what is
// locked away of it; empty when nothing is.
func (g *guarded) putCall(ctx context.Context, c uplift.Call, last ...uplift.Attempt) (withheld string, err error) {
	rules := union(g.look(c.Text, c.Reasoning), g.body(c.Details))
	for i := range last {
		if err := g.open(ctx, &last[i], rules); err != nil {
			return "", err
		}
	}
	if g.look(c.Err) != nil { // the attempt holds it
		c.Err = withheldError
	}
	c.Reason, c.Version, c.RequestID = g.word(c.Reason), g.word(c.Version), g.word(c.RequestID) // the body holds them
	p := quarantine.Payload{Of: "call " + c.Digest}
	p.Put(quarantine.Text, c.Text)
	p.Put(quarantine.Reasoning, c.Reasoning)
	p.Put(quarantine.Details, c.Details)
	if rules != nil {
		c.Withheld, err = g.lock(ctx, p, rules)
		c.Text, c.Reasoning, c.Details = "", "", ""
	}
	if err != nil {
		return "", err
	}
	return c.Withheld, g.PutCall(ctx, c, last...)
}

// withheldWord stands for a word of a provider's that is withheld.
const withheldWord = "withheld"

// word is what may stand of a provider's reason, version, id or header: a word, but
// no text that is withheld. Such a word is one without a space or a sequence.
func (g *guarded) word(s string) string {
	if strings.ContainsFunc(s, unicode.IsSpace) && g.look(s) != nil || g.profile.opaque(s) != nil {
		return withheldWord
	}
	return s
}

// putAttempt keeps a failed attempt.
func (g *guarded) putAttempt(ctx context.Context, a uplift.Attempt) error {
	if err := g.open(ctx, &a, nil); err != nil {
		return err
	}
	return g.PutAttempt(ctx, a)
}

// open makes an attempt's record open. rules are those of its call, whose texts
// stand in its body too.
func (g *guarded) open(ctx context.Context, a *uplift.Attempt, rules []string) (err error) {
	p := quarantine.Payload{Of: fmt.Sprintf("attempt %s %d", a.Call, a.N)}
	if rules = union(rules, g.body(string(a.Raw))); rules != nil && len(a.Raw) > 0 {
		p.PutRaw(a.Raw)
		a.Raw = nil
	}
	if said := g.look(a.Err); said != nil {
		p.Put(quarantine.Problem, a.Err)
		a.Err, rules = withheldError, union(rules, said)
	}
	a.Headers = maps.Clone(a.Headers)
	for name, value := range a.Headers {
		if g.word(name) != name {
			delete(a.Headers, name)
			continue
		}
		a.Headers[name] = g.word(value)
	}
	if len(p.Parts) > 0 {
		a.Withheld, err = g.lock(ctx, p, rules)
	}
	return err
}

// putResponse keeps a response, and says whether a rule found something in it.
func (g *guarded) putResponse(ctx context.Context, r uplift.Response) (found bool, err error) {
	texts := []string{r.Text, r.Draft}
	for _, m := range r.Transcript {
		if m.Role != uplift.User || g.hazard {
			texts = append(texts, m.Text)
		}
	}
	rules := g.look(texts...)
	if g.look(r.Detail) != nil {
		r.Detail = withheldError
	}
	if g.hazard { // what was asked is as hazardous as what was said
		r.Item.Turns, r.Item.Next = nil, nil
	}
	if rules != nil {
		p := quarantine.Payload{Of: "response " + r.ID()}
		p.Put(quarantine.Text, r.Text)
		p.Put(quarantine.Draft, r.Draft)
		if len(r.Transcript) > 0 {
			talk, err := json.Marshal(r.Transcript)
			if err != nil {
				return false, err
			}
			p.Put(quarantine.Transcript, string(talk))
		}
		if r.Withheld, err = g.lock(ctx, p, rules); err != nil {
			return false, err
		}
		r.Text, r.Draft, r.Transcript = "", "", nil
	}
	return hit(rules), g.PutResponse(ctx, r)
}

// lock keeps the record of a payload and gives its id.
func (g *guarded) lock(ctx context.Context, p quarantine.Payload, rules []string) (id string, err error) {
	b := p.Encode()
	w := p.Record(b, rules, g.now())
	if g.vault != nil {
		if w.Sealed, err = g.vault.Seal(b); err != nil {
			return "", fmt.Errorf("seal what is withheld of %s: %w", p.Of, err)
		}
	}
	return w.ID, g.PutWithheld(ctx, w)
}

// look gives the rules by which texts are withheld, sorted; nil when they may
// stand.
func (g *guarded) look(texts ...string) (rules []string) {
	for _, text := range texts {
		if text == "" || text == withheldError || text == lockedAway {
			continue
		}
		if g.hazard {
			rules = union(rules, []string{RealHazard})
		}
		rules = union(rules, g.profile.look(text))
	}
	return rules
}

// body gives the rules by which a body, or JSON of it, is withheld.
func (g *guarded) body(s string) []string {
	w := read(s)
	rules := union(g.look(w.texts...), g.profile.look(w.names))
	for _, text := range w.opaque {
		rules = union(rules, g.profile.opaque(text))
	}
	return rules
}

// union of two sorted lists; neither is changed.
func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
