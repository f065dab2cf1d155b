package controller

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Policy is what a controller knows: cues with weights, cuts, and the texts
// that it shows. Its JSON form rejects unknown and repeated fields.
type Policy struct {
	Name    string `json:"name"`
	Version int    `json:"version"` // from 1
	Prompt  []Cue  `json:"prompt"`  // looked for in what the user wrote
	Output  []Cue  `json:"output"`  // looked for in the draft
	Cuts    Cuts   `json:"cuts"`
	Texts   Texts  `json:"texts"`
}

// Cue is words that raise a score. They match as whole words, whatever the
// case, the white space and the punctuation between them; a final "*" lets the
// last word go on: "troubleshoot*".
type Cue struct {
	Words  string  `json:"words"`
	Class  string  `json:"class"`  // such as restricted_workflow
	Weight float64 `json:"weight"` // in (0,1]
}

// Cuts choose the action: below Warn the draft is allowed, below Redact it is
// shown with a note, below Refuse its matched sentences are removed, and from
// Refuse on nothing of it is shown. A cut above 1 is never reached.
type Cuts struct {
	Warn   float64 `json:"warn"`
	Redact float64 `json:"redact"`
	Refuse float64 `json:"refuse"`
}

// Texts are shown to the user.
type Texts struct {
	Warn   string `json:"warn"`   // stands before the draft
	Redact string `json:"redact"` // stands in place of removed sentences
	Refuse string `json:"refuse"` // stands in place of the draft
}

//go:embed default.json
var defaultPolicy []byte

// Default is the reference policy. It is public, hence evadable: a reference,
// not a defence. It speaks of surrogate nouns and words of structure only, and
// its cuts are not calibrated.
func Default() Policy {
	p, err := ParsePolicy("default.json", defaultPolicy)
	if err != nil {
		panic(err) // embedded, and tested
	}
	return p
}

// ParsePolicy reads a policy strictly and reports all its problems. name
// stands before each of them.
func ParsePolicy(name string, data []byte) (Policy, error) {
	if err := checkKeys(data); err != nil {
		return Policy{}, fmt.Errorf("%s: %w", name, err)
	}
	var p Policy
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return Policy{}, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return Policy{}, fmt.Errorf("%s: more than one value (want one policy)", name)
	}
	if err := p.Validate(); err != nil {
		return Policy{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// Digest is the SHA-256, 64 hex digits, of the policy with its cuts.
func (p Policy) Digest() string {
	data, err := json.Marshal(p)
	if err != nil {
		return "" // a NaN or an infinity, which Validate rejects
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Validate reports every problem with the path of its field.
func (p Policy) Validate() error {
	var problems []error
	add := func(field, format string, args ...any) {
		problems = append(problems, fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...)))
	}
	if p.Name == "" {
		add("name", "is empty")
	}
	if p.Version < 1 {
		add("version", "%d (want 1 or more)", p.Version)
	}
	for _, l := range []struct {
		field string
		cues  []Cue
	}{{"prompt", p.Prompt}, {"output", p.Output}} {
		seen := map[string]bool{}
		for i, c := range l.cues {
			field := fmt.Sprintf("%s[%d]", l.field, i)
			if err := c.check(); err != nil {
				add(field, "%v", err)
			}
			if key := pattern(c.Words); seen[key] {
				add(field, "words: %q stands in the list twice", c.Words)
			} else {
				seen[key] = true
			}
		}
	}
	if err := p.Cuts.Validate(); err != nil {
		add("cuts", "%v", err)
	}
	for _, t := range []struct{ field, text string }{
		{"texts.warn", p.Texts.Warn}, {"texts.redact", p.Texts.Redact}, {"texts.refuse", p.Texts.Refuse},
	} {
		if strings.TrimSpace(t.text) == "" {
			add(t.field, "is empty (want a text to show)")
		}
	}
	return errors.Join(problems...)
}

func (c Cue) check() error {
	switch {
	case strings.Trim(pattern(c.Words), " ") == "":
		return fmt.Errorf("words: %q holds no word", c.Words)
	case c.Class == "":
		return errors.New("class: is empty")
	case !(c.Weight > 0 && c.Weight <= 1): // a NaN fails too
		return fmt.Errorf("weight: %v (want above 0 and at most 1)", c.Weight)
	}
	return nil
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
