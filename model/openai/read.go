package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/uplift-eval/uplift/model"
)

// Read reads a kept attempt again, whole or streamed, as [Model.Generate] and
// [Model.Stream] read it: it gives an equal reply. api is Chat or Responses.
func Read(api string, a model.Attempt) (model.Reply, error) {
	if r, ok := refused(a.Status, a.Raw); ok {
		return about(r, a), nil
	}
	if a.Status >= 300 {
		return model.Reply{}, fmt.Errorf("openai: status %d is no reply", a.Status)
	}
	r, err := readStream(api, bytes.NewReader(a.Raw), all)
	if err != nil {
		return model.Reply{}, fmt.Errorf("openai: %w", err)
	}
	return about(r, a), nil
}

// readWhole reads a reply that is not streamed.
func readWhole(api string, body []byte) (model.Reply, error) {
	if api == Responses {
		return readResponse(body, nil)
	}
	var c chatReply
	if _, err := c.add(body); err != nil {
		return model.Reply{}, err
	}
	return c.reply(false)
}

// stream is a reply in pieces.
type stream interface {
	// take reads one event; end says that it was the last.
	take(event string, data []byte) (piece string, end bool, err error)
	// whole is the reply after the last event; ended is false when none said so.
	whole(ended bool) (model.Reply, error)
}

// readStream reads a stream, and also a whole reply: a server that knows no
// streams answers with one.
func readStream(api string, from io.Reader, yield func(string) bool) (model.Reply, error) {
	in := bufio.NewReader(from)
	if isWhole(in) {
		body, err := io.ReadAll(in)
		if err != nil {
			return model.Reply{}, err
		}
		r, err := readWhole(api, body)
		return delivered(r, err, false, yield)
	}
	var s stream = new(chatStream)
	if api == Responses {
		s = new(responseStream)
	}
	// The blank lines end a last event that the server left open.
	events := ssestream.NewDecoder(&http.Response{Body: io.NopCloser(io.MultiReader(in, strings.NewReader("\n\n")))})
	came, some, ended := false, false, false
	for !ended && events.Next() {
		came = true
		event := events.Event()
		piece, end, err := s.take(event.Type, bytes.TrimSpace(event.Data))
		if err != nil {
			return model.Reply{}, err
		}
		ended = end
		if piece != "" {
			some = true
			if !yield(piece) {
				return model.Reply{}, left{}
			}
		}
	}
	if err := events.Err(); err != nil {
		return model.Reply{}, err
	}
	if !came {
		return model.Reply{}, broken("is no reply of this API")
	}
	r, err := s.whole(ended)
	return delivered(r, err, some, yield)
}

// delivered yields a text that came in no piece: a refusal, or a whole reply.
func delivered(r model.Reply, err error, some bool, yield func(string) bool) (model.Reply, error) {
	if err == nil && !some && r.Text != "" && !yield(r.Text) {
		return model.Reply{}, left{}
	}
	return r, err
}

// isWhole reports whether a body begins as JSON does.
func isWhole(in *bufio.Reader) bool {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		if err != nil {
			return false
		}
		if c := b[n-1]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c == '{'
		}
	}
}

// chatStream is a stream of chunks that [DONE] ends.
type chatStream struct{ chatReply }

func (c *chatStream) take(_ string, data []byte) (piece string, end bool, err error) {
	if bytes.HasPrefix(data, []byte("[DONE]")) {
		return "", true, nil
	}
	piece, err = c.add(data)
	return piece, err == nil && c.blocked != nil, err
}

func (c *chatStream) whole(ended bool) (model.Reply, error) { return c.reply(!ended) }

// responseStream is a stream of typed events, the last of which holds the whole.
type responseStream struct {
	output
	last []byte
}

func (s *responseStream) take(event string, data []byte) (piece string, end bool, err error) {
	var e struct {
		Type     json.RawMessage `json:"type"`
		Delta    json.RawMessage `json:"delta"`
		Response json.RawMessage `json:"response"`
		Error    json.RawMessage `json:"error"`
	}
	if bytes.HasPrefix(data, []byte("[DONE]")) { // a habit of other servers
		return "", true, nil
	}
	if json.Unmarshal(data, &e) != nil {
		return "", false, broken("is no reply of this API")
	}
	switch cmp.Or(word(e.Type), event) {
	case "response.output_text.delta":
		piece = word(e.Delta)
		s.text.WriteString(piece)
	case "response.refusal.delta":
		s.refusal.WriteString(word(e.Delta))
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		s.last = e.Response
		return "", true, nil
	case "error":
		if !said(e.Error) {
			e.Error = data
		}
		s.last = bytes.Join([][]byte{[]byte(`{"status":"failed","error":`), e.Error, []byte(`}`)}, nil)
		return "", true, nil
	}
	return piece, false, nil
}

func (s *responseStream) whole(bool) (model.Reply, error) {
	if s.last == nil {
		return model.Reply{}, cut{}
	}
	return readResponse(s.last, &s.output)
}
