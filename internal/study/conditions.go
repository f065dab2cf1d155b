package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// conditions checks each condition, then how they hang together.
// models are the names that a rewriter may have; nil: not known.
func (ps *problems) conditions(p *Plan, known Names, models []string) {
	conds := p.Conditions.List
	first := make(map[string]int)
	for i, c := range conds {
		field := fmt.Sprintf("conditions[%d]", i)
		ps.unique(first, i, c.Name, "conditions", field)
		ps.server(field, c, p.Models)
		if c.Null {
			ps.null(field)
		}
		if c.Controller != nil {
			ps.controller(field+".controller", c.Controller, known)
			ps.rewriter(field+".controller", c.Controller, models)
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
func (ps *problems) server(field string, c Condition, models []Model) {
	other := func(m Model) bool { return m.Provider != "" && m.Provider != OpenAI }
	ps.url(field+".base_url", c.BaseURL, !slices.ContainsFunc(models, other))
	ps.headers(field+".headers", c.Headers)
	moved := slices.ContainsFunc(elsewhere, func(key string) bool { return ps.has(field + "." + key) })
	switch stated := ps.has(field + ".same_base"); {
	case moved && !stated:
		ps.field(field+".same_base", "is missing (want whose word it is that the base model is the same)")
	case stated && !moved:
		ps.field(field+".same_base", "means nothing without base_url, model, headers or key_env (leave it out)")
	}
}

// elsewhere are the keys with which a condition asks another server than its
// model's, or asks it in another way.
var elsewhere = []string{"base_url", "model", "headers", "key_env"}

// null checks a condition that asks no model.
func (ps *problems) null(field string) {
	for _, key := range slices.Concat([]string{"system", "draft", "controller", "client"}, elsewhere) {
		if ps.has(field + "." + key) {
			ps.field(field+"."+key, "stands beside null, which asks no model (leave one out)")
		}
	}
}

func (ps *problems) rewriter(field string, c *Controller, models []string) {
	if c.Rewriter == nil || c.Rewriter.Model == "" {
		return
	}
	field += ".rewriter"
	if c.Actions == ActionsRefuse || c.Actions == ActionsNone {
		ps.field(field, "means nothing with actions: %s, where nothing is rewritten (leave one out)", c.Actions)
	}
	if models != nil && !slices.Contains(models, c.Rewriter.Model) {
		ps.field(field+".model", "%s is no model (want %s, or another one under rewriters)", quote(c.Rewriter.Model), strictyaml.Or(models))
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
	ps.url(field+".http", c.HTTP, false)
	if http && !policy && ps.has(field+".ablate") {
		ps.field(field+".ablate", "means nothing for an outside controller (leave it out)")
	}
	if policy && !http && ps.has(field+".timeout_seconds") {
		ps.field(field+".timeout_seconds", "means nothing without http (leave it out)")
	}
	if s := c.Scan; s != nil && len(s.Roles) == 1 && s.Roles[0] == "assistant" {
		ps.field(field+".scan.roles", "leaves out the user (want [user] or [user, assistant])")
	}
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
	for _, key := range slices.Concat([]string{"system"}, elsewhere) {
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
	i, ok := index[c.Draft]
	switch {
	case !ok:
	case ps.has(fmt.Sprintf("conditions[%d].controller", i)):
		ps.field(field+".draft", "%s has a controller itself (want a condition without one)", quote(c.Draft))
	case conds[i].Null:
		ps.field(field+".draft", "%s asks no model, so it has no draft (want a condition that asks one)", quote(c.Draft))
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
