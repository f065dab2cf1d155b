package study

import "slices"

// clone is a copy that shares nothing with p.
func (p Plan) clone() Plan {
	c := p
	c.Benchmark = copied(p.Benchmark)
	if c.Benchmark != nil {
		c.Benchmark.Splits = slices.Clone(c.Benchmark.Splits)
		c.Benchmark.Include = slices.Clone(c.Benchmark.Include)
		c.Benchmark.Attacks.Names = slices.Clone(c.Benchmark.Attacks.Names)
	}
	c.Models = slices.Clone(p.Models)
	for i := range c.Models {
		s := &c.Models[i].Sampling
		s.Temperature, s.TopP = copied(s.Temperature), copied(s.TopP)
	}
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

func (c Condition) clone() Condition {
	c.System, c.Client, c.Controller = copied(c.System), copied(c.Client), copied(c.Controller)
	if c.Controller != nil {
		c.Controller.Cuts, c.Controller.Policy = copied(c.Controller.Cuts), copied(c.Controller.Policy)
		if p := c.Controller.Policy; p != nil {
			p.Content = slices.Clone(p.Content)
		}
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
