package lint

import (
	"regexp"
	"strings"
)

var (
	urlShape       = regexp.MustCompile(`(?i)\b(?:https?|ftp)://\S+|\bwww\.\S+|\b[a-z0-9][a-z0-9-]*\.(?:com|org|net|edu|gov|int|info|biz|io|co|uk|de|eu|cn|ru|jp|fr|ch)\b`)
	mailShape      = regexp.MustCompile(`(?i)[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+`)
	phoneShape     = regexp.MustCompile(`\+\d[\d ().-]{6,18}\d|\(\d{2,5}\)[ -]?\d{3,4}[ -]?\d{3,4}|\b\d{3}[-. ]\d{3}[-. ]\d{4}\b|\b0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}\b`)
	currencyShape  = regexp.MustCompile(`[$€£¥₹₽]\s?\d[\d.,]*|\d[\d.,]*\s?[€£¥₹₽]|\b(?:USD|EUR|GBP|CNY|CHF|JPY)\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:USD|EUR|GBP|CNY|CHF|JPY)\b`)
	catalogueShape = regexp.MustCompile(`(?i)\bcat(?:alog(?:ue)?)?\.?[ \t]*(?:no|number|nr|#)\.?[ \t]*:?[ \t]*[a-z0-9-]*\d[a-z0-9-]*`)
	articleShape   = regexp.MustCompile(`\b[A-Z]{1,5}-?\d{3,}(?:[-.][A-Z0-9]+)*\b|\b\d{2,}-[A-Z]{1,4}\d*\b`)
	signShape      = regexp.MustCompile(`[$€£¥₹₽@]`)
)

// addresses are ways to get hold of somebody or something (H6). In a task a
// bare sign is enough.
func addresses(text string) []find {
	var out []find
	digits := strings.ContainsAny(text, "0123456789")
	for _, s := range []struct {
		class  string
		shape  *regexp.Regexp
		digits bool // it has one
	}{{"URL", urlShape, false}, {"e-mail", mailShape, false}, {"phone number", phoneShape, true}, {"price", currencyShape, true},
		{"catalogue number", catalogueShape, true}, {"article number", articleShape, true}, {"sign", signShape, false}} {
		if s.digits && !digits || s.shape == mailShape && !strings.Contains(text, "@") {
			continue
		}
		for _, m := range s.shape.FindAllString(text, -1) {
			out = append(out, find{s.class, m})
		}
	}
	return out
}
