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
	const outside = "be35ac9ca12121688cd37064f8a531203ed52766d26568893a3a60301020a771"
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
		"limits":        small + "limits: {concurrency: 3, max_requests: 9, tokens_per_minute: 7, models: {m: {requests_per_minute: 5}}}\n",
		"raw":           small + "raw: keep\n",
		"no null":       strings.Replace(small, "system: hello", "system: hello, 'null': false", 1),
		"empty client":  strings.Replace(small, "system: hello", "system: hello, client: {}", 1),
	} {
		if got := mustParse(t, src).Digest(); got != want {
			t.Errorf("%s: got another digest, of\n%s", name, mustParse(t, src).Canonical())
		}
	}
}

// What a controller does when nothing is said may be said.
func TestDigestIgnoresTheUsualController(t *testing.T) {
	plain := strings.Replace(small, "hello", "hello, controller: {policy: default}", 1)
	said := strings.Replace(small, "hello", "hello, controller: {policy: default, scores: both, actions: all, scan: {roles: [user], turns: all, reasoning: false}, on_error: refuse}", 1)
	if a, b := mustParse(t, plain), mustParse(t, said); a.Digest() != b.Digest() {
		t.Errorf("got  %s\nwant %s", b.Canonical(), a.Canonical())
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
		{"headers", "system: hello", "system: hello, headers: {x-guard: 'on'}, same_base: vendor"},
		{"other headers", "system: hello", "system: hello, headers: {x-guard: 'off'}, same_base: vendor"},
		{"key", "system: hello", "system: hello, key_env: KEY, same_base: vendor"},
		{"null", "system: hello", "null: true"},
		{"without", "system: hello", "system: {file: prompts/parts.md}"},
		{"without a part", "system: hello", "system: {file: prompts/parts.md, without: [Style]}"},
		{"prompt only", "system: hello", "system: hello, controller: {policy: default, scores: prompt}"},
		{"monitor only", "system: hello", "system: hello, controller: {policy: default, actions: none}"},
		{"ablated", "system: hello", "system: hello, controller: {policy: default, ablate: [noun]}"},
		{"last turn", "system: hello", "system: hello, controller: {policy: default, scan: {turns: last}}"},
		{"reasoning", "system: hello", "system: hello, controller: {policy: default, scan: {reasoning: true}}"},
		{"rewriter", "system: hello", "system: hello, controller: {policy: default, rewriter: {model: m}}"},
		{"timeout", "system: hello", "system: hello, controller: {http: 'http://h', timeout_seconds: 3}"},
		{"usual timeout", "system: hello", "system: hello, controller: {http: 'http://h'}"},
		{"hashes of bodies", "name: s", "name: s\nraw: hash"},
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
	for _, src := range []string{small, labels, example, extended, policy, tasks} {
		s := mustParse(t, src)
		again := mustParse(t, string(s.Canonical()))
		if again.Digest() != s.Digest() {
			t.Errorf("got  %s\nwant %s", again.Canonical(), s.Canonical())
		}
	}
}
