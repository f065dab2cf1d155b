package interop_test

import (
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/interop"
)

// Problems of a sample speak of JSON in words, with the place of the value.
func TestInspectWords(t *testing.T) {
	tests := []struct{ name, sample, want string }{
		{"a list", `[1]`, "a list (want a sample: an object)"},
		{"id", `{"id":true,"epoch":1}`, "id: true (want a whole number or a string)"},
		{"epoch missing", `{"id":1}`, "epoch: missing (want a whole number from 1 to 2147483647)"},
		{"epoch null", `{"id":1,"epoch":null}`, "epoch: missing (want"},
		{"epoch 0", `{"id":1,"epoch":0}`, "epoch: 0 (want a whole number from 1 to 2147483647)"},
		{"epoch too large", `{"id":1,"epoch":1099511627776}`, "epoch: 1099511627776 (want a whole number from 1 to 2147483647)"},
		{"epoch far too large", `{"id":1,"epoch":` + strings.Repeat("9", 1000) + `}`, "epoch: 999999999999999999999999999999999999999999999999999999999... (want a whole"},
		{"epoch of text", `{"id":1,"epoch":"1"}`, `epoch: "1" (want a whole number`},
		{"epoch with a point", `{"id":1,"epoch":1.5}`, "epoch: 1.5 (want a whole number"},
		{"messages", `{"id":1,"epoch":1,"messages":{"0":{}}}`, "messages: an object (want a list of messages)"},
		{"a message", `{"id":1,"epoch":1,"messages":[{},7]}`, "messages[1]: the number 7 (want a message: an object with role and content)"},
		{"role", `{"id":1,"epoch":1,"messages":[{"role":["user"]}]}`, "messages[0].role: a list (want a string)"},
		{"content", `{"id":1,"epoch":1,"messages":[{"role":"user","content":{"text":"x"}}]}`, "messages[0].content: an object (want a string or a list of parts)"},
		{"content NaN", `{"id":1,"epoch":1,"messages":[{"role":"user","content":1e5}]}`, "messages[0].content: the number 1e5 (want a string or"},
		{"part", `{"id":1,"epoch":1,"messages":[{"role":"user","content":["x"]}]}`, "messages[0].content[0]: a string (want a part: an object with type and text)"},
		{"part's text", `{"id":1,"epoch":1,"messages":[{"role":"user","content":[{"type":"text","text":false}]}]}`, "messages[0].content[0].text: false (want a string)"},
		{"input's message", `{"id":1,"epoch":1,"input":["x"]}`, "input[0]: a string (want a message"},
		{"output", `{"id":1,"epoch":1,"output":"x"}`, "output: a string (want an object)"},
		{"completion", `{"id":1,"epoch":1,"output":{"completion":["x"]}}`, "output.completion: a list (want a string)"},
		{"choices", `{"id":1,"epoch":1,"output":{"choices":{}}}`, "output.choices: an object (want a list of choices)"},
		{"choice", `{"id":1,"epoch":1,"output":{"choices":["x"]}}`, "output.choices[0]: a string (want a choice: an object"},
		{"choice's message", `{"id":1,"epoch":1,"output":{"choices":[{"message":"x"}]}}`, "output.choices[0].message: a string (want a message"},
		{"scores", `{"id":1,"epoch":1,"scores":[{"value":1}]}`, "scores: a list (want an object with a score for each scorer)"},
		{"a score's name", `{"id":1,"epoch":1,"scores":{"` + strings.Repeat("s", 5000) + `":1}}`, "scores: a name of 5000 bytes (want at most 4096)"},
		{"an entry's name", `{"id":1,"epoch":1,"scores":{"s":{"value":{"` + strings.Repeat("e", 5000) + `":1}}}}`, "scores.s: a name of 5000 bytes"},
		{"very many scores", `{"id":1,"epoch":1,"scores":{"s":{"value":[` + strings.Repeat("1,", 1<<16) + `1]}}}`, "scores.s: more than 65536 values (want fewer)"},
		{"metadata", `{"id":1,"epoch":1,"metadata":"x"}`, "metadata: a string (want an object)"},
		{"attachments", `{"id":1,"epoch":1,"input":"attachment://a","attachments":["x"]}`, "attachments: a list (want an object)"},
		{"an attachment", `{"id":1,"epoch":1,"input":"attachment://a","attachments":{"a":NaN}}`, "attachments.a: NaN (want a string)"},
		{"refs", `{"id":1,"epoch":1,"message_refs":"x"}`, "message_refs: a string (want a list of ranges such as [0,3])"},
		{"a ref", `{"id":1,"epoch":1,"message_refs":[[0,1],[0,"x"]]}`, `message_refs[1]: [0,"x"] (want a range such as [0,3])`},
		{"very long ref", `{"id":1,"epoch":1,"message_refs":[[0,1],[0,9223372036854775807]]}`, "message_refs: more than 1048576 messages"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := "samples/1_epoch_1.json"
			if strings.Contains(tt.sample, "message_refs") {
				name = "samples/1_epoch_1/sample.json"
			}
			_, _, err := read(t, build(t, member{"header.json", evalHead, 8}, member{name, tt.sample, 8}), interop.InspectOptions{})
			wantProblems(t, err, "logs/run-a.eval:"+name+": "+tt.want)
		})
	}
	for name, head := range map[string]string{
		"header.json: a list (want an object)":                `[]`,
		"header.json: eval: a string (want an object)":        `{"eval":"x"}`,
		"header.json: eval.task: the number 1 (want a name)":  `{"eval":{"task":1}}`,
		"header.json: eval.model: missing (want a name)":      `{"eval":{"task":"t","model":null}}`,
		"header.json: eval.model: over 4096 bytes (want a na": `{"eval":{"task":"t","model":"` + strings.Repeat("m", 5000) + `"}}`,
	} {
		_, _, err := read(t, build(t, member{"header.json", head, 8}), interop.InspectOptions{})
		wantProblems(t, err, name)
	}
}
