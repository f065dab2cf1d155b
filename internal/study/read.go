package study

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/gowebpki/jcs"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// read takes a file's bytes to a study; see the steps in the package comment.
func read(name string, data []byte, dir fs.FS, known Names) (*Study, error) {
	ps := &problems{places: make(map[string]strictyaml.Place)}
	plan, ok := decode(data, ps)
	if ok {
		ps.rules(plan, known)
		ps.files(plan, dir, known)
	}
	if err := ps.Err(name); err != nil {
		return nil, err
	}
	plan.complete()
	canonical, err := canonical(plan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Study{plan: *plan, canonical: canonical, digest: sum(canonical)}, nil
}

const maxTokens = 20_000

// needed leaves room: a study nests six deep, and one with a hundred conditions
// has 3,000 tokens.
var needed = strictyaml.Bounds{
	Tokens: maxTokens, TooLong: fmt.Sprintf("has too many keys and values (want at most %d words and signs)", maxTokens),
	Depth: 32, Empty: "is empty (want a study: uplift init writes one)",
}

// decode reads what can be read, so that the rules can find more problems; it
// is false when nothing can.
func decode(data []byte, ps *problems) (*Plan, bool) {
	src, ok := text(data, ps)
	if !ok {
		return nil, false
	}
	root, ok := strictyaml.Parse(src, needed, &ps.Problems)
	if !ok {
		return nil, false
	}
	value, ok := ps.walk(root, schema(), "")
	if !ok {
		return nil, false
	}
	plan := defaults()
	b, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(b, &plan)
	}
	if err != nil {
		ps.Add(strictyaml.Place{}, "", "cannot be read: %v", err)
	}
	return &plan, err == nil
}

// canonical is the plan in canonical JSON, without the limits of a run: they say
// where it stops for now, and change nothing that is measured.
func canonical(p *Plan) ([]byte, error) {
	bound := *p
	bound.Limits = Limits{}
	b, err := json.Marshal(bound)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(b)
}
