package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// contrasted is a contrast with the differences behind it, which its family
// needs.
type contrasted struct {
	Contrast
	sample   *stats.Clustered // nil without pairs
	withheld string           // why it has no interval; empty: it has one
}

// contrast makes one plan. What depends on its family is left open.
func (t *table) contrast(p plan, opt Options) (contrasted, error) {
	m := t.pairUp(p)
	out := contrasted{Contrast: t.header(p, opt)}
	out.Blocks = t.blockCount(p, m.pairs)
	out.Pairs, out.Unmatched = len(m.pairs), m.unmatched
	if t.unitScale(p.column) {
		out.Bounds = m.bounds()
	}
	if out.Truth = truthDifference(p, t, opt); len(m.pairs) == 0 {
		out.noPairs(m)
		out.warnBlocks(t.blockedAs)
		other, err := t.otherwise(&out.Contrast, p, opt)
		out.Sensitivity = append(out.Sensitivity, other...)
		return out, err
	}
	c, err := t.sample(m.pairs)
	if err != nil {
		return out, fmt.Errorf("%s of %s under %s: %w", out.Endpoint, out.Condition, out.Model, err)
	}
	v := t.judgeDifference(c, m.pairs, opt.Cluster)
	out.sample, out.withheld = c, v.interval
	out.describe(t, m.pairs, c)
	out.estimate(c, v, opt)
	out.test(c, opt.Seed)
	out.margin(c, v, opt.Endpoints[p.endpoint])
	out.Sensitivity = append(clusterIntervals(c, v, opt), t.raters(&out.Contrast, p, m.pairs, v, opt)...)
	out.Sensitivity = append(out.Sensitivity, pairIntervals(c, v, opt)...)
	other, err := t.otherwise(&out.Contrast, p, opt)
	if err != nil {
		return out, fmt.Errorf("%s of %s under %s: %w", out.Endpoint, out.Condition, out.Model, err)
	}
	out.Sensitivity = append(out.Sensitivity, other...)
	out.cover()
	out.mcnemar(m.pairs, t.unitScale(p.column))
	out.refusal(t, m.pairs)
	out.Warnings = append(out.Warnings, v.warnings...)
	out.warnMissing(m)
	out.warnBlocks(t.blockedAs)
	return out, nil
}

// header fills in what does not depend on the labels.
func (t *table) header(p plan, opt Options) Contrast {
	e := opt.Endpoints[p.endpoint]
	out := Contrast{
		Model: t.models.list[p.model], Condition: t.conditions.list[p.condition], Reference: t.conditions.list[p.reference],
		Endpoint: e.Name, Scale: e.Scale, Grader: t.columns[p.column].grader, Tiers: e.Tiers, Better: e.Better,
		Difference:  uplift.Estimate{Level: opt.Level, Method: HeadlineInterval},
		Sensitivity: []Sensitivity{}, ByRater: []RaterMean{}, Groups: []Group{}, Undefined: map[string]string{}, Warnings: []uplift.Warning{},
	}
	out.Marks = t.markings(opt, about{[]string{out.Model}, []string{out.Condition, out.Reference}, []string{e.Name}})
	if out.Grader != "" && out.Grader != uplift.Human {
		out.warn(CodeGrader, "graded by %s, not by people: its errors may differ between conditions, and pairing does not remove that; labels by people on a random part of the rows would show it", out.Grader)
	}
	return out
}

func (c *Contrast) warn(code, format string, args ...any) {
	c.Warnings = append(c.Warnings, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// noPairs says why there is no number.
func (c *Contrast) noPairs(m matched) {
	c.Undefined["difference"] = "no pair carries a label on both sides"
	c.warn(CodeNoPairs, "no estimate: of %d matched pairs of responses none carries a label on both sides (%d labelled responses have no labelled partner); label the same items under %s and %s on %s",
		m.cellPairs, m.unmatched, c.Condition, c.Reference, c.Scale)
}

// warnMissing tells of matched responses without a label.
func (c *Contrast) warnMissing(m matched) {
	if m.missing == 0 {
		return
	}
	bounds := "bounds exist on scales within [0,1] only"
	if c.Bounds != nil {
		bounds = fmt.Sprintf("whatever they hold, the difference over all %d lies in [%s, %s]", m.cellPairs, number(c.Bounds.Lo), number(c.Bounds.Hi))
	}
	graded := ""
	if m.graded > 0 {
		graded = fmt.Sprintf("; %d of the %d missing labels are of responses graded on another scale: where %s does not apply to them they belong in no difference, and bounds, which let them hold anything, are wider than need be",
			m.graded, m.missing, c.Scale)
	}
	c.warn(CodeMissingLabels, "%d of %d matched pairs lack a label on a side: harmless when the labelled rows were drawn at random, else %s; labelling them would mend it%s",
		m.cellPairs-c.Pairs, m.cellPairs, bounds, graded)
}

// describe fills in the counts, means and clusters.
func (c *Contrast) describe(t *table, pairs []pair, s *stats.Clustered) {
	var sumC, sumR float64
	tasks := map[int32]bool{}
	for _, p := range pairs {
		sumC += p.scoreCondition
		sumR += p.scoreReference
		tasks[t.items.list[t.cells[p.condition].item()].task] = true
	}
	n := float64(len(pairs))
	c.MeanCondition, c.MeanReference = new(sumC/n), new(sumR/n)
	c.Tasks, c.Clusters, c.NonZero = len(tasks), s.Clusters(), s.NonZero()
	c.TaskWeighted = new(s.ClusterWeighted())
	for _, g := range s.Groups() {
		c.Groups = append(c.Groups, Group{Name: t.clusters[g.Cluster], Pairs: g.N, Mean: g.Mean})
	}
	for _, l := range s.LeaveOneOut() {
		c.LeaveOneOut = c.LeaveOneOut.widen(l.Mean, t.clusters[l.Cluster])
	}
}

// widen is a range that holds a named value too; nil holds nothing yet.
func (r *Range) widen(v float64, name string) *Range {
	if r == nil {
		return &Range{Lo: v, Hi: v, LoName: name, HiName: name}
	}
	if v < r.Lo {
		r.Lo, r.LoName = v, name
	}
	if v > r.Hi {
		r.Hi, r.HiName = v, name
	}
	return r
}

// estimate fills in the headline, which the guards may strip of its interval.
func (c *Contrast) estimate(s *stats.Clustered, v verdict, opt Options) {
	var p *float64
	c.Difference, p = estimate(s, v, opt.Level)
	if c.P = p; p == nil {
		c.Undefined["p_cr2"] = v.interval
	}
	icc, err := s.ICC()
	if err == nil && icc > 1-1e-9 && slices.ContainsFunc(s.Groups(), func(g stats.Group) bool { return g.N == 1 }) {
		err = errors.New("the clusters of several pairs show no spread within them, and the others hold one pair each")
	}
	if err != nil {
		reason := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "icc: "), "undefined, because ")
		c.Undefined["icc"], c.Undefined["design_effect"] = reason, reason
		return
	}
	c.ICC = new(icc)
	// The mean size stands for all sizes, which unequal ones can take below 0.
	if d := stats.DesignEffect(float64(s.N())/float64(s.Clusters()), icc); d > 0 {
		c.DesignEffect = new(d)
		return
	}
	c.Undefined["design_effect"] = "the ICC is too negative for clusters this unequal"
}

