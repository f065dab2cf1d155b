package store_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

var sentAt = time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC)

// The SHA-256 of "abc" is the first example of FIPS 180-2; that of the empty
// text is in every list of them.
const (
	abcHash   = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// wholeCall states every field.
func wholeCall() uplift.Call {
	return uplift.Call{Model: "m", Digest: "d", Attempts: 2, Text: "text", Reasoning: "thought", Stop: uplift.StopEnd, Reason: "end_turn",
		Details: `{"a":1}`, Version: "m-1", RequestID: "req", TokensIn: 7, TokensOut: 9, LatencyMS: 11, RawHash: abcHash}
}

func wholeAttempt(n int) uplift.Attempt {
	return uplift.Attempt{Call: "d", Model: "m", N: n, At: sentAt, WaitMS: 3, LatencyMS: 5, Status: 429, Kind: "rate_limit",
		Headers: map[string]string{"retry-after": "1", "request-id": "x"}, TokensIn: 2, TokensOut: 1, RawHash: abcHash, Raw: []byte("abc"), Err: "slow down"}
}

func sent(a uplift.Attempt, change func(*uplift.Attempt)) uplift.Attempt {
	change(&a)
	return a
}

// kept is what is read of an attempt: all but the body.
func kept(list ...uplift.Attempt) []uplift.Attempt {
	for i := range list {
		list[i].Raw = nil
	}
	return list
}

func testAttempts(t *testing.T, open opener) {
	s, again := open(t)
	one, two := wholeAttempt(1), sent(wholeAttempt(2), func(a *uplift.Attempt) { a.Kind, a.Err, a.Status, a.Raw, a.RawHash = "", "", 200, []byte{}, "" })
	for range 2 {
		must(t, s.PutAttempt(ctx, one))
	}
	must(t, s.PutCall(ctx, wholeCall(), two))
	must(t, s.PutCall(ctx, wholeCall(), two))
	must(t, s.PutAttempt(ctx, sent(one, func(a *uplift.Attempt) { a.Call, a.Raw, a.RawHash = "e", nil, abcHash })))
	two.RawHash = emptyHash
	s = again(store.ReadOnly)
	equal(t, "attempts", all(t, s.Attempts(ctx)),
		kept(one, two, sent(one, func(a *uplift.Attempt) { a.Call = "e" })))
	for _, c := range []struct {
		hash, want string
		found      bool
	}{{abcHash, "abc", true}, {emptyHash, "", true}, {"ff", "", false}} {
		raw, found, err := s.Raw(ctx, c.hash)
		if err != nil || string(raw) != c.want || found != c.found || found && raw == nil {
			t.Errorf("body %s: got %q, %v, %v, want %q, %v", c.hash, raw, found, err, c.want, c.found)
		}
	}
	must(t, s.Check(ctx))
}

func testOddAttempts(t *testing.T, open opener) {
	s, _ := open(t)
	must(t, s.PutAttempt(ctx, wholeAttempt(1)))
	for _, c := range []struct {
		name, want string
		change     func(*uplift.Attempt)
	}{
		{"another of that number", "attempt 1: another one of that number is held", func(a *uplift.Attempt) { a.LatencyMS++ }},
		{"no digest", `call "", n 1 (want a digest, and 1 or more)`, func(a *uplift.Attempt) { a.Call = "" }},
		{"no number", `call "d", n 0 (want`, func(a *uplift.Attempt) { a.N = 0 }},
		{"another body", "raw_hash: " + abcHash + " (want that of the body", func(a *uplift.Attempt) { a.Raw = []byte("abd") }},
	} {
		a := sent(wholeAttempt(1), c.change)
		call := wholeCall()
		call.Digest = "of " + c.name
		for way, err := range map[string]error{"attempt": s.PutAttempt(ctx, a), "call": s.PutCall(ctx, call, wholeAttempt(3), a)} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: got error %v, want %q", c.name, way, err, c.want)
			}
		}
		if _, found, err := s.Call(ctx, call.Digest); found || err != nil {
			t.Errorf("%s: the call was kept without its attempts (%v)", c.name, err)
		}
	}
	equal(t, "attempts", all(t, s.Attempts(ctx)), kept(wholeAttempt(1)))
	withheld := wholeCall()
	withheld.Withheld = "w"
	if err := s.PutCall(ctx, withheld); err == nil || !strings.Contains(err.Error(), "withheld and has a text") {
		t.Errorf("got error %v, want the text of a withheld call refused", err)
	}
}

