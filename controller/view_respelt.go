package controller

import "bytes"

// alike adds the part in which words that wholly look like ASCII words are read
// so: "сору" in Cyrillic letters may be a word, or a disguise of "copy". Part
// own has just been read.
func (s *scratch) alike(own int) {
	if len(s.reader.looks) == 0 {
		return
	}
	base := s.v.parts[own]
	p := s.respell(own)
	at := base.start
	for _, l := range s.reader.looks {
		s.copy(p.start, at, l.word.start)
		s.write(p.start, s.reader.alts[l.alt.start:l.alt.end], l.word)
		at = l.word.end
	}
	s.copy(p.start, at, base.end)
	s.spelt(p)
	s.reader.looks = s.reader.looks[:0]
}

// joinTurns adds the texts between the breaks of the original joined, once
// with a space and once without: what one turn begins, the next may end. A
// match that it adds stands in at least two turns. So does what is decoded of
// them joined.
func (s *scratch) joinTurns() {
	for i := range len(s.v.parts) {
		p := s.v.parts[i]
		if p.layer != 0 || bytes.IndexByte(s.v.text[p.start:p.end], turnBreak) < 0 {
			continue
		}
		s.join(i, " ")
		s.join(i, "")
	}
	if n := len(s.v.layers); s.unbroken() {
		s.decode(n)
	}
}

func (s *scratch) join(base int, between string) {
	from := s.v.parts[base]
	p := s.respell(base)
	s.write(p.start, []byte{' '}, span{from.start, from.start + 1})
	last := -1 // end of the turn before
	for at := from.start; at < from.end; {
		end := from.end
		if n := bytes.IndexByte(s.v.text[at:end], turnBreak); n >= 0 {
			end = at + n
		}
		lo, hi := at, end
		for lo < hi && s.v.text[lo] == ' ' {
			lo++
		}
		for lo < hi && s.v.text[hi-1] == ' ' {
			hi--
		}
		if lo < hi {
			if last >= 0 {
				s.write(p.start, []byte(between), span{last, lo})
			}
			s.copy(p.start, lo, hi)
			last = hi
		}
		at = end + 1
	}
	s.write(p.start, []byte{' '}, span{from.end - 1, from.end})
	s.spelt(p)
}

// respell begins a part that spells another one otherwise.
func (s *scratch) respell(base int) part {
	s.begin()
	return part{span: span{start: len(s.v.text)}, layer: s.v.parts[base].layer, base: base, edits: span{start: len(s.v.edits)}}
}

// copy takes [start, end) of the view over.
func (s *scratch) copy(part, start, end int) {
	if start < end {
		s.v.edits = append(s.v.edits, edit{len(s.v.text) - part, span{start, end}, true})
		s.v.text = append(s.v.text, s.v.text[start:end]...)
	}
}

// write puts text in the place of from.
func (s *scratch) write(part int, text []byte, from span) {
	if len(text) > 0 {
		s.v.edits = append(s.v.edits, edit{len(s.v.text) - part, from, false})
		s.v.text = append(s.v.text, text...)
	}
}

func (s *scratch) spelt(p part) {
	p.end, p.edits.end = len(s.v.text), len(s.v.edits)
	s.v.parts = append(s.v.parts, p)
}
