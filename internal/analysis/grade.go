package analysis

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// column is one scale as one grader marked it.
type column struct{ scale, grader string }

// graders lists who marked a scale, in order of name, and how often.
func (r *reader) gradersOf() map[string]map[string]int {
	counts := map[[2]int32]int{}
	for _, m := range r.marks {
		counts[[2]int32{m.scale, m.grader}]++
	}
	out := map[string]map[string]int{}
	for k, n := range counts {
		scale := r.scales.list[k[0]]
		if out[scale] == nil {
			out[scale] = map[string]int{}
		}
		out[scale][r.graders.list[k[1]]] = n
	}
	return out
}

// choose picks the grader of a scale: the named one; else people; else the only
// other grader there is. None at all is no error, and gives "".
func choose(scale string, marked map[string]int, named string) (string, error) {
	switch {
	case named != "":
		return named, nil
	case marked[uplift.Human] > 0:
		return uplift.Human, nil
	case len(marked) == 0:
		return "", nil
	case len(marked) > 1:
		return "", fmt.Errorf("scale %s: no label by people, but by %s (want one of them named as the grader)",
			scale, strings.Join(sortedKeys(marked), ", "))
	}
	return sortedKeys(marked)[0], nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// columns chooses a grader for every endpoint, and one for refusal.
func (t *table) chooseGraders(opt Options) error {
	marked := t.gradersOf()
	found := opt.Grader == ""
	for _, e := range opt.Endpoints {
		grader, err := choose(e.Scale, marked[e.Scale], opt.Grader)
		if err != nil {
			return err
		}
		found = found || marked[e.Scale][grader] > 0
		t.endpoints = append(t.endpoints, t.column(column{e.Scale, grader}))
		t.compliance = t.compliance || e.Scale == uplift.Compliance
	}
	if !found {
		return fmt.Errorf("grader %q: no label on the endpoints' scales (%s)", opt.Grader, describeGraders(marked))
	}
	t.chooseRefusalGrader(marked[uplift.Compliance], opt.Grader)
	return nil
}

// chooseRefusalGrader prefers people; without a single other grader to fall
// back on, compliance tells nothing about refusal.
func (t *table) chooseRefusalGrader(marked map[string]int, named string) {
	t.refusal = -1
	t.compliance = t.compliance || len(marked) > 0
	grader := named
	if marked[uplift.Human] > 0 {
		grader = uplift.Human
	} else if named == "" && len(marked) == 1 {
		grader = sortedKeys(marked)[0]
	}
	if marked[grader] > 0 {
		t.refusal = t.column(column{uplift.Compliance, grader})
	}
}

// column gives the index of c, adding it when it is new.
func (t *table) column(c column) int {
	i := slices.Index(t.columns, c)
	if i < 0 {
		i = len(t.columns)
		t.columns = append(t.columns, c)
	}
	return i
}

func describeGraders(marked map[string]map[string]int) string {
	if len(marked) == 0 {
		return "there are no labels on them"
	}
	var parts []string
	for _, scale := range sortedKeys(marked) {
		parts = append(parts, scale+" is graded by "+strings.Join(sortedKeys(marked[scale]), ", "))
	}
	return strings.Join(parts, "; ")
}

// graderName is what the result prints: one name, or one for each scale.
func (t *table) graderName(opt Options) string {
	var all, parts []string
	for i, e := range opt.Endpoints {
		g := t.columns[t.endpoints[i]].grader
		all = append(all, g)
		if part := e.Scale + ": " + g; !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if len(slices.Compact(all)) == 1 {
		return all[0]
	}
	return strings.Join(parts, ", ")
}