// testLatePaid: of a call that is held already, what else was sent for it counts.
func testLatePaid(t *testing.T, open opener) {
	s, _ := open(t)
	must(t, s.PutCall(ctx, wholeCall(), wholeAttempt(1)))
	other := wholeCall()
	other.Text = "of another process"
	must(t, s.PutCall(ctx, other, sent(wholeAttempt(1), func(a *uplift.Attempt) { a.LatencyMS++ }), wholeAttempt(2)))
	got, _, err := s.Call(ctx, "d")
	must(t, err)
	equal(t, "call", got, wholeCall())
	equal(t, "attempts", all(t, s.Attempts(ctx)), kept(wholeAttempt(1), wholeAttempt(2)))
}

func testSpent(t *testing.T, open opener) {
	s, again := open(t)
	put := func(digest string, a uplift.Attempt) {
		t.Helper()
		c := wholeCall()
		c.Digest, a.Call = digest, digest
		must(t, s.PutCall(ctx, c, a))
	}
	ok := sent(wholeAttempt(1), func(a *uplift.Attempt) { a.Kind, a.Err, a.TokensIn, a.TokensOut = "", "", 100, 20 })
	put("a", ok)
	put("b", sent(ok, func(a *uplift.Attempt) { a.TokensIn, a.TokensOut = 0, 0 }))
	put("c", sent(ok, func(a *uplift.Attempt) { a.Model = "n" }))
	must(t, s.PutAttempt(ctx, sent(wholeAttempt(1), func(a *uplift.Attempt) { a.TokensIn, a.TokensOut = 0, 0 })))
	must(t, s.PutAttempt(ctx, sent(wholeAttempt(2), func(a *uplift.Attempt) { a.Kind, a.TokensIn, a.TokensOut = "timeout", 0, 0 })))
	must(t, s.PutAttempt(ctx, sent(wholeAttempt(3), func(a *uplift.Attempt) { a.Kind, a.TokensIn, a.TokensOut = "unread", 0, 0 })))
	must(t, s.PutCall(ctx, uplift.Call{Digest: "old", Attempts: 3, Stop: uplift.StopError, Err: "503"}))
	must(t, s.PutCall(ctx, uplift.Call{Digest: "old", Attempts: 4, Text: "x", Stop: uplift.StopEnd, TokensIn: 5, TokensOut: 6}))
	got, err := again(store.ReadOnly).Spent(ctx)
	must(t, err)
	equal(t, "spent", got, map[string]store.Spent{
		"m": {Requests: 5, Failed: 3, TokensIn: 100, TokensOut: 20, Unknown: 3},
		"n": {Requests: 1, TokensIn: 100, TokensOut: 20},
		"":  {Requests: 4, Failed: 3, TokensIn: 5, TokensOut: 6, Unknown: 3},
	})
	tried, err := s.Tried(ctx)
	must(t, err)
	equal(t, "tried", tried, map[string]int{"d": 3})
}

func testWithheld(t *testing.T, open opener) {
	s, again := open(t)
	w := uplift.Withheld{ID: "w1", Of: "call d", SHA256: abcHash, Rules: []string{"quantity"}, At: sentAt, Sealed: []byte("locked")}
	gone := uplift.Withheld{ID: "w2", Of: "response r", SHA256: abcHash, Rules: []string{}, At: sentAt}
	must(t, s.PutWithheld(ctx, w))
	must(t, s.PutWithheld(ctx, gone))
	resealed := w
	resealed.Sealed = []byte("locked otherwise")
	must(t, s.PutWithheld(ctx, resealed))
	other := w
	other.Of = "call e"
	if err := s.PutWithheld(ctx, other); err == nil || !strings.Contains(err.Error(), "another one of that id is held") {
		t.Errorf("got error %v, want another record of the id refused", err)
	}
	if err := s.PutWithheld(ctx, uplift.Withheld{ID: "w3"}); err == nil {
		t.Error("a record of nothing was taken")
	}
	s = again(store.ReadOnly)
	open1 := w
	open1.Sealed = nil
	equal(t, "records", all(t, s.Withheld(ctx)), []uplift.Withheld{open1, gone})
	for id, want := range map[string]string{"w1": "locked", "w2": ""} {
		sealed, found, err := s.Sealed(ctx, id)
		if err != nil || string(sealed) != want || found != (want != "") {
			t.Errorf("%s: got %q, %v, %v, want %q", id, sealed, found, err, want)
		}
	}
	must(t, s.Check(ctx))
}

