package access

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

// parseVerdict reads an answer: strict in what it knows, blind to all else. A key
// has one spelling and stands once: two readers must not find two answers in it.
func parseVerdict(data []byte) (verdict, error) {
	if !utf8.Valid(data) {
		return verdict{}, errors.New("is not UTF-8")
	}
	fields, err := object(data)
	if err != nil {
		return verdict{}, err
	}
	var v verdict
	for _, f := range []struct {
		key  string
		into **float64
	}{{"prompt_score", &v.prompt}, {"output_score", &v.output}, {"score", &v.score}} {
		if *f.into, err = share(fields, f.key); err != nil {
			return verdict{}, err
		}
	}
	if v.action, err = known(fields); err != nil {
		return verdict{}, err
	}
	if raw, ok := fields["text"]; ok {
		var text *string
		if json.Unmarshal(raw, &text) != nil || text == nil {
			return verdict{}, errors.New("text: is no text")
		}
		if v.action == "" {
			return verdict{}, errors.New("text: stands without an action")
		}
		v.text = text
	}
	return v, nil
}

// object reads the keys of one JSON object and nothing behind it.
func object(data []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("is no JSON object")
	}
	fields := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, errors.New("is no whole JSON object")
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, errors.New("is no whole JSON object")
		}
		name, _ := key.(string)
		if _, twice := fields[name]; twice {
			return nil, errors.New("holds a key twice")
		}
		fields[name] = value
	}
	if t, err := dec.Token(); err != nil || t != json.Delim('}') {
		return nil, errors.New("is no whole JSON object")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("holds more than one value")
	}
	return fields, nil
}

// share is a score, or nil where there is none.
func share(fields map[string]json.RawMessage, key string) (*float64, error) {
	raw, ok := fields[key]
	if !ok {
		return nil, nil
	}
	var v *float64
	if err := json.Unmarshal(raw, &v); err != nil || v == nil || math.IsNaN(*v) || *v < 0 || *v > 1 {
		return nil, fmt.Errorf("%s: is no number from 0 to 1", key)
	}
	return v, nil
}

// known is the action, or empty where there is none.
func known(fields map[string]json.RawMessage) (uplift.Action, error) {
	raw, ok := fields["action"]
	if !ok {
		return "", nil
	}
	var a *uplift.Action
	if err := json.Unmarshal(raw, &a); err != nil || a == nil || strict(*a) < 0 {
		return "", errors.New("action: is none of allow, warn, redact and refuse")
	}
	return *a, nil
}
