package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
)

// ping is what one tiny request to one endpoint came to.
type ping struct {
	Name      string         `json:"name"` // the model, and the condition when the endpoint is its own
	Provider  study.Provider `json:"provider"`
	Model     string         `json:"model"`
	Host      string         `json:"host"`
	KeyEnv    string         `json:"key_env,omitempty"` // empty where no key is sent
	KeySet    bool           `json:"key_set"`
	Proxy     string         `json:"proxy,omitempty"` // its host
	Answered  bool           `json:"answered"`
	Text      string         `json:"text,omitempty"`
	Stop      uplift.Stop    `json:"stop,omitempty"`
	Reason    string         `json:"reason,omitempty"`
	Version   string         `json:"version,omitempty"`
	LatencyMS int64          `json:"latency_ms,omitempty"`
	TokensIn  int            `json:"tokens_in,omitempty"`
	TokensOut int            `json:"tokens_out,omitempty"`
	Limits    *limitsSeen    `json:"limits,omitempty"`
	Kind      model.Kind     `json:"kind,omitempty"` // of the failure
	Err       string         `json:"error,omitempty"`
	Hint      string         `json:"hint,omitempty"`
	sampling  study.Sampling // of the study
	endpoint  endpoint
}

// limitsSeen are the rate limits that an answer told. What is missing was not told.
type limitsSeen struct {
	Requests     *int `json:"requests,omitempty"`
	RequestsLeft *int `json:"requests_left,omitempty"`
	Tokens       *int `json:"tokens,omitempty"`
	TokensLeft   *int `json:"tokens_left,omitempty"`
}

// pingTimeout is the time that one endpoint has.
const pingTimeout = time.Minute

// pingTokens is the longest reply: Responses takes no smaller limit.
const pingTokens = 16

// doctorPing asks every endpoint of a study once.
func doctorPing(ctx context.Context, env *Env, dir string, asJSON bool) error {
	s, err := loadStudy(dir)
	if err != nil {
		return err
	}
	pings := pingsOf(s.plan.Plan())
	if len(pings) > 0 {
		env.tell(fmt.Sprintf("asking %s once each: this costs a few tokens", several(len(pings), "endpoint")))
	}
	failed := 0
	for i := range pings {
		pings[i].ask(ctx, env)
		if err := ctx.Err(); err != nil {
			return err
		}
		if !pings[i].Answered {
			failed++
		}
		if !asJSON {
			printPing(harmlessWriter{env.Stdout}, pings[i])
		}
	}
	switch {
	case asJSON:
		if err := writeJSON(env.Stdout, pings); err != nil {
			return err
		}
	case len(pings) == 0:
		fmt.Fprintln(env.Stdout, "nothing to ask: every model is simulated")
	}
	if failed > 0 {
		return fmt.Errorf("doctor: %d of %s did not answer", failed, several(len(pings), "endpoint"))
	}
	return nil
}

// pingsOf lists each model's endpoint, and behind it those that conditions bring.
func pingsOf(plan study.Plan) []ping {
	out := []ping{}
	for _, m := range plan.Models {
		if m.Provider == study.Sim {
			continue
		}
		out = append(out, newPing(m.Name, m, study.Condition{}))
		for _, c := range plan.Conditions.List {
			if c.BaseURL != "" || c.Model != "" || c.KeyEnv != "" || len(c.Headers) > 0 {
				out = append(out, newPing(m.Name+" / "+c.Name, m, c))
			}
		}
	}
	return out
}

func newPing(name string, m study.Model, c study.Condition) ping {
	e := endpointOf(m, c)
	return ping{Name: name, Provider: m.Provider, Model: e.Model, sampling: m.Sampling, endpoint: e}
}

// ask sends the request and notes what came.
func (p *ping) ask(ctx context.Context, env *Env) {
	u, err := p.endpoint.base()
	if err != nil {
		p.fail("", err)
		return
	}
	p.Host, p.KeyEnv = u.Host, p.endpoint.variable(env, u)
	p.KeySet = p.KeyEnv != "" && env.Getenv(p.KeyEnv) != ""
	p.Proxy = env.proxyFor(u)
	m, err := env.provider(p.endpoint, nil)
	if err != nil {
		p.fail("", err)
		return
	}
	limit := pingTokens
	sending, done := context.WithTimeout(ctx, pingTimeout)
	defer done()
	r, err := m.Generate(sending, model.Request{
		Messages: []uplift.Message{{Role: uplift.User, Text: "Please reply with the word ok."}},
		Sampling: model.Sampling{Temperature: p.sampling.Temperature, TopP: p.sampling.TopP, MaxTokens: &limit},
	})
	if err == nil && r.Stop == uplift.StopEnd && strings.TrimSpace(r.Text) == "" {
		err = &model.Error{Kind: model.Unread, Attempt: r.Attempt, Err: errors.New("the reply is empty (want text)")}
	}
	if err != nil {
		kind := model.Kind("")
		if e, ok := errors.AsType[*model.Error](err); ok {
			kind, p.LatencyMS = e.Kind, e.Attempt.Latency.Milliseconds()
			p.Limits = seenLimits(e.Attempt.Rate)
		}
		p.fail(kind, err)
		return
	}
	p.Answered, p.Text, p.Stop, p.Reason, p.Version = true, r.Text, r.Stop, r.Reason, r.Version
	p.LatencyMS, p.TokensIn, p.TokensOut = r.Attempt.Latency.Milliseconds(), r.TokensIn, r.TokensOut
	p.Limits = seenLimits(r.Attempt.Rate)
}

func (p *ping) fail(kind model.Kind, err error) {
	p.Kind, p.Err = kind, err.Error()
	if x, ok := errors.AsType[*exitError](err); ok {
		p.Hint = x.hint
	}
	if p.Hint == "" {
		p.Hint = p.next()
	}
}

// next is what a person may do about a failure.
func (p *ping) next() string {
	switch p.Kind {
	case model.Denied:
		if p.KeyEnv == "" {
			return "no key was sent: name its variable with key_env"
		}
		return fmt.Sprintf("check the key in %s, and that it may use %s", p.KeyEnv, p.Model)
	case model.NoQuota:
		return "the account cannot pay: add credit, or raise its limit"
	case model.RateLimit:
		return "wait a little; something else may be using this account"
	case model.Overloaded, model.Server:
		return "this is on the provider's side: try again later"
	case model.Timeout, model.Transport:
		return "check base_url, the network and the proxy (HTTPS_PROXY)"
	case model.Malformed, model.Unread:
		return "something else answers there: check base_url, provider and api"
	case model.Rejected:
		return "check model, base_url, api and sampling in " + study.File
	}
	return ""
}

// proxyFor is the host of the proxy that a request goes through; empty for none.
func (e *Env) proxyFor(u *url.URL) string {
	via, err := proxyOf(u)
	if err != nil || via == nil {
		return ""
	}
	return via.Host
}

func seenLimits(r model.Rate) *limitsSeen {
	l := limitsSeen{r.Requests, r.RequestsLeft, r.Tokens, r.TokensLeft}
	if l == (limitsSeen{}) {
		return nil
	}
	return &l
}
