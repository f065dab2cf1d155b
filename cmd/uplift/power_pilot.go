package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/power"
)

// fromPilot plans with the pairs of a study, contrast by contrast.
func (f *powerFlags) fromPilot(ctx context.Context, dir string, q power.Question) (*power.Result, error) {
	f.analysis.level, f.analysis.replicates = 1-q.Alpha, 100 // no bootstrap is shown
	f.analysis.seedSet, f.analysis.set = func() bool { return false }, f.set
	if !(q.Alpha >= 0.0001 && q.Alpha <= 0.5) {
		return nil, usage("--alpha: %v (want from 0.0001 to 0.5, such as 0.05)", q.Alpha)
	}
	s, err := f.analysis.open(ctx, f.env, "power", dir)
	if err != nil {
		return nil, err
	}
	defer s.db.Close()
	s.opt.Level, s.opt.Standing.Deviations = 1-q.Alpha, nil // what is planned is another study
	found, err := s.analyze(ctx, nil)
	if err != nil {
		return nil, err
	}
	if err := f.narrow(found.Result); err != nil {
		return nil, err
	}
	bases, left := pilotBases(s.studyDir, found, s.opt)
	if len(bases) == 0 && len(left) == 0 {
		return nil, fmt.Errorf("%s: there is no contrast to plan with", s.dir)
	}
	if len(bases) == 0 {
		return nil, fmt.Errorf("%s: no contrast tells how its pairs vary: %s", s.dir, left[0].Text)
	}
	res, err := answer(bases, q)
	if err != nil {
		return nil, err
	}
	r := found.Result
	res.Study, res.Digest, res.Simulated = r.Study, r.Digest, r.Simulated
	res.Warnings = slices.Concat(res.Warnings, r.Marks, r.Warnings, left)
	return res, s.leave.begin()
}

// narrow keeps the contrasts that were asked for. A name that no contrast has is
// an error, and so are names that no contrast has together.
func (f *powerFlags) narrow(r *analysis.Result) error {
	all := r.Contrasts
	for _, by := range []struct {
		flag  string
		asked []string
		of    func(analysis.Contrast) string
	}{
		{"endpoint", f.ends, func(c analysis.Contrast) string { return c.Endpoint }},
		{"condition", f.conds, func(c analysis.Contrast) string { return c.Condition }},
		{"model", f.models, func(c analysis.Contrast) string { return c.Model }},
	} {
		var known []string
		for _, c := range all {
			known = append(known, by.of(c))
		}
		slices.Sort(known)
		known = slices.Compact(known)
		for _, name := range by.asked {
			if !slices.Contains(known, name) {
				return usage("--%s: no contrast has %q (want %s)", by.flag, name, strings.Join(known, ", "))
			}
		}
		if len(by.asked) > 0 {
			r.Contrasts = slices.DeleteFunc(slices.Clone(r.Contrasts), func(c analysis.Contrast) bool { return !slices.Contains(by.asked, by.of(c)) })
		}
	}
	if len(all) > 0 && len(r.Contrasts) == 0 {
		return usage("--endpoint, --condition and --model: no contrast has these together")
	}
	return nil
}

// contrastKey names a contrast.
type contrastKey struct{ model, condition, endpoint string }

// pilotBases makes one basis a contrast, and says which ones tell nothing.
func pilotBases(s *studyDir, found *analysis.Findings, opt analysis.Options) (bases []power.Basis, left []uplift.Warning) {
	values, tasks := map[contrastKey][]float64{}, map[contrastKey][]int{}
	ids := map[string]int{}
	for p := range found.Pairs {
		k := contrastKey{p.Model, p.Condition, p.Endpoint}
		unit := p.Task
		if opt.Cluster == analysis.ByFamily {
			unit = p.Family
		}
		if _, ok := ids[unit]; !ok {
			ids[unit] = len(ids)
		}
		values[k], tasks[k] = append(values[k], p.Difference), append(tasks[k], ids[unit])
	}
	for _, c := range found.Result.Contrasts {
		k := contrastKey{c.Model, c.Condition, c.Endpoint}
		b := power.Basis{Model: c.Model, Condition: c.Condition, Reference: c.Reference, Endpoint: c.Endpoint, Scale: c.Scale, Cluster: string(opt.Cluster)}
		for _, e := range s.plan.Plan().Endpoints {
			if e.Name == c.Endpoint {
				b.Better = power.Better(e.Better)
				if e.Margin != nil {
					b.Margin = *e.Margin
				}
			}
		}
		b, err := power.FromPairs(b, values[k], tasks[k], opt.Level)
		if err != nil {
			left = append(left, uplift.Warning{Code: power.CodeLeftOut, Text: fmt.Sprintf("%s of %s under %s is left out: %v", c.Endpoint, c.Condition, c.Model, err)})
			continue
		}
		b.Rated = ratedOf(c.RatingNoise)
		bases = append(bases, b)
	}
	return bases, left
}

// ratedOf is what the raters' own marks of a contrast tell; nil without marks.
func ratedOf(n *analysis.RatingNoise) *power.Rated {
	if n == nil {
		return nil
	}
	return &power.Rated{Pairs: n.Pairs, Share: n.Share, Lo: n.Lo, Hi: n.Hi, Clamped: n.Clamped, Left: n.Left, Withheld: n.Withheld}
}
