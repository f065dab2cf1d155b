package report

import (
	"encoding/csv"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// pairColumns is the header of [PairsCSV].
var pairColumns = []string{"model", "condition", "reference", "endpoint", "scale", "tier",
	"task", "family", "attack", "replicate", "score_condition", "score_reference", "difference", "simulated", "marks"}

// PairsCSV writes the pairs as CSV with a header, in their own order and
// unrounded: the file that [RScript] reads. Names are written as they are.
// What makes a number of the result no confirmation stands in every row: whether
// the study is simulated, and the marks of the row's contrast.
func PairsCSV(w io.Writer, pairs iter.Seq[analysis.Pair], res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	marks := marksOfPairs(res)
	out := csv.NewWriter(w)
	if err := out.Write(pairColumns); err != nil {
		return err
	}
	for p := range pairs {
		err := out.Write([]string{p.Model, p.Condition, p.Reference, p.Endpoint, p.Scale, string(p.Tier),
			p.Task, p.Family, p.Attack, strconv.Itoa(p.Replicate),
			exact(p.ScoreCondition), exact(p.ScoreReference), exact(p.Difference), strconv.FormatBool(res.Simulated), marks(p)})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// marksOfPairs gives the codes of the marks of a pair's contrast.
func marksOfPairs(res *analysis.Result) func(analysis.Pair) string {
	type key struct{ model, condition, endpoint string }
	of := map[key]string{}
	for _, c := range res.Contrasts {
		of[key{c.Model, c.Condition, c.Endpoint}] = strings.Join(markCodes(c.Marks), "+")
	}
	return func(p analysis.Pair) string { return of[key{p.Model, p.Condition, p.Endpoint}] }
}

// exact is the shortest decimal that reads back as v.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
