package store

import "hash/maphash"

// cellIndex finds responses by cell: open addressing over positions, 4 bytes
// a slot, no copy of the keys.
type cellIndex struct {
	slots []int32 // position + 1; 0 is empty
	used  int
	seed  maphash.Seed
}

func (x *cellIndex) slot(arm, item, replicate int32) int {
	h := maphash.Comparable(x.seed, [3]int32{arm, item, replicate})
	return int(h & uint64(len(x.slots)-1))
}

func (x *cellIndex) find(of *paged[response], arm, item, replicate int32) int32 {
	if len(x.slots) == 0 {
		return -1
	}
	for i := x.slot(arm, item, replicate); ; i = (i + 1) & (len(x.slots) - 1) {
		pos := x.slots[i] - 1
		if pos < 0 {
			return -1
		}
		if r := of.at(pos); r.arm == arm && r.item == item && r.replicate == replicate {
			return pos
		}
	}
}

// add takes in the last of the responses.
func (x *cellIndex) add(of *paged[response], pos int32) {
	if x.used*4 >= len(x.slots)*3 {
		x.grow(2 * x.used)
		for p := range pos {
			x.put(of, p)
		}
	}
	x.put(of, pos)
}

func (x *cellIndex) put(of *paged[response], pos int32) {
	r := of.at(pos)
	i := x.slot(r.arm, r.item, r.replicate)
	for x.slots[i] != 0 {
		i = (i + 1) & (len(x.slots) - 1)
	}
	x.slots[i] = pos + 1
	x.used++
}

// grow empties the index and makes room for n responses.
func (x *cellIndex) grow(n int) {
	if x.slots == nil {
		x.seed = maphash.MakeSeed()
	}
	size := 64
	for size*3 < n*4 {
		size *= 2
	}
	x.slots, x.used = make([]int32, size), 0
}
