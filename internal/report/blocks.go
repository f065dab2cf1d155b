package report

import (
	"github.com/uplift-eval/uplift/internal/analysis"
)

// blockLines say of every condition that has provider's blocks how many there are
// on the tiers of each endpoint, and what they are there. None where the study does not
// say how blocks are taken.
func blockLines(res *analysis.Result) []string {
	var out []string
	for _, c := range res.Conditions {
		who := name(c.Condition)
		if len(models(res)) > 1 {
			who = name(c.Model) + "/" + who
		}
		for _, e := range endpoints(res) {
			if m := c.Endpoints[e]; res.Blocks != "" && m.Blocks > 0 {
				out = append(out, who+", "+endpointWord(e)+": "+blockPhrase(res.Blocks, m))
			}
		}
	}
	return out
}

func blockPhrase(b analysis.Blocks, m analysis.Mean) string {
	blocks := plural(m.Blocks, "provider's block", "provider's blocks")
	if b == analysis.BlocksApart {
		return blocks + " apart from the other " + count(m.Responses+m.Missing) + " responses"
	}
	return blocks + " in " + count(m.Responses+m.Missing) + " responses, " + count(m.BlocksZero) + " of them 0 without a label"
}

// blockNote says how blocks are taken, where there are any.
func blockNote(res *analysis.Result) string {
	if len(blockLines(res)) == 0 {
		return ""
	}
	if res.Blocks == analysis.BlocksApart {
		return "The study sets provider's blocks apart. " + analysis.BlockedDefinition
	}
	return "The study counts provider's blocks. " + analysis.BlockedDefinition
}
