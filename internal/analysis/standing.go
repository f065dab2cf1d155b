package analysis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// The marks that a number may carry.
const (
	MarkExploratory = "exploratory" // a locked split was asked or analysed without a lock
	MarkPostHoc     = "post_hoc"    // not planned before the responses were there
	MarkDevelopment = "development" // of the splits on which rules and thresholds are made
)

// Standing says how the plan of a study stands: whether it was locked before
// the responses came, and what was changed since. The zero value is a study
// that asks nothing locked.
type Standing struct {
	Lock        string      `json:"lock,omitempty"`       // digest of the lock; empty without one
	LockedAt    *time.Time  `json:"locked_at,omitempty"`  // nil without a lock
	Exploratory bool        `json:"exploratory"`          // every number is marked
	TestB       bool        `json:"test_b_locked"`        // test-b was locked together with test
	Amendments  []Amendment `json:"amendments,omitempty"` // in order of time
	Deviations  []string    `json:"deviations,omitempty"` // how this analysis is not the one that was locked; every number is marked
}

// Amendment is an open change of a locked plan.
type Amendment struct {
	At      time.Time `json:"at"`
	Reason  string    `json:"reason"`
	Changed []string  `json:"changed"` // paths of the lock's fields
	Changes []Change  `json:"changes,omitempty"`
	Touches Touches   `json:"touches"`
}

// Change is one field of the lock before and after an amendment, as a person
// reads it.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old,omitempty"` // empty: it was added
	New  string `json:"new,omitempty"` // empty: it was taken away
}

// Touches says which numbers an amendment makes post hoc. The lists are names;
// All stands for every number.
type Touches struct {
	All        bool     `json:"all,omitempty"`
	Models     []string `json:"models,omitempty"`
	Conditions []string `json:"conditions,omitempty"` // as condition or as reference
	Endpoints  []string `json:"endpoints,omitempty"`
}

// Apart is a part of the responses that never moves the headline: test-b,
// adaptive probes, or the splits on which rules and thresholds were made.
type Apart struct {
	Name     string           `json:"name"`               // test-b, adaptive or development
	Marks    []uplift.Warning `json:"marks"`              // why it stands apart
	Result   *Result          `json:"result"`             // of the same steps with the same options; its families are its own
	Withheld string           `json:"withheld,omitempty"` // why Result is nil
}

// about is what a number is of; an empty list is about none in particular.
type about struct{ models, conditions, endpoints []string }

// touches reports whether an amendment changed something that the number is
// about.
func (t Touches) touches(a about) bool {
	among := func(changed []string) func(string) bool {
		return func(name string) bool { return slices.Contains(changed, name) }
	}
	return t.All || slices.ContainsFunc(a.models, among(t.Models)) ||
		slices.ContainsFunc(a.conditions, among(t.Conditions)) || slices.ContainsFunc(a.endpoints, among(t.Endpoints))
}

// marks are those of a number in a part that stands apart for the given
// reasons: of the study first, then of the part, then of the amendments, then of
// this analysis.
func (s Standing) marks(apart []uplift.Warning, a about) []uplift.Warning {
	out := []uplift.Warning{}
	if s.Exploratory {
		out = append(out, uplift.Warning{Code: MarkExploratory,
			Text: "a locked split was asked or analysed without a lock, so nothing shows that this was planned"})
	}
	out = append(out, apart...)
	for _, c := range s.Amendments {
		if c.Touches.touches(a) {
			out = append(out, c.Mark())
		}
	}
	if len(s.Deviations) > 0 {
		out = append(out, s.Deviation())
	}
	return out
}

// Deviation is the mark of an analysis that is not the one that was locked.
func (s Standing) Deviation() uplift.Warning {
	return uplift.Warning{Code: MarkPostHoc, Text: "this is not the analysis that was locked: " + strings.Join(s.Deviations, "; ")}
}

// Mark is what the amendment puts on every number that it touches.
func (a Amendment) Mark() uplift.Warning {
	day := a.At.UTC().Format(time.DateOnly)
	if a.Reason == "" {
		return uplift.Warning{Code: MarkPostHoc, Text: fmt.Sprintf("the locked plan was amended on %s, without a reason", day)}
	}
	return uplift.Warning{Code: MarkPostHoc, Text: fmt.Sprintf("the locked plan was amended on %s: %s", day, a.Reason)}
}

// marked reports whether a mark of a code is among some.
func marked(marks []uplift.Warning, code string) bool {
	return slices.ContainsFunc(marks, func(w uplift.Warning) bool { return w.Code == code })
}
