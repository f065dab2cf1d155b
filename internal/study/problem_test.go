package study

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// flaws are studies with one thing wrong each. byField marks the flaws that
// the JSON Schema knows too.
var flaws = []struct {
	name, src string
	byField   bool
	want      string
}{
	{"unknown key", labels + "sede: 1\n", true, `6:1: unknown key "sede" (did you mean seed?)`},
	{"unknown key, far from all", edit(small, "set: builtin", "set: builtin, colour: 1"), true,
		`2:27: benchmark: unknown key "colour" (want set, file, format, subset, split, include, sha256, splits or attacks)`},
	{"number for text", edit(small, "name: s", "name: 12"), true, `1:7: name: is the number 12 (want a text; in quotes, if this is meant)`},
	{"truth for text", edit(small, "name: s", "name: true"), true, `1:7: name: is true (want a text; in quotes, if this is meant)`},
	{"text for number", small + "seed: many\n", true, `5:7: seed: is the text "many" (want a whole number from 0 to 9007199254740991)`},
	{"quoted number", small + "seed: \"5\"\n", true, `5:7: seed: is the text "5" (want a whole number from 0 to 9007199254740991)`},
	{"hexadecimal", small + "seed: 0x10\n", false, `5:7: seed: is "0x10", no plain decimal number (want a whole number from 0 to 9007199254740991)`},
	{"leading zero", small + "seed: 010\n", false, `5:7: seed: is "010", no plain decimal number (want a whole number from 0 to 9007199254740991)`},
	{"not a number", small + "audit: {double: .nan}\n", true, `5:17: audit.double: is ".nan", no plain decimal number (want a number from 0 to 1)`},
	{"fraction", small + "seed: 1.5\n", true, `5:7: seed: is 1.5 (want a whole number from 0 to 9007199254740991)`},
	{"huge number", small + "seed: 9007199254740992\n", true, `5:7: seed: is 9007199254740992 (want a whole number from 0 to 9007199254740991)`},
	{"value left out", small + "seed:\n", true, `5:1: seed: is empty (want a whole number from 0 to 9007199254740991)`},
	{"list for mapping", edit(small, "{set: builtin}", "[builtin]"), true, `2:12: benchmark: is a list (want a mapping)`},
	{"mapping for list", edit(small, "[{name: m, provider: sim}]", "{name: m}"), true, `3:9: models: is a mapping (want a list)`},
	{"empty list", edit(small, "[{name: m, provider: sim}]", "[]"), true, `3:9: models: is an empty list (want at least one)`},
	{"wrong word", edit(labels, "imported", "import"), true, `2:13: conditions: unknown value "import" (want imported or a list)`},
	{"list for prompt", edit(small, "hello", "[hello]"), true, `4:32: conditions[0].system: is a list (want a text or {file: path})`},
	{"no name", edit(small, "name: s\n", ""), true, `1:1: name: is missing (want a text)`},
	{"no provider", edit(small, ", provider: sim", ""), true, `3:10: models[0].provider: is missing (want sim, anthropic, gemini or openai)`},
	{"no conditions", "name: s\n", true, `1:1: conditions: is missing (want imported or a list)`},
	{"no models", edit(small, "models: [{name: m, provider: sim}]\n", ""), false, `1:1: models: is missing (want a list of models, or conditions: imported)`},
	{"no benchmark", edit(small, "benchmark: {set: builtin}\n", ""), false, `1:1: benchmark: is missing (want {set: NAME} or {file: path})`},
	{"no endpoints", "name: s\nconditions: imported\n", false, `1:1: endpoints: is missing (want utility and risk with the scale that the labels bring)`},
	{"no endpoint", "name: s\nconditions: imported\nendpoints: {}\n", true, `3:12: endpoints: is empty (want at least one)`},
	{"twice in a mapping", small + "seed: 1\nseed: 2\n", false, `6:1: seed: is set twice (the first time in line 5)`},
	{"same model twice", edit(small, "provider: sim}", "provider: sim}, {name: m, provider: sim}"), false, `3:43: models[1].name: "m" is taken by models[0]`},
	{"same condition twice", edit(small, "hello}", "hello}, {name: a}") + "reference: a\n", false, `4:47: conditions[1].name: "a" is taken by conditions[0]`},
	{"same split twice", edit(small, "set: builtin", "set: builtin, splits: [dev, dev]"), true, `2:41: benchmark.splits[1]: "dev" stands twice in the list`},
	{"leading hyphen", edit(small, "name: s", "name: -s"), true, `1:7: name: "-s" is no usable value (want letters, digits, dot, underscore and hyphen, and no dot or hyphen first)`},
	{"slash in a name", edit(small, "name: a", "name: a/b"), true, `4:21: conditions[0].name: "a/b" is no usable value (want letters, digits, dot, underscore and hyphen, and no dot or hyphen first)`},
	{"long name", edit(small, "name: s", "name: "+strings.Repeat("x", 65)), true, `1:7: name: has 65 characters (want at most 64)`},
	{"endpoint's name", edit(labels, "risk:", "r*sk:"), true, `5:3: endpoints.r*sk: "r*sk" is no usable value (want letters, digits, dot, underscore and hyphen, and no dot or hyphen first)`},
	{"unknown tier", edit(labels, "[harmful]", "[harmfull]"), true, `5:37: endpoints.risk.tiers[0]: unknown value "harmfull" (want benign, borderline or harmful)`},
	{"unknown provider", edit(small, "sim", "simm"), true, `3:30: models[0].provider: unknown value "simm" (want sim, anthropic, gemini or openai)`},
	{"unknown reference", small + "reference: b\n", false, `5:12: reference: "b" is no condition (want a)`},
	{"no reference", edit(small, "hello}", "hello}, {name: b}"), false, `1:1: reference: is missing (want a or b)`},
	{"unknown draft", edit(small, "system: hello", "draft: b, controller: {policy: default}"), false, `4:31: conditions[0].draft: "b" is no condition (want a)`},
	{"draft of itself", edit(small, "system: hello", "draft: a, controller: {policy: default}"), false,
		`4:31: conditions[0].draft: goes round in a circle: a -> a (want a condition with a system prompt of its own)`},
	{"draft without controller", edit(small, "hello}", "hello}, {name: b, draft: a}") + "reference: a\n", false,
		`4:57: conditions[1].draft: changes nothing without a controller (want controller)`},
	{"draft beside system", edit(small, "hello}", "hello}, {name: b, draft: a, system: x, controller: {policy: default}}") + "reference: a\n", false,
		`4:68: conditions[1].system: stands beside draft, whose condition brings its own (leave one out)`},
	{"draft of a controlled one", edit(small, "hello}", "hello, controller: {policy: default}}, {name: b, draft: a, controller: {policy: default}}") + "reference: a\n", false,
		`4:88: conditions[1].draft: "a" has a controller itself (want a condition without one)`},
	{"hot", edit(small, "sim}", "sim, sampling: {temperature: 2.1}}"), true, `3:59: models[0].sampling.temperature: is 2.1 (want a number from 0 to 2)`},
	{"hot for anthropic", edit(small, "sim}", "anthropic, model: x, sampling: {temperature: 1.5}}"), false,
		`3:75: models[0].sampling.temperature: is 1.5 (want from 0 to 1 for the provider anthropic)`},
	{"no tokens", edit(small, "sim}", "sim, sampling: {max_tokens: 0}}"), true, `3:58: models[0].sampling.max_tokens: is 0 (want a whole number from 1 to 1000000)`},
	{"provider without model", edit(small, "sim", "openai"), false, `3:10: models[0].model: is missing (want the name that openai gives the model)`},
	{"form of another provider", edit(small, "sim}", "gemini, model: x, api: chat}"), false, `3:53: models[0].api: means nothing for the provider gemini (leave it out)`},
	{"address of the simulation", edit(small, "sim}", "sim, base_url: 'http://a'}"), false, `3:45: models[0].base_url: means nothing for the provider sim (leave it out)`},
	{"no address", edit(small, "sim}", "openai, model: x, base_url: localhost}"), false,
		`3:58: models[0].base_url: "localhost" is no address (want http://HOST/PATH or https://HOST/PATH)`},
	{"credentials", edit(small, "sim}", "openai, model: x, base_url: 'http://u:p@h'}"), false,
		`3:58: models[0].base_url: holds credentials (want them in the environment)`},
	{"query", edit(small, "sim}", "openai, model: x, base_url: 'http://h/?k=1'}"), false,
		`3:58: models[0].base_url: "http://h/?k=1" has a query or a fragment (want scheme, host and path alone, or also ?api-version=VERSION)`},
	{"query of another form", edit(small, "sim}", "gemini, model: x, base_url: 'http://h/?api-version=1'}"), false,
		`3:58: models[0].base_url: "http://h/?api-version=1" has a query or a fragment (want scheme, host and path alone)`},
	{"query of two", edit(small, "sim}", "openai, model: x, base_url: 'http://h/?api-version=1&k=1'}"), false,
		`3:58: models[0].base_url: "http://h/?api-version=1&k=1" has a query or a fragment (want scheme, host and path alone, or also ?api-version=VERSION)`},
	{"version with a fragment", edit(small, "sim}", "openai, model: x, base_url: 'http://h/?api-version=1#a'}"), false,
		`3:58: models[0].base_url: "http://h/?api-version=1#a" has a query or a fragment (want scheme, host and path alone, or also ?api-version=VERSION)`},
	{"key for a version", edit(small, "sim}", "openai, model: x, base_url: 'http://h/?api-version=sk-1'}"), false,
		`3:58: models[0].base_url: "http://h/?api-version=sk-1" has a query or a fragment (want scheme, host and path alone, or also ?api-version=VERSION)`},
	{"version for other forms", edit(edit(small, "sim}", "openai, model: x}, {name: n, provider: gemini, model: y}"), "hello", "hello, same_base: m, base_url: 'http://h/?api-version=1'"), false,
		`4:63: conditions[0].base_url: "http://h/?api-version=1" has a query or a fragment (want scheme, host and path alone)`},
	{"filters of another provider", edit(small, "sim}", "openai, model: x, safety: block_none}"), false,
		`3:56: models[0].safety: means nothing for the provider openai (leave it out)`},
	{"unknown filter", edit(small, "sim}", "gemini, model: x, safety: none}"), true,
		`3:56: models[0].safety: unknown value "none" (want off, block_none, block_only_high, block_medium_and_above or block_low_and_above)`},
	{"two controllers", edit(small, "hello", "hello, controller: {policy: default, http: 'http://h'}"), false,
		`4:75: conditions[0].controller.http: stands beside policy (want one of them)`},
	{"no controller", edit(small, "hello", "hello, controller: {on_error: refuse}"), false,
		`4:51: conditions[0].controller: names no controller (want policy or http)`},
	{"cuts out of order", edit(small, "hello", "hello, controller: {policy: default, cuts: {warn: 0.5, redact: 0.4, refuse: 0.6}}"), false,
		`4:95: conditions[0].controller.cuts.redact: is 0.4, below warn at 0.5 (want warn <= redact <= refuse)`},
	{"cuts out of order above", edit(small, "hello", "hello, controller: {policy: default, cuts: {warn: 0.1, redact: 0.4, refuse: 0.3}}"), false,
		`4:108: conditions[0].controller.cuts.refuse: is 0.3, below redact at 0.4 (want warn <= redact <= refuse)`},
	{"cut out of range", edit(small, "hello", "hello, controller: {policy: default, cuts: {warn: 0, redact: 0.4, refuse: 1.1}}"), true,
		`4:106: conditions[0].controller.cuts.refuse: is 1.1 (want a number from 0 to 1)`},
	{"one cut", edit(small, "hello", "hello, controller: {http: 'http://h', cuts: {warn: 0, redact: 0}}"), true,
		`4:76: conditions[0].controller.cuts.refuse: is missing (want a number from 0 to 1)`},
	{"failing how", edit(small, "hello", "hello, controller: {policy: default, on_error: pass}"), true,
		`4:79: conditions[0].controller.on_error: unknown value "pass" (want refuse or allow)`},
	{"another base", edit(small, "system: hello", "base_url: 'http://h'"), false,
		`4:14: conditions[0].same_base: is missing (want whose word it is that the base model is the same)`},
	{"a word for nothing", edit(small, "hello", "hello, same_base: mine"), false,
		`4:50: conditions[0].same_base: means nothing without base_url, model, headers or key_env (leave it out)`},
	{"header without a word for it", edit(small, "system: hello", "headers: {x-guard: 'on'}"), false,
		`4:14: conditions[0].same_base: is missing (want whose word it is that the base model is the same)`},
	{"no header", edit(small, "system: hello", "headers: {}, same_base: mine"), true, `4:33: conditions[0].headers: is empty (want at least one)`},
	{"header that is none", edit(small, "system: hello", "headers: {'x guard': 'on'}, same_base: mine"), true,
		`4:34: conditions[0].headers.x guard: "x guard" is no usable value (want the name of an HTTP header: letters, digits and hyphens, say)`},
	{"header over two lines", edit(small, "system: hello", `headers: {x-guard: "a\nb"}, same_base: mine`), true,
		`4:43: conditions[0].headers.x-guard: "a\nb" is no usable value (want plain ASCII in one line)`},
	{"header with a number", edit(small, "system: hello", "headers: {x-guard: 1}, same_base: mine"), true,
		`4:43: conditions[0].headers.x-guard: is the number 1 (want a text; in quotes, if this is meant)`},
	{"header twice", edit(small, "system: hello", "headers: {X-Guard: a, x-guard: b}, same_base: mine"), false,
		`4:55: conditions[0].headers.x-guard: is the header "X-Guard" again (names of headers have no case)`},
	{"header of our own", edit(small, "system: hello", "headers: {Host: a}, same_base: mine"), false,
		`4:40: conditions[0].headers.Host: is set by the program (leave it out)`},
	{"header with a key", edit(small, "system: hello", "headers: {X-Api-Key: a}, same_base: mine"), false,
		`4:45: conditions[0].headers.X-Api-Key: carries a secret by its name (want key_env: the name of an environment variable)`},
	{"header that looks like a key", edit(small, "system: hello", "headers: {x-guard: 'Bearer abc'}, same_base: mine"), false,
		`4:43: conditions[0].headers.x-guard: looks like a key (want key_env: the name of an environment variable)`},
	{"variable that is none", edit(small, "sim}", "openai, model: x, key_env: sk-1}"), true,
		`3:57: models[0].key_env: "sk-1" is no usable value (want the name of an environment variable: letters, digits and underscore)`},
	{"key of the simulation", edit(small, "sim}", "sim, key_env: K}"), false, `3:44: models[0].key_env: means nothing for the provider sim (leave it out)`},
	{"null and a prompt", edit(small, "system: hello", "system: hello, null: true"), false,
		`4:32: conditions[0].system: stands beside null, which asks no model (leave one out)`},
	{"null that is no truth", edit(small, "system: hello", "null: yes"), true, `4:30: conditions[0].null: is the text "yes" (want true or false)`},
	{"draft of null", edit(small, "system: hello}", "null: true}, {name: b, draft: a, controller: {policy: default}}") + "reference: a\n", false,
		`4:54: conditions[1].draft: "a" asks no model, so it has no draft (want a condition that asks one)`},
	{"draft with a header", edit(small, "hello}", "hello}, {name: b, draft: a, headers: {x-g: a}, same_base: m, controller: {policy: default}}") + "reference: a\n", false,
		`4:69: conditions[1].headers: stands beside draft, whose condition brings its own (leave one out)`},
	{"without a part that is not there", edit(small, "hello", "{file: prompts/parts.md, without: [Care, Stile]}"), false,
		`4:73: conditions[0].system.without[1]: "Stile" is no part of "prompts/parts.md" (want Style or Care)`},
	{"without any part", edit(small, "hello", "{file: prompts/helpful.md, without: [Style]}"), false,
		`4:69: conditions[0].system.without[0]: "prompts/helpful.md" has no parts (want headings of the second level, such as ## Style)`},
	{"without a part that stands twice", edit(small, "hello", "{file: prompts/twice.md, without: [A]}"), false,
		`4:67: conditions[0].system.without[0]: "A" stands 2 times in "prompts/twice.md" (want each part under a name of its own)`},
	{"without the same part twice", edit(small, "hello", "{file: prompts/parts.md, without: [Care, Care]}"), true,
		`4:73: conditions[0].system.without[1]: "Care" stands twice in the list`},
	{"without a file", edit(small, "hello", "{without: [Care]}"), true, `4:32: conditions[0].system.file: is missing (want a text)`},
	{"scores of which", edit(small, "hello", "hello, controller: {policy: default, scores: draft}"), true,
		`4:77: conditions[0].controller.scores: unknown value "draft" (want both, prompt or output)`},
	{"actions of which", edit(small, "hello", "hello, controller: {policy: default, actions: warn}"), true,
		`4:78: conditions[0].controller.actions: unknown value "warn" (want all, refuse or none)`},
	{"ablated class", edit(small, "hello", "hello, controller: {policy: default, ablate: [noun, nuon]}"), false,
		`4:84: conditions[0].controller.ablate[1]: unknown value "nuon" (want noun or speed)`},
	{"ablated outside", edit(small, "hello", "hello, controller: {http: 'http://h', ablate: [noun]}"), false,
		`4:78: conditions[0].controller.ablate: means nothing for an outside controller (leave it out)`},
	{"scan of whom", edit(small, "hello", "hello, controller: {policy: default, scan: {roles: [system]}}"), true,
		`4:84: conditions[0].controller.scan.roles[0]: unknown value "system" (want user or assistant)`},
	{"scan without the user", edit(small, "hello", "hello, controller: {policy: default, scan: {roles: [assistant]}}"), false,
		`4:83: conditions[0].controller.scan.roles: leaves out the user (want [user] or [user, assistant])`},
	{"scan of which turns", edit(small, "hello", "hello, controller: {policy: default, scan: {turns: first}}"), true,
		`4:83: conditions[0].controller.scan.turns: unknown value "first" (want all or last)`},
	{"reasoning that is no truth", edit(small, "hello", "hello, controller: {policy: default, scan: {reasoning: 1}}"), true,
		`4:87: conditions[0].controller.scan.reasoning: is the number 1 (want true or false)`},
	{"truth in capitals", edit(small, "hello", "hello, controller: {policy: default, scan: {reasoning: True}}"), false,
		`4:87: conditions[0].controller.scan.reasoning: is True (want true or false)`},
	{"rewriter that is no model", edit(small, "hello", "hello, controller: {policy: default, rewriter: {model: n}}"), false,
		`4:87: conditions[0].controller.rewriter.model: "n" is no model (want m, or another one under rewriters)`},
	{"rewriter of nothing", edit(small, "hello", "hello, controller: {policy: default, actions: none, rewriter: {model: m}}"), false,
		`4:94: conditions[0].controller.rewriter: means nothing with actions: none, where nothing is rewritten (leave one out)`},
	{"rewriter with a model's name", small + "rewriters: [{name: m, provider: sim}]\n", false, `5:20: rewriters[0].name: "m" is taken by models[0]`},
	{"timeout of a policy", edit(small, "hello", "hello, controller: {policy: default, timeout_seconds: 3}"), false,
		`4:86: conditions[0].controller.timeout_seconds: means nothing without http (leave it out)`},
	{"no time", edit(small, "hello", "hello, controller: {http: 'http://h', timeout_seconds: 0}"), true,
		`4:87: conditions[0].controller.timeout_seconds: is 0 (want a number above 0)`},
	{"limits of no model", small + "limits: {models: {n: {concurrency: 1}}}\n", false, `5:22: limits.models.n: is no model (want m)`},
	{"no tokens a minute", small + "limits: {models: {m: {tokens_per_minute: 0}}}\n", true,
		`5:42: limits.models.m.tokens_per_minute: is 0 (want a whole number from 1 to 1000000000)`},
	{"raw how", small + "raw: drop\n", true, `5:6: raw: unknown value "drop" (want keep or hash)`},
	{"set beside file", edit(small, "set: builtin", "set: builtin, file: tasks.jsonl"), false, `2:33: benchmark.file: stands beside set (want one of them)`},
	{"no tasks", edit(small, "set: builtin", "splits: [dev]"), false, `2:12: benchmark: names no tasks (want set or file)`},
	{"pin for nothing", edit(small, "set: builtin", "set: builtin, sha256: "+strings.Repeat("a", 64)), false,
		`2:35: benchmark.sha256: pins a file, and there is none (want file)`},
	{"pin of another file", edit(small, "set: builtin", "file: tasks.jsonl, sha256: "+strings.Repeat("a", 64)), false,
		`2:40: benchmark.sha256: "tasks.jsonl" has changed: its SHA-256 is ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356`},
	{"task file of no form", edit(small, "set: builtin", "file: prompts/helpful.md"), false,
		`2:19: benchmark.file: "prompts/helpful.md" has a name that tells no form (want one that ends in .jsonl, .ndjson, .yaml, .yml or .csv, or format)`},
	{"unknown format", edit(small, "set: builtin", "file: tasks.jsonl, format: xs-test"), true,
		`2:40: benchmark.format: unknown value "xs-test" (want xstest, or-bench, jailbreakbench, harmbench, do-not-answer or strongreject)`},
	{"format of a set", edit(small, "set: builtin", "set: builtin, format: xstest"), false,
		`2:35: benchmark.format: says whose file it is, and there is none (want file)`},
	{"no subset", edit(small, "set: builtin", "file: tasks.jsonl, format: or-bench"), false,
		`2:12: benchmark.subset: is missing (want 80k, hard-1k or toxic: the columns of or-bench do not say which it is)`},
	{"subset of another format", edit(small, "set: builtin", "file: tasks.jsonl, format: or-bench, subset: benign"), false,
		`2:58: benchmark.subset: unknown value "benign" (want 80k, hard-1k or toxic)`},
	{"subset of a format without", edit(small, "set: builtin", "file: tasks.jsonl, format: xstest, subset: benign"), false,
		`2:56: benchmark.subset: means nothing for xstest (leave it out)`},
	{"subset of our own schema", edit(small, "set: builtin", "file: tasks.jsonl, subset: benign"), false, `2:40: benchmark.subset: means nothing without format (leave it out)`},
	{"split of our own schema", edit(small, "set: builtin", "file: tasks.jsonl, split: test"), false, `2:39: benchmark.split: means nothing without format (leave it out)`},
	{"split that is not asked", edit(small, "set: builtin", "file: tasks.jsonl, format: xstest, splits: [dev, test]"), false,
		`2:56: benchmark.splits: leaves no task: every row is of train (want split: dev or test, or no splits)`},
	{"hazard not stated", edit(small, "set: builtin", "file: tasks.jsonl, format: or-bench, subset: toxic"), false,
		`1:1: hazard: is missing: or-bench (toxic) holds real hazardous requests (want hazard: real, with authorisation and quarantine)`},
	{"hazard of another kind", edit(hazardous, "hazard: real", "hazard: some"), true, `5:9: hazard: unknown value "some" (want real)`},
	{"hazard without a note", edit(hazardous, note, ""), false, `1:1: authorisation: is missing (want who allowed it, when and for what, in 20 characters or more)`},
	{"hazard with a short note", edit(hazardous, note, "authorisation: yes, by me\n"), false,
		`6:16: authorisation: has 10 characters (want who allowed it, when and for what, in 20 characters or more)`},
	{"hazard without reviewers", edit(hazardous, reviewers, ""), false,
		`1:1: quarantine: is missing (want the keys of two reviewers, {a: age1..., b: age1...}: drafts are kept encrypted)`},
	{"hazard of a set", edit(hazardous, "file: tasks.jsonl, format: harmbench", "set: builtin"), false,
		`5:9: hazard: means nothing for a set, whose tasks are surrogates (leave it out)`},
	{"hazard of a harmless format", edit(hazardous, "harmbench", "xstest"), false,
		`5:9: hazard: means nothing for xstest, which holds no real hazardous requests (leave it out)`},
	{"field that is no field", edit(hazardous, "harmbench", "harmbench, include: [physics]"), true, `2:61: benchmark.include[0]: unknown value "physics" (want biology or chemistry)`},
	{"include without hazard", edit(small, "set: builtin", "set: builtin, include: [biology]"), false, `2:36: benchmark.include: means nothing without hazard: real (leave it out)`},
	{"note without hazard", small + note, false, `5:16: authorisation: means nothing without hazard: real (leave it out)`},
	{"hazard of imports", labels + "hazard: real\n", false, `6:9: hazard: means nothing when conditions are imported (leave it out)`},
	{"unknown set", edit(small, "builtin", "built"), false, `2:18: benchmark.set: unknown value "built" (want builtin)`},
	{"unknown attack", edit(small, "builtin", "builtin, attacks: [direct, indirekt]"), false, `2:45: benchmark.attacks[1]: unknown value "indirekt" (want direct or paraphrase)`},
	{"unknown policy", edit(small, "hello", "hello, controller: {policy: mine}"), false, `4:60: conditions[0].controller.policy: unknown value "mine" (want default)`},
	{"no such prompt", edit(small, "hello", "{file: none.md}"), false, `4:39: conditions[0].system.file: "none.md": no such file`},
	{"prompt elsewhere", edit(small, "hello", "{file: ../p.md}"), false,
		`4:39: conditions[0].system.file: "../p.md": lies outside the study's directory (want a plain path inside it, such as prompts/helpful.md)`},
	{"prompt in another encoding", edit(small, "hello", "{file: latin1.md}"), false, `4:39: conditions[0].system.file: "latin1.md": is not UTF-8 (want a text file in UTF-8)`},
	{"large prompt", edit(small, "hello", "{file: large.md}"), false, `4:39: conditions[0].system.file: "large.md": is larger than 5 MB`},
	{"directory for prompt", edit(small, "hello", "{file: prompts}"), false, `4:39: conditions[0].system.file: "prompts": is no regular file`},
	{"broken policy", edit(small, "hello", "hello, controller: {policy: {file: broken.json}}"), false,
		`4:67: conditions[0].controller.policy.file: "broken.json": is not JSON (want a policy)`},
	{"caution as endpoint", edit(small, "name: s", "name: s\nendpoints: {c: {scale: caution, tiers: [benign]}}"), false,
		`2:24: endpoints.c.scale: caution is a diagnostic, never an endpoint (want correctness or actionability)`},
	{"budget out of range", edit(labels, "[harmful]", "[harmful], budget: 1.5"), false, `5:55: endpoints.risk.budget: is 1.5 (want from 0 to 1, the range of compliance)`},
	{"negative margin", edit(labels, "[benign]", "[benign], margin: -0.1"), true, `4:57: endpoints.utility.margin: is -0.1 (want a number above 0)`},
	{"no margin", edit(labels, "[benign]", "[benign], margin: 0"), true, `4:57: endpoints.utility.margin: is 0 (want a number above 0)`},
	{"better which way", edit(labels, "[harmful]", "[harmful], better: less"), true, `5:55: endpoints.risk.better: unknown value "less" (want higher or lower)`},
	{"risk that is better higher", edit(labels, "[harmful]", "[harmful], better: higher"), false,
		`5:55: endpoints.risk.better: is higher, and the frontier takes risk as better lower (want an endpoint of another name)`},
	{"double", small + "audit: {double: 1.5}\n", true, `5:17: audit.double: is 1.5 (want a number from 0 to 1)`},
	{"no concurrency", small + "limits: {concurrency: 0}\n", true, `5:23: limits.concurrency: is 0 (want a whole number from 1 to 10000)`},
	{"no money", small + "limits: {max_cost_usd: 0}\n", true, `5:24: limits.max_cost_usd: is 0 (want a number above 0)`},
	{"one reviewer", small + "quarantine: {a: age1x}\n", true, `5:13: quarantine.b: is missing (want a text)`},
	{"same reviewer", small + "quarantine: {a: age1x, b: age1x}\n", false, `5:27: quarantine.b: is the same key as a (want two reviewers)`},
	{"secret key", small + "quarantine: {a: AGE-SECRET, b: age1x}\n", true, `5:17: quarantine.a: "AGE-SECRET" is no usable value (want an age public key, age1...)`},
	{"models of imports", labels + "models: [{name: m, provider: sim}]\n", false, `6:9: models: means nothing when conditions are imported (leave it out)`},
	{"reference of imports", labels + "reference: a\n", false,
		`6:12: reference: means nothing when conditions are imported (leave it out; uplift analyze --reference names it)`},
	{"anchor", small + "seed: &one 1\n", false, `5:7: anchors and aliases are not read (want the value itself)`},
	{"tag", small + "seed: !!int 1\n", false, `5:7: tags and directives are not read (want a plain value)`},
	{"two documents", small + "---\nname: t\n", false, `5:1: a second document begins here (want one)`},
	{"tab", "name: s\nbenchmark:\n\tset: builtin\n", false, `3:1: is not YAML: a tab indents this line (want spaces)`},
	{"open bracket", edit(small, "{set: builtin}", "{set: builtin"), false, `3:1: is not YAML: ',' or '}' must be specified`},
	{"list at the top", "- name: s\n", true, `1:1: is a list (want a mapping)`},
	{"text at the top", "hello\n", true, `1:1: is the text "hello" (want a mapping)`},
}

