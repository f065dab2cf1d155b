package controller

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const least = `{"name":"n","version":1,"prompt":[],"output":[],"cuts":{"warn":0.25,"redact":0.5,"refuse":0.75},"texts":{"warn":"w","redact":"r","refuse":"f"}}`

func TestParsePolicyIsStrict(t *testing.T) {
	replace := func(old, with string) string { return strings.Replace(least, old, with, 1) }
	for _, c := range []struct{ name, data, want string }{
		{"unknown field", replace(`"name"`, `"nam":"x","name"`), `unknown field "nam"`},
		{"unknown field inside", replace(`"warn":0.25`, `"warn":0.25,"stop":1`), `unknown field "stop"`},
		{"another case", replace(`"cuts"`, `"Cuts"`), `unknown field "Cuts"`},
		{"twice", replace(`"version":1`, `"version":1,"version":2`), `field "version": stands twice`},
		{"cuts out of order", replace(`0.25`, `0.6`), "cuts: warn 0.6, redact 0.5, refuse 0.75 (want them in ascending order)"},
		{"negative cut", replace(`0.25`, `-1`), "cuts: [-1 0.5 0.75] (want finite values of 0 or more)"},
		{"no text", replace(`"f"`, `" "`), "texts.refuse: is empty (want a text to show)"},
		{"cue without a word", replace(`"prompt":[]`, `"prompt":[{"words":" -* ","class":"c","weight":1}]`), `prompt[0]: words: " -* " holds no word`},
		{"weight", replace(`"output":[]`, `"output":[{"words":"a","class":"c","weight":0}]`), "output[0]: weight: 0 (want above 0 and at most 1)"},
		{"the same cue", replace(`"output":[]`, `"output":[{"words":"a b","class":"c","weight":1},{"words":"A-B","class":"c","weight":1}]`), `output[1]: words: "A-B" stands in the list twice`},
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
}

func TestValidateReportsEveryProblem(t *testing.T) {
	err := Policy{}.Validate()
	for _, want := range []string{"name: ", "version: ", "texts.warn: ", "texts.redact: ", "texts.refuse: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestDigestHoldsPolicyAndCuts(t *testing.T) {
	a, b, c := Default(), Default(), Default()
	b.Cuts.Warn = 0.3
	c.Prompt[0].Weight = 0.5
	if a.Digest() != Default().Digest() || a.Digest() == b.Digest() || a.Digest() == c.Digest() {
		t.Errorf("digests %s, %s, %s: want equal policies equal and others apart", a.Digest(), b.Digest(), c.Digest())
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte(least))
	f.Add(defaultPolicy)
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
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Errorf("got %v, %v, want %v", again, err, p)
		}
		if _, err := New(p); err != nil {
			t.Error(err)
		}
	})
}
