package report

import (
	"cmp"
	"slices"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// clusterChart is the clusters of one contrast.
type clusterChart struct {
	Model, Condition, Reference string
	Endpoint                    string
	Style                       style
	Marks                       []pill
	Counts                      string
	Swarm                       swarm
	Rows                        []clusterRow
	Left                        int // clusters that the rows leave out
	Axis                        []tick
}

type clusterRow struct {
	Name, Pairs, Mean string
	Strip             strip
}

// clusterRows is how many clusters of a contrast are listed by name.
const clusterRows = 60

// clustersOf lays out the clusters of every contrast.
func clustersOf(res *analysis.Result, pal palette) []clusterChart {
	var out []clusterChart
	axes := map[string]axis{}
	for _, e := range endpoints(res) {
		axes[e] = groupAxis(contrastsOn(res, e))
	}
	for _, i := range contrastOrder(res) {
		if c := &res.Contrasts[i]; len(c.Groups) > 0 {
			out = append(out, chartOf(res, c, axes[c.Endpoint], pal))
		}
	}
	return out
}

func chartOf(res *analysis.Result, c *analysis.Contrast, a axis, pal palette) clusterChart {
	k := clusterChart{Condition: name(c.Condition), Reference: name(c.Reference), Endpoint: endpointTitle(c.Endpoint),
		Style: pal.of(c.Condition), Marks: pillsOf(c.Marks), Swarm: newSwarm(a, c), Axis: a.ticks(1, true),
		Counts: unitOf(res).count(c.Clusters) + ", " + plural(c.Pairs, "pair", "pairs")}
	if len(models(res)) > 1 {
		k.Model = name(c.Model)
	}
	groups := sortedGroups(c.Groups)
	if len(groups) > clusterRows {
		k.Left = len(groups) - clusterRows
		groups = slices.Concat(groups[:clusterRows/2], groups[len(groups)-clusterRows/2:])
	}
	for _, g := range groups {
		k.Rows = append(k.Rows, clusterRow{Name: name(g.Name), Pairs: count(g.Pairs), Mean: signed(g.Mean),
			Strip: newStrip(a, &g.Mean, nil, nil, nil)})
	}
	return k
}

// sortedGroups orders clusters from the lowest mean to the highest.
func sortedGroups(groups []analysis.Group) []analysis.Group {
	out := slices.Clone(groups)
	slices.SortStableFunc(out, func(a, b analysis.Group) int {
		return cmp.Or(cmp.Compare(a.Mean, b.Mean), cmp.Compare(a.Name, b.Name))
	})
	return out
}
