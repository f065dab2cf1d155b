package lint

import (
	"regexp"
	"strings"
)

var (
	listShape   = regexp.MustCompile(`(?m)(?:^|\n)[ \t]*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,4})[.)]|[-*•‣–])[ \t]+\S`)
	inlineShape = regexp.MustCompile(`(?:^|\s)\(?(?:1|a|i)\)\s.*\s\(?(?:2|b|ii)\)\s`)
	stepShape   = regexp.MustCompile(`(?i)\b(?:step|stage|phase)s?[ \t]*(?:no\.?|number|#)?[ \t]*(?:\d+|[ivx]{2,}\b|[vx]\b|i[ \t]*(?:[:.,;)]|$)|one\b|two\b|three\b|four\b|five\b|six\b|a\b:|b\b:)`)
	orderShape  = regexp.MustCompile(`(?i)\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|to (?:begin|start) with|to begin|next|then|after that|after this|afterwards|subsequently|following that|finally|lastly|at last|in the end)\b`)
)

// inOrder is the number of connectives of order that make a protocol.
const inOrder = 3

// protocol are the shapes of instructions (H5): a list, a numbered step, three
// connectives of order.
func protocol(text string) []find {
	var out []find
	for _, s := range listShape.FindAllString(text, -1) {
		out = append(out, find{"list", strings.TrimSpace(s)})
	}
	if s := inlineShape.FindString(text); s != "" {
		out = append(out, find{"numbered parts", strings.TrimSpace(s)})
	}
	for _, s := range stepShape.FindAllString(text, -1) {
		out = append(out, find{"numbered step", s})
	}
	if list := orderShape.FindAllString(text, -1); len(list) >= inOrder {
		out = append(out, find{"connectives of order", strings.Join(list, ", ")})
	}
	return out
}