// estimate is the mean of a sample with its CR2 interval and p, unless the
// verdict withholds them.
func estimate(s *stats.Clustered, v verdict, level float64) (uplift.Estimate, *float64) {
	out := uplift.Estimate{Value: new(s.Mean()), Level: level, Method: HeadlineInterval}
	if se, df := s.Sandwich(stats.CR2); df > 0 {
		out.SE, out.DF = new(se), new(df)
	}
	if v.interval != "" {
		return out, nil
	}
	i, err := s.Interval(stats.CR2, level)
	if err != nil { // the guards leave nothing that it refuses
		return out, nil
	}
	out.Lo, out.Hi = new(i.Lo), new(i.Hi)
	return out, new(i.P)
}

// test fills in the sign-flip tests, which hold for any number of clusters.
func (c *Contrast) test(s *stats.Clustered, seed uint64) {
	if s.Clusters() == 1 {
		c.Undefined["p_sign_flip"] = "there is a single cluster to flip"
	} else if f, err := s.SignFlipClusters(seed); err != nil {
		c.Undefined["p_sign_flip"] = err.Error()
	} else {
		c.PSignFlip, c.SignFlipMethod = new(f.P), f.Method
	}
	if f, err := s.SignFlipPairs(seed); err != nil {
		c.Undefined["p_sign_flip_pairs"] = err.Error()
	} else {
		c.PSignFlipPairs = new(f.P)
	}
}

// mcnemar compares full scores, on scales within [0,1].
func (c *Contrast) mcnemar(pairs []pair, unit bool) {
	if !unit {
		c.Undefined["mcnemar"] = "the scale goes beyond [0,1]"
		return
	}
	var m McNemar
	for _, p := range pairs {
		full, fullRef := p.scoreCondition >= 1, p.scoreReference >= 1
		if full && !fullRef {
			m.Gain++
		}
		if fullRef && !full {
			m.Loss++
		}
	}
	m.P = stats.McNemar(m.Gain, m.Loss)
	c.McNemar = &m
}

// refusal fills in the change of the refusal rate over the pairs of which it
// is known on both sides.
func (c *Contrast) refusal(t *table, pairs []pair) {
	change := 0
	for _, p := range pairs {
		a, b := t.refused(p.condition), t.refused(p.reference)
		if a == refusalUnknown || b == refusalUnknown {
			continue
		}
		c.RefusalPairs++
		change += int(a) - int(b) // refusalYes - refusalNo is 1
	}
	if c.RefusalPairs == 0 {
		c.Undefined["refusal_change"] = "refusal is not known on both sides of any pair"
		return
	}
	c.RefusalChange = new(float64(change) / float64(c.RefusalPairs))
}

// truthDifference is nil unless both sides are known.
func truthDifference(p plan, t *table, opt Options) *float64 {
	end := opt.Endpoints[p.endpoint].Name
	model := t.models.list[p.model]
	a, okA := opt.truth(t.name, model, t.conditions.list[p.condition], end)
	b, okB := opt.truth(t.name, model, t.conditions.list[p.reference], end)
	if !okA || !okB {
		return nil
	}
	return new(a - b)
}

func (o Options) truth(part, model, condition, endpoint string) (float64, bool) {
	for _, t := range o.Truth {
		if cmp.Or(t.Part, PartHeadline) == part && t.Model == model && t.Condition == condition && t.Endpoint == endpoint {
			return t.Mean, true
		}
	}
	return 0, false
}
