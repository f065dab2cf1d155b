package study

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

var lockedAt = time.Date(2026, 12, 1, 3, 4, 5, 0, time.UTC)

// whole is a plan in which every field holds something.
func whole() Plan {
	half, small := .5, .05
	return Plan{
		Name:      "s",
		Benchmark: &Benchmark{Set: "builtin", File: "tasks.jsonl", SHA256: digit("a"), Splits: []string{"test", "test-b"}, Include: []string{"biology"}, Attacks: Attacks{Names: []string{"direct", "paraphrase"}}},
		Models:    []Model{{Name: "m", Provider: OpenAI, Model: "x", BaseURL: "http://h", KeyEnv: "K", API: "chat", Safety: "off", Sampling: Sampling{Temperature: &half, TopP: &half, MaxTokens: 9}}},
		Rewriters: []Model{{Name: "r", Provider: OpenAI, Model: "x", BaseURL: "http://h", KeyEnv: "K", API: "chat", Safety: "off", Sampling: Sampling{Temperature: &half, TopP: &half, MaxTokens: 9}}},
		Conditions: Conditions{List: []Condition{
			{Name: "a.b", System: &Text{Value: "help", File: "prompts/a.md", Without: []string{"Style"}}, BaseURL: "http://g", Model: "y", Headers: Headers{"x-guard": "on"}, KeyEnv: "G", SameBase: "word", Client: &Client{System: "append", Sampling: "ignore"}},
			{Name: "c", Draft: "a.b", Controller: &Controller{Policy: &Policy{File: "p.json", SHA256: digit("b")}, HTTP: "http://c", Cuts: &Cuts{.1, .2, .3}, OnError: RefuseOnError, Scores: ScoresPrompt, Actions: ActionsRefuse,
				Ablate: []string{"noun"}, Scan: &Scan{Roles: []string{"assistant"}, Turns: TurnsLast, Reasoning: true}, Rewriter: &Rewriter{Model: "r"}, TimeoutSeconds: 3}},
			{Name: "d", Null: true, Controller: &Controller{Policy: &Policy{Name: "default"}, OnError: AllowOnError}},
		}},
		Reference:      "a.b",
		Endpoints:      Endpoints{{Name: "risk", Scale: "actionability", Tiers: []uplift.Tier{uplift.Harmful}, Better: Lower, Margin: &small, Budget: &half}},
		Audit:          Audit{Preset: "powered", Rows: 600, Mode: "blocks", Double: .25},
		Limits:         Limits{Concurrency: 1, MaxCostUSD: 1, MaxRequests: 1, MaxMinutes: 1, RequestsPerMinute: 1, TokensPerMinute: 1, Models: Paces{"m": {Concurrency: 1}}},
		Quarantine:     &Quarantine{A: "age1a", B: "age1b"},
		ProviderBlocks: CountBlocks, Raw: HashRaw, Replicates: 2, Seed: 7,
	}
}

func askedOf() Asked {
	tasks := []uplift.Task{{ID: "k2", Split: "test", Tier: uplift.Harmful, Family: "f", Ask: "q2"}, {ID: "k1", Split: "test-b", Tier: uplift.Benign, Family: "g", Ask: "q1"}}
	var items []uplift.Item
	for _, t := range tasks {
		items = append(items, uplift.Item{Task: t.ID, Attack: "direct", Family: t.Family, Split: t.Split, Tier: t.Tier, Turns: []string{t.Ask}})
	}
	return Asked{Tasks: tasks, Items: items, Templates: digit("1"), Policies: map[string]string{"c": digit("2")}, Rubric: digit("3"),
		Cards:    []Card{{Task: "k2", Attack: "direct", Expected: "withhold", KeyPoints: []string{"p"}}, {Task: "k1", Attack: "direct", Expected: "full"}},
		Analysis: Analysis{Cluster: "task", Level: .95, Interval: "cr2", Test: "sign_flip", Adjust: "holm", Resamples: 10_000}}
}

// digit is a digest of one digit.
func digit(d string) string { return strings.Repeat(d, 64) }

