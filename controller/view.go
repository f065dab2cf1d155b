package controller

import (
	"slices"
	"sort"
	"strings"
	"sync"
)

// turnBreak stands between texts that were joined. No cue spans it.
const turnBreak = '\x1f'

// view is what cues are looked for in: compatibility forms, case, accents,
// invisible characters and look-alikes undone, every run of white space and
// punctuation one space, and a space at either end of each word, whatever the
// script. Word boundaries are thereby spaces, which are part of the patterns:
// no match has to be tested for its boundaries afterwards.
//
// The first part of it, text[:plain], is the text's own. Then may follow, each
// behind a barrier that no cue spans: the text with whole words of another
// script read as the ASCII words that they look like; the text with escapes
// and spaced-out letters undone; what an encoded run says; and, when asked
// for, the turns without the breaks between them.
//
// A view belongs to its scratch, and holds until the scratch views another text.
type view struct {
	text  []byte
	plain int

	layers []layer
	parts  []part
	edits  []edit
	from   []int32 // bounds of the character of a layer's text, by byte of its view
	to     []int32
	source reader // rebuilds a layer's view with its bounds
}

// layer is a text: the original, or what was decoded from another layer.
type layer struct {
	src    []byte
	parent int // -1: the original
	depth  int
	edits  span // where its bytes stood in the parent's text
	part   int  // its own view
	wide   bool // it holds a byte outside ASCII
	hides  bool // it holds a character that is not seen, or a full-width form
	joints span // where joints may stand in it, of those of the scratch
	bounds int  // where its bounds begin in from and to; -1: not built yet
}

// part is a stretch of the view: a layer's own, or another part spelt otherwise.
type part struct {
	span
	layer int
	base  int  // the part that it respells; -1: the layer's text is its source
	edits span // where its bytes stand in the view
}

type span struct{ start, end int }

// edit says where bytes came from, from the byte at on to the next edit: one by
// one from start on, or all from start to end.
type edit struct {
	at int
	span
	each bool
}

// trace follows the bytes [start, end) back through edits.
func trace(edits []edit, start, end int) (int, int) {
	find := func(at int) edit {
		return edits[sort.Search(len(edits), func(i int) bool { return edits[i].at > at })-1]
	}
	first, last := find(start), find(end-1)
	start, lo := first.start, start-first.at
	if first.each {
		start += lo
	}
	if last.each {
		return start, last.start + end - last.at
	}
	return start, last.end
}

// original gives the bounds, in the original text, of what text[start:end]
// shows: whole characters with their marks, and a whole encoded run for
// anything in it. The spaces and barriers at either end do not count.
func (v *view) original(start, end int) (int, int) {
	at := sort.Search(len(v.parts), func(i int) bool { return v.parts[i].start > start }) - 1
	for start < end-1 && v.text[start] <= ' ' {
		start++
	}
	for start < end-1 && v.text[end-1] <= ' ' {
		end--
	}
	for v.parts[at].base >= 0 {
		p := v.parts[at]
		start, end = trace(v.edits[p.edits.start:p.edits.end], start-p.start, end-p.start)
		at = p.base
	}
	p := v.parts[at]
	l := p.layer
	bounds := v.bounds(l) - p.start
	start, end = int(v.from[bounds+start]), int(v.to[bounds+end-1])
	for v.layers[l].parent >= 0 {
		if end == start { // between two bytes of the decoded text
			end++
		}
		start, end = trace(v.edits[v.layers[l].edits.start:v.layers[l].edits.end], start, end)
		l = v.layers[l].parent
	}
	return start, end
}

// bounds says where the bounds of a layer begin, and builds them when they are
// first asked for: most texts hold no match.
func (v *view) bounds(l int) int {
	if v.layers[l].bounds < 0 {
		v.layers[l].bounds = len(v.from)
		r := &v.source
		r.reset(nil, nil)
		r.tracks, r.from, r.to = true, v.from, v.to
		r.read(v.layers[l].src)
		v.from, v.to = r.from, r.to
	}
	return v.layers[l].bounds
}

// scratch is the memory of one view at a time. Taken from a pool and given
// back, it makes viewing a text free of allocations once it is warm.
type scratch struct {
	v       view
	reader  reader
	src     []byte  // of the original
	decoded []byte  // of all other layers
	joined  []int32 // where joints may stand in the layers, ascending in each
	found   []match
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// keptBytes is the largest scratch that goes back to the pool.
const keptBytes = 1 << 20

func borrow() *scratch { return scratches.Get().(*scratch) }

// release gives s back. Its view must not be used any more.
func (s *scratch) release() {
	if cap(s.v.text)+cap(s.decoded)+4*cap(s.joined)+8*cap(s.v.from)+24*cap(s.found) <= keptBytes {
		scratches.Put(s)
	}
}

// view brings a text into its view. What s viewed before is lost.
func (s *scratch) view(text string) *view {
	v := s.own(text)
	s.alike(0)
	s.decode(0)
	return v
}

// own is view without what is decoded and without look-alikes of whole words.
func (s *scratch) own(text string) *view {
	v := &s.v
	v.layers, v.parts, v.edits = v.layers[:0], v.parts[:0], v.edits[:0]
	v.text, v.from, v.to = v.text[:0], v.from[:0], v.to[:0]
	s.src, s.decoded, s.joined = append(s.src[:0], text...), s.decoded[:0], s.joined[:0]
	s.layer(layer{src: s.src, parent: -1})
	v.plain = len(v.text)
	return v
}

// layer adds a layer with its own view.
func (s *scratch) layer(l layer) {
	v := &s.v
	l.part, l.bounds = len(v.parts), -1
	s.begin()
	start := len(v.text)
	r := &s.reader
	r.reset(v.text, r.looks[:0])
	r.joints = s.joined
	r.read(l.src)
	l.joints = span{len(s.joined), len(r.joints)}
	v.text, l.wide, l.hides, s.joined = r.out, r.wide, r.hides, r.joints
	v.parts = append(v.parts, part{span: span{start, len(v.text)}, layer: len(v.layers), base: -1})
	v.layers = append(v.layers, l)
}

// begin puts a barrier before another part.
func (s *scratch) begin() {
	if len(s.v.parts) > 0 {
		s.v.text = append(s.v.text, turnBreak)
	}
}

// viewed is the text's own view as a string.
func viewed(text string) string {
	s := borrow()
	defer s.release()
	v := s.own(text)
	return string(v.text[:v.plain])
}

// pattern is a cue's words as they stand in a view, with the spaces that bound
// them; a final "*" leaves the right bound open.
func pattern(words string) string {
	stem, open := strings.CutSuffix(strings.TrimSpace(words), "*")
	p := viewed(stem)
	if open {
		p = strings.TrimSuffix(p, " ")
	}
	return p
}

// match is an occurrence of a pattern, with its bounds in the original text.
type match struct{ pattern, start, end int }

// matches finds the patterns of a in the view of s, each once at a place, by
// start, end and pattern. The result holds until the next call.
func (s *scratch) matches(a *automaton) []match {
	s.found = s.found[:0]
	a.scan(s.v.text, func(pattern, start, end int) {
		start, end = s.v.original(start, end)
		s.found = append(s.found, match{pattern, start, end})
	})
	slices.SortFunc(s.found, match.compare)
	s.found = slices.Compact(s.found)
	return s.found
}

func (m match) compare(n match) int {
	if d := m.start - n.start; d != 0 {
		return d
	}
	if d := m.end - n.end; d != 0 {
		return d
	}
	return m.pattern - n.pattern
}
