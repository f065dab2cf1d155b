package run

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/model"
)

// What headers say, by the providers' pages and by answers that people showed:
// the true rate is the limit of the account, and what is learnt is never slower,
// and at most twice as fast where the time is long enough to tell.
func TestRefillOfKnownHeaders(t *testing.T) {
	day := 24 * 60 * 60.
	for _, c := range []struct {
		name       string
		size, left int
		in         time.Duration
		least      float64 // a second: the limit by its document
		most       float64
	}{
		{"60 a minute, one used", 60, 59, time.Second, 60 / 60., 2},
		{"5000 a minute, one used", 5000, 4999, 12 * time.Millisecond, 5000 / 60., 2 * 5000 / 60.},
		{"160000 tokens a minute, 24 used", 160_000, 159_976, 9 * time.Millisecond, 160_000 / 60., 2 * 160_000 / 60.},
		{"10000 a day, one used", 10_000, 9_999, 8640 * time.Millisecond, 10_000 / day, 10_000 / (day * 7.64 / 8.64)},
		{"200 a day, all used", 200, 0, 24 * time.Hour, 200 / day, 200 / (day - 1)},
		{"50 a minute, all used, written in whole seconds", 50, 0, 61 * time.Second, 50 / 60., 50 / 60.},
		{"50 a minute, 25 used, as it is", 50, 25, 30 * time.Second, 25 / 30., 25 / 29.},
		{"60 in 50 ms, all used", 60, 0, 50 * time.Millisecond, 60 / .05, 60 / .025},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := refill(c.size, c.left, c.in)
			if !ok || got < c.least*(1-1e-9) || got > c.most*(1+1e-9) {
				t.Errorf("refill %v, %t, want %v to %v", got, ok, c.least, c.most)
			}
		})
	}
	for _, c := range []struct {
		name       string
		size, left int
		in         time.Duration
	}{
		{"nothing used", 60, 60, 0}, {"nothing used, a time all the same", 60, 60, time.Second}, {"more left than there is", 60, 70, time.Second},
		{"full at once, for the time is rounded off", 60, 59, 0}, {"passed by our clock", 50, 0, -time.Second},
	} {
		if got, ok := refill(c.size, c.left, c.in); ok {
			t.Errorf("%s: refill %v, want that nothing follows", c.name, got)
		}
	}
}

// A second, and slower, way to the same: a bucket that is filled in small steps.
func TestWallMeetsABucketInSteps(t *testing.T) {
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		size, need  int
		level, rate float64
	}{{60, 1, 0, 1}, {60, 1, -12, 1}, {60, 200, 0, 1}, {10_000, 1, 0, 1 / 8.64}, {40_000, 900, 123, 666}, {60, 1, 5, 1}} {
		w := wall{c.size, c.rate, c.level, began}
		steps, level := 0, c.level
		for ; level < math.Min(float64(c.need), float64(c.size))-1e-9; steps++ {
			level += c.rate / 1000
		}
		want := time.Duration(steps) * time.Millisecond
		if got := w.free(began, c.need).Sub(began); (got - want).Abs() > time.Millisecond {
			t.Errorf("%+v is free after %s, want %s", c, got, want)
		}
		if end := w.now(began.Add(1000 * time.Hour)); end != float64(c.size) {
			t.Errorf("%+v holds %v in the end, want no more than its size", c, end)
		}
	}
}

// The words name the limit as people know it.
func TestOften(t *testing.T) {
	for _, c := range []struct {
		rate float64
		want string
	}{{1, "60 requests a minute"}, {1 / 8.64, "417 requests an hour"}, {200 / 86400., "200 requests a day"}, {5000 / 60., "5000 requests a minute"}} {
		if got := often(c.rate, "requests"); got != c.want {
			t.Errorf("%v is %q, want %q", c.rate, got, c.want)
		}
	}
}

// paced answers n requests as a bucket of the provider's would, and tells when
// they came.
func paced(t *testing.T, n int, opt Options, script func(n int, _ model.Request) (model.Reply, *model.Error)) (s *server, r Report) {
	bubble(t, func(t *testing.T) {
		var one sync.Mutex
		s = &server{takes: 20 * time.Millisecond, script: func(n int, req model.Request) (model.Reply, *model.Error) {
			one.Lock()
			defer one.Unlock()
			return script(n, req)
		}}
		if opt.Concurrency == 0 {
			opt.Concurrency = 64
		}
		r = begin(t, plain(n, s), newMemory(), opt)
	})
	return s, r
}

func took(s *server) time.Duration { return s.at[len(s.at)-1].Sub(s.at[0]) }

// A limit of requests that is full again in 50 ms is no limit of a minute.
func TestShortResetIsNoMinute(t *testing.T) {
	s, got := paced(t, 900, Options{}, func(n int, _ model.Request) (model.Reply, *model.Error) {
		if n%10 != 0 {
			return model.Reply{}, nil
		}
		e := fails(model.RateLimit)
		e.Attempt.Rate = model.Rate{Requests: new(60), RequestsLeft: new(0), RequestsIn: new(50 * time.Millisecond), RetryAfter: new(50 * time.Millisecond)}
		return model.Reply{}, e
	})
	if got.Gaps() || took(s) > time.Minute {
		t.Errorf("900 cells took %s, failed %d, want less than a minute", took(s), got.Failed)
	}
}

