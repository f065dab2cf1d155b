package interop

import "github.com/uplift-eval/uplift"

// Sink takes what an importer reads. A *store.Batch is one.
//
// Add is called from one goroutine, in the order of the file, once or more for
// a response. Of each label it may read only Scale, Value and Grader. An empty
// field of r (text, family, tier, turns; the outcome Unreported) states
// nothing. Add must not keep the slice of labels, which is used again.
//
// An error with a method Conflict() string says that the file contradicts what
// the sink holds; it becomes a [Problem] at its line and reading goes on, and so
// does a [*Refusal]. Any other error ends the import at once and is returned as it is.
type Sink interface {
	Add(r uplift.Response, labels ...uplift.Label) error
}

// conflict is what a Sink returns when a record contradicts what it holds.
type conflict interface {
	error
	Conflict() string
}

// Refusal is what a Sink returns when a record is not to be taken at all, with
// every reason. Of each problem Field and Text count; the importer knows where.
type Refusal struct{ Problems []Problem }

// Error gives one reason a line.
func (r *Refusal) Error() string { return (&Problems{First: r.Problems}).Error() }

// Counts accounts for every record of a file. For tables
//
//	Rows   = rows that became a response or a repeat of one
//	cells read for a value = Labels + Missing + Duplicates
//
// and for logs
//
//	Samples = Responses + Invalidated
//	Scores  = Labels + Unscored + Unmapped + NotTaken
//
// where a score that holds several values counts once for each, and the scores
// of an invalidated sample do not count.
type Counts struct {
	Format string `json:"format"` // xstest, csv, jsonl or inspect

	Rows      int `json:"rows,omitempty"`    // rows of a table, without the header
	Samples   int `json:"samples,omitempty"` // full samples of a log
	Scores    int `json:"scores,omitempty"`  // score values of a log's samples that were read
	Responses int `json:"responses"`         // distinct cells
	Labels    int `json:"labels"`            // values taken

	Missing    int `json:"missing,omitempty"`    // empty value cells of a table: no label
	Duplicates int `json:"duplicates,omitempty"` // values stated again; of a log: older copies of a sample

	Unscored    int `json:"unscored,omitempty"`     // NaN or absent: the scorer gave none
	Unmapped    int `json:"unmapped,omitempty"`     // values that are no number, or none that can be computed with: no label
	NotTaken    int `json:"not_taken,omitempty"`    // scores that no scale option names
	Errors      int `json:"errors,omitempty"`       // samples that ended in an error; imported as such
	Invalidated int `json:"invalidated,omitempty"`  // samples that their owner declared invalid: left out
	SummaryOnly int `json:"summary_only,omitempty"` // samples that a crash left with a summary alone: left out
	Untiered    int `json:"untiered,omitempty"`     // rows or samples without a tier: they enter no endpoint

	Ignored []string `json:"ignored,omitempty"` // columns that were not read: the first 20, then "and N more"
	Notes   []string `json:"notes,omitempty"`   // what a reader of the numbers should know, in plain words
}
