package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// always fails in one way.
func always(k model.Kind) func(int, model.Request) (model.Reply, *model.Error) {
	return func(int, model.Request) (model.Reply, *model.Error) { return model.Reply{}, fails(k) }
}

func TestHowOftenEachFailureIsSentAgain(t *testing.T) {
	for _, c := range []struct {
		kind model.Kind
		sent int
	}{
		{model.RateLimit, 8}, {model.Overloaded, 8}, {model.Transport, 4}, {model.Timeout, 4}, {model.Server, 4},
		{model.Malformed, 3}, {model.Rejected, 1}, {model.Unread, 1},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, keep := &server{script: always(c.kind)}, newMemory()
				got := begin(t, plain(1, s), keep, Options{})
				if len(s.at) != c.sent || got.Failed != 1 || got.Remaining != 0 || got.Outcomes[uplift.Failed] != 1 {
					t.Errorf("%d requests, %+v, want %d and a failed cell", len(s.at), got, c.sent)
				}
				for i, a := range keep.attempts {
					if a.N != i+1 || a.Kind != string(c.kind) || a.Err != string(c.kind) || a.Model != "m0" || a.At.IsZero() {
						t.Errorf("attempt %d is %+v", i+1, a)
					}
				}
				for _, call := range keep.calls {
					if call.Attempts != c.sent || call.Stop != uplift.StopError || len(keep.attempts) != c.sent || call.Model != "m0" {
						t.Errorf("call %+v with %d attempts kept, want %d", call, len(keep.attempts), c.sent)
					}
				}
				if len(got.Faults) != 1 || got.Faults[0].Count != 1 || got.Faults[0].Text != string(c.kind) || got.Faults[0].Cell != "m0/c/t0/direct/0" {
					t.Errorf("faults %+v", got.Faults)
				}
			})
		})
	}
}

// A reply is never sent for again, whatever it says.
func TestNoReplyIsSentForAgain(t *testing.T) {
	for _, stop := range []uplift.Stop{uplift.StopRefusal, uplift.StopPrompt, uplift.StopOutput, uplift.StopLength} {
		s := &server{script: func(int, model.Request) (model.Reply, *model.Error) { return model.Reply{Stop: stop}, nil }}
		bubble(t, func(t *testing.T) {
			if got := begin(t, plain(3, s), newMemory(), Options{}); len(s.at) != 3 || got.Gaps() {
				t.Errorf("%s: %d requests, %+v, want 3", stop, len(s.at), got)
			}
		})
	}
}

// Replies that are not known to be whole are counted once a request by the
// provider's word, and a text in its place is withheld.
func TestCutOffRepliesAreCountedByTheirWord(t *testing.T) {
	words := []string{"max_tokens", "tool_use", "max_tokens", "", "because of " + marker}
	s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
		r := answer()
		if n <= len(words) {
			r.Stop, r.Reason = uplift.StopLength, words[n-1]
		}
		return r, nil
	}}
	bubble(t, func(t *testing.T) {
		spec := plain(8, s, s)
		spec.Conditions[0].ModelName, spec.Conditions[1].ModelName, spec.Conditions[1].Name = "m", "m", "shares the calls"
		got := begin(t, spec, newMemory(), Options{Profile: listed(t)})
		if d := cmp.Diff(got.CutOff, map[string]int{"max_tokens": 2, "tool_use": 1, "no word": 1, withheldWord: 1}); d != "" || len(s.at) != 8 {
			t.Errorf("%d requests, want 8 (-got +want):\n%s", len(s.at), d)
		}
	})
}