func fieldsOf(t *testing.T, p Plan, a Asked) []Field {
	t.Helper()
	s := Study{plan: p}
	f, err := s.Fields(a)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// unlocked are the leaves of a plan that a lock leaves out: what stops a run,
// where a text came from and what of it was left out, the bytes whose hash is locked, and the hash of a file
// where a named policy has none.
var unlocked = []string{"Limits.", "List[2].Controller.Policy.SHA256", ".System.File", ".System.Without", ".Policy.Content", "Benchmark.File", ".Policy.File"}

// Every leaf of a plan, found by reflection, is locked: a field that is added
// to the plan and not to the lock fails here.
func TestEveryFieldOfAPlanIsLocked(t *testing.T) {
	before := fieldsOf(t, whole(), askedOf())
	left := map[string]bool{}
	typeLeaves(reflect.TypeFor[Plan](), "", left)
	for _, path := range leaves(reflect.ValueOf(whole()), "") {
		p := whole()
		mutate(t, reflect.ValueOf(&p).Elem(), path)
		if p.Conditions.Imported {
			p.Conditions.List = nil // one of both
		}
		changes := Diff(before, fieldsOf(t, p, askedOf()))
		free := slices.ContainsFunc(unlocked, func(s string) bool { return strings.Contains(path, s) })
		delete(left, index.ReplaceAllString(path, "[]"))
		if free != (len(changes) == 0) {
			t.Errorf("%s: got %v changed, want %v", path, len(changes) > 0, !free)
		}
	}
	for path := range left {
		t.Errorf("%s: the plan of this test holds nothing there", path)
	}
}

var index = regexp.MustCompile(`\[\d+\]`)

// typeLeaves gathers the leaves that a plan may have, such as Models[].Name.
func typeLeaves(t reflect.Type, path string, into map[string]bool) {
	switch {
	case t.Kind() == reflect.Pointer:
		typeLeaves(t.Elem(), path, into)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			typeLeaves(t.Field(i).Type, path+"."+t.Field(i).Name, into)
		}
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		typeLeaves(t.Elem(), path+"[]", into)
	default:
		into[path] = true
	}
}

// leaves lists the paths of a value's leaves, such as Models[0].Name.
func leaves(v reflect.Value, path string) []string {
	var out []string
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return leaves(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			out = append(out, leaves(v.Field(i), path+"."+v.Type().Field(i).Name)...)
		}
		return out
	case reflect.Map:
		if v.Len() == 0 {
			return nil
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		for i := range v.Len() {
			out = append(out, leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i))...)
		}
		return out
	}
	return []string{path}
}

// mutate changes the leaf at a path.
func mutate(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	for path != "" {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if strings.HasPrefix(path, "[") {
			var i int
			fmt.Sscanf(path, "[%d]", &i)
			v, path = v.Index(i), path[strings.Index(path, "]")+1:]
			continue
		}
		name := path[1:]
		if at := strings.IndexAny(name, ".["); at >= 0 {
			name = name[:at]
		}
		v, path = v.FieldByName(name), path[1+len(name):]
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + .125)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Map:
		key := v.MapKeys()[0]
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(key.String()+"x"), reflect.Zero(v.Type().Elem()))
	case reflect.Slice:
		v.SetBytes([]byte("changed"))
	default:
		t.Fatalf("%v: no way to change it", v.Kind())
	}
}

