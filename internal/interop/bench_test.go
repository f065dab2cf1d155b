package interop_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

type nowhere struct{ labels int }

func (n *nowhere) Add(_ uplift.Response, labels ...uplift.Label) error {
	n.labels += len(labels)
	return nil
}

// BenchmarkLabels reads 1,000,000 label rows of 10,000 tasks under 4
// conditions.
func BenchmarkLabels(b *testing.B) {
	const rows = 1_000_000
	var csv, jsonl bytes.Buffer
	csv.WriteString("model,condition,task,family,tier,attack,replicate,scale,value,grader\n")
	for i := range rows {
		task, condition, replicate, value := i/100, i%4, i/4%25, float64(i%5)/4
		fmt.Fprintf(&csv, "base,cond%d,task-%05d,fam%d,benign,direct,%d,correctness,%g,human\n", condition, task, task/100, replicate, value)
		fmt.Fprintf(&jsonl, `{"model":"base","condition":"cond%d","task":"task-%05d","family":"fam%d","tier":"benign","attack":"direct","replicate":%d,"scale":"correctness","value":%g,"grader":"human"}`+"\n",
			condition, task, task/100, replicate, value)
	}
	for _, file := range []struct {
		name string
		text []byte
	}{{"x.csv", csv.Bytes()}, {"x.jsonl", jsonl.Bytes()}} {
		b.Run(file.name[2:], func(b *testing.B) {
			b.SetBytes(int64(len(file.text)))
			b.ReportAllocs()
			for b.Loop() {
				var got nowhere
				if _, err := interop.Labels(bytes.NewReader(file.text), file.name, interop.LabelOptions{}, &got); err != nil || got.labels != rows {
					b.Fatal(got.labels, err)
				}
			}
		})
	}
}
