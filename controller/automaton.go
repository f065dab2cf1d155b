package controller

// automaton finds every occurrence of every pattern in one pass over a text,
// overlapping ones too (Aho and Corasick 1975), as a table with a move for each
// state and byte. Bytes that no pattern holds share one class, so that the
// table stays small. States are named by the offset of their row, and those
// where patterns end come last: a byte costs two loads and a comparison.
type automaton struct {
	class   [256]uint8
	width   int      // classes
	trie    []int32  // state*width + class -> next state, while it is built
	moves   []uint32 // row + class -> next row
	quiet   uint32   // the last row where no pattern ends
	found   [][]int  // patterns that end in the rows after it, ascending
	sizes   []int    // of the patterns
	longest int
	heads   *heads // how the patterns begin, when all do with a space; or nil
}

// newAutomaton builds the table. The patterns are not empty.
func newAutomaton(patterns []string) *automaton {
	a := &automaton{width: 1, longest: 1}
	for _, p := range patterns {
		for i := range len(p) {
			if a.class[p[i]] == 0 {
				a.class[p[i]] = uint8(a.width) // 255 at most: no UTF-8 text holds all bytes
				a.width++
			}
		}
	}
	a.grow()
	for i, p := range patterns {
		a.insert(p, i)
		a.sizes = append(a.sizes, len(p))
		a.longest = max(a.longest, len(p))
	}
	a.complete()
	a.encode()
	a.heads = headsOf(patterns)
	return a
}

// grow adds a state without moves; 0 is the root and stands for "none" until complete.
func (a *automaton) grow() int32 {
	a.trie = append(a.trie, make([]int32, a.width)...)
	a.found = append(a.found, nil)
	return int32(len(a.found) - 1)
}

func (a *automaton) insert(p string, id int) {
	state := int32(0)
	for i := range len(p) {
		at := int(state)*a.width + int(a.class[p[i]])
		if a.trie[at] == 0 {
			a.trie[at] = a.grow()
		}
		state = a.trie[at]
	}
	a.found[state] = append(a.found[state], id)
}

// complete walks the trie breadth first, gives each state its longest proper
// suffix, and fills the missing moves from there.
func (a *automaton) complete() {
	fail := make([]int32, len(a.found))
	queue := []int32{0}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		row := a.trie[int(s)*a.width : (int(s)+1)*a.width]
		back := a.trie[int(fail[s])*a.width : (int(fail[s])+1)*a.width]
		for c := range row {
			next := row[c]
			switch {
			case next == 0 && s != 0:
				row[c] = back[c]
			case next != 0:
				if s != 0 {
					fail[next] = back[c]
				}
				a.found[next] = append(a.found[next], a.found[fail[next]]...)
				queue = append(queue, next)
			}
		}
	}
}

// encode brings the states where patterns end to the end of the table, the
// others near the root to its head, and names states by the offsets of their rows.
func (a *automaton) encode() {
	order := a.nearFirst()
	name := make([]uint32, len(order)) // by state
	for i, s := range order {
		name[s] = uint32(i * a.width)
	}
	a.moves = make([]uint32, 0, len(a.trie))
	var found [][]int
	for i, s := range order {
		for _, next := range a.trie[int(s)*a.width : (int(s)+1)*a.width] {
			a.moves = append(a.moves, name[next])
		}
		if len(a.found[s]) == 0 {
			a.quiet = uint32(i * a.width)
		} else {
			found = append(found, a.found[s])
		}
	}
	a.found, a.trie = found, nil
}

// nearFirst lists the states from the root outwards, first those where no
// pattern ends. The root is the first of all.
func (a *automaton) nearFirst() []int32 {
	seen := make([]bool, len(a.found))
	seen[0] = true
	walk := []int32{0}
	for i := 0; i < len(walk); i++ {
		for _, next := range a.trie[int(walk[i])*a.width : (int(walk[i])+1)*a.width] {
			if !seen[next] {
				seen[next] = true
				walk = append(walk, next)
			}
		}
	}
	out := make([]int32, 0, len(walk))
	for _, ends := range []bool{false, true} {
		for _, s := range walk {
			if (len(a.found[s]) > 0) == ends {
				out = append(out, s)
			}
		}
	}
	return out
}

// Texts from shortest bytes on are read at four places at once, in stretches of
// at most stride bytes: the loads of one chain of states wait for each other,
// those of four do not.
const (
	shortest = 512
	stride   = 2048
)

// scan calls yield for every occurrence, in the order in which they end, with
// the pattern, the offset of its first byte, and that after its last.
func (a *automaton) scan(text []byte, yield func(pattern, start, end int)) {
	if a.heads != nil {
		a.words(text, yield)
		return
	}
	at := 0
	for len(text)-at >= max(shortest, 8*a.longest) {
		n := min(stride, (len(text)-at)/4)
		for i, hit := range a.hits(text, at, n) {
			if hit {
				a.stretch(text, at+i*n, at+(i+1)*n, yield)
			}
		}
		at += 4 * n
	}
	if at < len(text) {
		a.stretch(text, at, len(text), yield)
	}
}

// before is the row of the state before the byte at: what ends after it began
// less than the longest pattern ago.
func (a *automaton) before(text []byte, at int) uint32 {
	row := uint32(0)
	for _, c := range text[max(0, at-a.longest+1):at] {
		row = a.moves[row+uint32(a.class[c])]
	}
	return row
}

// hits tells in which of the four stretches of n bytes from at on a pattern ends.
func (a *automaton) hits(text []byte, at, n int) [4]bool {
	r0, r1, r2, r3 := a.before(text, at), a.before(text, at+n), a.before(text, at+2*n), a.before(text, at+3*n)
	t0, t1, t2, t3 := text[at:at+n], text[at+n:at+2*n], text[at+2*n:at+3*n], text[at+3*n:at+4*n]
	t1, t2, t3 = t1[:len(t0)], t2[:len(t0)], t3[:len(t0)]
	class, moves, quiet := &a.class, a.moves, a.quiet
	var h0, h1, h2, h3 uint32 // the top bit is set after a row where a pattern ends
	for i := range t0 {
		r0 = moves[r0+uint32(class[t0[i]])]
		r1 = moves[r1+uint32(class[t1[i]])]
		r2 = moves[r2+uint32(class[t2[i]])]
		r3 = moves[r3+uint32(class[t3[i]])]
		h0 |= quiet - r0
		h1 |= quiet - r1
		h2 |= quiet - r2
		h3 |= quiet - r3
	}
	return [4]bool{h0>>31 == 1, h1>>31 == 1, h2>>31 == 1, h3>>31 == 1}
}

// stretch is scan for what ends in text[from:to].
func (a *automaton) stretch(text []byte, from, to int, yield func(pattern, start, end int)) {
	row := a.before(text, from)
	for i := from; i < to; i++ {
		row = a.moves[row+uint32(a.class[text[i]])]
		if row > a.quiet {
			a.ends(row, i+1, yield)
		}
	}
}
