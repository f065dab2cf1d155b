package interop

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// rebuild reads a value by walking it, as encoding/json would decode it.
func rebuild(raw []byte) any {
	switch {
	case isObject(raw):
		object := map[string]any{}
		walkObject(raw, func(key, value []byte) error { object[string(key)] = rebuild(value); return nil })
		return object
	case isList(raw):
		list := []any{}
		walkList(raw, func(at int, item []byte) error {
			if at != len(list) {
				panic("places out of order")
			}
			list = append(list, rebuild(item))
			return nil
		})
		return list
	case isString(raw):
		return unquoted(raw)
	}
	return string(raw)
}

// decoded is the same by the standard library; numbers and words stay as they
// are written.
func decoded(t *testing.T, raw []byte) any {
	var whole any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	return plain(whole)
}

func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
		return v
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	case json.Number:
		return v.String()
	case nil:
		return "null"
	case bool:
		return map[bool]string{true: "true", false: "false"}[v]
	}
	return v
}

// FuzzWalk compares the walk over valid JSON with encoding/json.
func FuzzWalk(f *testing.F) {
	long := strings.Repeat(`\\`, 40)
	for _, seed := range []string{`{}`, `[]`, ` { "a" : [ 1 , { } , "x\"y" ] , "b":null,"a":true } `, `"\u00e9\ud800"`, `-1.5e3`,
		`{"` + long + `":"` + long + `\"` + strings.Repeat("z", 90) + `\\"}`, `[[],[[]],{"a":{"b":[]}}]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || !utf8.ValidString(text) || strings.Contains(text, "\x7f") {
			return // a member is checked before it is walked; DEL may stand in for NaN
		}
		raw := []byte(strings.Trim(text, " \t\r\n"))
		if diff := cmp.Diff(rebuild(raw), decoded(t, raw)); diff != "" {
			t.Errorf("%q, got then want:\n%s", text, diff)
		}
	})
}

func TestElements(t *testing.T) {
	for text, want := range map[string]int{`[]`: 0, `[ ]`: 0, `[1]`: 1, `[[1,2],"a,b",{}]`: 3, `["]"]`: 1, `[{}]`: 1, `[[]]`: 1, `["\\\""," "]`: 2} {
		if got := elements([]byte(text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
