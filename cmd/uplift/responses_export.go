package main

import (
	"context"
	"io"
	"iter"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
	"github.com/uplift-eval/uplift/internal/report"
)

// export writes one row a cell to stdout.
func (b *browser) export(ctx context.Context) error {
	f := b.flags
	write := map[string]func(io.Writer, iter.Seq2[interop.ResponseRow, error], interop.ResponseOptions) error{
		"csv": interop.WriteResponsesCSV, "jsonl": interop.WriteResponsesJSONL, "parquet": interop.WriteResponsesParquet}[f.format]
	opt := interop.ResponseOptions{Text: f.text && !b.hazard, Spreadsheet: f.disarm,
		Tier: f.unseal || b.study.plan.Plan().Conditions.Imported}
	return write(b.env.Stdout, b.rows(ctx), opt)
}

// rows are what is exported: as it is read, or sorted.
func (b *browser) rows(ctx context.Context) iter.Seq2[interop.ResponseRow, error] {
	return func(yield func(interop.ResponseRow, error) bool) {
		n := 0
		for v, err := range b.inOrder(ctx) {
			if b.flags.limited && b.flags.limit > 0 && n == b.flags.limit {
				return
			}
			n++
			row := interop.ResponseRow{Response: v.Response}
			if err == nil {
				row.Call, err = b.call(ctx, v)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

func (b *browser) inOrder(ctx context.Context) iter.Seq2[report.ResponseView, error] {
	by := order(b.flags.sort)
	texts := b.flags.text && !b.hazard
	if by == nil {
		return b.matches(ctx, texts)
	}
	return func(yield func(report.ResponseView, error) bool) {
		var held []report.ResponseView
		for v, err := range b.matches(ctx, texts || b.flags.sort == "length" || b.flags.sort == "-length") {
			if err != nil {
				yield(v, err)
				return
			}
			held = append(held, v)
		}
		for _, v := range foremost(held, by, 0) {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// call is that of a response without its texts; nil when none is kept.
func (b *browser) call(ctx context.Context, v report.ResponseView) (*uplift.Call, error) {
	if v.Response.Call == "" {
		return nil, nil
	}
	c, found, err := b.db.Call(ctx, v.Response.Call)
	if err != nil || !found {
		return nil, err
	}
	c.Text, c.Reasoning = "", ""
	if v.Hidden != "" {
		c.Details = ""
	}
	if b.hazard {
		c.Err = ""
	}
	return &c, nil
}
