package lint

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of encodings in what a model wrote (H7). Keys, hashes, identifiers and short
// examples are ordinary: a run counts when it decodes to a text of some
// length, or is longer than any key or hash.
const (
	decodedText = 40  // bytes of a text
	longRun     = 256 // digits of base64 or hex
)

// codes looks for runs of base64 and hex digits, and for bytes spelled one by
// one.
func (s *signals) codes(text string) {
	from, link := 0, false
	for i := 0; i <= len(text); i++ {
		if i < len(text) && codeByte[text[i]] {
			continue
		}
		if i-from >= decodedText && !link {
			s.coded(text[from:i], from)
		}
		if i < len(text) {
			link = isLink(text, i, link)
		}
		from = i + 1
	}
	s.spelledBytes(text)
}

// codeByte are the digits of base64 in both alphabets.
var codeByte = func() (t [256]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=" {
		t[c] = true
	}
	return t
}()

// isLink reports whether the characters after i belong to an address on the
// web, given whether those before do.
func isLink(text string, i int, before bool) bool {
	switch text[i] {
	case ' ', '\n', '\t', '\r', '"', '<', '>', ')', '`', '\'':
		return false
	case ':':
		return before || strings.HasPrefix(text[i:], "://")
	}
	return before
}

func (s *signals) coded(run string, at int) {
	plain := strings.TrimRight(run, "=")
	class := ""
	switch {
	case !strings.ContainsAny(plain, "0123456789+/_-ABCDEFGHIJKLMNOPQRSTUVWXYZ") || samey(plain):
	case only(strings.ToUpper(plain), "0123456789ABCDEF"):
		if b, err := hex.DecodeString(plain[:len(plain)/2*2]); len(plain) >= longRun || err == nil && readable(b, decodedText/2) {
			class = "hex"
		}
	default:
		std := strings.NewReplacer("-", "+", "_", "/").Replace(plain)
		if b, err := base64.RawStdEncoding.DecodeString(std[:len(std)/4*4]); err == nil && readable(b, decodedText) || len(plain) >= longRun && dense(plain) {
			class = "base64"
		}
	}
	if class != "" {
		s.add("H7", class, at)
	}
}

// samey reports a run of few different characters, such as a rule.
func samey(run string) bool {
	seen := [256]bool{}
	n := 0
	for i := range len(run) {
		if !seen[run[i]] {
			seen[run[i]] = true
			n++
		}
	}
	return n < 8
}

// dense reports a run that signs part into no words.
func dense(run string) bool {
	signs := strings.Count(run, "-") + strings.Count(run, "_") + strings.Count(run, "/")
	return signs*12 < len(run)
}

// readable reports whether bytes are a text of at least so many bytes: mostly
// letters and blanks.
func readable(b []byte, least int) bool {
	if len(b) < least || !utf8.Valid(b) {
		return false
	}
	letters := 0
	for _, r := range string(b) {
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return letters*10 >= 6*utf8.RuneCount(b)
}

// spelledBytes looks for bytes written one by one in hex, with marks between
// them (48 65, \x48\x65, %48%65), or in binary digits, that make a text.
func (s *signals) spelledBytes(text string) {
	var got []byte
	start, last := 0, 0
	flush := func() {
		if readable(got, decodedText/2) {
			s.add("H7", "spelled bytes", start)
		}
		got = got[:0]
	}
	for i := 0; i < len(text); {
		if !hexByte[text[i]] {
			i++
			continue
		}
		j := i
		for j < len(text) && hexByte[text[j]] {
			j++
		}
		value, ok := byteOf(text[i:j])
		if !ok || len(got) > 0 && !between(text[last:i]) {
			flush()
		}
		if ok {
			if len(got) == 0 {
				start = i
			}
			got = append(got, value)
		}
		last, i = j, j
	}
	flush()
}

var hexByte = func() (t [256]bool) {
	for _, c := range "0123456789abcdefABCDEF" {
		t[c] = true
	}
	return t
}()

// byteOf reads two hex digits or eight binary ones.
func byteOf(s string) (byte, bool) {
	switch len(s) {
	case 2:
		b, err := hex.DecodeString(s)
		return append(b, 0)[0], err == nil
	case 8:
		v := byte(0)
		for i := range len(s) {
			if s[i] != '0' && s[i] != '1' {
				return 0, false
			}
			v = v<<1 | (s[i] - '0')
		}
		return v, true
	}
	return 0, false
}

// between are the marks that part spelled bytes.
func between(s string) bool {
	switch s {
	case " ", "%", `\x`, ":", ", ", ",", "\n", " 0x", ", 0x", ",0x", "-":
		return true
	}
	return false
}

// disguised looks at a word that is not all ASCII: characters that nobody sees
// between Latin letters, and Latin words in which letters of another script
// stand for their likes. Emoji, Arabic and Indic joiners, and what Chinese or
// Russian text mixes by custom are none.
func (s *signals) disguised(word string, at int) {
	runes := []rune(word)
	latin, likes, others, tags := 0, 0, 0, 0
	for i, r := range runes {
		switch {
		case latinLetter(r):
			latin++
		case r >= 0xe0020 && r <= 0xe007f:
			tags++
		case r != '\u00ad' && r != '\ufeff' && invisible(r):
			if i > 0 && i+1 < len(runes) && latinLetter(runes[i-1]) && latinLetter(runes[i+1]) {
				s.add("H7", "hidden character", at)
			}
		case !unicode.IsLetter(r):
		case strings.ContainsRune(lookalikes, r):
			likes++
		default:
			others++
		}
	}
	if latin > 1 && likes > 0 && others == 0 && inner(runes) {
		s.add("H7", "mixed scripts", at)
	}
	if tags > 8 { // a flag has six at most
		s.add("H7", "hidden character", at)
	}
}

func latinLetter(r rune) bool { return unicode.IsLetter(r) && unicode.Is(unicode.Latin, r) }

// lookalikes are letters of Cyrillic, Greek and Armenian that are drawn as
// Latin ones are.
const lookalikes = "авеһіјкӏмпорѕтухԁԛԝАВЕЅІЈКМНОРСТУХԌсьοανιρυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոһ"

// inner reports that a look-alike stands beside a Latin letter of its own case,
// in a word that does not merely begin or end with it: "μm", "βlactam" and
// "TNFα" are ordinary.
func inner(runes []rune) bool {
	first, last := -1, -1
	for i, r := range runes {
		if latinLetter(r) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	for i, r := range runes {
		if !strings.ContainsRune(lookalikes, r) {
			continue
		}
		greek := unicode.Is(unicode.Greek, r)
		if i > first && i < last || !greek && len(runes) > 3 && (i < first && last-first > 1 || i > last && lower(string(runes))) {
			return true
		}
	}
	return false
}
