package store

import (
	"cmp"
	"slices"
	"strings"
)

// sortedBy gives the numbers 0 to n-1 in the order of compare.
func sortedBy(n int, compare func(a, b int32) int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortFunc(list, compare)
	return list
}

// inverse turns an order into each number's place in it.
func inverse(order []int32) []int32 {
	place := make([]int32, len(order))
	for i, at := range order {
		place[at] = int32(i)
	}
	return place
}

// order is the positions of all responses by name: model, condition, task,
// attack, replicate.
func (k *known) order() []int32 {
	rank := k.ranks()
	arms := pairRanks(k.arms, rank)
	tasks := make([]pair, len(k.items))
	for i, it := range k.items {
		tasks[i] = pair{it.task, it.attack}
	}
	items := pairRanks(tasks, rank)
	return sortedBy(k.responses.len(), func(a, b int32) int {
		x, y := k.responses.at(a), k.responses.at(b)
		return cmp.Or(cmp.Compare(arms[x.arm], arms[y.arm]),
			cmp.Compare(items[x.item], items[y.item]), cmp.Compare(x.replicate, y.replicate))
	})
}

// ranks gives each name's place in alphabetical order.
func (k *known) ranks() []int32 {
	return inverse(sortedBy(len(k.names), func(a, b int32) int { return strings.Compare(k.names[a], k.names[b]) }))
}

// pairRanks gives each pair's place in the order of its names.
func pairRanks(pairs []pair, rank []int32) []int32 {
	return inverse(sortedBy(len(pairs), func(a, b int32) int {
		return cmp.Or(cmp.Compare(rank[pairs[a][0]], rank[pairs[b][0]]), cmp.Compare(rank[pairs[a][1]], rank[pairs[b][1]]))
	}))
}
