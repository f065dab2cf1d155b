package study

import (
	"maps"
	"slices"
)

// clone is a copy that shares nothing with p.
func (p Plan) clone() Plan {
	c := p
	c.Benchmark = copied(p.Benchmark)
	if c.Benchmark != nil {
		c.Benchmark.Splits = slices.Clone(c.Benchmark.Splits)
		c.Benchmark.Include = slices.Clone(c.Benchmark.Include)
		c.Benchmark.Attacks.Names = slices.Clone(c.Benchmark.Attacks.Names)
	}
	c.Models, c.Rewriters = cloned(p.Models), cloned(p.Rewriters)
	c.Limits.Models = maps.Clone(p.Limits.Models)
	c.Conditions.List = slices.Clone(p.Conditions.List)
	for i := range c.Conditions.List {
		c.Conditions.List[i] = c.Conditions.List[i].clone()
	}
	c.Endpoints = slices.Clone(p.Endpoints)
	for i := range c.Endpoints {
		e := &c.Endpoints[i]
		e.Tiers, e.Margin, e.Budget = slices.Clone(e.Tiers), copied(e.Margin), copied(e.Budget)
	}
	c.Quarantine = copied(p.Quarantine)
	return c
}

func cloned(models []Model) []Model {
	models = slices.Clone(models)
	for i := range models {
		s := &models[i].Sampling
		s.Temperature, s.TopP = copied(s.Temperature), copied(s.TopP)
	}
	return models
}

func (c Condition) clone() Condition {
	c.System, c.Client, c.Headers = copied(c.System), copied(c.Client), maps.Clone(c.Headers)
	if c.System != nil {
		c.System.Without = slices.Clone(c.System.Without)
	}
	c.Controller = c.Controller.clone()
	return c
}

func (c *Controller) clone() *Controller {
	if c = copied(c); c == nil {
		return nil
	}
	c.Cuts, c.Policy, c.Scan, c.Rewriter = copied(c.Cuts), copied(c.Policy), copied(c.Scan), copied(c.Rewriter)
	c.Ablate = slices.Clone(c.Ablate)
	if c.Policy != nil {
		c.Policy.Content = slices.Clone(c.Policy.Content)
	}
	if c.Scan != nil {
		c.Scan.Roles = slices.Clone(c.Scan.Roles)
	}
	return c
}

func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