// What stands behind the plan's names is locked too, and named.
func TestChangesAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		plan  func(*Plan)
		asked func(*Asked)
		want  string // the paths that change
	}{
		"a prompt":         {plan: func(p *Plan) { p.Conditions.List[0].System.Value = "Help" }, want: `conditions.["a.b"].system`},
		"a policy file":    {plan: func(p *Plan) { p.Conditions.List[1].Controller.Policy.SHA256 = digit("c") }, want: "conditions.c.controller.policy.file"},
		"a cut":            {plan: func(p *Plan) { p.Conditions.List[1].Controller.Cuts.Warn = .15 }, want: "conditions.c.controller.cuts.warn"},
		"a margin":         {plan: func(p *Plan) { *p.Endpoints[0].Margin = .1 }, want: "endpoints.risk.margin"},
		"no margin":        {plan: func(p *Plan) { p.Endpoints[0].Margin = nil }, want: "endpoints.risk.margin"},
		"better":           {plan: func(p *Plan) { p.Endpoints[0].Better = Higher }, want: "endpoints.risk.better"},
		"a header":         {plan: func(p *Plan) { p.Conditions.List[0].Headers = Headers{"x-guard": "off"} }, want: `conditions.["a.b"].headers.x-guard`},
		"a rewriter":       {plan: func(p *Plan) { p.Rewriters[0].Model = "z" }, want: "rewriters.r.model"},
		"kept bodies":      {plan: func(p *Plan) { p.Raw = "" }, want: "raw"},
		"a limit":          {plan: func(p *Plan) { p.Limits.Models["m"] = Pace{Concurrency: 5} }, want: ""},
		"temperature":      {plan: func(p *Plan) { p.Models[0].Sampling.Temperature = nil }, want: "models.m.sampling.temperature"},
		"the seed":         {plan: func(p *Plan) { p.Seed = 8 }, want: "orders.tasks seed"},
		"the preset":       {plan: func(p *Plan) { p.Audit.Preset = "paper" }, want: "audit.preset locked_splits"},
		"order of models":  {plan: func(p *Plan) { slices.Reverse(p.Conditions.List) }, want: "orders.cells orders.conditions"},
		"a new condition":  {plan: func(p *Plan) { p.Conditions.List = append(p.Conditions.List, Condition{Name: "e"}) }, want: "conditions.e.name orders.cells orders.conditions"},
		"a task":           {asked: func(a *Asked) { a.Tasks[0].Note = "n" }, want: "tasks tasks.k2"},
		"a private task":   {asked: func(a *Asked) { a.Private = true }, want: "tasks.k1 tasks.k2"},
		"an item":          {asked: func(a *Asked) { a.Items[1].Turns = []string{"Q1"} }, want: "items.test-b.direct"},
		"an item's tier":   {asked: func(a *Asked) { a.Items[0].Tier = uplift.Benign }, want: "items.test.direct"},
		"a probe's turn":   {asked: func(a *Asked) { a.Items[0].Next = &uplift.Next{Full: "more"} }, want: "items.test.direct"},
		"the templates":    {asked: func(a *Asked) { a.Templates = digit("9") }, want: "attacks.templates"},
		"the policy":       {asked: func(a *Asked) { a.Policies["c"] = digit("9") }, want: "conditions.c.controller.digest"},
		"the rubric":       {asked: func(a *Asked) { a.Rubric = digit("9") }, want: "rubric"},
		"a rater's card":   {asked: func(a *Asked) { a.Cards[1].KeyPoints = []string{"q"} }, want: "cards"},
		"the resamples":    {asked: func(a *Asked) { a.Analysis.Resamples = 100 }, want: "analysis.resamples"},
		"the order asked":  {asked: func(a *Asked) { slices.Reverse(a.Items) }, want: "orders.cells"},
		"the cluster":      {asked: func(a *Asked) { a.Analysis.Cluster = "family" }, want: "analysis.cluster"},
		"the level":        {asked: func(a *Asked) { a.Analysis.Level = .9 }, want: "analysis.level"},
		"interval, p":      {asked: func(a *Asked) { a.Analysis.Interval, a.Analysis.Test = "x", "y" }, want: "analysis.interval analysis.test"},
		"the adjustment":   {asked: func(a *Asked) { a.Analysis.Adjust = "x" }, want: "analysis.adjust"},
		"the order listed": {asked: func(a *Asked) { slices.Reverse(a.Tasks) }, want: ""},
	} {
		p, a := whole(), askedOf()
		if c.plan != nil {
			c.plan(&p)
		}
		if c.asked != nil {
			c.asked(&a)
		}
		got := strings.Join(paths(Diff(fieldsOf(t, whole(), askedOf()), fieldsOf(t, p, a))), " ")
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func paths(changes []Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path)
	}
	return out
}

