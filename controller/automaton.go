package controller

// automaton finds every occurrence of every pattern in one pass over a text,
// overlapping ones too (Aho and Corasick 1975). Bytes that no pattern holds
// share one class, so that the table of moves stays small.
type automaton struct {
	class [256]uint8
	width int     // classes
	sizes []int   // of the patterns
	moves []int32 // state*width + class -> next state*width; its complement where patterns end
	found [][]int // state -> patterns that end there, ascending
}

// newAutomaton builds the table. The patterns are not empty.
func newAutomaton(patterns []string) *automaton {
	a := &automaton{width: 1}
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
	}
	a.complete()
	a.encode()
	return a
}

// grow adds a state without moves; 0 is the root and stands for "none" until complete.
func (a *automaton) grow() int32 {
	a.moves = append(a.moves, make([]int32, a.width)...)
	a.found = append(a.found, nil)
	return int32(len(a.found) - 1)
}

func (a *automaton) insert(p string, id int) {
	state := int32(0)
	for i := range len(p) {
		at := int(state)*a.width + int(a.class[p[i]])
		if a.moves[at] == 0 {
			a.moves[at] = a.grow()
		}
		state = a.moves[at]
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
		row := a.moves[int(s)*a.width : (int(s)+1)*a.width]
		back := a.moves[int(fail[s])*a.width : (int(fail[s])+1)*a.width]
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

// encode turns states into offsets of their rows, and marks those where
// patterns end by the complement, so that a byte costs two loads and a sign.
func (a *automaton) encode() {
	for i, s := range a.moves {
		a.moves[i] = s * int32(a.width)
		if len(a.found[s]) > 0 {
			a.moves[i] = ^a.moves[i]
		}
	}
}

// scan calls yield for every occurrence, in the order in which they end, with
// the pattern, the offset of its first byte, and that after its last.
func (a *automaton) scan(text []byte, yield func(pattern, start, end int)) {
	row := int32(0)
	for i := range text {
		row = a.moves[int(row)+int(a.class[text[i]])]
		if row >= 0 {
			continue
		}
		row = ^row
		for _, id := range a.found[int(row)/a.width] {
			yield(id, i+1-a.sizes[id], i+1)
		}
	}
}
