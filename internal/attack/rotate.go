package attack

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// turns gives each task its place in the rotation, which says in what language
// its translation frame is, and which two further forms a task of test-b gets.
//
// The tasks of one split are put in order by a hash of seed and id, and their
// places are consecutive numbers. So over a split each language is used equally
// often to within one, and so is each form that rotates over test-b. A task's
// place depends on the seed and on the ids of its own split: not on the order
// of the tasks, on other splits or on the attacks that are chosen.
//
// Nor does it depend on the tier. An order by tier would make the languages of
// each tier even as well, and was rejected: who knows seed, ids and the
// languages that are seen would then know which tasks share a tier. So within a
// tier the languages are as even as chance makes them.
//
// The places of one split begin half a cycle later than those of the others.
// With 18 tasks in dev and in test this makes the whole built-in set even too.
func turns(tasks []uplift.Task, seed uint64) []int {
	order := make([]int, len(tasks))
	keys := make([]uint64, len(tasks))
	for i, t := range tasks {
		order[i], keys[i] = i, hash(seed, "task", t.ID)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(
			strings.Compare(tasks[a].Split, tasks[b].Split),
			cmp.Compare(keys[a], keys[b]),
			strings.Compare(tasks[a].ID, tasks[b].ID),
			cmp.Compare(a, b),
		)
	})
	turn := make([]int, len(tasks))
	for k, i := range order {
		if k == 0 || tasks[order[k-1]].Split != tasks[i].Split {
			turn[i] = begin(tasks[i].Split, seed)
			continue
		}
		turn[i] = turn[order[k-1]] + 1
	}
	return turn
}

// begin is the place of a split's first task.
func begin(split string, seed uint64) int {
	first := int(hash(seed, "begin", "") % uint64(len(frames)))
	if split == uplift.Test {
		first += len(frames) / 2
	}
	return first
}

// rotatingForms are the two standard forms, beside direct and paraphrase, of
// the task at a place. The ten forms are paired by the seed, and the pairs
// follow each other. Because the number of pairs and that of languages have no
// common divisor, the languages of those translation frames that come up are
// even as well.
func rotatingForms(turn int, seed uint64) []string {
	rest := slices.DeleteFunc(StandardForms(), func(n string) bool { return n == uplift.Direct || n == Paraphrase })
	slices.SortFunc(rest, func(a, b string) int {
		return cmp.Or(cmp.Compare(hash(seed, "form", a), hash(seed, "form", b)), strings.Compare(a, b))
	})
	at := 2 * turn % len(rest)
	return rest[at : at+2]
}

// hash keys a draw by seed and purpose.
func hash(seed uint64, purpose, key string) uint64 {
	b := binary.LittleEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(append(b, purpose+"\x00"+key...))
	return binary.LittleEndian.Uint64(sum[:])
}
