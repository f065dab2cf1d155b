package replay

import "testing"

// A body is called what a client wants to hear of it.
func TestContentType(t *testing.T) {
	for body, want := range map[string]string{
		`{"text":"plain"}`: "application/json", " [1]": "application/json", "": "application/json", "Bad Gateway": "application/json",
		"\n<html>": "text/html", "data: {}\n\n": "text/event-stream", "event: message_stop\ndata: {}\n\n": "text/event-stream",
	} {
		if got := contentType([]byte(body)); got != want {
			t.Errorf("%q: got %s, want %s", body, got, want)
		}
	}
}
