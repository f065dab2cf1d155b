package interop

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxScores bounds the score values of one sample.
const maxScores = 1 << 16

// scoreValue is one value of a score: a whole score, or one entry of a score
// that holds several.
type scoreValue struct {
	scorer string
	entry  string // key or place; empty for a whole score
	kind   scoreKind
	value  float64 // when scored
	shown  string  // for a message, when it gives no label
}

// scoreKind says what a score value is worth.
type scoreKind int

const (
	scored   scoreKind = iota + 1
	unscored           // NaN, null or absent: the scorer gave none
	unmapped           // something that is no number
	unsized            // a number of a size that the statistics do not take
)

// name is "scorer" or "scorer.entry".
func (v scoreValue) name() string {
	if v.entry == "" {
		return v.scorer
	}
	return v.scorer + "." + v.entry
}

// scoreValues lists a sample's score values by name.
func scoreValues(raw []byte) ([]scoreValue, error) {
	if raw == nil {
		return nil, nil
	}
	if !isObject(raw) {
		return nil, unlike(raw, "an object with a score for each scorer")
	}
	scores, err := namedValues(raw)
	if err != nil {
		return nil, err
	}
	var list []scoreValue
	for _, scorer := range slices.Sorted(maps.Keys(scores)) {
		if list, err = appendEntries(list, scorer, currentValue(scores[scorer])); err != nil {
			return nil, inside(clip(scorer), err)
		}
	}
	return list, nil
}

// namedValues are the values of an object as they stand.
func namedValues(raw []byte) (map[string][]byte, error) {
	values := map[string][]byte{}
	return values, walkObject(raw, func(key, value []byte) error {
		if len(key) > maxName {
			return foreign("a name of %d bytes (want at most %d)", len(key), maxName)
		}
		if values[string(key)] = value; len(values) > maxScores {
			return errScores
		}
		return nil
	})
}

var errScores = foreign("more than %d values (want fewer)", maxScores)

// appendEntries splits a value that holds several.
func appendEntries(list []scoreValue, scorer string, raw []byte) ([]scoreValue, error) {
	add := func(entry string, raw []byte) error {
		if len(list) == maxScores {
			return errScores
		}
		v := scoreValue{scorer: scorer, entry: entry}
		v.value, v.kind, v.shown = grade(raw)
		list = append(list, v)
		return nil
	}
	switch {
	case isObject(raw):
		entries, err := namedValues(raw)
		if err != nil {
			return list, err
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			if err := add(key, entries[key]); err != nil {
				return list, err
			}
		}
		return list, nil
	case isList(raw):
		if len(list)+elements(raw) > maxScores {
			return list, errScores
		}
		return list, walkList(raw, func(at int, item []byte) error { return add(strconv.Itoa(at), item) })
	}
	return list, add("", raw)
}

// currentValue is a score's value. An edit that left the value alone says
// "UNCHANGED", and then the last value of the history that says something
// counts. A score written as a bare value is that value.
func currentValue(score []byte) []byte {
	if !isObject(score) {
		return score
	}
	const unchanged = `"UNCHANGED"`
	value, history := valueAndHistory(score)
	if string(value) != unchanged || !isList(history) {
		return value
	}
	walkList(history, func(_ int, edit []byte) error {
		if isObject(edit) {
			if v, _ := valueAndHistory(edit); string(v) != unchanged {
				value = v
			}
		}
		return nil
	})
	return value
}

func valueAndHistory(score []byte) (value, history []byte) {
	walkObject(score, func(key, v []byte) error {
		switch string(key) {
		case "value":
			value = v
		case "history":
			history = v
		}
		return nil
	})
	return value, history
}

// grade reads a score value: a number, true or false, C, I, P or N (1, 0, 0.5
// and 0, as the log's own reducers read them), yes, no, true, false in any
// case, or a number in quotes. shown is the value for a message.
func grade(raw []byte) (value float64, kind scoreKind, shown string) {
	if !given(raw) {
		return 0, unscored, ""
	}
	const longest = 1024 // no number that anybody writes is longer
	switch {
	case isObject(raw), isList(raw), len(raw) > longest:
		return 0, unmapped, clip(string(raw[:min(len(raw), 100)]))
	case raw[0] == '"': // what stands in for NaN included
		return gradeText(unquoted(raw))
	case raw[0] == 't':
		return 1, scored, ""
	case raw[0] == 'f':
		return 0, scored, ""
	}
	return gradeText(string(raw))
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
