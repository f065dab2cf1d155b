package interop

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift"
)

// checking is a sink that checks what every importer promises.
type checking struct{ t *testing.T }

func (s checking) Add(r uplift.Response, labels ...uplift.Label) error {
	switch {
	case r.Model == "" || r.Condition == "" || r.Task == "" || r.Attack == "" || r.Replicate < 0:
		s.t.Errorf("a cell with a hole: %+v", r.Cell)
	case r.Item.Task != r.Task || r.Item.Attack != r.Attack:
		s.t.Errorf("item %+v of cell %+v", r.Item, r.Cell)
	case r.Item.Tier != uplift.Untiered && !r.Item.Tier.Known():
		s.t.Errorf("tier %q", r.Item.Tier)
	case r.Outcome == "":
		s.t.Errorf("no outcome")
	}
	for _, l := range labels {
		if l.Scale == "" || l.Grader == "" || l.Value != 0 && !(math.Abs(l.Value) >= 1e-50 && math.Abs(l.Value) <= 1e50) {
			s.t.Errorf("label %+v", l)
		}
	}
	return nil
}

// checkError allows only problems: the fuzz targets read from memory.
func checkError(t *testing.T, err error) {
	var ps *Problems
	if err != nil && (!errors.As(err, &ps) || ps.Len() == 0) {
		t.Errorf("got %v, want problems", err)
	}
}

func FuzzLabels(f *testing.F) {
	for _, seed := range []string{
		"model,condition,task,scale,value\nm,c,t,s,1\n",
		"model;condition;task;scale;value;grader;tier\nm;c;\"t\";s;1;human;benign\nm;c;t;s;2;human;benign\n",
		`{"model":"m","condition":"c","task":"t","scale":"s","value":0.5,"replicate":3}`,
		`{"model":1,"condition":true,"task":"\u00e9","scale":"s","value":"1","x":{}}` + "\n",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, mapped bool) {
		var opt LabelOptions
		if mapped {
			opt = LabelOptions{Columns: map[string]string{"task": "t"}, Set: map[string]string{"scale": "s", "model": "m"},
				Map: map[string]map[string]string{"h": {"1": "1", "": "0"}}, Graders: []Grader{{"human", "h"}, {"j", "value"}}}
		}
		_, err := Labels(strings.NewReader(text), "x", opt, checking{t})
		checkError(t, err)
	})
}

func FuzzXSTest(f *testing.F) {
	f.Add("id,type,prompt,completion,annotation_1,annotation_2,final_label\n1,t,p,c,1_full_compliance,,2_full_refusal\n1,t,p,c,,,\n")
	f.Add("id,type,prompt,completion,annotation_1,annotation_2,final_label\r\n\"1\n\",contrast_t,p,\"c\n\",x,,\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := XSTest(strings.NewReader(text), "x.csv", XSTestOptions{"m", "c"}, checking{t})
		checkError(t, err)
	})
}

// FuzzRoundTrip writes one label and reads it back, in both forms.
func FuzzRoundTrip(f *testing.F) {
	f.Add("m", "c\r\n", "t,\"", " a ", "text\r", 0.1, 3)
	f.Fuzz(func(t *testing.T, model, condition, task, family, text string, value float64, replicate int) {
		want := uplift.Label{Cell: uplift.Cell{Model: model, Condition: condition, Task: task, Attack: "direct", Replicate: replicate & 0xffff},
			Family: family, Outcome: uplift.Answered, Scale: "s", Value: value, Grader: "human"}
		one := func(yield func(uplift.Label, error) bool) { yield(want, nil) }
		opt := ExportOptions{Text: func(uplift.Cell) string { return text }}
		for name, write := range map[string]func(io.Writer) error{
			"x.csv":   func(w io.Writer) error { return WriteLabelsCSV(w, one, opt) },
			"x.jsonl": func(w io.Writer) error { return WriteLabelsJSONL(w, one, opt) },
		} {
			var file bytes.Buffer
			if write(&file) != nil || model == "" || condition == "" || task == "" {
				return // not writable, or no cell
			}
			var got keeping
			if _, err := Labels(&file, name, LabelOptions{}, &got); err != nil {
				if strings.Contains(err.Error(), "bytes long") || strings.Contains(err.Error(), "number of size") {
					return
				}
				t.Fatal(err)
			}
			if len(got.labels) != 1 || got.labels[0] != want || got.text != text {
				t.Errorf("%s: got %+v %q, want %+v %q", name, got.labels, got.text, want, text)
			}
		}
	})
}

