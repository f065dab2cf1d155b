package report

import (
	"cmp"
	"slices"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// unit is what one cluster of the result is called.
type unit struct{ one, many string }

func unitOf(res *analysis.Result) unit {
	if res.Cluster == analysis.ByFamily {
		return unit{"family", "families"}
	}
	return unit{"task", "tasks"}
}

// count is n clusters in words.
func (u unit) count(n int) string { return plural(n, u.one, u.many) }

// direction says which way an endpoint is better: +1 up, -1 down, 0 not said.
func direction(c *analysis.Contrast) int {
	switch c.Better {
	case analysis.Higher:
		return +1
	case analysis.Lower:
		return -1
	}
	return 0
}

// rubric reports whether a scale is known to run from 0 to 1, so that it may
// be told in points of 100.
func rubric(scale string) bool {
	switch scale {
	case "correctness", "actionability", "caution", "compliance":
		return true
	}
	return false
}

// models lists the models of a result in its own order.
func models(res *analysis.Result) []string {
	var out []string
	add := func(m string) {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for _, c := range res.Conditions {
		add(c.Model)
	}
	for _, c := range res.Contrasts {
		add(c.Model)
	}
	for _, p := range res.Frontier {
		add(p.Model)
	}
	return out
}

// endpoints lists the endpoints: utility, risk, then the others by name.
func endpoints(res *analysis.Result) []string {
	var out []string
	add := func(e string) {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	for _, c := range res.Contrasts {
		add(c.Endpoint)
	}
	for _, c := range res.Conditions {
		for e := range c.Endpoints {
			add(e)
		}
	}
	slices.SortFunc(out, byEndpoint)
	return out
}

func byEndpoint(a, b string) int {
	return cmp.Or(cmp.Compare(endpointRank(a), endpointRank(b)), cmp.Compare(a, b))
}

func endpointRank(e string) int {
	switch e {
	case "utility":
		return 0
	case "risk":
		return 1
	}
	return 2
}

// palette gives every condition its colour and shape, the same on the whole
// page whatever the model.
type palette struct{ index map[string]int }

// reference is the style of the reference condition.
const reference = -1

func paletteOf(res *analysis.Result) palette {
	p := palette{index: map[string]int{}}
	next := 0
	add := func(c string) {
		if _, ok := p.index[c]; ok {
			return
		}
		p.index[c] = next
		next++
	}
	refs := references(res)
	for r := range refs {
		p.index[r] = reference
	}
	for _, c := range res.Conditions {
		add(c.Condition)
	}
	for _, c := range res.Contrasts {
		add(c.Condition)
	}
	for _, c := range res.Frontier {
		add(c.Condition)
	}
	return p
}

// references holds the conditions that every contrast is taken against.
func references(res *analysis.Result) map[string]bool {
	refs := map[string]bool{}
	if res.Reference != "" {
		refs[res.Reference] = true
	}
	return refs
}

// colours is how many accents there are; shapes is how many marks. They are
// coprime, so that colours*shapes conditions differ.
const (
	colours = 6
	shapes  = 7
)

func (p palette) colour(condition string) int {
	if i := p.style(condition); i >= 0 {
		return i % colours
	}
	return reference
}

func (p palette) shape(condition string) int {
	if i := p.style(condition); i >= 0 {
		return i % shapes
	}
	return reference
}

func (p palette) style(condition string) int {
	i, ok := p.index[condition]
	if !ok {
		return 0
	}
	return i
}
