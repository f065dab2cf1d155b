package benchmark

import (
	"slices"
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"github.com/uplift-eval/uplift/internal/strictyaml"
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
		ps.add(strictyaml.Start(root).Line, "", "%s (want a list of tasks, or a mapping with tasks)", strictyaml.Kind(root))
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
	h.line = strictyaml.Start(root).Line
	for _, entry := range strictyaml.Entries(root) {
		key, at := strictyaml.Key(entry), strictyaml.Start(entry.Key).Line
		v := yamlValue(entry.Value, at)
		switch {
		case seen[key]:
			ps.add(at, key, "is set twice")
		case key == "tasks":
			list, ok := entry.Value.(*ast.SequenceNode)
			if !ok {
				ps.add(at, key, "%s (want a list of tasks)", strictyaml.Kind(entry.Value))
			} else {
				h.children = list.Values
			}
		case key == "canary":
			if v.form != text || refuseText(v.text) != "" {
				ps.add(at, key, "%s (want a text)", strictyaml.Kind(entry.Value))
			}
			h.canary = v.text
		case slices.Contains(headed, key):
			h.values[key] = v
		default:
			names := append(slices.Clone(headed), "canary", "tasks")
			ps.add(at, "", "unknown key %s (%s)", quote(key), strictyaml.Wanted(key, names))
		}
		seen[key] = true
	}
	if !seen["tasks"] {
		ps.add(h.line, "tasks", "is missing (want a list of tasks)")
	}
}

// row reads one task; what it leaves out is the header's.
func (h *header) row(n ast.Node, ps *problems) (row, bool) {
	r := row{line: strictyaml.Start(n).Line}
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
	default:
		ps.add(r.line, "", "%s (want a task: a mapping of id, ask, ...)", strictyaml.Kind(n))
		return r, false
	}
	for _, entry := range strictyaml.Entries(n) {
		key, at := strictyaml.Key(entry), strictyaml.Start(entry.Key).Line
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
	v := value{line: line, form: other, says: strictyaml.Kind(n)}
	if l, ok := n.(*ast.SequenceNode); ok {
		for _, item := range l.Values {
			s, ok := strictyaml.Text(item)
			if !ok {
				v.says = "holds an entry that " + strictyaml.Kind(item)
				return v
			}
			v.list = append(v.list, s)
		}
		v.form = list
		return v
	}
	if s, ok := strictyaml.Text(n); ok {
		v.form, v.text = text, s
	} else if i, err := strconv.Atoi(n.GetToken().Value); err == nil && i >= 1 && i <= maxVersion {
		v.form, v.n = whole, i
	}
	return v
}
