package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

func (o AgreeOptions) checked() (AgreeOptions, error) {
	var err error
	o.Cluster, o.Level, err = checkCommon(o.Cluster, o.Level)
	if o.Replicates == 0 {
		o.Replicates = defaultAgreeReplicates
	}
	o.Replicates = max(o.Replicates, 0)
	for _, t := range o.Tiers {
		if !slices.Contains(everyTier(), uplift.Tier(t)) {
			err = errors.Join(err, fmt.Errorf("tier %q: unknown (want benign, borderline, harmful or all)", t))
		}
	}
	for _, scale := range sortedKeys(o.Categories) {
		if len(o.Categories[scale]) < 2 {
			err = errors.Join(err, fmt.Errorf("categories of %s: %v (want at least two values)", scale, o.Categories[scale]))
		}
	}
	return o, err
}

func everyTier() []uplift.Tier { return append(uplift.Tiers(), AllTiers) }

// tiers lists those of the entries, in their order.
func (o AgreeOptions) tiers() []uplift.Tier {
	return slices.DeleteFunc(everyTier(), func(t uplift.Tier) bool {
		return len(o.Tiers) > 0 && !slices.Contains(o.Tiers, string(t))
	})
}

// marks are the raters' marks, and those of the judges that are asked for.
type marks struct {
	*reader
	opt       AgreeOptions
	elsewhere map[string]bool // other conditions that have some
	judged    map[string]bool // every grader that is no single rater
}

// newMarks checks the options.
func newMarks(opt AgreeOptions) (*marks, error) {
	opt, err := opt.checked()
	return &marks{&reader{}, opt, map[string]bool{}, map[string]bool{}}, err
}

// keep tells whether a label is one of the marks.
func (m *marks) keep(l uplift.Label) bool {
	if !strings.HasPrefix(l.Grader, uplift.RaterPrefix) {
		m.judged[l.Grader] = true
		if !slices.Contains(m.opt.Judges, l.Grader) {
			return false
		}
	}
	if len(m.opt.Scales) > 0 && !slices.Contains(m.opt.Scales, l.Scale) {
		return false
	}
	if m.opt.Condition != "" && l.Condition != m.opt.Condition {
		m.elsewhere[l.Condition] = true
		return false
	}
	return true
}

// check wants at least one mark.
func (m *marks) check() error {
	for _, j := range m.opt.Judges {
		if !m.judged[j] {
			return fmt.Errorf("judge %q: no label by it (want one of: %s)", j, strings.Join(sortedKeys(m.judged), ", "))
		}
	}
	switch {
	case len(m.reader.marks) == 0 && len(m.elsewhere) > 0:
		return fmt.Errorf("condition %q: no rater marked it (want one of: %s)", m.opt.Condition, strings.Join(sortedKeys(m.elsewhere), ", "))
	case len(m.reader.marks) == 0:
		return fmt.Errorf("%w%s (want labels whose grader is %sNAME, or judges named)", ErrNoMarks, m.opt.onScales(), uplift.RaterPrefix)
	}
	return nil
}

func (o AgreeOptions) onScales() string {
	if len(o.Scales) == 0 {
		return ""
	}
	return " on " + strings.Join(o.Scales, ", ")
}

// scalesOf lists the scales to report that have marks.
func (r *reader) scalesOf(opt AgreeOptions) []string {
	if len(opt.Scales) == 0 {
		return r.scales.list
	}
	return slices.DeleteFunc(slices.Clone(opt.Scales), func(s string) bool { return r.scales.find(s) < 0 })
}
