package controller

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// The built-in policy lies in one file of weights and cuts, and one a language.
//
//go:embed policies/*.json
var policyFiles embed.FS

// language is one language's part of a built-in policy.
type language struct {
	Lang  string `json:"lang"`
	Texts Texts  `json:"texts"`
	Cues  []Cue  `json:"cues"`  // without lang
	Units []Unit `json:"units"` // without lang
}

// defaultName is the name of the reference policy.
const defaultName = "default"

// Default is the reference policy: English and Chinese, with a part of Spanish,
// French and German. It is public, hence evadable: a reference, not a defence.
// It speaks of surrogate nouns and words of structure only, and its cuts are
// not calibrated. The caller owns what it gets.
func Default() Policy {
	p := reference()
	p.Weights = Weights{maps.Clone(p.Weights.Prompt), maps.Clone(p.Weights.Output)}
	p.Texts = maps.Clone(p.Texts)
	p.Cues, p.Units = slices.Clone(p.Cues), slices.Clone(p.Units)
	for i := range p.Cues {
		p.Cues[i].Words = slices.Clone(p.Cues[i].Words)
	}
	for i := range p.Units {
		p.Units[i].Words = slices.Clone(p.Units[i].Words)
	}
	return p
}

// Names lists the built-in policies.
func Names() []string { return []string{defaultName} }

// Builtin is the built-in policy of a name.
func Builtin(name string) (Policy, bool) {
	if name != defaultName {
		return Policy{}, false
	}
	return Default(), true
}

// reference is read once, and shared.
var reference = sync.OnceValue(func() Policy {
	p, err := assemble(defaultName+".json", "en.json", "zh.json", "es.json", "fr.json", "de.json")
	if err != nil {
		panic(err) // embedded, and tested
	}
	return p
})

// assemble puts the languages into the policy of the first file.
func assemble(base string, languages ...string) (Policy, error) {
	p := Policy{Texts: map[string]Texts{}}
	if err := embedded(base, &p); err != nil {
		return p, err
	}
	for _, name := range languages {
		var l language
		if err := embedded(name, &l); err != nil {
			return p, err
		}
		p.Texts[l.Lang] = l.Texts
		for _, c := range l.Cues {
			c.Lang = l.Lang
			p.Cues = append(p.Cues, c)
		}
		for _, u := range l.Units {
			u.Lang = l.Lang
			p.Units = append(p.Units, u)
		}
	}
	return p, p.Validate()
}

func embedded(name string, into any) error {
	data, err := policyFiles.ReadFile("policies/" + name)
	if err == nil {
		err = decode(data, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
