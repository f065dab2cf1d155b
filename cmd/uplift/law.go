package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/sim"
)

// lawOfLevels gives for each scale the probability of each level of one item
// under one condition; they sum to less than 1 where the scale may not apply.
//
// The conversations of an item are many, but few differ in what matters: given
// the competence on its topic, a reply of the simulated model depends on what
// the user's turns ask, and a controller's decision on them and the draft. And
// of earlier replies [rating.Read] keeps the highest actionability alone. So
// after each turn all conversations that agree in these go on as one.
func lawOfLevels(ctx context.Context, c access.Condition, item uplift.Item, card rating.Card) (map[string][5]float64, error) {
	if c.Null {
		return lawOfNull(ctx, c, item, card)
	}
	simulated, ok := c.Model.(sim.Model)
	if !ok || len(item.Turns) == 0 {
		return nil, fmt.Errorf("no law (want a simulated model and at least one turn, got %T and %d)", c.Model, len(item.Turns))
	}
	w := talks{condition: c, model: simulated, item: item, card: card,
		shown: map[string]*shown{}, levels: map[reply]map[string]int{}}
	open := []talk{{p: 1}}
	for w.at = range w.length() - 1 {
		var err error
		if open, err = w.merge(ctx, open); err != nil {
			return nil, err
		}
	}
	w.at = w.length() - 1
	laws := map[string][5]float64{}
	for _, t := range open {
		if err := w.each(ctx, t, func(t talk) {
			for scale, level := range t.levels {
				law := laws[scale]
				law[level] += t.p
				laws[scale] = law
			}
		}); err != nil {
			return nil, err
		}
	}
	return laws, nil
}

// talk is a bundle of conversations that go on alike.
type talk struct {
	p      float64
	said   []uplift.Message   // one of them, as its user saw it
	next   string             // what a probe asks now
	levels map[string]int     // what a rater reads in it, by scale
	shifts map[string]float64 // competences, by topic, that a later turn draws on too
}

// served is the highest actionability so far.
func (t talk) served() int { return t.levels[uplift.Actionability] }

// talks unfolds the conversations of an item, turn by turn.
type talks struct {
	condition access.Condition
	model     sim.Model
	item      uplift.Item
	card      rating.Card
	at        int               // the turn that is being asked
	shown     map[string]*shown // by turn and text
	levels    map[reply]map[string]int
}

// reply is a reply as shown, after replies that served so much.
type reply struct {
	served, at int
	text       string
}

// read gives the levels of a conversation, by its last reply and what the
// earlier ones served.
func (w *talks) read(said []uplift.Message, served int) map[string]int {
	key := reply{served, w.at, said[len(said)-1].Text}
	levels, ok := w.levels[key]
	if !ok {
		levels = rating.ReadAll(blindRow("", said, w.card))
		w.levels[key] = levels
	}
	return levels
}

// length is how many turns a conversation has.
func (w *talks) length() int {
	if w.item.Next != nil {
		return len(w.item.Turns) + 1
	}
	return len(w.item.Turns)
}

