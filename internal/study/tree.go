package study

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

// maxDepth is how deep collections may nest; a study needs six. The bound keeps
// the parser, whose time grows with the square of the depth, fast.
const maxDepth = 32

// maxTokens is how many words and signs a study may have; one with a hundred
// conditions has 3,000. The parser's time grows with the square of it.
const maxTokens = 20_000

// tree parses the text. What two YAML readers could take differently is a
// problem, and so is what a reader would have to expand.
func tree(src string, ps *problems) (ast.Node, bool) {
	tokens, ok := tokenize(src, ps)
	if !ok || !plain(tokens, ps) {
		return nil, false
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		ps.syntax(err)
		return nil, false
	}
	for i, doc := range file.Docs {
		if i > 0 && doc.Start != nil {
			ps.add(at(doc.Start), "", "a second document begins here (want one)")
			return nil, false
		}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		ps.add(place{}, "", "is empty (want a study: uplift init writes one)")
		return nil, false
	}
	return file.Docs[0].Body, true
}

// tokenize cuts the text into tokens, and stops when there are too many.
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
			ps.add(at(tokens[maxTokens]), "", "has too many keys and values (want at most %d words and signs)", maxTokens)
			return nil, false
		}
	}
}

// plain refuses nesting that is too deep (false: nothing more can be read) and
// names each anchor, alias, tag and directive.
func plain(tokens token.Tokens, ps *problems) bool {
	flow, line, entries := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			entries++
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			ps.add(at(t), "", "anchors and aliases are not read (want the value itself)")
		case token.TagType, token.DirectiveType:
			ps.add(at(t), "", "tags and directives are not read (want a plain value)")
		}
		if flow > maxDepth || entries > maxDepth || t.Position.IndentNum > 16*maxDepth {
			ps.add(at(t), "", "is nested too deeply (want at most %d levels)", maxDepth)
			return false
		}
	}
	return true
}

// syntax adds what the parser stumbled over.
func (ps *problems) syntax(err error) {
	var where yaml.Error
	if !errors.As(err, &where) || where.GetToken() == nil {
		ps.add(place{}, "", "is not YAML: %v", err)
		return
	}
	t, what := where.GetToken(), where.GetMessage()
	if strings.HasPrefix(what, "found character '\t'") {
		what = "a tab indents this line (want spaces)"
	}
	ps.add(at(t), "", "is not YAML: %s", what)
}

func at(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

// start is where a node begins; the token of a block mapping is its first
// colon, so the first key stands in.
func start(n ast.Node) place {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return at(m.Values[0].Key.GetToken())
	}
	return at(n.GetToken())
}
