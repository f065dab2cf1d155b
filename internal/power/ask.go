package power

import (
	"errors"
	"fmt"
	"math"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// Ask answers a question for each basis. The error joins everything that is
// wrong with the question.
func Ask(bases []Basis, q Question) (*Result, error) {
	q = q.Defaults()
	if len(bases) == 0 {
		return nil, errors.New("nothing is known of any contrast (want an interval, a pilot or numbers)")
	}
	out := &Result{
		Cluster: unitOf(bases[0].Cluster).one, Least: q.least(), LeastBy: q.leastBy(), Alpha: q.Alpha, Power: q.Power, Raters: ordered(q.Raters), Double: q.Double, Noise: q.Noise,
		Endpoints: q.Endpoints, Conditions: q.Conditions, Warnings: []uplift.Warning{},
	}
	for _, b := range bases {
		own := q.of(b)
		if err := own.Check(); err != nil {
			return nil, err
		}
		a := own.about(b)
		out.Answers = append(out.Answers, a.answer())
	}
	var err error
	if out.SignFlip, err = signFlip(builtin.tasks(), 2, q.Alpha); err != nil {
		return nil, err
	}
	out.Says = out.says()
	return out, nil
}

func signFlip(tasks, family int, alpha float64) (SignFlip, error) {
	needs, err := stats.SignFlipTasks(family, alpha)
	return SignFlip{Tasks: tasks, Floor: stats.SignFlipFloor(tasks), Family: family, Wants: alpha / float64(family), Needs: needs}, err
}

// asked is one basis under a question.
type asked struct {
	b     Basis
	q     Question
	iccs  []float64
	delta *float64
	noise *float64        // share of rating noise; nil: not known
	from  string          // of noise, or why it is nil
	given bool            // noise is the question's
	units map[int]float64 // detectable difference by tasks, in standard errors
}

// about puts a question that was checked to a basis.
func (q Question) about(b Basis) asked {
	a := asked{delta: q.Delta, units: map[int]float64{}}
	a.noise, a.from = q.noiseOf(b)
	a.given = q.noiseGiven()
	if b.Rated != nil {
		b.Rated = new(*b.Rated)
		b.Rated.LabelSD = b.SD
	}
	if a.noise != nil {
		q.Noise = *a.noise
		b = b.rateOnce(q.Noise)
	}
	if a.delta == nil && b.Difference != nil && *b.Difference != 0 {
		a.delta = b.Difference
	}
	a.b, a.q, a.iccs = b, q, q.iccsOf(b)
	return a
}

func (a asked) answer() Answer {
	out := Answer{Basis: a.b, Delta: a.delta, Noise: a.noise, NoiseFrom: a.from, ICCs: a.iccs, P: a.published(), Present: a.present(), NonInferiority: a.nonInferiority(), Warnings: []uplift.Warning{}}
	for _, k := range ordered(a.q.Raters) {
		out.Tables = append(out.Tables, a.table(k))
	}
	out.Second = a.second()
	out.Shares = a.shares()
	out.Verdict = a.verdict(out)
	if a.q.Curves {
		out.Curves = a.curves()
	}
	out.Warnings = a.warnings(out)
	return out
}

// raters is what the question says of them, with k raters a response.
func (a asked) raters(k int) stats.Raters {
	return stats.Raters{Each: k, Double: a.q.Double, Noise: a.q.Noise}
}

// first is the smallest number of raters that is asked for.
func (a asked) first() stats.Raters { return a.raters(ordered(a.q.Raters)[0]) }

// own is how the basis itself was rated, where it tells, or else first.
func (a asked) own() stats.Raters {
	if a.b.Rated == nil {
		return a.first()
	}
	return a.b.Rated.raters(a.q.Noise)
}

func (a asked) design(tasks int, pairs, icc float64, r stats.Raters) stats.Design {
	return stats.Design{Tasks: tasks, PairsPerTask: pairs, SD: a.b.SD, ICC: icc, Raters: r, Level: 1 - a.q.Alpha}
}

// byICC gives one number an ICC; nil where there is none.
func (a asked) byICC(at func(icc float64) (float64, error)) []*float64 {
	out := make([]*float64, len(a.iccs))
	for i, icc := range a.iccs {
		if v, err := at(icc); err == nil && finite(v) {
			out[i] = &v
		}
	}
	return out
}

func (a asked) powers(tasks int, pairs float64, r stats.Raters) []*float64 {
	if a.delta == nil {
		return make([]*float64, len(a.iccs))
	}
	return a.byICC(func(icc float64) (float64, error) { return a.design(tasks, pairs, icc, r).Power(*a.delta) })
}

// detectable is the smallest difference that the aimed power finds. In standard
// errors it depends on the tasks alone, so it is solved for once.
func (a asked) detectable(tasks int, pairs float64, r stats.Raters) []*float64 {
	return a.byICC(func(icc float64) (float64, error) {
		d := a.design(tasks, pairs, icc, r)
		se, err := d.SE()
		if err != nil {
			return 0, err
		}
		if _, ok := a.units[tasks]; !ok {
			found, err := d.Detectable(a.q.Power)
			if err != nil {
				return 0, err
			}
			a.units[tasks] = found / se
		}
		return a.units[tasks] * se, nil
	})
}

// pICCs are the ICCs under which a published difference is tested again: mild
// ones, for a paper that took its pairs as independent.
var pICCs = []float64{0, 0.1, 0.2, 0.3}

func (a asked) published() []AtICC {
	if a.b.published == nil {
		return nil
	}
	grid := pICCs
	if len(a.q.ICCs) > 0 {
		grid = a.iccs
	}
	var out []AtICC
	for _, icc := range grid {
		if p, err := a.b.published.P(icc); err == nil {
			out = append(out, AtICC{icc, p})
		}
	}
	return out
}

func (a asked) present() *Present {
	m := a.b.PairsPerTask()
	if a.b.Tasks < 2 || m < 1 {
		return nil
	}
	r := a.own()
	return &Present{
		Tasks: a.b.Tasks, PairsPerTask: m,
		SE:    a.byICC(func(icc float64) (float64, error) { return a.design(a.b.Tasks, m, icc, r).SE() }),
		Power: a.powers(a.b.Tasks, m, r), Detectable: a.detectable(a.b.Tasks, m, r),
		Ratings: a.price(a.b.Tasks, m, r, 1).Ratings,
	}
}

// price is what the design takes for a number of endpoints.
func (a asked) price(tasks int, pairs float64, r stats.Raters, endpoints int) Price {
	responses := float64(tasks) * pairs * float64(endpoints) * float64(a.q.Conditions+1)
	p := Price{Responses: whole(responses), Ratings: whole(responses * r.PerResponse())}
	if a.q.Minutes > 0 {
		h := float64(p.Ratings) * a.q.Minutes / 60
		p.Hours = &h
	}
	if a.q.Price > 0 {
		m := float64(p.Ratings) * a.q.Price
		p.Money = &m
	}
	return p
}

// whole rounds up, but for what rounding leaves: 49/18*18 pairs are 49.
func whole(v float64) int { return int(math.Ceil(v - 1e-6)) }

func (a asked) warn(list *[]uplift.Warning, code, format string, args ...any) {
	*list = append(*list, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}
