package run

import (
	"context"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// Kept is what a forecast asks of a keeper.
type Kept interface {
	Done(ctx context.Context) (map[string]uplift.Outcome, error)
	Call(ctx context.Context, digest string) (uplift.Call, bool, error)
}

// Forecast says what a run is going to ask. Nothing is sent for it.
type Forecast struct {
	Total   int             `json:"total"`             // cells that are selected
	Held    int             `json:"held"`              // kept by earlier runs
	ToRun   int             `json:"to_run"`            // by this one
	Later   int             `json:"later"`             // left by the limit of cells
	Skipped int             `json:"skipped"`           // not selected, and without a response
	Models  []ModelForecast `json:"models"`            // in the order of the study
	Refused []string        `json:"refused,omitempty"` // why the run would not begin
}

// ModelForecast is what one model is going to be asked. Later turns of one item
// are shared only as long as its conditions show the same, so that a conversation
// of several turns has a range. Tokens of input are estimated from the texts, and
// those of output are the most that is allowed.
type ModelForecast struct {
	Model     string  `json:"model"`
	Cells     int     `json:"cells"`
	Kept      int     `json:"kept"` // first calls that are held already
	Calls     Range   `json:"calls"`
	TokensIn  Range   `json:"tokens_in"`
	TokensOut Range   `json:"tokens_out"` // at most
	Priced    bool    `json:"priced"`
	CostUSD   float64 `json:"cost_usd"` // at most, without retries
	Seconds   float64 `json:"seconds"`  // at most, at [AssumedLatency] a call
}

// Range is from the least to the most.
type Range struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

func (r *Range) add(least, most int) { r.Least, r.Most = r.Least+least, r.Most+most }

// AssumedLatency is what a forecast takes a call to last, in seconds.
const AssumedLatency = 5

// Foresee counts what a run with these options is going to ask.
func Foresee(ctx context.Context, spec Spec, kept Kept, opt Options) (Forecast, error) {
	if err := spec.Check(); err != nil {
		return Forecast{}, err
	}
	opt = opt.filled(spec)
	if missing := opt.Only.unused(spec); missing != "" {
		return Forecast{}, fmt.Errorf("only: no cell of the study has %s", missing)
	}
	t, err := remaining(ctx, spec, kept, opt)
	if err != nil {
		return Forecast{}, err
	}
	var refused []string
	if err := opt.Check(spec); err != nil {
		refused = append(refused, err.Error())
	}
	f := Forecast{Refused: refused, Total: t.total, Held: t.held, ToRun: t.count, Later: t.left, Skipped: t.skipped}
	all := map[string]*foreseen{}
	var order []*foreseen
	know := func(name string) {
		if all[name] == nil {
			price, ok := opt.Prices[name]
			all[name] = &foreseen{kept: kept, opt: opt, price: price, sum: ModelForecast{Model: name, Priced: ok}}
			order = append(order, all[name])
		}
	}
	for i := range spec.Conditions {
		know(spec.Conditions[i].ModelName)
	}
	for i := range spec.Conditions {
		if r := spec.Conditions[i].Rewriter; r != nil {
			know(r.ModelName)
		}
	}
	for at, w := range spec.cells() {
		if t.has(at) {
			s, err := all[w.Cell.Model].cell(ctx, w)
			if err != nil {
				return Forecast{}, err
			}
			if r := w.Condition.Rewriter; r != nil {
				all[r.ModelName].rewrites(w, r, s)
			}
		}
	}
	for _, m := range order {
		f.Models = append(f.Models, m.done())
	}
	return f, nil
}

// foreseen gathers what one model is going to be asked.
type foreseen struct {
	kept  Kept
	opt   Options
	price Price
	sum   ModelForecast
	task  string
	seen  map[string]bool // first calls of a task, and conversations
}

// peek finds out what a condition asks first, without asking it.
type peek struct {
	digest string
	req    model.Request
}

func (p *peek) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	p.req = req
	return model.Reply{}, access.ErrNotSent
}

func (p *peek) via(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
	p.digest = digest
	_, _, err := send(ctx)
	return uplift.Call{}, err
}

// cell counts what a cell asks, and gives the size of its first call.
func (m *foreseen) cell(ctx context.Context, w Work) (size, error) {
	m.sum.Cells++
	if w.Cell.Task != m.task || m.seen == nil {
		m.task, m.seen = w.Cell.Task, map[string]bool{}
	}
	c, p := *w.Condition, &peek{}
	if c.Model == nil {
		return size{}, nil
	}
	c.Model, c.Via = p, p.via
	_, _ = c.Respond(ctx, access.Request{Turns: w.Item.Turns[:min(1, len(w.Item.Turns))], Replicate: w.Cell.Replicate})
	s := measure(p.req)
	if m.first("first " + p.digest) {
		held, ok, err := m.kept.Call(ctx, p.digest)
		if err != nil {
			return s, keeping(err)
		}
		if !ok || held.Stop == uplift.StopError || held.Withheld != "" {
			m.call(1, 1, s.in, s.out)
		} else {
			m.sum.Kept++
		}
	}
	m.later(w, p.digest, s)
	return s, nil
}

// rewriteText is about what the prompt of a rewriter takes, in tokens.
const rewriteText = 500

// rewrites counts what a cell may ask a rewriter: one call for each turn on which
// the controller warns or redacts, and perhaps none. s is the size of the draft's call.
func (m *foreseen) rewrites(w Work, r *access.Rewriter, s size) {
	turns := len(w.Item.Turns)
	if w.Item.Next != nil {
		turns++
	}
	own := measure(model.Request{Sampling: r.Sampling})
	for range turns {
		m.call(0, 1, s.in+s.out+rewriteText, own.out)
	}
}

// later counts the turns after the first.
func (m *foreseen) later(w Work, digest string, s size) {
	turns := len(w.Item.Turns) - 1
	if w.Item.Next != nil {
		turns++
	}
	if turns <= 0 {
		return
	}
	least, most := 0, 0
	if m.first("talk " + digest + " " + w.Cell.Attack) {
		least = 1
	}
	own := ""
	if w.Condition.Controller != nil {
		own = w.Cell.Condition
	}
	if m.first("own " + digest + " " + w.Cell.Attack + " " + own) {
		most = 1
	}
	said := 0
	for _, t := range w.Item.Turns {
		said += len(t) / 4
	}
	for k := range turns {
		m.call(least, most, s.in+said+(k+1)*s.out, s.out)
	}
}

func (m *foreseen) first(key string) bool {
	if m.seen[key] {
		return false
	}
	m.seen[key] = true
	return true
}

func (m *foreseen) call(least, most, in, out int) {
	m.sum.Calls.add(least, most)
	m.sum.TokensIn.add(least*in, most*in)
	m.sum.TokensOut.add(least*out, most*out)
}

// done adds cost and time.
func (m *foreseen) done() ModelForecast {
	s := m.sum
	s.CostUSD = m.price.of(s.TokensIn.Most, s.TokensOut.Most)
	pace := m.opt.Models[s.Model]
	width := pace.Concurrency
	if width == 0 {
		width = m.opt.Concurrency
	}
	calls := float64(s.Calls.Most)
	s.Seconds = calls * AssumedLatency / float64(width)
	if pace.RPM > 0 {
		s.Seconds = max(s.Seconds, 60*calls/float64(pace.RPM))
	}
	if pace.TPM > 0 {
		s.Seconds = max(s.Seconds, 60*float64(s.TokensIn.Most+s.TokensOut.Most)/float64(pace.TPM))
	}
	return s
}
