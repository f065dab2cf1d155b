package benchmark

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"
)

// The bounds keep the parser fast: its time grows with the square of the depth
// and of the keys of one mapping (60,000 keys take 17 s, 250,000 tokens of
// tasks half a second). A task has 16 keys, and about 40 words and signs.
const (
	maxYAML   = 8 << 20
	maxTokens = 250_000
	maxDepth  = 8
	maxKeys   = 200
)

// header is what the head of a YAML file says of all of its tasks.
type header struct {
	line     int
	canary   string
	values   map[string]value // what a task has that does not say otherwise
	children []ast.Node
}

// headed are the fields that a header may set for all tasks.
var headed = []string{"family", "tier", "expected", "split"}

// yamlTasks reads a list of tasks, or a mapping of what they share and tasks.
func yamlTasks(data []byte, ps *problems) (header, []row) {
	h := header{values: map[string]value{}}
	root, ok := tree(data, ps)
	if !ok {
		return h, nil
	}
	switch root := root.(type) {
	case *ast.SequenceNode:
		h.children = root.Values
	case *ast.MappingNode, *ast.MappingValueNode:
		h.read(root, ps)
	default:
		ps.add(lineOf(root), "", "%s (want a list of tasks, or a mapping with tasks)", kind(root))
	}
	var rows []row
	for _, n := range h.children {
		if r, ok := h.row(n, ps); ok {
			rows = append(rows, r)
		}
	}
	return h, rows
}

// read reads the mapping around the tasks.
func (h *header) read(root ast.Node, ps *problems) {
	seen := map[string]bool{}
	h.line = lineOf(root)
	for _, entry := range entries(root) {
		key, at := keyOf(entry), lineOf(entry.Key)
		v := yamlValue(entry.Value, at)
		switch {
		case seen[key]:
			ps.add(at, key, "is set twice")
		case key == "tasks":
			list, ok := entry.Value.(*ast.SequenceNode)
			if !ok {
				ps.add(at, key, "%s (want a list of tasks)", kind(entry.Value))
			} else {
				h.children = list.Values
			}
		case key == "canary":
			if v.form != text || refuseText(v.text) != "" {
				ps.add(at, key, "%s (want a text)", kind(entry.Value))
			}
			h.canary = v.text
		case slices.Contains(headed, key):
			h.values[key] = v
		default:
			names := append(slices.Clone(headed), "canary", "tasks")
			ps.add(at, "", "unknown key %s (%s)", quote(key), wanted(key, names))
		}
		seen[key] = true
	}
	if !seen["tasks"] {
		ps.add(h.line, "tasks", "is missing (want a list of tasks)")
	}
}

// row reads one task; what it leaves out is the header's.
func (h *header) row(n ast.Node, ps *problems) (row, bool) {
	r := row{line: lineOf(n)}
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		ps.add(r.line, "", "%s (want a task: a mapping of id, ask, ...)", kind(n))
		return r, false
	}
	for _, entry := range entries(n) {
		key, at := keyOf(entry), lineOf(entry.Key)
		if !r.set(key, yamlValue(entry.Value, at)) {
			ps.add(at, key, "is set twice")
		}
	}
	for _, key := range headed {
		if v, ok := h.values[key]; ok {
			r.set(key, v)
		}
	}
	return r, true
}

// yamlValue sorts a node by its form.
func yamlValue(n ast.Node, line int) value {
	v := value{line: line, form: other, says: kind(n)}
	if l, ok := n.(*ast.SequenceNode); ok {
		for _, item := range l.Values {
			s, ok := textOf(item)
			if !ok {
				v.says = "holds an entry that " + kind(item)
				return v
			}
			v.list = append(v.list, s)
		}
		v.form = list
		return v
	}
	if s, ok := textOf(n); ok {
		v.form, v.text = text, s
	} else if i, err := strconv.Atoi(n.GetToken().Value); err == nil && i >= 1 && i <= maxVersion {
		v.form, v.n = whole, i
	}
	return v
}

