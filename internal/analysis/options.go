package analysis

import (
	"errors"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// How the headline is computed, in the words in which a plan fixes it.
const (
	HeadlineInterval  = "cr2"       // interval and p_cr2 of a difference
	HeadlineTest      = "sign_flip" // the p beside it
	FamilyAdjust      = "holm"      // of both p, over the contrasts of an endpoint
	DefaultLevel      = 0.95        // of every interval
	DefaultReplicates = 10_000      // of every bootstrap
)

const (
	defaultAgreeReplicates = 1_000
	maxMargin              = 1e50 // no value of a label is larger
)

// checked fills the defaults in and joins all problems.
func (o Options) checked() (Options, error) {
	var errs []error
	cluster, level, err := checkCommon(o.Cluster, o.Level)
	errs = append(errs, err)
	o.Cluster, o.Level = cluster, level
	if o.Replicates == 0 {
		o.Replicates = DefaultReplicates
	}
	if o.Replicates < 2 {
		errs = append(errs, fmt.Errorf("replicates: %d (want at least 2)", o.Replicates))
	}
	if o.Planned < 0 {
		errs = append(errs, fmt.Errorf("planned: %d (want 0 or more contrasts)", o.Planned))
	}
	errs = append(errs, o.Blocks.valid())
	if len(o.Endpoints) == 0 {
		errs = append(errs, errors.New("endpoints: none (want at least one, such as utility on correctness over benign)"))
	}
	o.Endpoints = slices.Clone(o.Endpoints)
	for i, e := range o.Endpoints {
		if err := e.check(); err != nil {
			errs = append(errs, fmt.Errorf("endpoints[%d]: %w", i, err))
		}
		if slices.ContainsFunc(o.Endpoints[:i], func(p Endpoint) bool { return p.Name == e.Name }) {
			errs = append(errs, fmt.Errorf("endpoints[%d]: name %q is used twice", i, e.Name))
		}
		if len(e.Tiers) == 0 {
			o.Endpoints[i].Tiers = uplift.Tiers()
		}
	}
	return o, errors.Join(errs...)
}

// axis is the way in which the frontier takes an endpoint as better; empty for
// those that it has no axis for.
func (e Endpoint) axis() Direction {
	switch e.Name {
	case Utility:
		return Higher
	case Risk:
		return Lower
	}
	return ""
}

func (e Endpoint) check() error {
	switch {
	case e.Name == "" || e.Scale == "":
		return fmt.Errorf("name %q on scale %q (want both)", e.Name, e.Scale)
	case e.Better != Higher && e.Better != Lower:
		return fmt.Errorf("%s: better: unknown value %q (want higher or lower)", e.Name, e.Better)
	case e.axis() != "" && e.Better != e.axis():
		return fmt.Errorf("%s: better: %s, and the frontier takes it as better %s (want an endpoint of another name)", e.Name, e.Better, e.axis())
	case e.Margin != nil && !(*e.Margin > 0 && *e.Margin <= maxMargin):
		return fmt.Errorf("%s: margin: %v (want a number above 0, up to %g)", e.Name, *e.Margin, maxMargin)
	}
	for _, t := range e.Tiers {
		if !t.Known() {
			return fmt.Errorf("%s: tiers: unknown value %q (want benign, borderline or harmful)", e.Name, t)
		}
	}
	return nil
}

func checkCommon(c Cluster, level float64) (Cluster, float64, error) {
	if c == "" {
		c = ByTask
	}
	if level == 0 {
		level = DefaultLevel
	}
	if c != ByTask && c != ByFamily {
		return c, level, fmt.Errorf("cluster: unknown value %q (want task or family)", c)
	}
	if !(level > 0 && level < 1) {
		return c, level, fmt.Errorf("level: %v (want between 0 and 1, such as 0.95)", level)
	}
	return c, level, nil
}

// plural is the clusters' name in a sentence.
func (c Cluster) plural() string {
	if c == ByFamily {
		return "families"
	}
	return "tasks"
}
