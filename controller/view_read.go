package controller

import (
	"slices"
	"unicode/utf8"
)

// maxMarks is how many marks of one letter are seen. No language stacks more;
// the bound keeps the work linear when a text piles them up.
const maxMarks = 8

// reader writes the view of a text to out. With tracks it also writes, for each
// byte, the bounds in the text of the character that it stands for.
type reader struct {
	out      []byte
	begin    int // of this text in out
	base     int // of this text in from and to
	tracks   bool
	from, to []int32
	at, end  int     // the character that is read
	wide     bool    // a byte outside ASCII was read
	hides    bool    // and one that is not seen, or of full width
	joints   []int32 // where one may stand: more than there are, never fewer

	marks  []int // where the marks of the last letter stand in out
	orders []uint8
	joins  bool // a mark that comes next belongs to the ideograph before the space

	// The word that is read, once it holds a letter outside ASCII.
	inWord    bool
	wordStart int
	alt       []byte // what it looks like
	hasASCII  bool   // it holds an ASCII letter
	hasLook   bool   // it holds a letter that looks like an ASCII one
	hasOther  bool   // it holds anything that does not
	looks     []lookWord
	alts      []byte // the texts of looks
}

// lookWord is a word of the view that looks like another.
type lookWord struct{ word, alt span }

func (r *reader) reset(out []byte, looks []lookWord) {
	if r.tracks {
		out = r.out[:0]
	}
	r.out, r.looks, r.alts = out, looks, r.alts[:0]
	r.tracks, r.joins, r.inWord, r.wide, r.hides = false, false, false, false, false
	r.marks, r.orders, r.joints = r.marks[:0], r.orders[:0], r.joints[:0]
}

// read appends the view of src to out.
func (r *reader) read(src []byte) {
	r.begin, r.base = len(r.out), len(r.from)
	r.at, r.end = 0, 0
	r.put(' ')
	for i := 0; i < len(src); {
		c := src[i]
		if t := plainOf[c]; t < 0x80 {
			if !r.inWord && i+1 < len(src) && src[i+1] < utf8.RuneSelf {
				if r.tracks {
					i = r.trackASCII(src, i)
				} else {
					i = r.ascii(src, i)
				}
				continue
			}
			if t == ' ' && mayJoin[c] {
				r.joint(src, i)
			}
			r.at, r.end = i, i+1
			r.simple(t)
			i++
			continue
		}
		i += r.other(src, i)
	}
	r.finish()
	r.space()
}

// other reads the character at i, which is not simple, and returns its size.
func (r *reader) other(src []byte, i int) int {
	c, size := rune(src[i]), 1
	if c >= utf8.RuneSelf {
		c, size = character(src[i:])
		r.wide = true
	}
	r.at, r.end = i, i+size
	role := roleIn(c)
	if role == roleUnseen {
		if formOf(c)&formMark == 0 {
			r.hides = true
			if i > 0 && mayEnd(src[i-1]) {
				r.joints = append(r.joints, int32(i))
			}
		}
		if r.tracks {
			r.cover()
		}
		return size
	}
	if role == roleSpace && c != '\u2019' && i > 0 && mayEnd(src[i-1]) {
		r.joints = append(r.joints, int32(i))
	}
	r.rune(c, lookUp(c))
	return size
}

// mayEnd reports whether a letter may end with a byte.
func mayEnd(c byte) bool { return c >= utf8.RuneSelf || letter[c] }

// character is [utf8.DecodeRune], sooner done for runes of two and three bytes.
func character(b []byte) (rune, int) {
	if len(b) >= 3 {
		switch c := b[0]; {
		case 0xc2 <= c && c < 0xe0 && b[1]&0xc0 == 0x80:
			return rune(c&0x1f)<<6 | rune(b[1]&0x3f), 2
		case c&0xf0 == 0xe0 && b[1]&0xc0 == 0x80 && b[2]&0xc0 == 0x80:
			if r := rune(c&0x0f)<<12 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f); r >= 0x0800 && r&^0x7ff != 0xd800 {
				return r, 3
			}
		}
	}
	return utf8.DecodeRune(b)
}

// step reads one rune.
func (r *reader) step(c rune) {
	if c < utf8.RuneSelf && plainOf[c] < 0x80 {
		r.simple(plainOf[c])
		return
	}
	r.rune(c, lookUp(c))
}

// rune reads one that is not simple.
func (r *reader) rune(c rune, e entry) {
	r.hides = r.hides || fullWidth(c)
	if e.role == roleUnseen {
		r.cover()
		return
	}
	if e.role != roleMark {
		r.marks, r.orders = r.marks[:0], r.orders[:0]
	}
	switch e.role {
	case roleSpace:
		r.joins = false
		r.finish()
		r.space()
	case roleLetter:
		r.joins = false
		r.letter(c, e)
	case roleIdeograph:
		r.finish()
		r.space()
		r.write(c, e.plain)
		r.put(' ')
		r.joins = true
	case roleMark:
		r.mark(c, e)
	case roleBarrier:
		r.joins = false
		r.finish()
		r.space()
		r.put(turnBreak)
		r.put(' ')
	case roleSpelt:
		for _, c := range e.plain {
			r.step(c)
		}
	case roleSyllable:
		r.joins = false
		r.syllable(c - hangulFirst)
	}
}

