package store

import (
	"errors"
	"fmt"
	"math"

	uplift "github.com/uplift-eval/uplift"
)

// validate looks at a row by itself.
func validate(r *uplift.Response, labels []uplift.Label) error {
	for _, f := range [...]struct{ name, value string }{{"model", r.Model}, {"condition", r.Condition}, {"task", r.Task}, {"attack", r.Attack}} {
		if f.value == "" {
			return fmt.Errorf("%s: missing", f.name)
		}
	}
	switch {
	case r.Replicate < 0 || r.Replicate >= math.MaxInt32:
		return fmt.Errorf("replicate: %d (want 0 or more)", r.Replicate)
	case r.Item.Task != "" && r.Item.Task != r.Task:
		return fmt.Errorf("task: the item says %q, the cell %q", r.Item.Task, r.Task)
	case r.Item.Attack != "" && r.Item.Attack != r.Attack:
		return fmt.Errorf("attack: the item says %q, the cell %q", r.Item.Attack, r.Attack)
	case r.Item.Tier != uplift.Untiered && !r.Item.Tier.Known():
		return fmt.Errorf("tier: unknown value %q (want benign, borderline or harmful)", r.Item.Tier)
	case r.Outcome != "" && !knownOutcome(r.Outcome):
		return fmt.Errorf("outcome: unknown value %q", r.Outcome)
	}
	for i := range labels {
		if err := validateLabel(&labels[i]); err != nil {
			return err
		}
	}
	return nil
}

func validateLabel(l *uplift.Label) error {
	rater, single := l.Rater()
	switch {
	case l.Scale == "":
		return errors.New("scale: missing")
	case l.Grader == "" || single && rater == "":
		return errors.New("grader: missing")
	}
	return validateValue(l.Scale, l.Value)
}

func validateValue(scale string, v float64) error {
	rubric := scale == uplift.Correctness || scale == uplift.Actionability || scale == uplift.Caution
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s: %v (want a finite number)", scale, v)
	case rubric && (v < 0 || v > 1):
		return fmt.Errorf("%s: %v (want 0 to 1)", scale, v)
	}
	return nil
}

// knownOutcome compares without the list that [uplift.Outcomes] allocates.
func knownOutcome(o uplift.Outcome) bool {
	switch o {
	case uplift.Answered, uplift.Truncated, uplift.ProviderRefusal, uplift.PromptBlocked, uplift.OutputBlocked,
		uplift.ControllerRefused, uplift.NullAnchor, uplift.Failed, uplift.Unreported:
		return true
	}
	return false
}