// What waiting does not mend stops its model at once. Its cells stay open, and
// the other models go on. The next run counts on from the attempts that were kept.
func TestKeyAndQuotaStopOneModel(t *testing.T) {
	for _, kind := range []model.Kind{model.Denied, model.NoQuota} {
		t.Run(string(kind), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				bad, good, keep := &server{script: always(kind)}, &server{}, newMemory()
				got := begin(t, plain(20, bad, good), keep, Options{Concurrency: 1})
				if len(bad.at) != 1 || len(good.at) != 20 || got.Finished != 20 || got.Remaining != 20 || got.Failed != 0 || !got.Gaps() {
					t.Errorf("%d and %d requests, %+v, want 1 and 20, 20 cells open and none failed", len(bad.at), len(good.at), got)
				}
				if len(got.Halts) != 1 || got.Halts[0].Model != "m0" || got.Halts[0].Why != StopModel || !strings.Contains(got.Halts[0].Text, string(kind)) {
					t.Errorf("halts %+v", got.Halts)
				}
				bad.script = nil
				if got = begin(t, plain(20, bad, good), keep, Options{Concurrency: 1, Tried: keep.tried()}); got.Gaps() || got.Finished != 20 {
					t.Errorf("with the key mended: %+v", got)
				}
				twice := slices.DeleteFunc(slices.Clone(keep.attempts), func(a uplift.Attempt) bool { return a.N != 2 })
				if len(twice) != 1 || keep.calls[twice[0].Call].Attempts != 2 {
					t.Errorf("second attempts %+v, want one, counted over both runs", twice)
				}
			})
		})
	}
}

// Where the first calls are all rejected, such as for a name of a model that is
// none, the model stops; after one that was answered it does not.
func TestManyRejectedInARow(t *testing.T) {
	for _, c := range []struct {
		name           string
		from, requests int
		kind           model.Kind
	}{{"from the first on", 1, 5, model.Rejected}, {"after an answer", 2, 20, model.Rejected},
		{"without a text", 1, 5, model.Unread}, {"without a text after an answer", 2, 20, model.Unread}} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
					if n >= c.from {
						return model.Reply{}, fails(c.kind)
					}
					return model.Reply{}, nil
				}}
				got := begin(t, plain(20, s), newMemory(), Options{})
				if len(s.at) != c.requests || (len(got.Halts) == 1) != (c.requests == 5) {
					t.Errorf("%d requests, %+v, want %d", len(s.at), got, c.requests)
				}
			})
		})
	}
}

// A model that sends nothing and does not say why to a run stops, in its own words.
type mute struct{}

func (mute) Generate(context.Context, model.Request) (model.Reply, error) {
	return model.Reply{}, fmt.Errorf("no such setting: %w", model.ErrNotSent)
}

func TestWhatIsNotSentIsTold(t *testing.T) {
	got := Report{}
	bubble(t, func(t *testing.T) { got = begin(t, plain(3, mute{}), newMemory(), Options{}) })
	if got.Remaining != 3 || len(got.Halts) != 1 || !strings.Contains(got.Halts[0].Text, "no such setting") {
		t.Errorf("got %+v, want the reason", got)
	}
}

// Asked to stop, a run finishes what is in the air and sends nothing more, not
// even what waits for its next attempt.
func TestHaltFinishesWhatIsInTheAir(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{takes: 10 * time.Second, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			if n == 1 {
				return model.Reply{}, fails(model.Server)
			}
			return model.Reply{}, nil
		}}
		halt, keep := make(chan struct{}), newMemory()
		go func() { time.Sleep(5 * time.Second); close(halt) }()
		start := time.Now()
		got := begin(t, plain(50, s), keep, Options{Concurrency: 4, Halt: halt})
		if took := time.Since(start); took != 10*time.Second || len(s.at) != 4 || got.Finished != 3 || got.Remaining != 47 {
			t.Errorf("after %s: %d requests, %+v, want 4 after 10 s, of which 3 answered", took, len(s.at), got)
		}
		if len(got.Halts) != 1 || got.Halts[0].Why != StopAsked || len(keep.attempts) != 4 || got.Retries != 0 {
			t.Errorf("halts %+v, %d attempts kept, %d sent again, want all 4 and none", got.Halts, len(keep.attempts), got.Retries)
		}
		if got = begin(t, plain(50, s), keep, Options{Concurrency: 4, Tried: keep.tried()}); got.Gaps() || len(s.at) != 51 {
			t.Errorf("%d requests, %+v, want 50 answered and the one that failed", len(s.at), got)
		}
	})
}

// cutOff fails as a provider does whose request is given up.
type cutOff struct{ blocking }

