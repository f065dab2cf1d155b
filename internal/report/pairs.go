package report

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// pairColumns is the header of [PairsCSV].
var pairColumns = []string{"model", "condition", "reference", "endpoint", "scale", "tier",
	"task", "family", "attack", "replicate", "score_condition", "score_reference", "difference", "simulated"}

// PairsCSV writes the pairs as CSV with a header, in their own order and
// unrounded: the file that [RScript] reads. Names are written as they are.
// simulated is the study's, and stands in every row.
func PairsCSV(w io.Writer, pairs iter.Seq[analysis.Pair], simulated bool) error {
	out := csv.NewWriter(w)
	if err := out.Write(pairColumns); err != nil {
		return err
	}
	for p := range pairs {
		err := out.Write([]string{p.Model, p.Condition, p.Reference, p.Endpoint, p.Scale, string(p.Tier),
			p.Task, p.Family, p.Attack, strconv.Itoa(p.Replicate),
			exact(p.ScoreCondition), exact(p.ScoreReference), exact(p.Difference), strconv.FormatBool(simulated)})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// exact is the shortest decimal that reads back as v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
