package benchmark

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// The bounds keep the parser fast: 60,000 keys of one mapping take 17 s,
// 250,000 tokens of tasks half a second. A task has 16 keys, and about 40 words
// and signs.
const (
	maxYAML   = 8 << 20
	maxTokens = 250_000
	maxDepth  = 8
	maxKeys   = 200
)

var bounds = strictyaml.Bounds{
	Tokens: maxTokens, TooLong: fmt.Sprintf("has more than %d words and signs up to here (want JSON Lines for so many tasks)", maxTokens),
	Keys: maxKeys, TooWide: fmt.Sprintf("has more than %d keys in one mapping (want a task's fields)", maxKeys),
	Depth: maxDepth, Empty: "is empty (want tasks)",
}

// tree parses the text. A file with anchors, aliases or tags is not looked at
// any further.
func tree(data []byte, ps *problems) (ast.Node, bool) {
	if len(data) > maxYAML {
		ps.add(0, "", "is larger than %d MB (want JSON Lines for so many tasks)", maxYAML>>20)
		return nil, false
	}
	before := ps.Count()
	root, ok := strictyaml.Parse(strings.ReplaceAll(string(data), "\r\n", "\n"), bounds, &ps.Problems)
	return root, ok && ps.Count() == before
}
