package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/sim"
)

// builder makes access conditions of a plan. Equal endpoints share a client.
type builder struct {
	env       *Env              // nil: nothing can be sent
	transport http.RoundTripper // nil: the usual way to the network
	plan      study.Plan
	items     []uplift.Item
	clients   map[string]model.Model // by what is asked where
}

// condition builds one access condition of one model. A condition that acts on
// the drafts of another one sends that one's requests.
func (b *builder) condition(m study.Model, c study.Condition) (access.Condition, error) {
	out := access.Condition{Name: c.Name, ModelName: m.Name, Null: c.Null}
	if c.Null {
		return out, nil
	}
	asks := c
	for asks.Draft != "" {
		asks = named(b.plan, asks.Draft)
	}
	if asks.System != nil {
		out.System = asks.System.Value
	}
	out.Sampling = sampling(m)
	var err error
	if out.Model, out.Upstream, err = b.client(m, asks); err != nil {
		return out, fmt.Errorf("conditions: %s: model %s: %w", c.Name, m.Name, err)
	}
	if c.Controller == nil {
		return out, nil
	}
	if err := control(&out, c.Controller); err != nil {
		return out, fmt.Errorf("conditions: %s: controller: %w", c.Name, err)
	}
	if r := c.Controller.Rewriter; r != nil {
		if out.Rewriter, err = b.rewriter(r.Model); err != nil {
			return out, fmt.Errorf("conditions: %s: controller: rewriter: %w", c.Name, err)
		}
	}
	return out, nil
}

// rewriter is the model of a name as a rewriter, asked at its own place.
func (b *builder) rewriter(name string) (*access.Rewriter, error) {
	m := modelNamed(b.plan, name)
	client, _, err := b.client(m, study.Condition{})
	return &access.Rewriter{ModelName: m.Name, Model: client, Sampling: sampling(m)}, err
}

// client is the model that a condition asks. upstream names the endpoint in the
// digests of calls where it is not the model's own, so that conditions with equal
// endpoints share their calls and others never do.
func (b *builder) client(m study.Model, c study.Condition) (client model.Model, upstream string, err error) {
	own, asked := endpointOf(m, study.Condition{}), endpointOf(m, c)
	if m.Provider == study.Sim {
		if !sameEndpoint(own, asked) {
			return nil, "", fmt.Errorf("a simulated model has no server (want no base_url, model, headers or key_env)")
		}
		return sim.Model{Seed: b.plan.Seed, Senses: senses(b.items)}, "", nil
	}
	if !sameEndpoint(own, asked) {
		upstream = endpointName(m.Name, asked)
	}
	key := endpointName(m.Name, asked)
	if held := b.clients[key]; held != nil {
		return held, upstream, nil
	}
	if client, err = b.open(asked); err != nil {
		return nil, "", err
	}
	b.clients[key] = client
	return client, upstream, nil
}

// open makes a client, or one that sends nothing.
func (b *builder) open(e endpoint) (model.Model, error) {
	if b.env == nil {
		return unasked{}, nil
	}
	return b.env.provider(e, b.transport)
}

// unasked is a model of which nothing is asked.
type unasked struct{}

func (unasked) Generate(context.Context, model.Request) (model.Reply, error) {
	return model.Reply{}, model.ErrNotSent
}

func sameEndpoint(a, b endpoint) bool {
	a.Headers, b.Headers = lowered(a.Headers), lowered(b.Headers)
	return reflect.DeepEqual(a, b)
}

// endpointName is one text for equal endpoints.
func endpointName(model string, e endpoint) string {
	e.Headers = lowered(e.Headers)
	b, err := json.Marshal(e) // a map is written in the order of its keys
	if err != nil {
		panic(err) // texts alone
	}
	return model + " at " + string(b)
}

// lowered is headers by their names in lower case, never nil.
func lowered(h map[string]string) map[string]string {
	out := make(map[string]string, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		out[strings.ToLower(name)] = h[name]
	}
	return out
}

func sampling(m study.Model) model.Sampling {
	s := model.Sampling{Temperature: m.Sampling.Temperature, TopP: m.Sampling.TopP}
	if n := m.Sampling.MaxTokens; n > 0 {
		s.MaxTokens = &n
	}
	return s
}

// named is the condition of that name; the study was checked to have it.
func named(plan study.Plan, name string) study.Condition {
	for _, c := range plan.Conditions.List {
		if c.Name == name {
			return c
		}
	}
	return study.Condition{}
}

// modelNamed is the model or rewriter of that name; the study was checked to have it.
func modelNamed(plan study.Plan, name string) study.Model {
	for _, m := range slices.Concat(plan.Models, plan.Rewriters) {
		if m.Name == name {
			return m
		}
	}
	return study.Model{}
}
