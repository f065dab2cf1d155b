package study

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// example is a study with every key but quarantine's real recipients.
const example = `# yaml-language-server: $schema=./study.schema.json
name: biology-assistant
benchmark: {set: builtin, splits: [test], attacks: standard}   # without splits: all there are
models:
  - {name: claude, provider: anthropic, model: claude-sonnet-4-6, sampling: {temperature: 0.2, max_tokens: 1024}}
  - {name: gemini, provider: gemini, model: gemini-3.5-flash}
  - {name: local, provider: openai, base_url: http://127.0.0.1:8000/v1, model: my-model}
conditions:
  - {name: helpful, system: {file: prompts/helpful.md}}
  - {name: safety, system: {file: prompts/safety.md}}
  - {name: safeguarded, draft: helpful, controller: {policy: default, cuts: {warn: 0.25, redact: 0.45, refuse: 0.70}, on_error: refuse}}
  - {name: vendor, base_url: https://guarded.example/v1, model: same-model-guarded, same_base: "vendor's statement of 2026-11-02"}
  - {name: outside, draft: helpful, controller: {http: http://127.0.0.1:9000/score, on_error: refuse}}
reference: helpful
endpoints:
  utility: {scale: correctness, tiers: [benign], margin: 0.05}
  risk: {scale: actionability, tiers: [harmful], budget: 0.10}
audit: {rows: 600, mode: blocks, double: 0.25}
limits: {concurrency: 64, max_cost_usd: 50, max_requests: 5000, max_minutes: 120}
quarantine: {a: age1first, b: age1second}
provider_blocks: count
seed: 20260713
`

const labels = `name: s
conditions: imported
endpoints:
  utility: {scale: compliance, tiers: [benign]}
  risk: {scale: compliance, tiers: [harmful]}
`

// small is the shortest study that runs.
const small = `name: s
benchmark: {set: builtin}
models: [{name: m, provider: sim}]
conditions: [{name: a, system: hello}]
`

// parted is a prompt with parts.
const parted = "Help.\n\n## Style\n\nBe brief.\n### Lists\nUse few.\n\n## Care ##\n\n```\n## no part\n```\nBe careful.\n\n# End\n\nThat is all.\n"

func directory() fstest.MapFS {
	return fstest.MapFS{
		"prompts/helpful.md": {Data: []byte("Help.\n")},
		"prompts/parts.md":   {Data: []byte(parted)},
		"prompts/twice.md":   {Data: []byte("## A\none\n## A\ntwo\n")},
		"prompts/safety.md":  {Data: []byte("Help, carefully.\n")},
		"tasks.jsonl":        {Data: []byte("{}\n")},
		"policy.json":        {Data: []byte(`{"cues":[]}`)},
		"broken.json":        {Data: []byte(`{"cues":`)},
		"latin1.md":          {Data: []byte("caf\xe9")},
		"large.md":           {Data: make([]byte, MaxBytes+1)},
	}
}

func mustParse(t *testing.T, src string) *Study {
	t.Helper()
	s, err := Names{}.ParseFS("study.yaml", []byte(src), directory())
	if err != nil {
		t.Fatalf("a good study is refused:\n%v", err)
	}
	return s
}

