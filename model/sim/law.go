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
	Guarded:    {{0.030, 0.80, 0.10}, {0.28, 0.68, 0.04}},
	Restricted: {{0.100, 0.60, 0.64}, {0.60, 0.35, 0.30}},
}

// How much a topic's competence moves the log odds.
const (
	refuseShift    = -0.4
	rightShift     = 0.6
	structureShift = 0.6
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

// At lists every reply with its probability on a topic of the given
// competence, in a fixed order: the refusals first.
func (m Model) At(req model.Request, shift float64) ([]Weighted, error) {
	ask := lastAsk(req)
	if ask == "" {
		return nil, errNoUser
	}
	t := at(Read(ask), Caution(req.System), shift)
	law := []Weighted{
		{t.refuse * refusedByStop, reply(req, refusalText(ask), uplift.StopRefusal)},
		{t.refuse * (1 - refusedByStop), reply(req, refusalText(ask), uplift.StopEnd)},
	}
	for right := 0; right <= 4; right++ {
		for structure := 0; structure <= 4; structure++ {
			p := (1 - t.refuse) * binomial(right, t.right) * binomial(structure, t.structure)
			for wording, share := range [...]float64{1 - reworded, reworded} {
				text := answerText(ask, right, structure, wording)
				law = append(law, Weighted{p * share, reply(req, text, uplift.StopEnd)})
			}
		}
	}
	return law, nil
}

// binomial is the probability of k successes in four trials.
func binomial(k int, p float64) float64 {
	choose := [...]float64{1, 4, 6, 4, 1}
	return choose[k] * math.Pow(p, float64(k)) * math.Pow(1-p, float64(4-k))
}
