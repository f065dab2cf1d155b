package controller

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const least = `{"name":"n","version":1,"weights":{"prompt":{},"output":{}},"cues":[],"cuts":{"warn":0.25,"redact":0.5,"refuse":0.75},"texts":{"en":{"warn":"w","redact":"r","refuse":"f"}}}`

func TestParsePolicyIsStrict(t *testing.T) {
	replace := func(old, with string) string { return strings.Replace(least, old, with, 1) }
	cue := func(s string) string { return replace(`"cues":[]`, `"cues":[`+s+`]`) }
	for _, c := range []struct{ name, data, want string }{
		{"unknown field", replace(`"name"`, `"nam":"x","name"`), `unknown field "nam"`},
		{"unknown field inside", replace(`"warn":0.25`, `"warn":0.25,"stop":1`), `unknown field "stop"`},
		{"unknown field of a cue", cue(`{"lang":"en","class":"pressure","words":["a"],"regex":true}`), `unknown field "regex"`},
		{"another case", replace(`"cuts"`, `"Cuts"`), `unknown field "Cuts"`},
		{"twice", replace(`"version":1`, `"version":1,"version":2`), `field "version": stands twice`},
		{"an earlier form", replace(`"cues"`, `"prompt"`), `unknown field "prompt"`},
		{"unknown feature", replace(`"prompt":{}`, `"prompt":{"tone":1}`), "weights.prompt.tone: is no feature of it (want one of step_by_step, "},
		{"feature of the other side", replace(`"output":{}`, `"output":{"disguise":1}`), "weights.output.disguise: is no feature of it (want one of numbered_steps, "},
		{"a weight that lowers", replace(`"prompt":{}`, `"prompt":{"educational":-0.1}`), "weights.prompt.educational: -0.1 (want a number from 0 to 1)"},
		{"cuts out of order", replace(`0.25`, `0.6`), "cuts: warn 0.6, redact 0.5, refuse 0.75 (want them in ascending order)"},
		{"negative cut", replace(`0.25`, `-1`), "cuts: [-1 0.5 0.75] (want finite values of 0 or more)"},
		{"no text", replace(`"f"`, `" "`), "texts.en.refuse: is empty (want a text to show)"},
		{"no fallback", replace(`"en"`, `"zh"`), "texts.en: is missing"},
		{"no word", cue(`{"lang":"en","class":"pressure","words":[" -* "]}`), `cues[0].words[0]: " -* " holds no word`},
		{"no words", cue(`{"lang":"en","class":"pressure","words":[]}`), "cues[0].words: is empty (want at least one phrase)"},
		{"no language", cue(`{"class":"pressure","words":["a"]}`), "cues[0].lang: is empty"},
		{"unknown class", cue(`{"lang":"en","class":"tone","words":["a"]}`), `cues[0].class: unknown value "tone" (want one of disguise, educational, `},
		{"class of the other side", cue(`{"lang":"en","class":"disguise","where":"output","words":["a"]}`), `cues[0].class: unknown value "disguise" (want one of numbered_steps, `},
		{"unknown side", cue(`{"lang":"en","class":"disguise","where":"draft","words":["a"]}`), `cues[0].where: unknown value "draft"`},
		{"weight of a cue", cue(`{"lang":"en","class":"pressure","words":["a"],"weight":1.5}`), "cues[0].weight: 1.5 (want above 0 and at most 1, or nothing)"},
		{"the same phrase", cue(`{"lang":"en","class":"pressure","words":["a b"]},{"lang":"de","class":"disguise","words":["A-B"]}`), `cues[1].words[0]: "A-B" stands in cues[0].words[0] too`},
		{"a unit without words", replace(`"cuts"`, `"units":[{"lang":"en","say":"some","words":[]}],"cuts"`), "units[0].words: has none"},
		{"a mark that is a cue", replace(`"cues":[]`, `"cues":[{"lang":"en","class":"sequentiality","words":["r"]}]`), "texts.en.redact: is itself what is looked for"},
		{"a mark that is a step", replace(`"r"`, `"1. r"`), "texts.en.redact: is itself what is looked for"},
		{"two values", least + "{}", "more than one value"},
		{"cut off", least[:40], "unexpected EOF"},
		{"empty", "", "EOF"},
		{"not an object", "[]", "cannot unmarshal array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParsePolicy("p.json", []byte(c.data))
			if err == nil || !strings.HasPrefix(err.Error(), "p.json: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want p.json: and %q in it", err, c.want)
			}
		})
	}
	if _, err := ParsePolicy("p.json", []byte(least)); err != nil {
		t.Error(err)
	}
}

