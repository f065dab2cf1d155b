package lint

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
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

// codes looks for runs of base64, base32 and hex digits, also where single
// blanks or line ends part them, and for bytes spelled one by one.
func (s *signals) codes(text string) {
	from, link := 0, false
	var pieces joined
	for i := 0; i <= len(text); i++ {
		if i < len(text) && codeByte[text[i]] {
			continue
		}
		if i > from && !link {
			if i-from >= decodedText {
				s.coded(text[from:i], from, true)
			}
			pieces.next(s, text, from, i)
		}
		if i < len(text) {
			link = isLink(text, i, link)
		}
		from = i + 1
	}
	pieces.end(s)
	s.spelledBytes(text, hexDigits)
	s.spelledBytes(text, decimalDigits)
}

// joined gathers runs of digits of an encoding that one blank or line end parts.
type joined struct {
	b      strings.Builder
	starts []int // of the pieces in b
	at     int   // of the first in the text
	last   int   // end of the last in the text
}

// longJoined is how much is gathered.
const longJoined = 1 << 16

func (j *joined) next(s *signals, text string, from, to int) {
	piece := text[from:to]
	if j.b.Len() > 0 && (!oneBlank(text[j.last:from]) || j.b.Len() > longJoined) {
		j.end(s)
	}
	if mixedPiece(piece) {
		if j.b.Len() == 0 {
			j.at = from
		}
		j.starts = append(j.starts, j.b.Len())
		j.b.WriteString(piece)
		j.last = to
		return
	}
	if j.b.Len() > 0 && len(piece) > 1 { // perhaps the last piece, perhaps a word
		j.b.WriteString(piece)
	}
	j.end(s)
}

// end looks at what is gathered, from each of its first pieces on: a word may
// stand before them.
func (j *joined) end(s *signals) {
	all := j.b.String()
	for i := 0; i < min(len(j.starts), 3); i++ {
		if run := all[j.starts[i]:]; len(j.starts)-i > 1 && len(run) >= decodedText && s.coded(run, j.at, false) {
			break
		}
	}
	j.b.Reset()
	j.starts = j.starts[:0]
}

func oneBlank(gap string) bool {
	return gap == " " || gap == "\n" || gap == "\r\n" || gap == "\t"
}

// mixedPiece reports a run of some length that is no word: it has a digit, or a
// capital behind its first letter.
func mixedPiece(piece string) bool {
	return len(piece) >= 8 && (strings.ContainsAny(piece, "0123456789+/") || piece[1:] != strings.ToLower(piece[1:]))
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

// coded looks at a run, and reports whether it is an encoding; long says that
// its length alone may tell.
func (s *signals) coded(run string, at int, long bool) bool {
	plain := strings.TrimRight(run, "=")
	class := ""
	switch {
	case !strings.ContainsAny(plain, "0123456789+/_-ABCDEFGHIJKLMNOPQRSTUVWXYZ") || samey(plain):
	case only(strings.ToUpper(plain), "0123456789ABCDEF"):
		if b, err := hex.DecodeString(plain[:len(plain)/2*2]); long && len(plain) >= longRun || err == nil && readable(b, decodedText/2) {
			class = "hex"
		}
	default:
		if b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(plain[:len(plain)/8*8]); err == nil && readable(b, decodedText/2) {
			class = "base32"
			break
		}
		std := strings.NewReplacer("-", "+", "_", "/").Replace(plain)
		if b, err := base64.RawStdEncoding.DecodeString(std[:len(std)/4*4]); err == nil && readable(b, decodedText) || long && len(plain) >= longRun && dense(plain) {
			class = "base64"
		}
	}
	if class != "" {
		s.add("H7", class, at)
	}
	return class != ""
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

// numbering is a way to spell bytes: its digits, how a number is read, and
// what may part numbers.
type numbering struct {
	digits  *[256]bool
	read    func(string) (byte, bool)
	between []string
}

var (
	hexDigits = numbering{digitsOf("0123456789abcdefABCDEF"), byteOf,
		[]string{" ", "%", `\x`, `\u`, ":", ", ", ",", "\n", " 0x", ", 0x", ",0x", "-", ";&#x", "; &#x", ` \x`, ` \u`, "\t", "; "}}
	decimalDigits = numbering{digitsOf("0123456789"), decimalByte,
		[]string{" ", ", ", ",", "\n", ";&#", "; &#", "-", ";", "; ", "\t", "."}}
)

func digitsOf(list string) *[256]bool {
	var t [256]bool
	for i := range len(list) {
		t[list[i]] = true
	}
	return &t
}

// spelledBytes looks for bytes written one by one (48 65, \x48\x65, %48%65,
// \u0048\u0065, &#72;&#101;, 72 101, binary digits) that make a text. Numbers
// that happen to stand for letters are spelled unlike English words.
func (s *signals) spelledBytes(text string, n numbering) {
	var got []byte
	start, last := 0, 0
	flush := func() {
		if readable(got, decodedText/2) && !unlike(string(got)) {
			s.add("H7", "spelled bytes", start)
		}
		got = got[:0]
	}
	for i := 0; i < len(text); {
		if !n.digits[text[i]] {
			i++
			continue
		}
		j := i
		for j < len(text) && n.digits[text[j]] {
			j++
		}
		value, ok := n.read(text[i:j])
		if !ok || len(got) > 0 && !slices.Contains(n.between, text[last:i]) {
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

// byteOf reads two hex digits, four of which the first two are 0, or eight
// binary ones.
func byteOf(s string) (byte, bool) {
	switch len(s) {
	case 4:
		if s[:2] != "00" {
			return 0, false
		}
		return byteOf(s[2:])
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

// decimalByte reads a number from 0 to 255.
func decimalByte(s string) (byte, bool) {
	v, err := strconv.ParseUint(s, 10, 8)
	return byte(v), err == nil && len(s) <= 3
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
