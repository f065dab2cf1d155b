package interop_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

const mib = 1 << 20

// textOver is just more than one text may have, textMost just what it may.
var textMost, textOver = strings.Repeat("x", 16*mib), strings.Repeat("x", 16*mib+1)

// atSize skips a test of many large texts under the race detector, which takes
// minutes for them and finds nothing: a log is read by one goroutine.
func atSize(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("large texts are not read under the race detector")
	}
}

// one builds a log of one sample with the given keys.
func one(t testing.TB, keys string, method uint16) []byte {
	t.Helper()
	return build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", `{"id":1,"epoch":1,` + keys + `}`, method})
}

// Every text that is taken is bounded, alone and together; what is not taken
// may be of any size.
func TestInspectTextLimits(t *testing.T) {
	atSize(t)
	message := func(role, text string) string { return `{"role":"` + role + `","content":"` + text + `"}` }
	conversation := func(text string, n int) string {
		return `"messages":[` + strings.Repeat(message("user", text)+","+message("assistant", text)+",", n/2) + message("user", "x") + `]`
	}
	escaped := strings.Repeat(`\u0041`, mib) + textMost[mib:]
	const over = "over 16 MiB of text (want at most that)"
	const together = "over 64 MiB of text together (want at most that)"
	tests := []struct{ name, keys, want string }{ // want: held by the only problem; empty: a response
		{"input", `"input":"` + textOver + `"`, "logs/run-a.eval:samples/1_epoch_1.json: input: " + over},
		{"input that the messages repeat", `"input":"` + textOver + `","messages":[` + message("user", "a") + `]`, "input: " + over},
		{"input of messages", `"input":[` + message("user", "a") + "," + message("user", textOver) + `]`, "input[1].content: " + over},
		{"input together", `"input":[` + strings.Repeat(message("user", textMost)+",", 4) + message("user", "x") + `]`, "input: " + together},
		{"user", `"messages":[` + message("user", textOver) + `]`, "messages[0].content: " + over},
		{"assistant", `"messages":[` + message("user", "a") + "," + message("assistant", textOver) + `]`, "messages[1].content: " + over},
		{"parts", `"messages":[{"role":"user","content":[{"type":"text","text":"` + textMost + `"},{"type":"text","text":""}]}]`, "messages[0].content: " + over},
		{"a part", `"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"` + textOver + `"}]}]`, "messages[0].content[1].text: " + over},
		{"escapes", `"messages":[` + message("user", escaped+"x") + `]`, "messages[0].content: " + over},
		{"completion", `"output":{"completion":"` + textOver + `"}`, "output.completion: " + over},
		{"choice", `"output":{"choices":[{"message":{"content":"` + textOver + `"}}]}`, "output.choices[0].message.content: " + over},
		{"error", `"error":{"message":"` + textOver + `"}`, "error.message: " + over},
		{"error text", `"error":"` + textOver + `"`, "error: " + over},
		{"attachment", `"messages":[` + message("user", "attachment://a") + `],"attachments":{"a":"` + textOver + `"}`, "attachments.a: " + over},
		{"together", conversation(textMost, 4), "messages: " + together},
		{"attachment, many times", conversation("attachment://a", 4) + `,"attachments":{"a":"` + textMost + `"}`, "messages: " + together},

		{"the most", conversation(textMost[5*mib:], 4) + `,"input":"` + textMost + `","output":{"completion":"` + textMost + `"},"error":"` + textMost + `"`, ""},
		{"the most in escapes", `"messages":[` + message("user", escaped) + `]`, ""},
		{"system and tool", `"messages":[` + message("system", textOver) + "," + message("tool", textOver) + `]`, ""},
		{"what is not read", `"store":"` + textOver + `","metadata":{"x":"` + textOver + `"},"attachments":{"a":"` + textOver + `"},"target":"` + textOver + `"`, ""},
		{"explanation", `"scores":{"s":{"value":1,"explanation":"` + textOver + `","answer":"` + textOver + `"}}`, ""},
		{"picture", `"messages":[{"role":"user","content":[{"type":"image","image":"` + textOver + `"}]}]`, ""},
		{"a value of text", `"scores":{"s":{"value":"` + textOver + `"}}`, ""},
		{"invalidated", `"invalidation":{},"input":"` + textOver + `"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts, err := read(t, one(t, tt.keys, 0), interop.InspectOptions{})
			if tt.want != "" {
				wantProblems(t, err, tt.want)
			} else if err != nil || len(got.responses)+counts.Invalidated != 1 {
				t.Errorf("got %d responses, %.300v, want 1", len(got.responses), err)
			}
		})
	}
}

// In a chunked sample only the messages of the conversation count.
func TestInspectChunkedTextLimits(t *testing.T) {
	atSize(t)
	p := "samples/7_epoch_1/"
	chunk := `[{"role":"user","content":"` + textMost + `"},{"role":"user","content":"` + textOver + `"},{"role":"user","content":"attachment://1"}]`
	log := func(refs string) []byte {
		return build(t, member{"header.json", evalHead, 8}, member{p + "sample.json", `{"id":7,"epoch":1,"message_refs":` + refs + `}`, 8},
			member{p + "messages/0.json", chunk, 93}, member{p + "attachments/0.json", `["` + textOver + `","` + textOver + `"]`, 93})
	}
	tests := []struct{ name, refs, want string }{
		{"fits", "[[0,1]]", ""},
		{"too long", "[[0,2]]", "messages/0.json[1].content: over 16 MiB"},
		{"attachment", "[[2,3]]", "attachments/0.json[1]: over 16 MiB"},
		{"together", "[[0,1],[0,1],[0,1],[0,1],[0,1]]", "messages: over 64 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := read(t, log(tt.refs), interop.InspectOptions{})
			if tt.want != "" {
				wantProblems(t, err, "logs/run-a.eval:samples/7_epoch_1/sample.json: "+tt.want)
			} else if err != nil {
				t.Errorf("got %.300v, want a response", err)
			}
		})
	}
}

// The default bound of a member is read from the directory, before anything is
// decompressed.
func TestInspectMemberLimit(t *testing.T) {
	log := one(t, `"input":"x"`, 93)
	at := bytes.LastIndex(log, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(log[at+24:], 256*mib+1)
	_, _, err := read(t, log, interop.InspectOptions{})
	wantProblems(t, err, "samples/1_epoch_1.json: 268435457 bytes once decompressed (want at most 268435456)")
}

// discard takes everything and keeps nothing.
type discard struct{}

func (discard) Add(uplift.Response, ...uplift.Label) error { return nil }

// What an import allocates in all, and with it the most that it can hold, stays
// under three times the size of its largest member.
func TestInspectMemory(t *testing.T) {
	atSize(t)
	const size = 20 * mib
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	list := func(s string) string { return strings.TrimSuffix(fill(s+","), ",") }
	text := strings.Repeat("x", 6*mib)
	user := func(s string) string { return `{"role":"user","content":"` + s + `"}` }
	tests := []struct{ name, keys string }{
		{"a long input", `"input":"` + fill("x") + `"`},
		{"a long text in escapes", `"messages":[` + user(fill(`\u0041`)) + `]`},
		{"long messages", `"messages":[` + user(text) + "," + user(text) + "," + user(text) + `]`},
		{"parts", `"messages":[{"role":"user","content":[` + list(`{"type":"text","text":"0123456789abcdef0123456789abcdef"}`) + `]}]`},
		{"messages", `"messages":[` + list(user(strings.Repeat("y", 100))) + `]`},
		{"events", `"events":[` + list(`{"event":"model","n":[1,2,{"a":NaN}]}`) + `]`},
		{"system messages", `"messages":[` + list(`{"role":"system","content":"0123456789abcdef"}`) + `]`},
		{"attachments", `"messages":[` + user("attachment://a") + `],"attachments":{"a":"b",` + list(`"k":"0123456789abcdef0123456789abcdef"`) + `}`},
		{"scores", `"scores":{"s":{"value":1,"history":[` + list(`{"value":0.5,"explanation":"0123456789"}`) + `]}}`},
		{"metadata", `"metadata":{"family":"f",` + list(`"k":{"a":[1,2,3]}`) + `}`},
		{"keys", `"` + fill(`\u0041`) + `":1`},
		{"a score's name", `"scores":{"` + fill(`\u0041`) + `":1}`},
		{"an id", `"id":"` + fill(`x`) + `"`},
		{"an error", `"error":"` + fill(`x`) + `"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := one(t, tt.keys, 0)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := interop.Inspect(bytes.NewReader(log), int64(len(log)), "x.eval", interop.InspectOptions{}, discard{})
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 3*size {
				t.Errorf("got %.1f times the member's %d MiB allocated, want at most 3 (%.200v)", float64(taken)/size, size/mib, err)
			}
		})
	}
}

// A log whose JSON repeats itself a thousandfold is a log like any other.
func TestInspectHighRatio(t *testing.T) {
	events := strings.TrimSuffix(strings.Repeat(`{"event":"state","changes":[]},`, 200_000), ",")
	log := one(t, `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"events":[`+events+`]`, 93)
	if ratio := len(events) / len(log); ratio < 1000 {
		t.Fatalf("got a ratio of %d, want more than 1000 for this test", ratio)
	}
	got, _, err := read(t, log, interop.InspectOptions{})
	if err != nil || fmt.Sprint(got.responses[0].Item.Turns) != "[q]" {
		t.Errorf("got %v, %v, want the response", got.responses, err)
	}
}
