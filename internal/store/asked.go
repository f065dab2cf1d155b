package store

import uplift "github.com/uplift-eval/uplift"

// Counts says what the import has changed so far.
func (b *Batch) Counts() ImportCounts {
	c := b.total
	c.add(b.counts)
	return c
}

// Untiered counts the rows since the last From that state no tier, and whose
// item has none from elsewhere either: they enter no endpoint.
func (b *Batch) Untiered() (n int) {
	for at, rows := range b.bare {
		if b.known.items[at].tier == 0 {
			n += int(rows)
		}
	}
	return n
}

// noteBare counts a row that states no tier.
func (b *Batch) noteBare(item int32) {
	for int(item) >= len(b.bare) {
		b.bare = append(b.bare, 0)
	}
	b.bare[item]++
}

// Holds reports whether the cell has a response.
func (b *Batch) Holds(c uplift.Cell) bool { return b.at(c) >= 0 }

// States reports whether the cell has a label that somebody stated: one that
// was imported, rather than one that follows from rated rows.
func (b *Batch) States(c uplift.Cell, scale, grader string) bool {
	at := b.at(c)
	s, known := b.known.nameAt[scale]
	g, both := b.known.nameAt[grader]
	if at < 0 || !known || !both {
		return false
	}
	m, ok := b.known.measureAt[pair{s, g}]
	return ok && b.known.findLabel(at, m) >= 0
}

// at is the position of a cell's response, or -1. It remembers no name.
func (b *Batch) at(c uplift.Cell) int32 {
	var ids [4]int32
	for i, name := range [...]string{c.Model, c.Condition, c.Task, c.Attack} {
		id, ok := b.known.nameAt[name]
		if !ok {
			return -1
		}
		ids[i] = id
	}
	arm, ok := b.known.armAt[pair{ids[0], ids[1]}]
	item, both := b.known.itemAt[pair{ids[2], ids[3]}]
	if !ok || !both {
		return -1
	}
	return b.known.find(arm, item, int32(c.Replicate))
}
