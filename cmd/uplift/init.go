package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/study"
)

func newInit(env *Env) *cobra.Command {
	template := "default"
	cmd := &cobra.Command{
		Use: "init DIR", Short: "Write a commented study.yaml with its JSON Schema",
		Long: `init makes DIR when it is missing, and writes a commented study.yaml and the
JSON Schema that editors check it against. It never overwrites a file.

Templates:
  default   a study that asks models under several conditions, with what else a
            study can say in comments
  paper     nine conditions: two prompts, a controller, what is left of it
            without one of its parts, and the null anchor
  labels    a study of labels that people gave elsewhere (uplift import)
  demo      the simulated study of "uplift demo"`,
		Example: "  uplift init s --template labels",
		Args:    positional(1, 1, "one directory"),
		RunE: func(_ *cobra.Command, args []string) error {
			names, err := initStudy(args[0], template)
			if err != nil {
				return err
			}
			for _, n := range names {
				fmt.Fprintf(env.Stdout, "wrote %s\n", n)
			}
			fmt.Fprintf(env.Stderr, "next: %s\n", nextAfterInit(args[0], template))
			return nil
		},
	}
	cmd.Flags().StringVar(&template, "template", template, "default, paper, labels or demo")
	choices(cmd, "template", study.Templates()...)
	return cmd
}

func nextAfterInit(dir, template string) string {
	if template == "labels" {
		return fmt.Sprintf("uplift import xstest|labels|inspect %s FILE... (uplift import --help)", dir)
	}
	if template == "demo" {
		return "uplift demo " + dir
	}
	return fmt.Sprintf("edit %s, see that every model answers: uplift doctor %s --ping, then freeze the plan: uplift lock %s",
		filepath.Join(dir, study.File), dir, dir)
}

// initStudy writes the files of a template into dir and returns their paths.
func initStudy(dir, template string) ([]string, error) {
	files, err := study.Template(template)
	if err != nil {
		return nil, usage("init: --template: %w", err)
	}
	files[study.SchemaFile] = study.Schema()
	files[study.File] = nameStudy(files[study.File], dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("init: %w", err)
	}
	paths := templateOrder(files)
	for _, name := range paths { // before any is written
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return nil, hint(fmt.Errorf("init: %s is there already", filepath.Join(dir, name)),
				"choose another directory; init never overwrites")
		}
	}
	var written []string
	for _, name := range paths {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, fmt.Errorf("init: %w", err)
		}
		if err := writeNew(path, files[name]); err != nil {
			return nil, fmt.Errorf("init: %w", err)
		}
		written = append(written, path)
	}
	return written, nil
}

// templateOrder puts the study's file first and its schema second.
func templateOrder(files map[string][]byte) []string {
	order := []string{study.File, study.SchemaFile}
	var rest []string
	for name := range files {
		if name != study.File && name != study.SchemaFile {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(order, rest...)
}

// writeNew writes a file that must not exist, and removes what a full disk
// left of it.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// nameStudy names a new study after its directory, where that makes a name.
func nameStudy(data []byte, dir string) []byte {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return data
	}
	named := nameLine.ReplaceAllLiteral(data, []byte("name: "+filepath.Base(abs)))
	_, err = study.Parse(study.File, named)
	if p, ok := errors.AsType[*study.Error](err); ok {
		for _, q := range p.Problems {
			if q.Field == "name" {
				return data
			}
		}
	}
	return named
}

// nameLine is the template's own name, its comment left alone.
var nameLine = regexp.MustCompile(`(?m)^name: [\w-]+`)
