package analysis

import (
	"cmp"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// names turns strings into small integers: while reading in order of
// appearance, and after rank in order of the names.
type names struct {
	ids  map[string]int32
	list []string
}

func (n *names) id(s string) int32 {
	if id, ok := n.ids[s]; ok {
		return id
	}
	if n.ids == nil {
		n.ids = map[string]int32{}
	}
	id := int32(len(n.list))
	n.ids[s] = id
	n.list = append(n.list, s)
	return id
}

// find is id without adding; -1 when s was never seen.
func (n *names) find(s string) int32 {
	if id, ok := n.ids[s]; ok {
		return id
	}
	return -1
}

// rank sorts the names and gives the new id of each old one.
func (n *names) rank() []int32 {
	old := slices.Clone(n.list)
	slices.Sort(n.list)
	for i, s := range n.list {
		n.ids[s] = int32(i)
	}
	to := make([]int32, len(old))
	for i, s := range old {
		to[i] = n.ids[s]
	}
	return to
}

// item is a task under one attack.
type item struct {
	task, attack int32
	family       string
	split        string
	tier         uplift.Tier
}

// items interns items and holds what is known of each.
type items struct {
	ids       map[[2]int32]int32
	list      []item
	conflicts []string
}

// id interns the item of a row. What a row states of its item must agree with
// what others state; an empty family, split or tier states nothing.
func (s *items) id(task, attack int32, name string, family, split string, tier uplift.Tier) int32 {
	key := [2]int32{task, attack}
	id, ok := s.ids[key]
	if !ok {
		if s.ids == nil {
			s.ids = map[[2]int32]int32{}
		}
		id = int32(len(s.list))
		s.ids[key] = id
		s.list = append(s.list, item{task: task, attack: attack, family: family, split: split, tier: tier})
		return id
	}
	it := &s.list[id]
	state(&it.family, family, "family", name, s)
	state(&it.split, split, "split", name, s)
	state(&it.tier, tier, "tier", name, s)
	return id
}

func state[T ~string](have *T, said T, field, name string, s *items) {
	switch {
	case said == *have || said == "":
	case *have == "":
		*have = said
	default:
		s.conflicts = append(s.conflicts,
			fmt.Sprintf("task %s: %s: both %q and %q (want one)", name, field, min(*have, said), max(*have, said)))
	}
}

// rank sorts the items by task and attack, whose ids are ranks already, and
// gives the new id of each old one.
func (s *items) rank() []int32 {
	order := make([]int32, len(s.list))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.list[a].task, s.list[b].task), cmp.Compare(s.list[a].attack, s.list[b].attack))
	})
	to, sorted := make([]int32, len(order)), make([]item, len(order))
	for i, o := range order {
		to[o], sorted[i] = int32(i), s.list[o]
	}
	s.list = sorted
	return to
}
