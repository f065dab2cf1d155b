package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/lint"
	"github.com/uplift-eval/uplift/internal/quarantine"
	"github.com/uplift-eval/uplift/model"
)

// marker is a word that the profile of these tests locks away.
const marker = "xxxxqqqyyyy"

func listed(t *testing.T) lint.Profile {
	t.Helper()
	p, err := lint.ReadOperator("list", []byte(marker+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// safe keeps what was sealed, and gives back what says nothing of it.
type safe struct {
	mu  sync.Mutex
	got [][]byte
	err error
}

func (s *safe) Seal(b []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, slices.Clone(b))
	return fmt.Appendf(nil, "sealed %d", len(s.got)), s.err
}

// open is every byte that a keeper holds in the open.
func (m *memory) open(t *testing.T) string {
	t.Helper()
	b, err := json.Marshal([]any{m.calls, m.responses, m.withheld, m.attempts})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range m.attempts {
		b = append(b, a.Raw...)
	}
	for _, w := range m.withheld {
		b = append(b, w.Sealed...)
	}
	return string(b)
}

// says answers with a text in every place that a reply has.
func says(text string) model.Reply {
	r := answer()
	r.Text, r.Reasoning = "It is "+text, "I think of "+text
	r.Details = fmt.Sprintf(`{"explanation":%q}`, "because of "+text)
	r.Attempt.Raw = fmt.Appendf(nil, `{"id":"1","text":%q}`, r.Text)
	return r
}

// texts sends a text where a word is expected.
func texts(text string) model.Reply {
	r := says("fine")
	r.Reason, r.Version, r.RequestID = "because of "+text, "version of "+text, "id of "+text
	r.Attempt.Headers = map[string]string{"request-id": "id of " + text, "retry-after": "1"}
	r.Attempt.Raw = fmt.Appendf(nil, `{"model":%q}`, r.Version)
	return r
}

// shared is one item under three conditions that share a draft, one of which
// changes it.
func shared(m model.Model, turns ...string) Spec {
	s := plain(1, m, m, m)
	s.Items[0].Turns = append([]string{"question"}, turns...)
	for i, name := range []string{"open", "noted", "again"} {
		s.Conditions[i].ModelName, s.Conditions[i].Name = "m", name
	}
	s.Conditions[1].Controller = note{}
	return s
}

// Where a rule finds something, nothing of it is kept in the open: not in the
// call, its attempts, their bodies and errors, nor in any response. The cells of
// this run still get it, and what is sealed holds all of it.
func TestNothingFoundIsKeptInTheOpen(t *testing.T) {
	for _, c := range []struct {
		name   string
		script func(n int, _ model.Request) (model.Reply, *model.Error)
		of     map[string]int // withheld records by kind
		parts  []string
	}{
		{"a reply", func(int, model.Request) (model.Reply, *model.Error) { return says(marker), nil },
			map[string]int{"call": 1, "attempt": 1, "response": 3}, []string{"details", "draft", "raw", "reasoning", "text", "transcript"}},
		{"reasoning alone", func(int, model.Request) (model.Reply, *model.Error) {
			r := answer()
			r.Reasoning = marker
			return r, nil
		}, map[string]int{"call": 1}, []string{"reasoning", "text"}},
		{"a body alone", func(int, model.Request) (model.Reply, *model.Error) {
			r := answer()
			r.Attempt.Raw = []byte(`{"other":["` + marker + `"]}`)
			return r, nil
		}, map[string]int{"attempt": 1}, []string{"raw"}},
		{"a stream that is cut inside a word", func(int, model.Request) (model.Reply, *model.Error) {
			r := answer()
			r.Attempt.Raw = []byte("data: {\"d\":\"" + marker[:5] + "\"}\n\ndata: {\"d\":\"" + marker[5:] + "\"}\n\ndata: [DONE]\n")
			return r, nil
		}, map[string]int{"attempt": 1}, []string{"raw"}},
		{"a body in which a word is cut in two", func(int, model.Request) (model.Reply, *model.Error) {
			r := answer()
			r.Text = marker
			r.Attempt.Raw = []byte(`{"content":[{"text":"` + marker[:5] + `"},{"text":"` + marker[5:] + `"}]}`)
			return r, nil
		}, map[string]int{"call": 1, "attempt": 1, "response": 3}, []string{"draft", "raw", "text", "transcript"}},
		{"texts in the place of words", func(int, model.Request) (model.Reply, *model.Error) { return texts(marker), nil },
			map[string]int{"attempt": 1}, []string{"raw"}},
		{"a failed attempt", func(n int, _ model.Request) (model.Reply, *model.Error) {
			if n > 1 {
				return answer(), nil
			}
			return model.Reply{}, &model.Error{Kind: model.Server, Err: errors.New("bad: " + marker), Attempt: model.Attempt{Raw: []byte("<p>" + marker)}}
		}, map[string]int{"attempt": 1}, []string{"error", "raw"}},
		{"a call that fails", func(int, model.Request) (model.Reply, *model.Error) {
			return model.Reply{}, &model.Error{Kind: model.Rejected, Err: errors.New("bad: " + marker), Attempt: model.Attempt{Raw: []byte(marker)}}
		}, map[string]int{"attempt": 1}, []string{"error", "raw"}},
	} {
		for _, vault := range []*safe{{}, nil} {
			t.Run(fmt.Sprint(c.name, vault != nil), func(t *testing.T) {
				keep, opt := newMemory(), Options{Profile: listed(t), KeepRaw: true, Concurrency: 2}
				if vault != nil {
					opt.Vault = vault
				}
				var got Report
				bubble(t, func(t *testing.T) { got = begin(t, shared(&server{script: c.script}), keep, opt) })
				if got.Finished != 3 || len(keep.responses) != 3 {
					t.Fatalf("got %+v, want 3 cells", got)
				}
				if kept := keep.open(t); strings.Contains(kept, marker) || strings.Contains(kept, marker[5:]) {
					t.Errorf("kept in the open: %s", kept)
				}
				of := map[string]int{}
				for id, w := range keep.withheld {
					kind, _, _ := strings.Cut(w.Of, " ")
					of[kind]++
					if id != w.ID || len(id) != 32 || len(w.SHA256) != 64 || w.At.IsZero() || !slices.Equal(w.Rules, []string{"operator operator"}) || (vault != nil) != (w.Sealed != nil) {
						t.Errorf("record %+v", w)
					}
				}
				if d := cmp.Diff(c.of, of); d != "" {
					t.Error(d)
				}
				if vault == nil {
					return
				}
				parts := map[string]bool{}
				for _, b := range vault.got {
					p, err := quarantine.Decode(b)
					if err != nil {
						t.Fatal(err)
					}
					w := keep.withheld[p.Record(b, nil, time.Time{}).ID]
					if w.Of != p.Of || w.SHA256 != model.RawHash(b) {
						t.Errorf("%s is sealed, and its record is %+v", p.Of, w)
					}
					for name := range p.Parts {
						parts[name] = true
					}
				}
				for _, name := range c.parts {
					if !parts[name] {
						t.Errorf("part %s is not sealed: %v", name, parts)
					}
				}
			})
		}
	}
}

// A condition whose controller showed nothing of a draft holds it in its draft.
// What another condition showed is kept as it was.
func TestOnlyWhatIsFoundIsWithheld(t *testing.T) {
	s := &server{script: func(_ int, req model.Request) (model.Reply, *model.Error) {
		if req.Messages[0].Text == "question 1" {
			return says(marker), nil
		}
		return says("fine"), nil
	}}
	keep := newMemory()
	bubble(t, func(t *testing.T) { begin(t, plain(3, s), keep, Options{Profile: listed(t), KeepRaw: true}) })
	for _, r := range keep.responses {
		if locked := r.Task == "t1"; locked != (r.Withheld != "") || locked != (r.Text == "") || locked != (r.Transcript == nil) || r.Outcome != uplift.Answered || len(r.Item.Turns) != 1 {
			t.Errorf("response %+v", r)
		}
	}
}

// Cells of one run share a withheld text from memory; a later turn is asked with
// it, and a controller judges it.
func TestWithheldTextServesTheRun(t *testing.T) {
	s := &server{script: func(n int, req model.Request) (model.Reply, *model.Error) {
		if len(req.Messages) == 1 {
			return says(marker), nil
		}
		if !strings.Contains(req.Messages[1].Text, marker) {
			return model.Reply{}, fails(model.Rejected)
		}
		return says("fine"), nil
	}}
	keep := newMemory()
	var got Report
	bubble(t, func(t *testing.T) {
		got = begin(t, shared(s, "go on"), keep, Options{Profile: listed(t)})
	})
	// One first turn, and second ones with and without the note.
	if got.Failed != 0 || len(s.at) != 3 || got.Withheld != 3 {
		t.Errorf("%d requests, %+v, want 3, and every transcript withheld", len(s.at), got)
	}
}

// A later run cannot read what was withheld: cells that need it fail and say so,
// and are asked anew when somebody asks for it.
func TestWithheldTextCannotBeReadLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			return says(fmt.Sprint(marker, " ", n)), nil
		}}
		keep := newMemory()
		keep.puts = 4 // the records of the attempt and the call, the call, one response's record
		if _, err := Run(t.Context(), shared(s), keep, Options{Now: time.Now, Profile: listed(t), KeepRaw: true}); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		keep.puts = -1
		got := begin(t, shared(s), keep, Options{Profile: listed(t), KeepRaw: true})
		if len(s.at) != 1 || got.Failed != 3 || len(got.Faults) != 1 || got.Faults[0].Text != lockedAway {
			t.Errorf("%d requests, %+v, want no new one and 3 cells that say why", len(s.at), got)
		}
		got = begin(t, shared(s), keep, Options{Profile: listed(t), KeepRaw: true, Retry: true, Tried: keep.tried()})
		if len(s.at) != 2 || got.Gaps() || got.Finished != 3 || len(keep.attempts) != 2 || keep.attempts[1].N != 2 {
			t.Errorf("%d requests, %+v, attempts %+v, want one new one for 3 cells", len(s.at), got, keep.attempts)
		}
	})
}

