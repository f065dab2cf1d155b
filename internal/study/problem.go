package study

import (
	"strings"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// Problem is one thing that is wrong with a study file.
type Problem = strictyaml.Problem

// Error is everything that is wrong with a study file, in the order of the file.
type Error = strictyaml.Error

// problems collects what is wrong, and remembers where each field stands.
type problems struct {
	strictyaml.Problems
	places map[string]strictyaml.Place
}

// field adds a problem at the place where the field stands, or at the nearest
// field around it.
func (ps *problems) field(field, format string, args ...any) {
	at := field
	for {
		if p, ok := ps.places[at]; ok || at == "" {
			ps.Add(p, field, format, args...)
			return
		}
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
}

func quote(s string) string { return strictyaml.Quote(s) }
