package benchmark

import (
	"cmp"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Composition counts the tasks of a set. Test-b stands apart: it is no part of
// the base.
type Composition struct {
	Splits   []SplitCount  `json:"splits"`   // those that have tasks, in their order
	Base     Count         `json:"base"`     // of every split but test-b
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
	Tier    uplift.Tier    `json:"tier,omitempty"`
	Family  string         `json:"family"`
	BySplit map[string]int `json:"by_split"`
	Total   int            `json:"total"`
}

// Count is a number of tasks. Total counts those without a tier as well.
type Count struct {
	*ByTier     // nil where tiers are sealed
	Total   int `json:"total"`
}

// ByTier is a number of tasks by tier.
type ByTier struct {
	Benign     int `json:"benign"`
	Borderline int `json:"borderline"`
	Harmful    int `json:"harmful"`
}

// add counts one task more.
func (c *Count) add(t uplift.Tier) {
	if c.ByTier == nil {
		c.ByTier = &ByTier{}
	}
	switch t {
	case uplift.Benign:
		c.Benign++
	case uplift.Borderline:
		c.Borderline++
	case uplift.Harmful:
		c.Harmful++
	}
	c.Total++
}

// Compose counts tasks.
func Compose(tasks []uplift.Task) Composition {
	c := Composition{Total: len(tasks)}
	splits, families := map[string]*SplitCount{}, map[[2]string]*FamilyCount{}
	for _, t := range tasks {
		s, key := splits[t.Split], [2]string{string(t.Tier), t.Family}
		if s == nil {
			s = &SplitCount{Split: t.Split}
			splits[t.Split] = s
		}
		s.add(t.Tier)
		if t.Split != uplift.TestB {
			c.Base.add(t.Tier)
		}
		f := families[key]
		if f == nil {
			f = &FamilyCount{Tier: t.Tier, Family: t.Family, BySplit: map[string]int{}}
			families[key] = f
		}
		f.BySplit[t.Split]++
		f.Total++
	}
	for _, s := range splits {
		c.Splits = append(c.Splits, *s)
	}
	for _, f := range families {
		c.Families = append(c.Families, *f)
	}
	c.sort()
	return c
}

func (c *Composition) sort() {
	slices.SortFunc(c.Splits, func(a, b SplitCount) int {
		return cmp.Or(cmp.Compare(slices.Index(uplift.Splits(), a.Split), slices.Index(uplift.Splits(), b.Split)), cmp.Compare(a.Split, b.Split))
	})
	slices.SortFunc(c.Families, func(a, b FamilyCount) int {
		return cmp.Or(cmp.Compare(slices.Index(uplift.Tiers(), a.Tier), slices.Index(uplift.Tiers(), b.Tier)), cmp.Compare(a.Family, b.Family))
	})
}

// Sealed is c with all tiers together, so that neither a family nor a split
// tells the tier of its tasks.
func (c Composition) Sealed() Composition {
	c.Base.ByTier = nil
	c.Splits = slices.Clone(c.Splits)
	for i := range c.Splits {
		c.Splits[i].ByTier = nil
	}
	joined := map[string]*FamilyCount{}
	for _, f := range c.Families {
		j := joined[f.Family]
		if j == nil {
			j = &FamilyCount{Family: f.Family, BySplit: map[string]int{}}
			joined[f.Family] = j
		}
		for split, n := range f.BySplit {
			j.BySplit[split] += n
		}
		j.Total += f.Total
	}
	c.Families = nil
	for _, j := range joined {
		c.Families = append(c.Families, *j)
	}
	c.sort()
	return c
}

// Spread is how long asks are, in words; all zero without one.
type Spread struct {
	Min    int     `json:"min"`
	Median float64 `json:"median"` // between the two middle ones of an even number
	Max    int     `json:"max"`
}

// Words measures the asks of tasks. A word is what stands between white space.
func Words(tasks []uplift.Task) Spread {
	var n []int
	for _, t := range tasks {
		n = append(n, len(strings.Fields(t.Ask)))
	}
	if len(n) == 0 {
		return Spread{}
	}
	slices.Sort(n)
	return Spread{Min: n[0], Median: float64(n[(len(n)-1)/2]+n[len(n)/2]) / 2, Max: n[len(n)-1]}
}
