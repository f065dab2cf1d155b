// Package wire answers what crossed the wire: which bytes, headers and times
// one request to a provider brought back, and how it failed if it did.
//
// The providers' clients disagree on what they keep of an answer, so none is
// asked. A [Tap] sits below each of them as an [http.RoundTripper]:
//
//  1. a provider holds one [Line] to its endpoint, and opens a [Seen] on it for each request;
//  2. the context that it gets goes through the provider's client, and so to the Tap;
//  3. the Tap copies the body as the client reads it, and changes nothing of it;
//  4. [Seen.Attempt] tells what came, and [Line.Failure] what an error was.
//
// Nothing here reads the environment: neither a proxy nor a key comes from it.
package wire

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Limit bounds a body. Replies are far below it: what is longer is no reply, and
// is not asked for again.
const Limit = 16 << 20 // bytes

// Client is an HTTP client for one provider. It sends each watched request
// once and follows no redirect: a redirected request would be a second one, and
// would carry the key to a host that nobody named. A nil next is [Transport].
func Client(next http.RoundTripper, now func() time.Time) *http.Client {
	if next == nil {
		next = Transport()
	}
	return &http.Client{
		Transport:     &Tap{next: next, now: now},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Transport is a transport of its own, with room for some hundred requests at
// once to one host. It knows no proxy: a caller whose users need one sets it.
// Every connection that stays idle is closed after a minute and a half.
func Transport() *http.Transport {
	dial := &net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:           dial.DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          1024,
		MaxIdleConnsPerHost:   256,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// Tap is a transport that notes what passes. A request whose context no
// [Line.Open] made passes unseen.
type Tap struct {
	next http.RoundTripper
	now  func() time.Time
}

var errSecond = errors.New("a second request for one call (want one: retries are not the client's)")

// RoundTrip sends a request on.
func (t *Tap) RoundTrip(r *http.Request) (*http.Response, error) {
	seen, ok := r.Context().Value(key{}).(*Seen)
	if !ok {
		return t.next.RoundTrip(r)
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if !seen.send(t.now) {
		return nil, errSecond
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		seen.end(err)
		return nil, err
	}
	seen.head(resp)
	resp.Body = &body{ReadCloser: resp.Body, seen: seen}
	return resp, nil
}

// CheckURL says what is wrong with the base URL of an endpoint. A key has no
// place in one: URLs are written into logs.
func CheckURL(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("base URL: cannot be read as one (want such as https://host/path)")
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return fmt.Errorf("base URL %q: no address of a server (want http or https, and a host)", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("base URL of %s: holds more than a host and a path (want no user, query or fragment)", u.Host)
	}
	return nil
}