func TestValidateReportsEveryProblem(t *testing.T) {
	err := Policy{}.Validate()
	for _, want := range []string{"name: ", "version: ", "texts.en: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

// Whatever changes what a controller does changes its digest, and nothing else.
func TestDigestHoldsPolicyAndConfiguration(t *testing.T) {
	changes := map[string]func(*Policy, *Config){
		"cut":     func(p *Policy, _ *Config) { p.Cuts.Warn = 0.3 },
		"weight":  func(p *Policy, _ *Config) { p.Weights.Output["precision"] = 0.5 },
		"words":   func(p *Policy, _ *Config) { p.Cues[0].Words[0] = "another thing" },
		"text":    func(p *Policy, _ *Config) { p.Texts["de"] = p.Texts["en"] },
		"unit":    func(p *Policy, _ *Config) { p.Units[0].Say = "a while" },
		"scores":  func(_ *Policy, c *Config) { c.Scores = ScoresPrompt },
		"actions": func(_ *Policy, c *Config) { c.Actions = ActionsNone },
		"ablate":  func(_ *Policy, c *Config) { c.Ablate = []string{"precision"} },
	}
	want := built(t, Default()).Digest()
	seen := map[string]string{want: "nothing"}
	for name, change := range changes {
		p, c := Default(), Config{}
		change(&p, &c)
		ctl, err := NewWith(p, c)
		if err != nil {
			t.Fatal(name, err)
		}
		if before, ok := seen[ctl.Digest()]; ok {
			t.Errorf("%s: the digest of %s", name, before)
		}
		seen[ctl.Digest()] = name
	}
	for name, c := range map[string]Config{"named": {Scores: ScoresBoth, Actions: ActionsAll}, "empty": {Ablate: []string{}}} {
		ctl, err := NewWith(Default(), c)
		if err != nil || ctl.Digest() != want || ctl.Digest() != Default().Digest() {
			t.Errorf("%s: digest %s, %v, want that of the policy", name, ctl.Digest(), err)
		}
	}
	a, _ := NewWith(Default(), Config{Ablate: []string{"precision", "disguise"}})
	b, _ := NewWith(Default(), Config{Ablate: []string{"disguise", "precision", "disguise"}})
	if a.Digest() != b.Digest() {
		t.Error("the order of what is ablated changes the digest")
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{Scores: "none"}, `controller: scores: unknown value "none" (want both, prompt or output)`},
		{Config{Actions: "warn"}, `controller: actions: unknown value "warn" (want all, refuse or none)`},
		{Config{Ablate: []string{"tone"}}, `controller: ablate: unknown value "tone" (want some of disguise, educational, `},
	} {
		if _, err := NewWith(Default(), c.config); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.config, err, c.want)
		}
	}
}

// The reference policy has every feature that the paper names, and cues for
// each that is not of form alone, in English and Chinese.
func TestDefaultIsComplete(t *testing.T) {
	p := Default()
	for _, s := range []struct {
		where   string
		weights map[string]float64
		form    []string
	}{
		{"prompt", p.Weights.Prompt, []string{"numeric_density"}},
		{"output", p.Weights.Output, []string{"numbered_steps", "numeric_density"}},
	} {
		for _, name := range Features(s.where) {
			if _, ok := s.weights[name]; !ok {
				t.Errorf("%s: %s has no weight", s.where, name)
			}
			for _, lang := range []string{"en", "zh"} {
				has := slices.ContainsFunc(p.Cues, func(c Cue) bool { return c.Lang == lang && c.Class == name && c.on(s.where) })
				if !has && !slices.Contains(s.form, name) {
					t.Errorf("%s: %s has no cue in %s", s.where, name, lang)
				}
			}
		}
	}
	if got := p.Weights.Prompt["educational"]; got != 0 {
		t.Errorf("educational framing weighs %v, want 0", got)
	}
	if got, want := p.languages(), []string{"de", "en", "es", "fr", "zh"}; !slices.Equal(got, want) {
		t.Errorf("texts in %v, want %v", got, want)
	}
	if _, ok := Builtin("other"); ok || len(Names()) != 1 {
		t.Errorf("names %v, want one", Names())
	}
	if q, ok := Builtin(Names()[0]); !ok || q.Digest() != p.Digest() {
		t.Error("the named policy is not the default one")
	}
	p.Cues[0].Words[0], p.Weights.Prompt["pressure"] = "changed", 1
	if p.Digest() == Default().Digest() {
		t.Error("two callers share one policy")
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte(least))
	data, err := json.Marshal(Default())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePolicy("p", data)
		if err != nil {
			return
		}
		out, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParsePolicy("p", out)
		if err != nil || !reflect.DeepEqual(normalised(p), normalised(again)) {
			t.Errorf("got %v, %v, want %v", again, err, p)
		}
		if _, err := New(p); err != nil {
			t.Error(err)
		}
	})
}

// normalised has no empty list where none would do, since JSON leaves them out.
func normalised(p Policy) Policy {
	if len(p.Units) == 0 {
		p.Units = nil
	}
	p.Units = slices.Clone(p.Units)
	for i := range p.Units {
		if len(p.Units[i].Free) == 0 {
			p.Units[i].Free = nil
		}
	}
	return p
}