var number = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// textOf is a text; what another reader of YAML would take for a number is none.
func textOf(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.StringNode:
		t := n.GetToken()
		quoted := t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
		return n.Value, quoted || !number.MatchString(n.Value)
	}
	return "", false
}

// kind says what a node is, in a sentence without a subject.
func kind(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "is a mapping"
	case *ast.SequenceNode:
		return "is a list"
	case *ast.NullNode:
		return "is empty"
	case *ast.LiteralNode:
		return "is a text"
	case *ast.BoolNode:
		return "is " + n.Token.Value
	case *ast.StringNode:
		if _, ok := textOf(n); ok {
			return "is the text " + quote(n.Value)
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
	default:
		return "cannot be read"
	}
	return "is the number " + n.GetToken().Value
}

func entries(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

func keyOf(entry *ast.MappingValueNode) string {
	if s, ok := entry.Key.(*ast.StringNode); ok {
		return s.Value
	}
	return entry.Key.GetToken().Value
}

// lineOf is where a node begins; the token of a block mapping is its first
// colon, so its first key stands in.
func lineOf(n ast.Node) int {
	if list := entries(n); len(list) > 0 {
		n = list[0].Key
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// tree parses the text. What two readers of YAML could take differently, and
// what a reader would have to expand, is a problem.
func tree(data []byte, ps *problems) (ast.Node, bool) {
	if len(data) > maxYAML {
		ps.add(0, "", "is larger than %d MB (want JSON Lines for so many tasks)", maxYAML>>20)
		return nil, false
	}
	tokens, ok := tokenize(strings.ReplaceAll(string(data), "\r\n", "\n"), ps)
	if !ok || !simple(tokens, ps) {
		return nil, false
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		line, what := syntax(err)
		ps.add(line, "", "is not YAML: %s", what)
		return nil, false
	}
	for i, doc := range file.Docs {
		if i > 0 && doc.Start != nil {
			ps.add(doc.Start.Position.Line, "", "a second document begins here (want one)")
			return nil, false
		}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		ps.add(0, "", "is empty (want tasks)")
		return nil, false
	}
	return file.Docs[0].Body, true
}

func tokenize(src string, ps *problems) (token.Tokens, bool) {
	var s scanner.Scanner
	s.Init(src)
	var tokens token.Tokens
	for {
		some, err := s.Scan()
		if err == io.EOF { // another error comes with a token that the parser reports
			return tokens, true
		}
		tokens.Add(some...)
		if len(tokens) > maxTokens {
			ps.add(tokens[maxTokens].Position.Line, "", "has more than %d words and signs up to here (want JSON Lines for so many tasks)", maxTokens)
			return nil, false
		}
	}
}

// simple refuses anchors, aliases, tags, directives, deep nesting and mappings
// of very many keys; false means that the parser is not to see it.
func simple(tokens token.Tokens, ps *problems) bool {
	ok, flow, line, entered, keys := true, 0, 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, entered = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingValueType:
			keys++
		case token.SequenceStartType, token.MappingStartType:
			flow++
			keys = 0
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			entered++
			keys = 0
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			ps.add(line, "", "anchors and aliases are not read (want the value itself)")
			ok = false
		case token.TagType, token.DirectiveType:
			ps.add(line, "", "tags and directives are not read (want a plain value)")
			ok = false
		}
		if flow > maxDepth || entered > maxDepth || t.Position.IndentNum > 16*maxDepth {
			ps.add(line, "", "is nested too deeply (want at most %d levels)", maxDepth)
			return false
		}
		if keys > maxKeys {
			ps.add(line, "", "has more than %d keys in one mapping (want a task's fields)", maxKeys)
			return false
		}
	}
	return ok
}

// syntax is where the parser stumbled, and over what.
func syntax(err error) (line int, what string) {
	var where yaml.Error
	if !errors.As(err, &where) || where.GetToken() == nil {
		return 0, err.Error()
	}
	what = where.GetMessage()
	if strings.HasPrefix(what, "found character '\t'") {
		what = "a tab indents this line (want spaces)"
	}
	return where.GetToken().Position.Line, what
}
