package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/internal/run"
)

// show prints one response whole.
func (b *browser) show(ctx context.Context) error {
	set, err := b.collect(ctx, 1)
	if err != nil {
		return err
	}
	if len(set.Rows) == 0 {
		return fmt.Errorf("%s: its text does not hold what --contains wants, or is not shown", b.flags.show)
	}
	v := set.Rows[0]
	if err := b.whole(ctx, &v); err != nil {
		return err
	}
	return report.ResponseShow(harmlessWriter{b.env.Stdout}, v, b.env.Width)
}

// whole adds what is kept of how a response came.
func (b *browser) whole(ctx context.Context, v *report.ResponseView) (err error) {
	v.Message = spoken(v.Response)
	if v.Call, err = b.call(ctx, *v); err != nil || v.Call == nil {
		return err
	}
	attempts, err := b.db.AttemptsOf(ctx, v.Response.Call)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		v.Attempts = append(v.Attempts, report.CallAttempt{At: a.At.UTC().Format(time.RFC3339), Said: b.attempted(a)})
	}
	v.Cost = b.cost(*v.Call, attempts, v.Condition)
	const most = 20
	for r, err := range b.now.Responses(ctx) {
		if err != nil {
			return err
		}
		if r.Call == v.Response.Call && r.Cell != v.Cell {
			if len(v.With) == most {
				v.With = append(v.With, "and more")
				break
			}
			v.With = append(v.With, r.Cell.String())
		}
	}
	return nil
}

// spoken is the conversation of a response, but for the system prompt.
func spoken(r uplift.Response) (out []report.NamedMessage) {
	for _, m := range r.Transcript {
		if m.Role != uplift.System {
			out = append(out, report.NamedMessage{Role: string(m.Role), Text: m.Text})
		}
	}
	return out
}

// attempted says how one request went.
func (b *browser) attempted(a uplift.Attempt) string {
	s := "no answer"
	if a.Status > 0 {
		s = "status " + strconv.Itoa(a.Status)
	} else if a.Kind == "" {
		s = "answered"
	}
	if a.Kind != "" {
		s += ", " + a.Kind
	}
	s += fmt.Sprintf(", %s ms", grouped(a.LatencyMS))
	if a.WaitMS > 0 {
		s += fmt.Sprintf(" after a pause of %s ms", grouped(a.WaitMS))
	}
	if a.Err != "" && !b.hazard {
		s += ": " + a.Err
	}
	return s
}

// cost is that of a call with all its attempts, at list prices; empty where the
// model has none.
func (b *browser) cost(c uplift.Call, attempts []uplift.Attempt, condition string) string {
	plan := b.study.plan.Plan()
	provider := ""
	for _, m := range plan.Models {
		if m.Name == c.Model {
			provider = m.Model
		}
	}
	if of := named(plan, condition); of.Model != "" {
		provider = of.Model
	}
	prices := run.ListPrices()
	price, ok := prices.Of(provider)
	if !ok || provider == "" {
		return ""
	}
	in, out := 0, 0
	for _, a := range attempts {
		in, out = in+a.TokensIn, out+a.TokensOut
	}
	if len(attempts) == 0 {
		in, out = c.TokensIn, c.TokensOut
	}
	return fmt.Sprintf("$%.6f at the list prices of %s", (price.In*float64(in)+price.Out*float64(out))/1e6, prices.AsOf)
}

// item prints the conversations of an item side by side.
func (b *browser) item(ctx context.Context) error {
	limit := 0
	if b.flags.limited {
		limit = b.flags.limit
	}
	set, err := b.collect(ctx, limit)
	if err != nil {
		return err
	}
	if set.Total == 0 {
		return fmt.Errorf("%s: no response matches", b.flags.item)
	}
	return report.ResponseItem(harmlessWriter{b.env.Stdout}, set, b.env.Width)
}

// pageLimit is how many responses stand on a page unless --limit says so.
const pageLimit = 300

// page writes what matches as HTML, whole conversations first come.
func (b *browser) page(ctx context.Context) error {
	if err := b.flags.overPage(); err != nil {
		return err
	}
	limit := pageLimit
	if b.flags.limited {
		limit = b.flags.limit
	}
	if limit == 0 || limit > report.MaxResponsesOnPage {
		limit = report.MaxResponsesOnPage
	}
	set, err := b.conversations(ctx, limit)
	if err != nil {
		return err
	}
	for i := range set.Rows {
		v := &set.Rows[i]
		v.Message = spoken(v.Response)
		if v.Call, err = b.call(ctx, *v); err != nil {
			return err
		}
	}
	lead := several(len(set.Rows), "response") + ": what each condition made of the same request. What a controller took from a draft is struck through, what it added is underlined."
	facts := append([]report.Fact{{Name: "study", Value: set.Study}, {Name: "digest of its plan", Value: b.study.plan.Digest()}}, provenance()...)
	err = writeOut(b.env, b.flags.page, func(w io.Writer) error { return report.ResponsesHTML(w, set, lead, facts) })
	if err == nil && b.flags.page != "-" {
		fmt.Fprintln(b.env.Stdout, harmless(b.flags.page))
		if left := set.Total - len(set.Rows); left > 0 {
			fmt.Fprintf(b.env.Stderr, "%s left out: a page holds %s (--limit, at most %s)\n", several(left, "response"), grouped(limit), grouped(report.MaxResponsesOnPage))
		}
	}
	return err
}

// conversations holds at most so many responses of those that match. With what
// is taken of a conversation comes what the other conditions made of it, as far
// as there is room: they stand far apart in the store.
func (b *browser) conversations(ctx context.Context, limit int) (report.ResponseSet, error) {
	if b.flags.sort != "" {
		return b.collect(ctx, limit)
	}
	type conversation struct {
		itemKey
		model     string
		replicate int
	}
	of := func(v *uplift.Response) conversation {
		return conversation{itemKey{v.Task, v.Attack}, v.Model, v.Replicate}
	}
	sizes := map[conversation]int{}
	var come []conversation
	set := report.ResponseSet{Study: b.study.plan.Name(), Conditions: b.conditions()}
	for v, err := range b.matches(ctx, false) {
		if err != nil {
			return set, err
		}
		c := of(&v.Response)
		if sizes[c] == 0 {
			come = append(come, c)
		}
		sizes[c]++
		set.Total++
	}
	taken := map[conversation]bool{}
	for _, c := range come {
		if limit -= sizes[c]; limit < 0 {
			break
		}
		taken[c] = true
	}
	for v, err := range b.matches(ctx, true) {
		if err != nil {
			return set, err
		}
		if taken[of(&v.Response)] {
			set.Rows = append(set.Rows, v)
		}
	}
	return set, nil
}
