package model

import (
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// Whatever makes an upstream request another one changes the digest.
func TestDigestSeparates(t *testing.T) {
	half, more := 0.5, 7
	user := func(s string) []uplift.Message { return []uplift.Message{{Role: uplift.User, Text: s}} }
	seen := map[string]string{}
	for _, c := range []struct {
		name, upstream string
		req            Request
	}{
		{"plain", "m", Request{Messages: user("a")}},
		{"upstream", "n", Request{Messages: user("a")}},
		{"system", "m", Request{System: "s", Messages: user("a")}},
		{"text", "m", Request{Messages: user("b")}},
		{"two turns", "m", Request{Messages: append(user("a"), user("a")...)}},
		{"role", "m", Request{Messages: []uplift.Message{{Role: uplift.Assistant, Text: "a"}}}},
		{"temperature", "m", Request{Messages: user("a"), Sampling: Sampling{Temperature: &half}}},
		{"top_p", "m", Request{Messages: user("a"), Sampling: Sampling{TopP: &half}}},
		{"max_tokens", "m", Request{Messages: user("a"), Sampling: Sampling{MaxTokens: &more}}},
		{"replicate", "m", Request{Messages: user("a"), Replicate: 1}},
		{"no message", "m", Request{}},
	} {
		d := c.req.Digest(c.upstream)
		if other, ok := seen[d]; ok || len(d) != 64 {
			t.Errorf("%s: digest %q is that of %q, want 64 digits of its own", c.name, d, other)
		}
		seen[d] = c.name
	}
	if a, b := (Request{}).Digest("m"), (Request{Messages: []uplift.Message{}}).Digest("m"); a != b {
		t.Errorf("nil and empty messages: %s and %s, want one digest", a, b)
	}
}
