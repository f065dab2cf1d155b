package fakeprovider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// chatBody is a chat request as a client may write it.
func chatBody(model, ask string) string {
	return fmt.Sprintf(`{"model":%q,"messages":[{"role":"system","content":"Answer."},{"role":"user","content":%q}]}`, model, ask)
}

// post sends a chat request; a broken answer has status 0.
func post(t testing.TB, hc *http.Client, base, body string) (int, http.Header, string) {
	t.Helper()
	r, err := hc.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, nil, ""
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, nil, ""
	}
	return r.StatusCode, r.Header, string(b)
}

// A request's first attempt fails or not whatever else is asked, and its second
// has a draw of its own.
func TestFaultsDependOnTheRequestAlone(t *testing.T) {
	o := Options{Seed: 7, Faults: map[Fault]float64{RateLimit: .3, Unavailable: .2}}
	statuses := func(order []int, together bool) map[string][]int {
		_, s, hc := serve(t, o)
		got := map[string][]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 3 {
			for _, i := range order {
				one := func() {
					body := chatBody("m", fmt.Sprint("ask ", i))
					status, _, _ := post(t, hc, s.URL, body)
					mu.Lock()
					got[body] = append(got[body], status)
					mu.Unlock()
				}
				if together {
					all.Go(one)
				} else {
					one()
				}
			}
			all.Wait()
		}
		return got
	}
	order := make([]int, 40)
	for i := range order {
		order[i] = i
	}
	first := statuses(order, false)
	slices.Reverse(order)
	if d := cmp.Diff(first, statuses(order, true)); d != "" {
		t.Error(d)
	}
	differ := 0
	for _, s := range first {
		if s[0] != s[1] {
			differ++
		}
	}
	if differ == 0 {
		t.Error("every second attempt ended as its first (want draws of their own)")
	}
}

// The shares of 20,000 draws lie within five standard errors.
func TestFaultsComeAsOftenAsAsked(t *testing.T) {
	o := Options{Seed: 3, Faults: map[Fault]float64{RateLimit: .1, Reset: .02, Malformed: .01}}
	const n = 20_000
	got := map[Fault]int{}
	for i := range n {
		got[o.draw(requestDigest("/", fmt.Append(nil, i/2)), 1+i%2)]++
	}
	for f, p := range o.Faults {
		if d := float64(got[f]) - p*n; d*d > 25*n*p*(1-p) {
			t.Errorf("%s came %d times, want about %v", f, got[f], p*n)
		}
	}
	if got[""]+got[RateLimit]+got[Reset]+got[Malformed] != n {
		t.Errorf("got %v, want no other fault", got)
	}
	seeds := map[Fault]bool{}
	for o.Seed = range 200 {
		seeds[o.draw(requestDigest("/", []byte("x")), 1)] = true
	}
	if len(seeds) < 2 {
		t.Error("the seed changes nothing")
	}
}

func TestRateLimitHeaders(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for _, c := range []struct {
		fault   Fault
		headers map[string]string
		body    string
	}{
		{RateLimitAnthropic, map[string]string{"Retry-After": "2", "Anthropic-Ratelimit-Requests-Reset": "2026-03-04T05:06:08Z", "Anthropic-Ratelimit-Tokens-Remaining": "0"}, ""},
		{RateLimitOpenAI, map[string]string{"Retry-After": "", "X-Ratelimit-Reset-Requests": "1.5s", "X-Ratelimit-Remaining-Tokens": "0"}, ""},
		{RateLimitGemini, map[string]string{"Retry-After": ""}, `"retryDelay":"1.5s"`},
		{RateLimitWords, map[string]string{"Retry-After": ""}, "Please retry in 1.5s."},
		{RateLimitRetryAfter, map[string]string{"Retry-After": "2", "X-Ratelimit-Reset-Requests": ""}, ""},
		{RateLimitBare, map[string]string{"Retry-After": "", "X-Ratelimit-Reset-Requests": ""}, `"code":"rate_limit_exceeded"`},
		{NoQuota, map[string]string{"Retry-After": ""}, `"code":"insufficient_quota"`},
	} {
		_, s, hc := serve(t, Options{Faults: map[Fault]float64{c.fault: 1}, Wait: 1500 * time.Millisecond, Now: func() time.Time { return now }})
		_, h, body := post(t, hc, s.URL, chatBody("m", "x"))
		for name, want := range c.headers {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", c.fault, name, got, want)
			}
		}
		if !strings.Contains(body, c.body) || !json.Valid([]byte(body)) {
			t.Errorf("%s: body %s, want %s in it", c.fault, body, c.body)
		}
	}
}

