package replay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// remote is a small provider's client: the text of a JSON body is the reply.
type remote struct{ http.RoundTripper }

func (r remote) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://model.invalid/", strings.NewReader("x"))
	if err != nil {
		return model.Reply{}, err
	}
	resp, err := r.RoundTrip(q)
	if err != nil {
		return model.Reply{}, &model.Error{Kind: model.Transport, Err: err}
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	a := model.Attempt{Status: resp.StatusCode, Raw: raw}
	var body struct{ Text string }
	switch err := json.Unmarshal(raw, &body); {
	case resp.StatusCode != 200:
		return model.Reply{}, &model.Error{Kind: model.Overloaded, Attempt: a, Err: errors.New("busy")}
	case err != nil || resp.Header.Get("Content-Type") != "application/json":
		return model.Reply{}, &model.Error{Kind: model.Malformed, Attempt: a, Err: errors.New("no JSON")}
	}
	return model.Reply{Text: body.Text, Stop: uplift.StopEnd, RequestID: resp.Header.Get("Request-Id"), Attempt: a}, nil
}

// drawn answers from what it is asked, and counts.
type drawn struct{ sent *int }

func (d drawn) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	*d.sent++
	return model.Reply{Text: "to " + req.Messages[len(req.Messages)-1].Text, Stop: uplift.StopEnd}, nil
}

// cuts shows the first word.
type cuts struct{ word string }

func (c cuts) Control(_ context.Context, _, draft string) (uplift.Decision, string, error) {
	return uplift.Decision{Action: uplift.Redact, Policy: c.word}, c.word + " " + strings.Fields(draft)[0], nil
}

// shelf is what a study has kept.
type shelf struct {
	responses []uplift.Response
	calls     map[string]uplift.Call
	attempts  map[string][]uplift.Attempt
	bodies    map[string]string
}

func (s *shelf) Texts(context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		for _, r := range s.responses {
			if !yield(r, nil) {
				return
			}
		}
	}
}
func (s *shelf) Call(_ context.Context, d string) (uplift.Call, bool, error) {
	c, ok := s.calls[d]
	return c, ok, nil
}
func (s *shelf) AttemptsOf(_ context.Context, d string) ([]uplift.Attempt, error) {
	return s.attempts[d], nil
}
func (s *shelf) Raw(_ context.Context, h string) ([]byte, bool, error) {
	b, ok := s.bodies[h]
	return []byte(b), ok, nil
}

func studyOf(m model.Model) run.Spec {
	items := []uplift.Item{{Task: "t", Attack: "direct", Turns: []string{"ask"}}}
	return run.Spec{Items: items, Conditions: []access.Condition{
		{Name: "plain", ModelName: "m", Model: m},
		{Name: "cut", ModelName: "m", Model: m, Controller: cuts{"shown:"}},
	}}
}

// ran is what a run of both conditions would have kept: a busy answer, a body
// that is no JSON, and a reply.
func ran() *shelf {
	digest := model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "ask"}}}.Digest("m")
	good, bad, busy := `{"text":"plain words"}`, `<html>`, `{}`
	hash := func(s string) string { return model.RawHash([]byte(s)) }
	s := &shelf{bodies: map[string]string{hash(good): good, hash(bad): bad, hash(busy): busy}}
	s.calls = map[string]uplift.Call{digest: {Model: "m", Digest: digest, Attempts: 3, Text: "plain words", Stop: uplift.StopEnd, RequestID: "id", LatencyMS: 7, RawHash: hash(good)}}
	s.attempts = map[string][]uplift.Attempt{digest: {
		{Call: digest, N: 1, Status: 529, Kind: "overloaded", Err: "busy", RawHash: hash(busy)},
		{Call: digest, N: 2, Status: 200, Kind: "malformed", Err: "no JSON", RawHash: hash(bad)},
		{Call: digest, N: 3, Status: 200, Headers: map[string]string{"request-id": "id"}, RawHash: hash(good)},
	}}
	base := uplift.Response{Cell: uplift.Cell{Model: "m", Condition: "plain", Task: "t", Attack: "direct"}, Outcome: uplift.Answered, Call: digest,
		Text: "plain words", Transcript: talk("ask", "plain words")}
	cut := base
	cut.Condition, cut.Draft, cut.Text, cut.Transcript = "cut", "plain words", "shown: plain", talk("ask", "shown: plain")
	cut.Decision = &uplift.Decision{Action: uplift.Redact, Policy: "shown:"}
	s.responses = []uplift.Response{base, cut}
	return s
}

func talk(user, assistant string) []uplift.Message {
	return []uplift.Message{{Role: uplift.User, Text: user}, {Role: uplift.Assistant, Text: assistant}}
}

func (s *shelf) each(change func(c *uplift.Call, list []uplift.Attempt)) {
	for _, d := range slices.Collect(maps.Keys(s.calls)) {
		c := s.calls[d]
		change(&c, s.attempts[d])
		s.calls[d] = c
	}
}

