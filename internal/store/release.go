package store

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// Released says that a withheld text was given back.
type Released struct {
	ID string    `json:"id"` // of the [uplift.Withheld]
	At time.Time `json:"at"`
	By []string  `json:"by"` // the reviewers
}

// Releases yields what was released, in the order in which it was.
func (s *Store) Releases(ctx context.Context) iter.Seq2[Released, error] {
	return readEach(s, ctx, "read releases of", selectReleases, 3, func(r *record) (v Released, err error) {
		v.ID, _ = r.text(0)
		at, _ := r.text(1)
		by, _ := r.text(2)
		if v.At, err = time.Parse(stampForm, at); err != nil || json.Unmarshal([]byte(by), &v.By) != nil {
			return v, errOddRow
		}
		return v, nil
	})
}

// Release gives a withheld record its parts back: text, reasoning and details
// of a call; text, draft and transcript (JSON) of a response; raw, in base64, of
// an attempt, or of a call's last one; error of any of them. It is a further statement: the record
// that it was withheld stays, and so do the locked bytes. What is released
// already stays as it is, whoever releases it again.
//
// The call, response or attempt names no [uplift.Withheld] from then on, unless
// it names another one by now.
func (s *Store) Release(ctx context.Context, id string, parts map[string]string, at time.Time, by []string) error {
	if len(by) < 2 {
		return fmt.Errorf("release %s: by %d (want two reviewers)", id, len(by))
	}
	reviewers, err := encode(by)
	if err == nil {
		err = s.put(ctx, func(b *Batch) error { return b.release(id, parts, []any{id, stamp(at), reviewers, parts["error"]}) })
	}
	if err != nil {
		return fmt.Errorf("release %s: %w", id, err)
	}
	return nil
}

func (b *Batch) release(id string, parts map[string]string, row []any) error {
	if err := b.flush(); err != nil { // what came in the same group
		return err
	}
	w, found, err := withheldBy(b.ctx, b.w.conn, id)
	if err == nil && !found {
		return errors.New("no text of that id is withheld")
	}
	released := false
	if err == nil {
		err = each(b.ctx, b.w.conn, selectReleaseOf, 1, func(*record) error { released = true; return nil }, id)
	}
	if err != nil || released {
		return explain(b.w.path, err)
	}
	body, err := rawPart(parts)
	if err != nil {
		return err
	}
	give, err := b.giver(w, parts, body)
	if err != nil {
		return err
	}
	jobs := []job{{insertReleases, columns(insertReleases), row}}
	if body != nil {
		jobs = append(jobs, job{insertBodies, columns(insertBodies), []any{rawHash(body), compress(body)}})
	}
	if err := give(); err != nil {
		return err
	}
	return b.hand(jobs)
}

func rawPart(parts map[string]string) ([]byte, error) {
	text, ok := parts["raw"]
	if !ok {
		return nil, nil
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("raw: %w", err)
	}
	return raw, nil
}

// giver checks what a record gets back, and says how it is stated.
func (b *Batch) giver(w uplift.Withheld, parts map[string]string, raw []byte) (give func() error, err error) {
	what, of, _ := strings.Cut(w.Of, " ")
	switch what {
	case "call":
		return b.givesCall(w.ID, of, parts)
	case "response":
		return b.givesResponse(w.ID, of, parts)
	case "attempt":
		return b.givesAttempt(of, raw)
	}
	return nil, fmt.Errorf("of: %q (want a call, an attempt or a response)", w.Of)
}

func (b *Batch) givesCall(id, digest string, parts map[string]string) (func() error, error) {
	held, err := b.heldCall(digest)
	switch {
	case err != nil:
		return nil, err
	case held.revision == 0:
		return nil, fmt.Errorf("there is no call %s", digest)
	case held.Withheld != id:
		return func() error { return nil }, nil
	}
	c := held.Call
	c.Text, c.Reasoning, c.Details, c.Withheld = parts["text"], parts["reasoning"], parts["details"], ""
	if v := parts["error"]; v != "" {
		c.Err = v
	}
	return func() error { b.queueCall(c, held.revision+1); return b.flush() }, nil
}

func (b *Batch) givesResponse(id, cell string, parts map[string]string) (func() error, error) {
	at := map[string]int32{cell: -1}
	b.known.locate(at)
	if at[cell] < 0 {
		return nil, fmt.Errorf("there is no response %s", cell)
	}
	r := b.known.responses.at(at[cell])
	if r.sums < 0 || b.known.sums.at(r.sums).withheld != sum(id) {
		return func() error { return nil }, nil
	}
	if t := parts["transcript"]; t != "" {
		var messages []uplift.Message
		if err := json.Unmarshal([]byte(t), &messages); err != nil {
			return nil, fmt.Errorf("transcript: %w", err)
		}
	}
	w := &row{at: at[cell]}
	on := onWithheld
	for name, f := range map[string]struct {
		bit fields
		to  *string
		sum *uint64
	}{"text": {onText, &w.text, &w.sums.text}, "draft": {onDraft, &w.draft, &w.sums.draft}, "transcript": {onTranscript, &w.transcript, &w.sums.transcript},
		"error": {onDetail, &w.detail, &w.sums.detail}} {
		if v, given := parts[name]; given {
			on |= f.bit
			*f.to, *f.sum = v, sum(v)
		}
	}
	return func() error { b.state(w, on); return b.flush() }, nil
}

// givesAttempt wants the body that the attempt says it had.
func (b *Batch) givesAttempt(of string, raw []byte) (func() error, error) {
	var call string
	var n int64
	if _, err := fmt.Sscanf(of, "%s %d", &call, &n); err != nil {
		return nil, fmt.Errorf("of: attempt %q (want a digest and a number)", of)
	}
	row, held, err := b.heldAttempt(call, n)
	switch {
	case err != nil:
		return nil, err
	case !held:
		return nil, fmt.Errorf("there is no attempt %d of call %s", n, call)
	case raw != nil && row[atRawHash] != rawHash(raw):
		return nil, fmt.Errorf("raw: it has the SHA-256 %q (want the attempt's, %v)", rawHash(raw), row[atRawHash])
	}
	return func() error { return nil }, nil
}
