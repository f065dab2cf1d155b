package wire

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// kept are the headers that an attempt keeps, beside those with a prefix of
// keptPrefix. It is a list of what may be kept: a header that nobody thought of,
// a cookie or a key in an answer, is not.
var kept = map[string]bool{
	"retry-after": true, "retry-after-ms": true, "x-should-retry": true,
	"request-id": true, "x-request-id": true, "apim-request-id": true, "x-ms-request-id": true, "x-goog-request-id": true,
	"anthropic-organization-id": true,
}

var keptPrefix = []string{"anthropic-ratelimit-", "anthropic-priority-", "x-ratelimit-"}

const (
	longestHeader = 256 // bytes of a kept value
	mostHeaders   = 64
)

// listed are the headers that may be kept, in lower case; nil for none.
func listed(h http.Header) map[string]string {
	var out map[string]string
	for _, as := range slices.Sorted(maps.Keys(h)) {
		name, value := strings.ToLower(as), strings.Join(h[as], ", ")
		if !keep(name) || len(value) > longestHeader || len(out) == mostHeaders {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	return out
}

func keep(name string) bool {
	for _, prefix := range keptPrefix {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return kept[name]
}
