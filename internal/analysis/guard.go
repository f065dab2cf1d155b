package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// The guards: what a sample must have before an interval is printed. See
// doc/method.md.
const (
	minClusters    = 5   // below: no interval
	enoughClusters = 10  // below: a banner
	minNonZero     = 6   // clusters with a difference; below: no bootstrap
	maxShare       = 0.5 // of the pairs in one cluster; above: no interval
	leverageShare  = 0.3 // above: a warning
)

// Codes of warnings about one contrast.
const (
	CodeNoPairs       = "no_pairs"
	CodeNoInterval    = "no_interval"
	CodeOneCluster    = "one_cluster"
	CodeFewClusters   = "few_clusters"
	CodeFewNonZero    = "few_nonzero"
	CodeLeverage      = "leverage"
	CodeNoSpread      = "no_spread"
	CodeWeighting     = "weighting"
	CodeSignFlipFloor = "sign_flip_floor"
	CodeMissingLabels = "missing_labels"
	CodeGrader        = "grader"
	CodeSinglePairs   = "single_pairs"
	CodeMixedFamily   = "mixed_family" // adjusted together with post hoc contrasts
)

// Codes of warnings about the data as a whole.
const (
	CodeUntiered   = "untiered"
	CodeRaterMarks = "rater_marks_unused"
	// CodeErrorLabels means that labels stand on responses that ended in an
	// error. They are not used: an error is never a score.
	CodeErrorLabels = "error_labels"
	// CodeNoReference means that a model is in no contrast: its labels are
	// there, the reference is not.
	CodeNoReference = "no_reference"
	// CodeNoHeadline means that the headline has no pair, and a part apart has.
	CodeNoHeadline = "no_headline"
	// CodeStudyChanged means that the study file is not the one that the data
	// were made under. Only a caller knows: see [Options.Notes].
	CodeStudyChanged = "study_changed"
	// CodeIncomplete means that a locked study has not asked all of its cells. Only
	// a caller knows: see [Options.Notes].
	CodeIncomplete = "incomplete"
)

// verdict is what the guards make of a sample.
type verdict struct {
	interval  string // why no interval may be printed; empty: it may
	bootstrap string // why no bootstrap interval may be
	warnings  []uplift.Warning
}

