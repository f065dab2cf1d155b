package interop

// set holds the distinct responses of a table and their labels, exactly and in
// little memory: a million rows have a million tasks at most, but few
// combinations of everything else, and most responses have one label.
type set struct {
	contexts map[[4]uint32]uint32 // model, condition, attack, replicate
	grades   map[[3]uint32]uint32 // grader column, scale, grader
	cells    map[uint64]uint32    // context and task

	first []graded          // the first label of each cell
	more  map[uint64]stated // the others, by cell and grade

	lastContext, lastGrade uint32 // of the previous row, with their keys
	contextKey             [4]uint32
	gradeKey               [3]uint32
}

// stated is where a label was first given, and as what.
type stated struct {
	line  int
	value float64
}

// graded is a cell's first label; without one its line is 0.
type graded struct {
	grade uint32
	stated
}

func newSet() *set {
	return &set{contexts: map[[4]uint32]uint32{}, grades: map[[3]uint32]uint32{},
		cells: map[uint64]uint32{}, more: map[uint64]stated{}}
}

// cell numbers a response.
func (s *set) cell(context [4]uint32, task uint32) uint32 {
	if context != s.contextKey || len(s.contexts) == 0 {
		s.lastContext, s.contextKey = number(s.contexts, context), context
	}
	n := number(s.cells, uint64(s.lastContext)<<32|uint64(task))
	if int(n) == len(s.first) {
		s.first = append(s.first, graded{})
	}
	return n
}

// label files a label of a cell, or returns what it was before.
func (s *set) label(cell uint32, by [3]uint32, now stated) (old stated, again bool) {
	if by != s.gradeKey || len(s.grades) == 0 {
		s.lastGrade, s.gradeKey = number(s.grades, by), by
	}
	first := &s.first[cell]
	switch {
	case first.line == 0:
		*first = graded{s.lastGrade, now}
		return now, false
	case first.grade == s.lastGrade:
		return first.stated, true
	}
	key := uint64(cell)<<32 | uint64(s.lastGrade)
	if old, again = s.more[key]; !again {
		s.more[key] = now
	}
	return old, again
}

func (s *set) responses() int { return len(s.cells) }

// number gives each key the next number when it is new.
func number[K comparable](m map[K]uint32, key K) uint32 {
	n, ok := m[key]
	if !ok {
		n = uint32(len(m))
		m[key] = n
	}
	return n
}
