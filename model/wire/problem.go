package wire

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Problem is what a provider's error says, in the form of whichever provider.
// A field that it does not have is empty.
type Problem struct {
	Type       string         // such as rate_limit_error, or Google's status RESOURCE_EXHAUSTED
	Code       string         // such as insufficient_quota, or Google's reason API_KEY_INVALID
	Message    string         // the provider's words: may quote the request
	RetryAfter *time.Duration // where the body says it
	NoQuota    bool           // waiting will not help within a run
	Denied     bool           // the key is wrong, whatever the status says
}

// ParseProblem reads the body of an error: {"error": {...}} of Anthropic, OpenAI,
// Azure and Google (also as the first of a list), and the flat or plain forms of
// servers that copy them. A body in no such form gives the zero Problem.
func ParseProblem(body []byte) Problem {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message text            `json:"message"`
		Detail  text            `json:"detail"`
		Type    text            `json:"type"`
		Code    text            `json:"code"`
	}
	if json.Unmarshal(body, &outer) != nil {
		return Problem{}
	}
	p := Problem{Type: string(outer.Type), Code: string(outer.Code), Message: string(outer.Message)}
	if p.Message == "" {
		p.Message = string(outer.Detail)
	}
	if len(outer.Error) > 0 {
		p.read(outer.Error)
	}
	p.judge()
	return p
}

// text is a JSON string or number; anything else is empty and no error.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	var n json.Number
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
	} else if json.Unmarshal(b, &n) == nil {
		*t = text(n)
	}
	return nil
}

func (p *Problem) read(b json.RawMessage) {
	var plain string
	if json.Unmarshal(b, &plain) == nil && plain != "" {
		p.Message = plain
		return
	}
	var in struct {
		Type    text            `json:"type"`
		Code    text            `json:"code"`
		Status  text            `json:"status"`
		Message text            `json:"message"`
		Details json.RawMessage `json:"details"`
	}
	if json.Unmarshal(b, &in) != nil {
		return
	}
	p.Type, p.Code, p.Message = string(in.Type), string(in.Code), string(in.Message)
	if in.Status != "" { // Google: code repeats the status of HTTP
		p.Type, p.Code = string(in.Status), ""
	}
	p.details(in.Details)
}

// details reads Anthropic's stable code, and Google's list: when to retry, which
// quota, and why a key is none.
func (p *Problem) details(b json.RawMessage) {
	var anthropic struct {
		Code text `json:"error_code"`
	}
	if json.Unmarshal(b, &anthropic) == nil && anthropic.Code != "" {
		p.Code = string(anthropic.Code)
	}
	var list []struct {
		Reason     text `json:"reason"`
		RetryDelay text `json:"retryDelay"`
		Violations []struct {
			ID    text `json:"quotaId"`
			Value text `json:"quotaValue"`
		} `json:"violations"`
	}
	if json.Unmarshal(b, &list) != nil {
		return
	}
	for _, d := range list {
		if d.Reason != "" {
			p.Code = string(d.Reason)
		}
		if d.RetryDelay != "" {
			p.RetryAfter = spelt(string(d.RetryDelay))
		}
		for _, v := range d.Violations {
			// A quota of a day comes with a delay of seconds, which does not mend it.
			p.NoQuota = p.NoQuota || strings.Contains(string(v.ID), "PerDay") || v.Value == "0"
		}
	}
}

var (
	again   = regexp.MustCompile(`(?i)\b(?:retry|try again) in ([0-9][0-9a-zµ.]*)`)
	noLimit = regexp.MustCompile(`(?i)\blimit: 0\b(?:[^.0-9]|\.\D|\.?$)`)
)

// noQuota are the codes and types of an account that cannot pay.
var noQuota = map[string]bool{"insufficient_quota": true, "billing_not_active": true,
	"billing_hard_limit_reached": true, "billing_error": true,
	"contract_spend_limit_reached": true, "enforced_spend_limit_reached": true,
	"linked_organization_spend_limit_reached": true, "linked_organization_billing_unavailable": true}

var denied = map[string]bool{"authentication_error": true, "permission_error": true, "invalid_api_key": true,
	"organization_on_hold": true, "account_deactivated": true, "API_KEY_INVALID": true, "UNAUTHENTICATED": true, "PERMISSION_DENIED": true}

func (p *Problem) judge() {
	if p.RetryAfter == nil {
		if m := again.FindStringSubmatch(p.Message); m != nil {
			p.RetryAfter = spelt(strings.TrimRight(m[1], "."))
		}
	}
	p.Denied = denied[p.Type] || denied[p.Code]
	// Anthropic tells of an empty account in an invalid_request_error, status 400:
	// only its words differ from those of a request that is wrong, and a run that
	// read it so would go on through every cell of the study.
	p.NoQuota = p.NoQuota || noQuota[p.Type] || noQuota[p.Code] || noLimit.MatchString(p.Message) ||
		strings.Contains(p.Message, "credit balance is too low")
}

// Kind says how the attempt failed. status is 0 for a problem that came inside
// a reply whose own status was good: then its type says it.
func (p Problem) Kind(status int) model.Kind {
	switch {
	case p.NoQuota, status == 402:
		return model.NoQuota
	case p.Denied, status == 401, status == 403:
		return model.Denied
	case status == 0:
		return p.kindOfType()
	case status == 429:
		return model.RateLimit
	case status == 408:
		return model.Timeout
	case status == 503, status == 529:
		return model.Overloaded
	case status >= 500:
		return model.Server
	}
	return model.Rejected // 409 too: a chat leaves nothing behind to be in conflict with
}

var kinds = map[string]model.Kind{
	"rate_limit_error": model.RateLimit, "rate_limit_exceeded": model.RateLimit, "RESOURCE_EXHAUSTED": model.RateLimit,
	"overloaded_error": model.Overloaded, "UNAVAILABLE": model.Overloaded,
	"timeout_error": model.Timeout, "DEADLINE_EXCEEDED": model.Timeout,
	"invalid_request_error": model.Rejected, "not_found_error": model.Rejected, "INVALID_ARGUMENT": model.Rejected,
	"request_too_large": model.Rejected, "NOT_FOUND": model.Rejected, "FAILED_PRECONDITION": model.Rejected,
}

func (p Problem) kindOfType() model.Kind {
	for _, word := range []string{p.Code, p.Type} {
		if k, ok := kinds[word]; ok {
			return k
		}
	}
	return model.Server // api_error, server_error, INTERNAL, and what is not known
}