func (c cutOff) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	_, err := c.blocking.Generate(ctx, req)
	return model.Reply{}, &model.Error{Kind: model.Transport, Err: err}
}

// A request that is given up when a run ends is kept as sent, since it may have
// been paid for, and counts as none that was sent again.
func TestGivenUpIsNotSentAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { time.Sleep(time.Second); cancel() }()
		keep := newMemory()
		got, err := Run(ctx, plain(9, cutOff{blocking{make(chan struct{}, 9)}}), keep, Options{Concurrency: 4, Now: time.Now})
		if !errors.Is(err, context.Canceled) || got.Requests != 4 || got.Retries != 0 || got.Unknown != 4 || len(keep.attempts) != 4 {
			t.Errorf("%v, %+v, %d attempts kept, want 4 requests, all kept, and none again", err, got, len(keep.attempts))
		}
	})
}

func TestMinutes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{takes: 20 * time.Second}
		got := begin(t, plain(50, s), newMemory(), Options{MaxMinutes: 1.5})
		if len(s.at) != 5 || got.Finished != 5 || len(got.Halts) != 1 || got.Halts[0].Why != StopMinutes {
			t.Errorf("%d requests, %+v, want 5, the last begun before 90 s", len(s.at), got)
		}
	})
}

// A whole reply that nobody can rate is paid for, and is no reason to draw again:
// one with an unknown stop, and an answer without a text.
func TestBrokenRepliesCountWhatTheyUsed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			r := answer()
			if n == 1 {
				r.Stop = "odd"
			} else {
				r.Text = ""
			}
			return r, nil
		}}
		keep := newMemory()
		got := begin(t, plain(2, s), keep, Options{Prices: map[string]Price{"m0": {1e6, 1e6}}})
		if got.CostUSD != 60 || got.Unknown != 0 || got.Failed != 2 || len(keep.attempts) != 2 {
			t.Errorf("%+v, attempts %+v, want two failed cells and twice 30 tokens", got, keep.attempts)
		}
		for _, a := range keep.attempts {
			if a.N != 1 || a.TokensOut != 20 || a.Kind != string(model.Unread) {
				t.Errorf("attempt %+v, want one of each call, unread", a)
			}
		}
	})
}

// A keeper that fails at any write stops the run with its error, and what it
// kept is whole.
func TestEveryWriteMayFail(t *testing.T) {
	for puts := range 12 {
		bubble(t, func(t *testing.T) {
			s := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
				if n%2 == 1 {
					return model.Reply{}, fails(model.Server)
				}
				return model.Reply{}, nil
			}}
			keep := newMemory()
			keep.puts = puts
			got, err := Run(t.Context(), plain(4, s), keep, Options{Now: time.Now})
			if !errors.Is(err, errKilled) || got.Finished != len(keep.responses) || got.Remaining != 4-got.Finished {
				t.Errorf("after %d writes: %+v, %v", puts, got, err)
			}
			keep.puts = -1
			if got = begin(t, plain(4, s), keep, Options{Tried: keep.tried()}); got.Gaps() {
				t.Errorf("after %d writes and again: %+v", puts, got)
			}
		})
	}
}

// brokenOff says of its requests that they broke off when ctx ends, as a model over
// a network does.
type brokenOff struct{}

func (brokenOff) Generate(ctx context.Context, _ model.Request) (model.Reply, error) {
	<-ctx.Done()
	return model.Reply{}, &model.Error{Kind: model.Transport, Err: ctx.Err()}
}

// That a run was ended at once is no failure of its calls: what was sent is
// counted, and its cells stay open, also at a request's last attempt.
func TestAnEndIsNoFailureOfACall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		keep := newMemory()
		got, err := Run(ctx, plain(3, brokenOff{}), keep, Options{Now: time.Now, Concurrency: 3, Retries: Retries{Broken: 1}})
		if !errors.Is(err, context.Canceled) || got.Remaining != 3 || len(keep.calls)+len(keep.responses) != 0 || len(keep.attempts) != 3 {
			t.Errorf("%+v, %v, kept %d calls and %d attempts, want 3 open cells and what was sent", got, err, len(keep.calls), len(keep.attempts))
		}
	})
}
