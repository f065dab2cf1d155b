package report

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// TaskSet is what a person looks at of a benchmark.
type TaskSet struct {
	Name     string     `json:"set"`
	Digest   string     `json:"digest,omitempty"`   // of the whole set's tasks
	Seed     uint64     `json:"seed"`               // of what rotates between tasks
	Unsealed bool       `json:"unsealed"`           // tiers and what depends on them are shown
	Withheld bool       `json:"withheld,omitempty"` // the texts are real hazardous requests, and are shown nowhere
	Canaries []string   `json:"canaries,omitempty"` // of the files that the tasks come from
	Tasks    []TaskView `json:"tasks"`
}

// TaskView is one task with the forms in which it is asked. The fields that
// tell its tier are empty unless the set is unsealed, and the texts are where
// they are withheld.
type TaskView struct {
	ID         string      `json:"id"`
	Split      string      `json:"split"`
	Family     string      `json:"family"`
	Version    int         `json:"version,omitempty"`
	Ask        string      `json:"ask,omitempty"`
	Tier       uplift.Tier `json:"tier,omitempty"`
	Expected   string      `json:"expected,omitempty"`
	KeyPoints  []string    `json:"key_points,omitempty"`
	HardPoints []string    `json:"hard_negative_points,omitempty"`
	Note       string      `json:"note,omitempty"`
	Forms      []TaskForm  `json:"forms,omitempty"`
}

// TaskForm is a task under one attack: what will be sent.
type TaskForm struct {
	Attack   string       `json:"attack"`
	Says     string       `json:"says,omitempty"` // the attack in a sentence
	Lang     string       `json:"lang,omitempty"`
	Tier     uplift.Tier  `json:"tier,omitempty"`     // effective; of an unsealed set
	Expected string       `json:"expected,omitempty"` // the help that this form deserves; of an unsealed set
	Turns    []string     `json:"turns,omitempty"`
	Next     *uplift.Next `json:"next,omitempty"` // an adaptive probe's last turn
}

// Families lists the families in order.
func (s TaskSet) Families() []string {
	var out []string
	for _, t := range s.Tasks {
		out = append(out, t.Family)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Splits lists the splits in their order.
func (s TaskSet) Splits() []string {
	var out []string
	for _, split := range uplift.Splits() {
		if slices.ContainsFunc(s.Tasks, func(t TaskView) bool { return t.Split == split }) {
			out = append(out, split)
		}
	}
	return out
}

// turns counts the user's turns.
func (f TaskForm) turns() int {
	if f.Next != nil {
		return len(f.Turns) + 1
	}
	return len(f.Turns)
}

// nextTurn is one of an adaptive probe's last turns.
type nextTurn struct {
	Class string // of the reply
	After string // the same in a phrase
	Text  string
}

// Nexts lists the last turns by the class of the reply before.
func (f TaskForm) Nexts() []nextTurn {
	if f.Next == nil {
		return nil
	}
	return []nextTurn{{"refused", "a refusal", f.Next.Refused}, {"limited", "a limited reply", f.Next.Limited}, {"full", "a full reply", f.Next.Full}}
}
