package study

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

//go:embed templates
var templates embed.FS

// Templates lists the names that [Template] knows.
func Templates() []string { return []string{"default", "paper", "labels", "demo"} }

// Template is the files of a new study, by their path inside its directory:
// study.yaml and the prompts that it names. The schema that study.yaml points
// to is [Schema], under the name [SchemaFile].
func Template(name string) (map[string][]byte, error) {
	if !slices.Contains(Templates(), name) {
		return nil, fmt.Errorf("unknown value %s (want %s)", quote(name), strictyaml.Or(Templates()))
	}
	dir, err := fs.Sub(templates, "templates/"+name)
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	err = fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(dir, path)
		return err
	})
	return files, err
}
