package study

import (
	"math"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// Count is what an endpoint will stand on, per model, when every item is
// labelled.
type Count struct {
	Endpoint  string        `json:"endpoint"`
	Scale     string        `json:"scale"`
	Tiers     []uplift.Tier `json:"tiers"` // effective: hard_negative counts for benign
	Tasks     int           `json:"tasks"`
	Families  int           `json:"families"`
	Clusters  int           `json:"clusters"` // tasks or families
	Items     int           `json:"items"`    // pairs of a contrast, for each replicate
	Contrasts int           `json:"contrasts"`
	// Floor is 2^(1-Clusters), below which no two-sided sign-flip p can fall;
	// HolmFloor is the same after Holm's adjustment for the contrasts of the
	// endpoint, over conditions and models. Both are at most 1.
	Floor     float64 `json:"sign_flip_floor"`
	HolmFloor float64 `json:"holm_floor"`
}

// Counts counts the clusters of each endpoint over the items of the headline.
func Counts(p Plan, items []uplift.Item, byFamily bool) []Count {
	var out []Count
	for _, e := range p.Endpoints {
		c := Count{Endpoint: e.Name, Scale: e.Scale, Tiers: e.Tiers,
			Contrasts: max(len(p.Conditions.List)-1, 0) * len(p.Models)}
		tasks, families := map[string]bool{}, map[string]bool{}
		for _, i := range items {
			if !slices.Contains(e.Tiers, i.Tier) {
				continue
			}
			tasks[i.Task], families[i.Family] = true, true
			c.Items++
		}
		c.Tasks, c.Families = len(tasks), len(families)
		if c.Clusters = c.Tasks; byFamily {
			c.Clusters = c.Families
		}
		c.Floor = math.Ldexp(1, 1-max(c.Clusters, 1))
		c.HolmFloor = min(1, c.Floor*float64(max(c.Contrasts, 1)))
		out = append(out, c)
	}
	return out
}
