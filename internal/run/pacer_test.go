package run

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/model"
)

// still is a pacer whose clock stands at a moment, without jitter.
func still(concurrency int, at *time.Time) *pacer {
	return newPacer(Pace{Concurrency: concurrency}, func() time.Time { return *at },
		func(time.Duration, <-chan struct{}) bool { return false }, func(int) float64 { return 0 })
}

func mustEnter(t *testing.T, p *pacer) pass {
	t.Helper()
	got, err := p.enter(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// After congestion the window grows by one with as many good replies as it holds.
func TestOneMoreAfterAWindowOfReplies(t *testing.T) {
	now := time.Unix(1000, 0)
	p := still(64, &now)
	p.leave(mustEnter(t, p), model.Overloaded, model.Rate{}, 0, 0)
	var got []int
	for range 4 + 5 + 6 {
		p.leave(mustEnter(t, p), "", model.Rate{}, 1, 1)
		_, window := p.state()
		got = append(got, window)
	}
	if d := cmp.Diff(got, []int{4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7}); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
}

// Of two pauses the later end holds.
func TestAShorterPauseEndsNoLongerOne(t *testing.T) {
	now := time.Unix(1000, 0)
	p := still(8, &now)
	a, b := mustEnter(t, p), mustEnter(t, p)
	p.leave(a, model.RateLimit, model.Rate{RetryAfter: new(30 * time.Second)}, 0, 0)
	p.leave(b, model.RateLimit, model.Rate{RetryAfter: new(5 * time.Second)}, 0, 0)
	if got := p.until.Sub(now); got != 30*time.Second {
		t.Errorf("held for %s, want 30 s", got)
	}
}

// The end of a provider's window, of whichever thing is used up, is waited for at
// the second sign of congestion without a good reply between them.
func TestAWindowIsWaitedForAtTheSecondSign(t *testing.T) {
	requests := model.Rate{Requests: new(10), RequestsLeft: new(0), RequestsIn: new(40 * time.Second)}
	tokens := model.Rate{Tokens: new(1000), TokensLeft: new(0), TokensIn: new(50 * time.Second)}
	for _, c := range []struct {
		name  string
		rate  model.Rate
		kinds []model.Kind
		want  time.Duration
	}{
		{"one sign", requests, []model.Kind{model.RateLimit}, 0},
		{"two, of requests", requests, []model.Kind{model.RateLimit, model.RateLimit}, 40 * time.Second},
		{"two, of tokens", tokens, []model.Kind{model.RateLimit, model.RateLimit}, 50 * time.Second},
		{"two with a reply between them", requests, []model.Kind{model.RateLimit, "", model.RateLimit}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Unix(1000, 0)
			p := still(8, &now)
			for _, k := range c.kinds {
				p.requests.forget()
				p.tokens.forget()
				got := mustEnter(t, p)
				if k == "" {
					p.leave(got, k, model.Rate{}, 1, 1)
				} else {
					p.leave(got, k, c.rate, 0, 0)
				}
			}
			if got := max(p.until.Sub(now), 0); got != c.want {
				t.Errorf("held for %s, want %s", got, c.want)
			}
		})
	}
}

// What was sent after a request still goes off what its reply says to be left.
func TestWhatIsOnItsWayGoesOff(t *testing.T) {
	for left, want := range map[int]float64{7: 4, 10: 7} {
		now := time.Unix(1000, 0)
		a := allow(0)
		a.learn(now, limit{new(10), new(9), new(time.Minute)}, 0) // so that the rate is known
		_, used := a.use(now, 1)
		for range 3 {
			a.use(now, 1)
		}
		a.learn(now, limit{new(10), &left, new(time.Minute)}, used)
		if got := a.wall.now(now); got != want {
			t.Errorf("%d are said to be left and 3 are on their way: %v, want %v", left, got, want)
		}
	}
}

// A bucket that was full for long holds no more for that.
func TestAFullBucketDoesNotGoOnToFill(t *testing.T) {
	now := time.Unix(1000, 0)
	a := allow(0)
	a.learn(now, limit{new(60), new(30), new(30 * time.Second)}, 0)
	now = now.Add(90 * time.Second)
	for range 60 {
		if a.free(now, 1).After(now) {
			t.Fatal("a full bucket of 60 gave less than 60")
		}
		a.use(now, 1)
	}
	if !a.free(now, 1).After(now) {
		t.Error("a bucket of 60 gave more than 60 at once")
	}
}

// Nothing is said of requests that are sent again, or wait for money, while there
// is more to tell or none does.
func TestWaitsThatAreNotSaid(t *testing.T) {
	now := time.Unix(1000, 0)
	e := &endpoint{model: "m", pace: still(8, &now), open: make(chan struct{}, 16)}
	e.pace.resting[1], e.pace.failure = now.Add(5*time.Second), "an overload"
	again := []Wait{{"m", waitAgain, 5, "sends 1 request again, the next in 5 s, after an overload"}}
	if d := cmp.Diff(e.waits(now), again); d != "" {
		t.Errorf("nothing in the air (-got +want):\n%s", d)
	}
	mustEnter(t, e.pace)
	if got := e.waits(now.Add(9 * time.Second)); got != nil {
		t.Errorf("one in the air: %+v, want nothing", got)
	}
	if got := e.waits(now.Add(10 * time.Second)); len(got) != 1 || got[0].Why != waitSilent {
		t.Errorf("no answer for 10 s: %+v, want that", got)
	}
	e.poor.Add(1)
	want := []Wait{{"m", waitBudget, 0, "held back: budget (1 request waits for the cost of what is in the air)"}}
	if d := cmp.Diff(e.waits(now), want); d != "" {
		t.Errorf("one waits for money (-got +want):\n%s", d)
	}
}

// The words of a failure that stops a model are told, unless they would be
// withheld: where a rule finds something, and always of real hazardous requests.
func TestWhyAModelStopsIsWithheldToo(t *testing.T) {
	for _, c := range []struct {
		name, said, want string
		opt              Options
	}{
		{"told", "no such key", "the key is refused: no such key", Options{Profile: listed(t)}},
		{"found", "no such key: " + marker, "the key is refused (status 401)", Options{Profile: listed(t)}},
		{"hazard", "no such key", "the key is refused (status 401)", Options{Hazard: true}},
	} {
		s := &server{script: func(int, model.Request) (model.Reply, *model.Error) {
			return model.Reply{}, &model.Error{Kind: model.Denied, Err: errors.New(c.said), Attempt: model.Attempt{Status: 401}}
		}}
		bubble(t, func(t *testing.T) {
			if got := begin(t, plain(1, s), newMemory(), c.opt); len(got.Halts) != 1 || got.Halts[0].Text != c.want {
				t.Errorf("%s: %+v, want %q", c.name, got.Halts, c.want)
			}
		})
	}
}
