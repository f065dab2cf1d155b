package benchmark

import (
	"cmp"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// Composition counts the tasks of a set.
type Composition struct {
	Splits   []SplitCount  `json:"splits"`   // those that have tasks, in their order
	Families []FamilyCount `json:"families"` // by tier, then name
	Total    int           `json:"total"`
}

// SplitCount counts the tasks of one split.
type SplitCount struct {
	Split string `json:"split"`
	Count
}

// FamilyCount counts the tasks of one family of one tier by split.
type FamilyCount struct {
	Tier    uplift.Tier    `json:"tier"`
	Family  string         `json:"family"`
	BySplit map[string]int `json:"by_split"`
	Total   int            `json:"total"`
}

// Count is a number of tasks by tier.
type Count struct {
	Benign     int `json:"benign"`
	Borderline int `json:"borderline"`
	Harmful    int `json:"harmful"`
	Total      int `json:"total"`
}

// Add counts one task more.
func (c *Count) Add(t uplift.Tier, n int) {
	switch t {
	case uplift.Benign:
		c.Benign += n
	case uplift.Borderline:
		c.Borderline += n
	case uplift.Harmful:
		c.Harmful += n
	}
	c.Total += n
}

// Compose counts tasks.
func Compose(tasks []uplift.Task) Composition {
	splits, families := map[string]*SplitCount{}, map[[2]string]*FamilyCount{}
	for _, t := range tasks {
		s, key := splits[t.Split], [2]string{string(t.Tier), t.Family}
		if s == nil {
			s = &SplitCount{Split: t.Split}
			splits[t.Split] = s
		}
		s.Add(t.Tier, 1)
		f := families[key]
		if f == nil {
			f = &FamilyCount{Tier: t.Tier, Family: t.Family, BySplit: map[string]int{}}
			families[key] = f
		}
		f.BySplit[t.Split]++
		f.Total++
	}
	c := Composition{Total: len(tasks)}
	for _, s := range splits {
		c.Splits = append(c.Splits, *s)
	}
	for _, f := range families {
		c.Families = append(c.Families, *f)
	}
	slices.SortFunc(c.Splits, func(a, b SplitCount) int {
		return cmp.Or(slices.Index(uplift.Splits(), a.Split)-slices.Index(uplift.Splits(), b.Split), cmp.Compare(a.Split, b.Split))
	})
	slices.SortFunc(c.Families, func(a, b FamilyCount) int {
		return cmp.Or(slices.Index(uplift.Tiers(), a.Tier)-slices.Index(uplift.Tiers(), b.Tier), cmp.Compare(a.Family, b.Family))
	})
	return c
}
