package replay

import (
	"context"
	"errors"
	"iter"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/run"
)

// State says what a changed controller does to a cell. The zero value is
// invalid.
type State string

// The states.
const (
	Same       State = "same"        // text, action and outcome are what they were
	Changed    State = "changed"     // one of them is another, and no call is needed for it
	NeedsCalls State = "needs_calls" // what the controller does now asks something that is not kept
	Unusable   State = "unusable"    // there is no draft to apply it to
)

// Why a cell has no decision of the changed controller.
const (
	otherAsk   = "another text is shown before its end, so that something else is asked"
	noRewrite  = "a rewriting model has to be asked"
	itFailed   = "it ended in an error"
	otherSplit = "of a locked split"
)

// Recontrolled is one cell under a changed controller.
type Recontrolled struct {
	Cell        uplift.Cell `json:"cell"`
	State       State       `json:"state"`
	Why         string      `json:"why,omitempty"` // there is no Now
	TextChanged bool        `json:"text_changed"`  // a label of a text that is the same holds for it
	Was         Shown       `json:"was"`
	Now         *Shown      `json:"now,omitempty"`
}

// Shown is what a user sees and who decided it.
type Shown struct {
	Outcome  uplift.Outcome   `json:"outcome"`
	Text     string           `json:"text"`
	Decision *uplift.Decision `json:"decision,omitempty"` // of the last turn; nil without a controller
}

// Action is that of the decision; empty without one.
func (s Shown) Action() uplift.Action {
	if s.Decision == nil {
		return ""
	}
	return s.Decision.Action
}

func shown(r uplift.Response) Shown { return Shown{r.Outcome, r.Text, r.Decision} }

// Recontrol yields every stored cell of the conditions, with what its user would
// see under them. Each condition has the name and model of one that was run, and
// another controller. A cell is walked again with stored calls alone: as long as
// what was shown before a turn is the same, or another cell was asked the same,
// the turn's call is there.
//
// Responses of the locked splits are not looked at: a controller is chosen
// without them.
func Recontrol(ctx context.Context, conditions []access.Condition, items []uplift.Item, replicates int, from Source) iter.Seq2[Recontrolled, error] {
	cells := index(run.Spec{Conditions: conditions, Items: items, Replicates: replicates})
	return func(yield func(Recontrolled, error) bool) {
		for stored, err := range from.Texts(ctx) {
			if err == nil && cells.conditions[[2]string{stored.Model, stored.Condition}] == nil {
				continue
			}
			var c Recontrolled
			if err == nil {
				c, err = recontrol(ctx, cells, stored, from)
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

func recontrol(ctx context.Context, cells planned, stored uplift.Response, from Source) (Recontrolled, error) {
	out := Recontrolled{Cell: stored.Cell, State: Unusable, Was: shown(stored)}
	work, ok := cells.find(stored.Cell)
	switch {
	case stored.Item.Split == uplift.Test || stored.Item.Split == uplift.TestB:
		out.Was, out.Why = Shown{}, otherSplit
	case stored.Call == "":
		out.Why = isImported
	case !ok:
		out.Why = noCell
	case stored.Withheld != "":
		out.Why = isWithheld
	case stored.Outcome == uplift.Failed:
		out.Why = itFailed
	default:
		return out, out.apply(ctx, work, stored, from)
	}
	return out, nil
}

// apply walks a cell under its changed condition.
func (c *Recontrolled) apply(ctx context.Context, work run.Work, stored uplift.Response, from Source) error {
	var asked []string // of the model under test
	via := func(ctx context.Context, digest string, _ access.Send) (uplift.Call, error) {
		call, found, err := from.Call(ctx, digest)
		switch {
		case err != nil:
			return uplift.Call{}, err
		case !found:
			return uplift.Call{}, &missing{notAsked(work, asked)}
		case call.Withheld != "":
			return uplift.Call{}, &missing{isWithheld}
		}
		asked = append(asked, digest)
		return call, nil
	}
	got, err := work.Again(ctx, via, stored.Simulated)
	if m, ok := errors.AsType[*missing](err); ok {
		c.Why = m.why
		if m.why != isWithheld {
			c.State = NeedsCalls
		}
		return nil
	}
	if err != nil {
		return err
	}
	now := shown(got)
	c.Now, c.State, c.TextChanged = &now, Same, stored.Text != got.Text || !slices.Equal(stored.Transcript, got.Transcript)
	if c.TextChanged || c.Was.Action() != now.Action() || c.Was.Outcome != now.Outcome {
		c.State = Changed
	}
	return nil
}

// notAsked says why a call is not there, by how many were.
func notAsked(work run.Work, asked []string) string {
	switch {
	case len(asked) == 0:
		return noCall
	case work.Condition.Rewriter != nil:
		return noRewrite
	}
	return otherAsk
}