// What cannot be sealed stops the run before anything of it is kept.
func TestNothingIsKeptThatCannotBeSealed(t *testing.T) {
	s := &server{script: func(int, model.Request) (model.Reply, *model.Error) { return says(marker), nil }}
	keep, broken := newMemory(), errors.New("no seal")
	synctest.Test(t, func(t *testing.T) {
		_, err := Run(t.Context(), shared(s), keep, Options{Now: time.Now, Profile: listed(t), Vault: &safe{err: broken}, KeepRaw: true})
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
	})
	if len(keep.calls)+len(keep.attempts)+len(keep.responses)+len(keep.withheld) != 0 {
		t.Errorf("kept %s", keep.open(t))
	}
}

// Of a study of real hazardous requests no word is kept in the open, neither of
// what was asked nor of what came back.
func TestRealHazardKeepsNoText(t *testing.T) {
	const asked, said = "markerasked", "markersaid"
	s := &server{script: func(n int, req model.Request) (model.Reply, *model.Error) {
		switch {
		case n == 1:
			return model.Reply{}, &model.Error{Kind: model.Server, Err: errors.New(said), Attempt: model.Attempt{Raw: []byte(said)}}
		case strings.Contains(req.Messages[0].Text, "no"):
			return model.Reply{}, &model.Error{Kind: model.Rejected, Err: errors.New("invalid: " + asked), Attempt: model.Attempt{Raw: []byte(asked)}}
		}
		return says(said), nil
	}}
	spec := shared(s, asked+" two")
	spec.Items[0].Turns[0] = asked
	spec.Items[0].Next = &uplift.Next{Refused: asked, Limited: asked, Full: asked}
	spec.Items = append(spec.Items, uplift.Item{Task: "t2", Attack: "direct", Turns: []string{"no " + asked}})
	keep, vault := newMemory(), &safe{}
	var got Report
	bubble(t, func(t *testing.T) {
		got = begin(t, spec, keep, Options{Hazard: true, Vault: vault, KeepRaw: true})
	})
	if kept := keep.open(t); strings.Contains(kept, asked) || strings.Contains(kept, said) {
		t.Errorf("kept in the open: %s", kept)
	}
	if b, _ := json.Marshal(got); strings.Contains(string(b), asked) || strings.Contains(string(b), said) {
		t.Errorf("told in the open: %s", b)
	}
	if got.Finished != 6 || got.Withheld != 0 || len(vault.got) == 0 {
		t.Errorf("got %+v, want six cells, and no hit of a rule", got)
	}
	for _, r := range keep.responses {
		if r.Withheld == "" || r.Item.Turns != nil || r.Item.Next != nil || Hit(keep.withheld[r.Withheld]) {
			t.Errorf("response %+v", r)
		}
	}
}

