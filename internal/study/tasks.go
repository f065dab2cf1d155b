package study

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

func (ps *problems) benchmark(b *Benchmark, known Names) {
	if b == nil {
		return
	}
	set, file := ps.has("benchmark.set"), ps.has("benchmark.file")
	switch {
	case set && file:
		ps.field("benchmark.file", "stands beside set (want one of them)")
	case !set && !file:
		ps.field("benchmark", "names no tasks (want set or file)")
	case b.SHA256 != "" && !file:
		ps.field("benchmark.sha256", "pins a file, and there is none (want file)")
	}
	ps.theirs(b, file)
	ps.known("benchmark.set", b.Set, known.Sets)
	for i, a := range b.Attacks.Names {
		ps.known(fmt.Sprintf("benchmark.attacks[%d]", i), a, known.Attacks)
	}
}

// theirs checks what is said of another project's file.
func (ps *problems) theirs(b *Benchmark, file bool) {
	if b.Format == "" {
		if ps.has("benchmark.format") { // it could not be read
			return
		}
		if file && b.File != "" && !benchmark.Readable(b.File) {
			ps.field("benchmark.file", "%s has a name that tells no form (want one that ends in %s, or format)", quote(b.File), benchmark.Extensions())
		}
		for _, key := range []string{"subset", "split"} {
			if ps.has("benchmark." + key) {
				ps.field("benchmark."+key, "means nothing without format (leave it out)")
			}
		}
		return
	}
	if !file {
		ps.field("benchmark.format", "says whose file it is, and there is none (want file)")
	}
	subsets := benchmark.Subsets(b.Format)
	switch has := ps.has("benchmark.subset"); {
	case !has && subsets != nil:
		ps.field("benchmark.subset", "is missing (want %s: the columns of %s do not say which it is)", strictyaml.Or(subsets), b.Format)
	case has && subsets == nil:
		ps.field("benchmark.subset", "means nothing for %s (leave it out)", b.Format)
	case has && b.Subset != "" && !slices.Contains(subsets, b.Subset):
		ps.field("benchmark.subset", "unknown value %s (want %s)", quote(b.Subset), strictyaml.Or(subsets))
	}
	if split := b.split(); ps.read("benchmark.splits") && !slices.Contains(b.Splits, split) {
		ps.field("benchmark.splits", "leaves no task: every row is of %s (want split: %s, or no splits)", split, strictyaml.Or(b.Splits))
	}
}

// split is that of every row of another project's file.
func (b *Benchmark) split() string {
	if b.Split != "" {
		return b.Split
	}
	return uplift.Train
}

// leastNote is how many characters say who allowed it, when and for what.
const leastNote = 20

// hazard checks that somebody answers for real hazardous requests, and that
// what comes of them can be kept apart.
func (ps *problems) hazard(p *Plan) {
	if p.Conditions.Imported {
		return
	}
	b := p.Benchmark
	real := b != nil && benchmark.Hazardous(b.Format, b.Subset)
	switch stated := ps.has("hazard"); {
	case !stated && real:
		ps.field("hazard", "is missing: %s holds real hazardous requests (want hazard: real, with authorisation and quarantine)", b.whose())
		return
	case !stated:
		for _, key := range []string{"authorisation", "benchmark.include"} {
			if ps.has(key) {
				ps.field(key, "means nothing without hazard: real (leave it out)")
			}
		}
		return
	case ps.has("benchmark.set"):
		ps.field("hazard", "means nothing for a set, whose tasks are surrogates (leave it out)")
	case ps.read("benchmark.format") && !ps.Flawed("benchmark.subset") && !real:
		ps.field("hazard", "means nothing for %s, which holds no real hazardous requests (leave it out)", b.whose())
	}
	ps.answered(p)
}

// answered wants a note and two reviewers.
func (ps *problems) answered(p *Plan) {
	const note = "who allowed it, when and for what, in %d characters or more"
	switch n := len([]rune(strings.TrimSpace(p.Authorisation))); {
	case !ps.has("authorisation"):
		ps.field("authorisation", "is missing (want "+note+")", leastNote)
	case ps.read("authorisation") && n < leastNote:
		ps.field("authorisation", "has %d characters (want "+note+")", n, leastNote)
	}
	if !ps.has("quarantine") {
		ps.field("quarantine", "is missing (want the keys of two reviewers, {a: age1..., b: age1...}: drafts are kept encrypted)")
	}
}

// whose names another project's file, or its part.
func (b *Benchmark) whose() string {
	if b.Subset == "" {
		return b.Format
	}
	return b.Format + " (" + b.Subset + ")"
}

// ReadTaskFile reads a task file that no study names.
func ReadTaskFile(path string) ([]byte, error) {
	data, err := readRegular(path, benchmark.MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// ReadTasks reads the study's task file inside its directory. It is the file
// that the plan was made with: another content is an error.
func (s *Study) ReadTasks(dir string) ([]byte, error) {
	b := s.plan.Benchmark
	if b == nil || b.File == "" {
		return nil, fmt.Errorf("%s: benchmark names no file", s.plan.Name)
	}
	data, err := openUpTo(inside(dir), b.File, benchmark.MaxBytes)
	if err == nil && sum(data) != b.SHA256 {
		err = fmt.Errorf("has changed while the study was read: its SHA-256 is %s", sum(data))
	}
	if err != nil {
		return nil, fmt.Errorf("benchmark.file: %s: %w", quote(b.File), err)
	}
	return data, nil
}
