package analysis

import (
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// The marks that a number may carry.
const (
	MarkExploratory = "exploratory" // a locked split was asked or analysed without a lock
	MarkPostHoc     = "post_hoc"    // not planned before the responses were there
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
}

// Amendment is an open change of a locked plan.
type Amendment struct {
	At      time.Time `json:"at"`
	Reason  string    `json:"reason"`
	Changed []string  `json:"changed"` // paths of the lock's fields
	Touches Touches   `json:"touches"`
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
	Name   string           `json:"name"`  // test-b, adaptive or development
	Marks  []uplift.Warning `json:"marks"` // why it stands apart
	Result *Result          `json:"result"`
}
