package study

import (
	"encoding/json"
	"sync"

	"github.com/invopop/jsonschema"
)

// Schema is the JSON Schema (draft 2020-12) of a study file, for editors. It
// is made from the structs of this package and states every rule that the
// reader checks field by field; references between fields are beyond it.
func Schema() []byte {
	b, err := json.MarshalIndent(schema(), "", "  ")
	if err != nil {
		panic(err) // the schema is made from types alone
	}
	return append(b, '\n')
}

var schema = sync.OnceValue(func() *jsonschema.Schema {
	r := reflector()
	r.Anonymous = false
	s := r.Reflect(Plan{})
	s.ID = ""
	s.Title = "uplift study"
	s.Description = "What is measured: tasks, models, access conditions and endpoints."
	return s
})

func reflector() *jsonschema.Reflector {
	return &jsonschema.Reflector{
		Anonymous:                  true,
		DoNotReference:             true,
		ExpandedStruct:             true,
		RequiredFromJSONSchemaTags: true,
	}
}

// inner is the schema of a type that stands inside another, without a version.
func inner(v any) *jsonschema.Schema {
	s := reflector().Reflect(v)
	s.Version = ""
	return s
}

const namePattern = "^[A-Za-z0-9_][A-Za-z0-9._-]*$"

// name is the schema of a name in the study.
func name() *jsonschema.Schema {
	limit := uint64(64)
	return &jsonschema.Schema{Type: "string", Pattern: namePattern, MaxLength: &limit}
}

// JSONSchema says: the word standard, or a list of forms.
func (Attacks) JSONSchema() *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string", Enum: []any{"standard", "adaptive"}},
		{Type: "array", Items: name(), MinItems: &one, UniqueItems: true},
	}}
}

// JSONSchema says: the word imported, or a list of conditions.
func (Conditions) JSONSchema() *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string", Enum: []any{"imported"}},
		{Type: "array", Items: inner(Condition{}), MinItems: &one},
	}}
}

// JSONSchema says: a text, or {file: path}.
func (Text) JSONSchema() *jsonschema.Schema {
	one := uint64(1)
	file := jsonschema.NewProperties()
	file.Set("file", &jsonschema.Schema{Type: "string", MinLength: &one, Description: "A text file inside the study's directory."})
	file.Set("without", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: &one}, MinItems: &one, UniqueItems: true,
		Description: "Parts of the file that are left out, as a baseline. A part is what stands under a heading of the second level (## Part), and is named by it."})
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string"},
		{Type: "object", Properties: file, Required: []string{"file"}, AdditionalProperties: jsonschema.FalseSchema},
	}}
}

// JSONSchema says: a policy's name, or {file: path}.
func (Policy) JSONSchema() *jsonschema.Schema {
	type file Policy // without this method
	s := inner(file{})
	s.Properties.Delete("name")
	s.Required = []string{"file"}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{name(), s}}
}

const headerPattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"

// JSONSchema says: values by the header's name.
func (Headers) JSONSchema() *jsonschema.Schema {
	one, long, longer := uint64(1), uint64(128), uint64(1024)
	return &jsonschema.Schema{Type: "object", MinProperties: &one,
		PropertyNames:        &jsonschema.Schema{Type: "string", Pattern: headerPattern, MaxLength: &long},
		AdditionalProperties: &jsonschema.Schema{Type: "string", Pattern: "^[ -~]*$", MaxLength: &longer}}
}

// JSONSchema says: limits by the model's name.
func (Paces) JSONSchema() *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{Type: "object", PropertyNames: name(), AdditionalProperties: inner(Pace{}), MinProperties: &one}
}

// JSONSchema says: endpoints by name.
func (Endpoints) JSONSchema() *jsonschema.Schema {
	one := uint64(1)
	return &jsonschema.Schema{Type: "object", PropertyNames: name(), AdditionalProperties: inner(Endpoint{}), MinProperties: &one}
}
