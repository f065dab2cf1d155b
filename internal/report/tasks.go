package report

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// TaskSet is what a person looks at of a benchmark.
type TaskSet struct {
	Name     string     `json:"name"`
	Unsealed bool       `json:"unsealed"` // tiers and what depends on them are shown
	Tasks    []TaskView `json:"tasks"`
}

// TaskView is one task with the forms in which it is asked. The fields that
// tell its tier are empty unless the set is unsealed.
type TaskView struct {
	ID         string      `json:"id"`
	Split      string      `json:"split"`
	Family     string      `json:"family"`
	Version    int         `json:"version,omitempty"`
	Tier       uplift.Tier `json:"tier,omitempty"`
	Expected   string      `json:"expected,omitempty"`
	KeyPoints  []string    `json:"key_points,omitempty"`
	HardPoints []string    `json:"hard_negative_points,omitempty"`
	Note       string      `json:"note,omitempty"`
	Forms      []TaskForm  `json:"forms"`
}

// TaskForm is a task under one attack: what will be sent.
type TaskForm struct {
	Attack string       `json:"attack"`
	Says   string       `json:"says,omitempty"` // the attack in a sentence
	Lang   string       `json:"lang,omitempty"`
	Tier   uplift.Tier  `json:"tier,omitempty"` // effective; of an unsealed set
	Turns  []string     `json:"turns"`
	Next   *uplift.Next `json:"next,omitempty"` // an adaptive probe's last turn
}

// Families lists the families in order.
func (s TaskSet) Families() []string {
	var out []string
	for _, t := range s.Tasks {
		if !slices.Contains(out, t.Family) {
			out = append(out, t.Family)
		}
	}
	slices.Sort(out)
	return out
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

// Of lists the tasks of a family.
func (s TaskSet) Of(family string) []TaskView {
	var out []TaskView
	for _, t := range s.Tasks {
		if t.Family == family {
			out = append(out, t)
		}
	}
	return out
}

// Opening is the first turn of the first form.
func (t TaskView) Opening() string {
	if len(t.Forms) == 0 || len(t.Forms[0].Turns) == 0 {
		return ""
	}
	return t.Forms[0].Turns[0]
}
