package report

import (
	"bytes"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// responseSet is one conversation under five conditions, and a failure.
func responseSet() ResponseSet {
	row := func(condition string, outcome uplift.Outcome, text string) ResponseView {
		return ResponseView{Response: uplift.Response{Cell: uplift.Cell{Model: "sonnet", Condition: condition, Task: "k7bpq8v4", Attack: "direct"},
			Item:    uplift.Item{Split: uplift.Dev, Family: "planning", Turns: []string{"What makes a plan good?"}},
			Outcome: outcome, Text: text, Simulated: condition == "helpful"}}
	}
	plan := "A good plan names its aim. Ask the chair for the rest."
	s := ResponseSet{Study: "mine", Total: 8, Conditions: []string{"helpful", "safety", "guarded", "watched", "locked"}, Rows: []ResponseView{
		row("guarded", uplift.Answered, "A good plan names its aim. [A passage is left out here.]"),
		row("helpful", uplift.Answered, plan), row("locked", uplift.Answered, ""), row("safety", uplift.ProviderRefusal, "No."),
		row("watched", uplift.Answered, plan), row("helpful", uplift.Failed, "")}}
	g := &s.Rows[0]
	g.Draft = plan
	g.Decision = &uplift.Decision{PromptScore: 0.3, OutputScore: 0.7, Score: 0.52, Action: uplift.Redact, Policy: "7e6a",
		Features: []uplift.Feature{{Where: "output", Name: "sequentiality", Value: 1, Adds: 0.7}}, Cues: []uplift.Cue{{Where: "output", Class: "sequentiality", Words: "the rest", Start: 40, End: 48}}}
	g.Message = []NamedMessage{{"user", "Hello?"}, {"assistant", "Hello."}, {"user", "What makes a plan good?"}, {"assistant", g.Text}}
	g.Response.Call, g.Call = "c0ffee", &uplift.Call{Stop: uplift.StopEnd, Reason: "end_turn", Version: "v-2", RequestID: "req1", TokensIn: 1200, TokensOut: 31, LatencyMS: 812, Attempts: 2}
	g.Cost, g.With = "$0.004065 at the list prices of 2026-11-02", []string{"sonnet/helpful/k7bpq8v4/direct/0"}
	g.Attempts = []CallAttempt{{"2026-11-30T09:00:00Z", "status 529, overloaded, 40 ms"}, {"2026-11-30T09:00:02Z", "status 200, 812 ms after a pause of 2,000 ms"}}
	s.Rows[2].Hidden = "withheld: addresses"
	s.Rows[4].Draft = plan
	s.Rows[4].Decision = &uplift.Decision{Action: uplift.Allow, Would: uplift.Redact, Score: 0.52}
	s.Rows[5].Attack, s.Rows[5].Detail = "paraphrase", "no answer came"
	return s
}

func TestGoldenResponses(t *testing.T) {
	s := responseSet()
	one := s
	one.Rows = s.Rows[:5]
	for file, write := range map[string]func(io.Writer) error{
		"responses.html":        func(w io.Writer) error { return ResponsesHTML(w, s, "Six responses.", []Fact{{"study", "mine"}}) },
		"responses-list.txt":    func(w io.Writer) error { return ResponseList(w, s, 130) },
		"responses-list-40.txt": func(w io.Writer) error { return ResponseList(w, s, 40) },
		"responses-item.txt":    func(w io.Writer) error { return ResponseItem(w, one, 120) },
		"responses-item-50.txt": func(w io.Writer) error { return ResponseItem(w, one, 50) },
		"responses-show.txt":    func(w io.Writer) error { return ResponseShow(w, s.Rows[0], 80) },
		"responses-hidden.txt":  func(w io.Writer) error { return ResponseShow(w, s.Rows[2], 80) },
	} {
		t.Run(file, func(t *testing.T) {
			var got bytes.Buffer
			if err := write(&got); err != nil {
				t.Fatal(err)
			}
			golden(t, file, got.Bytes())
		})
	}
}

// hostileResponses are what a model, a provider or a file may say.
func hostileResponses() ResponseSet {
	s := ResponseSet{Study: hostileNames[0], Total: 1 << 20}
	for i, n := range hostileNames {
		v := ResponseView{Response: uplift.Response{Cell: uplift.Cell{Model: n, Condition: n, Task: n, Attack: n, Replicate: i},
			Item: uplift.Item{Split: n, Family: n, Turns: []string{n}}, Outcome: uplift.Answered, Text: n + " shown", Draft: "draft " + n, Detail: n,
			Decision: &uplift.Decision{Action: uplift.Warn, Rewriter: n, Policy: n, Err: n, Features: []uplift.Feature{{Where: n, Name: n}}, Cues: []uplift.Cue{{Where: n, Class: n, Words: n}}}},
			Call: &uplift.Call{Reason: n, Details: n, Version: n, RequestID: n, Err: n}, Cost: n, With: []string{n},
			Attempts: []CallAttempt{{n, n}}, Message: []NamedMessage{{n, n}, {n, n}, {n, n}}}
		if i == 1 {
			v.Draft = "" // shown as it is
		}
		if i == 0 {
			v.Text = v.Text + strings.Repeat(" long", 1<<16)
		}
		s.Rows = append(s.Rows, v)
	}
	s.Rows = append(s.Rows, ResponseView{Hidden: hostileNames[1]}, ResponseView{Response: uplift.Response{Outcome: uplift.Failed, Detail: hostileNames[1]}})
	return s
}

func TestHostileResponses(t *testing.T) {
	var page, list, item, show bytes.Buffer
	s := hostileResponses()
	written := map[string]error{"page": ResponsesHTML(&page, s, hostileNames[0], []Fact{{hostileNames[0], hostileNames[1]}}),
		"list": ResponseList(&list, s, 80), "item": ResponseItem(&item, s, 120)}
	for _, r := range s.Rows {
		if err := ResponseShow(&show, r, 80); err != nil {
			written["show"] = err
		}
	}
	for name, err := range written {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for tag, want := range map[string]int{"script": 1, "style": 1, "img": 0, "iframe": 0, "link": 0, "base": 0, "meta": 7} {
		if got := len(regexp.MustCompile(`(?i)<`+tag+`[\s>/]`).FindAllString(page.String(), -1)); got != want {
			t.Errorf("<%s> stands %d times in the page, want %d", tag, got, want)
		}
	}
	if strings.Contains(page.String(), "ZgotmplZ") {
		t.Error("html/template refused a value: the page holds ZgotmplZ")
	}
	if page.Len() > 400_000 {
		t.Errorf("the page has %d bytes for a few responses, one of them with a megabyte", page.Len())
	}
	if !strings.Contains(html.UnescapeString(page.String()), "⟨U+202E⟩") || !strings.Contains(show.String(), "⟨U+001B⟩") {
		t.Error("what turns the direction or acts on a terminal is not spelt out")
	}
	for name, b := range map[string][]byte{"page": page.Bytes(), "list": list.Bytes(), "item": item.Bytes(), "show": show.Bytes()} {
		if !utf8.Valid(b) {
			t.Errorf("the %s is no UTF-8", name)
		}
		for _, r := range string(b) {
			if r != '\n' && hidden(r) {
				t.Errorf("the %s holds the invisible %U", name, r)
				break
			}
		}
	}
}

func TestTooManyResponsesForAPage(t *testing.T) {
	s := ResponseSet{Rows: make([]ResponseView, MaxResponsesOnPage+1)}
	if err := ResponsesHTML(io.Discard, s, "", nil); err == nil || !strings.Contains(err.Error(), "want at most 1000") {
		t.Errorf("got %v, want an error that names the limit", err)
	}
}

func TestWordDiff(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"equal":           {"a b", "a b", "a b"},
		"both empty":      {"", "", ""},
		"all gone":        {"a b", "", "[-a b-]"},
		"all come":        {"", "a b", "{+a b+}"},
		"a word":          {"the old words", "the new words", "the [-old-]{+new+} words"},
		"at the end":      {"keep this. drop that.", "keep this.", "keep this.[- drop that.-]"},
		"shared spaces":   {"aaa bbb ccc tail", "xx yy zz tail", "[-aaa bbb ccc-]{+xx yy zz+} tail"},
		"a longer island": {"x the same long words y", "p the same long words q", "[-x-]{+p+} the same long words [-y-]{+q+}"},
		"no spaces":       {"今天天气好", "今天风大", "今天[-天气好-]{+风大+}"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := marked(wordDiff(c.old, c.new)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The pieces of a side, joined, are that side.
func FuzzWordDiff(f *testing.F) {
	f.Add("a b c", "a x c")
	f.Add("", "x")
	f.Add("一 二\nab ", "二 一\nab")
	f.Fuzz(func(t *testing.T, old, new string) {
		var a, b strings.Builder
		before := inText(-1)
		for _, p := range wordDiff(old, new) {
			if p.Text != "" && p.In == before {
				t.Errorf("two pieces of one kind in a row: %q", p.Text)
			}
			before = p.In
			if p.In != inNew {
				a.WriteString(p.Text)
			}
			if p.In != inOld {
				b.WriteString(p.Text)
			}
		}
		if diff := cmp.Diff([]string{old, new}, []string{a.String(), b.String()}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestLongDiff(t *testing.T) {
	old, new := "a "+strings.Repeat("b ", 1<<13)+"z", "a "+strings.Repeat("c ", 1<<13)+"z"
	if got := wordDiff(old, new); len(got) != 4 || got[1].In != inOld || got[2].In != inNew {
		t.Errorf("got %d pieces, want what both begin and end with around one change", len(got))
	}
}
