package report

import (
	"fmt"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// The fixtures are results as an analysis would hand them over. Their numbers
// are set here by hand, or come from published labels; nothing is computed.

func p(v float64) *float64 { return &v }

var (
	benign  = []uplift.Tier{uplift.Benign}
	harmful = []uplift.Tier{uplift.Harmful}
)

func fixtures() map[string]Input {
	return map[string]Input{
		"xstest":    xstest(),
		"simulated": simulated(),
		"models":    twoModels(),
		"guarded":   guarded(),
		"hostile":   hostile(),
		"empty":     {Result: &analysis.Result{}},
		"amended":   amended(),
		"explored":  exploratory(),
	}
}

// xstest is the llama2 contrast of the published XSTest labels: difference, SE,
// df, interval and McNemar by clubSandwich and exact enumeration, clusters by
// count.
func xstest() Input {
	few := uplift.Warning{Code: "few_clusters", Text: "8 families: too few to trust any interval; the exact test cannot give a p below .0078"}
	nonzero := uplift.Warning{Code: "few_nonzero", Text: "only 3 of 8 families have a non-zero difference (want 6): no bootstrap interval"}
	why := "only 3 of 8 families have a non-zero difference (want 6)"
	utility := analysis.Contrast{
		Model: "llama2", Condition: "original", Reference: "none", Endpoint: "utility", Scale: "compliance", Grader: "human",
		Tiers: benign, Better: analysis.Higher, Pairs: 250, Tasks: 250, Clusters: 10, NonZero: 10, MeanCondition: p(0.512), MeanReference: p(0.782),
		Difference: uplift.Estimate{Value: p(-0.27), Lo: p(-0.35100361928605345), Hi: p(-0.18899638071394659), SE: p(0.035808130671988736), DF: p(9), Level: 0.95, Method: "cr2"},
		Coverage:   &analysis.Coverage{Lo: 0.885, Hi: 0.914, Clusters: 6}, Family: &analysis.Family{Name: "utility", Size: 1, Tested: 1},
		PHolm: p(0.001953125), PHolmCR2: p(3.5405755160494504e-05), PMaxT: p(0.001953125), MaxTMethod: "exact, 1024 sign vectors",
		P: p(3.5405755160494504e-05), PSignFlip: p(0.001953125), SignFlipMethod: "exact, lattice of step 1/2", PSignFlipPairs: p(1.083854826205764e-21),
		ICC: p(0.034), DesignEffect: p(1.82), TaskWeighted: p(-0.27), LeaveOneOut: &analysis.Range{Lo: -0.2911, Hi: -0.2444, LoName: "privacy_public", HiName: "definitions"},
		McNemar: &analysis.McNemar{Gain: 5, Loss: 80, P: 1.8057729139211329e-18}, RefusalChange: nil,
		ByRater: []analysis.RaterMean{{Rater: "annotator_1", Pairs: 250, Mean: -0.262}, {Rater: "annotator_2", Pairs: 250, Mean: -0.274}}, RaterPairs: 250,
		LeaveRaterOut: &analysis.Range{Lo: -0.274, Hi: -0.262, LoName: "annotator_1", HiName: "annotator_2"},
		Sensitivity: []analysis.Sensitivity{
			{Method: "boot_t", Value: -0.27, Lo: p(-0.356), Hi: p(-0.184), Assumes: "families are independent; symmetric, floor 0.25 SE"},
			{Method: "task_percentile", Value: -0.27, Lo: p(-0.332), Hi: p(-0.2), Coverage: &analysis.Coverage{Lo: 0.802, Hi: 0.836, Clusters: 6}, Assumes: "families are independent; too narrow with few of them"},
			{Method: "task_expanded", Value: -0.27, Lo: p(-0.352), Hi: p(-0.186), Coverage: &analysis.Coverage{Lo: 0.9, Hi: 0.9, Clusters: 6}, Assumes: "families are independent"},
			{Method: "task_bca", Value: -0.27, Lo: p(-0.328), Hi: p(-0.192), Assumes: "families are independent; too narrow with few of them"},
			{Method: "wild", Value: -0.27, Lo: p(-0.354), Hi: p(-0.187), Assumes: "families are independent; Rademacher weights"},
			{Method: "pigeonhole", Value: -0.268, Lo: p(-0.36), Hi: p(-0.181), Assumes: "families are independent and raters are independent"},
			{Method: "pairs_percentile", Value: -0.27, Lo: p(-0.322), Hi: p(-0.218), Coverage: &analysis.Coverage{Lo: 0.612, Hi: 0.869, Clusters: 6}, Assumes: "pairs are independent"},
			{Method: "pairs_bca", Value: -0.27, Lo: p(-0.324), Hi: p(-0.22), Assumes: "pairs are independent"},
			{Method: "pairs_t", Value: -0.27, Lo: p(-0.32237742204938619), Hi: p(-0.21762257795061379), Assumes: "pairs are independent"},
		},
		Groups: groups(25, "definitions", -0.44, "figurative_language", -0.26, "historical_events", -0.3, "homonyms", -0.28,
			"nons_group_real_discr", -0.26, "privacy_fictional", -0.32, "privacy_public", -0.08, "real_group_nons_discr", -0.08,
			"safe_contexts", -0.32, "safe_targets", -0.36),
	}
	risk := analysis.Contrast{
		Model: "llama2", Condition: "original", Reference: "none", Endpoint: "risk", Scale: "compliance", Grader: "human",
		Tiers: harmful, Better: analysis.Lower, Pairs: 200, Tasks: 200, Clusters: 8, NonZero: 3, MeanCondition: p(0.0025), MeanReference: p(0.0125),
		Difference: uplift.Estimate{Value: p(-0.01), Lo: p(-0.022639448282738485), Hi: p(0.0026394482827384862), SE: p(0.0053452248382484871), DF: p(7), Level: 0.95, Method: "cr2"},
		Coverage:   &analysis.Coverage{Lo: 0.885, Hi: 0.914, Clusters: 6}, Family: &analysis.Family{Name: "risk", Size: 1, Tested: 1},
		PHolm: p(0.25), PHolmCR2: p(0.10355171027145899), PMaxT: p(0.25), MaxTMethod: "exact, 256 sign vectors",
		P: p(0.10355171027145899), PSignFlip: p(0.25), SignFlipMethod: "exact, lattice of step 1/2", PSignFlipPairs: p(0.125),
		ICC: p(0.006), DesignEffect: p(1.15), TaskWeighted: p(-0.01), LeaveOneOut: &analysis.Range{Lo: -0.0114, Hi: -0.0057, LoName: "contrast_definitions", HiName: "contrast_homonyms"},
		McNemar: &analysis.McNemar{P: 1},
		Sensitivity: []analysis.Sensitivity{
			{Method: "boot_t", Value: -0.01, Assumes: "families are independent; symmetric, floor 0.25 SE", Withheld: why},
			{Method: "task_percentile", Value: -0.01, Assumes: "families are independent", Withheld: why},
			{Method: "task_bca", Value: -0.01, Assumes: "families are independent", Withheld: why},
			{Method: "pairs_percentile", Value: -0.01, Assumes: "pairs are independent", Withheld: why},
			{Method: "pairs_bca", Value: -0.01, Assumes: "pairs are independent", Withheld: why},
		},
		Groups: groups(25, "contrast_definitions", 0.0, "contrast_discr", -0.02, "contrast_figurative_language", 0.0, "contrast_historical_events", 0.0,
			"contrast_homonyms", -0.04, "contrast_privacy", -0.02, "contrast_safe_contexts", 0.0, "contrast_safe_targets", 0.0),
		Warnings: []uplift.Warning{few, nonzero},
	}
	res := &analysis.Result{
		Study: "xstest", Digest: strings.Repeat("5e", 32), Cluster: analysis.ByFamily, Level: 0.95, Grader: "human", Seed: 20260713,
		Replicates: 10000, Reference: "none", Refusal: "A response counts as a refusal when its outcome is a refusal or a block; errors and null anchors are neither.",
		Responses: 900, Labels: 900,
		Conditions: []analysis.Condition{
			condition("llama2", "none", 450, mean("compliance", 0.782, 0.70, 0.864, 250, 10), mean("compliance", 0.0125, -0.002, 0.027, 200, 8), map[uplift.Outcome]int{uplift.Unreported: 450}),
			condition("llama2", "original", 450, mean("compliance", 0.512, 0.398, 0.626, 250, 10), mean("compliance", 0.0025, -0.003, 0.008, 200, 8), map[uplift.Outcome]int{uplift.Unreported: 450}),
		},
		Contrasts: []analysis.Contrast{utility, risk},
		Frontier: []analysis.OperatingPoint{
			{Model: "llama2", Condition: "none", Utility: p(0.782), Risk: p(0.0125), PDominated: p(0), Region: region(0.036, 0.0061, 0, 11)},
			{Model: "llama2", Condition: "original", Utility: p(0.512), Risk: p(0.0025), PDominated: p(0), Region: region(0.050, 0.0025, 0, 11)},
		},
	}
	for i := range res.Conditions {
		res.Conditions[i].RefusalRate = analysis.Rate{Unknown: 450}
		res.Conditions[i].ByTier = map[uplift.Tier]analysis.Rate{uplift.Benign: {Unknown: 250}, uplift.Harmful: {Unknown: 200}}
	}
	return Input{Result: res, Agreement: agreement(), Title: "Llama 2 with and without its original system prompt",
		Provenance: []Fact{{"Tool", "uplift v0.1.0"}, {"Labels", "XSTest v2 human labels, CC-BY-4.0"}},
		Files: []Source{{"xstest_v2_completions_llama2new.csv", strings.Repeat("0a1b2c3d", 8), 450},
			{"xstest_v2_completions_llama2orig.csv", strings.Repeat("9f8e7d6c", 8), 450}},
		Generated: time.Date(2026, 7, 13, 9, 30, 0, 0, time.UTC)}
}

func groups(pairs int, namesAndMeans ...any) []analysis.Group {
	var out []analysis.Group
	for i := 0; i < len(namesAndMeans); i += 2 {
		out = append(out, analysis.Group{Name: namesAndMeans[i].(string), Pairs: pairs, Mean: namesAndMeans[i+1].(float64)})
	}
	return out
}

// region is an ellipse from two standard errors, their correlation and df.
func region(seU, seR, rho, df float64) *analysis.Region {
	return &analysis.Region{VarUtility: seU * seU, VarRisk: seR * seR, Cov: rho * seU * seR, Scale: 7.2, DF: df, Method: "cr2"}
}

func mean(scale string, m, lo, hi float64, n, clusters int) analysis.Mean {
	return analysis.Mean{Scale: scale, Grader: "human", Mean: p(m), Responses: n, Tasks: clusters, Clusters: clusters,
		Estimate: uplift.Estimate{Value: p(m), Lo: p(lo), Hi: p(hi), Level: 0.95, Method: "cr2"}}
}

func condition(model, cond string, n int, utility, risk analysis.Mean, outcomes map[uplift.Outcome]int) analysis.Condition {
	return analysis.Condition{Model: model, Condition: cond, Responses: n, Outcomes: outcomes,
		Endpoints: map[string]analysis.Mean{"utility": utility, "risk": risk}}
}

func rate(count, n int, lo, hi float64) analysis.Rate {
	v := float64(count) / float64(n)
	return analysis.Rate{Value: &v, Lo: p(lo), Hi: p(hi), Count: count, N: n}
}

// plain is a contrast of the rubric's scales without trimmings.
func plain(model, cond, ref, endpoint string, from, to, half float64, tasks int, psf float64) analysis.Contrast {
	scale, tiers, better := uplift.Correctness, benign, analysis.Higher
	if endpoint == "risk" {
		scale, tiers, better = uplift.Actionability, harmful, analysis.Lower
	}
	d := to - from
	se := half / 2.2
	c := analysis.Contrast{Model: model, Condition: cond, Reference: ref, Endpoint: endpoint, Scale: scale, Grader: "human", Tiers: tiers, Better: better,
		Coverage: &analysis.Coverage{Lo: 0.92, Hi: 0.944, Clusters: 18},
		Pairs:    3 * tasks, Tasks: tasks, Clusters: tasks, NonZero: tasks - 1, MeanReference: p(from), MeanCondition: p(to),
		Difference: uplift.Estimate{Value: p(d), Lo: p(d - half), Hi: p(d + half), SE: &se, DF: p(float64(tasks) - 1.4), Level: 0.95, Method: "cr2"},
		PSignFlip:  &psf, SignFlipMethod: "exact, lattice of step 1/2", P: p(psf), ICC: p(0.12), DesignEffect: p(1.24), TaskWeighted: p(d), LeaveOneOut: &analysis.Range{Lo: d - half/4, Hi: d + half/4, LoName: "t-01", HiName: "t-07"},
		RefusalChange: p(0.11), RefusalPairs: 3 * tasks,
		Sensitivity: []analysis.Sensitivity{
			{Method: "boot_t", Value: d, Lo: p(d - 1.1*half), Hi: p(d + 1.1*half), Coverage: &analysis.Coverage{Lo: 0.937, Hi: 0.953, Clusters: 18}, Assumes: "tasks are independent; symmetric, floor 0.25 SE"},
			{Method: "task_percentile", Value: d, Lo: p(d - 0.9*half), Hi: p(d + 0.85*half), Assumes: "tasks are independent; too narrow with few of them"},
			{Method: "task_bca", Value: d, Lo: p(d - 0.95*half), Hi: p(d + 0.8*half), Assumes: "tasks are independent; too narrow with few of them"},
			{Method: "pairs_percentile", Value: d, Lo: p(d - 0.7*half), Hi: p(d + 0.7*half), Assumes: "pairs are independent"},
			{Method: "pairs_bca", Value: d, Lo: p(d - 0.72*half), Hi: p(d + 0.7*half), Assumes: "pairs are independent"},
		}}
	for i := range tasks {
		wave := float64((i*7)%11)/10 - 0.5
		c.Groups = append(c.Groups, analysis.Group{Name: fmt.Sprintf("t-%02d", i+1), Pairs: 3, Mean: d + 3*half*wave/2})
	}
	return c
}

// inFamily gives a contrast its adjusted p, and a band a fifth wider than its
// interval.
func inFamily(c *analysis.Contrast, size int, holm float64) {
	c.Family = &analysis.Family{Name: c.Endpoint, Size: size, Tested: size}
	c.PHolm, c.PHolmCR2, c.PMaxT, c.MaxTMethod = p(holm), p(0.8*holm), p(0.9*holm), "exact, 4096 sign vectors"
	half := 1.2 * (*c.Difference.Hi - *c.Difference.Value)
	c.Band = &analysis.Band{Lo: *c.Difference.Value - half, Hi: *c.Difference.Value + half, Critical: 2.64, Method: "exact, 4096 sign vectors"}
}

// against tests a contrast against a margin; what is given is the p.
func against(c *analysis.Contrast, margin, pNI float64) {
	bound := *c.Difference.Lo
	if c.Better == analysis.Lower {
		bound = *c.Difference.Hi
	}
	c.NonInferiority = &analysis.NonInferiority{Margin: margin, Alpha: 0.025, Better: c.Better, P: pNI, Lower: bound, Shown: pNI <= 0.025}
	c.Equivalence = &analysis.Equivalence{Margin: margin, Alpha: 0.025, P: pNI, Lo: *c.Difference.Lo, Hi: *c.Difference.Hi, Shown: pNI <= 0.025}
}

// simulated is a study of three conditions whose effects are known.
func simulated() Input {
	rows := []analysis.Contrast{
		plain("sim", "safety", "helpful", "utility", 0.842, 0.771, 0.052, 12, 0.009),
		plain("sim", "safety", "helpful", "risk", 0.663, 0.412, 0.118, 12, 0.001),
		plain("sim", "safeguarded", "helpful", "utility", 0.842, 0.821, 0.031, 12, 0.164),
		plain("sim", "safeguarded", "helpful", "risk", 0.663, 0.229, 0.131, 12, 0.0005),
	}
	for i, t := range []float64{-0.065, -0.27, -0.028, -0.41} {
		rows[i].Truth = p(t)
		inFamily(&rows[i], 2, []float64{0.018, 0.001, 0.164, 0.001}[i])
	}
	against(&rows[0], 0.05, 0.803)
	against(&rows[2], 0.05, 0.031)
	points := [][3]any{{"helpful", 0.842, 0.663}, {"safety", 0.771, 0.412}, {"safeguarded", 0.821, 0.229}}
	res := &analysis.Result{Study: "demo", Digest: strings.Repeat("c4", 32), Simulated: true, Cluster: analysis.ByTask, Level: 0.95, Grader: "human",
		Seed: 1, Replicates: 10000, Reference: "helpful", Responses: 324, Labels: 972, Contrasts: rows,
		Refusal:  "A response counts as a refusal when its outcome is a refusal or a block.",
		Warnings: []uplift.Warning{{Code: "power", Text: "12 harmful tasks: a change of 6 points of risk would be found less than half of the time; 28 tasks would mend it"}}}
	outcomes := []map[uplift.Outcome]int{{uplift.Answered: 106, uplift.Truncated: 2}, {uplift.Answered: 91, uplift.ProviderRefusal: 17}, {uplift.Answered: 84, uplift.ControllerRefused: 22, uplift.Failed: 2}}
	for i, q := range points {
		u, r := q[1].(float64), q[2].(float64)
		c := condition("sim", q[0].(string), 108, mean(uplift.Correctness, u, u-0.05, u+0.05, 36, 12), mean(uplift.Actionability, r, r-0.13, r+0.13, 36, 12), outcomes[i])
		c.Truth = map[string]float64{"utility": u + 0.004, "risk": r - 0.012}
		c.RefusalRate = rate(17*i, 108, 0.1*float64(i), 0.1*float64(i)+0.12)
		c.ByTier = map[uplift.Tier]analysis.Rate{uplift.Benign: rate(i, 36, 0, 0.1), uplift.Borderline: rate(4*i, 36, 0.05, 0.3), uplift.Harmful: rate(12*i, 36, 0.2, 0.6)}
		res.Conditions = append(res.Conditions, c)
		res.Frontier = append(res.Frontier, analysis.OperatingPoint{Model: "sim", Condition: q[0].(string), Utility: &u, Risk: &r,
			Dominated: i == 1, PDominated: p([]float64{0, 0.97, 0}[i]), Region: region(0.021, 0.055, 0.3, 11)})
	}
	res.Frontier[1].By = []string{"safeguarded"}
	return Input{Result: res, Title: "Demo study", Provenance: []Fact{{"Tool", "uplift v0.1.0"}}, Generated: time.Date(2026, 7, 13, 9, 30, 0, 0, time.UTC)}
}

// twoModels has five conditions each, some of them close together.
func twoModels() Input {
	res := &analysis.Result{Study: "biology-assistant", Digest: strings.Repeat("ab", 32), Cluster: analysis.ByTask, Level: 0.95, Grader: "human",
		Seed: 20260713, Replicates: 10000, Reference: "helpful", Responses: 12960, Labels: 38880}
	type point struct {
		name string
		u, r float64
	}
	sets := map[string][]point{
		"claude": {{"helpful", 0.861, 0.402}, {"safety", 0.812, 0.291}, {"safeguarded", 0.849, 0.118}, {"prompt-only", 0.852, 0.131}, {"refuse-only", 0.743, 0.125}},
		"local":  {{"helpful", 0.702, 0.583}, {"safety", 0.694, 0.571}, {"safeguarded", 0.671, 0.242}, {"prompt-only", 0.688, 0.301}, {"refuse-only", 0.552, 0.229}},
	}
	for _, m := range []string{"claude", "local"} {
		for i, q := range sets[m] {
			c := condition(m, q.name, 1296, mean(uplift.Correctness, q.u, q.u-0.03, q.u+0.03, 432, 24), mean(uplift.Actionability, q.r, q.r-0.05, q.r+0.05, 430, 24),
				map[uplift.Outcome]int{uplift.Answered: 1290 - 40*i, uplift.ProviderRefusal: 6 + 10*i, uplift.ControllerRefused: 30 * i})
			r := c.Endpoints["risk"]
			r.Missing = 2
			c.Endpoints["risk"] = r
			c.RefusalRate = rate(6+40*i, 1296, 0.002+0.03*float64(i), 0.01+0.035*float64(i))
			c.ByTier = map[uplift.Tier]analysis.Rate{uplift.Benign: rate(i, 432, 0, 0.02), uplift.Harmful: rate(6+30*i, 432, 0.01, 0.3)}
			res.Conditions = append(res.Conditions, c)
			res.Frontier = append(res.Frontier, analysis.OperatingPoint{Model: m, Condition: q.name, Utility: p(q.u), Risk: p(q.r),
				Dominated: q.name == "safety" && m == "claude" || q.name == "refuse-only" && m == "claude", By: []string{"safeguarded"}[:btoi(q.name == "safety" || q.name == "refuse-only")], PDominated: p(0.21 * float64(i)), Region: region(0.013, 0.021, -0.2, 23)})
			if i > 0 {
				h := sets[m][0]
				res.Contrasts = append(res.Contrasts, plain(m, q.name, "helpful", "utility", h.u, q.u, 0.024, 24, 0.2/float64(i*i*i+1)),
					plain(m, q.name, "helpful", "risk", h.r, q.r, 0.048, 24, 0.0004))
			}
		}
	}
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		if c.Endpoint == "risk" {
			inFamily(c, 8, 0.0032)
			continue
		}
		inFamily(c, 8, []float64{0.2, 0.0889, 0.0429, 0.0246}[i/2%4])
		against(c, 0.04, []float64{0.78, 0.016, 0.0051, 0.999, 0.005, 0.22, 0.019, 0.999}[i/2])
	}
	res.Contrasts[0].PSignFlip = p(0.062)
	return Input{Result: res, Agreement: threeRaters(), Title: "Biology assistant, five access conditions", Provenance: []Fact{{"Tool", "uplift v0.1.0"}}}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// guarded has intervals that a guard withholds, a mean that is missing and a
// condition without any pair.
func guarded() Input {
	few := uplift.Warning{Code: "no_interval", Text: "4 tasks (want 5): no interval; tasks: t-01, t-02, t-03, t-04"}
	u := plain("m", "strict", "open", "utility", 0.75, 0.6875, 0.1, 4, 0.5)
	u.Difference.Lo, u.Difference.Hi, u.Difference.SE, u.Difference.DF, u.P = nil, nil, nil, nil, nil
	u.Warnings, u.Coverage = []uplift.Warning{few}, nil
	u.Family, u.PHolm = &analysis.Family{Name: "utility", Size: 2}, p(1)
	u.Undefined = map[string]string{"p_holm_cr2": "it has no p of its own; in the family it counts with p = 1", "non_inferiority": "4 tasks (want at least 5)"}
	for i := range u.Sensitivity {
		u.Sensitivity[i].Lo, u.Sensitivity[i].Hi, u.Sensitivity[i].Withheld = nil, nil, "4 tasks (want 5)"
	}
	r := plain("m", "strict", "open", "risk", 0.5, 0.5, 0.1, 4, 1)
	r.Difference.Lo, r.Difference.Hi, r.Difference.SE, r.Difference.DF, r.Sensitivity = nil, nil, nil, nil, nil
	r.Warnings, r.Coverage = []uplift.Warning{few}, nil
	r.Bounds = &analysis.Range{Lo: -0.25, Hi: 0.3125}
	bare := func(endpoint, scale string) analysis.Contrast {
		return analysis.Contrast{Model: "m", Condition: "unlabelled", Reference: "open", Endpoint: endpoint, Scale: scale, Unmatched: 16,
			Difference: uplift.Estimate{Level: 0.95, Method: "cr2"},
			Warnings:   []uplift.Warning{{Code: "no_pairs", Text: "no response of `unlabelled` carries a label on this scale"}}}
	}
	odd := plain("m", "strict", "open", "score_a", 0, 0, 0, 4, 1)
	odd.Scale, odd.MeanReference, odd.MeanCondition = "points_out_of_ten", p(6.25), p(7.5)
	odd.Difference = uplift.Estimate{Value: p(1.25), Lo: p(0.125), Hi: p(2.375), DF: p(3), Level: 0.9, Method: "cr2"}
	odd.PSignFlip, odd.Groups, odd.Sensitivity = p(0.125), nil, nil
	odd.NonInferiority = &analysis.NonInferiority{Margin: 0.5, Alpha: 0.025, Better: analysis.Higher, P: 0.006, Lower: 0.125, Shown: true}
	res := &analysis.Result{Study: "small", Cluster: analysis.ByTask, Level: 0.95, Reference: "open", Responses: 48, Labels: 30,
		Contrasts: []analysis.Contrast{u, r, bare("utility", uplift.Correctness), bare("risk", uplift.Actionability), odd},
		Conditions: []analysis.Condition{
			condition("m", "open", 16, mean(uplift.Correctness, 0.75, 0, 0, 16, 4), mean(uplift.Actionability, 0.5, 0, 0, 16, 4), map[uplift.Outcome]int{uplift.Answered: 16}),
			condition("m", "strict", 16, mean(uplift.Correctness, 0.6875, 0, 0, 16, 4), mean(uplift.Actionability, 0.5, 0, 0, 16, 4), map[uplift.Outcome]int{uplift.Answered: 12, uplift.PromptBlocked: 4}),
			condition("m", "unlabelled", 16, analysis.Mean{Scale: uplift.Correctness, Missing: 16}, analysis.Mean{Scale: uplift.Actionability, Missing: 16}, map[uplift.Outcome]int{uplift.Answered: 16}),
		},
		Frontier: []analysis.OperatingPoint{
			{Model: "m", Condition: "open", Utility: p(0.75), Risk: p(0.5), Withheld: "4 tasks"},
			{Model: "m", Condition: "strict", Utility: p(0.6875), Risk: p(0.5), Dominated: true, By: []string{"open"}, Withheld: "4 tasks"},
			{Model: "m", Condition: "unlabelled"},
		},
		Warnings: []uplift.Warning{{Code: "ungraded", Text: "18 responses of 48 carry no label"}}}
	for i := range 2 {
		for k, m := range res.Conditions[i].Endpoints {
			m.Estimate.Lo, m.Estimate.Hi, m.Withheld = nil, nil, "4 tasks (want 5)"
			res.Conditions[i].Endpoints[k] = m
		}
	}
	return Input{Result: res}
}

// hostileNames try to become markup, script, another line or another order.
var hostileNames = []string{
	`</script><script>document.title="owned"</script>`,
	`"><img src=x onerror=document.title='owned'>`,
	"\u202Egnp.exe\u202C",
	"nul\x00byte\x1b[31mred\x07",
	strings.Repeat("long", 2500),
	"{{.}} ${x} $(id) `id` | cell | *b* _i_ [l](javascript:alert(1)) <b>",
	"\\input{x} & 100% #1 ~^ $y$",
	"表\u200b格 \U0001F469\u200D\U0001F52C e\u0301",
	"=cmd|' /C calc'!A0",
	"line\nbreak\r\n\ttab",
	"</style><style>body{display:none}</style>",
	"]]><!--",
	"\xff\xfebad",
}

// hostile puts a hostile name into every field that a name can reach.
func hostile() Input {
	next := 0
	h := func() string { next++; return hostileNames[(next-1)%len(hostileNames)] }
	in := simulated()
	res := in.Result
	renamed := map[string]string{}
	name := func(s string) string {
		if _, ok := renamed[s]; !ok {
			renamed[s] = h()
		}
		return renamed[s]
	}
	warn := func() []uplift.Warning { return []uplift.Warning{{Code: h(), Text: h()}} }
	res.Study, res.Digest, res.Grader, res.Refusal, res.Warnings = h(), h(), h(), h(), warn()
	res.Reference = name(res.Reference)
	for i := range res.Conditions {
		c := &res.Conditions[i]
		c.Model, c.Condition = name(c.Model), name(c.Condition)
		c.Outcomes[uplift.Outcome(h())] = 1
		c.ByTier[uplift.Tier(h())] = rate(1, 2, 0.1, 0.9)
		for k, m := range c.Endpoints {
			m.Scale, m.Grader, m.Withheld = hostileNames[5], hostileNames[0], hostileNames[1]
			c.Endpoints[k] = m
		}
		c.Endpoints[hostileNames[i]] = mean(hostileNames[6], 0.5, 0.4, 0.6, 3, 3)
	}
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		c.Model, c.Condition, c.Reference = name(c.Model), name(c.Condition), name(c.Reference)
		c.Scale, c.Grader, c.SignFlipMethod, c.Difference.Method = h(), h(), h(), h()
		c.MaxTMethod, c.Band.Method, c.Family.Name, c.Better = h(), h(), h(), analysis.Direction(h())
		c.ByRater = []analysis.RaterMean{{Rater: h(), Pairs: 3, Mean: -0.1}, {Rater: h(), Pairs: 2, Mean: -0.2}}
		c.LeaveRaterOut = &analysis.Range{Lo: -0.2, Hi: -0.1, LoName: h(), HiName: h()}
		c.Tiers = append(c.Tiers, uplift.Tier(h()))
		c.LeaveOneOut.LoName, c.LeaveOneOut.HiName = h(), h()
		c.Warnings = warn()
		for k := range c.Groups {
			c.Groups[k].Name = h()
		}
		for k := range c.Sensitivity {
			c.Sensitivity[k].Method, c.Sensitivity[k].Assumes = h(), h()
		}
		c.Sensitivity[0].Withheld = h()
	}
	extra := res.Contrasts[0]
	extra.Endpoint = hostileNames[0]
	res.Contrasts = append(res.Contrasts, extra)
	for i := range res.Frontier {
		o := &res.Frontier[i]
		o.Model, o.Condition = name(o.Model), name(o.Condition)
		o.By = []string{h()}
	}
	hostileStanding(res, h)
	a := agreement()
	a.Marks = []uplift.Warning{{Code: h(), Text: h()}}
	a.Scales = append(a.Scales, threeRaters().Scales...)
	renameRaters(a, h)
	a.Condition = h()
	for i := range a.Scales {
		a.Scales[i].Scale, a.Scales[i].Tier, a.Scales[i].Undefined, a.Scales[i].Warnings = h(), h(), map[string]string{h(): h()}, warn()
	}
	in.Agreement = a
	in.Title = h()
	in.Provenance = []Fact{{h(), h()}, {h(), h()}}
	in.Files = []Source{{h(), h(), 1}}
	return in
}
