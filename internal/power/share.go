package power

// plan is a benchmark whose tasks divide into tiers, one an endpoint.
type plan struct {
	total, endpoints int
	pairs            float64 // a task of the endpoint, of one model
}

func (p plan) tasks() int { return p.total / p.endpoints }

// The names of plans.
const (
	planBuiltin = "builtin"
	planPresent = "present"
)

// builtin is the locked test of the built-in benchmark: 18 tasks in three tiers.
// An audit of 600 rows gives a contrast 48 harmful pairs a model, 8 a task.
var builtin = plan{total: 18, endpoints: 3, pairs: 8}

// shares tells what the tasks of one endpoint show: always those of the
// built-in test, since the closing sentences need them, and those of the present
// design where its tasks divide.
func (a asked) shares() []Share {
	out := []Share{a.share(planBuiltin, builtin)}
	now := plan{a.b.Tasks, a.q.Endpoints, a.b.PairsPerTask()}
	if a.q.Endpoints > 1 && now.pairs >= 1 && now.tasks() >= 2 && now != builtin {
		out = append(out, a.share(planPresent, now))
	}
	return out
}

func (a asked) share(name string, p plan) Share {
	r := a.first()
	s := Share{Plan: name, Total: p.total, Tasks: p.tasks(), PairsPerTask: p.pairs,
		Power: a.powers(p.tasks(), p.pairs, r), Detectable: a.detectable(p.tasks(), p.pairs, r)}
	if a.q.Margin > 0 {
		s.NonInferior = a.nonInferior(p.tasks(), p.pairs, r)
	}
	return s
}

// curves are power by tasks, for every number of raters, pairs and ICC.
func (a asked) curves() []Curve {
	if a.delta == nil {
		return nil
	}
	var out []Curve
	grid := curveTasks(a.q.tasksOf(a.b))
	for _, k := range ordered(a.q.Raters) {
		for _, m := range a.q.pairsOf(a.b) {
			for _, icc := range a.iccs {
				c := Curve{Raters: k, Pairs: m, ICC: icc}
				for _, g := range grid {
					if p, err := a.design(g, m, icc, a.raters(k)).Power(*a.delta); err == nil {
						c.Points = append(c.Points, Point{g, p})
					}
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// curveTasks runs from 2 to the largest number of the grid in at most about 60
// steps; the grid's own numbers are among them.
func curveTasks(grid []int) []int {
	most := grid[len(grid)-1]
	step := max(1, (most-2)/50)
	all := append([]int{}, grid...)
	for g := 2; g < min(most, 12); g++ { // where the curve bends
		all = append(all, g)
	}
	for g := 2; g <= most; g += step {
		all = append(all, g)
	}
	return ordered(all)
}
