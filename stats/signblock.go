package stats

// signBlockSize is how many sign vectors are turned at a time: enough that the
// tables, made anew for each block, cost little, and few enough to lie in the
// processor's cache.
const signBlockSize = 512

// signBlock is some consecutive sign vectors, and what they make of one member
// of a family. It is reused from block to block.
type signBlock struct {
	vectors signVectors
	first   int                   // of the vectors
	count   int                   // 1 to signBlockSize
	streams [signBlockSize]uint64 // of a Monte Carlo
	s, sn   [signBlockSize]float64
	fours   [16]four // of one word
}

// four is the sums over up to four clusters, of two columns, under each of the
// patterns of their signs.
type four struct {
	shift uint8 // of the pattern in its word
	sums  [16][2]float64
}

// start goes to the block of vectors from first on.
func (b *signBlock) start(v signVectors, first int) {
	b.vectors, b.first, b.count = v, first, min(v.count-first, signBlockSize)
	if !v.exact {
		for d := range b.count {
			b.streams[d] = newStream(v.seed, uint64(first+d)).state
		}
	}
}

// word is the signs that vector d of the block gives to clusters 64*i to 64*i+63:
// the same as [signVectors.word] and its stream, at any place.
func (b *signBlock) word(d, i int) uint64 {
	if b.vectors.exact {
		return uint64(b.first + d) // there is no other word
	}
	return mix(b.streams[d] + uint64(i+1)*golden)
}

// turn fills s and sn with a member's sums of s_g S_g and s_g S_g n_g.
func (b *signBlock) turn(m *member) {
	clear(b.s[:b.count])
	clear(b.sn[:b.count])
	for k := 0; k < len(m.at); {
		word := int(m.at[k] / 64)
		used := 0
		for k < len(m.at) && int(m.at[k]/64) == word {
			n := k + 1
			for n < len(m.at) && m.at[n]/4 == m.at[k]/4 {
				n++
			}
			b.fours[used].fill(m, k, n)
			k, used = n, used+1
		}
		b.add(word, b.fours[:used])
	}
}

// fill takes clusters from to to-1 of a member.
func (f *four) fill(m *member, from, to int) {
	f.shift = uint8(m.at[from] / 4 % 16 * 4)
	f.sums = [16][2]float64{}
	for k := from; k < to; k++ {
		bit, s, sn := m.at[k]%4, m.s[k], m.sn[k]
		for pattern := range f.sums {
			cell := &f.sums[pattern]
			if pattern>>bit&1 == 1 {
				cell[0], cell[1] = cell[0]-s, cell[1]-sn
			} else {
				cell[0], cell[1] = cell[0]+s, cell[1]+sn
			}
		}
	}
}

// add adds the clusters of one word to the sums, two vectors side by side.
func (b *signBlock) add(word int, fours []four) {
	d := 0
	for ; d+1 < b.count; d += 2 {
		v, w := b.word(d, word), b.word(d+1, word)
		s, sn, s2, sn2 := b.s[d], b.sn[d], b.s[d+1], b.sn[d+1]
		for i := range fours {
			f := &fours[i]
			x, y := &f.sums[v>>(f.shift&63)&15], &f.sums[w>>(f.shift&63)&15]
			s, sn, s2, sn2 = s+x[0], sn+x[1], s2+y[0], sn2+y[1]
		}
		b.s[d], b.sn[d], b.s[d+1], b.sn[d+1] = s, sn, s2, sn2
	}
	if d < b.count {
		w := b.word(d, word)
		for i := range fours {
			x := &fours[i].sums[w>>(fours[i].shift&63)&15]
			b.s[d], b.sn[d] = b.s[d]+x[0], b.sn[d]+x[1]
		}
	}
}
