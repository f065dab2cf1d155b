package fakeprovider

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// reply is an answer before a form writes it.
type reply struct {
	id        string // drawn from request and attempt
	text      string
	fault     Fault
	tokensIn  int
	tokensOut int
}

// replyTo makes the answer to a request. script is its text, when one says it.
func (o Options) replyTo(a ask, f Fault, id, script string) reply {
	text := script
	if text == "" {
		text = textOf(a.seed)
	}
	r := reply{id: id, fault: f, tokensIn: tokens(a.input) + 3}
	switch f {
	case Huge:
		text = huge(text, o.Huge)
	case Refusal:
		text = declined
	case PromptBlock, NoChoices:
		text = ""
	case OutputFilter, TokenLimit:
		text = head(text, len(text)/2)
	}
	if a.limit > 0 && tokens(len(text)) > a.limit && f != Huge && f != Refusal && f != OutputFilter {
		text, r.fault = head(text, 4*a.limit), TokenLimit
	}
	r.text, r.tokensOut = text, tokens(len(text))
	return r
}

// huge repeats a text until it has n bytes, 8 MiB where n is 0.
func huge(text string, n int) string {
	if n == 0 {
		n = 8 << 20
	}
	return head(string(bytes.Repeat([]byte(text+"\n"), n/(len(text)+1)+1)), n)
}

// head is the beginning of a text, at most n bytes, whole runes.
func head(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// pieces cuts a text for a stream: 5 to 48 bytes at a time, or what gives a
// thousand pieces where that is more.
func pieces(text string, g source) []string {
	var list []string
	least := max(5, len(text)/1000)
	for text != "" {
		p := head(text, least+g.below(44))
		if p == "" { // never: least is above the longest rune
			p = text
		}
		list, text = append(list, p), text[len(p):]
	}
	return list
}

// appendString writes a JSON string. Plain ASCII, which is nearly all there is,
// is written by hand.
func appendString(b []byte, s string) []byte {
	start := len(b)
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c > '~':
			enc, _ := json.Marshal(s) // a string always encodes
			return append(b[:start], enc...)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// line writes a JSON template: each ? outside of quotes is filled by the next
// argument: a string is quoted, an int written, and raw bytes stand as they are.
func line(b []byte, template string, args ...any) []byte {
	n := 0
	for i := 0; i < len(template); i++ {
		if template[i] != '?' {
			b = append(b, template[i])
			continue
		}
		switch v := args[n].(type) {
		case string:
			b = appendString(b, v)
		case int:
			b = strconv.AppendInt(b, int64(v), 10)
		case []byte:
			b = append(b, v...)
		}
		n++
	}
	return b
}
