package study

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/invopop/jsonschema"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// want says in words what a schema allows.
func want(s *jsonschema.Schema) string {
	if len(s.OneOf) > 0 {
		words := make([]string, len(s.OneOf))
		for i, alt := range s.OneOf {
			words[i] = want(alt)
		}
		return strictyaml.Or(words)
	}
	switch {
	case len(s.Enum) > 0:
		return strictyaml.Or(enum(s))
	case s.Type == "object" && len(s.Required) == 1 && s.Required[0] == "file":
		return "{file: path}"
	case s.Type == "object":
		return "a mapping"
	case s.Type == "array":
		return "a list"
	case s.Type == "string":
		return "a text"
	case s.Type == "boolean":
		return "true or false"
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
