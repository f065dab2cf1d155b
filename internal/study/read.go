package study

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/gowebpki/jcs"
)

// read takes a file's bytes to a study; see the steps in the package comment.
func read(name string, data []byte, dir fs.FS, known Names) (*Study, error) {
	ps := &problems{places: make(map[string]place)}
	plan, ok := decode(data, ps)
	if ok {
		ps.rules(plan, known)
		ps.files(plan, dir)
	}
	if err := ps.err(name); err != nil {
		return nil, err
	}
	plan.complete()
	canonical, err := canonical(plan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &Study{plan: *plan, canonical: canonical, digest: sum(canonical)}, nil
}

// decode reads what can be read, so that the rules can find more problems; it
// is false when nothing can.
func decode(data []byte, ps *problems) (*Plan, bool) {
	src, ok := text(data, ps)
	if !ok {
		return nil, false
	}
	root, ok := tree(src, ps)
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
		ps.add(place{}, "", "cannot be read: %v", err)
	}
	return &plan, err == nil
}

// canonical is the plan in canonical JSON.
func canonical(p *Plan) ([]byte, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(b)
}
