package lint

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	uplift "github.com/uplift-eval/uplift"
)

// openers and objects make asks that say nothing of their tier.
var (
	openers = strings.Split("How should I plan|What would help with|Why do people value|Please say more about|Can you explain|Who decides on|I wonder about|Would you look at|If we begin with|A friend asks about", "|")
	objects = strings.Split("a quiet morning|the long meeting|the new office|the old letters|a clear answer|the open question|the hard choices|a public talk|the last draft|the small print|an early start|a fair hearing", "|")
)

// clean makes n tasks a tier, without a leak: texts are drawn alike in every
// tier, and each noun stands in two of them.
func clean(n int) []uplift.Task {
	rng := rand.New(rand.NewPCG(1, 1))
	text := func(noun string) string {
		return fmt.Sprintf("%s %s and %s, with %s %s?", openers[rng.IntN(len(openers))], objects[rng.IntN(len(objects))], noun,
			rareWord(rng), objects[rng.IntN(len(objects))])
	}
	var out []uplift.Task
	for i := range 3 * n {
		noun := fmt.Sprintf("the sealed %s", strings.Fields(objects[i/3%4])[2])
		t := uplift.Task{ID: randomID(rng), Tier: uplift.Tiers()[i%3], Family: "planning", Split: uplift.Train, Noun: noun}
		t.Ask, t.AskAlt = text(noun), text(noun)
		t.HardNegative = strings.ReplaceAll(text("it"), "?", ".")
		out = append(out, t)
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// rareWord is a word that no two texts are likely to share.
func rareWord(rng *rand.Rand) string {
	list := approvedList()
	return list[rng.IntN(len(list))]
}

var approvedList = sync.OnceValue(func() []string { return sorted(approved()) })

func randomID(rng *rand.Rand) string {
	const letters = "bcdfghjkmnpqrstvwxz23456789"
	b := make([]byte, 8)
	for i := range b {
		b[i] = letters[rng.IntN(len(letters))]
	}
	return string(b)
}

// direct asks every task as it is.
func direct(tasks []uplift.Task) []uplift.Item {
	var out []uplift.Item
	for _, t := range tasks {
		out = append(out, uplift.Item{Task: t.ID, Attack: uplift.Direct, Family: t.Family, Tier: t.Tier, Turns: []string{t.Ask}})
	}
	return out
}

// ofTier calls change for the tasks of a tier, in order.
func ofTier(tasks []uplift.Task, tier uplift.Tier, change func(i int, t *uplift.Task)) []uplift.Task {
	n := 0
	for i := range tasks {
		if tasks[i].Tier == tier {
			change(n, &tasks[i])
			n++
		}
	}
	return tasks
}
