package study

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/invopop/jsonschema"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// string reads a text.
func (ps *problems) string(n ast.Node, s *jsonschema.Schema, field string) (any, bool) {
	var text string
	switch n := n.(type) {
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	}
	return text, ps.checkText(text, s, field, strictyaml.Start(n))
}

// words says in words what a pattern wants.
var words = map[string]string{
	namePattern:                "letters, digits, dot, underscore and hyphen, and no dot or hyphen first",
	"^[!-~]+$":                 "a name without spaces",
	"^[0-9a-f]{64}$":           "64 hex digits in lower case",
	"^age1[0-9a-z]+$":          "an age public key, age1...",
	headerPattern:              "the name of an HTTP header: letters, digits and hyphens, say",
	"^[ -~]*$":                 "plain ASCII in one line",
	"^[A-Za-z_][A-Za-z0-9_]*$": "the name of an environment variable: letters, digits and underscore",
}

func (ps *problems) checkText(text string, s *jsonschema.Schema, field string, at strictyaml.Place) bool {
	n := uint64(utf8.RuneCountInString(text))
	switch {
	case len(s.Enum) > 0 && !slices.Contains(enum(s), text):
		ps.Add(at, field, "unknown value %s (want %s)", quote(text), strictyaml.Or(enum(s)))
	case s.Pattern != "" && !pattern(s.Pattern).MatchString(text):
		ps.Add(at, field, "%s is no usable value (want %s)", quote(text), words[s.Pattern])
	case s.MinLength != nil && n < *s.MinLength:
		ps.Add(at, field, "is empty (want a text)")
	case s.MaxLength != nil && n > *s.MaxLength:
		ps.Add(at, field, "has %d characters (want at most %d)", n, *s.MaxLength)
	default:
		return true
	}
	return false
}

func pattern(p string) *regexp.Regexp { return regexp.MustCompile(p) }

// number reads a number within the schema's bounds.
func (ps *problems) number(n ast.Node, s *jsonschema.Schema, field string) (any, bool) {
	v, err := strconv.ParseFloat(n.GetToken().Value, 64)
	whole := v == math.Trunc(v) && math.Abs(v) < 1<<53
	if err != nil || (s.Type == "integer" && !whole) || !within(v, s) {
		ps.Add(strictyaml.Start(n), field, "is %s (want %s)", n.GetToken().Value, want(s))
		return nil, false
	}
	if s.Type == "integer" {
		return json.Number(strconv.FormatInt(int64(v), 10)), true
	}
	if v == 0 {
		v = 0 // never -0
	}
	return v, true
}

func within(v float64, s *jsonschema.Schema) bool {
	low, high, above := bound(s.Minimum, math.Inf(-1)), bound(s.Maximum, math.Inf(1)), bound(s.ExclusiveMinimum, math.Inf(-1))
	return v >= low && v <= high && v > above
}

func bound(n json.Number, otherwise float64) float64 {
	if n == "" {
		return otherwise
	}
	v, err := n.Float64()
	if err != nil {
		panic(err) // a struct tag of this package
	}
	return v
}
