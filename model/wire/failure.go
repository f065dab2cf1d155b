package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Failure says what the error of a provider's client was. ctx is the caller's,
// without the attempt's own timeout: when it has ended, the error is its. For the
// rest the error of the client is not wrapped, because clients keep the request
// in it, with its key, and pieces of the reply.
//
// A provider also calls it, with a nil error, for a status that is none of 2xx
// and that its client let pass as good: a redirect.
func (l Line) Failure(ctx context.Context, seen *Seen, err error) *model.Error {
	a := seen.Attempt()
	if gone := ctx.Err(); gone != nil {
		return &model.Error{Kind: cutOff(gone), Attempt: a, Err: fmt.Errorf("%s: %w", l.Where, gone)}
	}
	seen.mu.Lock()
	sent, broke, raw := seen.now != nil, seen.broke, seen.raw
	seen.mu.Unlock()
	switch {
	case !sent:
		return l.fail(model.Rejected, a, "not sent: "+plain(err))
	case a.Status >= 300:
		p := ParseProblem(raw)
		return l.fail(p.Kind(a.Status), a, fmt.Sprintf("status %d: %s", a.Status, p.say(a.Status, raw)))
	case errors.Is(broke, errLong):
		return l.fail(model.Rejected, a, broke.Error())
	case errors.Is(broke, context.DeadlineExceeded) && l.Timeout > 0:
		return l.fail(model.Timeout, a, fmt.Sprintf("no whole answer within %v%s", l.Timeout, came(raw)))
	case broke != nil && !errors.Is(broke, errLeft):
		return l.fail(cutOff(broke), a, plain(broke)+came(raw))
	}
	return l.Broken(seen, "is no reply of this API")
}

// Broken is the failure of an answer with a good status that is no reply. what
// says why, such as "has no content"; nothing of the body may stand in it.
func (l Line) Broken(seen *Seen, what string) *model.Error {
	a := seen.Attempt()
	return l.fail(model.Malformed, a, fmt.Sprintf("status %d: %s", a.Status, place(a.Raw, what)))
}

// Cut is the failure of a stream that ended before the provider's word for its
// end, although the connection closed in good order.
func (l Line) Cut(seen *Seen, what string) *model.Error {
	a := seen.Attempt()
	return l.fail(model.Transport, a, what+came(a.Raw))
}

// Stopped is the failure of a stream that its reader left: it is not whole, and
// nobody asks for the rest.
func (l Line) Stopped(seen *Seen) *model.Error {
	a := seen.Attempt()
	return l.fail(model.Rejected, a, "the reader stopped the stream"+came(a.Raw))
}

// Unread is the failure of a whole answer with a stop that is not known and no
// text. Sending again would pay again, for another draw. word is the provider's
// own, and no piece of the reply.
func (l Line) Unread(seen *Seen, field, word string) *model.Error {
	return l.fail(model.Unread, seen.Attempt(), fmt.Sprintf("%s: unknown value %q and no text (want a documented one)", field, word))
}

// Whole finishes the reading of a whole answer, whose Stop is that of Reason, the
// word in the provider's field, and empty where the word is not known. Then nobody
// knows that a text is whole: it came, was paid for and is what a user is shown,
// so it is kept as one that was cut off. Without a text there is nothing to
// rate, whether the word is unknown or says that the model was done: that is a
// failure, beside which the tokens stand, since it was paid for. A second draw in
// its place would choose among answers.
func (l Line) Whole(seen *Seen, r model.Reply, field string) (model.Reply, error) {
	switch {
	case r.Text != "" && r.Stop == "":
		r.Stop = uplift.StopLength
		return r, nil
	case r.Text != "" || r.Stop != "" && r.Stop != uplift.StopEnd:
		return r, nil
	}
	paid := model.Reply{TokensIn: r.TokensIn, TokensOut: r.TokensOut}
	if r.Stop == "" {
		return paid, l.Unread(seen, field, r.Reason)
	}
	return paid, l.fail(model.Unread, seen.Attempt(), "the model ended its reply without a text")
}

// Said is the failure that a provider told inside an answer whose own status
// was good, as in the middle of a stream.
func (l Line) Said(seen *Seen, p Problem) *model.Error {
	a := seen.Attempt()
	if a.Rate.RetryAfter == nil {
		a.Rate.RetryAfter = p.RetryAfter
	}
	return l.fail(p.Kind(0), a, "in the reply: "+p.say(0, nil))
}

func (l Line) fail(k model.Kind, a model.Attempt, what string) *model.Error {
	return &model.Error{Kind: k, Attempt: a, Err: errors.New(bounded(Scrub(l.Where+": "+what, l.Secrets...)))}
}

// cutOff is the kind of an answer that did not come, or not whole.
func cutOff(err error) model.Kind {
	var n net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout() {
		return model.Timeout
	}
	return model.Transport
}

// plain is an error without the URL, which may hold a key.
func plain(err error) string {
	if err == nil {
		return "unknown error"
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return err.Error()
}

func came(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d bytes of the body came)", len(raw))
}

// say gives the provider's words, and for a body that has none its size.
func (p Problem) say(status int, raw []byte) string {
	var words []string
	for _, w := range []string{p.Type, p.Code, p.Message} {
		if w != "" && (len(words) == 0 || words[len(words)-1] != w) {
			words = append(words, w)
		}
	}
	if len(words) > 0 {
		return strings.Join(words, ": ")
	}
	said := http.StatusText(status)
	if said == "" {
		said = "unknown"
	}
	return fmt.Sprintf("%s (the body of %d bytes says no more)", said, len(raw))
}

// place says where a body is no JSON, or that it is JSON and yet no reply.
func place(raw []byte, what string) string {
	if len(raw) == 0 {
		return "the body is empty (want a reply)"
	}
	var any json.RawMessage
	err := json.Unmarshal(raw, &any)
	if s, ok := errors.AsType[*json.SyntaxError](err); ok && strings.ContainsRune("{[", rune(raw[0])) {
		return fmt.Sprintf("the body of %d bytes is no JSON at byte %d", len(raw), s.Offset)
	}
	return fmt.Sprintf("the body of %d bytes %s", len(raw), what)
}
