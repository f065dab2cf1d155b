package openai

import (
	"bytes"
	"encoding/json"
)

// fields collects a provider's fields as they came, in the order in which they
// were first named.
type fields struct {
	names  []string
	values map[string]json.RawMessage
}

// field is one field as it came.
type field struct {
	name  string
	value json.RawMessage
}

func (f *fields) add(all ...field) {
	for _, one := range all {
		f.set(one.name, one.value)
	}
}

// set keeps a field. What is absent, null or an empty object says nothing and
// does not take the place of what was said before.
func (f *fields) set(name string, value json.RawMessage) {
	if v := string(bytes.TrimSpace(value)); v == "" || v == "null" || v == "{}" {
		return
	}
	if f.values == nil {
		f.values = make(map[string]json.RawMessage)
	}
	if _, ok := f.values[name]; !ok {
		f.names = append(f.names, name)
	}
	f.values[name] = value
}

// json writes the fields as one object, each value byte for byte but for white
// space outside of strings; empty when there is none.
func (f *fields) json() string {
	if len(f.names) == 0 {
		return ""
	}
	b := bytes.NewBufferString("{")
	for i, name := range f.names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + name + `":`)
		if json.Compact(b, f.values[name]) != nil { // it was read as JSON before
			b.WriteString("null")
		}
	}
	b.WriteByte('}')
	return b.String()
}

// quoted is a string as JSON writes it, without escapes that HTML alone needs.
func quoted(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// word is a JSON string's value; empty for anything else.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// number is a whole JSON number's value; 0 for anything else.
func number(raw json.RawMessage) int {
	var n int
	if json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

// said reports whether a field is there and not null.
func said(raw json.RawMessage) bool {
	return len(raw) > 0 && string(raw) != "null"
}
