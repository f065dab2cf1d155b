package study

import (
	"fmt"
	"regexp"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/invopop/jsonschema"
)

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// numeric reports whether n is a plain decimal number as JSON writes it.
func numeric(n ast.Node) bool {
	t := n.GetToken()
	return t.Type != token.SingleQuoteType && t.Type != token.DoubleQuoteType && number.MatchString(t.Value)
}

// kind says what a node is, in a sentence without a subject.
func kind(n ast.Node) string {
	switch x := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "is a mapping"
	case *ast.SequenceNode:
		return "is a list"
	case *ast.NullNode:
		return "is empty"
	case *ast.LiteralNode:
		return "is a text"
	case *ast.StringNode:
		if !numeric(n) {
			return "is the text " + quote(x.Value)
		}
	case *ast.BoolNode:
		return "is " + x.Token.Value
	case *ast.AliasNode:
		return "is an alias"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
	default:
		return "cannot be read"
	}
	if numeric(n) {
		return "is the number " + n.GetToken().Value
	}
	return "is " + quote(n.GetToken().Value) + ", no plain decimal number"
}

// want says in words what a schema allows.
func want(s *jsonschema.Schema) string {
	if len(s.OneOf) > 0 {
		words := make([]string, len(s.OneOf))
		for i, alt := range s.OneOf {
			words[i] = want(alt)
		}
		return list(words)
	}
	switch {
	case len(s.Enum) > 0:
		return list(enum(s))
	case s.Type == "object" && len(s.Required) == 1 && s.Required[0] == "file":
		return "{file: path}"
	case s.Type == "object":
		return "a mapping"
	case s.Type == "array":
		return "a list"
	case s.Type == "string":
		return "a text"
	case s.Type == "integer":
		return "a whole number" + bounds(s)
	}
	return "a number" + bounds(s)
}

// hint tells how to write as text what YAML takes for something else.
func hint(n ast.Node, s *jsonschema.Schema) string {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode, *ast.StringNode:
		if s.Type == "string" {
			return "; in quotes, if this is meant"
		}
	}
	return ""
}

func bounds(s *jsonschema.Schema) string {
	switch {
	case s.ExclusiveMinimum != "":
		return " above " + string(s.ExclusiveMinimum)
	case s.Minimum != "" && s.Maximum != "":
		return " from " + string(s.Minimum) + " to " + string(s.Maximum)
	case s.Minimum != "":
		return " of at least " + string(s.Minimum)
	}
	return ""
}

func enum(s *jsonschema.Schema) []string {
	var out []string
	for _, v := range s.Enum {
		out = append(out, fmt.Sprint(v))
	}
	return out
}
