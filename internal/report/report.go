package report

import (
	"errors"
	"time"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Input is everything that the page shows.
type Input struct {
	Result     *analysis.Result    // required
	Agreement  *analysis.Agreement // nil: no agreement section
	Title      string              // empty: the study's name
	Provenance []Fact              // shown in order after the study's own facts
	Files      []Source            // what was read
	Generated  time.Time           // zero: not shown
}

// Fact is one line of provenance, such as the tool's version.
type Fact struct{ Name, Value string }

// Source is one file that the study read.
type Source struct {
	Name   string
	SHA256 string // hex
	Rows   int
}

// ErrNoResult is returned where an analysis is required and none was given.
var ErrNoResult = errors.New("report: no analysis (want a result)")

// ErrNoAgreement is returned where an agreement is required and none was given.
var ErrNoAgreement = errors.New("report: no agreement (want a result)")
