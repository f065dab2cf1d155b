package run

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/model"
)

// The most that was ever spent stays below the limit, whatever the replies cost,
// and the run stops only when what is left does not do for one more.
func TestMoneyIsNeverOutrun(t *testing.T) {
	price := Price{In: 2_000, Out: 10_000} // dollars a million: large, to be seen
	for seed := range uint64(20) {
		bubble(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			paid := 0.0
			const limit = 20.0
			s := &server{takes: time.Second}
			s.script = func(int, model.Request) (model.Reply, *model.Error) {
				s.mu.Lock()
				defer s.mu.Unlock()
				a := answer()
				a.TokensIn, a.TokensOut = 1+r.IntN(12), 1+r.IntN(100) // 12 bytes are at most 12 tokens; 100 is max_tokens
				paid += price.of(a.TokensIn, a.TokensOut)
				return a, nil
			}
			got := begin(t, plain(500, s), newMemory(), Options{Concurrency: 16, MaxCostUSD: limit, Prices: map[string]Price{"m0": price}})
			if paid > limit || math.Abs(got.CostUSD-paid) > 1e-9 {
				t.Errorf("paid %v and told %v, limit %v", paid, got.CostUSD, limit)
			}
			if left := limit - paid; left > 1.2 { // 100 tokens of output and 50 of input at most
				t.Errorf("%v of %v were left, enough for one more", left, limit)
			}
			if len(got.Halts) != 1 || got.Halts[0].Why != StopCost || got.Remaining == 0 {
				t.Errorf("halts %+v", got.Halts)
			}
		})
	}
}

// Limits hold over all runs.
func TestEarlierRunsCount(t *testing.T) {
	prices := map[string]Price{"m0": {In: 1e6, Out: 1e6}}
	for _, c := range []struct {
		name string
		opt  Options
		sent int
	}{
		{"requests", Options{MaxRequests: 10, Spent: map[string]Spent{"m0": {Requests: 7}}}, 3},
		{"requests, of another model too", Options{MaxRequests: 10, Spent: map[string]Spent{"m0": {Requests: 7}, "gone": {Requests: 3}}}, 0},
		// A request costs 30 dollars, and 100 + 43 + 2 at most.
		{"money", Options{MaxCostUSD: 400, Prices: prices, Spent: map[string]Spent{"m0": {TokensIn: 100, TokensOut: 100}}}, 2},
		{"money of unknown use", Options{MaxCostUSD: 400, Prices: prices, Spent: map[string]Spent{"m0": {Unknown: 2}}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &server{}
				begin(t, plain(20, s), newMemory(), c.opt)
				if len(s.at) != c.sent {
					t.Errorf("%d requests, want %d", len(s.at), c.sent)
				}
			})
		})
	}
}

// What may have been paid for counts with its worst case, apart from what is
// known; an answer that says no costs nothing.
func TestUnknownUseIsNotZero(t *testing.T) {
	for _, c := range []struct {
		kind    model.Kind
		unknown int
	}{{model.Transport, 1}, {model.Timeout, 1}, {model.Malformed, 1}, {model.Unread, 1}, {model.RateLimit, 0}, {model.Server, 0}, {model.Rejected, 0}} {
		bubble(t, func(t *testing.T) {
			s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
				if n == 1 {
					return model.Reply{}, fails(c.kind)
				}
				return model.Reply{}, nil
			}}
			got := begin(t, plain(1, s), newMemory(), Options{Prices: map[string]Price{"m0": {Out: 1e6}}})
			if got.Unknown != c.unknown || got.UnknownUSD != float64(100*c.unknown) {
				t.Errorf("%s: %d of unknown use, at most %v", c.kind, got.Unknown, got.UnknownUSD)
			}
		})
	}
}

