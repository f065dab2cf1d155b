package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// server answers after a time, and says no as its script does. It notes when
// requests came, and how many were in the air.
type server struct {
	takes  time.Duration
	first  time.Duration                                              // that the first takes, where it differs
	script func(n int, req model.Request) (model.Reply, *model.Error) // n from 1; nil: answers

	mu   sync.Mutex
	at   []time.Time
	air  int
	most int
}

func (s *server) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	s.mu.Lock()
	s.at = append(s.at, time.Now())
	n := len(s.at)
	s.air++
	s.most = max(s.most, s.air)
	s.mu.Unlock()
	takes := s.takes
	if n == 1 && s.first > 0 {
		takes = s.first
	}
	defer func() { s.mu.Lock(); s.air--; s.mu.Unlock() }()
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return model.Reply{}, ctx.Err()
	}
	if s.script != nil {
		r, err := s.script(n, req)
		if err != nil {
			return r, err
		}
		if r.Stop != "" {
			return r, nil
		}
	}
	return answer(), nil
}

func answer() model.Reply {
	return model.Reply{Text: "well", Stop: uplift.StopEnd, TokensIn: 10, TokensOut: 20}
}

func fails(k model.Kind) *model.Error { return &model.Error{Kind: k, Err: errors.New(string(k))} }

// plain is n items under one condition of each model: n cells and calls each.
func plain(n int, models ...model.Model) Spec {
	most := 100
	s := Spec{}
	for i := range n {
		s.Items = append(s.Items, uplift.Item{Task: fmt.Sprint("t", i), Attack: uplift.Direct, Turns: []string{fmt.Sprint("question ", i)}})
	}
	for i, m := range models {
		s.Conditions = append(s.Conditions, access.Condition{Name: "c", ModelName: fmt.Sprint("m", i), Model: m,
			Sampling: model.Sampling{MaxTokens: &most}})
	}
	return s
}

// rounds gives how many requests came in each round trip.
func (s *server) rounds() []int {
	var out []int
	for i, at := range s.at {
		if i == 0 || at.Sub(s.at[i-1]) > 0 {
			out = append(out, 0)
		}
		out[len(out)-1]++
	}
	return out
}

func bubble(t *testing.T, f func(t *testing.T)) { t.Helper(); synctest.Test(t, f) }

func begin(t *testing.T, spec Spec, keep Keeper, opt Options) Report {
	t.Helper()
	opt.Now = time.Now
	r, err := Run(t.Context(), spec, keep, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSlowStartThenOneMoreARoundTrip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{takes: time.Second}
		begin(t, plain(200, s), newMemory(), Options{Concurrency: 64})
		if d := cmp.Diff([]int{8, 16, 32, 64, 64, 16}, s.rounds()); d != "" {
			t.Error(d)
		}
	})
	bubble(t, func(t *testing.T) { // the third round trip is too much: halved once, then one more each
		s := &server{takes: time.Second, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			if n > 24 && n <= 40 {
				return model.Reply{}, fails(model.RateLimit)
			}
			return model.Reply{}, nil
		}}
		got := begin(t, plain(200, s), newMemory(), Options{Concurrency: 64, Retries: Retries{First: time.Nanosecond, Longest: time.Nanosecond}})
		rounds := s.rounds()
		if d := cmp.Diff([]int{8, 16, 32}, rounds[:3]); d != "" {
			t.Error(d)
		}
		// In the third, 16 were put off and 16 answered. Of the answers, those that
		// are seen first still double the window, which is then halved once.
		if rounds[3] < 16 || rounds[3] > (32+16)/2+1 || !slices.IsSorted(rounds[3:len(rounds)-1]) || rounds[8]-rounds[3] != 5 {
			t.Errorf("rounds %v, want half of 32, and one more each", rounds)
		}
		if got.Throttled != 16 || got.Retries != 16 || got.Gaps() || got.Requests != 216 {
			t.Errorf("got %+v", got)
		}
	})
}

// The window never falls below one.
func TestFloorOfOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{takes: time.Second, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			if n <= 30 {
				return model.Reply{}, fails(model.Overloaded)
			}
			return model.Reply{}, nil
		}}
		got := begin(t, plain(10, s), newMemory(), Options{Concurrency: 8, Retries: Retries{Limited: 20}})
		if got.Gaps() || got.Throttled != 30 {
			t.Errorf("got %+v, want every cell after 30 refusals", got)
		}
	})
}

