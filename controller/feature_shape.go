package controller

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// shape is what the form of a text tells in whatever language.
type shape struct {
	steps   int // numbered list items, and numbered parts of a sentence
	amounts int // numbers with a unit
	dense   int // most numbers among any window of words
}

const (
	window     = 20 // words, among which numbers are counted; at most 64
	denseFrom  = 2  // so many numbers are no density yet
	denseSpan  = 8  // so many more are all of it
	stepsFrom  = 1  // one number is no list yet
	stepsSpan  = 4
	perAmount  = 0.04 // what a quantity adds to precision
	allAmounts = 0.12 // what quantities add to it at most: recipes are full of them
)

// stepValue is the value of numbered_steps.
func (s shape) stepValue() float64 { return share(s.steps-stepsFrom, stepsSpan) }

// denseValue is the value of numeric_density.
func (s shape) denseValue() float64 { return share(s.dense-denseFrom, denseSpan) }

// amountValue is what quantities add to the value of precision.
func (s shape) amountValue() float64 { return min(perAmount*float64(s.amounts), allAmounts) }

func share(n, all int) float64 { return min(max(float64(n)/float64(all), 0), 1) }

// shapeOf reads the form of a text in one pass.
func (u *unitTable) shapeOf(text string) shape {
	var s shape
	var last uint64 // the last words, the latest in bit 0: set for numbers
	word := func(number uint64) {
		last = (last<<1 | number) & (1<<window - 1)
	}
	lineStart := true
	for i := 0; i < len(text); {
		if lineStart {
			lineStart = false
			if m := markerOf(text[i:]); m.ordered {
				s.steps++
				i += m.length
				continue
			}
		}
		switch c := text[i]; {
		case c == '\n':
			lineStart = true
			i++
		case c < utf8.RuneSelf && letter[c]:
			for i++; i < len(text) && coded[text[i]]; i++ {
			}
			last = last << 1 & (1<<window - 1)
			for i < len(text) && text[i] == ' ' {
				i++
			}
		case c < utf8.RuneSelf && !('0' <= c && c <= '9'):
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			f := formOf(r)
			switch {
			case f&formNumber != 0:
				end := numberEnd(text, i)
				if inlineStep(text, i, end) {
					s.steps++
				}
				a := u.after(text, end)
				if code := codeEnd(text, end, a.end); code > end {
					word(0)
					i = code
					continue
				}
				if a.end > 0 {
					s.amounts++
				}
				word(1)
				s.dense = max(s.dense, bits.OnesCount64(last))
				i = end
			case f&formUnspaced != 0:
				if f&formNumeral != 0 && u.counted(text, i).end > 0 {
					s.amounts++
				}
				word(0)
				i += size
			case f&formLetter != 0:
				word(0)
				for i += size; i < len(text); i += size {
					r, size = utf8.DecodeRuneInString(text[i:])
					if f := formOf(r); f&(formLetter|formMark|formHidden) == 0 || f&formUnspaced != 0 {
						break
					}
				}
			default:
				if r == '\u2028' || r == '\u2029' || r == '\u0085' {
					lineStart = true
				}
				i += size
			}
		}
	}
	return s
}

// letter tells ASCII letters.
var letter = func() (t [256]bool) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = true, true
	}
	return t
}()

// coded tells ASCII letters and digits.
var coded = func() [256]bool {
	t := letter
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	return t
}()

// numberEnd is the end of the number that begins at i: digits of any script,
// with marks and one range inside; i when there is none.
func numberEnd(text string, i int) int {
	end := i
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case formOf(r)&formNumber != 0:
			end += size
		case end > i && (r == '.' || r == ',' || r == '/' || r == ':' || r == '-' || r == '–' || r == '—' || r == '~' || r == '～' || r == '〜' || r == '\'' || r == '٫' || r == '٬'):
			next, _ := utf8.DecodeRuneInString(text[end+size:])
			if !unicode.IsDigit(next) {
				return end
			}
			end += size
		case end > i && formOf(r)&formHidden != 0:
			end += size
		default:
			return end
		}
	}
	return end
}

// codeEnd is the end of letters and digits that follow a number without a gap,
// as in an encoded run or an identifier, which is no number; end when what
// follows is its unit or a short ending such as that of "3rd".
func codeEnd(text string, end, unit int) int {
	at := end
	for at < len(text) && coded[text[at]] {
		at++
	}
	if at == unit || at-end <= 2 && (at == len(text) || text[at] != '=') {
		return end
	}
	return at
}

// inlineStep reports whether the number counts a part inside a line: "(1)",
// "1) " or "1. " after the end of a clause.
func inlineStep(text string, start, end int) bool {
	if utf8.RuneCountInString(text[start:end]) > 2 || end >= len(text) || start == 0 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, size := utf8.DecodeRuneInString(text[end:])
	switch {
	case (before == '(' || before == '（') && (after == ')' || after == '）'):
		return true
	case before != ' ':
		return false
	case after == ')' || after == '）':
		return true
	case after == '.' && end+size < len(text) && text[end+size] == ' ' && start >= 2:
		switch text[start-2] {
		case '.', ':', ';', ',', '!', '?':
			return true
		}
	}
	return false
}
