package replay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	uplift "github.com/uplift-eval/uplift"
)

// Transport answers a request with the attempt that its context carries. It
// never opens a connection. The zero value is ready to use.
type Transport struct{}

// errNothingSent is what a request without a stored answer gets.
var errNothingSent = errors.New("nothing is sent while a study is replayed")

// kept is the stored answer of one attempt.
type kept struct {
	attempt uplift.Attempt
	body    []byte
}

type keptKey struct{}

// with lets the requests under a context be answered by an attempt.
func with(ctx context.Context, a uplift.Attempt, body []byte) context.Context {
	return context.WithValue(ctx, keptKey{}, &kept{a, body})
}

// RoundTrip gives the stored answer.
func (Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	k, ok := req.Context().Value(keptKey{}).(*kept)
	if !ok {
		return nil, errNothingSent
	}
	h := http.Header{}
	h.Set("Content-Type", contentType(k.body))
	for name, value := range k.attempt.Headers {
		h.Set(name, value)
	}
	return &http.Response{
		Status: http.StatusText(k.attempt.Status), StatusCode: k.attempt.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(k.body)), ContentLength: int64(len(k.body)), Request: req,
	}, nil
}

// contentType goes by the first byte, because an attempt does not keep what its
// provider called the body. Clients go by it when they read JSON.
func contentType(body []byte) string {
	switch trimmed := bytes.TrimSpace(body); {
	case bytes.HasPrefix(trimmed, []byte("<")):
		return "text/html"
	case bytes.HasPrefix(trimmed, []byte("event:")), bytes.HasPrefix(trimmed, []byte("data:")):
		return "text/event-stream"
	}
	return "application/json"
}
