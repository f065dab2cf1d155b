package controller

import (
	"strings"
	"unicode"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

// act carries out d.Action on the draft. A redaction that removes nothing, or
// after which the text scores no lower, becomes a refusal.
func (c *Controller) act(d *uplift.Decision, draft string) string {
	switch d.Action {
	case uplift.Allow:
		return draft
	case uplift.Warn:
		return c.policy.Texts.Warn + "\n\n" + draft
	case uplift.Redact:
		shown, removed := c.redact(draft)
		if left, _ := score(c.output, c.policy.Output, shown, "output", nil); removed && left < d.OutputScore {
			return shown
		}
		d.Action = uplift.Refuse
	}
	return c.policy.Texts.Refuse
}

// redact puts one notice in place of each run of sentences that hold a cue.
// The white space after a removed sentence stays, so that lists and paragraphs
// keep their shape.
func (c *Controller) redact(draft string) (shown string, removed bool) {
	var b strings.Builder
	noticed := false
	for _, s := range sentences(draft) {
		text := strings.TrimRightFunc(s, unicode.IsSpace)
		switch {
		case text == "":
			b.WriteString(s)
			continue
		case !c.matches(text):
			b.WriteString(s)
			noticed = false
			continue
		case !noticed:
			b.WriteString(c.policy.Texts.Redact)
			b.WriteString(s[len(text):])
		}
		removed, noticed = true, true
	}
	return b.String(), removed
}

func (c *Controller) matches(sentence string) bool {
	hit := false
	s := borrow()
	defer s.release()
	c.output.scan(s.view(sentence).text, func(int, int, int) { hit = true })
	return hit
}

// sentences cuts a text after each end of a sentence or line with the white
// space that follows. The pieces joined are the text.
func sentences(text string) []string {
	var out []string
	start, ended := 0, false
	for i, r := range text {
		if ended && !unicode.IsSpace(r) && !closes(r) {
			out = append(out, text[start:i])
			start, ended = i, false
		}
		ended = ended || ends(text, i, r)
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// ends reports whether a sentence ends at the rune: a line end or a full-width
// mark does, another mark when white space or a closing mark follows.
func ends(text string, i int, r rune) bool {
	switch r {
	case '\n', '。', '！', '？':
		return true
	case '.', '!', '?':
		next, size := utf8.DecodeRuneInString(text[i+1:])
		return size == 0 || unicode.IsSpace(next) || closes(next)
	}
	return false
}

// closes reports whether a rune belongs to the sentence before it.
func closes(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '"', '\'', '’', '”', ')', ']', '»':
		return true
	}
	return false
}