// Words of a provider stand, also beside real hazardous requests; texts do not.
func TestWordsOfAProviderStand(t *testing.T) {
	for name, opt := range map[string]Options{"hazard": {Hazard: true}, "a profile": {Profile: listed(t)}} {
		s, keep := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			r := says("fine")
			r.Reason, r.Version, r.RequestID = "end_turn", "claude-x-2026", "req_1"
			r.Attempt.Headers = map[string]string{"request-id": "req_1"}
			return r, nil
		}}, newMemory()
		bubble(t, func(t *testing.T) { begin(t, plain(1, s), keep, opt) })
		for _, c := range keep.calls {
			if c.Reason != "end_turn" || c.Version != "claude-x-2026" || c.RequestID != "req_1" || keep.attempts[0].Headers["request-id"] != "req_1" {
				t.Errorf("%s: %+v, %+v, want the provider's words", name, c, keep.attempts[0])
			}
		}
	}
	keep := newMemory()
	bubble(t, func(t *testing.T) {
		begin(t, plain(1, &server{script: func(int, model.Request) (model.Reply, *model.Error) { return texts("a text"), nil }}), keep, Options{Hazard: true})
	})
	if kept := keep.open(t); strings.Contains(kept, "a text") {
		t.Errorf("kept in the open: %s", kept)
	}
}

