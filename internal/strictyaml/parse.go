package strictyaml

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

// Bounds are what a kind of file may need, and what is said of one that wants
// more. The parser's time grows with the square of each: of the tokens, of the
// depth and of the keys of one mapping.
type Bounds struct {
	Tokens  int    // words and signs
	TooLong string // said at the first token beyond
	Depth   int    // of collections within each other
	Keys    int    // of one mapping; 0: as many as there are tokens
	TooWide string // said at the first key beyond
	Empty   string // said of a file without a value
}

// Parse takes a text, in UTF-8 with \n at each line's end, to its tree; false
// means that there is none. Anchors, aliases and tags are problems too, but stay
// in the tree, so that a caller can look for more: see [Bare].
func Parse(src string, b Bounds, ps *Problems) (ast.Node, bool) {
	tokens, ok := b.scan(src, ps)
	if !ok || !b.plain(tokens, ps) {
		return nil, false
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		ps.syntax(err)
		return nil, false
	}
	for i, doc := range file.Docs {
		if i > 0 && doc.Start != nil {
			ps.Add(at(doc.Start), "", "a second document begins here (want one)")
			return nil, false
		}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		ps.Add(Place{}, "", "%s", b.Empty)
		return nil, false
	}
	return file.Docs[0].Body, true
}

// scan cuts the text into tokens, and stops when there are too many.
func (b Bounds) scan(src string, ps *Problems) (token.Tokens, bool) {
	var s scanner.Scanner
	s.Init(src)
	var tokens token.Tokens
	for {
		some, err := s.Scan()
		if err == io.EOF { // another error comes with a token that the parser reports
			return tokens, true
		}
		tokens.Add(some...)
		if len(tokens) > b.Tokens {
			ps.Add(at(tokens[b.Tokens]), "", "%s", b.TooLong)
			return nil, false
		}
	}
}

// plain names each anchor, alias, tag and directive. It is false where a
// collection is too deep or too wide: nothing more can be read.
func (b Bounds) plain(tokens token.Tokens, ps *Problems) bool {
	flow, line, entered, keys := 0, 0, 0, 0
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
			ps.Add(at(t), "", "anchors and aliases are not read (want the value itself)")
		case token.TagType, token.DirectiveType:
			ps.Add(at(t), "", "tags and directives are not read (want a plain value)")
		}
		if flow > b.Depth || entered > b.Depth || t.Position.IndentNum > 16*b.Depth {
			ps.Add(at(t), "", "is nested too deeply (want at most %d levels)", b.Depth)
			return false
		}
		if b.Keys > 0 && keys > b.Keys {
			ps.Add(at(t), "", "%s", b.TooWide)
			return false
		}
	}
	return true
}

// syntax adds what the parser stumbled over.
func (ps *Problems) syntax(err error) {
	var where yaml.Error
	if !errors.As(err, &where) || where.GetToken() == nil {
		ps.Add(Place{}, "", "is not YAML: %v", err)
		return
	}
	t, what := where.GetToken(), where.GetMessage()
	if strings.HasPrefix(what, "found character '\t'") {
		what = "a tab indents this line (want spaces)"
	}
	ps.Add(at(t), "", "is not YAML: %s", what)
}