func (v *verdict) warn(code, format string, args ...any) {
	v.warnings = append(v.warnings, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// judge applies the guards that need nothing but the clusters: those of every
// interval, be it of a mean or of a difference.
func (t *table) judge(c *stats.Clustered, by Cluster) verdict {
	var v verdict
	g := c.Clusters()
	switch {
	case g == 1:
		v.interval = fmt.Sprintf("all values are of one %s", by)
		v.warn(CodeOneCluster, "everything is of one %s (%s): no interval, and nothing is known beyond it; values of other %s would mend it",
			by, t.listClusters(c), by.plural())
	case g < minClusters:
		v.interval = fmt.Sprintf("%d %s (want at least %d)", g, by.plural(), minClusters)
		v.warn(CodeNoInterval, "only %d %s (%s): no interval; at least %d are needed, and %d before an interval can be relied on",
			g, by.plural(), t.listClusters(c), minClusters, enoughClusters)
	case c.MaxShare() > maxShare:
		v.interval = fmt.Sprintf("one %s holds %.0f %% of the values", by, 100*c.MaxShare())
		v.warn(CodeNoInterval, "%s hold very unequal shares (%s): no interval; more values of the smaller %s would mend it",
			by.plural(), t.listClusters(c), by.plural())
	}
	if g < enoughClusters {
		v.warn(CodeFewClusters, "too few %s: %d; an interval from so few tends to be too narrow, and more %s, not more values of each, would mend it",
			by.plural(), g, by.plural())
	}
	if share := c.MaxShare(); share > leverageShare && v.interval == "" {
		v.warn(CodeLeverage, "%s %s holds %.0f %% of the values and leads the result; more values of the other %s would mend it, and the %s-weighted mean shows how much it matters",
			by, t.largest(c), 100*share, by.plural(), by)
	}
	if se, _ := c.Sandwich(stats.CR2); v.interval == "" && se == 0 {
		v.interval = "the standard error is 0"
	}
	v.bootstrap = v.interval
	return v
}

// judgeDifference adds the guards of a paired difference.
func (t *table) judgeDifference(c *stats.Clustered, pairs []pair, by Cluster) verdict {
	v := t.judge(c, by)
	if se, _ := c.Sandwich(stats.CR2); se == 0 && c.Clusters() > 1 {
		v.noSpread(c, pairs, by)
	}
	if nz := c.NonZero(); nz < minNonZero {
		v.fewNonZero(nz, c.Clusters(), by)
	}
	v.weighting(c, by)
	t.singlePairs(&v, c, by)
	return v
}

func (v *verdict) noSpread(c *stats.Clustered, pairs []pair, by Cluster) {
	what := fmt.Sprintf("every %s has the same mean difference %s", by, number(c.Mean()))
	if !slices.ContainsFunc(pairs, func(p pair) bool { return p.difference() != pairs[0].difference() }) {
		what = fmt.Sprintf("every difference is %s", number(c.Mean()))
	}
	v.warn(CodeNoSpread, "%s: the standard error is 0 and no interval exists, which does not show that the true difference is exactly this; finer scores or more %s would mend it",
		what, by.plural())
}

func (v *verdict) fewNonZero(nonZero, clusters int, by Cluster) {
	reason := fmt.Sprintf("%s (want at least %d)", fewShow(nonZero, clusters, by), minNonZero)
	if v.bootstrap == "" {
		v.bootstrap = reason
	}
	switch {
	case clusters < minClusters:
	case v.interval != "":
		v.warn(CodeFewNonZero, "%s: neither an interval nor a test against a margin could be relied on; more %s would mend it",
			reason, by.plural())
	default:
		v.warn(CodeFewNonZero, "%s: the interval that stands is too narrow; there is no bootstrap interval and no test against a margin, which would promise far too much; read the exact sign-flip p instead; more %s would mend it",
			reason, by.plural())
	}
}

// fewShow says how many of the clusters show a difference, where they are few.
func fewShow(nonZero, clusters int, by Cluster) string {
	switch nonZero {
	case 0:
		return fmt.Sprintf("no %s of %d shows a difference", by, clusters)
	case 1:
		return fmt.Sprintf("only 1 of %d %s shows a difference", clusters, by.plural())
	}
	return fmt.Sprintf("only %d of %d %s show a difference", nonZero, clusters, by.plural())
}

func (v *verdict) weighting(c *stats.Clustered, by Cluster) {
	se, _ := c.Sandwich(stats.CR2)
	if gap := math.Abs(c.Mean() - c.ClusterWeighted()); se > 0 && gap > se/2 {
		v.warn(CodeWeighting, "the pair-weighted difference (%s) and the %s-weighted one (%s) differ by more than half a standard error: large and small %s behave differently; report both, or balance the pairs a %s",
			signed(c.Mean()), by, signed(c.ClusterWeighted()), by.plural(), by)
	}
}

// singlePairs says that clustering by task changes nothing where every task is
// one pair, while families that hold several tasks may be what is independent.
func (t *table) singlePairs(v *verdict, c *stats.Clustered, by Cluster) {
	if by != ByTask || c.N() != c.Clusters() || c.Clusters() < 2 {
		return
	}
	of, _, err := t.clusterItems(ByFamily)
	if err != nil {
		return
	}
	families := map[int]bool{}
	tasks := map[int32]int{}
	for i, it := range t.items.list {
		tasks[it.task] = of[i]
	}
	for _, g := range c.Groups() {
		families[tasks[int32(g.Cluster)]] = true
	}
	if 2*len(families) <= c.Clusters() && len(families) > 1 {
		v.warn(CodeSinglePairs, "every task is one pair, so its clusters change nothing; the tasks come from %d families, and if tasks of a family are alike the interval is too narrow: clusters by family would show it", len(families))
	}
}

// listClusters names up to ten clusters with their counts, and their number
// beyond that.
func (t *table) listClusters(c *stats.Clustered) string {
	const most = 10
	groups := c.Groups()
	var parts []string
	for i, g := range groups {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(groups)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: %d", t.clusters[g.Cluster], g.N))
	}
	return strings.Join(parts, ", ")
}

// largest names the first of the largest clusters.
func (t *table) largest(c *stats.Clustered) string {
	best := slices.MaxFunc(c.Groups(), func(a, b stats.Group) int { return cmp.Compare(a.N, b.N) })
	return t.clusters[best.Cluster]
}
