package analysis

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// table holds one part: one row a cell, sorted by model, item, replicate and
// condition, and one column a scale and grader. Every id is the rank of a name.
type table struct {
	part
	cells      []response
	columns    []column
	endpoints  []int     // the column of each endpoint
	refusal    int       // the column that tells refusal; -1: none
	compliance bool      // whether the study knows the compliance scale
	values     []float64 // cells x columns
	has        []bool    // cells x columns
	blockedAs  Blocks    // how a provider's blocks are taken
	zero       []bool    // cells x columns: blocks that are 0 where blocks count
	labels     int       // values that are there in an endpoint's column
	onErrors   int       // labels of responses that ended in an error: not used
	modelStart []int     // of each model in cells; one more entry than models
	present    [][]bool  // models x conditions
	cluster    []int     // of each item
	clusters   []string  // names
	alone      []string  // models with tiers but without the reference: in no contrast
	own        []mark    // single raters' own, on the endpoints' scales, sorted by key, scale and rater
	twin       map[int]int
}

// wanted are the labels that the endpoints and refusal need, and the raters'
// own marks on the endpoints' scales.
func (o Options) wanted() want {
	ends := map[string]bool{}
	for _, e := range o.Endpoints {
		ends[e.Scale] = true
	}
	return func(l uplift.Label) bool {
		if strings.HasPrefix(l.Grader, uplift.RaterPrefix) {
			return ends[l.Scale]
		}
		return ends[l.Scale] || l.Scale == uplift.Compliance
	}
}

// newTable lays the chosen labels out.
func newTable(p part, opt Options) (*table, error) {
	t := &table{part: p, blockedAs: opt.Blocks}
	t.setApart()
	if err := t.chooseGraders(opt); err != nil {
		return nil, err
	}
	t.layOut()
	t.index()
	t.declare()
	if err := t.setClusters(opt.Cluster); err != nil {
		return nil, err
	}
	return t, t.checkReference(opt.Reference)
}

// layOut merges the sorted responses and marks into cells.
func (t *table) layOut() {
	t.addImplied()
	t.cells, t.responses = t.responses, nil
	t.values = make([]float64, len(t.cells)*len(t.columns))
	t.has = make([]bool, len(t.values))
	of := t.columnOf()
	i := 0
	for _, m := range t.marks {
		for t.cells[i].key != m.key {
			i++
		}
		c, ok := of[[2]int32{m.scale, m.grader}]
		switch {
		case !ok:
		case t.outcome(i) == uplift.Failed: // nothing was shown, so there is nothing to grade
			t.onErrors++
		default:
			t.values[i*len(t.columns)+c] = m.value
			t.has[i*len(t.columns)+c] = true
			if slices.Contains(t.endpoints, c) {
				t.labels++
			}
		}
	}
	t.marks = nil
}

// columnOf finds the column of a scale and grader.
func (t *table) columnOf() map[[2]int32]int {
	of := map[[2]int32]int{}
	for i, c := range t.columns {
		of[[2]int32{t.scales.find(c.scale), t.graders.find(c.grader)}] = i
	}
	return of
}

// addImplied adds a response for every mark that has none.
func (t *table) addImplied() {
	i, n := 0, len(t.responses)
	for j, m := range t.marks {
		if j > 0 && m.key == t.marks[j-1].key {
			continue
		}
		for i < n && t.responses[i].compare(m.key) < 0 {
			i++
		}
		if i == n || t.responses[i].key != m.key {
			t.responses = append(t.responses, response{m.key, m.outcome})
		}
	}
	if len(t.responses) > n {
		slices.SortFunc(t.responses, func(a, b response) int { return a.compare(b.key) })
	}
}

func (t *table) index() {
	t.present = make([][]bool, len(t.models.list))
	for m := range t.present {
		t.present[m] = make([]bool, len(t.conditions.list))
	}
	t.modelStart = make([]int, len(t.models.list)+1)
	for i, c := range t.cells {
		t.present[c.model()][c.condition()] = true
		t.modelStart[c.model()+1] = i + 1
	}
	for m := 1; m < len(t.modelStart); m++ {
		t.modelStart[m] = max(t.modelStart[m], t.modelStart[m-1])
	}
}

