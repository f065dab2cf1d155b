package analysis

import (
	"context"
	"encoding/csv"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// memory is a Source in memory.
type memory struct {
	responses []uplift.Response
	labels    []uplift.Label
	failAt    error // ends the labels
}

func (m *memory) Responses(context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		for _, r := range m.responses {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (m *memory) Labels(context.Context) iter.Seq2[uplift.Label, error] {
	return func(yield func(uplift.Label, error) bool) {
		for _, l := range m.labels {
			if !yield(l, nil) {
				return
			}
		}
		if m.failAt != nil {
			yield(uplift.Label{}, m.failAt)
		}
	}
}

// place is where a row of the fake stands; zero fields take the defaults of
// at: model m, attack direct, tier benign, family f, outcome answered.
type place struct {
	model, condition, task, attack, family string
	split                                  string
	tier                                   uplift.Tier
	replicate                              int
	outcome                                uplift.Outcome
}

func (p place) defaults() place {
	for _, d := range []struct {
		field *string
		value string
	}{{&p.model, "m"}, {&p.attack, uplift.Direct}, {&p.family, "f"}} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
	if p.tier == "" {
		p.tier = uplift.Benign
	}
	if p.tier == "none" {
		p.tier = uplift.Untiered
	}
	if p.outcome == "" {
		p.outcome = uplift.Answered
	}
	return p
}

func (p place) cell() uplift.Cell {
	return uplift.Cell{Model: p.model, Condition: p.condition, Task: p.task, Attack: p.attack, Replicate: p.replicate}
}

// respond adds a response.
func (m *memory) respond(p place) {
	p = p.defaults()
	m.responses = append(m.responses, uplift.Response{Cell: p.cell(), Outcome: p.outcome,
		Item: uplift.Item{Task: p.task, Attack: p.attack, Family: p.family, Split: p.split, Tier: p.tier}})
}

// mark adds a label.
func (m *memory) mark(p place, scale, grader string, value float64) {
	p = p.defaults()
	m.labels = append(m.labels, uplift.Label{Cell: p.cell(), Family: p.family, Split: p.split, Tier: p.tier, Outcome: p.outcome,
		Scale: scale, Value: value, Grader: grader})
}

// graded adds a response with its human label on correctness.
func (m *memory) graded(p place, value float64) {
	m.respond(p)
	m.mark(p, uplift.Correctness, uplift.Human, value)
}

// shuffled is the same rows in another order.
func (m *memory) shuffled(seed uint64) *memory {
	s := &memory{append([]uplift.Response{}, m.responses...), append([]uplift.Label{}, m.labels...), nil}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(s.responses), func(i, j int) { s.responses[i], s.responses[j] = s.responses[j], s.responses[i] })
	r.Shuffle(len(s.labels), func(i, j int) { s.labels[i], s.labels[j] = s.labels[j], s.labels[i] })
	return s
}

// xstest rebuilds the matched labels of two XSTest models from counts; the ids
// of tasks are made up, and the family is the prompt's type.
func xstest(t testing.TB, condition, reference string, as map[string]string) *memory {
	t.Helper()
	m := &memory{}
	n := 0
	for _, row := range readCSV(t, "testdata/xstest_counts.csv")[1:] {
		if row[0] != condition || row[1] != reference {
			continue
		}
		count, err := strconv.Atoi(row[6])
		if err != nil {
			t.Fatal(err)
		}
		tier := uplift.Benign
		if row[2] != "benign" {
			tier = uplift.Harmful
		}
		for range count {
			n++
			for i, name := range []string{condition, reference} {
				p := place{model: "llama2", condition: as[name], task: fmt.Sprintf("x%03d", n), family: row[3], tier: tier, outcome: uplift.Unreported}
				m.respond(p)
				m.mark(p, uplift.Compliance, uplift.Human, complianceValue[row[4+i]])
			}
		}
	}
	return m
}

var complianceValue = map[string]float64{"comply": 1, "partial": 0.5, "refuse": 0}

func readCSV(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

// labelStudy is the options of a study of imported compliance labels.
func labelStudy() Options {
	return Options{Cluster: ByFamily, Reference: "none", Seed: 1, Replicates: 2000, Endpoints: []Endpoint{
		{Name: Utility, Better: Higher, Scale: uplift.Compliance, Tiers: []uplift.Tier{uplift.Benign}},
		{Name: Risk, Better: Lower, Scale: uplift.Compliance, Tiers: []uplift.Tier{uplift.Harmful}}}}
}
