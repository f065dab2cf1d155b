package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// The types below take one of two forms in a file. By the time that these
// methods run, the schema has vouched for the form.

func isText(b []byte) bool { return bytes.HasPrefix(b, []byte(`"`)) }

// UnmarshalJSON reads a word, standard or adaptive, or a list.
func (a *Attacks) UnmarshalJSON(b []byte) error {
	if isText(b) {
		return json.Unmarshal(b, &a.Set)
	}
	return json.Unmarshal(b, &a.Names)
}

// MarshalJSON writes the word or the list.
func (a Attacks) MarshalJSON() ([]byte, error) {
	if a.Set != "" {
		return json.Marshal(a.Set)
	}
	return json.Marshal(a.Names)
}

// UnmarshalJSON reads the word imported or a list.
func (c *Conditions) UnmarshalJSON(b []byte) error {
	if isText(b) {
		c.Imported = true
		return nil
	}
	return json.Unmarshal(b, &c.List)
}

// MarshalJSON writes the word or the list.
func (c Conditions) MarshalJSON() ([]byte, error) {
	if c.Imported {
		return json.Marshal("imported")
	}
	return json.Marshal(c.List)
}

// UnmarshalJSON reads a text or {file: path}; it does not open the file.
func (t *Text) UnmarshalJSON(b []byte) error {
	if isText(b) {
		return json.Unmarshal(b, &t.Value)
	}
	var form struct {
		File    string
		Without []string
	}
	err := json.Unmarshal(b, &form)
	t.File, t.Without = form.File, form.Without
	return err
}

// MarshalJSON writes the text itself, wherever it came from and whatever of it was
// left out.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.Value) }

// UnmarshalJSON reads a policy's name or {file: path}; it does not open the file.
func (p *Policy) UnmarshalJSON(b []byte) error {
	if isText(b) {
		return json.Unmarshal(b, &p.Name)
	}
	type form Policy
	return json.Unmarshal(b, (*form)(p))
}

// MarshalJSON writes the name, or the file with its SHA-256.
func (p Policy) MarshalJSON() ([]byte, error) {
	if p.Name != "" {
		return json.Marshal(p.Name)
	}
	type form Policy
	return json.Marshal(form(p))
}

// UnmarshalJSON reads endpoints by name and sorts them.
func (e *Endpoints) UnmarshalJSON(b []byte) error {
	byName := make(map[string]Endpoint)
	if err := json.Unmarshal(b, &byName); err != nil {
		return err
	}
	*e = (*e)[:0]
	for _, name := range slices.SortedFunc(maps.Keys(byName), byRank) {
		end := byName[name]
		end.Name = name
		*e = append(*e, end)
	}
	return nil
}

// byRank puts utility first and risk second; other endpoints follow by name.
func byRank(a, b string) int {
	rank := func(s string) int { return slices.Index([]string{"risk", "utility"}, s) }
	return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a, b))
}

// MarshalJSON writes endpoints by name. The usual way of being better is left
// out, so that a study from before there was the key has the digest it had.
func (e Endpoints) MarshalJSON() ([]byte, error) {
	byName := make(map[string]Endpoint, len(e))
	for _, end := range e {
		if end.Better == usual(end.Name) {
			end.Better = ""
		}
		byName[end.Name] = end
	}
	return json.Marshal(byName)
}
