package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// broken says why a body is no reply, to stand behind "the body of 12 bytes".
type broken string

func (b broken) Error() string { return "the body " + string(b) }

// left is the error of a stream that its reader left.
type left struct{}

func (left) Error() string { return "the reader left before the end of the reply" }

// cut is the error of a stream that ended before its last event.
type cut struct{}

func (cut) Error() string { return "the stream ended before the reply did" }

// unread is an unknown reason to finish that came without any text.
type unread string

func (u unread) Error() string {
	return "finish_reason: unknown value " + strconv.Quote(string(u)) + " and no text"
}

// told is a failure that the server tells inside a reply with a good status.
type told struct{ wire.Problem }

func (t told) Error() string { return "in the reply: " + t.Type + " " + t.Code + ": " + t.Message }

// rejected are codes of a failed response that sending it again does not mend.
var rejected = map[string]bool{
	"data_residency_mismatch": true, "context_length_exceeded": true, "model_not_found": true,
}

// as corrects the kind of a failure by what only this form says: the code may be
// a status of HTTP.
func (t told) as(e *model.Error) error {
	if status, err := strconv.Atoi(t.Code); err == nil && status >= 400 && status < 600 {
		e.Kind = t.Kind(status)
	}
	if rejected[t.Code] || strings.Contains(t.Code, "image") {
		e.Kind = model.Rejected
	}
	return e
}

// blocks reports whether an error's code says that the prompt was blocked.
func blocks(code string) bool {
	switch code {
	case "content_filter", "invalid_prompt", "ResponsibleAIPolicyViolation":
		return true
	}
	return strings.HasSuffix(code, "_policy") || strings.HasSuffix(code, "policy_violation")
}

// refused reads the body of an error as a block, if it is one.
func refused(status int, body []byte) (model.Reply, bool) {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	if status != 400 && status != 403 && status != 422 || json.Unmarshal(body, &outer) != nil {
		return model.Reply{}, false
	}
	return blocked(outer.Error, nil)
}

// blocked makes a block of an error object that says so. more are fields that
// stand beside it.
func blocked(raw json.RawMessage, more *fields) (model.Reply, bool) {
	var e struct {
		Code  json.RawMessage `json:"code"`
		Inner struct {
			Code json.RawMessage `json:"code"`
		} `json:"innererror"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return model.Reply{}, false
	}
	code := word(e.Code)
	if !blocks(code) && blocks(word(e.Inner.Code)) {
		code = word(e.Inner.Code)
	}
	if !blocks(code) {
		return model.Reply{}, false
	}
	if more == nil {
		more = new(fields)
	}
	more.set("error", raw)
	return model.Reply{Stop: uplift.StopPrompt, Reason: code, Details: more.json()}, true
}

// problem reads an error object as a failure.
func problem(raw json.RawMessage) told {
	return told{wire.ParseProblem(bytes.Join([][]byte{[]byte(`{"error":`), raw, []byte(`}`)}, nil))}
}

// begun gives a reply its text. A block that came when the text had begun is one
// of the output.
func begun(r model.Reply, text, reasoning string) model.Reply {
	r.Text, r.Reasoning = text, reasoning
	if r.Stop == uplift.StopPrompt && text != "" {
		r.Stop = uplift.StopOutput
	}
	return r
}

// declined marks a reply that used the field for refusals, and ends its details.
func declined(r model.Reply, refusal string, details *fields) model.Reply {
	if refusal != "" {
		details.set("refusal", quoted(refusal))
		if r.Stop != uplift.StopOutput && r.Stop != uplift.StopPrompt {
			r.Stop = uplift.StopRefusal
		}
		r.Text = cmp.Or(r.Text, refusal)
	}
	r.Details = details.json()
	return r
}
