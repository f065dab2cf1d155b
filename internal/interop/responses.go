package interop

import (
	"fmt"
	"unicode/utf8"

	"github.com/uplift-eval/uplift"
)

// ResponseRow is one cell with its call.
type ResponseRow struct {
	uplift.Response
	Call *uplift.Call // nil when the cell has none, or it is not kept
}

// ResponseOptions choose the columns of a table of responses.
type ResponseOptions struct {
	Text        bool // add text, draft and transcript
	Tier        bool // add tier
	Spreadsheet bool // of a CSV: as in [ExportOptions]
}

// responseColumn is a column. value is nil where a cell has none; else it is a
// string, bool, float64, int64 or []uplift.Message, always the same for a column.
type responseColumn struct {
	name  string
	kind  any  // the zero of what value gives
	never bool // value is never nil
	few   bool // it repeats a lot
	when  func(ResponseOptions) bool
	value func(*ResponseRow) any
}

// responseColumns are the columns in the order in which every format has them.
func responseColumns(opt ResponseOptions) []responseColumn {
	all := []responseColumn{
		{name: "id", kind: "", never: true, value: func(r *ResponseRow) any { return r.ID() }},
		{name: "model", kind: "", never: true, few: true, value: func(r *ResponseRow) any { return r.Model }},
		{name: "condition", kind: "", never: true, few: true, value: func(r *ResponseRow) any { return r.Condition }},
		{name: "task", kind: "", never: true, few: true, value: func(r *ResponseRow) any { return r.Task }},
		{name: "attack", kind: "", never: true, few: true, value: func(r *ResponseRow) any { return r.Attack }},
		{name: "replicate", kind: int64(0), never: true, value: func(r *ResponseRow) any { return int64(r.Replicate) }},
		{name: "family", kind: "", few: true, value: func(r *ResponseRow) any { return present(r.Item.Family) }},
		{name: "split", kind: "", few: true, value: func(r *ResponseRow) any { return present(r.Item.Split) }},
		{name: "tier", kind: "", few: true, when: func(o ResponseOptions) bool { return o.Tier }, value: func(r *ResponseRow) any { return present(string(r.Item.Tier)) }},
		{name: "outcome", kind: "", never: true, few: true, value: func(r *ResponseRow) any { return string(r.Outcome) }},
	}
	all = append(all, decisionColumns()...)
	all = append(all, callColumns()...)
	all = append(all, textColumns()...)
	var out []responseColumn
	for _, c := range all {
		if c.when == nil || c.when(opt) {
			out = append(out, c)
		}
	}
	return out
}

// decisionColumns are empty without a controller.
func decisionColumns() []responseColumn {
	of := func(name string, kind any, few bool, value func(*uplift.Decision) any) responseColumn {
		return responseColumn{name: name, kind: kind, few: few, value: func(r *ResponseRow) any {
			if r.Decision == nil {
				return nil
			}
			return value(r.Decision)
		}}
	}
	return []responseColumn{
		of("action", "", true, func(d *uplift.Decision) any { return string(d.Action) }),
		of("would", "", true, func(d *uplift.Decision) any { return present(string(d.Would)) }),
		of("prompt_score", 0.0, false, func(d *uplift.Decision) any { return d.PromptScore }),
		of("output_score", 0.0, false, func(d *uplift.Decision) any { return d.OutputScore }),
		of("score", 0.0, false, func(d *uplift.Decision) any { return d.Score }),
		of("rewriter", "", true, func(d *uplift.Decision) any { return present(d.Rewriter) }),
		of("policy", "", true, func(d *uplift.Decision) any { return present(d.Policy) }),
		of("controller_error", "", true, func(d *uplift.Decision) any { return present(d.Err) }),
	}
}

// callColumns are empty where no call is kept, but for its digest.
func callColumns() []responseColumn {
	of := func(name string, kind any, few bool, value func(*uplift.Call) any) responseColumn {
		return responseColumn{name: name, kind: kind, few: few, value: func(r *ResponseRow) any {
			if r.Call == nil {
				return nil
			}
			return value(r.Call)
		}}
	}
	return []responseColumn{
		{name: "call", kind: "", value: func(r *ResponseRow) any { return present(r.Response.Call) }},
		of("stop", "", true, func(c *uplift.Call) any { return present(string(c.Stop)) }),
		of("stop_reason", "", true, func(c *uplift.Call) any { return present(c.Reason) }),
		of("version", "", true, func(c *uplift.Call) any { return present(c.Version) }),
		of("request_id", "", false, func(c *uplift.Call) any { return present(c.RequestID) }),
		of("tokens_in", int64(0), false, func(c *uplift.Call) any { return int64(c.TokensIn) }),
		of("tokens_out", int64(0), false, func(c *uplift.Call) any { return int64(c.TokensOut) }),
		of("latency_ms", int64(0), false, func(c *uplift.Call) any { return c.LatencyMS }),
		of("attempts", int64(0), false, func(c *uplift.Call) any { return int64(c.Attempts) }),
	}
}

func textColumns() []responseColumn {
	text := func(o ResponseOptions) bool { return o.Text }
	return []responseColumn{
		{name: "error", kind: "", value: func(r *ResponseRow) any { return present(r.Detail) }},
		{name: "simulated", kind: false, never: true, value: func(r *ResponseRow) any { return r.Simulated }},
		{name: "withheld", kind: "", value: func(r *ResponseRow) any { return present(r.Withheld) }},
		{name: "text", kind: "", when: text, value: shownText},
		{name: "draft", kind: "", when: text, value: func(r *ResponseRow) any { return present(r.Draft) }},
		{name: "transcript", kind: []uplift.Message(nil), when: text, value: func(r *ResponseRow) any {
			if len(r.Transcript) == 0 {
				return nil
			}
			return r.Transcript
		}},
	}
}

// shownText is what the user saw; a reply may be empty, and one that is withheld or
// never came is none.
func shownText(r *ResponseRow) any {
	if r.Text == "" && (r.Withheld != "" || r.Outcome == uplift.Failed || r.Outcome == uplift.Unreported) {
		return nil
	}
	return r.Text
}

// present is a text, or nil for an empty one.
func present(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// responseCells are the values of one row; every text in them is UTF-8.
func responseCells(to []any, columns []responseColumn, r *ResponseRow) ([]any, error) {
	to = to[:0]
	for _, c := range columns {
		v := c.value(r)
		if !validText(v) {
			return nil, fmt.Errorf("response %s: %s: not valid UTF-8", r.Cell, c.name)
		}
		to = append(to, v)
	}
	return to, nil
}

func validText(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.ValidString(v)
	case []uplift.Message:
		for _, m := range v {
			if !utf8.ValidString(m.Text) || !utf8.ValidString(string(m.Role)) {
				return false
			}
		}
	}
	return true
}
