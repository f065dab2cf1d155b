package study

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// The schema is what editors see; the reader is what counts. Both must say the
// same of every field, so each study below is given to both. The validator at
// the end of this file knows the draft 2020-12 keywords that the schema uses
// and fails on any other.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	root := decodeSchema(t)
	for name, src := range map[string]string{"small": small, "labels": labels, "example": example, "extended": extended,
		"policy file": edit(example, "policy: default", "policy: {file: policy.json}"),
		"task file":   edit(small, "set: builtin", "file: tasks.jsonl, attacks: [direct]"),
		"hazardous":   edit(hazardous, "harmbench", "or-bench, subset: toxic, split: test, splits: [test], include: [biology]"),
		"client":      edit(small, "hello", "hello, client: {system: append, sampling: ignore}"),
	} {
		mustParse(t, src)
		if err := validate(root, decodeYAML(t, src), "$"); err != nil {
			t.Errorf("%s: a good study fails the schema: %v", name, err)
		}
	}
	for _, flaw := range flaws {
		if strings.Contains(flaw.want, "is not YAML") || strings.Contains(flaw.want, "second document") || strings.Contains(flaw.want, "set twice") {
			continue
		}
		err := validate(root, decodeYAML(t, flaw.src), "$")
		if flaw.byField && err == nil {
			t.Errorf("%s: passes the schema, but the reader says %s", flaw.name, flaw.want)
		}
		if !flaw.byField && err != nil {
			t.Errorf("%s: fails the schema (%v), so byField should be set", flaw.name, err)
		}
	}
}

