package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// scoreValue is one value of a score: a whole score, or one entry of a score
// that holds several.
type scoreValue struct {
	scorer string
	entry  string // key or place; empty for a whole score
	raw    json.RawMessage
}

// name is "scorer" or "scorer.entry".
func (v scoreValue) name() string {
	if v.entry == "" {
		return v.scorer
	}
	return v.scorer + "." + v.entry
}

// scoreValues lists a sample's score values by name.
func scoreValues(scores map[string]json.RawMessage) ([]scoreValue, error) {
	var list []scoreValue
	for _, scorer := range slices.Sorted(maps.Keys(scores)) {
		entries, err := entriesOf(scorer, currentValue(scores[scorer]))
		if err == nil && len(list)+len(entries) > maxElements {
			err = fmt.Errorf("more than %d values", maxElements)
		}
		if err != nil {
			return nil, &badRecord{field: "scores." + clip(scorer), text: err.Error()}
		}
		list = append(list, entries...)
	}
	return list, nil
}

// entriesOf splits a value that holds several.
func entriesOf(scorer string, raw json.RawMessage) (list []scoreValue, err error) {
	switch {
	case bytes.HasPrefix(raw, []byte("{")):
		var dict bounded[map[string]json.RawMessage]
		err = json.Unmarshal(raw, &dict)
		for _, key := range slices.Sorted(maps.Keys(dict.all)) {
			list = append(list, scoreValue{scorer, key, dict.all[key]})
		}
	case bytes.HasPrefix(raw, []byte("[")):
		var entries bounded[[]json.RawMessage]
		err = json.Unmarshal(raw, &entries)
		for i, entry := range entries.all {
			list = append(list, scoreValue{scorer, strconv.Itoa(i), entry})
		}
	default:
		list = append(list, scoreValue{scorer, "", raw})
	}
	return list, err
}

// currentValue is a score's value. An edit that left the value alone says
// "UNCHANGED", and then the last value of the history that says something
// counts. A score written as a bare value is that value.
func currentValue(score json.RawMessage) json.RawMessage {
	if !bytes.HasPrefix(score, []byte("{")) {
		return score
	}
	var s struct {
		Value   json.RawMessage `json:"value"`
		History bounded[[]struct {
			Value json.RawMessage `json:"value"`
		}] `json:"history"`
	}
	if json.Unmarshal(score, &s) != nil {
		return nil
	}
	value := s.Value
	for i := len(s.History.all) - 1; i >= 0 && string(value) == `"UNCHANGED"`; i-- {
		value = s.History.all[i].Value
	}
	return value
}

// scoreKind says what a score value is worth.
type scoreKind int

const (
	scored   scoreKind = iota + 1
	unscored           // NaN, null or absent: the scorer gave none
	unmapped           // something that is no number
	unsized            // a number of a size that the statistics do not take
)

// grade reads a score value: a number, true or false, C, I, P or N (1, 0, 0.5
// and 0, as the log's own reducers read them), yes, no, true, false in any
// case, or a number in quotes. shown is the value for a message.
func (v scoreValue) grade() (value float64, kind scoreKind, shown string) {
	if !given(v.raw) {
		return 0, unscored, ""
	}
	var text string
	var truth bool
	switch v.raw[0] {
	case '"':
		json.Unmarshal(v.raw, &text) // valid: it is part of a sample that was decoded
		return gradeText(text)
	case 't', 'f':
		if json.Unmarshal(v.raw, &truth); truth {
			return 1, scored, ""
		}
		return 0, scored, ""
	case '{', '[':
		return 0, unmapped, clip(string(v.raw[:min(len(v.raw), 100)]))
	}
	return gradeText(string(v.raw))
}

func gradeText(s string) (value float64, kind scoreKind, shown string) {
	if token, ok := standIn(s); ok {
		s = token
	}
	switch s {
	case "C":
		return 1, scored, ""
	case "P":
		return 0.5, scored, ""
	case "I", "N":
		return 0, scored, ""
	}
	plain := strings.ToLower(strings.TrimSpace(s))
	switch plain {
	case "yes", "true":
		return 1, scored, ""
	case "no", "false":
		return 0, scored, ""
	}
	number, err := strconv.ParseFloat(plain, 64)
	switch {
	case strings.ContainsAny(plain, "x_"):
		return 0, unmapped, fmt.Sprintf("%q", clip(s))
	case err == nil && math.IsNaN(number):
		return 0, unscored, ""
	case errors.Is(err, strconv.ErrRange) || err == nil && !math.IsInf(number, 0) && !sized(number, plain):
		return 0, unsized, fmt.Sprintf("%q", clip(s))
	case err != nil || math.IsInf(number, 0):
		return 0, unmapped, fmt.Sprintf("%q", clip(s))
	}
	return number, scored, ""
}

// scaleNames says which scale a score value becomes.
type scaleNames map[string]string // scorer, or scorer.entry, to scale

// newScaleNames turns NAME=SCORER round and refuses one scorer under two names.
func newScaleNames(scales map[string]string) (scaleNames, error) {
	names := scaleNames{}
	for _, scale := range slices.Sorted(maps.Keys(scales)) {
		scorer := scales[scale]
		if old, twice := names[scorer]; twice {
			return nil, foreign("score %s is to be both scale %s and scale %s (want one)", scorer, old, scale)
		}
		names[scorer] = scale
	}
	return names, nil
}

// scale is the scale of a value, "" when it is not to be taken. Without names
// it is the score's own. A name for a whole score also names its entries.
func (n scaleNames) scale(v scoreValue) string {
	if len(n) == 0 {
		return v.name()
	}
	if scale, ok := n[v.name()]; ok {
		return scale
	}
	if scale, ok := n[v.scorer]; ok {
		return scale + "." + v.entry
	}
	return ""
}
