package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// conditions checks each condition, then how they hang together.
func (ps *problems) conditions(conds []Condition, known Names) {
	first := make(map[string]int)
	for i, c := range conds {
		field := fmt.Sprintf("conditions[%d]", i)
		ps.unique(first, i, c.Name, "conditions", field)
		ps.server(field, c)
		if c.Controller != nil {
			ps.controller(field+".controller", c.Controller, known)
		}
	}
	names, whole := conditionNames(conds)
	for i, c := range conds {
		if !ps.has(fmt.Sprintf("conditions[%d].draft", i)) {
			continue
		}
		ps.draft(fmt.Sprintf("conditions[%d]", i), c, conds, first)
		if _, ok := first[c.Draft]; !ok && whole {
			ps.field(fmt.Sprintf("conditions[%d].draft", i), "%s is no condition (want %s)", quote(c.Draft), strictyaml.Or(names))
		}
	}
}

// server checks a condition that another server guards.
func (ps *problems) server(field string, c Condition) {
	ps.url(field+".base_url", c.BaseURL)
	other := ps.has(field+".base_url") || ps.has(field+".model")
	switch stated := ps.has(field + ".same_base"); {
	case other && !stated:
		ps.field(field+".same_base", "is missing (want whose word it is that the base model is the same)")
	case stated && !other:
		ps.field(field+".same_base", "means nothing without base_url or model (leave it out)")
	}
}

func (ps *problems) controller(field string, c *Controller, known Names) {
	policy, http := ps.has(field+".policy"), ps.has(field+".http")
	switch {
	case policy && http:
		ps.field(field+".http", "stands beside policy (want one of them)")
	case !policy && !http:
		ps.field(field, "names no controller (want policy or http)")
	}
	if c.Policy != nil {
		ps.known(field+".policy", c.Policy.Name, known.Policies)
	}
	ps.url(field+".http", c.HTTP)
	if c.Cuts != nil {
		ps.cuts(field+".cuts", *c.Cuts)
	}
}

func (ps *problems) cuts(field string, c Cuts) {
	if c.Warn > c.Redact && ps.read(field+".warn") && ps.read(field+".redact") {
		ps.field(field+".redact", "is %v, below warn at %v (want warn <= redact <= refuse)", c.Redact, c.Warn)
	}
	if c.Redact > c.Refuse && ps.read(field+".redact") && ps.read(field+".refuse") {
		ps.field(field+".refuse", "is %v, below redact at %v (want warn <= redact <= refuse)", c.Refuse, c.Redact)
	}
}

// draft checks a condition that acts on the drafts of another.
func (ps *problems) draft(field string, c Condition, conds []Condition, index map[string]int) {
	for _, key := range []string{"system", "base_url", "model"} {
		if ps.has(field + "." + key) {
			ps.field(field+"."+key, "stands beside draft, whose condition brings its own (leave one out)")
		}
	}
	if !ps.has(field + ".controller") {
		ps.field(field+".draft", "changes nothing without a controller (want controller)")
	}
	if round := cycle(c, conds, index); round != nil {
		ps.field(field+".draft", "goes round in a circle: %s (want a condition with a system prompt of its own)", strings.Join(round, " -> "))
		return
	}
	if i, ok := index[c.Draft]; ok && ps.has(fmt.Sprintf("conditions[%d].controller", i)) {
		ps.field(field+".draft", "%s has a controller itself (want a condition without one)", quote(c.Draft))
	}
}

// cycle follows the drafts from c; it is nil unless they lead back to c.
func cycle(c Condition, conds []Condition, index map[string]int) []string {
	path := []string{c.Name}
	for next := c.Draft; next != "" && !slices.Contains(path[1:], next); {
		path = append(path, next)
		if next == c.Name {
			return path
		}
		i, ok := index[next]
		if !ok {
			return nil
		}
		next = conds[i].Draft
	}
	return nil
}
