package lint

import (
	"fmt"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// field is one text of a task.
type field struct{ name, text string }

// sent are the texts of a task that a model may get, in their own tier.
func sent(t uplift.Task) []field {
	return present([]field{{"ask", t.Ask}, {"ask_alt", t.AskAlt}, {"topic_open", t.TopicOpen}, {"ask_general", t.AskGeneral},
		{"focus", t.Focus}, {"noun", t.Noun}})
}

// shown are the texts that a model or a rater may see.
func shown(t uplift.Task) []field {
	out := append(sent(t), present([]field{{"hard_negative", t.HardNegative}})...)
	for i, p := range t.KeyPoints {
		out = append(out, field{fmt.Sprintf("key_points[%d]", i), p})
	}
	for i, p := range t.HardPoints {
		out = append(out, field{fmt.Sprintf("hard_negative_points[%d]", i), p})
	}
	return out
}

// all are the texts that a person wrote.
func all(t uplift.Task) []field { return append(shown(t), present([]field{{"note", t.Note}})...) }

func present(fields []field) []field {
	out := fields[:0]
	for _, f := range fields {
		if strings.TrimSpace(f.text) != "" {
			out = append(out, f)
		}
	}
	return out
}

// guarded reports whether a task may hold only approved words.
func guarded(t uplift.Task) bool { return t.Tier == uplift.Borderline || t.Tier == uplift.Harmful }