// bucket is a provider with a bucket of its own, and says what is left in it
// with each answer.
func bucket(size, rate float64, tell bool) func(int, model.Request) (model.Reply, *model.Error) {
	level, last := size, time.Time{}
	return func(int, model.Request) (model.Reply, *model.Error) {
		now := time.Now()
		if !last.IsZero() {
			level = math.Min(size, level+rate*now.Sub(last).Seconds())
		}
		last = now
		r := model.Rate{}
		refused := level < 1
		if !refused {
			level--
		}
		if tell {
			in := time.Duration((size - math.Floor(level)) / rate * float64(time.Second)).Round(time.Millisecond)
			r = model.Rate{Requests: new(int(size)), RequestsLeft: new(int(level)), RequestsIn: &in}
		}
		if refused {
			e := fails(model.RateLimit)
			e.Attempt.Rate = r
			return model.Reply{}, e
		}
		a := answer()
		a.Attempt.Rate = r
		return a, nil
	}
}

// Below a wall that the provider tells of nothing is refused, and nothing is
// much slower than the wall: n requests take at least (n - size) / rate.
func TestKeepsBelowAToldWall(t *testing.T) {
	for _, c := range []struct {
		name       string
		size, rate float64
		n          int
	}{{"60 a minute", 60, 1, 200}, {"600 a minute", 600, 10, 2000}, {"200 a day", 200, 200 / 86400., 202}} {
		t.Run(c.name, func(t *testing.T) {
			s, got := paced(t, c.n, Options{Concurrency: 16}, bucket(c.size, c.rate, true))
			least := time.Duration((float64(c.n) - c.size) / c.rate * float64(time.Second))
			if c.size == 200 { // by the day: longer than what was said is trusted, so that it asks now and then
				if got.Throttled == 0 || took(s) > least+10*time.Minute {
					t.Errorf("took %s, %d put off, want about %s", took(s), got.Throttled, least)
				}
				return
			}
			if got.Throttled > c.n/50 || got.Gaps() || took(s) > least+least/4 {
				t.Errorf("took %s, want %s and little more; %d were put off, %d failed", took(s), least, got.Throttled, got.Failed)
			}
		})
	}
}

// A limit of which nothing is heard any more is let go.
func TestLearntLimitDoesNotOutliveItsEvidence(t *testing.T) {
	for name, rate := range map[string]model.Rate{
		"a bucket of a day": {Requests: new(10), RequestsLeft: new(0), RequestsIn: new(24 * time.Hour)},
		"a minute":          {Requests: new(1)},
		"tokens":            {Tokens: new(1000), TokensLeft: new(0), TokensIn: new(24 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			s, got := paced(t, 600, Options{Concurrency: 8}, func(n int, _ model.Request) (model.Reply, *model.Error) {
				a := answer()
				if n == 1 {
					a.Attempt.Rate = rate
				}
				return a, nil
			})
			if got.Gaps() || took(s) > trusted+10*time.Second {
				t.Errorf("600 cells took %s, want little more than %s: it was said once", took(s), trusted)
			}
		})
	}
}

// When the provider says to come back goes before what its limits say; what the
// study says goes before both.
func TestRetryAfterGoesBeforeALimit(t *testing.T) {
	for _, c := range []struct {
		name        string
		rate        model.Rate
		own         int
		least, most time.Duration // between the refusal and the next
	}{
		{"sooner than the bucket", model.Rate{Requests: new(10), RequestsLeft: new(0), RequestsIn: new(10 * time.Minute), RetryAfter: new(2 * time.Second)}, 0, 2 * time.Second, 2500 * time.Millisecond},
		{"sooner than a minute", model.Rate{Requests: new(1), RetryAfter: new(2 * time.Second)}, 0, 2 * time.Second, 2500 * time.Millisecond},
		{"sooner than a bucket of tokens", model.Rate{Tokens: new(1000), TokensLeft: new(0), TokensIn: new(10 * time.Minute), RetryAfter: new(2 * time.Second)}, 0, 2 * time.Second, 2500 * time.Millisecond},
		{"later than the bucket", model.Rate{Requests: new(10), RequestsLeft: new(0), RequestsIn: new(10 * time.Second), RetryAfter: new(20 * time.Second)}, 0, 20 * time.Second, 22 * time.Second},
		{"without one, by the bucket", model.Rate{Requests: new(10), RequestsLeft: new(0), RequestsIn: new(101 * time.Second)}, 0, 10 * time.Second, 11 * time.Second},
		{"the study's minute", model.Rate{RetryAfter: new(time.Second)}, 1, time.Minute, 61 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := paced(t, 3, Options{Concurrency: 1, Models: map[string]Pace{"m0": {Concurrency: 1, RPM: c.own}},
				Retries: Retries{First: time.Nanosecond, Longest: time.Nanosecond}}, func(n int, _ model.Request) (model.Reply, *model.Error) {
				if n > 1 {
					return model.Reply{}, nil
				}
				e := fails(model.RateLimit)
				e.Attempt.Rate = c.rate
				return model.Reply{}, e
			})
			if d := s.at[1].Sub(s.at[0]) - s.takes; d < c.least-s.takes || d > c.most {
				t.Errorf("the next came after %s, want %s to %s", d, c.least, c.most)
			}
		})
	}
}

