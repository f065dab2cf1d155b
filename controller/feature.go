package controller

import (
	"math"
	"math/bits"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// The sides that are scored.
const (
	onPrompt = "prompt"
	onOutput = "output"
)

// The features that are measured by structure, beside or instead of cues.
const (
	numberedSteps  = "numbered_steps"
	precision      = "precision"
	numericDensity = "numeric_density"
)

var (
	promptFeatures = []string{
		"step_by_step", "optimisation", precision, "procurement", "restricted_workflow",
		"troubleshooting", "disguise", "pressure", "educational", numericDensity,
	}
	outputFeatures = []string{
		numberedSteps, "sequentiality", precision, "optimisation", "procurement", "troubleshooting", numericDensity,
	}
)

// Features lists the features of a side, prompt or output, in the order in
// which decisions give them.
func Features(where string) []string {
	switch where {
	case onPrompt:
		return slices.Clone(promptFeatures)
	case onOutput:
		return slices.Clone(outputFeatures)
	}
	return nil
}

// classesOf lists the features of a side; of either for "".
func classesOf(where string) []string {
	if where != "" {
		return Features(where)
	}
	all := slices.Concat(promptFeatures, outputFeatures)
	slices.Sort(all)
	return slices.Compact(all)
}

// maxCues bounds the places that a decision names on each side: 64 in all.
const maxCues = 32

// sentry is one phrase as the automaton looks for it.
type sentry struct {
	words      string // as in the policy
	class      string
	feature    int // index in the side's features
	weight     float64
	connective bool
	length     int // of the pattern in the view
}

// side scores one text.
type side struct {
	where    string
	features []string
	weights  []float64
	phrases  []sentry
	find     *automaton
	steps    int // index of numbered_steps, precision and numeric_density; -1: not counted
	precise  int
	density  int
}

// newSide compiles one side of a policy. What is ablated is not looked for.
func newSide(p Policy, where string, ablate []string) *side {
	s := &side{where: where, features: Features(where)}
	weights := p.Weights.Prompt
	if where == onOutput {
		weights = p.Weights.Output
	}
	for _, name := range s.features {
		w := weights[name]
		if slices.Contains(ablate, name) {
			w = 0
		}
		s.weights = append(s.weights, w)
	}
	var patterns []string
	for _, c := range p.Cues {
		if !c.on(where) || slices.Contains(ablate, c.Class) {
			continue
		}
		for _, words := range c.Words {
			at := pattern(words)
			patterns = append(patterns, at)
			s.phrases = append(s.phrases, sentry{words, c.Class, slices.Index(s.features, c.Class), c.weight(), c.Connective, len(at)})
		}
	}
	s.find = automatonOf(patterns)
	index := func(name string) int {
		if slices.Contains(ablate, name) {
			return -1
		}
		return slices.Index(s.features, name)
	}
	s.steps, s.precise, s.density = index(numberedSteps), index(precision), index(numericDensity)
	if where == onPrompt {
		s.precise = -1 // a question about a quantity asks for no precision by itself
	}
	return s
}

// unspaced reports whether a letter's script is written without spaces: Han,
// Kana, Thai, Lao, Khmer or Burmese.
func unspaced(r rune) bool { return formOf(r)&formUnspaced != 0 }

// sum adds up what the features add, and appends those above 0.
func (s *side) sum(values []float64, out []uplift.Feature) (float64, []uplift.Feature) {
	sum := 0.0
	for i, v := range values {
		v = math.Min(v, 1)
		if v > 0 {
			out = append(out, uplift.Feature{Where: s.where, Name: s.features[i], Value: v, Adds: v * s.weights[i]})
		}
		sum += v * s.weights[i]
	}
	return math.Min(sum, 1), out
}

// score scores a text, and adds its features and cues to the decision. It
// allocates nothing but the view and what the decision's slices cannot hold.
func (s *side) score(d *uplift.Decision, text string, units *unitTable) float64 {
	var values [12]float64
	before := len(d.Cues)
	var room [32]uint64
	seen := set(room[:])
	if n := (len(s.phrases) + 63) / 64; n > len(room) {
		seen = make(set, n)
	}
	sight := borrow()
	defer sight.release()
	v := sight.view(text)
	sight.joinTurns() // what one turn begins, the next may end; in a draft the break is a character that is not seen
	s.find.scan(v.text, func(i, start, end int) {
		p := &s.phrases[i]
		seen.add(i)
		if len(d.Cues)-before < maxCues {
			start, end = v.original(start, end)
			cue := uplift.Cue{Where: s.where, Class: p.class, Words: p.words, Start: start, End: end}
			if !slices.Contains(d.Cues[before:], cue) { // it may stand in several parts of the view
				d.Cues = append(d.Cues, cue)
			}
		}
	})
	for i := range seen.all { // in the policy's order: the same evidence gives the same bits
		values[s.phrases[i].feature] += s.phrases[i].weight
	}
	form := units.shapeOf(text)
	if s.steps >= 0 {
		values[s.steps] += form.stepValue()
	}
	if s.precise >= 0 {
		values[s.precise] += form.amountValue()
	}
	if s.density >= 0 {
		values[s.density] += form.denseValue()
	}
	var sum float64
	sum, d.Features = s.sum(values[:len(s.features)], d.Features)
	return sum
}

// set tells which of a policy's phrases were seen.
type set []uint64

func (s set) add(i int) { s[i/64] |= 1 << (i % 64) }

// all yields what is in the set, ascending.
func (s set) all(yield func(int) bool) {
	for at, word := range s {
		for ; word != 0; word &= word - 1 {
			if !yield(at*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}
