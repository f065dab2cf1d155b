package controller

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// block is a line of a draft, or a whole fenced block of code.
type block struct {
	text string // with its line end
	kind kind
}

type kind int

const (
	plainLine kind = iota
	blankLine
	tableRow
	fencedCode
)

// blocksOf cuts a draft into blocks. They joined are the draft.
func blocksOf(draft string) []block {
	var out []block
	fence := ""
	for _, line := range strings.SplitAfter(draft, "\n") {
		if line == "" {
			continue
		}
		bare := strings.TrimSpace(line)
		switch {
		case fence != "":
			out[len(out)-1].text += line
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"):
			fence = bare[:3]
			out = append(out, block{line, fencedCode})
		case bare == "":
			out = append(out, block{line, blankLine})
		case strings.HasPrefix(bare, "|") && strings.Count(bare, "|") > 1:
			out = append(out, block{line, tableRow})
		default:
			out = append(out, block{line, plainLine})
		}
	}
	return out
}

// inside cuts a fenced block into its opening line, its content and its closing
// line, which is empty when the block is not closed.
func (b block) inside() (opening, content, closing string) {
	opening, content, _ = strings.Cut(b.text, "\n")
	if len(b.text) == len(opening) {
		return opening, "", ""
	}
	opening += "\n"
	at := strings.LastIndex(strings.TrimSuffix(content, "\n"), "\n") + 1
	mark := strings.TrimSpace(opening)[:3]
	if last := strings.TrimSpace(content[at:]); strings.HasPrefix(last, mark) && strings.Trim(last, mark[:1]) == "" {
		return opening, content[:at], content[at:]
	}
	return opening, content, ""
}

// sentences cuts a line after each end of a sentence with the white space that
// follows. The pieces joined are the line.
func sentences(line string) []string {
	var out []string
	start, ended := 0, false
	for i, r := range line {
		if ended && !unicode.IsSpace(r) && !closes(r) {
			out = append(out, line[start:i])
			start, ended = i, false
		}
		ended = ended || ends(line, start, i, r)
	}
	if start < len(line) {
		out = append(out, line[start:])
	}
	return out
}

// ends reports whether a sentence ends at the rune: a line end or a full-width
// mark does, another mark when white space or a closing mark follows. The mark
// of a list number belongs to what it counts.
func ends(line string, start, i int, r rune) bool {
	switch r {
	case '\n', '。', '！', '？', '؟', '।':
		return true
	case '.', '!', '?', '…':
		next, size := utf8.DecodeRuneInString(line[i+utf8.RuneLen(r):])
		if size > 0 && !unicode.IsSpace(next) && !closes(next) {
			return false
		}
		return r != '.' || !onlyNumeral(line[start:i]) && !abbreviated(line[start:i])
	}
	return false
}

// abbreviated reports whether a text ends in a word that is cut short before
// the words it belongs to.
func abbreviated(text string) bool {
	word := text[strings.LastIndexAny(text, " \t(")+1:]
	switch strings.ToLower(word) {
	case "dr", "mr", "mrs", "ms", "prof", "st", "e.g", "i.e", "approx", "ca", "vs", "cf", "z.b", "d.h", "bzw", "sra", "p.ej":
		return true
	}
	return false
}

// onlyNumeral reports whether a text is a list number and no more.
func onlyNumeral(text string) bool {
	text = strings.TrimLeft(text, " \t>#-*+•_")
	return text != "" && numeral(text, 0, false) == len(text)
}

// closes reports whether a rune belongs to the sentence before it.
func closes(r rune) bool {
	switch r {
	case '.', '!', '?', '。', '！', '？', '؟', '।', '…', '"', '\'', '’', '”', ')', ']', '»', '）', '〕', '」', '』', '*', '_':
		return true
	}
	return false
}

// space is the white space at the end of a text.
func space(text string) string {
	return text[len(strings.TrimRightFunc(text, unicode.IsSpace)):]
}