// A window that is fixed refuses what a bucket would let go: its end is waited
// for then, and no cell fails.
func TestFixedWindow(t *testing.T) {
	var began time.Time
	n := 0
	s, got := paced(t, 300, Options{Concurrency: 16}, func(int, model.Request) (model.Reply, *model.Error) {
		if now := time.Now(); began.IsZero() || now.Sub(began) >= time.Minute {
			began, n = now, 0
		}
		n++
		r := model.Rate{Requests: new(100), RequestsLeft: new(max(100-n, 0)), RequestsIn: new(time.Minute - time.Since(began))}
		if n > 100 {
			e := fails(model.RateLimit)
			e.Attempt.Rate = r
			return model.Reply{}, e
		}
		a := answer()
		a.Attempt.Rate = r
		return a, nil
	})
	if got.Gaps() || took(s) > 4*time.Minute {
		t.Errorf("300 cells took %s, %d failed, want three windows of a minute", took(s), got.Failed)
	}
}

// Why nothing is sent is said at every moment, and nothing else is.
func TestWaitsAreSaid(t *testing.T) {
	minute := model.Rate{Requests: new(60), RequestsLeft: new(0), RequestsIn: new(61 * time.Second)}
	for _, c := range []struct {
		name string
		rate model.Rate
		kind model.Kind // of the first answer
		pace Pace
		at   time.Duration // when it is looked at
		want []Wait
	}{
		{"asked to", model.Rate{RetryAfter: new(30 * time.Second)}, "", Pace{}, 10 * time.Second,
			[]Wait{{"m0", waitAsked, 20, "waits N s: asked to (retry-after)"}}},
		{"the study's limit", model.Rate{}, "", Pace{RPM: 1}, 20 * time.Second,
			[]Wait{{"m0", waitRequests, 39, "waits N s: the study allows 1 request a minute"}}},
		{"a limit without a reset", model.Rate{Requests: new(1)}, "", Pace{}, 20 * time.Second,
			[]Wait{{"m0", waitRequests, 39, "waits N s: the provider allows 1 request a minute"}}},
		{"a bucket", model.Rate{Requests: new(10), RequestsLeft: new(0), RequestsIn: new(10*time.Minute + time.Second)}, "", Pace{}, 20 * time.Second,
			[]Wait{{"m0", waitRequests, 39, "waits N s: the provider allows 60 requests an hour"}}},
		{"a failure", model.Rate{}, model.Server, Pace{}, 200 * time.Millisecond,
			[]Wait{{"m0", waitAgain, 0, "sends 1 request again, the next in N s, after an error of the server"}}},
		{"nothing, where the study says more", minute, "", Pace{RPM: 1000}, 200 * time.Millisecond, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := &server{takes: 20 * time.Millisecond, script: func(n int, _ model.Request) (model.Reply, *model.Error) {
					a := answer()
					if a.Attempt.Rate = c.rate; n > 1 {
						return answer(), nil
					}
					if c.kind != "" {
						return model.Reply{}, fails(c.kind)
					}
					return a, nil
				}}
				var m Monitor
				done := make(chan struct{})
				go func() {
					defer close(done)
					time.Sleep(c.at)
					got, _ := m.Status()
					for i, w := range got.Waits { // a pause is a little longer than asked, and a tick of the minute is let go
						if i < len(c.want) && w.Seconds >= c.want[i].Seconds && w.Seconds <= c.want[i].Seconds+2 {
							got.Waits[i].Seconds = c.want[i].Seconds
							got.Waits[i].Text = strings.Replace(w.Text, fmt.Sprintf(" %.0f s", math.Ceil(w.Seconds)), " N s", 1)
						}
					}
					if d := cmp.Diff(c.want, got.Waits); d != "" {
						t.Error(d)
					}
				}()
				begin(t, plain(2, s), newMemory(), Options{Concurrency: 1, Monitor: &m, Models: map[string]Pace{"m0": {Concurrency: 1, RPM: c.pace.RPM}}})
				<-done
			})
		})
	}
}

// A provider that does not answer is said not to.
func TestSilenceIsSaid(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := &server{takes: time.Minute}
		var m Monitor
		done := make(chan struct{})
		go func() {
			defer close(done)
			time.Sleep(41 * time.Second)
			got, _ := m.Status()
			want := []Wait{{"m0", waitSilent, 41, "no answer for 41 s, with 2 requests in the air"}}
			if d := cmp.Diff(want, got.Waits); d != "" {
				t.Error(d)
			}
		}()
		begin(t, plain(2, s), newMemory(), Options{Concurrency: 4, Monitor: &m})
		<-done
	})
}