func (t *table) setClusters(by Cluster) (err error) {
	t.cluster, t.clusters, err = t.clusterItems(by)
	return err
}

// clusterItems gives the cluster of each item, and the clusters' names in
// order; ids are ranks of names.
func (r *reader) clusterItems(by Cluster) (of []int, list []string, err error) {
	of = make([]int, len(r.items.list))
	if by == ByTask {
		for i, it := range r.items.list {
			of[i] = int(it.task)
		}
		return of, r.tasks.list, nil
	}
	var families names
	for _, it := range r.items.list {
		if it.family == "" && it.tier.Known() {
			return nil, nil, fmt.Errorf("task %s: no family (want one for every task, or clusters by task)", r.tasks.list[it.task])
		}
		families.id(it.family)
	}
	families.rank()
	for i, it := range r.items.list {
		of[i] = int(families.find(it.family))
	}
	return of, families.list, nil
}

// checkReference wants the reference under a model that the endpoints can
// compare. Models without it are named in alone.
func (t *table) checkReference(name string) error {
	if len(t.cells) == 0 {
		return fmt.Errorf("reference %q: there are no responses (want some to compare)", name)
	}
	ref := t.conditions.find(name)
	switch {
	case name == "":
		return fmt.Errorf("reference: not given (want a condition: %s)", t.describeConditions())
	case ref < 0:
		return fmt.Errorf("reference %q: no such condition (want one of: %s)", name, t.describeConditions())
	}
	together := 0
	for m, model := range t.models.list {
		switch {
		case t.present[m][ref]:
			together++
		case t.tiered(m):
			t.alone = append(t.alone, model)
		}
	}
	if together == 0 {
		return fmt.Errorf("reference %q: absent for model %s (present: %s)", name, strings.Join(t.alone, ", "), t.describeConditions())
	}
	return nil
}

// tiered reports whether any cell of the model has a tier.
func (t *table) tiered(model int) bool {
	for i := t.modelStart[model]; i < t.modelStart[model+1]; i++ {
		if t.tier(i).Known() {
			return true
		}
	}
	return false
}

func (t *table) describeConditions() string {
	var parts []string
	for m, model := range t.models.list {
		parts = append(parts, fmt.Sprintf("model %s: %s", model, strings.Join(t.conditionsOf(m), ", ")))
	}
	return strings.Join(parts, "; ")
}

func (t *table) conditionsOf(model int) []string {
	var out []string
	for c, name := range t.conditions.list {
		if t.present[model][c] {
			out = append(out, name)
		}
	}
	return out
}

// value is the label of a cell in a column, a provider's block being taken as the
// study says.
func (t *table) value(cell, column int) (float64, bool) { return t.valueAs(t.blockedAs, cell, column) }

// gradedElsewhere reports whether the grader of a column labelled a cell in
// another column. What the cell lacks in this one may then not apply to it: a
// source yields no label for "does not apply", and none for "not settled".
func (t *table) gradedElsewhere(cell, column int) bool {
	for i, c := range t.columns {
		if _, ok := t.value(cell, i); ok && i != column && c.grader == t.columns[column].grader {
			return true
		}
	}
	return false
}

// unitScale reports whether every value of a column lies in [0,1].
func (t *table) unitScale(column int) bool {
	for i := range t.cells {
		if v, ok := t.value(i, column); ok && !(v >= 0 && v <= 1) {
			return false
		}
	}
	return true
}

// tier is the effective tier of a cell.
func (t *table) tier(cell int) uplift.Tier { return t.items.list[t.cells[cell].item()].tier }

func (t *table) outcome(cell int) uplift.Outcome {
	return uplift.Outcome(t.outcomes.list[t.cells[cell].outcome])
}

// clusterOf is the cluster of a cell.
func (t *table) clusterOf(cell int) int { return t.cluster[t.cells[cell].item()] }
