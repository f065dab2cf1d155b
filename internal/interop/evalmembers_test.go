package interop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

// Id and epoch stand in the sample, so that its member may have any name; what
// is no sample is said to be none.
func TestInspectMemberNames(t *testing.T) {
	head := member{"header.json", evalHead, 8}
	got := func(members ...member) (tasks []string, counts interop.Counts, err error) {
		memory, counts, err := read(t, build(t, append([]member{head}, members...)...), interop.InspectOptions{Tier: uplift.Benign})
		for _, r := range memory.responses {
			tasks = append(tasks, r.Task)
		}
		return tasks, counts, err
	}
	full := func(id int) string { return sampleText(fmt.Sprint(id), 1, "") }
	shell := `{"id":7,"epoch":1,"output":{"completion":"a"}}`
	tests := []struct {
		name    string
		members []member
		tasks   []string
		notes   []string
	}{
		{"any name", []member{{"samples/zz.json", full(1), 8}, {"samples/a/b.json", full(2), 8}, {"samples/.json", full(3), 8}, {"samples/1_epoch_x.json", full(4), 8}},
			[]string{"quiz/1", "quiz/2", "quiz/3", "quiz/4"}, nil},
		{"a slash in the id", []member{{"samples/s/1_epoch_1.json", full(1), 8}}, []string{"quiz/1"}, nil},
		{"a shell of any name", []member{{"samples/x/sample.json", shell, 8}, {"samples/x/messages/0.json", `[{"role":"user","content":"q"}]`, 8}}, []string{"quiz/7"}, nil},
		{"parts of a chunked sample", []member{{"samples/7_epoch_1/sample.json", shell, 8}, {"samples/7_epoch_1/messages/0.json", `[]`, 8},
			{"samples/7_epoch_1/new/part.json", `[]`, 8}, {"samples/7_epoch_1/events/stats.json", `{}`, 8}}, []string{"quiz/7"}, nil},
		{"a monolith beside its parts", []member{{"samples/8_epoch_1.json", full(8), 8}, {"samples/8_epoch_1/messages/0.json", `[]`, 8}}, []string{"quiz/8"}, nil},
		{"folders and other files", []member{{"samples/", "", 0}, {"samples/a/", "", 0}, {"samples/read.me", "x", 8}, {"samples/1_epoch_1.json.bak", "x", 8}, {"samples/1_epoch_1.json", full(1), 8}},
			[]string{"quiz/1"}, []string{"members of samples/ that are no .json were passed over (2)"}},
		{"two copies", []member{{"samples/zz.json", full(2), 8}, {"samples/zz.json", full(1), 8}}, []string{"quiz/1"}, []string{"older copies of a sample were passed over, the last of each counts (1)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tasks, counts, err := got(tt.members...)
			if diff := cmp.Diff(tasks, tt.tasks); err != nil || diff != "" {
				t.Errorf("%v, tasks, got then want:\n%s", err, diff)
			}
			if diff := cmp.Diff(counts.Notes, tt.notes); diff != "" || counts.Samples != len(tt.tasks) {
				t.Errorf("%d samples, notes, got then want:\n%s", counts.Samples, diff)
			}
		})
	}
	_, _, err := got(member{"samples/zz.json", full(1), 8}, member{"samples/1_epoch_1.json", full(1), 8})
	wantProblems(t, err, "samples/1_epoch_1.json: sample 1, epoch 1 is also in samples/zz.json (want it once)")
	_, _, err = got(member{"samples/zz.json", `[1]`, 8})
	wantProblems(t, err, "samples/zz.json: a list (want a sample: an object)")
	_, _, err = got(member{"samples/7_epoch_1/messages/0.json", `[]`, 8}, member{"samples/7_epoch_1/messages/1.json", `[]`, 8},
		member{"samples/7_epoch_1/metadata.json", `{}`, 8}, member{"samples/8_epoch_1/events/0.json", `[]`, 8})
	wantProblems(t, err, "samples/7_epoch_1/sample.json: missing (want it: other parts of the sample are there)", "samples/8_epoch_1/sample.json: missing")
}

func TestInspectTierFrom(t *testing.T) {
	log := func(metadata ...string) []byte {
		members := []member{{"header.json", evalHead, 8}}
		for i, m := range metadata {
			members = append(members, member{fmt.Sprintf("samples/%d_epoch_1.json", i), sampleText(fmt.Sprint(i), 1, m), 8})
		}
		return build(t, members...)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `"k%03d":1,`, i)
	}
	tests := []struct {
		name string
		log  []byte
		want string
	}{
		{"one of two has it", log(`,"metadata":{"tier":"benign"}`, `,"metadata":{"x":1}`), ""},
		{"null", log(`,"metadata":{"tier":null}`), ""},
		{"all are invalidated", log(`,"invalidation":{},"metadata":{"x":1}`), ""},
		{"none has it", log(`,"metadata":{"tire":"benign","a":1}`, `,"metadata":{"b":1,"a":2}`),
			`logs/run-a.eval: no sample's metadata has the key "tier" (the samples have a, b, tire)`},
		{"none has any", log("", `,"metadata":{}`), `no sample's metadata has the key "tier" (the samples have none)`},
		{"many others", log(`,"metadata":{` + many.String() + `"l":1}`), `(the samples have k000, k001, k002, k003, k004, k005, k006, k007, k008, k009, k010, k011, k012, k013, k014, k015, k016, k017, k018, k019 and 981 more)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := read(t, tt.log, interop.InspectOptions{TierFrom: "tier"})
			if tt.want != "" {
				wantProblems(t, err, tt.want)
			} else if err != nil {
				t.Errorf("got %v, want none", err)
			}
		})
	}
	if got, _, err := read(t, log(`,"metadata":{"":"harmful"}`), interop.InspectOptions{}); err != nil || got.responses[0].Item.Tier != uplift.Untiered {
		t.Errorf("without a key: got %v, %v, want no tier", got.responses, err)
	}
	chunked := build(t, member{"header.json", evalHead, 8}, member{"samples/7_epoch_1/sample.json", `{"id":7,"epoch":1}`, 8}, member{"samples/7_epoch_1/metadata.json", `{"tire":1}`, 8})
	_, _, err := read(t, chunked, interop.InspectOptions{TierFrom: "tier"})
	wantProblems(t, err, `no sample's metadata has the key "tier" (the samples have tire)`)
}
