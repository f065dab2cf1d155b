package main

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/study"
)

// control gives a condition its controller, but for a rewriter.
func control(out *access.Condition, c *study.Controller) error {
	policy, config, err := controllerConfig(c)
	if err != nil {
		return err
	}
	if out.Rules, err = access.NewRules(policy, c.Ablate); err != nil {
		return err
	}
	out.OnError = access.OnError(c.OnError)
	if s := c.Scan; s != nil {
		out.Scan = access.Scan{Assistant: slices.Contains(s.Roles, "assistant"), Last: s.Turns == study.TurnsLast, Reasoning: s.Reasoning}
	}
	if c.HTTP != "" {
		out.Controller = &access.Outside{URL: c.HTTP, Client: outsideClient(), Timeout: time.Duration(c.TimeoutSeconds * float64(time.Second)),
			Cuts: policy.Cuts, Scores: c.Scores, Actions: c.Actions, Rules: out.Rules}
		return nil
	}
	out.Controller, err = controller.NewWith(policy, config)
	return err
}

// outsideClient bounds how much an outside controller is asked at once. No proxy
// stands between: drafts go where the study says and nowhere else.
func outsideClient() *http.Client {
	const most = 64
	return &http.Client{Transport: &http.Transport{MaxConnsPerHost: most, MaxIdleConnsPerHost: most,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}}
}

// controllerConfig is how a study uses a policy.
func controllerConfig(c *study.Controller) (controller.Policy, controller.Config, error) {
	p, err := policyOf(c)
	return p, controller.Config{Scores: c.Scores, Actions: c.Actions, Ablate: c.Ablate}, err
}

// policyOf reads the policy of a controller, with the cuts that the study gives it.
// Without one it is the default policy, with whose texts and rewrites the actions
// of an outside controller are carried out.
func policyOf(c *study.Controller) (controller.Policy, error) {
	policy, err := policyNamed(c.Policy)
	if err == nil && c.Cuts != nil {
		policy.Cuts = controller.Cuts{Warn: c.Cuts.Warn, Redact: c.Cuts.Redact, Refuse: c.Cuts.Refuse}
	}
	return policy, err
}

func policyNamed(p *study.Policy) (controller.Policy, error) {
	switch {
	case p == nil:
		return controller.Default(), nil
	case p.File != "":
		return controller.ParsePolicy(p.File, p.Content)
	}
	policy, ok := controller.Builtin(p.Name)
	if !ok {
		return policy, fmt.Errorf("policy: unknown value %q", p.Name)
	}
	return policy, nil
}

// controllerDigest is that of a condition's controller with scan and rewriter, as
// its decisions carry it. It asks nobody.
func controllerDigest(plan study.Plan, c study.Condition) (string, error) {
	var out access.Condition
	if err := control(&out, c.Controller); err != nil {
		return "", err
	}
	if r := c.Controller.Rewriter; r != nil {
		m := modelNamed(plan, r.Model)
		out.Rewriter = &access.Rewriter{ModelName: m.Name, Sampling: sampling(m)}
	}
	return out.Digest(), nil
}
