package study

import (
	"strings"
	"testing"
)

// What carries a key is told by its name or its form; what a guard is turned on
// with is not.
func TestHeadersThatCarrySecrets(t *testing.T) {
	for name, secret := range map[string]bool{
		"authorization": true, "proxy-authorization": true, "cookie": true, "x-api-key": true, "api-key": true, "x-goog-api-key": true,
		"ocp-apim-subscription-key": true, "x-auth-token": true, "x-amz-security-token": true, "client-secret": true,
		"x-guard": false, "anthropic-beta": false, "openai-organization": false, "x-deployment": false, "user-agent": false,
	} {
		if got := secretName(name); got != secret {
			t.Errorf("%s: got %v, want %v", name, got, secret)
		}
	}
	for value, secret := range map[string]bool{
		"on": false, "guarded-v2": false, "": false, "application/json": false, "interleaved-thinking-2025-05-14": false,
		"3f2b8c1e-1111-4222-8333-123456789abc": false, "the-base-model-with-the-guard-of-the-vendor-turned-on": false,
		"Bearer abc": true, "basic dXNlcjpw": true, "sk-abc": true, "token sk_abc": true, "AIzaSyxxxx": true, "hf_xxxx": true,
		strings.Repeat("0123456789abcdef", 2): true, strings.Repeat("aB3", 12): true, "eyJhbGciOiJI.x": true,
	} {
		if got := secretValue(value); got != secret {
			t.Errorf("%q: got %v, want %v", value, got, secret)
		}
	}
}

func TestParts(t *testing.T) {
	for name, c := range map[string]struct {
		prompt, without, want string
	}{
		"first":               {"a\n## X\nx\n## Y\ny\n", "X", "a\n## Y\ny\n"},
		"last":                {"a\n## X\nx\n## Y\ny\n", "Y", "a\n## X\nx\n"},
		"the third level":     {"## X\nx\n### Z\nz\n## Y\ny", "X", "## Y\ny"},
		"the first level":     {"## X\nx\n# T\nt\n", "X", "# T\nt\n"},
		"closed heading":      {"a\n## X ##\nx\n", "X", "a\n"},
		"no space, no part":   {"a\n##X\n## X\nx\n", "X", "a\n##X\n"},
		"in a fence":          {"a\n~~~~\n## Y\n~~~\n## Z\n~~~~\n## X\nx\n", "X", "a\n~~~~\n## Y\n~~~\n## Z\n~~~~\n"},
		"a fence never ended": {"a\n## X\nx\n```\n## Y\n", "X", "a\n"},
	} {
		ps := &problems{}
		text := Text{Value: c.prompt, File: "p.md", Without: []string{c.without}}
		ps.without("without", &text)
		if err := ps.Err("s"); err != nil || text.Value != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, text.Value, err, c.want)
		}
	}
	ps := &problems{}
	ps.without("without", &Text{Value: "## X\nx\n", File: "p.md", Without: []string{"X"}})
	if err := ps.Err("s"); err == nil || !strings.Contains(err.Error(), `leaves nothing of "p.md"`) {
		t.Errorf("got %v, want that nothing is left", err)
	}
}
