package study

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
	"github.com/invopop/jsonschema"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// walk reads a node as the schema wants it, adding a problem for everything
// that differs. It returns the value in the terms of encoding/json; false
// means that there is none that could be used further.
func (ps *problems) walk(n ast.Node, s *jsonschema.Schema, field string) (any, bool) {
	n = strictyaml.Bare(n)
	ps.places[field] = strictyaml.Start(n)
	branch, ok := pick(n, s)
	if !ok {
		ps.Add(strictyaml.Start(n), field, "%s (want %s)", strictyaml.Kind(n), want(s)+hint(n, s))
		return nil, false
	}
	if text, ok := n.(*ast.StringNode); ok && len(s.OneOf) > 0 && len(branch.Enum) > 0 && !slices.Contains(enum(branch), text.Value) {
		ps.Add(strictyaml.Start(n), field, "unknown value %s (want %s)", quote(text.Value), want(s))
		return nil, false
	}
	switch branch.Type {
	case "object":
		return ps.object(n, branch, field)
	case "array":
		return ps.array(n.(*ast.SequenceNode), branch, field)
	case "string":
		return ps.string(n, branch, field)
	case "boolean":
		return n.(*ast.BoolNode).Value, true
	}
	return ps.number(n, branch, field)
}

// pick is the schema, or the one of its alternatives that has the node's kind.
func pick(n ast.Node, s *jsonschema.Schema) (*jsonschema.Schema, bool) {
	for _, alt := range s.OneOf {
		if fits(n, alt) {
			return alt, true
		}
	}
	return s, len(s.OneOf) == 0 && fits(n, s)
}

// fits compares kinds alone. Every unquoted scalar that JSON would write as a
// number is a number; so 1e3 means the same as in JSON.
func fits(n ast.Node, s *jsonschema.Schema) bool {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return s.Type == "object"
	case *ast.SequenceNode:
		return s.Type == "array"
	case *ast.LiteralNode:
		return s.Type == "string"
	case *ast.BoolNode:
		return s.Type == "boolean" && (n.Token.Value == "true" || n.Token.Value == "false") // as JSON writes them
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode:
		if strictyaml.Numeric(n) {
			return s.Type == "number" || s.Type == "integer"
		}
		_, text := strictyaml.Text(n)
		return text && s.Type == "string"
	}
	return false
}

// object reads a mapping. A problem in one key leaves the others readable.
func (ps *problems) object(n ast.Node, s *jsonschema.Schema, field string) (any, bool) {
	out := make(map[string]any)
	seen := make(map[string]strictyaml.Place)
	for _, entry := range strictyaml.Entries(n) {
		key, at := strictyaml.Key(entry), strictyaml.Start(entry.Key)
		if first, twice := seen[key]; twice {
			ps.Add(at, join(field, key), "is set twice (the first time in line %d)", first.Line)
			continue
		}
		seen[key] = at
		value, ok := ps.property(s, field, key, at)
		if !ok {
			continue
		}
		ps.places[join(field, key)] = at
		if entry.Value.GetToken().Type == token.ImplicitNullType {
			ps.Add(at, join(field, key), "is empty (want %s)", want(value))
			continue
		}
		if v, ok := ps.walk(entry.Value, value, join(field, key)); ok {
			out[key] = v
		}
	}
	for _, key := range s.Required {
		if _, ok := seen[key]; !ok {
			ps.Add(strictyaml.Start(n), join(field, key), "is missing (want %s)", want(property(s, key)))
		}
	}
	if s.MinProperties != nil && len(seen) < int(*s.MinProperties) {
		ps.Add(strictyaml.Start(n), field, "is empty (want at least one)")
	}
	return out, true
}

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}

func property(s *jsonschema.Schema, key string) *jsonschema.Schema {
	if s.Properties == nil {
		return nil
	}
	p, _ := s.Properties.Get(key)
	return p
}

// property is the schema of a key's value. A key that is not known is a problem.
func (ps *problems) property(s *jsonschema.Schema, field, key string, at strictyaml.Place) (*jsonschema.Schema, bool) {
	if p := property(s, key); p != nil {
		return p, true
	}
	if s.PropertyNames != nil {
		return s.AdditionalProperties, ps.checkText(key, s.PropertyNames, join(field, key), at)
	}
	var names []string
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		names = append(names, p.Key)
	}
	ps.Add(at, field, "unknown key %s (%s)", quote(key), strictyaml.Wanted(key, names))
	return nil, false
}

// array reads a list. A problem in one element leaves a gap that keeps the
// others at their places.
func (ps *problems) array(n *ast.SequenceNode, s *jsonschema.Schema, field string) (any, bool) {
	out := make([]any, 0, len(n.Values))
	seen := make(map[string]bool)
	for i, value := range n.Values {
		at := fmt.Sprintf("%s[%d]", field, i)
		v, _ := ps.walk(value, s.Items, at)
		if text, ok := v.(string); ok && s.UniqueItems {
			if seen[text] {
				ps.field(at, "%s stands twice in the list", quote(text))
			}
			seen[text] = true
		}
		out = append(out, v)
	}
	if s.MinItems != nil && len(out) < int(*s.MinItems) {
		ps.Add(strictyaml.Start(n), field, "is an empty list (want at least one)")
	}
	return out, true
}
