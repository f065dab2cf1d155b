package strictyaml

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

func at(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{}
	}
	return Place{t.Position.Line, t.Position.Column}
}

// Start is where a node begins; the token of a block mapping is its first
// colon, so the first key stands in.
func Start(n ast.Node) Place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return at(m.Values[0].Key.GetToken())
	}
	return at(n.GetToken())
}

// Bare takes a node out of the anchor or tag around it, which [Parse] has named.
func Bare(n ast.Node) ast.Node {
	for {
		switch x := n.(type) {
		case *ast.AnchorNode:
			n = x.Value
		case *ast.TagNode:
			n = x.Value
		default:
			return n
		}
	}
}

// Entries are the pairs of a mapping; nil for another node.
func Entries(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// Key is the key of a pair.
func Key(entry *ast.MappingValueNode) string {
	if s, ok := entry.Key.(*ast.StringNode); ok {
		return s.Value
	}
	return entry.Key.GetToken().Value
}

var number = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Numeric reports whether n is a plain decimal number as JSON writes it.
func Numeric(n ast.Node) bool {
	return unquotedNumber(n) && !strings.HasPrefix(n.GetToken().Value, "+")
}

func unquotedNumber(n ast.Node) bool {
	t := n.GetToken()
	return t.Type != token.SingleQuoteType && t.Type != token.DoubleQuoteType && number.MatchString(t.Value)
}

// Text is the value of a text; what another reader of YAML would take for a
// number is none.
func Text(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.StringNode:
		return n.Value, !unquotedNumber(n)
	}
	return "", false
}

// Kind says what a node is, in a sentence without a subject.
func Kind(n ast.Node) string {
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
		if s, ok := Text(n); ok {
			return "is the text " + Quote(s)
		}
	case *ast.BoolNode:
		return "is " + x.Token.Value
	case *ast.AliasNode:
		return "is an alias"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
	default:
		return "cannot be read"
	}
	if Numeric(n) {
		return "is the number " + n.GetToken().Value
	}
	return "is " + Quote(n.GetToken().Value) + ", no plain decimal number"
}