func TestScript(t *testing.T) {
	script, err := ParseScript([]byte(`[{"when":"garden","text":"Of plants."},{"text":"First.","times":1},{"fault":"503","times":1},{"when":"late","fault":"529"}]`))
	if err != nil {
		t.Fatal(err)
	}
	_, s, hc := serve(t, Options{Script: script})
	for i, c := range []struct {
		ask, want string
		status    int
	}{{"a garden", "Of plants.", 200}, {"x", "First.", 200}, {"x", "", 503}, {"a garden", "Of plants.", 200}, {"too late", "", 529}, {"x", "\"stop\"", 200}} {
		status, _, body := post(t, hc, s.URL, chatBody("m", c.ask))
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("request %d: status %d, %s, want %d and %s", i, status, body, c.status, c.want)
		}
	}
	for _, bad := range []string{``, `{}`, `[{"wen":"x"}]`, `[] []`, `[{"fault":"nine"}]`} {
		if _, err := ParseScript([]byte(bad)); err == nil {
			t.Errorf("%q was read (want an error)", bad)
		}
	}
}

func TestParseChances(t *testing.T) {
	got, err := ParseChances([]string{"429=0.1", "reset=0.02"})
	if d := cmp.Diff(got, map[Fault]float64{RateLimit: .1, Reset: .02}); d != "" || err != nil {
		t.Error(d, err)
	}
	for _, bad := range []string{"429", "429=", "429=2", "429=-1", "429=NaN", "never=0.1", "=1"} {
		if _, err := ParseChances([]string{bad}); err == nil {
			t.Errorf("%q was read (want an error)", bad)
		}
	}
	for _, bad := range [][]string{{"429=0.1", "429=0.1"}, {"429=0.6", "reset=0.6"}} {
		if _, err := ParseChances(bad); err == nil {
			t.Errorf("%q were read (want an error)", bad)
		}
	}
}

func TestStats(t *testing.T) {
	p, s, hc := serve(t, Options{Script: []Line{{When: "limited", Fault: RateLimit, Times: 1}, {When: "gone", Fault: Reset}}})
	for _, ask := range []string{"one", "one", "two", "limited", "limited", "gone"} {
		post(t, hc, s.URL, chatBody("m", ask))
	}
	post(t, hc, s.URL, `{"model":"m"}`)
	got := await(p, 7)
	want := Stats{Requests: 7, Completed: 6, Peak: 1, Distinct: 4, Delivered: 4, Repaid: 1, Faults: map[Fault]int{RateLimit: 1, Reset: 1},
		By: []Count{{"openai chat", "", 400, 1}, {"openai chat", "m", 0, 1}, {"openai chat", "m", 200, 4}, {"openai chat", "m", 429, 1}}}
	if n := slices.Sorted(maps.Values(got.Of)); !slices.Equal(n, []int{0, 1, 1, 2}) {
		t.Errorf("deliveries %v, want 0 1 1 2", n)
	}
	if got.TokensIn == 0 || got.TokensOut == 0 {
		t.Errorf("got %+v, want tokens", got)
	}
	got.Of, got.TokensIn, got.TokensOut, got.Peak = nil, 0, 0, min(got.Peak, 1)
	if d := cmp.Diff(got, want); d != "" {
		t.Error(d)
	}

	var told Stats
	r, err := hc.Get(s.URL + "/__fake/stats?requests=1")
	if err != nil {
		t.Fatal(err)
	}
	err = json.NewDecoder(r.Body).Decode(&told)
	r.Body.Close()
	if err != nil || told.Requests != 7 || len(told.Of) != 4 {
		t.Errorf("told %+v, %v, want what is counted", told, err)
	}
	if r, err := hc.Post(s.URL+"/__fake/reset", "", nil); err != nil || r.StatusCode != http.StatusNoContent {
		t.Errorf("reset: %v, %v", r, err)
	} else {
		r.Body.Close()
	}
	if got := p.Stats(); got.Requests != 0 || got.Distinct != 0 || len(got.By) != 0 {
		t.Errorf("after a reset: %+v, want nothing", got)
	}
}

