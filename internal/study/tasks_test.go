package study

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

func TestParseReadsOtherProjectsFiles(t *testing.T) {
	src := edit(hazardous, "harmbench", "or-bench, subset: toxic, include: [chemistry, biology], attacks: [direct]")
	p := mustParse(t, src).Plan()
	want := &Benchmark{File: "tasks.jsonl", Format: "or-bench", Subset: "toxic", Split: "train", Include: []string{"biology", "chemistry"},
		SHA256:  "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356",
		Attacks: Attacks{Names: []string{"direct"}}}
	if d := cmp.Diff(p.Benchmark, want); d != "" {
		t.Errorf("got - want +\n%s", d)
	}
	if p.Hazard != "real" || p.Authorisation != "Safety board, 2 May 2026, for the audit of x" {
		t.Errorf("got %q, %q", p.Hazard, p.Authorisation)
	}
	study := mustParse(t, src)
	study.Plan().Benchmark.Include[0] = "x"
	if study.Plan().Benchmark.Include[0] == "x" {
		t.Error("a copy reaches the study")
	}
}

// Our own file may hold real hazardous requests as well.
func TestHazardOfOurOwnFile(t *testing.T) {
	mustParse(t, edit(hazardous, ", format: harmbench", ""))
	mustParse(t, edit(hazardous, ", format: harmbench", ", include: [biology]"))
}

// What is known of a format is said once, by the package that reads it.
func TestSchemaKnowsTheFormats(t *testing.T) {
	var subsets []string
	for _, f := range benchmark.Formats() {
		subsets = append(subsets, benchmark.Subsets(f)...)
	}
	for key, want := range map[string][]string{
		"Format": benchmark.Formats(), "Subset": subsets, "Include": benchmark.HazardFields(),
		"Split": uplift.Splits(), "Splits": uplift.Splits(),
	} {
		f, _ := reflect.TypeFor[Benchmark]().FieldByName(key)
		var got []string
		for _, part := range strings.Split(f.Tag.Get("jsonschema"), ",") {
			if word, ok := strings.CutPrefix(part, "enum="); ok {
				got = append(got, word)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the schema lists %v, want %v", key, got, want)
		}
	}
}

func TestDigestSeesWhoseTasksTheyAre(t *testing.T) {
	seen := map[string]string{}
	for name, src := range map[string]string{
		"own":           edit(hazardous, ", format: harmbench", ""),
		"harmbench":     hazardous,
		"strongreject":  edit(hazardous, "harmbench", "strongreject"),
		"split":         edit(hazardous, "harmbench", "harmbench, split: test"),
		"include":       edit(hazardous, "harmbench", "harmbench, include: [biology]"),
		"include both":  edit(hazardous, "harmbench", "harmbench, include: [biology, chemistry]"),
		"authorisation": edit(hazardous, "Safety board", "Another board"),
	} {
		d := mustParse(t, src).Digest()
		if other, same := seen[d]; same {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
	spelled := mustParse(t, edit(hazardous, "harmbench", "harmbench, split: train")).Digest()
	turned := mustParse(t, edit(hazardous, "harmbench", "harmbench, include: [chemistry, biology]")).Digest()
	if seen[spelled] != "harmbench" || seen[turned] != "include both" {
		t.Error("a spelled-out default or the order of a set changes the digest")
	}
	again := mustParse(t, string(mustParse(t, hazardous).Canonical()))
	if seen[again.Digest()] != "harmbench" {
		t.Errorf("the canonical form has another digest: %s", again.Canonical())
	}
}

func TestReadTasks(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(File, edit(small, "set: builtin", "file: tasks.jsonl"))
	write("tasks.jsonl", "one\n")
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.ReadTasks(dir); err != nil || string(got) != "one\n" {
		t.Errorf("got %q, %v", got, err)
	}
	write("tasks.jsonl", "two\n")
	if _, err := s.ReadTasks(dir); err == nil || !strings.HasPrefix(err.Error(), `benchmark.file: "tasks.jsonl": has changed while the study was read`) {
		t.Errorf("another content: got %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "tasks.jsonl")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadTasks(dir); err == nil || err.Error() != `benchmark.file: "tasks.jsonl": no such file` {
		t.Errorf("no file: got %v", err)
	}
	if _, err := mustParse(t, small).ReadTasks(dir); err == nil {
		t.Error("a set was read as a file")
	}
}
