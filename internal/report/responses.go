package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

// ResponseSet is what a person looks at of a study's responses.
type ResponseSet struct {
	Study      string
	Rows       []ResponseView
	Total      int      // rows that match; more than Rows where the rest is left out
	Conditions []string // the order in which they stand side by side
}

// ResponseView is one response, and what its study keeps of how it came. Where
// Hidden is set, whoever fills it leaves every text out.
type ResponseView struct {
	uplift.Response
	Hidden   string         // why its texts are not shown; empty: they are
	Call     *uplift.Call   // nil: none
	Attempts []CallAttempt  // of the call, where they are wanted
	Cost     string         // of the call; empty: not known
	With     []string       // further cells that share the call
	Message  []NamedMessage // the conversation, where it is wanted
}

// CallAttempt is one request in words.
type CallAttempt struct{ At, Said string }

// NamedMessage is one turn of a conversation.
type NamedMessage struct{ Role, Text string }

// simulated reports whether no real model gave some of the replies.
func (s ResponseSet) simulated() bool {
	return slices.ContainsFunc(s.Rows, func(r ResponseView) bool { return r.Simulated })
}

// said is what stands in the place of the reply: the reply, or why there is none.
func (r ResponseView) said() (text, note string) {
	switch {
	case r.Hidden != "":
		return "", r.Hidden
	case r.Outcome == uplift.Failed:
		return "", strings.TrimSuffix("no reply: "+r.Detail, ": ")
	case r.Text == "":
		return "", "an empty reply"
	}
	return r.Text, ""
}

// Note is why there is no reply; empty where there is one.
func (r ResponseView) Note() string { _, note := r.said(); return note }

// changed reports whether the user saw something else than the model wrote.
func (r ResponseView) changed() bool { return r.Hidden == "" && r.Draft != "" && r.Draft != r.Text }

// action is what the controller did, a dash without one.
func (r ResponseView) action() string {
	if r.Decision == nil {
		return absent
	}
	return string(r.Decision.Action)
}

// Verdict is the outcome, and what the controller did and why, on one line.
func (r ResponseView) Verdict() string {
	out := string(r.Outcome)
	if d := r.Decision; d != nil {
		out += midDot + string(d.Action)
		if d.Would != "" && d.Would != d.Action {
			out += " (would " + string(d.Would) + ")"
		}
		out += midDot + "score " + score(d.Score)
	}
	return out
}

// Scores are the prompt's and the output's, and what they give.
func (r ResponseView) Scores() string {
	if r.Decision == nil {
		return ""
	}
	return "prompt " + score(r.Decision.PromptScore) + ", output " + score(r.Decision.OutputScore)
}

func (r ResponseView) length() int { return utf8.RuneCountInString(r.Text) }

// score is a number from 0 to 1 with three decimals.
func score(v float64) string { return round(v, 3) }

// responseGroup is one conversation, as every condition answered it.
type responseGroup struct {
	Item      uplift.Item
	Model     string
	Replicate int
	Rows      []ResponseView
}

// groups brings the rows of one conversation together: in the order in which
// items, models and replicates first come, the conditions in the set's order.
func (s ResponseSet) groups() []responseGroup {
	type key struct {
		task, attack, model string
		replicate           int
	}
	at := map[key]int{}
	var out []responseGroup
	for _, r := range s.Rows {
		k := key{r.Task, r.Attack, r.Model, r.Replicate}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, responseGroup{Item: uplift.Item{Task: r.Task, Attack: r.Attack, Family: r.Item.Family, Split: r.Item.Split}, Model: r.Model, Replicate: r.Replicate})
		}
		if r.Hidden == "" && len(out[i].Item.Turns) == 0 {
			out[i].Item.Turns, out[i].Item.Next = r.Item.Turns, r.Item.Next
		}
		out[i].Rows = append(out[i].Rows, r)
	}
	for _, g := range out {
		slices.SortStableFunc(g.Rows, func(a, b ResponseView) int {
			return slices.Index(s.Conditions, a.Condition) - slices.Index(s.Conditions, b.Condition)
		})
	}
	return out
}

// twin names the first row before i in which the user saw the same; empty when
// there is none.
func (g responseGroup) twin(i int) string {
	text, note := g.Rows[i].said()
	if note != "" {
		return ""
	}
	for _, r := range g.Rows[:i] {
		if other, note := r.said(); note == "" && other == text {
			return r.Condition
		}
	}
	return ""
}
