package benchmark

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
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
