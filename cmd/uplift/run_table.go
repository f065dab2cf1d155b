package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/run"
)

// leastName is how far names are shortened for a table to fit.
const leastName = 12

// conditionTable writes a line for each condition with how its cells ended, below
// one or two lines of heads: those of the first line are above those of the
// second. It is made narrower, as far as names allow; width 0 is without bound.
func conditionTable(list []run.ConditionStatus, width int) (head, lines []string) {
	list = slices.DeleteFunc(slices.Clone(list), func(c run.ConditionStatus) bool { return c.Total == 0 })
	if len(list) == 0 {
		return nil, nil
	}
	t := [][]string{{""}, {""}} // two rows of heads
	for _, c := range list {
		t = append(t, []string{conditionName(c, list)})
	}
	add := func(name string, of func(run.ConditionStatus) string) {
		first, second, two := strings.Cut(name, " ")
		if !two {
			first, second = "", name
		}
		t[0], t[1] = append(t[0], first), append(t[1], second)
		for i, c := range list {
			t[i+2] = append(t[i+2], of(c))
		}
	}
	most := slices.MaxFunc(list, func(a, b run.ConditionStatus) int { return cmp.Compare(a.Total, b.Total) }).Total
	digits := len(grouped(most))
	add("cells", func(c run.ConditionStatus) string {
		return fmt.Sprintf("%s of %*s", grouped(c.Done), digits, grouped(c.Total))
	})
	for _, o := range uplift.Outcomes() {
		addCount(list, strings.ReplaceAll(string(o), "_", " "), func(c run.ConditionStatus) int { return c.Outcomes[o] }, add)
	}
	addCount(list, "withheld", func(c run.ConditionStatus) int { return c.Withheld }, add)
	return laidOut(t, width)
}

// addCount adds a column of numbers, unless all are 0.
func addCount(list []run.ConditionStatus, name string, of func(run.ConditionStatus) int, add func(string, func(run.ConditionStatus) string)) {
	if slices.ContainsFunc(list, func(c run.ConditionStatus) bool { return of(c) > 0 }) {
		add(name, func(c run.ConditionStatus) string { return grouped(of(c)) })
	}
}

// conditionName names the model too where there are several.
func conditionName(c run.ConditionStatus, list []run.ConditionStatus) string {
	if slices.ContainsFunc(list, func(o run.ConditionStatus) bool { return o.Model != c.Model }) {
		return c.Model + "/" + c.Condition
	}
	return c.Condition
}

// laidOut sets the names to the left and all else to the right of its column.
func laidOut(t [][]string, width int) (head, lines []string) {
	wide := make([]int, len(t[0]))
	sum := 8
	for i := range wide {
		for _, row := range t {
			wide[i] = max(wide[i], runewidth.StringWidth(row[i]))
		}
		sum += wide[i] + 2
	}
	if over := sum - 2 - width; width > 0 && over > 0 {
		wide[0] = max(wide[0]-over, min(wide[0], leastName))
	}
	for i, row := range t {
		line := "        " + runewidth.FillRight(runewidth.Truncate(row[0], wide[0], "…"), wide[0])
		for k, v := range row[1:] {
			line += "  " + runewidth.FillLeft(v, wide[k+1])
		}
		switch line = strings.TrimRight(line, " "); {
		case i > 1:
			lines = append(lines, line)
		case line != "":
			head = append(head, line)
		}
	}
	return head, lines
}

// urgent puts conditions with failed cells first, then those that are not
// finished, then the others.
func urgent(list []run.ConditionStatus) []run.ConditionStatus {
	rank := func(c run.ConditionStatus) int {
		switch {
		case c.Outcomes[uplift.Failed] > 0:
			return 0
		case c.Done < c.Total:
			return 1
		}
		return 2
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b run.ConditionStatus) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}