// A pause that the provider asks for holds every request back.
func TestRetryAfterHoldsTheEndpoint(t *testing.T) {
	for _, c := range []struct {
		name string
		rate model.Rate
		want time.Duration
	}{
		{"retry-after", model.Rate{RetryAfter: new(30 * time.Second)}, 30 * time.Second},
		{"capped", model.Rate{RetryAfter: new(24 * time.Hour)}, longestPause},
		{"limits that are none", model.Rate{Requests: new(-1), RequestsLeft: new(0), RequestsIn: new(time.Hour)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &server{takes: time.Second, first: time.Second / 2, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
					r := answer()
					if n == 1 {
						r.Attempt.Rate = c.rate
					}
					return r, nil
				}}
				begin(t, plain(40, s), newMemory(), Options{Concurrency: 4})
				after := s.at[4].Sub(s.at[0]) - s.first // four were sent at once
				if after < c.want || after > c.want+2*time.Second {
					t.Errorf("the fifth request came %s after the first reply, want %s and at most 2 s more", after, c.want)
				}
			})
		})
	}
}

// most counts the requests of the fullest minute, one by one.
func most(at []time.Time) (n int) {
	for i := range at {
		k := i
		for k < len(at) && at[k].Sub(at[i]) < time.Minute {
			k++
		}
		n = max(n, k-i)
	}
	return n
}

func TestRequestsAndTokensAMinute(t *testing.T) {
	said := func(r model.Rate) func(int, model.Request) (model.Reply, *model.Error) {
		return func(int, model.Request) (model.Reply, *model.Error) {
			a := answer()
			a.Attempt.Rate = r
			return a, nil
		}
	}
	for _, c := range []struct {
		name    string
		pace    Pace
		script  func(int, model.Request) (model.Reply, *model.Error)
		want    int           // in the fullest minute, at most
		longest time.Duration // that 300 requests may take
	}{
		{"requests of the study", Pace{RPM: 50}, nil, 50, 6 * time.Minute},
		{"requests of the provider", Pace{}, said(model.Rate{Requests: new(60)}), 60, 5 * time.Minute},
		{"the study's go before", Pace{RPM: 50}, said(model.Rate{Requests: new(1000)}), 50, 6 * time.Minute},
		// Each takes 30 tokens, and is thought to take up to 45 in advance.
		{"tokens of the study", Pace{TPM: 3000}, nil, 100, 5 * time.Minute},
		{"tokens of the provider", Pace{}, said(model.Rate{Tokens: new(3000)}), 100, 5 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &server{takes: 100 * time.Millisecond, script: c.script}
				start := time.Now()
				begin(t, plain(300, s), newMemory(), Options{Concurrency: 8, Models: map[string]Pace{"m0": c.pace}})
				if n := most(s.at); n > c.want {
					t.Errorf("%d requests in a minute, want at most %d", n, c.want)
				}
				if d := time.Since(start); d > c.longest {
					t.Errorf("it took %s, want at most %s", d, c.longest)
				}
			})
		})
	}
}

// A request that needs more than a minute allows goes alone.
func TestLargeRequestGoesAlone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{}
		begin(t, plain(3, s), newMemory(), Options{Concurrency: 8, Models: map[string]Pace{"m0": {TPM: 5}}})
		if len(s.at) != 3 || most(s.at) != 1 {
			t.Errorf("requests at %v, want one a minute", s.at)
		}
	})
}

// One model that falters slows no other.
func TestModelsAreApart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		flaky := &server{takes: time.Minute, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
			if n%2 == 1 {
				e := fails(model.RateLimit)
				e.Attempt.Rate.RetryAfter = new(time.Minute)
				return model.Reply{}, e
			}
			return model.Reply{}, nil
		}}
		quick := &server{takes: time.Second}
		begin(t, plain(100, flaky, quick), newMemory(), Options{Concurrency: 4})
		if took := quick.at[99].Sub(quick.at[0]); took > 25*time.Second {
			t.Errorf("the quick model took %s, want 100 requests, four at once, in 25 s", took)
		}
	})
}

// The same study waits the same.
func TestPausesAreDeterministic(t *testing.T) {
	waits := func(seed uint64) (out []string) {
		bubble(t, func(t *testing.T) {
			s := &server{script: func(n int, req model.Request) (model.Reply, *model.Error) {
				if n <= 12 {
					return model.Reply{}, fails(model.Server)
				}
				return model.Reply{}, nil
			}}
			keep := newMemory()
			begin(t, plain(6, s), keep, Options{Concurrency: 6, Seed: seed})
			for _, a := range keep.attempts {
				out = append(out, fmt.Sprintf("%s %d %d", a.Call, a.N, a.WaitMS))
			}
		})
		slices.Sort(out)
		return out
	}
	if d := cmp.Diff(waits(1), waits(1)); d != "" {
		t.Error(d)
	}
	if strings.Join(waits(1), "") == strings.Join(waits(2), "") {
		t.Error("another seed waits the same")
	}
}

// Pauses double up to the longest, and are drawn from the upper half.
func TestPause(t *testing.T) {
	r := Retries{}.filled()
	for n, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute, time.Minute} {
		least, most := r.pause(n+1, 0), r.pause(n+1, 1)
		if least != want/2 || most != want {
			t.Errorf("after %d failures %s to %s, want %s to %s", n+1, least, most, want/2, want)
		}
	}
}