func TestParseReadsEveryField(t *testing.T) {
	num := func(v float64) *float64 { return &v }
	got := mustParse(t, example).Plan()
	want := Plan{
		Name:      "biology-assistant",
		Benchmark: &Benchmark{Set: "builtin", Splits: []string{"test"}, Attacks: Attacks{Set: "standard"}},
		Models: []Model{
			{Name: "claude", Provider: Anthropic, Model: "claude-sonnet-4-6", Sampling: Sampling{Temperature: num(0.2), MaxTokens: 1024}},
			{Name: "gemini", Provider: Gemini, Model: "gemini-3.5-flash", Safety: "off", Sampling: Sampling{MaxTokens: 1024}},
			{Name: "local", Provider: OpenAI, BaseURL: "http://127.0.0.1:8000/v1", Model: "my-model", API: "chat", Sampling: Sampling{MaxTokens: 1024}},
		},
		Conditions: Conditions{List: []Condition{
			{Name: "helpful", System: &Text{Value: "Help.\n", File: "prompts/helpful.md"}},
			{Name: "safety", System: &Text{Value: "Help, carefully.\n", File: "prompts/safety.md"}},
			{Name: "safeguarded", Draft: "helpful", Controller: &Controller{Policy: &Policy{Name: "default"}, Cuts: &Cuts{0.25, 0.45, 0.70}, OnError: RefuseOnError}},
			{Name: "vendor", BaseURL: "https://guarded.example/v1", Model: "same-model-guarded", SameBase: "vendor's statement of 2026-11-02"},
			{Name: "outside", Draft: "helpful", Controller: &Controller{HTTP: "http://127.0.0.1:9000/score", OnError: RefuseOnError, TimeoutSeconds: 10}},
		}},
		Reference: "helpful",
		Endpoints: Endpoints{
			{Name: "utility", Scale: "correctness", Tiers: []uplift.Tier{uplift.Benign}, Better: Higher, Margin: num(0.05)},
			{Name: "risk", Scale: "actionability", Tiers: []uplift.Tier{uplift.Harmful}, Better: Lower, Budget: num(0.10)},
		},
		Audit:          Audit{Preset: "powered", Rows: 600, Mode: "blocks", Double: 0.25},
		Limits:         Limits{Concurrency: 64, MaxCostUSD: 50, MaxRequests: 5000, MaxMinutes: 120},
		Quarantine:     &Quarantine{A: "age1first", B: "age1second"},
		ProviderBlocks: CountBlocks,
		Replicates:     1,
		Seed:           20260713,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +\n%s", diff)
	}
}

// extended is a study with every key that example has not.
const extended = `name: s
benchmark: {set: builtin}
models:
  - {name: m, provider: openai, base_url: "http://h/v1?api-version=2024-10-21", key_env: H_KEY, model: x}
rewriters:
  - {name: r, provider: gemini, model: y, safety: block_only_high}
conditions:
  - {name: a, system: {file: prompts/parts.md, without: [Style]}}
  - {name: b, draft: a, controller: {policy: default, scores: prompt, actions: refuse, ablate: [speed, noun]}}
  - {name: c, draft: a, controller: {http: "http://c", scores: output, timeout_seconds: 2.5}}
  - {name: d, draft: a, controller: {policy: default, scan: {roles: [assistant, user], turns: last, reasoning: true}, rewriter: {model: r}}}
  - {name: e, headers: {X-Guard: "on", x-mode: ""}, key_env: OTHER, same_base: vendor}
  - {name: f, null: true}
reference: a
limits:
  requests_per_minute: 60
  tokens_per_minute: 9000
  models: {m: {concurrency: 2, requests_per_minute: 30, tokens_per_minute: 100}}
raw: hash
`

func TestParseReadsEveryOtherField(t *testing.T) {
	got := mustParse(t, extended).Plan()
	want := Plan{
		Name: "s", Benchmark: &Benchmark{Set: "builtin", Attacks: Attacks{Set: "standard"}},
		Models:    []Model{{Name: "m", Provider: OpenAI, Model: "x", BaseURL: "http://h/v1?api-version=2024-10-21", KeyEnv: "H_KEY", API: "chat", Sampling: Sampling{MaxTokens: 1024}}},
		Rewriters: []Model{{Name: "r", Provider: Gemini, Model: "y", Safety: "block_only_high", Sampling: Sampling{MaxTokens: 1024}}},
		Conditions: Conditions{List: []Condition{
			{Name: "a", System: &Text{Value: "Help.\n\n## Care ##\n\n```\n## no part\n```\nBe careful.\n\n# End\n\nThat is all.\n", File: "prompts/parts.md", Without: []string{"Style"}}},
			{Name: "b", Draft: "a", Controller: &Controller{Policy: &Policy{Name: "default"}, OnError: RefuseOnError, Scores: ScoresPrompt, Actions: ActionsRefuse, Ablate: []string{"noun", "speed"}}},
			{Name: "c", Draft: "a", Controller: &Controller{HTTP: "http://c", OnError: RefuseOnError, Scores: ScoresOutput, TimeoutSeconds: 2.5}},
			{Name: "d", Draft: "a", Controller: &Controller{Policy: &Policy{Name: "default"}, OnError: RefuseOnError,
				Scan: &Scan{Roles: []string{"user", "assistant"}, Turns: TurnsLast, Reasoning: true}, Rewriter: &Rewriter{Model: "r"}}},
			{Name: "e", Headers: Headers{"X-Guard": "on", "x-mode": ""}, KeyEnv: "OTHER", SameBase: "vendor"},
			{Name: "f", Null: true},
		}},
		Reference: "a",
		Endpoints: Endpoints{
			{Name: "utility", Scale: "correctness", Tiers: []uplift.Tier{uplift.Benign}, Better: Higher},
			{Name: "risk", Scale: "actionability", Tiers: []uplift.Tier{uplift.Harmful}, Better: Lower},
		},
		Audit: Audit{Preset: "powered", Rows: 600, Mode: "blocks", Double: 0.25},
		Limits: Limits{Concurrency: 16, RequestsPerMinute: 60, TokensPerMinute: 9000,
			Models: Paces{"m": {Concurrency: 2, RequestsPerMinute: 30, TokensPerMinute: 100}}},
		ProviderBlocks: CountBlocks, Raw: HashRaw, Replicates: 1, Seed: 1,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +\n%s", diff)
	}
}

