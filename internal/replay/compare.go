package replay

import (
	"encoding/json"
	"strconv"

	uplift "github.com/uplift-eval/uplift"
)

// part is one field as a person reads it.
type part struct{ name, value string }

// between lists the fields in which two records differ.
func between(of string, stored, replayed []part) (list []Difference) {
	for i, s := range stored {
		if r := replayed[i]; r.value != s.value {
			list = append(list, Difference{Of: of, Field: s.name, Stored: s.value, Replayed: r.value})
		}
	}
	return list
}

// callParts leaves out what a clock says and how often a request was sent.
func callParts(c uplift.Call) []part {
	return []part{
		{"stop", string(c.Stop)}, {"reason", c.Reason}, {"text", c.Text}, {"reasoning", c.Reasoning}, {"details", c.Details},
		{"version", c.Version}, {"request_id", c.RequestID}, {"tokens_in", strconv.Itoa(c.TokensIn)},
		{"tokens_out", strconv.Itoa(c.TokensOut)}, {"raw_hash", c.RawHash}, {"error", c.Err},
	}
}

// attemptParts are those of a failed attempt.
func attemptParts(a uplift.Attempt) []part {
	return []part{{"kind", a.Kind}, {"error", a.Err}, {"raw_hash", a.RawHash}}
}

// responseParts are what a user saw and how it came about. The item is not among
// them: what is known of it may grow.
func responseParts(r uplift.Response) []part {
	return []part{
		{"outcome", string(r.Outcome)}, {"call", r.Call}, {"draft", r.Draft}, {"decision", written(r.Decision)},
		{"text", r.Text}, {"transcript", written(r.Transcript)}, {"error", r.Detail}, {"simulated", strconv.FormatBool(r.Simulated)},
	}
}

// written is a value as JSON; empty for nothing.
func written(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // only a NaN, which the store cannot give
		return err.Error()
	}
	if s := string(b); s != "null" {
		return s
	}
	return ""
}