func TestChangesAreSaid(t *testing.T) {
	sha := func(s, file string) *Content { return &Content{SHA256: strings.Repeat(s, 64), File: file} }
	val := func(s string) *Content { return &Content{Value: []byte(s)} }
	for want, c := range map[string]Change{
		"p: prompts/a.md has changed (SHA-256 222222222222, locked 111111111111)":          {Path: "p", Old: sha("1", "prompts/a.md"), New: sha("2", "prompts/a.md")},
		"p: b.md, locked as a.md, has changed (SHA-256 222222222222, locked 111111111111)": {Path: "p", Old: sha("1", "a.md"), New: sha("2", "b.md")},
		"p: it has changed (SHA-256 222222222222, locked 111111111111)":                    {Path: "p", Old: sha("1", ""), New: sha("2", "")},
		"p: is 0.1 (locked 0.05)":                         {Path: "p", Old: val("0.05"), New: val("0.1")},
		"p: was added (0.1)":                              {Path: "p", New: val("0.1")},
		"p: was taken away (locked SHA-256 111111111111)": {Path: "p", Old: sha("1", "a")},
		"p: is SHA-256 111111111111 (locked " + `"` + strings.Repeat("x", 199) + "..." + ")": {Path: "p", Old: val(`"` + strings.Repeat("x", 300) + `"`), New: sha("1", "")},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The stored lock was written by another program, with a JSON printer and a
// SHA-256 of its own.
func TestLockIsThatOfAnotherProgram(t *testing.T) {
	want, err := os.ReadFile("testdata/study.lock")
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Name: "s", Benchmark: &Benchmark{Set: "builtin", Attacks: Attacks{Set: "standard"}}, Models: []Model{{Name: "m", Provider: Sim, Sampling: Sampling{MaxTokens: 9}}},
		Conditions: Conditions{List: []Condition{{Name: "a", System: &Text{Value: "Hé <b>\n", File: "a.md"}}}},
		Endpoints:  whole().Endpoints, ProviderBlocks: CountBlocks, Replicates: 1, Seed: 7, Limits: Limits{Concurrency: 3}}
	l := NewLock("s", State{Time: lockedAt, Tool: Tool{Version: "0.1", Revision: "abc"}, StudyDigest: digit("d"), Head: strings.Repeat("0", 64), Fields: fieldsOf(t, p, askedOf())})
	got, err := l.Bytes()
	if err != nil || string(got) != string(want) {
		t.Errorf("got\n%s, %v\nwant\n%s", got, err, want)
	}
	again, err := ParseLock("x", got)
	if err != nil || !reflect.DeepEqual(again.Fields, l.Fields) || !again.Time.Equal(l.Time) {
		t.Errorf("read again: %v, %v", again, err)
	}
}

func TestUnreadableLocks(t *testing.T) {
	b, err := os.ReadFile("testdata/study.lock")
	if err != nil {
		t.Fatal(err)
	}
	good := string(b)
	for name, c := range map[string]struct{ text, want string }{
		"empty":              {"", "is no lock"},
		"words":              {"words", "is no lock"},
		"another format":     {strings.Replace(good, `"format":1`, `"format":2`, 1), "format: 2 (want 1)"},
		"an unknown field":   {strings.Replace(good, `{"evidence`, `{"a":1,"evidence`, 1), "unknown field"},
		"a line end":         {good + "\n", "canonical form"},
		"a space":            {strings.Replace(good, ":", ": ", 1), "canonical form"},
		"something behind":   {good + "{}", "canonical form"},
		"paths not in order": {strings.Replace(good, `"path":"analysis.adjust"`, `"path":"z"`, 1), "stands after"},
		"a path twice":       {strings.Replace(good, `{"path":"seed","value":7}`, `{"path":"seed","value":7},{"path":"seed","value":7}`, 1), `"seed" stands after "seed"`},
		"an empty path":      {strings.Replace(good, `"path":"analysis.adjust"`, `"path":""`, 1), `path: ""`},
		"only a part of one": {strings.Replace(good, `{"path":"models.m.name"`, `{"path":"models"`, 1), `path: "models"`},
		"a dot too many":     {strings.Replace(good, `"path":"analysis.adjust"`, `"path":"analysis..adjust"`, 1), `path: "analysis..adjust"`},
		"a dot at the end":   {strings.Replace(good, `"path":"seed"`, `"path":"seed."`, 1), `path: "seed."`},
		"quoted in vain":     {strings.Replace(good, `"path":"analysis.adjust"`, `"path":"[\"analysis\"].adjust"`, 1), "path: "},
		"a quote left open":  {strings.Replace(good, `"path":"analysis.adjust"`, `"path":"[\"analysis.adjust"`, 1), "path: "},
		"words in a path":    {strings.Replace(good, `"path":"seed"`, `"path":"seed of all"`, 1), "path: "},
		"no content":         {strings.Replace(good, `{"path":"seed","value":7}`, `{"path":"seed"}`, 1), `"seed": want one of value and sha256`},
		"two contents":       {strings.Replace(good, `{"path":"seed","value":7}`, `{"path":"seed","sha256":"`+digit("1")+`","value":7}`, 1), `"seed": want one of value and sha256`},
		"a file of a value":  {strings.Replace(good, `{"path":"seed","value":7}`, `{"file":"x","path":"seed","value":7}`, 1), "file stands beside a value"},
		"no digest":          {strings.Replace(good, digit("3"), digit("G"), 1), "want a SHA-256"},
		"a short digest":     {strings.Replace(good, digit("3"), "3", 1), `"rubric": "3" (want a SHA-256`},
		"no study's digest":  {strings.Replace(good, digit("d"), "", 1), "study_digest: "},
		"no place":           {strings.Replace(good, digit("0"), "0", 1), "evidence_head: "},
	} {
		if _, err := ParseLock("study.lock", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "study.lock: ") {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
