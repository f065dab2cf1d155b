package study

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// The canonical form was written by hand and hashed by another program.
func TestDigestIsThatOfTheCanonicalForm(t *testing.T) {
	const canonical = `{"audit":{"double":0.25,"mode":"blocks","preset":"powered","rows":600},` +
		`"benchmark":{"attacks":"standard","set":"builtin"},` +
		`"conditions":[{"name":"a","system":"hello"}],` +
		`"endpoints":{"risk":{"scale":"actionability","tiers":["harmful"]},"utility":{"scale":"correctness","tiers":["benign"]}},` +
		`"limits":{"concurrency":16},` +
		`"models":[{"model":"sim","name":"m","provider":"sim","sampling":{"max_tokens":1024}}],` +
		`"name":"s","provider_blocks":"count","reference":"a","replicates":1,"seed":1}`
	s := mustParse(t, small)
	if got := string(s.Canonical()); got != canonical {
		t.Errorf("canonical form:\ngot  %s\nwant %s", got, canonical)
	}
	sum := sha256.Sum256([]byte(canonical))
	if got, want := s.Digest(), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest: got %s, want %s", got, want)
	}
	const outside = "8b28dfad1ac7c704a7dfcce6539944b94bbdecbccb45577e02e04a1195e65181"
	if got := s.Digest(); got != outside {
		t.Errorf("digest: got %s, want %s", got, outside)
	}
}

func TestDigestIgnoresHowAStudyIsWritten(t *testing.T) {
	want := mustParse(t, small).Digest()
	for name, src := range map[string]string{
		"comments":      "# why\n" + strings.ReplaceAll(small, "\n", " # so\n"),
		"order of keys": "conditions: [{system: hello, name: a}]\nmodels: [{provider: sim, name: m}]\nbenchmark: {set: builtin}\nname: s\n",
		"block style":   "name: 's'\nbenchmark:\n  set: builtin\nmodels:\n- name: m\n  provider: sim\nconditions:\n  - name: a\n    system: |-\n      hello\n",
		"json":          `{"name":"s","benchmark":{"set":"builtin"},"models":[{"name":"m","provider":"sim"}],"conditions":[{"name":"a","system":"hello"}]}`,
		"line ends":     strings.ReplaceAll(small, "\n", "\r\n"),
		"mark":          "\ufeff" + small,
		"defaults":      small + "reference: a\nreplicates: 1\nseed: 1\nprovider_blocks: count\nlimits: {concurrency: 16}\naudit: {double: 0.25}\n",
		"better":        small + "endpoints: {risk: {scale: actionability, tiers: [harmful], better: lower}, utility: {scale: correctness, tiers: [benign], better: higher}}\n",
		"endpoints":     small + "endpoints: {risk: {scale: actionability, tiers: [harmful]}, utility: {scale: correctness, tiers: [benign]}}\n",
		"attacks":       strings.Replace(small, "set: builtin", "set: builtin, attacks: standard", 1),
		"empty client":  strings.Replace(small, "system: hello", "system: hello, client: {}", 1),
	} {
		if got := mustParse(t, src).Digest(); got != want {
			t.Errorf("%s: got another digest, of\n%s", name, mustParse(t, src).Canonical())
		}
	}
}

func TestDigestSeesWhatMatters(t *testing.T) {
	base := mustParse(t, small).Digest()
	seen := map[string]string{base: "small"}
	for _, edit := range []struct{ name, old, new string }{
		{"name", "name: s", "name: t"},
		{"prompt", "hello", "hello."},
		{"prompt file", "system: hello", "system: {file: prompts/helpful.md}"},
		{"another prompt file", "system: hello", "system: {file: prompts/safety.md}"},
		{"tasks", "set: builtin", "file: tasks.jsonl"},
		{"attacks", "set: builtin", "set: builtin, attacks: [direct]"},
		{"order of attacks", "set: builtin", "set: builtin, attacks: [direct, paraphrase]"},
		{"other order of attacks", "set: builtin", "set: builtin, attacks: [paraphrase, direct]"},
		{"endpoint", "name: s", "name: s\nendpoints: {help: {scale: correctness, tiers: [benign]}}"},
		{"endpoint turned", "name: s", "name: s\nendpoints: {help: {scale: correctness, tiers: [benign], better: lower}}"},
		{"margin", "name: s", "name: s\nendpoints: {risk: {scale: actionability, tiers: [harmful], margin: 0.05}, utility: {scale: correctness, tiers: [benign]}}"},
		{"seed", "name: s", "name: s\nseed: 0"},
		{"double", "name: s", "name: s\naudit: {double: 0}"},
		{"temperature", "provider: sim", "provider: sim, sampling: {temperature: 0}"},
		{"controller", "system: hello", "system: hello, controller: {policy: default}"},
		{"policy file", "system: hello", "system: hello, controller: {policy: {file: policy.json}}"},
		{"failing open", "system: hello", "system: hello, controller: {policy: default, on_error: allow}"},
	} {
		s := mustParse(t, strings.Replace(small, edit.old, edit.new, 1))
		if other, same := seen[s.Digest()]; same {
			t.Errorf("%s has the digest of %s", edit.name, other)
		}
		seen[s.Digest()] = edit.name
	}
}

func TestDigestSeesThePromptNotItsFile(t *testing.T) {
	inline := mustParse(t, strings.Replace(small, "hello", `"Help.\n"`, 1))
	file := mustParse(t, strings.Replace(small, "hello", "{file: prompts/helpful.md}", 1))
	if inline.Digest() != file.Digest() {
		t.Errorf("in place %s, in a file %s", inline.Canonical(), file.Canonical())
	}
}

func TestCanonicalFormIsAStudy(t *testing.T) {
	policy := strings.Replace(example, "policy: default", "policy: {file: policy.json}", 1)
	tasks := strings.Replace(policy, "{set: builtin, splits: [test], attacks: standard}", "{file: tasks.jsonl}", 1)
	for _, src := range []string{small, labels, example, policy, tasks} {
		s := mustParse(t, src)
		again := mustParse(t, string(s.Canonical()))
		if again.Digest() != s.Digest() {
			t.Errorf("got  %s\nwant %s", again.Canonical(), s.Canonical())
		}
	}
}
