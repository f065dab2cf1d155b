package lint

import "strings"

// addresses looks for what H6 names in what a model wrote.
func (s *signals) addresses(text string) {
	s.every("URL", text, linkAt)
	s.every("e-mail", text, mailAt)
	if !strings.ContainsAny(text, "0123456789") {
		return
	}
	s.every("price", text, priceAt)
	s.every("phone number", text, phoneAt)
	s.every("catalogue number", text, catalogueAt)
}

// every adds what is found, and looks on behind it.
func (s *signals) every(class, text string, find func(string) int) {
	for from := 0; from < len(text); {
		at := find(text[from:])
		if at < 0 {
			return
		}
		s.add("H6", class, from+at)
		from += at + addressBytes
	}
}

// addressBytes is how far behind an address the next is looked for.
const addressBytes = 16

// linkAt finds an address on the web.
func linkAt(text string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			break
		}
		i += from
		from = i + 3
		scheme := strings.ToLower(text[max(0, i-5):i])
		if from < len(text) && text[from] > ' ' && (strings.HasSuffix(scheme, "http") || strings.HasSuffix(scheme, "https") || strings.HasSuffix(scheme, "ftp")) {
			return i
		}
	}
	for from := 0; ; {
		i := strings.Index(text[from:], "www.")
		if i < 0 {
			return -1
		}
		i += from
		from = i + 4
		if from < len(text) && text[from] > ' ' && (i == 0 || !alnum(text[i-1])) {
			return i
		}
	}
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// mailAt finds name@host.domain.
func mailAt(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '@')
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		end, dot := from, false
		for end < len(text) && end < from+128 && (alnum(text[end]) || text[end] == '-' || text[end] == '.') {
			dot = dot || text[end] == '.' && end > from && end+1 < len(text) && alnum(text[end+1])
			end++
		}
		if i > 0 && alnum(text[i-1]) && dot {
			return i
		}
		from = max(from, end)
	}
}

// priceAt finds a sign of currency beside a digit.
func priceAt(text string) int {
	for from := 0; ; {
		i := strings.IndexAny(text[from:], "$€£¥₹₽")
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		for from < len(text) && text[from]&0xc0 == 0x80 {
			from++
		}
		after := strings.TrimPrefix(text[from:min(len(text), from+2)], " ")
		before := strings.TrimSuffix(text[max(0, i-2):i], " ")
		if after != "" && after[0] >= '0' && after[0] <= '9' || text[i] != '$' && before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9' {
			return i
		}
	}
}

// longPhone is the longest run of a telephone number's characters.
const longPhone = 40

// phoneAt looks into runs of digits and the marks between them.
func phoneAt(text string) int {
	for i := 0; i < len(text); i++ {
		if !phoneByte[text[i]] || text[i] == ' ' {
			continue
		}
		j, digits := i, 0
		for j < len(text) && phoneByte[text[j]] {
			if text[j] >= '0' && text[j] <= '9' {
				digits++
			}
			j++
		}
		if digits >= 7 {
			if at := phoneShape.FindStringIndex(text[i:min(j, i+longPhone)]); at != nil {
				return i + at[0]
			}
		}
		i = j
	}
	return -1
}

var phoneByte = func() (t [256]bool) {
	for _, c := range "0123456789+() .-" {
		t[c] = true
	}
	return t
}()

// catalogueAt looks about "cat".
func catalogueAt(text string) int {
	for from := 0; ; {
		i := strings.IndexAny(text[from:], "cC")
		if i < 0 {
			return -1
		}
		i += from
		from = i + 1
		if i+3 <= len(text) && strings.EqualFold(text[i:i+3], "cat") && (i == 0 || !alnum(text[i-1])) &&
			catalogueShape.MatchString(strings.ToValidUTF8(text[i:min(len(text), i+48)], " ")) {
			return i
		}
	}
}