func TestTemplatesPassTheSchema(t *testing.T) {
	root := decodeSchema(t)
	for _, name := range Templates() {
		files, err := Template(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(root, decodeYAML(t, string(files[File])), "$"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSchemaDescribesEveryKey(t *testing.T) {
	var look func(s map[string]any, at string)
	look = func(s map[string]any, at string) {
		props, _ := s["properties"].(map[string]any)
		for key, p := range props {
			p := p.(map[string]any)
			if p["description"] == nil {
				t.Errorf("%s.%s has no description", at, key)
			}
			look(p, at+"."+key)
		}
		for _, key := range []string{"items", "additionalProperties"} {
			if sub, ok := s[key].(map[string]any); ok {
				look(sub, at)
			}
		}
		alts, _ := s["oneOf"].([]any)
		for _, alt := range alts {
			look(alt.(map[string]any), at)
		}
	}
	look(decodeSchema(t), "$")
}

func TestSchemaIsTheSameEachTime(t *testing.T) {
	if a, b := Schema(), Schema(); string(a) != string(b) {
		t.Error("two calls give two schemas")
	}
	if got := decodeSchema(t)["$schema"]; got != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("$schema: got %v", got)
	}
}

func decodeSchema(t *testing.T) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// decodeYAML reads with the library's own decoder, not with this package's.
func decodeYAML(t *testing.T, src string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(src), &v); err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return v
}

// validate is a JSON Schema validator for the keywords that the schema uses.
func validate(s map[string]any, v any, at string) error {
	for key, want := range s {
		check, ok := keywords()[key]
		if !ok {
			return fmt.Errorf("%s: this validator does not know the keyword %s", at, key)
		}
		if err := check(s, want, v, at); err != nil {
			return err
		}
	}
	return nil
}

type keyword func(s map[string]any, want, v any, at string) error

func keywords() map[string]keyword {
	ignore := func(map[string]any, any, any, string) error { return nil }
	return map[string]keyword{
		"$schema": ignore, "title": ignore, "description": ignore, "default": ignore,
		"type": isType, "enum": isOneOf, "oneOf": fitsOne,
		"pattern":          ofText(func(want any, s string) bool { return regexp.MustCompile(want.(string)).MatchString(s) }),
		"minLength":        ofText(func(want any, s string) bool { return float64(len([]rune(s))) >= want.(float64) }),
		"maxLength":        ofText(func(want any, s string) bool { return float64(len([]rune(s))) <= want.(float64) }),
		"minimum":          ofNumber(func(want, v float64) bool { return v >= want }),
		"maximum":          ofNumber(func(want, v float64) bool { return v <= want }),
		"exclusiveMinimum": ofNumber(func(want, v float64) bool { return v > want }),
		"minItems":         ofList(func(want any, v []any) bool { return float64(len(v)) >= want.(float64) }),
		"uniqueItems":      ofList(func(_ any, v []any) bool { return unique(v) }),
		"items":            items, "properties": properties, "required": required,
		"additionalProperties": additional, "propertyNames": propertyNames,
		"minProperties": func(_ map[string]any, want, v any, at string) error {
			if m, ok := v.(map[string]any); ok && float64(len(m)) < want.(float64) {
				return fmt.Errorf("%s: too few keys", at)
			}
			return nil
		},
	}
}

func toFloat(v any) (float64, bool) {
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

func isType(_ map[string]any, want, v any, at string) error {
	f, number := toFloat(v)
	ok := map[string]bool{"number": number, "integer": number && f == float64(int64(f))}[want.(string)]
	switch v.(type) {
	case bool:
		ok = want == "boolean"
	case string:
		ok = want == "string"
	case []any:
		ok = want == "array"
	case map[string]any:
		ok = want == "object"
	}
	if !ok {
		return fmt.Errorf("%s: %v is no %v", at, v, want)
	}
	return nil
}

func isOneOf(_ map[string]any, want, v any, at string) error {
	for _, w := range want.([]any) {
		if reflect.DeepEqual(w, v) {
			return nil
		}
	}
	return fmt.Errorf("%s: %v is none of %v", at, v, want)
}

func fitsOne(_ map[string]any, want, v any, at string) error {
	n := 0
	var last error
	for _, alt := range want.([]any) {
		if err := validate(alt.(map[string]any), v, at); err != nil {
			last = err
		} else {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%s: fits %d alternatives: %v", at, n, last)
	}
	return nil
}

func ofText(ok func(want any, s string) bool) keyword {
	return func(_ map[string]any, want, v any, at string) error {
		if s, text := v.(string); text && !ok(want, s) {
			return fmt.Errorf("%s: %q against %v", at, s, want)
		}
		return nil
	}
}

func ofNumber(ok func(want, v float64) bool) keyword {
	return func(_ map[string]any, want, v any, at string) error {
		if f, number := toFloat(v); number && !ok(want.(float64), f) {
			return fmt.Errorf("%s: %v against %v", at, f, want)
		}
		return nil
	}
}

func ofList(ok func(want any, v []any) bool) keyword {
	return func(_ map[string]any, want, v any, at string) error {
		if l, list := v.([]any); list && !ok(want, l) {
			return fmt.Errorf("%s: %v against %v", at, l, want)
		}
		return nil
	}
}

func unique(v []any) bool {
	for i := range v {
		for j := range i {
			if reflect.DeepEqual(v[i], v[j]) {
				return false
			}
		}
	}
	return true
}

func items(_ map[string]any, want, v any, at string) error {
	l, _ := v.([]any)
	for i, e := range l {
		if err := validate(want.(map[string]any), e, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func properties(_ map[string]any, want, v any, at string) error {
	m, _ := v.(map[string]any)
	for key, s := range want.(map[string]any) {
		if e, ok := m[key]; ok {
			if err := validate(s.(map[string]any), e, at+"."+key); err != nil {
				return err
			}
		}
	}
	return nil
}

func required(_ map[string]any, want, v any, at string) error {
	m, object := v.(map[string]any)
	for _, key := range want.([]any) {
		if _, ok := m[key.(string)]; object && !ok {
			return fmt.Errorf("%s: %v is missing", at, key)
		}
	}
	return nil
}

func additional(s map[string]any, want, v any, at string) error {
	m, _ := v.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	for key, e := range m {
		if _, ok := props[key]; ok {
			continue
		}
		sub, ok := want.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: %s is not known", at, key)
		}
		if err := validate(sub, e, at+"."+key); err != nil {
			return err
		}
	}
	return nil
}

func propertyNames(_ map[string]any, want, v any, at string) error {
	m, _ := v.(map[string]any)
	for key := range m {
		if err := validate(want.(map[string]any), key, at); err != nil {
			return err
		}
	}
	return nil
}
