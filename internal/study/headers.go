package study

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// secretHeaders are headers that carry a key, and words that such names hold.
var (
	secretHeaders = []string{"authorization", "proxy-authorization", "cookie", "set-cookie", "x-goog-api-key", "x-api-key", "api-key", "apikey", "x-auth", "x-auth-key"}
	secretWords   = []string{"api-key", "apikey", "api_key", "token", "secret", "password", "passwd", "credential", "authorization", "access-key", "private-key", "subscription-key", "cookie", "signature"}
)

// ownHeaders are set by whoever sends: another value would break the request.
var ownHeaders = []string{"accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host", "keep-alive",
	"proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"}

// headers checks names and values: none of them may be a secret, since a study is
// kept, hashed and shown.
func (ps *problems) headers(field string, h Headers) {
	taken := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		at, lower := field+"."+name, strings.ToLower(name)
		switch other, twice := taken[lower]; {
		case twice:
			ps.field(at, "is the header %s again (names of headers have no case)", quote(other))
		case slices.Contains(ownHeaders, lower):
			ps.field(at, "is set by the program (leave it out)")
		case secretName(lower):
			ps.field(at, "carries a secret by its name (want key_env: the name of an environment variable)")
		case secretValue(h[name]):
			ps.field(at, "looks like a key (want key_env: the name of an environment variable)")
		}
		taken[lower] = name
	}
}

func secretName(lower string) bool {
	return slices.Contains(secretHeaders, lower) || slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(lower, w) })
}

// keyForms are how the keys of providers and the usual tokens begin.
var keyForms = regexp.MustCompile(`(?i)^(bearer|basic|token|apikey)\s|\b(sk|pk|rk|gsk|hf|xai|ghp|gho|glpat|xox[a-z])[-_][0-9a-z]|\bAIza[0-9a-z_-]|\bya29\.|\bAKIA[0-9A-Z]{8}|\beyJ[0-9a-z_-]{8}|AGE-SECRET-KEY`)

var (
	longWord = regexp.MustCompile(`[0-9A-Za-z+/=_-]{32,}`)
	hexWord  = regexp.MustCompile(`[0-9A-Fa-f]{32,}`)
)

// secretValue guesses: a known form, a long run of hex digits, or a long word of
// small and capital letters and digits.
func secretValue(v string) bool {
	if keyForms.MatchString(v) || hexWord.MatchString(v) {
		return true
	}
	return slices.ContainsFunc(longWord.FindAllString(v, -1), func(w string) bool {
		return strings.ContainsAny(w, "0123456789") && strings.ToLower(w) != w && strings.ToUpper(w) != w
	})
}
