package gemini

import (
	"bytes"
	"encoding/json"

	"github.com/uplift-eval/uplift/model/wire"
)

// chunks are the bodies within the bytes of a stream, in their order: its
// events have data alone, one line each. What follows the last end of a line is
// taken too: a stream may end without one.
func chunks(raw []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(raw) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if data = bytes.TrimSpace(data); ok && len(data) > 0 {
			out = append(out, data)
		}
	}
	return out
}

// toldInside is the error that a provider wrote into a stream instead of the
// rest of it: as an event, or bare. It is nil when there is none.
func toldInside(raw []byte) *wire.Problem {
	last := bytes.TrimSpace(raw)
	if all := chunks(raw); len(all) > 0 && bytes.HasSuffix(last, all[len(all)-1]) {
		last = all[len(all)-1]
	} else if i := bytes.LastIndex(last, []byte("\n\n")); i >= 0 {
		last = last[i+2:]
	}
	var in struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(last, &in) != nil || len(in.Error) == 0 || string(in.Error) == "null" {
		return nil
	}
	p := wire.ParseProblem(last)
	return &p
}
