package store

// paged is a list that grows without being copied, so that a million entries
// do not take the room of two million while they grow.
type paged[T any] struct {
	pages [][]T
	n     int
}

const (
	pageBits = 10
	pageMask = 1<<pageBits - 1
)

func (p *paged[T]) len() int { return p.n }

// at is valid until the list itself is gone: entries do not move.
func (p *paged[T]) at(i int32) *T { return &p.pages[i>>pageBits][i&pageMask] }

// add appends v and returns its position.
func (p *paged[T]) add(v T) int32 {
	if p.n>>pageBits == len(p.pages) {
		p.pages = append(p.pages, make([]T, 0, 1<<pageBits))
	}
	last := &p.pages[len(p.pages)-1]
	*last = append(*last, v)
	p.n++
	return int32(p.n - 1)
}