type keeping struct {
	labels []uplift.Label
	text   string
}

func (k *keeping) Add(r uplift.Response, labels ...uplift.Label) error {
	k.labels, k.text = append(k.labels, labels...), r.Text
	return nil
}

// FuzzReplaceNonFinite holds the pre-pass to its promise: valid JSON stays as
// it is, the length stays, and what was JSON but for the tokens becomes JSON.
func FuzzReplaceNonFinite(f *testing.F) {
	f.Add(`{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN \" NaN"}`)
	f.Add(`NaN`)
	f.Add(`"\\",NaN`)
	f.Fuzz(func(t *testing.T, text string) {
		got := string(replaceNonFinite([]byte(text)))
		if len(got) != len(text) {
			t.Errorf("%q: length %d became %d", text, len(text), len(got))
		}
		if json.Valid([]byte(text)) && got != text {
			t.Errorf("%q became %q", text, got)
		}
		if again := string(replaceNonFinite([]byte(got))); again != got {
			t.Errorf("%q, a second time %q", got, again)
		}
		// A second road: put a token where valid JSON has null.
		if json.Valid([]byte(text)) {
			for _, token := range []string{"NaN", "Infinity", "-Infinity"} {
				python := strings.ReplaceAll(text, "null", token)
				if strings.Contains(python, `"`) {
					continue // null may stand in a string, where the token stays
				}
				if !json.Valid(replaceNonFinite([]byte(python))) {
					t.Errorf("%q did not become JSON", python)
				}
			}
		}
	})
}

// FuzzInspect fuzzes what a log holds and, with raw, the zip itself.
func FuzzInspect(f *testing.F) {
	head := `{"version":2,"status":"success","eval":{"task":"t","model":"m"}}`
	sample := `{"id":"1","epoch":1,"input":"a","messages":[{"role":"user","content":[{"type":"text","text":"q"}]}],"output":{"choices":[{"stop_reason":"stop"}],"completion":"z"},"scores":{"s":{"value":NaN},"d":{"value":{"a":1}},"l":{"value":["C"]}},"metadata":{"tier":"benign"},"message_refs":[[0,1]],"attachments":{"0":"x"}}`
	f.Add([]byte(head), []byte(sample), []byte(`[{"role":"user","content":"attachment://0"}]`), false)
	f.Add([]byte(head), []byte(`{"id":7,"epoch":1,"message_refs":[[0,1]]}`), []byte(`[{}]`), false)
	f.Add([]byte("PK\x03\x04"), []byte{}, []byte{}, true)
	f.Fuzz(func(t *testing.T, head, sample, chunk []byte, raw bool) {
		log := head
		if !raw {
			var file bytes.Buffer
			w := zip.NewWriter(&file)
			for _, m := range []struct {
				name string
				text []byte
			}{{"header.json", head}, {"samples/1_epoch_1.json", sample}, {"samples/2_epoch_1/sample.json", sample},
				{"samples/2_epoch_1/messages/0.json", chunk}, {"summaries.json", chunk}} {
				entry, _ := w.CreateHeader(&zip.FileHeader{Name: m.name})
				entry.Write(m.text)
			}
			w.Close()
			log = file.Bytes()
		}
		_, err := Inspect(bytes.NewReader(log), int64(len(log)), "x.eval", InspectOptions{TierFrom: "tier", MaxMember: 1 << 20}, checking{t})
		checkError(t, err)
	})
}
