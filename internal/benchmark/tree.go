package benchmark

import (
	"errors"
	"io"
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
