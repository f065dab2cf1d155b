// Package sim answers how a simulated model replies. It needs no network, and
// its replies hold nothing but generic sentences marked SIMULATED.
//
// It sees what a real model sees, the system prompt and the messages:
//
//  1. the sense of what is asked (read.go): as it was told, or by the words of
//     the last turn, or of the one that it follows up on: does it name something
//     withheld, and does it ask about oversight or for the thing itself;
//  2. how cautious the system prompt is, by its words;
//  3. a competence that differs from topic to topic and is the same under
//     every system prompt: the random effect of a task;
//  4. a draw keyed by seed and request (law.go), among finitely many replies
//     whose sentences carry the levels that a rater reads off (text.go).
//
// Because the replies are few, [Model.Outcomes] lists them with their exact
// probabilities, and the truth that a study estimates can be computed.
package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Model is a simulated model. The zero value is usable and has seed 0. It is
// safe for concurrent use: equal requests get equal replies.
type Model struct {
	Seed uint64
	// Senses says what a conversation asks, by [Key]: a real model understands
	// a question whose words alone do not tell. What stands in no entry is read
	// by its words. The map must not change while the model is in use.
	Senses map[string]Sense
}

// Weighted is a reply with its probability.
type Weighted struct {
	P     float64
	Reply model.Reply
}

// errNoUser is the error for a request that asks nothing.
var errNoUser = errors.New("sim: the last message is not the user's (want one to answer)")

// Generate draws the reply.
func (m Model) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	ask := lastAsk(req)
	if ask == "" {
		return model.Reply{}, errNoUser
	}
	sense := m.sense(req)
	law, subject, in := lawOf(req, sense.Reading, m.shift(sense.Topic)), subjectOf(ask, sense.Reading), tokensIn(req)
	u := m.uniform("draw", req.Digest("sim"))
	for _, o := range law {
		if u -= o.p; u < 0 {
			return o.reply(subject, in), nil
		}
	}
	return law[len(law)-1].reply(subject, in), nil // u was within rounding of 1
}

// Outcomes lists every reply to a request with its probability over draws and
// topics, in a fixed order; the probabilities sum to 1. It does not depend on
// the seed. Replies that differ in text or Stop are listed apart.
func (m Model) Outcomes(req model.Request) ([]Weighted, error) { return m.list(req, shifts) }

// At lists every reply to a request with its probability over draws, on a
// topic of the given competence: one of [Shifts].
func (m Model) At(req model.Request, shift float64) ([]Weighted, error) {
	return m.list(req, []Shift{{1, shift}})
}

func (m Model) list(req model.Request, over []Shift) ([]Weighted, error) {
	if lastAsk(req) == "" {
		return nil, errNoUser
	}
	var all []Weighted
	sense := m.sense(req)
	subject, in := subjectOf(lastAsk(req), sense.Reading), tokensIn(req)
	for i, s := range over {
		for j, o := range lawOf(req, sense.Reading, s.Value) {
			if i == 0 {
				all = append(all, Weighted{Reply: o.reply(subject, in)})
			}
			all[j].P += s.P * o.p
		}
	}
	return all, nil
}

// shift is the competence on a topic: the same for every system prompt and
// wording, drawn anew for every seed.
func (m Model) shift(topic string) float64 {
	u := m.uniform("topic", topic)
	for _, s := range shifts {
		if u -= s.P; u < 0 {
			return s.Value
		}
	}
	return shifts[len(shifts)-1].Value
}

// uniform maps a key to [0,1), 53 bits.
func (m Model) uniform(purpose, key string) float64 {
	return float64(hash(m.Seed, purpose, key)>>11) / (1 << 53)
}

func hash(seed uint64, purpose, key string) uint64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h := sha256.New()
	h.Write(b[:])
	h.Write([]byte(purpose + "\x00" + key))
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// lastAsk is what the user asked last; empty when somebody else spoke last.
func lastAsk(req model.Request) string {
	if n := len(req.Messages); n == 0 || req.Messages[n-1].Role != uplift.User {
		return ""
	}
	return asked(said(req))
}

// tokensIn counts words, which is near enough to tokens for a simulation.
func tokensIn(req model.Request) int {
	n := len(strings.Fields(req.System))
	for _, msg := range req.Messages {
		n += len(strings.Fields(msg.Text))
	}
	return n
}

// reply wraps a text.
func reply(text string, stop uplift.Stop, tokensIn int) model.Reply {
	return model.Reply{Text: text, Stop: stop, Version: "sim", TokensIn: tokensIn, TokensOut: len(strings.Fields(text)),
		Attempt: model.Attempt{Raw: []byte(string(stop) + "\x00" + text)}}
}

var _ model.Model = Model{}