// simple reads a byte of ASCII, given by its view.
func (r *reader) simple(t byte) {
	r.joins = false
	r.marks, r.orders = r.marks[:0], r.orders[:0]
	if t == ' ' {
		r.finish()
		r.space()
		return
	}
	r.put(t)
	if r.inWord {
		r.alt = append(r.alt, t)
		r.hasASCII = r.hasASCII || t >= 'a'
	}
}

func (r *reader) letter(c rune, e entry) {
	if e.plain != "" && e.plain[0] < utf8.RuneSelf {
		r.simple(e.plain[0])
		return
	}
	r.enter()
	r.write(c, e.plain)
	r.alt = append(r.alt, e.look...)
	if e.look == "" {
		r.hasOther = true
	} else {
		r.hasLook = true
	}
}

// enter notes that the word holds a letter outside ASCII. What stood before in
// it is ASCII.
func (r *reader) enter() {
	if r.inWord {
		return
	}
	r.inWord, r.hasASCII, r.hasLook, r.hasOther = true, false, false, false
	r.wordStart = len(r.out)
	for r.out[r.wordStart-1] != ' ' {
		r.wordStart--
		r.hasASCII = r.hasASCII || r.out[r.wordStart] >= 'a'
	}
	r.alt = append(r.alt[:0], r.out[r.wordStart:]...)
}

// finish ends a word. One that mixes ASCII letters with others that all look
// like ASCII is read as ASCII. One without any ASCII letter may be a word of its
// own language, and stays; how it looks is noted.
func (r *reader) finish() {
	if !r.inWord {
		return
	}
	r.inWord = false
	switch {
	case !r.hasLook || r.hasOther:
	case r.hasASCII:
		r.out = append(r.out[:r.wordStart], r.alt...)
		if r.tracks {
			r.respan(r.wordStart - r.begin)
		}
	case !r.tracks:
		start := len(r.alts)
		r.alts = append(r.alts, r.alt...)
		r.looks = append(r.looks, lookWord{span{r.wordStart, len(r.out)}, span{start, len(r.alts)}})
	}
}

// mark puts a mark in its place: after the marks of lower or equal order.
func (r *reader) mark(c rune, e entry) {
	if len(r.marks) == maxMarks {
		r.cover()
		return
	}
	if r.joins {
		r.drop(1)
	} else {
		r.enter()
		r.hasOther = true
	}
	r.marks, r.orders = append(r.marks, len(r.out)), append(r.orders, e.order)
	r.write(c, e.plain)
	for i := len(r.marks) - 1; i > 0 && e.order != 0 && r.orders[i-1] > e.order; i-- {
		r.orders[i-1], r.orders[i] = r.orders[i], r.orders[i-1]
		second := len(r.out)
		if i+1 < len(r.marks) {
			second = r.marks[i+1]
		}
		size := second - r.marks[i]
		rotate(r.out[r.marks[i-1]:second], size)
		r.marks[i] = r.marks[i-1] + size
	}
	if r.joins {
		r.put(' ')
	}
}

// rotate brings the last size bytes to the front.
func rotate(b []byte, size int) {
	slices.Reverse(b)
	slices.Reverse(b[:size])
	slices.Reverse(b[size:])
}

// syllable writes the letters of a syllable of Hangul, counted from the first.
func (r *reader) syllable(n rune) {
	r.enter()
	r.hasOther = true
	r.write(0x1100+n/(hangulVowels*hangulEnds), "")
	r.write(0x1161+n/hangulEnds%hangulVowels, "")
	if end := n % hangulEnds; end != 0 {
		r.write(0x11a7+end, "")
	}
}

// space ends a word, unless a space did.
func (r *reader) space() {
	if r.out[len(r.out)-1] != ' ' {
		r.put(' ')
	}
}

func (r *reader) write(c rune, plain string) {
	if plain != "" {
		r.text(plain)
		return
	}
	before := len(r.out)
	r.out = utf8.AppendRune(r.out, c)
	r.track(len(r.out) - before)
}

func (r *reader) text(s string) {
	r.out = append(r.out, s...)
	r.track(len(s))
}

func (r *reader) put(c byte) {
	r.out = append(r.out, c)
	r.track(1)
}

// track notes where the last n bytes come from.
func (r *reader) track(n int) {
	if !r.tracks {
		return
	}
	from, to := r.from, r.to
	for range n {
		from, to = append(from, int32(r.at)), append(to, int32(r.end))
	}
	r.from, r.to = from, to
}

// drop takes the last n bytes back.
func (r *reader) drop(n int) {
	r.out = r.out[:len(r.out)-n]
	if r.tracks {
		r.from, r.to = r.from[:len(r.from)-n], r.to[:len(r.to)-n]
	}
}

// cover lets the letter before take in a character that is not seen.
func (r *reader) cover() {
	last := len(r.to) - 1
	if r.joins {
		last--
	}
	if r.tracks && last >= r.base && (r.joins || r.out[len(r.out)-1] > ' ') {
		r.to[last] = int32(r.end)
	}
}

// respan gives every byte of the word that begins at start the bounds of the
// whole word: its look-alikes may take more bytes or fewer.
func (r *reader) respan(start int) {
	first := r.base + start
	from, to := r.from[first], r.to[len(r.to)-1]
	r.from, r.to = r.from[:first], r.to[:first]
	for range r.alt {
		r.from, r.to = append(r.from, from), append(r.to, to)
	}
}
