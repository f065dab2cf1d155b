package study

import (
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

// defaults is the plan before a file is read into it: what a file leaves out
// stays as it is here.
func defaults() Plan {
	return Plan{
		Audit: Audit{Preset: "powered", Rows: 600, Mode: "blocks", Double: 0.25},
		Seed:  1,
	}
}

// complete fills the defaults that depend on other fields, and puts lists that
// are sets in their order.
func (p *Plan) complete() {
	for i := range p.Endpoints {
		sortBy(p.Endpoints[i].Tiers, uplift.Tiers())
		if p.Endpoints[i].Better == "" {
			p.Endpoints[i].Better = usual(p.Endpoints[i].Name)
		}
	}
	if p.Conditions.Imported {
		return
	}
	if len(p.Endpoints) == 0 {
		p.Endpoints = Endpoints{
			{Name: "utility", Scale: uplift.Correctness, Tiers: []uplift.Tier{uplift.Benign}, Better: Higher},
			{Name: "risk", Scale: uplift.Actionability, Tiers: []uplift.Tier{uplift.Harmful}, Better: Lower},
		}
	}
	if p.Reference == "" && len(p.Conditions.List) == 1 {
		p.Reference = p.Conditions.List[0].Name
	}
	if p.ProviderBlocks == "" {
		p.ProviderBlocks = CountBlocks
	}
	p.Replicates = max(p.Replicates, 1)
	if p.Limits.Concurrency == 0 {
		p.Limits.Concurrency = 16
	}
	p.Benchmark.complete()
	for i := range p.Models {
		p.Models[i].complete()
	}
	for i := range p.Rewriters {
		p.Rewriters[i].complete()
	}
	for i := range p.Conditions.List {
		p.Conditions.List[i].complete()
	}
	if p.Raw == KeepRaw {
		p.Raw = ""
	}
}

// usual is the way in which an endpoint is better when its study does not say:
// lower for risk, and for a kind of it, such as risk_borderline.
func usual(endpoint string) Better {
	if word, _, _ := strings.Cut(endpoint, "_"); word == "risk" {
		return Lower
	}
	return Higher
}

func (b *Benchmark) complete() {
	if b == nil {
		return
	}
	sortBy(b.Splits, splits)
	sortBy(b.Include, benchmark.HazardFields())
	if b.Format != "" && b.Split == "" {
		b.Split = uplift.Train
	}
	switch {
	case b.Attacks.Set != "" || len(b.Attacks.Names) > 0:
	case b.File != "":
		b.Attacks.Names = []string{uplift.Direct}
	default:
		b.Attacks.Set = "standard"
	}
}

var splits = uplift.Splits()

func (m *Model) complete() {
	if m.Sampling.MaxTokens == 0 {
		m.Sampling.MaxTokens = 1024
	}
	if m.Provider == OpenAI && m.API == "" {
		m.API = "chat"
	}
	if m.Provider == Gemini && m.Safety == "" {
		m.Safety = "off"
	}
	if m.Provider == Sim && m.Model == "" {
		m.Model = "sim"
	}
}

func (c *Condition) complete() {
	if c.System != nil && c.System.Value == "" && c.System.File == "" {
		c.System = nil // an empty prompt is none
	}
	if c.Controller != nil {
		c.Controller.complete()
	}
	if c.Client != nil && *c.Client == (Client{}) {
		c.Client = nil
	}
}

// complete puts away what only says the usual thing.
func (c *Controller) complete() {
	if c.OnError == "" {
		c.OnError = RefuseOnError
	}
	if c.HTTP != "" && c.TimeoutSeconds == 0 {
		c.TimeoutSeconds = 10
	}
	if c.Scores == ScoresBoth {
		c.Scores = ""
	}
	if c.Actions == ActionsAll {
		c.Actions = ""
	}
	slices.Sort(c.Ablate)
	if s := c.Scan; s != nil {
		sortBy(s.Roles, []string{"user", "assistant"})
		if len(s.Roles) == 1 && s.Roles[0] == "user" {
			s.Roles = nil
		}
		if s.Turns == TurnsAll {
			s.Turns = ""
		}
		if s.Roles == nil && s.Turns == "" && !s.Reasoning {
			c.Scan = nil
		}
	}
}

func sortBy[T comparable](values, order []T) {
	slices.SortStableFunc(values, func(a, b T) int { return slices.Index(order, a) - slices.Index(order, b) })
}
