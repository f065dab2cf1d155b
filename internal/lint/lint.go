package lint

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

// Input is what is looked at. Only Tasks is needed: a rule that lacks what it
// asks for says so and is not run.
type Input struct {
	Tasks     []uplift.Task
	Items     []uplift.Item      // what is sent
	Files     []string           // names of the tasks' files
	Nouns     []string           // surrogate nouns; those of borderline and harmful tasks are added
	Templates []Template         // the forms that items are made from
	Policy    *controller.Policy // whose cues are taken out one class at a time
	Seed      uint64             // of the folds and permutations
}

// Template is a form, or a set of them, by the digest of its text.
type Template struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// Report is what was found. Every rule is in it, whatever it found.
type Report struct {
	Tasks   int       `json:"tasks"`
	Items   int       `json:"items"`
	Rules   []Rule    `json:"rules"`
	Wording []Wording `json:"wording"` // how well words tell a tier (L4)
	Cues    *Cues     `json:"cues"`    // what a controller's cues are worth (L8); nil without a policy
	Benign  Share     `json:"benign"`  // benign tasks in which a hazard rule found a shape
	Output  Measured  `json:"output"`  // false hits of the output profile, as measured
}

// Rule is one rule's outcome.
type Rule struct {
	ID        string     `json:"id"` // such as L1
	Title     string     `json:"title"`
	Figure    string     `json:"figure"`            // what was measured, in words
	Limit     string     `json:"limit"`             // what it may be
	Values    []Value    `json:"values"`            // the figure's numbers
	Pass      bool       `json:"pass"`              // also when the rule was not run
	NotRun    string     `json:"not_run,omitempty"` // why
	Offenders []Offender `json:"offenders"`
}

// Value is one number of a figure.
type Value struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Offender is one thing that breaks a rule.
type Offender struct {
	Task  string `json:"task,omitempty"`
	Field string `json:"field,omitempty"` // or item, file, noun
	Text  string `json:"text"`            // what was found
}

// Share is a number of a number.
type Share struct {
	Hits int `json:"hits"`
	Of   int `json:"of"`
}

// Value is the share; 0 of nothing is 0.
func (s Share) Value() float64 {
	if s.Of == 0 {
		return 0
	}
	return float64(s.Hits) / float64(s.Of)
}

// Pass reports whether no rule failed.
func (r Report) Pass() bool { return len(r.Failed()) == 0 }

// Failed are the rules that did not pass.
func (r Report) Failed() []Rule {
	return slices.DeleteFunc(slices.Clone(r.Rules), func(r Rule) bool { return r.Pass })
}

// Tasks looks at tasks and at what is sent of them.
func Tasks(in Input) Report {
	r := Report{Tasks: len(in.Tasks), Items: len(in.Items), Output: MeasuredHits()}
	nouns := nounsOf(in)
	l4, wording := wordingRule(in, nouns)
	l8, cues := cueRule(in)
	r.Wording, r.Cues = wording, cues
	r.Rules = []Rule{labelRule(in), tokenRule(in, nouns), nounRule(in, nouns), l4, lengthRule(in), idRule(in), twinRule(in), l8}
	hazards, benign := hazardRules(in)
	r.Benign = benign
	r.Rules = append(r.Rules, hazards...)
	r.Rules = append(r.Rules, renderedRule(in))
	for i := range r.Rules {
		if r.Rules[i].Offenders == nil {
			r.Rules[i].Offenders = []Offender{}
		}
		if r.Rules[i].Values == nil {
			r.Rules[i].Values = []Value{}
		}
	}
	return r
}

// notRun is a rule that lacks what it asks for.
func notRun(r Rule, why string) Rule {
	r.Pass, r.NotRun, r.Figure = true, why, "not run"
	return r
}
