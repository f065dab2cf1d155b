package replay

import (
	"maps"
	"slices"
)

// Report says what follows from the stored bytes. Cells = Reproduced + Differing
// + Gaps.
type Report struct {
	Cells      int `json:"cells"` // stored responses
	Reproduced int `json:"reproduced"`
	Differing  int `json:"differing"`
	Gaps       int `json:"not_replayable"`
	Calls      int `json:"calls"` // that were read again, each once
	Attempts   int `json:"attempts"`

	Why         []Reason     `json:"why"`         // cells that are not replayable, the most frequent first
	Differences []Difference `json:"differences"` // the first ones
	More        int          `json:"more"`        // differences that are not listed
}

// Reason is why cells cannot be replayed.
type Reason struct {
	Text  string `json:"text"`
	Cells int    `json:"cells"`
}

// Difference is one field that does not follow from the bytes.
type Difference struct {
	Of       string `json:"of"` // a cell, "call DIGEST" or "attempt DIGEST N"
	Field    string `json:"field"`
	Stored   string `json:"stored"`
	Replayed string `json:"replayed"`
}

func (r *Report) differ(most int, list []Difference) {
	for _, d := range list {
		if len(r.Differences) < most {
			r.Differences = append(r.Differences, d)
		} else {
			r.More++
		}
	}
}

// reasons sorts by frequency, then by text.
func reasons(by map[string]int) []Reason {
	out := []Reason{}
	for _, text := range slices.Sorted(maps.Keys(by)) {
		out = append(out, Reason{text, by[text]})
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return b.Cells - a.Cells })
	return out
}
