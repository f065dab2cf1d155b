package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var (
	codedShape  = regexp.MustCompile(`[A-Za-z0-9+/_=-]{12,}`)
	hexShape    = regexp.MustCompile(`(?i)\b(?:0x)?[0-9a-f]{8,}\b|\b(?:[0-9a-f]{2}[ :,-]){5,}[0-9a-f]{2}\b`)
	escapeShape = regexp.MustCompile(`(?i)(?:%[0-9a-f]{2}){2,}|(?:\\x[0-9a-f]{2})+|\\u\{?[0-9a-f]{4,6}|&#x?[0-9a-f]+;|\b[01]{8}(?: [01]{8})*\b`)
)

// encodings are ways to write a text so that it is not read (H7): runs of
// base64 or hex digits, escapes, characters that nobody sees, letters in
// compatibility forms, words that mix scripts.
func encodings(text string) []find {
	var out []find
	for _, r := range text {
		switch {
		case invisible(r), r == utf8.RuneError:
			out = append(out, find{"hidden character", fmt.Sprintf("%U", r)})
		case r >= utf8.RuneSelf && wordRune(r) && norm.NFKC.String(string(r)) != norm.NFC.String(string(r)):
			out = append(out, find{"compatibility form", string(r)})
		}
	}
	for word := range spelled(text) {
		if s := scripts(word); len(s) > 1 {
			out = append(out, find{"mixed scripts", word})
		}
	}
	for _, s := range codedShape.FindAllString(text, -1) {
		if coded(s) {
			out = append(out, find{"base64", s})
		}
	}
	if !strings.ContainsAny(text, `0123456789%\&`) {
		return out
	}
	for _, s := range hexShape.FindAllString(text, -1) {
		if strings.ContainsAny(s, "0123456789") {
			out = append(out, find{"hex", s})
		}
	}
	for _, s := range escapeShape.FindAllString(text, -1) {
		out = append(out, find{"escape", s})
	}
	return out
}

// codedPart is the length from which a part of a run is judged alone.
const codedPart = 12

// coded reports whether a run is no word of a text: a part between hyphens,
// lines and slashes is long and mixed; or several are mixed, with digits, and
// they are most of it.
func coded(run string) bool {
	several, bytes := 0, 0
	for part := range strings.FieldsFuncSeq(run, func(r rune) bool { return r == '-' || r == '_' || r == '/' }) {
		if !mixedPart(part) {
			continue
		}
		if len(part) >= codedPart {
			return true
		}
		several++
		bytes += len(part)
	}
	return several > 1 && 4*bytes >= 3*len(run)-4*several && strings.ContainsAny(run, "0123456789")
}

// mixedPart reports capitals and small letters inside a word, letters and
// digits, or signs of base64.
func mixedPart(part string) bool {
	return len(part) > 1 && (part[1:] != strings.ToLower(part[1:]) && part != strings.ToUpper(part) || strings.ContainsAny(part, "0123456789+="))
}

// scripts are the scripts of a word's letters. Marks and digits go with any.
func scripts(word string) []string {
	var out []string
	for _, r := range word {
		if r < utf8.RuneSelf && unicode.IsLetter(r) {
			out = with(out, "Latin")
			continue
		}
		if !unicode.IsLetter(r) {
			continue
		}
		out = with(out, script(r))
	}
	return out
}

func with(list []string, s string) []string {
	for _, l := range list {
		if l == s {
			return list
		}
	}
	return append(list, s)
}

// script names the script of a letter; the scripts that Japanese, Chinese and
// Korean mix by custom are one.
func script(r rune) string {
	for _, s := range common {
		if unicode.Is(s.table, r) {
			return s.name
		}
	}
	for _, name := range sorted(unicode.Scripts) {
		if unicode.Is(unicode.Scripts[name], r) {
			return name
		}
	}
	return "unknown"
}

// common are the scripts that texts mostly hold, looked at first.
var common = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"East Asian", unicode.Han}, {"East Asian", unicode.Hiragana}, {"East Asian", unicode.Katakana},
	{"East Asian", unicode.Hangul}, {"East Asian", unicode.Bopomofo}, {"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek},
	{"Arabic", unicode.Arabic}, {"Devanagari", unicode.Devanagari}, {"Hebrew", unicode.Hebrew}, {"Thai", unicode.Thai},
	{"any", unicode.Common}, {"any", unicode.Inherited},
}
