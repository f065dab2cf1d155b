package fakeprovider

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// form is one way to write requests and replies.
type form interface {
	// endpoint names it in the counts.
	endpoint() string
	// key is the secret that a request carries, empty for none.
	key(h http.Header, query url.Values) string
	// read understands a request; an error is told to the client with status 400.
	read(r *http.Request, body []byte) (ask, error)
	// whole is the status and the body of a reply.
	whole(a ask, r reply) (int, []byte)
	// events are the same reply as a stream, each with its empty line. A reply
	// whose status is not 200 is never streamed.
	events(a ask, r reply) [][]byte
	// midway is the event that breaks a stream off.
	midway() []byte
	// fail is the body of an error.
	fail(p problem) []byte
}

// problem is an error in no form yet.
type problem struct {
	status  int
	message string
	quota   bool          // there is none left, and waiting does not help
	info    bool          // say wait in a RetryInfo, whatever the form
	wait    time.Duration // before the next request
}

// formOf finds the form that a path speaks.
func formOf(path string) form {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return anthropic{}
	case strings.Contains(path, "/openai/deployments/") && strings.HasSuffix(path, "/chat/completions"):
		return chat{azure: true}
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.Contains(path, "/models/") && strings.HasSuffix(path, ":generateContent"):
		return gemini{}
	case strings.Contains(path, "/models/") && strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{stream: true}
	}
	return nil
}

// bearer is the key of an Authorization header.
func bearer(h http.Header) string {
	scheme, key, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return key
}

// event writes one event of a stream.
func event(name string, data []byte) []byte {
	b := make([]byte, 0, len(name)+len(data)+16)
	if name != "" {
		b = append(append(append(b, "event: "...), name...), '\n')
	}
	return append(append(append(b, "data: "...), data...), "\n\n"...)
}
