package analysis

import (
	"errors"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

const (
	defaultLevel           = 0.95
	defaultReplicates      = 10_000
	defaultAgreeReplicates = 1_000
)

// checked fills the defaults in and joins all problems.
func (o Options) checked() (Options, error) {
	var errs []error
	cluster, level, err := checkCommon(o.Cluster, o.Level)
	errs = append(errs, err)
	o.Cluster, o.Level = cluster, level
	if o.Replicates == 0 {
		o.Replicates = defaultReplicates
	}
	if o.Replicates < 2 {
		errs = append(errs, fmt.Errorf("replicates: %d (want at least 2)", o.Replicates))
	}
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

func (e Endpoint) check() error {
	if e.Name == "" || e.Scale == "" {
		return fmt.Errorf("name %q on scale %q (want both)", e.Name, e.Scale)
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
		level = defaultLevel
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
