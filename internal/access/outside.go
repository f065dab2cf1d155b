package access

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/model"
)

// Outside is a controller behind HTTP. It is sent what is judged and nothing
// else: no condition, model, task or tier.
//
//	{"prompt": "...", "turns": ["..."], "draft": "..."}
//
// It answers with scores, which the cuts choose an action by, or with an action:
//
//	{"prompt_score": 0.2, "output_score": 0.7}    s = 0.45 prompt + 0.55 output
//	{"score": 0.4}                                s itself, beside the two or alone
//	{"action": "redact", "text": "..."}           text: what is shown; without it the
//	                                              rules carry the action out
//
// Keys that are not known are passed over. All else is an error, after which
// nothing of the draft is shown unless on_error says so: another status than 200, a
// redirect, an answer that is late, long or no JSON, a score outside 0 to 1, an
// action that is none, a text that is empty or the draft itself.
type Outside struct {
	URL     string
	Client  *http.Client  // follows no redirect, whatever it would do by itself
	Timeout time.Duration // of one question; 0: that of ctx alone
	Cuts    controller.Cuts
	Scores  string // both, prompt or output; empty: both
	Actions string // all, refuse or none; empty: all
	Rules   *Rules // carry out what comes without a text
}

// maxAnswer is the longest answer in bytes.
const maxAnswer = 8 << 20

// verdict is an answer.
type verdict struct {
	prompt, output, score *float64
	action                uplift.Action
	text                  *string
}

// Control asks, and carries the action out.
func (o *Outside) Control(ctx context.Context, prompt, draft string) (uplift.Decision, string, error) {
	d, v, err := o.decide(ctx, prompt, draft)
	switch {
	case err != nil:
		return uplift.Decision{}, "", err
	case v.action == uplift.Allow && v.text != nil && *v.text != draft:
		return uplift.Decision{}, "", errors.New("controller: allowed, but changed the draft")
	case d.Action == uplift.Allow:
		return d, draft, nil
	case v.action == d.Action && v.text != nil: // judged by who called
		return d, *v.text, nil
	}
	var shown string
	d.Action, shown, err = o.Rules.act(ctx, d.Action, prompt, draft)
	return d, shown, err
}

// Assess asks, without acting.
func (o *Outside) Assess(ctx context.Context, prompt, draft string) (uplift.Decision, error) {
	d, _, err := o.decide(ctx, prompt, draft)
	return d, err
}

// Digest is that of the address and of what is made of an answer. What stands
// behind the address is not in it: nobody here can know it.
func (o *Outside) Digest() string {
	b, err := json.Marshal(struct {
		URL, Scores, Actions string
		Cuts                 controller.Cuts
		Rules                string
	}{o.URL, o.Scores, o.Actions, o.Cuts, o.Rules.digest()})
	if err != nil {
		return "" // a NaN or an infinity in the cuts
	}
	return model.RawHash(b)
}

// Refusal is that of the rules.
func (o *Outside) Refusal() string { return o.Rules.refusal() }

func (o *Outside) decide(ctx context.Context, prompt, draft string) (uplift.Decision, verdict, error) {
	v, err := o.ask(ctx, prompt, draft)
	if err != nil {
		return uplift.Decision{}, v, fmt.Errorf("controller: %w", err)
	}
	d, err := o.read(v)
	if err != nil {
		return uplift.Decision{}, v, fmt.Errorf("controller: answer: %w", err)
	}
	d.Policy = o.Digest()
	return d, v, nil
}

// ask sends one question. Its errors tell nothing of prompt, draft or answer.
func (o *Outside) ask(ctx context.Context, prompt, draft string) (verdict, error) {
	if o.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Timeout)
		defer stop()
	}
	turns := strings.Split(prompt, TurnBreak)
	body, err := json.Marshal(map[string]any{"prompt": strings.Join(turns, "\n\n"), "turns": turns, "draft": draft})
	if err != nil {
		return verdict{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.URL, bytes.NewReader(body))
	if err != nil {
		return verdict{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	client := http.Client{}
	if o.Client != nil {
		client = *o.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return verdict{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return verdict{}, fmt.Errorf("%s answers with status %d (want 200)", o.URL, resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return verdict{}, fmt.Errorf("%s: %w", o.URL, err)
	}
	if len(data) > maxAnswer {
		return verdict{}, fmt.Errorf("%s answers with more than %d MB", o.URL, maxAnswer>>20)
	}
	v, err := parseVerdict(data)
	if err != nil {
		return v, fmt.Errorf("answer: %w", err)
	}
	return v, nil
}

// read makes a decision of an answer.
func (o *Outside) read(v verdict) (uplift.Decision, error) {
	var d uplift.Decision
	if v.prompt != nil {
		d.PromptScore = *v.prompt
	}
	if v.output != nil {
		d.OutputScore = *v.output
	}
	var err error
	if d.Score, err = o.score(v); err != nil {
		return d, err
	}
	chosen := v.action
	if chosen == "" {
		chosen = o.Cuts.Action(d.Score)
	}
	d.Action = chosen
	switch {
	case o.Actions == controller.ActionsNone:
		d.Action, d.Would = uplift.Allow, chosen
	case o.Actions == controller.ActionsRefuse && chosen != uplift.Refuse:
		d.Action = uplift.Allow
	}
	return d, nil
}

// score is the one that counts; 0 beside an action that comes without any.
func (o *Outside) score(v verdict) (float64, error) {
	switch o.Scores {
	case controller.ScoresPrompt:
		return wanted("prompt_score", v.prompt)
	case controller.ScoresOutput:
		return wanted("output_score", v.output)
	}
	switch {
	case v.score != nil:
		return *v.score, nil
	case v.prompt != nil && v.output != nil:
		return 0.45**v.prompt + 0.55**v.output, nil
	case v.action != "" && v.prompt == nil && v.output == nil:
		return 0, nil
	}
	return 0, errors.New("holds no score (want prompt_score and output_score, score, or action)")
}

func wanted(name string, v *float64) (float64, error) {
	if v == nil {
		return 0, fmt.Errorf("holds no %s, which the condition is decided by", name)
	}
	return *v, nil
}
