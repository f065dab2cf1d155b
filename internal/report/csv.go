package report

import (
	"cmp"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// sensitivityColumns are the methods that CSV has columns for, in order.
var sensitivityColumns = []string{"boot_t", "task_percentile", "task_bca", "wild", "pairs_percentile", "pairs_bca", "pigeonhole", "task_expanded", "pairs_t"}

// CSV writes one row a contrast with a header: of the headline, then of each part
// that stands apart, which the column part names. Values are unrounded and names
// are as they are; an absent number is an empty field.
func CSV(w io.Writer, res *analysis.Result) error {
	if res == nil {
		return ErrNoResult
	}
	out := csv.NewWriter(w)
	head := []string{"study", "simulated", "model", "condition", "reference", "endpoint", "scale", "tiers", "grader", "cluster",
		"pairs", "tasks", "clusters", "nonzero_clusters", "unmatched", "mean_condition", "mean_reference",
		"difference", "lo", "hi", "level", "method", "se", "df", "p_cr2", "p_sign_flip", "p_sign_flip_pairs", "p_holm",
		"icc", "design_effect", "task_weighted", "leave_one_out_lo", "leave_one_out_hi", "refusal_change", "truth"}
	for _, m := range sensitivityColumns {
		head = append(head, m+"_lo", m+"_hi")
	}
	head = append(head, "better", "family_size", "p_holm_cr2", "p_max_t", "band_lo", "band_hi",
		"margin", "non_inferiority_p", "non_inferiority_bound", "non_inferiority_shown", "equivalence_p", "equivalence_shown")
	if err := out.Write(append(head, "warnings", "part", "marks")); err != nil {
		return err
	}
	of := []*analysis.Result{res}
	for _, a := range res.Apart {
		if a.Result != nil {
			of = append(of, a.Result)
		}
	}
	for _, res := range of {
		for _, i := range contrastOrder(res) {
			if err := out.Write(csvRow(res, &res.Contrasts[i])); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(res *analysis.Result, c *analysis.Contrast) []string {
	d := c.Difference
	row := []string{res.Study, strconv.FormatBool(res.Simulated), c.Model, c.Condition, c.Reference, c.Endpoint, c.Scale, csvTiers(c), c.Grader, string(res.Cluster),
		strconv.Itoa(c.Pairs), strconv.Itoa(c.Tasks), strconv.Itoa(c.Clusters), strconv.Itoa(c.NonZero), strconv.Itoa(c.Unmatched),
		exactOr(c.MeanCondition), exactOr(c.MeanReference)}
	row = append(row, exactOr(d.Value), exactOr(d.Lo), exactOr(d.Hi), exact(d.Level), d.Method, exactOr(d.SE), exactOr(d.DF),
		exactOr(c.P), exactOr(c.PSignFlip), exactOr(c.PSignFlipPairs), exactOr(holm(c)), exactOr(c.ICC), exactOr(c.DesignEffect), exactOr(c.TaskWeighted))
	left := []string{"", ""}
	if r := c.LeaveOneOut; r != nil {
		left = []string{exact(r.Lo), exact(r.Hi)}
	}
	row = append(append(row, left...), exactOr(c.RefusalChange), exactOr(c.Truth))
	for _, m := range sensitivityColumns {
		lo, hi := boundsOf(c, m)
		row = append(row, exactOr(lo), exactOr(hi))
	}
	row = append(append(row, csvFamily(c)...), csvMargin(c)...)
	return append(row, csvCodes(c.Warnings), cmp.Or(res.Part, analysis.PartHeadline), strings.Join(markCodes(c.Marks), "+"))
}

// csvCodes lists codes, each as often as it is there.
func csvCodes(findings []uplift.Warning) string {
	codes := make([]string, len(findings))
	for i, w := range findings {
		codes[i] = w.Code
	}
	return strings.Join(codes, "+")
}

// csvFamily is what the other contrasts of an endpoint make of one.
func csvFamily(c *analysis.Contrast) []string {
	size, lo, hi := "", "", ""
	if c.Family != nil {
		size = strconv.Itoa(c.Family.K())
	}
	if b := c.Band; b != nil {
		lo, hi = exact(b.Lo), exact(b.Hi)
	}
	return []string{string(c.Better), size, exactOr(holmCR2(c)), exactOr(c.PMaxT), lo, hi}
}

// csvMargin is what the tests against a margin say.
func csvMargin(c *analysis.Contrast) []string {
	out := make([]string, 6)
	if n := c.NonInferiority; n != nil {
		out[0], out[1], out[2], out[3] = exact(n.Margin), exact(n.P), exact(n.Lower), strconv.FormatBool(n.Shown)
	}
	if e := c.Equivalence; e != nil {
		out[4], out[5] = exact(e.P), strconv.FormatBool(e.Shown)
	}
	return out
}

func csvTiers(c *analysis.Contrast) string {
	out := make([]string, len(c.Tiers))
	for i, t := range c.Tiers {
		out[i] = string(t)
	}
	return strings.Join(out, "+")
}

func boundsOf(c *analysis.Contrast, method string) (lo, hi *float64) {
	for _, s := range c.Sensitivity {
		if s.Method == method {
			return s.Lo, s.Hi
		}
	}
	return nil, nil
}

// exactOr is an unrounded number, or nothing.
func exactOr(p *float64) string {
	v, ok := finite(p)
	if !ok {
		return ""
	}
	return exact(v)
}
