package controller

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Validate reports every problem with the path of its field.
func (p Policy) Validate() error {
	var c check
	if p.Name == "" {
		c.add("name", "is empty")
	}
	if p.Version < 1 {
		c.add("version", "%d (want 1 or more)", p.Version)
	}
	c.weights("weights.prompt", p.Weights.Prompt, promptFeatures)
	c.weights("weights.output", p.Weights.Output, outputFeatures)
	c.cues(p.Cues)
	c.units(p.Units)
	if err := p.Cuts.Validate(); err != nil {
		c.add("cuts", "%v", err)
	}
	c.texts(p)
	return errors.Join(c.problems...)
}

// check gathers problems.
type check struct{ problems []error }

func (c *check) add(field, format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...)))
}

func (c *check) weights(field string, weights map[string]float64, known []string) {
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if !slices.Contains(known, name) {
			c.add(field+"."+name, "is no feature of it (want one of %s)", strings.Join(known, ", "))
		}
		if w := weights[name]; !(w >= 0 && w <= 1) { // a NaN fails too
			c.add(field+"."+name, "%v (want a number from 0 to 1)", w)
		}
	}
}

func (c *check) cues(cues []Cue) {
	seen := map[string]string{} // side and pattern -> where it stands
	for i, cue := range cues {
		field := fmt.Sprintf("cues[%d]", i)
		switch {
		case cue.Where != "" && cue.Where != onPrompt && cue.Where != onOutput:
			c.add(field+".where", "unknown value %q (want prompt, output or nothing)", cue.Where)
		case !cue.on(onPrompt) && !cue.on(onOutput):
			c.add(field+".class", "unknown value %q (want one of %s)", cue.Class, strings.Join(classesOf(cue.Where), ", "))
		}
		if cue.Lang == "" {
			c.add(field+".lang", "is empty (want a language such as en)")
		}
		if !(cue.Weight >= 0 && cue.Weight <= 1) {
			c.add(field+".weight", "%v (want above 0 and at most 1, or nothing)", cue.Weight)
		}
		if len(cue.Words) == 0 {
			c.add(field+".words", "is empty (want at least one phrase)")
		}
		for j, words := range cue.Words {
			at := fmt.Sprintf("%s.words[%d]", field, j)
			key := pattern(words)
			if strings.Trim(key, " ") == "" {
				c.add(at, "%q holds no word", words)
				continue
			}
			for _, side := range []string{onPrompt, onOutput} {
				if !cue.on(side) {
					continue
				}
				if before, ok := seen[side+key]; ok {
					c.add(at, "%q stands in %s too", words, before)
					break
				}
				seen[side+key] = at
			}
		}
	}
}

func (c *check) units(units []Unit) {
	for i, u := range units {
		field := fmt.Sprintf("units[%d]", i)
		if u.Lang == "" {
			c.add(field+".lang", "is empty (want a language such as en)")
		}
		if strings.TrimSpace(u.Say) == "" {
			c.add(field+".say", "is empty (want what stands in place of a number)")
		}
		if len(u.Words) == 0 || slices.ContainsFunc(u.Words, func(w string) bool { return strings.TrimSpace(w) == "" }) {
			c.add(field+".words", "has none, or a blank one (want names of units)")
		}
	}
}

// texts wants every text said, and none that is evidence itself: what is shown
// in place of a passage would be taken out again.
func (c *check) texts(p Policy) {
	if _, ok := p.Texts[fallback]; !ok {
		c.add("texts."+fallback, "is missing (want the texts that serve where no other language does)")
	}
	rules := newRules(p, nil)
	for _, lang := range p.languages() {
		t := p.Texts[lang]
		for _, part := range []struct {
			name, text string
			wanted     bool
		}{{"warn", t.Warn, true}, {"redact", t.Redact, true}, {"refuse", t.Refuse, true}, {"element", t.Element, false}} {
			field := "texts." + lang + "." + part.name
			if part.wanted && strings.TrimSpace(part.text) == "" {
				c.add(field, "is empty (want a text to show)")
			}
			if len(c.problems) == 0 && rules.risky(part.text) {
				c.add(field, "is itself what is looked for in a draft (want a text without cues, steps and quantities)")
			}
		}
		for i, u := range p.Units {
			if len(c.problems) == 0 && rules.risky(u.Say) {
				c.add(fmt.Sprintf("units[%d].say", i), "is itself what is looked for in a draft (want a text without cues, steps and quantities)")
			}
		}
	}
}

// Validate reports whether the cuts are finite, not negative and in order.
func (c Cuts) Validate() error {
	all := []float64{c.Warn, c.Redact, c.Refuse}
	for _, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return fmt.Errorf("%v (want finite values of 0 or more)", all)
		}
	}
	if !slices.IsSorted(all) {
		return fmt.Errorf("warn %v, redact %v, refuse %v (want them in ascending order)", c.Warn, c.Redact, c.Refuse)
	}
	return nil
}