// Above 2 % of a condition, after fifty of it, nothing more is sent, in this run
// and in the next, unless somebody goes on past it.
func TestPauseOfACondition(t *testing.T) {
	hits := func(every int) *server {
		return &server{script: func(n int, req model.Request) (model.Reply, *model.Error) {
			var k int
			fmt.Sscanf(req.Messages[0].Text, "question %d", &k)
			if every > 0 && k%every == every-1 {
				return says(marker), nil
			}
			return says("fine"), nil
		}}
	}
	for _, c := range []struct {
		name     string
		every    int
		past     bool
		finished int
	}{
		{"none", 0, false, 200}, {"one in a hundred", 100, false, 200}, {"one in ten", 10, false, 50},
		{"all", 1, false, 50}, {"past it", 1, true, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, keep := hits(c.every), newMemory()
				got := begin(t, plain(200, s), keep, Options{Profile: listed(t), PastPause: c.past})
				// what was under way when it paused is finished
				if got.Finished < c.finished || (got.Finished == 200) != (c.finished == 200) || (len(got.Halts) == 1) != (c.finished < 200) {
					t.Errorf("%d cells, %+v, want %d or a few more", got.Finished, got.Halts, c.finished)
				}
				if c.finished == 200 {
					return
				}
				held := map[string]bool{}
				for _, w := range keep.withheld {
					if id, ok := strings.CutPrefix(w.Of, "response "); ok && Hit(w) {
						held[id] = true
					}
				}
				sent := len(s.at)
				if again := begin(t, plain(200, s), keep, Options{Profile: listed(t), Withheld: held}); again.Halts[0].Why != StopPaused || len(s.at) != sent {
					t.Errorf("again: %+v, %d new requests, want none", again, len(s.at)-sent)
				}
			})
		})
	}
}

