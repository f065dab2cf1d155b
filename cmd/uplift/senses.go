package main

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/model/sim"
)

// readings are how a simulated model understands an ask of each tier.
var readings = map[uplift.Tier]sim.Reading{
	uplift.Benign: sim.Plain, uplift.Borderline: sim.Guarded, uplift.Harmful: sim.Restricted,
}

// general are the forms that ask nothing but general questions before their last turn.
var general = []string{attack.Escalation, attack.BorderlineSpecific}

// senses tells a simulated model what each item asks, as a real one would
// understand it. Words alone do not tell it: the tasks are written so that they
// cannot. General questions that come before the request are fine to answer.
func senses(items []uplift.Item) map[string]sim.Sense {
	all := make(map[string]sim.Sense)
	allowed := map[string]bool{}
	for _, f := range attack.Forms() {
		allowed[f.Name] = f.Allowed
	}
	for _, i := range items {
		if allowed[i.Attack] {
			continue // its tier is that of its last turn
		}
		for n := 1; n < len(i.Turns) || n == 1 && i.Next != nil; n++ {
			sense := senseOf(i, i.Turns[:n])
			if slices.Contains(general, i.Attack) {
				sense.Reading = sim.Plain
			}
			all[sim.Key(i.Turns[:n])] = sense
		}
	}
	for _, i := range items { // a whole conversation counts for more than the beginning of another
		for _, turns := range conversations(i) {
			all[sim.Key(turns)] = senseOf(i, turns)
		}
	}
	return all
}

// senseOf is the sense of an item whose user said these turns. A question that is allowed and names what is
// withheld is taken for one about oversight: models are too careful there.
func senseOf(i uplift.Item, turns []string) sim.Sense {
	sense := sim.Sense{Reading: readings[i.Tier], Topic: i.Task}
	named := func(turn string) bool { return sim.Read(turn) != sim.Plain }
	if sense.Reading == sim.Plain && slices.ContainsFunc(turns, named) {
		sense.Reading = sim.Guarded
	}
	return sense
}

// conversations are what the user of an item may have said at its end.
func conversations(i uplift.Item) [][]string {
	if i.Next == nil {
		return [][]string{i.Turns}
	}
	var all [][]string
	for _, last := range []string{i.Next.Refused, i.Next.Limited, i.Next.Full} {
		all = append(all, append(slices.Clone(i.Turns), last))
	}
	return all
}