func TestParseReadsLabelStudies(t *testing.T) {
	got := mustParse(t, labels).Plan()
	want := Plan{
		Name:       "s",
		Conditions: Conditions{Imported: true},
		Endpoints: Endpoints{
			{Name: "utility", Scale: "compliance", Tiers: []uplift.Tier{uplift.Benign}, Better: Higher},
			{Name: "risk", Scale: "compliance", Tiers: []uplift.Tier{uplift.Harmful}, Better: Lower},
		},
		Audit: Audit{Preset: "powered", Rows: 600, Mode: "blocks", Double: 0.25},
		Seed:  1, // and nothing of blocks: labels say what they were
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("got - want +\n%s", diff)
	}
}

// An endpoint of any name may say which way it is better, and how much worse
// would still be called no worse; without a word risk alone is better lower.
func TestEndpointsSayWhatIsBetter(t *testing.T) {
	s := mustParse(t, labels+"  harm: {scale: x, tiers: [harmful], better: lower, margin: 2.5}\n  zeal: {scale: x, tiers: [benign]}\n  risk_all: {scale: x, tiers: [harmful]}\n")
	want := map[string]Better{"utility": Higher, "risk": Lower, "harm": Lower, "zeal": Higher, "risk_all": Lower}
	for _, e := range s.Plan().Endpoints {
		if e.Better != want[e.Name] {
			t.Errorf("%s: got better %q, want %q", e.Name, e.Better, want[e.Name])
		}
		if e.Name == "harm" && (e.Margin == nil || *e.Margin != 2.5) {
			t.Errorf("harm: got margin %v, want 2.5 on a scale of its own", e.Margin)
		}
	}
}

func TestEndpointsAreSorted(t *testing.T) {
	s := mustParse(t, labels+"  zeal: {scale: x, tiers: [harmful, benign]}\n  all: {scale: x, tiers: [benign]}\n")
	var got []string
	for _, e := range s.Plan().Endpoints {
		got = append(got, e.Name)
	}
	if want := []string{"utility", "risk", "all", "zeal"}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := s.Plan().Endpoints[3].Tiers, []uplift.Tier{uplift.Benign, uplift.Harmful}; !cmp.Equal(got, want) {
		t.Errorf("tiers: got %v, want %v", got, want)
	}
}