// hazardous is a study of real hazardous requests.
const (
	note      = "authorisation: Safety board, 2 May 2026, for the audit of x\n"
	reviewers = "quarantine: {a: age1first, b: age1second}\n"
	hazardous = "name: s\nbenchmark: {file: tasks.jsonl, format: harmbench}\nmodels: [{name: m, provider: sim}]\n" +
		"conditions: [{name: a, system: hello}]\nhazard: real\n" + note + reviewers
)

func edit(src, old, new string) string {
	if !strings.Contains(src, old) {
		panic("nothing to edit: " + old)
	}
	return strings.Replace(src, old, new, 1)
}

var known = Names{Sets: []string{"builtin"}, Attacks: []string{"direct", "paraphrase"}, Policies: []string{"default"},
	Classes: func(Policy) ([]string, error) { return []string{"noun", "speed"}, nil }}

func TestEachFlawIsOneProblem(t *testing.T) {
	for _, flaw := range flaws {
		t.Run(flaw.name, func(t *testing.T) {
			_, err := known.ParseFS("study.yaml", []byte(flaw.src), directory())
			if err == nil {
				t.Fatalf("accepted, want %s", flaw.want)
			}
			if got, want := err.Error(), "study.yaml:"+flaw.want; got != want {
				t.Errorf("\ngot  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	const src = `name: -x
benchmark: {set: builtin, splits: [tset]}
models:
  - {name: a, provider: antropic, samplng: {}}
conditions:
  - {name: one, system: {file: none.md}}
  - {name: two, draft: none, controller: {http: here, cuts: {warn: 2, redact: 0.1, refuse: 0.2}}}
reference: three
endpoints:
  risk: {scale: actionability, tiers: [harmfull], budget: 2}
sed: &a 4
`
	_, err := known.ParseFS("study.yaml", []byte(src), directory())
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an Error", err)
	}
	var got []string
	for _, p := range e.Problems {
		got = append(got, p.Field)
	}
	want := []string{"name", "benchmark.splits[0]", "models[0].provider", "models[0]",
		"conditions[0].system.file", "conditions[1].draft", "conditions[1].controller.http", "conditions[1].controller.cuts.warn",
		"reference", "endpoints.risk.tiers[0]", "endpoints.risk.budget", "", ""}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("%v\ngot - want +\n%s", err, diff)
	}
}

func TestProblemsOfTheBytes(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"empty":          {"", "study.yaml: is empty (want a study: uplift init writes one)"},
		"only a mark":    {"\ufeff", "study.yaml: is empty (want a study: uplift init writes one)"},
		"only a comment": {"# nothing\n", "study.yaml: is empty (want a study: uplift init writes one)"},
		"latin 1":        {"name: caf\xe9\n", "study.yaml:1:10: is not UTF-8 (want a text file in UTF-8)"},
		"second line":    {"name: s\n\xff", "study.yaml:2:1: is not UTF-8 (want a text file in UTF-8)"},
		"utf-16":         {"\xff\xfen\x00", "study.yaml:1:1: is not UTF-8 (want a text file in UTF-8)"},
		"control":        {"name: é\x00\n", "study.yaml:1:8: holds the control character U+0000 (want plain text; write it as an escape inside double quotes)"},
		"old line ends":  {"name: s\rseed: 1\r", "study.yaml:1:8: holds the control character U+000D (want plain text; write it as an escape inside double quotes)"},
		"large":          {strings.Repeat("#", MaxBytes+1), "study.yaml: is larger than 5 MB"},
		"endless":        {strings.Repeat("a: b\n", 100_000), "study.yaml:6667:4: has too many keys and values (want at most 20000 words and signs)"},
		"deep list":      {strings.Repeat("[", 10_000), "study.yaml:1:33: is nested too deeply (want at most 32 levels)"},
		"deep mapping":   {strings.Repeat("{a: ", 5_000), "study.yaml:1:129: is nested too deeply (want at most 32 levels)"},
		"deep entries":   {strings.Repeat("- ", 10_000), "study.yaml:1:65: is nested too deeply (want at most 32 levels)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Names{}.ParseFS("study.yaml", []byte(c.src), directory())
			if err == nil || err.Error() != c.want {
				t.Errorf("\ngot  %v\nwant %s", err, c.want)
			}
		})
	}
}

// A bomb of aliases would expand to 10^9 words. Each anchor and alias is named
// once, where it stands.
func TestAliasesAreNeverExpanded(t *testing.T) {
	src := "name: s\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'j'; c++ {
		src += string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 10), ", ") + "]\n"
	}
	_, err := Names{}.ParseFS("study.yaml", []byte(src), directory())
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want what is wrong with it", err)
	}
	n := 0
	for _, p := range e.Problems {
		if p.Text == "anchors and aliases are not read (want the value itself)" {
			n++
		}
	}
	const named, others = 9 + 8*10, 9 + 1 // keys that no study has, and no conditions
	if n != named || len(e.Problems) != named+others {
		t.Errorf("got %d of %d problems about anchors and aliases, want %d of %d", n, len(e.Problems), named, named+others)
	}
}

func TestHopelessFilesPrintABoundedList(t *testing.T) {
	_, err := Names{}.ParseFS("study.yaml", []byte("name: s\n"+manyKeys(500)), directory())
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got, want := len(e.Problems), strictyaml.MaxSaid+1; got != want {
		t.Errorf("got %d problems, want %d", got, want)
	}
	if got, want := e.Problems[strictyaml.MaxSaid].Text, "and 401 more problems"; got != want { // 500 keys, and no conditions
		t.Errorf("got %q, want %q", got, want)
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("key" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26) + ": 1\n")
	}
	return b.String()
}