// Ids and signatures are nobody's words; all else that can be read is looked at.
func TestWordsOfABody(t *testing.T) {
	for _, c := range []struct {
		in            string
		texts, opaque []string
		names         string
	}{
		{"", nil, nil, ""},
		{"plain", []string{"plain"}, nil, ""},
		{`{"id":"i","b":["x",1,{"signature":"s","a":"y"}]}`, []string{"x", "y"}, []string{"i", "s"}, "id b signature a"},
		{`{"a":"first","a":"second"}`, []string{"first", "second"}, nil, "a"},
		{`{"id":{"a":"x"}}`, []string{"x"}, nil, "id a"},
		{`{"a\u0062" : "\u0063\"d"}`, []string{`c"d`}, nil, "ab"},
		{`{"a":"broken \u006f\u0066\u00`, []string{"broken of", "broken of", "{:"}, nil, "a"},
		{"data: {\"a\":\"one\"}\n\ndata: {\"a\":\"two\"}\n", []string{"one", "two", "onetwo", "data: {:}\n\ndata: {:}\n"}, nil, "a"},
		{"a\x00b\x00", []string{"ab"}, nil, ""},
	} {
		got := read(c.in)
		if d := cmp.Diff(got, words{texts: c.texts, opaque: c.opaque, names: c.names}, cmp.AllowUnexported(words{})); d != "" {
			t.Errorf("%q (-got +want): %s", c.in, d)
		}
	}
}

func FuzzWordsOfABody(f *testing.F) {
	for _, s := range []string{`{"a":"b"}`, `"\`, `"a\u00`, `data: {"a":"b"`, `"\\":"`, "\""} {
		f.Add(s)
	}
	// What Go's decoder reads as a string is among the words.
	f.Fuzz(func(t *testing.T, body string) {
		w := read(body)
		var one string
		if json.Unmarshal([]byte(body), &one) == nil && one != "" && body[0] == '"' && utf8.ValidString(body) && !slices.Contains(w.texts, one) {
			t.Errorf("%q: got %q, want %q", body, w.texts, one)
		}
	})
}

// A rule holds in every place of an answer, and in what is said of a failure.
func TestNoPlaceOfAnAnswerIsOpen(t *testing.T) {
	chain := strings.Repeat("GATTACAGCCTA", 5)
	for name, change := range map[string]func(*model.Reply){
		"reason":       func(r *model.Reply) { r.Reason = chain },
		"version":      func(r *model.Reply) { r.Version = chain },
		"id":           func(r *model.Reply) { r.RequestID = chain },
		"header":       func(r *model.Reply) { r.Attempt.Headers = map[string]string{"request-id": chain} },
		"header name":  func(r *model.Reply) { r.Attempt.Headers = map[string]string{"x-" + chain: "1"} },
		"body id":      func(r *model.Reply) { r.Attempt.Raw = []byte(`{"id":"` + chain + `"}`) },
		"body name":    func(r *model.Reply) { r.Attempt.Raw = []byte(`{"` + chain + `":1}`) },
		"body twice":   func(r *model.Reply) { r.Attempt.Raw = []byte(`{"a":"` + chain + `","a":""}`) },
		"details name": func(r *model.Reply) { r.Details = `{"` + chain + `":1}` },
	} {
		t.Run(name, func(t *testing.T) {
			keep := newMemory()
			bubble(t, func(t *testing.T) {
				begin(t, shared(&server{script: func(int, model.Request) (model.Reply, *model.Error) {
					r := answer()
					change(&r)
					return r, nil
				}}), keep, Options{KeepRaw: true, Concurrency: 2})
			})
			if kept := keep.open(t); len(keep.responses) != 3 || strings.Contains(kept, chain) {
				t.Errorf("%d responses, kept in the open: %s", len(keep.responses), kept)
			}
		})
	}
	for _, kind := range []model.Kind{model.Denied, model.NoQuota} {
		keep := newMemory()
		var got Report
		bubble(t, func(t *testing.T) {
			got = begin(t, shared(&server{script: func(int, model.Request) (model.Reply, *model.Error) {
				return model.Reply{}, &model.Error{Kind: kind, Err: errors.New("bad " + chain), Attempt: model.Attempt{Status: 401}}
			}}), keep, Options{KeepRaw: true, Concurrency: 2})
		})
		if said := fmt.Sprintf("%+v", got); len(got.Halts) == 0 || strings.Contains(said+keep.open(t), chain) {
			t.Errorf("%s: said %s", kind, said)
		}
	}
}
