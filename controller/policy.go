package controller

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Policy is what a controller knows: how much each feature weighs, the cues
// that are evidence for it, the cuts, and the texts that it shows. Its JSON
// form rejects unknown and repeated fields.
type Policy struct {
	Name    string           `json:"name"`
	Version int              `json:"version"` // from 1; the policy's own, not that of the form
	Weights Weights          `json:"weights"`
	Cues    []Cue            `json:"cues"`
	Units   []Unit           `json:"units,omitempty"`
	Cuts    Cuts             `json:"cuts"`
	Texts   map[string]Texts `json:"texts"` // by language; "en" also serves every language that has none
}

// Weights say by feature how much it adds to the score of a side at its full
// value of 1. A feature that is not named weighs nothing.
type Weights struct {
	Prompt map[string]float64 `json:"prompt"`
	Output map[string]float64 `json:"output"`
}

// Cue is phrases that are evidence for one feature. They match as whole words,
// whatever the case, the white space and the punctuation between them; a final
// "*" lets the last word go on: "troubleshoot*".
type Cue struct {
	Lang   string   `json:"lang"`             // of the words, such as "en"; it groups, and narrows no match
	Class  string   `json:"class"`            // the feature
	Where  string   `json:"where,omitempty"`  // prompt or output; empty: wherever the class is a feature
	Words  []string `json:"words"`            // each counts once for a text
	Weight float64  `json:"weight,omitempty"` // what each adds to the feature's value, in (0,1]; 0 stands for 0.5
	// Connective says that the words only lead from one step to the next: they
	// are dropped from the head of a sentence, which stays a sentence.
	Connective bool `json:"connective,omitempty"`
}

// Unit is words that make a number before them a precise detail, and what is
// said in its place.
type Unit struct {
	Lang  string   `json:"lang"`
	Words []string `json:"words"`
	Say   string   `json:"say"`            // such as "some time"
	Join  string   `json:"join,omitempty"` // stands between Say and a word that follows: "a certain amount of flour"
	Free  []string `json:"free,omitempty"` // words before which Join does not stand: "a certain amount for each"
}

// Cuts choose the action: below Warn the draft is allowed, below Redact it is
// shown in a general form, below Refuse its risky passages are removed, and
// from Refuse on nothing of it is shown. A cut above 1 is never reached.
type Cuts struct {
	Warn   float64 `json:"warn"`
	Redact float64 `json:"redact"`
	Refuse float64 `json:"refuse"`
}

// Texts are shown to the user.
type Texts struct {
	Warn    string `json:"warn"`              // stands before a generalised draft
	Redact  string `json:"redact"`            // stands in place of removed passages
	Refuse  string `json:"refuse"`            // stands in place of the draft
	Element string `json:"element,omitempty"` // stands in place of a step's number
}

// defaultWeight is that of a cue which names none.
const defaultWeight = 0.5

func (c Cue) weight() float64 {
	if c.Weight == 0 {
		return defaultWeight
	}
	return c.Weight
}

// on reports whether the cue counts for a side.
func (c Cue) on(where string) bool {
	return (c.Where == "" || c.Where == where) && slices.Contains(Features(where), c.Class)
}

// Classes lists the features of a side, prompt or output, for which the policy
// has cues, in the order of [Features].
func (p Policy) Classes(where string) []string {
	var out []string
	for _, name := range Features(where) {
		if len(p.Words(where, name)) > 0 {
			out = append(out, name)
		}
	}
	return out
}

// Words lists the phrases of a class that count for a side, as they stand in
// the policy.
func (p Policy) Words(where, class string) []string {
	var out []string
	for _, c := range p.Cues {
		if c.Class == class && c.on(where) {
			out = append(out, c.Words...)
		}
	}
	return out
}

// languages lists those that have texts, in the order of their names.
func (p Policy) languages() []string { return slices.Sorted(maps.Keys(p.Texts)) }

// fallback is the language of what is shown where no other is told.
const fallback = "en"

// ParsePolicy reads a policy strictly and reports all its problems. name
// stands before each of them.
func ParsePolicy(name string, data []byte) (Policy, error) {
	var p Policy
	if err := decode(data, &p); err != nil {
		return Policy{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := p.Validate(); err != nil {
		return Policy{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// decode reads one JSON value strictly.
func decode(data []byte, into any) error {
	if err := checkKeys(data); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("more than one value (want one policy)")
	}
	return nil
}

// Digest is the SHA-256, 64 hex digits, of the policy with its cuts.
func (p Policy) Digest() string { return digest(p) }

func digest(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "" // a NaN or an infinity, which Validate rejects
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
