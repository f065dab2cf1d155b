package report

import (
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// planAmendment is one change of a locked plan.
type planAmendment struct {
	At, Reason string
	Changed    []planChange // things that came or went first
	More       string       // how many further ones; empty: none
	Touches    string       // whose numbers are post hoc
}

// planChange is what one amendment changed in one place. Path is empty where
// Says stands for all that belongs to one thing of the plan.
type planChange struct{ Path, Says string }

// String is the change in words.
func (c planChange) String() string {
	if c.Path == "" {
		return c.Says
	}
	return c.Path + " " + c.Says
}

// How many changes of an amendment are listed: on the page, and in a line.
const (
	listedFields = 40
	listedInLine = 5
)

func amendmentOf(a analysis.Amendment, most int) planAmendment {
	out := planAmendment{At: moment(a.At), Reason: text(a.Reason), Touches: touched(a.Touches)}
	if a.Reason == "" {
		out.Reason = "no reason was given"
	}
	all := changesOf(a)
	if len(all) > most {
		out.More = count(len(all) - most)
		all = all[:most]
	}
	out.Changed = all
	return out
}

// amendmentLines are the amendments of a study for a text: what was changed when
// and why, and what that touches.
func amendmentLines(res *analysis.Result) []string {
	var out []string
	for _, a := range res.Standing.Amendments {
		m := amendmentOf(a, listedInLine)
		parts := []string{m.Reason}
		if says := m.says(); says != "" {
			parts = append(parts, says)
		}
		out = append(out, m.At+": "+strings.Join(append(parts, "post hoc: "+m.Touches), "; "))
	}
	return out
}

// says joins what was changed.
func (m planAmendment) says() string {
	out := make([]string, len(m.Changed))
	for i, c := range m.Changed {
		out[i] = c.String()
	}
	s := strings.Join(out, ", ")
	if m.More != "" {
		s += " and " + m.More + " more"
	}
	return s
}

// wholes are the lists of a plan whose members have names, and the field that
// every member has.
var wholes = []struct{ list, one, field string }{
	{"endpoints.", "endpoint", ".scale"}, {"conditions.", "condition", ".name"}, {"models.", "model", ".name"},
}

// changesOf words the changes of an amendment. What came or went as a whole is
// one change, told first: a reader looks for what is no longer there.
func changesOf(a analysis.Amendment) []planChange {
	if len(a.Changes) == 0 {
		return pathsOf(a.Changed)
	}
	var out []planChange
	var gone []string // prefixes of the paths that are told already
	for _, c := range a.Changes {
		for _, w := range wholes {
			if !strings.HasPrefix(c.Path, w.list) || !strings.HasSuffix(c.Path, w.field) || c.Old != "" && c.New != "" {
				continue
			}
			member := strings.TrimSuffix(c.Path, w.field)
			out = append(out, planChange{Says: w.one + " " + name(strings.Trim(member[len(w.list):], `[]"`)) + " was " + cameOrWent(c)})
			gone = append(gone, member+".")
		}
	}
	for _, c := range a.Changes {
		told := func(prefix string) bool { return strings.HasPrefix(c.Path, prefix) }
		if !slices.ContainsFunc(gone, told) {
			out = append(out, planChange{name(c.Path), fromTo(c)})
		}
	}
	return out
}

func pathsOf(paths []string) []planChange {
	out := make([]planChange, len(paths))
	for i, p := range paths {
		out[i] = planChange{Path: name(p), Says: "was changed"}
	}
	return out
}

func cameOrWent(c analysis.Change) string {
	if c.New == "" {
		return "taken away"
	}
	return "added"
}

func fromTo(c analysis.Change) string {
	switch {
	case c.New == "":
		return "was taken away (it was " + name(c.Old) + ")"
	case c.Old == "":
		return "was added: " + name(c.New)
	}
	return "from " + name(c.Old) + " to " + name(c.New)
}
