package wire

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// shapes are keys as the known providers write them: a provider may repeat one
// that is not ours, or a part of ours.
var shapes = regexp.MustCompile(`\b(?:sk|pk|rk)-[A-Za-z0-9_*-]{6,}|\bAIza[A-Za-z0-9_-]{10,}|(?i:\bbearer\s+[^\s"',;]+)|(?i:\bkey=[^\s&"']+)`)

// shortest is the length from which a secret is looked for: a shorter one, such
// as the header value "true", would blot out ordinary words.
const shortest = 6

const scrubbed = "[secret]"

// Secrets lists what a provider sends that no error may hold: its key, and of its
// own headers each value and each word of it, as that after "Bearer".
func Secrets(key string, headers map[string]string) []string {
	out := []string{key}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out = append(out, headers[name])
		out = append(out, strings.Fields(headers[name])...)
	}
	return out
}

// Scrub replaces each secret in s, as it is and as a URL writes it, and whatever
// looks like a key.
func Scrub(s string, secrets ...string) string {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	for _, secret := range secrets {
		if len(secret) < shortest {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			s = strings.ReplaceAll(s, form, scrubbed)
		}
	}
	return shapes.ReplaceAllString(s, scrubbed)
}

const longestError = 500 // bytes

// bounded makes a text fit for one line of a log.
func bounded(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	if len(s) <= longestError {
		return s
	}
	cut := longestError - len("…")
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