func TestBadRequests(t *testing.T) {
	_, s, hc := serve(t, Options{})
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     string
	}{
		{"no such path", "POST", "/v1/nothing", "{}", 404, ""},
		{"method", "GET", "/v1/messages", "", 405, "invalid_request_error"},
		{"no JSON", "POST", "/v1/responses", "{", 400, "body: "},
		{"no version", "POST", "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}]}`, 400, "anthropic-version"},
		{"no messages", "POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages: "},
		{"no model", "POST", "/v1/responses", `{"input":"x"}`, 400, "model: "},
		{"role", "POST", "/v1beta/models/m:generateContent", `{"contents":[{"role":"robot","parts":[{"text":"x"}]}]}`, 400, "INVALID_ARGUMENT"},
		{"no alt", "POST", "/v1beta/models/m:streamGenerateContent", `{"contents":[{"parts":[{"text":"x"}]}]}`, 400, "alt: want sse"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, s.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r, err := hc.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != c.status || !strings.Contains(string(b), c.want) {
			t.Errorf("%s: status %d, %s, want %d and %s", c.name, r.StatusCode, b, c.status, c.want)
		}
	}
}

var numbered = regexp.MustCompile(`(?m)^\d\. `)

// Texts are of a size, vary, hold lists now and then, and never a blank that was
// not filled.
func TestTexts(t *testing.T) {
	lists, all := 0, map[string]bool{}
	for i := range 2000 {
		s := textOf(requestDigest("/", fmt.Append(nil, i)))
		if len(s) < 300 || len(s) > 2000 || strings.Contains(s, "%") {
			t.Fatalf("%d bytes: %q", len(s), s)
		}
		all[s] = true
		if numbered.MatchString(s) {
			lists++
		}
	}
	if len(all) < 1990 || lists < 400 || lists > 1200 {
		t.Errorf("%d texts of 2000 differ, %d have a list", len(all), lists)
	}
}

// Equal conversations get equal texts in whichever words of JSON they come, and
// different ones do not.
func TestTextDependsOnTheConversation(t *testing.T) {
	seed := func(model, system string, turns ...turn) digest {
		a, err := newAsk(model, system, turns, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		return a.seed
	}
	base := seed("m", "s", turn{"user", "ab"}, turn{"assistant", "c"})
	for name, other := range map[string]digest{
		"model": seed("n", "s", turn{"user", "ab"}, turn{"assistant", "c"}), "system": seed("m", "", turn{"user", "ab"}, turn{"assistant", "c"}),
		"cut": seed("m", "s", turn{"user", "a"}, turn{"assistant", "bc"}), "role": seed("m", "s", turn{"user", "ab"}, turn{"user", "c"}),
	} {
		if other == base {
			t.Errorf("%s: equal seeds", name)
		}
	}
}

func TestLimitOfTokens(t *testing.T) {
	_, s, hc := serve(t, Options{})
	_, _, body := post(t, hc, s.URL, `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"x"}]}`)
	if !strings.Contains(body, `"finish_reason":"length"`) || !strings.Contains(body, `"completion_tokens":5,`) {
		t.Errorf("got %s, want a reply of 5 tokens", body)
	}
}

// A recorder cannot be taken over: the connection is aborted instead.
func TestResetWithoutAConnection(t *testing.T) {
	p := New(Options{Faults: map[Fault]float64{Reset: 1}})
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("got %v, want %v", got, http.ErrAbortHandler)
		}
		if s := p.Stats(); s.InFlight != 0 || s.Requests != 1 {
			t.Errorf("counts %+v, want one request that has ended", s)
		}
	}()
	p.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "POST", "/v1/chat/completions", strings.NewReader(chatBody("m", "x"))))
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "plain", "a\nb", `"\`, "\x00\x1f", "é", "\xff", "a\u2028"} {
		var got string
		if err := json.Unmarshal(appendString(nil, s), &got); err != nil || got != strings.ToValidUTF8(s, "\uFFFD") {
			t.Errorf("%q: got %q, %v", s, got, err)
		}
	}
}

// Whatever is sent, the answer has a status, its body is JSON in the whole form
// and every event is JSON in a stream, and nothing panics.
func FuzzRequests(f *testing.F) {
	paths := []string{"/v1/messages", "/v1/chat/completions", "/openai/deployments/d/chat/completions", "/v1/responses",
		"/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse"}
	for i := range paths {
		f.Add(uint8(i), uint8(0), []byte(chatBody("m", "x")))
		f.Add(uint8(i), uint8(i), []byte(`{"model":"m","stream":true,"max_tokens":3,"input":"x","contents":[{"role":"user","parts":[{"text":"é"}]}],"messages":[{"role":"user","content":[{"type":"text","text":"é"}]}]}`))
	}
	ends := []Fault{"", Refusal, PromptBlock, OutputFilter, TokenLimit, NoChoices, Unknown, RateLimit, NoQuota}
	f.Fuzz(func(t *testing.T, path, end uint8, body []byte) {
		p := New(Options{Faults: map[Fault]float64{ends[int(end)%len(ends)]: 1}})
		r := httptest.NewRequestWithContext(context.Background(), "POST", paths[int(path)%len(paths)], bytes.NewReader(body))
		r.Header.Set("Anthropic-Version", "2023-06-01")
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		if w.Code == http.StatusOK && p.Stats().Completed != 1 {
			t.Error("a whole answer was not counted")
		}
		got := w.Body.Bytes()
		if w.Header().Get("Content-Type") == "text/event-stream" {
			for _, e := range bytes.Split(bytes.TrimSuffix(got, []byte("\n\n")), []byte("\n\n")) {
				_, data, ok := bytes.Cut(e, []byte("data: "))
				if !ok || (!json.Valid(data) && string(data) != "[DONE]") {
					t.Errorf("event %q is none", e)
				}
			}
			return
		}
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Errorf("status %d, %q: no JSON", w.Code, got)
		}
	})
}

// BenchmarkHandler is the work of the provider alone, BenchmarkLoopback that of
// a client and a server beside it.
func BenchmarkHandler(b *testing.B) {
	p := New(Options{})
	body := []byte(chatBody("m", strings.Repeat("context ", 60)))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			w := httptest.NewRecorder()
			p.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), "POST", "/v1/chat/completions", bytes.NewReader(body)))
			if w.Code != http.StatusOK {
				b.Error(w.Code)
			}
		}
	})
}

func BenchmarkLoopback(b *testing.B) {
	_, s, hc := serve(b, Options{})
	body := chatBody("m", strings.Repeat("context ", 60))
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if status, _, _ := post(b, hc, s.URL, body); status != http.StatusOK {
				b.Error(status)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
