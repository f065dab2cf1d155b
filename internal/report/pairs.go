package report

import (
	"io"
	"iter"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Pair is one tidy row: the same cell under a condition and its reference.
type Pair struct {
	Model, Condition, Reference string
	Endpoint, Scale             string
	Task, Attack                string
	Replicate                   int
	Family, Tier, Cluster       string
	ValueCondition              float64
	ValueReference              float64
}

// Agreement stands in for the agreement of raters.
type Agreement struct{}

// PairsCSV writes the pairs as CSV with a header, values unrounded.
func PairsCSV(w io.Writer, pairs iter.Seq2[Pair, error]) error { return nil }

// RScript is an R program that reads the file of [PairsCSV] and computes the
// headline of every contrast again: by hand in base R, then with clubSandwich.
func RScript(res *analysis.Result) string { return "" }
