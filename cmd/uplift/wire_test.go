package main

import (
	"strings"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
)

// wiredFrom makes the conditions of a study's first model, by name.
func wiredFrom(t *testing.T, env *Env, models, conditions string) (map[string]access.Condition, error) {
	t.Helper()
	src := "name: s\nbenchmark: {set: builtin}\nmodels: [" + models + "]\nrewriters: [{name: w, provider: openai, model: y, sampling: {max_tokens: 7}}]\nreference: a\nconditions:\n" + conditions
	s, err := knownNames().Parse("study.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{env: env, plan: s.Plan(), clients: map[string]model.Model{}}
	out := map[string]access.Condition{}
	for _, c := range b.plan.Conditions.List {
		if out[c.Name], err = b.condition(b.plan.Models[0], c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const realModel = `{name: m, provider: openai, model: x, sampling: {temperature: 0.5, max_tokens: 9}}`

// Conditions that ask alike share calls, and others never do.
func TestConditionsShareCallsByEndpoint(t *testing.T) {
	got, err := wiredFrom(t, nil, realModel, `  - {name: a, system: help}
  - {name: same, system: help, model: x, same_base: word}
  - {name: drafts, draft: a, controller: {policy: default}}
  - {name: guard, system: help, headers: {X-Guard: "on"}, same_base: word}
  - {name: guard-again, system: help, headers: {x-guard: "on"}, same_base: another word}
  - {name: guard-drafts, draft: guard, controller: {policy: default}}
  - {name: off, system: help, headers: {x-guard: "off"}, same_base: word}
  - {name: name, system: help, model: z, same_base: word}
  - {name: place, system: help, base_url: "http://127.0.0.1:1/v1", same_base: word}
  - {name: key, system: help, base_url: "http://127.0.0.1:1/v1", key_env: K, same_base: word}
`)
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string][]string{}
	for name, c := range got {
		req := model.Request{System: c.System, Sampling: c.Sampling}
		upstream := c.Upstream
		if upstream == "" {
			upstream = c.ModelName
		}
		d := req.Digest(upstream)
		digests[d] = append(digests[d], name)
	}
	sizes := map[int]int{}
	for _, names := range digests {
		sizes[len(names)]++
	}
	if len(digests) != 6 || sizes[3] != 2 || sizes[1] != 4 {
		t.Errorf("got %v, want a, same and drafts; the three guards; and four alone", digests)
	}
	if c := got["a"]; c.Upstream != "" || *c.Sampling.Temperature != .5 || *c.Sampling.MaxTokens != 9 {
		t.Errorf("the model's own place: %+v, want no name of its own and the model's sampling", c)
	}
}

func TestControllersOfConditions(t *testing.T) {
	got, err := wiredFrom(t, nil, realModel, `  - {name: a, system: help}
  - {name: "null", null: true}
  - {name: whole, draft: a, controller: {policy: default, on_error: allow, scan: {roles: [user, assistant], turns: last, reasoning: true}}}
  - {name: watch, draft: a, controller: {policy: default, actions: none}}
  - {name: outside, draft: a, controller: {http: "http://127.0.0.1:1/score", scores: prompt, actions: refuse, cuts: {warn: 0.1, redact: 0.2, refuse: 0.3}, timeout_seconds: 2.5}}
  - {name: rewritten, draft: a, controller: {policy: default, rewriter: {model: w}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	if c := got["null"]; !c.Null || c.Model != nil || c.Controller != nil {
		t.Errorf("null: %+v", c)
	}
	if c := got["whole"]; c.OnError != access.OnErrorAllow || c.Scan != (access.Scan{Assistant: true, Last: true, Reasoning: true}) || c.Rules == nil {
		t.Errorf("whole: %+v", c)
	}
	o, ok := got["outside"].Controller.(*access.Outside)
	if !ok || o.Timeout != 2500*time.Millisecond || o.Scores != "prompt" || o.Actions != "refuse" || o.Cuts.Refuse != .3 || o.Rules == nil {
		t.Errorf("outside: %+v", o)
	}
	if r := got["rewritten"].Rewriter; r == nil || r.ModelName != "w" || *r.Sampling.MaxTokens != 7 || r.Model == nil {
		t.Errorf("rewritten: %+v", r)
	}
	seen := map[string]bool{}
	for _, name := range []string{"whole", "watch", "outside", "rewritten"} {
		if d := got[name].Digest(); seen[d] || len(d) != 64 {
			t.Errorf("%s: digest %q, want one of its own", name, d)
		} else {
			seen[d] = true
		}
	}
}

// What a lock holds of a controller is what its decisions carry.
func TestLockedDigestIsThatOfDecisions(t *testing.T) {
	const conditions = `  - {name: a, system: help}
  - {name: plain, draft: a, controller: {policy: default}}
  - {name: scanned, draft: a, controller: {policy: default, scan: {turns: last}}}
  - {name: rewritten, draft: a, controller: {policy: default, rewriter: {model: w}}}
  - {name: outside, draft: a, controller: {http: "http://127.0.0.1:1/score"}}
`
	got, err := wiredFrom(t, nil, realModel, conditions)
	if err != nil {
		t.Fatal(err)
	}
	src := "name: s\nbenchmark: {set: builtin}\nmodels: [" + realModel + "]\nrewriters: [{name: w, provider: openai, model: y, sampling: {max_tokens: 7}}]\nreference: a\nconditions:\n" + conditions
	s, err := knownNames().Parse("study.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Plan().Conditions.List[1:] {
		d, err := controllerDigest(s.Plan(), c)
		if err != nil || d != got[c.Name].Digest() {
			t.Errorf("%s: locked %q, %v, want %q", c.Name, d, err, got[c.Name].Digest())
		}
	}
}

func TestWiringRefusesInWords(t *testing.T) {
	env := &Env{Getenv: func(string) string { return "" }, Now: time.Now}
	for name, c := range map[string]struct{ model, condition, want string }{
		"no key":              {realModel, "{name: a}", "conditions: a: model m: the variable OPENAI_API_KEY is not set"},
		"no key of its own":   {realModel, `{name: a, base_url: "https://g.example/v1", key_env: G_KEY, same_base: word}`, "the variable G_KEY is not set"},
		"no key of a writer":  {"{name: m, provider: sim}", "{name: a, controller: {policy: default, rewriter: {model: w}}}", "rewriter: the variable OPENAI_API_KEY is not set"},
		"a server of the sim": {"{name: m, provider: sim}", `{name: a, headers: {x-guard: "on"}, same_base: word}`, "a simulated model has no server"},
	} {
		if _, err := wiredFrom(t, env, c.model, "  - "+c.condition+"\n"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// A study that cannot be asked from here is still counted and replayed.
func TestWithoutAnEnvNothingIsSent(t *testing.T) {
	got, err := wiredFrom(t, nil, realModel, "  - {name: a}\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := got["a"].Respond(t.Context(), access.Request{Turns: []string{"q"}}); err == nil || !strings.Contains(err.Error(), model.ErrNotSent.Error()) {
		t.Errorf("got %v, want that nothing was sent", err)
	}
}

// Classes that a study may ablate are the features of its policy.
func TestKnownClasses(t *testing.T) {
	all, err := classes(study.Policy{Name: "default"})
	if err != nil || len(all) < 10 || !strings.Contains(strings.Join(all, " "), "restricted_workflow") {
		t.Errorf("got %v, %v", all, err)
	}
	if _, err := classes(study.Policy{Name: "none"}); err == nil {
		t.Error("an unknown policy has classes")
	}
}

// Names of headers differ in no letter's case, and no headers are an empty list.
func TestEqualEndpoints(t *testing.T) {
	with := func(h map[string]string) endpoint { return endpoint{Model: "m", Headers: h} }
	for _, c := range []struct {
		name string
		a, b map[string]string
		want bool
	}{
		{"none", nil, map[string]string{}, true},
		{"another case", map[string]string{"X-Guard": "on"}, map[string]string{"x-guard": "on"}, true},
		{"another value", map[string]string{"x-guard": "on"}, map[string]string{"x-guard": "On"}, false},
		{"one more", nil, map[string]string{"x-guard": "on"}, false},
	} {
		if sameEndpoint(with(c.a), with(c.b)) != c.want || (endpointName("m", with(c.a)) == endpointName("m", with(c.b))) != c.want {
			t.Errorf("%s: want the same endpoint and name: %t", c.name, c.want)
		}
	}
}
