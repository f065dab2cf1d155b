package report

import (
	"slices"
	"strings"
	"unicode"
)

// piece is a run of words that both texts have, or only the old, or only the new.
type piece struct {
	In   inText
	Text string
}

type inText int

const (
	inBoth inText = iota
	inOld
	inNew
)

// Kept, Gone and Come are for the page.
func (p piece) Kept() bool { return p.In == inBoth }
func (p piece) Gone() bool { return p.In == inOld }
func (p piece) Come() bool { return p.In == inNew }

// maxWordPairs is the most pairs of words that are compared: 32 MB. Beyond it
// what lies between the first and the last difference is given as replaced.
const maxWordPairs = 8 << 20

// wordDiff gives both texts as one run of pieces: those of both and of the old
// are the old text, those of both and of the new the new one. It is the longest
// common sequence of words and of the spaces between them.
func wordDiff(old, new string) []piece {
	a, b := wordsOf(old), wordsOf(new)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	d := &differ{}
	d.add(inBoth, a[:head]...)
	d.between(a[head:len(a)-tail], b[head:len(b)-tail])
	d.add(inBoth, a[len(a)-tail:]...)
	return merged(d.out)
}

// differ joins pieces; what is gone stands before what has come.
type differ struct {
	out []piece
}

func (d *differ) add(in inText, words ...string) {
	if len(words) == 0 {
		return
	}
	text := strings.Join(words, "")
	if n := len(d.out); n > 0 && d.out[n-1].In == in {
		d.out[n-1].Text += text
		return
	}
	d.out = append(d.out, piece{in, text})
}

func (d *differ) between(a, b []string) {
	if len(a)*len(b) > maxWordPairs {
		d.add(inOld, a...)
		d.add(inNew, b...)
		return
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // the longest common sequence of the ends from i and j on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var gone, come []string
	flush := func() {
		d.add(inOld, gone...)
		d.add(inNew, come...)
		gone, come = nil, nil
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			flush()
			start := i
			for i < len(a) && j < len(b) && a[i] == b[j] {
				i, j = i+1, j+1
			}
			d.add(inBoth, a[start:i]...)
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			gone = append(gone, a[i])
			i++
		default:
			come = append(come, b[j])
			j++
		}
	}
	flush()
}

// merged takes a short run of both texts between two longer changes for changed
// as well: a sentence that is replaced reads as one, not as a word here and
// there that it happens to share.
func merged(pieces []piece) []piece {
	for i := 1; i+1 < len(pieces); i++ {
		kept := pieces[i]
		if kept.In != inBoth || len(kept.Text) > changedBefore(pieces, i) || len(kept.Text) > changedAfter(pieces, i) {
			continue
		}
		from, to := i, i
		for from > 0 && pieces[from-1].In != inBoth {
			from--
		}
		for to+1 < len(pieces) && pieces[to+1].In != inBoth {
			to++
		}
		var old, new string
		for _, p := range pieces[from : to+1] {
			if p.In != inNew {
				old += p.Text
			}
			if p.In != inOld {
				new += p.Text
			}
		}
		pieces = slices.Replace(pieces, from, to+1, piece{inOld, old}, piece{inNew, new})
		i = max(from-1, 0)
	}
	return pieces
}

// changedBefore is the longer side of the change that ends at a place, and
// changedAfter that of the one that begins after it.
func changedBefore(pieces []piece, at int) int {
	most := 0
	for i := at - 1; i >= 0 && pieces[i].In != inBoth; i-- {
		most = max(most, len(pieces[i].Text))
	}
	return most
}

func changedAfter(pieces []piece, at int) int {
	most := 0
	for i := at + 1; i < len(pieces) && pieces[i].In != inBoth; i++ {
		most = max(most, len(pieces[i].Text))
	}
	return most
}

// wordsOf cuts a text before each run of spaces and before each word, so that
// the parts joined are the text. Han, kana and hangul stand alone.
func wordsOf(s string) []string {
	var out []string
	start, before := 0, kindNone
	for i, r := range s {
		kind := kindWord
		switch {
		case unicode.IsSpace(r):
			kind = kindSpace
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			kind = kindAlone
		}
		if i > 0 && (kind != before || kind == kindAlone) {
			out = append(out, s[start:i])
			start = i
		}
		before = kind
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

const (
	kindNone = iota
	kindWord
	kindSpace
	kindAlone
)

// marked is a diff in one text: what is gone as [-this-], what has come as {+this+}.
func marked(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		switch p.In {
		case inOld:
			b.WriteString("[-" + p.Text + "-]")
		case inNew:
			b.WriteString("{+" + p.Text + "+}")
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
