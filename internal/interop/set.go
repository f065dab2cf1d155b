package interop

// set numbers the distinct responses of a table and the distinct ways in which
// they are graded, exactly and in little memory: a million rows have a million
// tasks at most, but few combinations of everything else.
type set struct {
	contexts map[[4]uint32]uint32 // model, condition, attack, replicate
	grades   map[[3]uint32]uint32 // grader column, scale, grader
	cells    map[uint64]uint32    // context and task

	lastContext, lastGrade uint32 // of the previous row, with their keys
	contextKey             [4]uint32
	gradeKey               [3]uint32
}

func newSet() *set {
	return &set{contexts: map[[4]uint32]uint32{}, grades: map[[3]uint32]uint32{}, cells: map[uint64]uint32{}}
}

// cell numbers a response.
func (s *set) cell(context [4]uint32, task uint32) uint32 {
	if context != s.contextKey || len(s.contexts) == 0 {
		s.lastContext, s.contextKey = number(s.contexts, context), context
	}
	return number(s.cells, uint64(s.lastContext)<<32|uint64(task))
}

// grade numbers a way of grading.
func (s *set) grade(by [3]uint32) uint32 {
	if by != s.gradeKey || len(s.grades) == 0 {
		s.lastGrade, s.gradeKey = number(s.grades, by), by
	}
	return s.lastGrade
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