func TestMoneyWantsPrices(t *testing.T) {
	s := &server{}
	_, err := Run(t.Context(), plain(1, s, s), newMemory(), Options{MaxCostUSD: 1, Prices: map[string]Price{"m0": {}}})
	if !errors.Is(err, ErrNoPrice) || !strings.Contains(err.Error(), "model m1") || len(s.at) != 0 {
		t.Errorf("got %v after %d requests, want the model without a price before the first", err, len(s.at))
	}
}

func TestPrices(t *testing.T) {
	list := ListPrices()
	if _, err := time.Parse(time.DateOnly, list.AsOf); err != nil || list.Source == "" {
		t.Errorf("as of %q, source %q", list.AsOf, list.Source)
	}
	for name, want := range map[string]Price{ // as the providers list them
		"claude-sonnet-4-5-20250929": {3, 15}, "claude-haiku-4-5": {1, 5}, "gpt-4o-mini-2024-07-18": {0.15, 0.6}, "gpt-4o": {2.5, 10},
		"gemini-2.5-flash": {0.3, 2.5}, "gemini-2.5-flash-lite": {0.1, 0.4},
	} {
		if got, ok := list.Of(name); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "my-model", "gpt-4o-audio-preview", "gpt-4"} {
		if got, ok := list.Of(name); ok {
			t.Errorf("%q costs %v, want no price", name, got)
		}
	}
	own, err := ReadPrices("p", []byte(`{"as_of":"2026-01-31","prices":[{"model":"a*","input":1,"output":2},{"model":"ab*","input":3,"output":4},{"model":"abc","input":0,"output":0}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]Price{"a": {1, 2}, "abz": {3, 4}, "abc": {0, 0}, "abcd": {3, 4}} {
		if got, ok := own.Of(name); !ok || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, want)
		}
	}
}

func TestPricesSayWhereTheyAreWrong(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"no JSON", "{\n\"as_of\": oh", `p.json:2: invalid character 'o' looking for beginning of value`},
		{"an unknown key", "{\"as_of\": \"2026-01-31\",\n\"eur\": 1}", `p.json:2: unknown field "eur"`},
		{"nothing", `{}`, "p.json: as_of: \"\" (want a date, such as 2026-01-31)\np.json: prices: missing (want a list of model, input and output)"},
		{"two", "{\"as_of\": \"2026-01-31\", \"prices\": [\n{\"model\": \"a\", \"input\": -1, \"output\": 1},\n{\"model\": \"*\", \"input\": 1, \"output\": 1}]}",
			"p.json:2: input: of a: missing or out of range (want US dollars a million tokens, 0 or more)\np.json:3: model: \"*\" (want a provider's name of a model; a * may stand at its end)"},
		{"twice", "{\"as_of\": \"2026-01-31\", \"prices\": [\n{\"model\": \"a\", \"input\": 1, \"output\": 1},\n{\"model\": \"a\", \"input\": 1, \"output\": 1}]}",
			`p.json:3: model: "a" stands twice`},
		{"a price left out", "{\"as_of\": \"2026-01-31\", \"prices\": [{\"model\": \"a\", \"input\": 1}]}", "p.json:1: output: of a: missing or out of range (want US dollars a million tokens, 0 or more)"},
		{"more", "{\"as_of\": \"2026-01-31\", \"prices\": [{\"model\": \"a\", \"input\": 1, \"output\": 1}]}\n{}", "p.json:2: more follows (want one value)"},
	} {
		_, err := ReadPrices("p.json", []byte(c.data))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// A file that is read has prices that can be counted with.
func FuzzReadPrices(f *testing.F) {
	f.Add(pricesFile)
	f.Add([]byte(`{"as_of":"2026-01-31","prices":[{"model":"a*","input":1e5,"output":0}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPrices("p", data)
		if err != nil {
			return
		}
		for _, e := range p.list {
			price, ok := p.Of(strings.TrimSuffix(e.pattern, "*"))
			if v := price.of(1e6, 1e6); !ok || !(v >= 0) || math.IsInf(v, 0) {
				t.Errorf("%q costs %v, %v", e.pattern, v, ok)
			}
		}
	})
}
