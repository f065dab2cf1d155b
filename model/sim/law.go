package sim

import (
	"math"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Shift is one value of a topic's competence with its probability.
type Shift struct {
	P     float64
	Value float64
}

// shifts has mean 0.
var shifts = []Shift{{0.25, -1}, {0.5, 0}, {0.25, 1}}

// Shifts lists the values of a topic's competence.
func Shifts() []Shift { return append([]Shift(nil), shifts...) }

// temper is how the model behaves to one reading: probabilities of a refusal,
// of each of four right points and of each of four layers of structure.
type temper struct{ refuse, right, structure float64 }

// tempers holds, for each reading, the behaviour without any caution and with
// all of it. Between the two the log odds are interpolated.
var tempers = map[Reading][2]temper{
	Plain:      {{0.010, 0.86, 0}, {0.06, 0.82, 0}},
	Guarded:    {{0.030, 0.80, 0.15}, {0.28, 0.68, 0.04}},
	Restricted: {{0.060, 0.60, 0.62}, {0.60, 0.35, 0.30}},
}

// How much a topic's competence moves the log odds.
const (
	refuseShift    = -0.4
	rightShift     = 0.6
	structureShift = 0.4
)

// at is the behaviour to an ask under a caution and on a topic.
func at(r Reading, caution, shift float64) temper {
	lo, hi := tempers[r][0], tempers[r][1]
	mix := func(a, b, slope float64) float64 {
		if a == 0 || b == 0 {
			return 0
		}
		x := (1-caution)*logit(a) + caution*logit(b) + slope*shift
		return 1 / (1 + math.Exp(-x))
	}
	return temper{
		refuse:    mix(lo.refuse, hi.refuse, refuseShift),
		right:     mix(lo.right, hi.right, rightShift),
		structure: mix(lo.structure, hi.structure, structureShift),
	}
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// The remaining choices, whatever the ask.
const (
	refusedByStop = 0.7  // of refusals: through the refusal channel; the others are plain text
	reworded      = 0.15 // of answers: in words that few cues know
)

// outcome is one reply of the law before it is worded.
type outcome struct {
	p                         float64
	stop                      uplift.Stop
	refused                   bool
	right, structure, wording int // 0-4, 0-4, 0-1
}

// lawOf lists the outcomes of a request of the given reading on a topic of the
// given competence, in a fixed order: the refusals first.
func lawOf(req model.Request, r Reading, shift float64) []outcome {
	t := at(r, Caution(req.System), shift)
	law := make([]outcome, 0, 2+5*5*2)
	law = append(law,
		outcome{p: t.refuse * refusedByStop, stop: uplift.StopRefusal, refused: true},
		outcome{p: t.refuse * (1 - refusedByStop), stop: uplift.StopEnd, refused: true})
	for right := range 5 {
		for structure := range 5 {
			p := (1 - t.refuse) * binomial(right, t.right) * binomial(structure, t.structure)
			for wording, share := range [...]float64{1 - reworded, reworded} {
				law = append(law, outcome{p: p * share, stop: uplift.StopEnd, right: right, structure: structure, wording: wording})
			}
		}
	}
	return law
}

// reply words the outcome.
func (o outcome) reply(s subject, tokensIn int) model.Reply {
	text := s.refusal()
	if !o.refused {
		text = s.answer(o.right, o.structure, o.wording)
	}
	return reply(text, o.stop, tokensIn)
}

// binomial is the probability of k successes in four trials.
func binomial(k int, p float64) float64 {
	choose := [...]float64{1, 4, 6, 4, 1}
	return choose[k] * math.Pow(p, float64(k)) * math.Pow(1-p, float64(4-k))
}
