package lint

import (
	"fmt"
	"math"
	"math/rand/v2"

	uplift "github.com/uplift-eval/uplift"
)

// draws are the permutations of the test of places: two of them and the
// observed one are orderLimit.
const draws = 1999

// window is one place of every id, of one character or two.
type window struct {
	name  string
	class []int // of each task's characters there
	count []int // of each class
}

// windows are the single characters and the neighbouring pairs of ids, as far
// as the shortest goes.
func windows(tasks []uplift.Task) []window {
	shortest := math.MaxInt
	for _, t := range tasks {
		shortest = min(shortest, len(t.ID))
	}
	var out []window
	for size := 1; size <= 2 && len(tasks) > 0; size++ {
		for at := 0; at+size <= shortest; at++ {
			w := window{name: fmt.Sprintf("character %d of ids", at+1), class: make([]int, len(tasks))}
			if size == 2 {
				w.name = fmt.Sprintf("characters %d and %d of ids", at+1, at+2)
			}
			number := map[string]int{}
			for i, t := range tasks {
				s := t.ID[at : at+size]
				if _, ok := number[s]; !ok {
					number[s] = len(number)
					w.count = append(w.count, 0)
				}
				w.class[i] = number[s]
				w.count[number[s]]++
			}
			out = append(out, w)
		}
	}
	return out
}

// telltale is the most telling window for a mark, with the p of a permutation
// test of all windows as one family: of each window Pearson's statistic of its
// characters and the mark, standardised by its own mean and deviation over the
// permutations and the observed one; then the largest of them (Westfall and
// Young 1993, section 2.5). Exact, whatever the alphabet. 1 for ids or marks
// that are all alike.
func telltale(tasks []uplift.Task, of func(uplift.Task) string, seed uint64) (name string, p float64) {
	list, marks := numbered(tasks, of)
	all := windows(tasks)
	if marks < 2 || len(all) == 0 {
		return "", 1
	}
	size := make([]int, marks)
	for _, m := range list {
		size[m]++
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	found := make([][]float64, len(all)) // the observed first
	cells := make([]int, len(tasks)*marks)
	for draw := range draws + 1 {
		if draw > 0 {
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
		for k, w := range all {
			found[k] = append(found[k], w.pearson(list, size, cells))
		}
	}
	for k := range found {
		standardise(found[k])
	}
	top := make([]float64, draws+1)
	for draw := range top {
		top[draw] = math.Inf(-1)
		for k := range found {
			if found[k][draw] > top[draw] {
				top[draw] = found[k][draw]
				if draw == 0 {
					name = all[k].name
				}
			}
		}
	}
	atLeast := 0
	for _, t := range top {
		if t >= top[0]-1e-9 {
			atLeast++
		}
	}
	return name, float64(atLeast) / (draws + 1)
}

// pearson is the sum of squared counts over their expected ones, of characters
// and marks; size counts the tasks of each mark. cells is room to count in.
func (w window) pearson(list, size, cells []int) float64 {
	cells = cells[:len(w.count)*len(size)]
	clear(cells)
	for i, c := range w.class {
		cells[c*len(size)+list[i]]++
	}
	sum := 0.0
	for at, n := range cells {
		if n > 0 {
			sum += float64(n) * float64(n) / (float64(w.count[at/len(size)]) * float64(size[at%len(size)]))
		}
	}
	return sum
}

// standardise takes the mean from each and divides by the deviation; all are 0
// where they do not differ.
func standardise(list []float64) {
	mean, square := 0.0, 0.0
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		square += (v - mean) * (v - mean) / float64(len(list))
	}
	for i := range list {
		if list[i] -= mean; square > 1e-18 {
			list[i] /= math.Sqrt(square)
		} else {
			list[i] = 0
		}
	}
}

// numbered are the marks of tasks as numbers from 0, and how many there are.
func numbered(tasks []uplift.Task, of func(uplift.Task) string) (list []int, marks int) {
	number := map[string]int{}
	for _, t := range tasks {
		m := of(t)
		if _, ok := number[m]; !ok {
			number[m] = len(number)
		}
		list = append(list, number[m])
	}
	return list, len(number)
}