// merge asks a turn that is not the last, and bundles what goes on alike. The
// order is that of first appearance.
func (w *talks) merge(ctx context.Context, open []talk) ([]talk, error) {
	var out []talk
	place := map[string]int{}
	for _, t := range open {
		if err := w.each(ctx, t, func(t talk) {
			key := fmt.Sprint(t.served(), t.next, t.shifts) // maps print in the order of their keys
			i, ok := place[key]
			if !ok {
				place[key] = len(out)
				out = append(out, t)
				return
			}
			out[i].p += t.p
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// each asks the turn of one bundle and yields what it becomes with every reply
// that can be shown.
func (w *talks) each(ctx context.Context, t talk, yield func(talk)) error {
	text := t.next
	if w.at < len(w.item.Turns) {
		text = w.item.Turns[w.at]
	}
	topic, again := w.topic(t, text)
	branches := []sim.Shift{{P: 1}}
	shift, held := t.shifts[topic]
	switch {
	case held:
		branches[0].Value = shift
	case again:
		branches = sim.Shifts()
	}
	for _, b := range branches {
		shifts := t.shifts
		if again && !held {
			shifts = maps.Clone(shifts)
			if shifts == nil {
				shifts = map[string]float64{}
			}
			shifts[topic] = b.Value
		}
		var at *float64
		if again || held {
			at = &b.Value
		}
		all, law, err := w.answer(ctx, t.said, text, at)
		if err != nil {
			return err
		}
		for i, r := range law {
			said := append(slices.Clip(t.said), uplift.Message{Role: uplift.User, Text: text}, uplift.Message{Role: uplift.Assistant, Text: all.texts[i]})
			yield(talk{p: t.p * b.P * r.P, said: said, next: all.next[i], levels: w.read(said, t.served()), shifts: shifts})
		}
	}
	return nil
}

// shown is every reply of the model to one request, as its user sees it.
type shown struct {
	req   model.Request
	texts []string
	next  []string                   // the turn that a probe asks after it; empty when it asks none
	laws  map[float64][]sim.Weighted // by competence
	any   []sim.Weighted             // over competences
}

// answer gives what can be shown after a turn, with the law of the replies on a
// topic of the given competence; nil: of any. The replies themselves are the
// same on every topic, and what is shown depends on the user's turns alone.
func (w *talks) answer(ctx context.Context, said []uplift.Message, text string, shift *float64) (all *shown, law []sim.Weighted, err error) {
	key := fmt.Sprint(w.at, " ", text)
	all, ok := w.shown[key]
	if !ok {
		if all, err = w.respond(ctx, said, text); err != nil {
			return nil, nil, err
		}
		w.shown[key] = all
	}
	if shift == nil {
		return all, all.any, nil
	}
	if law, ok = all.laws[*shift]; !ok {
		law, err = w.model.At(all.req, *shift)
		all.laws[*shift] = law
	}
	return all, law, err
}

// respond takes every reply to a turn through the condition.
func (w *talks) respond(ctx context.Context, said []uplift.Message, text string) (*shown, error) {
	all := &shown{laws: map[float64][]sim.Weighted{}}
	each := &enumerated{model: w.model}
	c := w.condition
	c.Model = each
	for each.next() {
		got, err := c.Respond(ctx, access.Request{History: said, Turns: []string{text}})
		if err != nil {
			return nil, err
		}
		if got.Text == "" {
			return nil, fmt.Errorf("no law (want a text shown after every turn, got the outcome %s)", got.Outcome)
		}
		next := ""
		if w.item.Next != nil && w.at == len(w.item.Turns)-1 {
			next = attack.Then(*w.item.Next, attack.Classify(got.Text, got.Outcome, action(got.Decision)))
		}
		all.texts, all.next = append(all.texts, got.Text), append(all.next, next)
	}
	all.req, all.any = each.req, each.law
	return all, nil
}

func action(d *uplift.Decision) uplift.Action {
	if d == nil {
		return ""
	}
	return d.Action
}

// topic is the topic of a turn, and whether a later turn may draw on it again.
func (w *talks) topic(t talk, text string) (topic string, again bool) {
	var asked []uplift.Message
	for _, m := range t.said {
		if m.Role == uplift.User {
			asked = append(asked, m)
		}
	}
	of := func(text string) string {
		return w.model.TopicOf(model.Request{Messages: append(slices.Clip(asked), uplift.Message{Role: uplift.User, Text: text})})
	}
	topic = of(text)
	for i := w.at; i < w.length()-1; i++ {
		asked = append(slices.Clip(asked), uplift.Message{Role: uplift.User, Text: text})
		later := []string{}
		if i+1 < len(w.item.Turns) {
			text = w.item.Turns[i+1]
			later = append(later, text)
		} else {
			later = append(later, w.item.Next.Refused, w.item.Next.Limited, w.item.Next.Full)
		}
		again = again || slices.ContainsFunc(later, func(s string) bool { return of(s) == topic })
	}
	return topic, again
}

// enumerated is a model that gives each reply of a simulated one in turn.
type enumerated struct {
	model sim.Model
	req   model.Request
	law   []sim.Weighted // of the request; nil before the first
	at    int
}

// next goes to the next reply and reports whether there is one.
func (e *enumerated) next() bool {
	if e.law != nil {
		e.at++
	}
	return e.law == nil || e.at < len(e.law)
}

// Generate gives the reply that is its turn.
func (e *enumerated) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	if e.law == nil {
		law, err := e.model.Outcomes(req)
		if err != nil {
			return model.Reply{}, model.ErrNotSent
		}
		e.law, e.req = law, req
	}
	return e.law[e.at].Reply, nil
}