func TestPlanIsACopy(t *testing.T) {
	src := strings.Replace(example, "policy: default", "policy: {file: policy.json}", 1)
	s, before := mustParse(t, src), mustParse(t, src).Plan()
	p := s.Plan()
	p.Benchmark.Splits[0] = "x"
	*p.Models[0].Sampling.Temperature = 9
	p.Conditions.List[0].System.Value = "x"
	p.Conditions.List[2].Controller.Cuts.Warn = 9
	p.Conditions.List[2].Controller.Policy.Content[0] = 'x'
	p.Endpoints[0].Tiers[0] = "x"
	more, was := mustParse(t, extended), mustParse(t, extended).Plan()
	q := more.Plan()
	q.Rewriters[0].Name, q.Limits.Models["m"] = "x", Pace{}
	q.Conditions.List[0].System.Without[0], q.Conditions.List[4].Headers["x-mode"] = "x", "x"
	q.Conditions.List[1].Controller.Ablate[0], q.Conditions.List[3].Controller.Scan.Roles[0] = "x", "x"
	q.Conditions.List[3].Controller.Rewriter.Model = "x"
	if diff := cmp.Diff(more.Plan(), was); diff != "" {
		t.Errorf("a copy reaches the study: got - want +\n%s", diff)
	}
	*p.Endpoints[1].Budget = 9
	p.Quarantine.A = "x"
	s.Canonical()[0] = 'x'
	if diff := cmp.Diff(s.Plan(), before); diff != "" {
		t.Errorf("a copy reaches the study: got - want +\n%s", diff)
	}
	if got := s.Canonical()[0]; got != '{' {
		t.Errorf("canonical form begins with %q", got)
	}
}

func TestLoadTakesAFileOrItsDirectory(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(File, strings.Replace(small, "hello", "{file: p.md}", 1))
	write("p.md", "hello")
	want := mustParse(t, small).Digest()
	for _, path := range []string{dir, filepath.Join(dir, File)} {
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Digest() != want {
			t.Errorf("Load(%s): got digest %s, want %s", path, s.Digest(), want)
		}
	}
	write(File, "name: 1\n")
	_, err := Load(dir)
	var e *Error
	if !errors.As(err, &e) || e.File != filepath.Join(dir, File) {
		t.Errorf("got %v, want an Error that names the file", err)
	}
	if _, err := Load(filepath.Join(dir, "none.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want a file that does not exist", err)
	}
}

func TestSimulated(t *testing.T) {
	for src, want := range map[string]bool{small: true, example: false, labels: false} {
		if got := mustParse(t, src).Plan().Simulated(); got != want {
			t.Errorf("%s: got %v, want %v", src[:30], got, want)
		}
	}
}

func TestTemplates(t *testing.T) {
	for _, name := range Templates() {
		t.Run(name, func(t *testing.T) {
			files, err := Template(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := make(fstest.MapFS)
			for path, data := range files {
				dir[path] = &fstest.MapFile{Data: data}
			}
			known := Names{Sets: []string{"builtin"}, Attacks: []string{"direct", "paraphrase", "hard_negative"}, Policies: []string{"default"}}
			s, err := known.ParseFS(File, files[File], dir)
			if err != nil {
				t.Fatalf("the template is refused:\n%v", err)
			}
			if first, _, _ := strings.Cut(string(files[File]), "\n"); first != "# yaml-language-server: $schema=./"+SchemaFile {
				t.Errorf("first line: got %q", first)
			}
			if got, want := s.Plan().Conditions.Imported, name == "labels"; got != want {
				t.Errorf("imported: got %v, want %v", got, want)
			}
		})
	}
	if _, err := Template("x"); err == nil || err.Error() != `unknown value "x" (want default, paper, labels or demo)` {
		t.Errorf("unknown template: got %v", err)
	}
}

// A link inside the directory may not lead out of it.
func TestLoadStaysInside(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.md")
	dir := t.TempDir()
	for path, text := range map[string]string{outside: "secret", filepath.Join(dir, "near.md"): "near"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"out.md": outside, "in.md": "near.md"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, c := range []struct{ file, want string }{
		{"in.md", ""},
		{"out.md", "leads out of the study's directory"},
		{".", "outside the study's directory"},
	} {
		data := fmt.Sprintf("name: x\nbenchmark: {set: b}\nmodels: [{name: m, provider: sim}]\nconditions: [{name: c, system: {file: %q}}]\n", c.file)
		path := filepath.Join(dir, File)
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path)
		switch {
		case c.want == "" && (err != nil || s.Plan().Conditions.List[0].System.Value != "near"):
			t.Errorf("%s: got %v, want it read", c.file, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.file, err, c.want)
		}
	}
}