func TestReplay(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*shelf)
		opt    Options
		want   string // reproduced differing gaps
		says   string // of the first difference or reason
	}{
		{"as it was", func(*shelf) {}, Options{}, "2 0 0", ""},
		{"another text of the call", func(s *shelf) { s.each(func(c *uplift.Call, _ []uplift.Attempt) { c.Text = "plain word" }) }, Options{}, "0 2 0", "text: plain word / plain words"},
		{"another id of the call", func(s *shelf) { s.each(func(c *uplift.Call, _ []uplift.Attempt) { c.RequestID = "" }) }, Options{}, "0 2 0", "request_id:  / id"},
		{"another shown text", func(s *shelf) { s.responses[1].Text = "shown: all" }, Options{}, "1 1 0", "text: shown: all / shown: plain"},
		{"another transcript", func(s *shelf) { s.responses[1].Transcript = talk("ask", "x") }, Options{}, "1 1 0", `transcript: `},
		{"another decision", func(s *shelf) { s.responses[1].Decision = nil }, Options{}, "1 1 0", `decision:  / {"prompt_score":0`},
		{"another outcome", func(s *shelf) { s.responses[0].Outcome = uplift.Truncated }, Options{}, "1 1 0", "outcome: truncated / answered"},
		{"another failure on the way", func(s *shelf) { s.each(func(_ *uplift.Call, a []uplift.Attempt) { a[1].Err = "too long" }) }, Options{}, "0 2 0", "error: too long / no JSON"},
		{"another kind on the way", func(s *shelf) { s.each(func(_ *uplift.Call, a []uplift.Attempt) { a[0].Kind = "server" }) }, Options{}, "0 2 0", "kind: server / overloaded"},
		{"no body of the last attempt", func(s *shelf) { delete(s.bodies, s.calls[s.responses[0].Call].RawHash) }, Options{}, "0 0 2", noBody},
		{"no body of an earlier attempt", func(s *shelf) { delete(s.bodies, model.RawHash([]byte("<html>"))) }, Options{}, "2 0 0", ""},
		{"no attempt", func(s *shelf) { s.attempts = nil }, Options{}, "0 0 2", noAttempt},
		{"a difference beside a gap", func(s *shelf) { s.attempts, s.responses[1].Text = nil, "x" }, Options{}, "0 1 1", "text: x / shown: plain"},
		{"no call", func(s *shelf) { s.calls = nil }, Options{}, "0 0 2", noCall},
		{"a withheld call", func(s *shelf) { s.each(func(c *uplift.Call, _ []uplift.Attempt) { c.Withheld, c.Text = "w", "" }) }, Options{}, "0 0 2", isWithheld},
		{"a withheld response", func(s *shelf) { s.responses[1].Withheld, s.responses[1].Text = "w", "" }, Options{}, "1 0 1", isWithheld},
		{"a withheld body", func(s *shelf) { s.each(func(_ *uplift.Call, a []uplift.Attempt) { a[2].Withheld = "w" }) }, Options{}, "0 0 2", isWithheld},
		{"no answer came", func(s *shelf) {
			s.each(func(_ *uplift.Call, a []uplift.Attempt) { a[2].Status, a[2].Kind = 0, "transport" })
		}, Options{}, "0 0 2", noAnswer},
		{"imported", func(s *shelf) { s.responses[0].Call = "" }, Options{}, "1 0 1", isImported},
		{"a cell that is not planned", func(s *shelf) { s.responses[0].Condition = "gone" }, Options{}, "1 0 1", noCell},
		{"a replicate that is not planned", func(s *shelf) { s.responses[0].Replicate = 1 }, Options{}, "1 0 1", noCell},
		{"an outside controller", func(*shelf) {}, Options{Outside: map[string]bool{"cut": true}}, "1 0 1", isOutside},
		{"a controller that changed", func(s *shelf) { s.responses[1].Decision.Policy = "older" }, Options{}, "1 1 0", "decision: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ran()
			c.change(s)
			c.opt.Most = 1
			r, err := Replay(t.Context(), studyOf(remote{Transport{}}), s, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, counts(r)); d != "" {
				t.Error(d)
			}
			said := ""
			for _, d := range r.Differences {
				said = d.Field + ": " + d.Stored + " / " + d.Replayed
			}
			for _, w := range r.Why {
				if said == "" {
					said = w.Text
				}
			}
			if !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("it says %q, want %q", said, c.says)
			}
		})
	}
}

func counts(r Report) string {
	b, _ := json.Marshal([]int{r.Reproduced, r.Differing, r.Gaps})
	return strings.NewReplacer("[", "", "]", "", ",", " ").Replace(string(b))
}

// Each call is read once, however many cells share it; every attempt with it.
func TestCallsAreReadOnce(t *testing.T) {
	r, err := Replay(t.Context(), studyOf(remote{Transport{}}), ran(), Options{})
	if err != nil || r.Calls != 1 || r.Attempts != 3 {
		t.Errorf("%d calls, %d attempts, %v, want 1 and 3", r.Calls, r.Attempts, err)
	}
}

// A simulated model is drawn from again, once for each call.
func TestDrawnAgain(t *testing.T) {
	s := ran()
	s.attempts = nil
	s.each(func(c *uplift.Call, _ []uplift.Attempt) {
		*c = uplift.Call{Model: "m", Digest: c.Digest, Text: "to ask", Stop: uplift.StopEnd}
	})
	s.responses = s.responses[:1]
	s.responses[0].Text, s.responses[0].Transcript = "to ask", talk("ask", "to ask")
	sent := 0
	r, err := Replay(t.Context(), studyOf(drawn{&sent}), s, Options{Drawn: map[string]bool{"m": true}})
	if err != nil || counts(r) != "1 0 0" || sent != 1 {
		t.Errorf("%s, %d drawn, %v, want the cell reproduced from one", counts(r), sent, err)
	}
}

// Without a stored answer nothing is sent, and the error says so.
func TestNothingIsSent(t *testing.T) {
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:1/", nil)
	if _, err := (Transport{}).RoundTrip(req); !errors.Is(err, errNothingSent) {
		t.Errorf("got %v, want that nothing is sent", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Replay(ctx, studyOf(remote{Transport{}}), ran(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want cancelled", err)
	}
}
