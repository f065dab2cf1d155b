package controller

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// generalise puts a draft into a form of concepts rather than of instructions:
// numbers with units become general words, numbered steps lose their numbers
// and the words that lead from one to the next, and sentences that are specific
// for another reason are left out.
func (r *rules) generalise(draft string, texts Texts) string {
	here := *r
	here.speaks = r.language(draft)
	r = &here
	list := r.steps && r.units.shapeOf(draft).steps > stepsFrom
	var out strings.Builder
	gone := false // the line before was left out, and a blank line stands before it, or nothing
	for _, b := range blocksOf(draft) {
		before := out.Len()
		switch b.kind {
		case blankLine:
			if gone {
				continue
			}
			out.WriteString(b.text)
		case fencedCode:
			opening, content, closing := b.inside()
			if r.specific(content) {
				content = texts.Redact + "\n"
			}
			out.WriteString(opening + content + closing)
		case tableRow:
			if row := r.amounts(b.text); !r.specific(row) {
				out.WriteString(row)
			}
		default:
			out.WriteString(r.generalLine(b.text, list, texts.Element))
		}
		gone = out.Len() == before && (before == 0 || strings.HasSuffix(out.String(), "\n\n"))
	}
	return out.String()
}

// generalLine is one line in general form; empty when nothing of it can stay.
func (r *rules) generalLine(line string, list bool, element string) string {
	m := markerOf(line)
	head := line[:m.length]
	if m.ordered && list {
		head = line[:m.bullet]
		if m.bullet == m.indent {
			head += "- "
		}
		if strings.Contains(head, "#") { // a heading counts parts of a text, not steps
			element = ""
		}
		if head += element; element != "" && !strings.HasSuffix(element, "：") {
			head += " "
		}
	}
	var kept strings.Builder
	for _, s := range sentences(line[m.length:]) {
		if s = r.generalSentence(s); s != "" {
			kept.WriteString(s)
		}
	}
	if strings.TrimSpace(kept.String()) == "" && m.length < len(strings.TrimRightFunc(line, unicode.IsSpace)) {
		return ""
	}
	return head + strings.TrimRightFunc(kept.String(), unicode.IsSpace) + space(line)
}

// generalSentence is a sentence in general form; empty when none is found.
func (r *rules) generalSentence(s string) string {
	if at := r.head(s); at > 0 {
		s = recapitalise(s, at)
	}
	s = r.amounts(s)
	if r.specific(s) {
		return ""
	}
	return s
}

// amounts puts general words in place of the numbers with units.
func (r *rules) amounts(s string) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(s); {
		start, u := i, unit{}
		end := numberEnd(s, i)
		switch {
		case end > i:
			u = r.units.after(s, end)
		default:
			u = r.units.counted(s, i)
			_, size := utf8.DecodeRuneInString(s[i:])
			end = i + size
		}
		if i = end; u.end == 0 {
			continue
		}
		head := rangeStart(s[from:start])
		if noun, ok := bareNoun(s[from:from+head], s[u.end:]); ok {
			out.WriteString(noun)
			from = u.end + 1
			i = from
			continue
		}
		out.WriteString(s[from : from+head])
		say := r.joins[u.in(r.speaks)].say(u.in(r.speaks), s[u.end:])
		if head == 0 && from == 0 && startsUpper(s) {
			say = upperFirst(say)
		}
		if before, ok := strings.CutSuffix(strings.ToLower(s[from:from+head]), "("); !ok && before != "" {
			if last, _ := utf8.DecodeLastRuneInString(before); unicode.IsLetter(last) && !unspaced(last) {
				out.WriteByte(' ')
			}
		}
		out.WriteString(say)
		from, i = u.end, u.end
	}
	out.WriteString(s[from:])
	return out.String()
}

// bareNoun is the text before a quantity that stands between an English article
// and its noun, "a 20 minute walk", with the article that the noun wants alone.
func bareNoun(before, rest string) (string, bool) {
	text, ok := strings.CutSuffix(before, " ")
	if !ok || len(rest) < 2 || rest[0] != ' ' || !letter[rest[1]] {
		return "", false
	}
	at := strings.LastIndexFunc(text, unicode.IsSpace) + 1
	if article := strings.ToLower(text[at:]); article != "a" && article != "an" {
		return "", false
	}
	text = text[:at+1]
	if strings.ContainsRune("aeiouAEIOU", rune(rest[1])) {
		text += "n"
	}
	return text + " ", true
}

// rangeStart is where the number of a range begins at the end of a text, such
// as "20 to "; the length of the text when there is none.
func rangeStart(text string) int {
	word := strings.TrimRight(text, " ")
	joined := strings.TrimRightFunc(word, unicode.IsLetter)
	if len(word)-len(joined) == 0 || utf8.RuneCountInString(word[len(joined):]) > 3 {
		return len(text)
	}
	number := strings.TrimRight(joined, " ")
	start := len(strings.TrimRightFunc(number, func(r rune) bool { return unicode.IsDigit(r) || r == '.' || r == ',' }))
	if last, _ := utf8.DecodeLastRuneInString(number); !unicode.IsDigit(last) {
		return len(text)
	}
	return start - len(between(number[:start]))
}

// between is the word that says that a range follows, at the end of a text.
func between(text string) string {
	for _, word := range []string{"between ", "entre ", "zwischen "} {
		if n := len(text) - len(word); n >= 0 && strings.EqualFold(text[n:], word) && (n == 0 || !letter[text[n-1]]) {
			return text[n:]
		}
	}
	return ""
}

// head is the length of a connective at the head of a sentence with the comma
// and the white space after it; 0 when there is none.
func (r *rules) head(s string) int {
	at := skip(s, 0, func(c rune) bool { return blank(c) || c == '*' || c == '_' || unicode.Is(unicode.Cf, c) })
	rest := s[at:]
	for _, c := range r.connectives {
		if len(rest) < len(c) || !strings.EqualFold(rest[:len(c)], c) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest[len(c):])
		last, _ := utf8.DecodeLastRuneInString(c)
		if !unspaced(last) && (unicode.IsLetter(next) || unicode.IsDigit(next) || unicode.IsMark(next)) {
			continue
		}
		return skip(s, at+len(c), func(c rune) bool { return blank(c) || strings.ContainsRune(",，、:：*_", c) })
	}
	return 0
}

// connectivesOf lists the connectives, the longest first.
func connectivesOf(phrases []sentry) []string {
	var out []string
	for _, p := range phrases {
		if p.connective {
			out = append(out, strings.ToLower(p.words))
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// recapitalise drops the head of a sentence; what follows begins as it did.
func recapitalise(s string, at int) string {
	if startsUpper(s) {
		return upperFirst(s[at:])
	}
	return s[at:]
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " *_"))
	return unicode.IsUpper(r) || unicode.IsDigit(r)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// join is the word that stands between a general amount and what it is of.
type join struct {
	word string
	free []string // words that need none before them
}

func joinsOf(units []Unit) map[string]join {
	out := map[string]join{}
	for _, u := range units {
		out[u.Say] = join{u.Join, u.Free}
	}
	return out
}

// say is the general amount as it stands before the rest of a sentence.
func (j join) say(general, rest string) string {
	if j.word == "" || !strings.HasPrefix(rest, " ") {
		return general
	}
	next := rest[1:]
	next = next[:skip(next, 0, unicode.IsLetter)]
	if next == "" || slices.Contains(j.free, strings.ToLower(next)) {
		return general
	}
	return general + " " + j.word
}