var two = []string{"ada", "bob"}

func testRelease(t *testing.T, open opener) {
	s, again := open(t)
	r := with(full(), func(r *uplift.Response) { r.Text, r.Draft, r.Transcript, r.Withheld = "", "", nil, "wr" })
	call := wholeCall()
	call.Text, call.Reasoning, call.Details, call.Withheld = "", "", "", "wc"
	for id, of := range map[string]string{"wr": "response " + r.ID(), "wc": "call d", "wa": "attempt d 1", "wx": "letter x"} {
		must(t, s.PutWithheld(ctx, uplift.Withheld{ID: id, Of: of, SHA256: abcHash, At: sentAt}))
	}
	must(t, s.PutCall(ctx, call, sent(wholeAttempt(1), func(a *uplift.Attempt) { a.Raw, a.Withheld, a.Err = nil, "wa", "locked" })))
	must(t, s.PutResponse(ctx, r))
	equal(t, "before", all(t, again(store.ReadOnly).Texts(ctx)), []uplift.Response{r})

	for _, c := range []struct {
		name, id, want string
		parts          map[string]string
		by             []string
	}{
		{"one reviewer", "wr", "want two reviewers", nil, two[:1]},
		{"no such text", "none", "no text of that id is withheld", nil, two},
		{"of nothing known", "wx", `of: "letter x"`, nil, two},
		{"another body", "wa", "raw: it has the SHA-256", map[string]string{"raw": "eHl6"}, two},
		{"no base64", "wa", "raw: illegal base64", map[string]string{"raw": "%"}, two},
		{"no transcript", "wr", "transcript: ", map[string]string{"transcript": "{"}, two},
	} {
		if err := s.Release(ctx, c.id, c.parts, sentAt, c.by); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
	equal(t, "nothing was released", all(t, s.Releases(ctx)), []store.Released(nil))

	parts := map[string]string{"text": "shown", "draft": "draft", "transcript": `[{"role":"user","text":"u"},{"role":"assistant","text":"shown"}]`}
	for range 2 {
		must(t, s.Release(ctx, "wr", parts, sentAt, two))
		parts = map[string]string{"text": "another"} // the second time it changes nothing
	}
	must(t, s.Release(ctx, "wc", map[string]string{"text": "text", "reasoning": "thought", "details": `{"a":1}`}, sentAt, two))
	must(t, s.Release(ctx, "wa", map[string]string{"raw": base64.StdEncoding.EncodeToString([]byte("abc")), "error": "slow down"}, sentAt, two))

	for _, s := range []*store.Store{s, again(store.ReadOnly)} {
		want := with(r, func(r *uplift.Response) {
			r.Text, r.Draft, r.Withheld = "shown", "draft", ""
			r.Transcript = []uplift.Message{{Role: uplift.User, Text: "u"}, {Role: uplift.Assistant, Text: "shown"}}
		})
		equal(t, "response", all(t, s.Texts(ctx)), []uplift.Response{want})
		got, _, err := s.Call(ctx, "d")
		must(t, err)
		equal(t, "call", got, wholeCall())
		equal(t, "attempts", all(t, s.Attempts(ctx)), kept(wholeAttempt(1)))
		raw, _, err := s.Raw(ctx, abcHash)
		must(t, err)
		equal(t, "body", string(raw), "abc")
		equal(t, "releases", all(t, s.Releases(ctx)), []store.Released{{ID: "wr", At: sentAt, By: two}, {ID: "wc", At: sentAt, By: two}, {ID: "wa", At: sentAt, By: two}})
		equal(t, "records", len(all(t, s.Withheld(ctx))), 4)
	}
	must(t, s.Check(ctx))
}

// TestVersion1 reads and then writes a database of the first version.
func TestVersion1(t *testing.T) {
	path := t.TempDir() + "/study.db"
	must(t, store.CreateVersion(ctx, path, 1))
	must(t, raw(t, path, `INSERT INTO calls VALUES ('d', 1, 3, 'text', 'end', 7, 9, 'ff', '');
		INSERT INTO names VALUES (1, 'm'), (2, 'c'), (3, 't'), (4, 'direct'), (5, 'answered');
		INSERT INTO arms VALUES (1, 1, 2);
		INSERT INTO items VALUES (1, 3, 4);
		INSERT INTO responses VALUES (1, 1, 1, 0, 5, 0, NULL);
		INSERT INTO response_details VALUES (1, 1, NULL, NULL, NULL, 'd', NULL, NULL);
		INSERT INTO texts VALUES (1, 1, 5, 0, 0, 'shown', NULL, NULL, NULL)`))
	wantCall := uplift.Call{Digest: "d", Attempts: 3, Text: "text", Stop: uplift.StopEnd, TokensIn: 7, TokensOut: 9, RawHash: "ff"}
	wantResponse := uplift.Response{Cell: cell("t"), Item: uplift.Item{Task: "t", Attack: "direct"}, Outcome: uplift.Answered, Text: "shown", Call: "d"}
	check := func(s *store.Store, version int) {
		t.Helper()
		m, err := s.Meta(ctx)
		must(t, err)
		equal(t, "version", m.Schema, version)
		got, _, err := s.Call(ctx, "d")
		must(t, err)
		equal(t, "call", got, wantCall)
		equal(t, "responses", all(t, s.Texts(ctx)), []uplift.Response{wantResponse})
		equal(t, "attempts", all(t, s.Attempts(ctx)), []uplift.Attempt(nil))
		spent, err := s.Spent(ctx)
		must(t, err)
		equal(t, "spent", spent, map[string]store.Spent{"": {Requests: 3, Failed: 2, TokensIn: 7, TokensOut: 9, Unknown: 2}})
		must(t, s.Check(ctx))
	}
	for _, c := range []struct {
		mode    store.Mode
		version int
	}{{store.ReadOnly, 1}, {store.ReadWrite, 2}, {store.ReadOnly, 2}} {
		s, err := store.Open(ctx, path, c.mode)
		must(t, err)
		check(s, c.version)
		if c.mode == store.ReadWrite {
			must(t, s.PutCall(ctx, uplift.Call{Digest: "e", Stop: uplift.StopError, Err: "x"}, sent(wholeAttempt(1), func(a *uplift.Attempt) { a.Call = "e" })))
			must(t, raw(t, path, `DROP TRIGGER attempts_no_delete; DELETE FROM attempts`))
			must(t, raw(t, path, `DROP TRIGGER calls_no_delete; DELETE FROM calls WHERE digest = 'e'`))
		}
		must(t, s.Close())
	}
}

// TestCheckCalls: damage to what belongs to calls is found.
func TestCheckCalls(t *testing.T) {
	for name, query := range map[string]string{
		"another body":         `DROP TRIGGER bodies_no_update; UPDATE bodies SET sha256 = 'ff'`,
		"a body that is none":  `DROP TRIGGER bodies_no_update; UPDATE bodies SET zstd = x'00'`,
		"an attempt is gone":   `DROP TRIGGER attempts_no_delete; DELETE FROM attempts WHERE n = 1`,
		"a record is gone":     `DROP TRIGGER withheld_no_delete; DELETE FROM withheld`,
		"sealed bytes are odd": `DROP TRIGGER sealed_no_update; UPDATE sealed SET id = 'x'`,
		"a stray reference":    `INSERT INTO calls (digest, revision, attempts, text, stop, tokens_in, tokens_out, raw_hash, error, withheld) VALUES ('x', 1, 1, '', 'end', 0, 0, '', '', 'none')`,
	} {
		path := t.TempDir() + "/study.db"
		s := mustCreate(t, path)
		must(t, s.PutWithheld(ctx, uplift.Withheld{ID: "w", Of: "call d", SHA256: abcHash, At: sentAt, Sealed: []byte("x")}))
		must(t, s.PutCall(ctx, wholeCall(), wholeAttempt(1), wholeAttempt(2)))
		must(t, s.Check(ctx))
		must(t, s.Close())
		must(t, raw(t, path, query))
		s = quick(t, path)
		if err := s.Check(ctx); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: got error %v, want ErrCorrupt", name, err)
		}
		must(t, s.Close())
	}
}
