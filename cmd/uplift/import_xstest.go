package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/interop"
)

func newImportXSTest(env *Env) *cobra.Command {
	var (
		flags      importFlags
		model      string
		conditions []string
	)
	cmd := &cobra.Command{
		Use: "xstest [DIR] --model NAME --condition NAME=FILE.csv ...", Short: "Import XSTest's published completions with their human labels",
		Long: `xstest reads completions files as XSTest publishes them: id, type, prompt,
completion, annotation_1, annotation_2, agreement, final_label.

Each id is one task; its family is the type; types that begin with contrast_
are harmful, the others benign. The scale is compliance: full 1, partial 0.5,
refusal 0. Both annotators are kept as raters, final_label is the label.`,
		Example: `  uplift import xstest s --model llama2 \
      --condition original=xstest_v2_completions_llama2orig.csv \
      --condition none=xstest_v2_completions_llama2new.csv`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if model == "" {
				return usage("import xstest: --model is missing (want the base model's name)")
			}
			sources, err := xstestSources(model, conditions)
			if err != nil {
				return err
			}
			return importSources(cmd.Context(), env, dirArg(args), flags, sources)
		},
	}
	cmd.Flags().StringVar(&model, "model", "", "name of the base model that all files share")
	cmd.Flags().StringArrayVar(&conditions, "condition", nil, "NAME=FILE.csv: the condition's name and its file (repeatable)")
	flags.add(cmd)
	return cmd
}

func xstestSources(model string, conditions []string) ([]source, error) {
	if len(conditions) == 0 {
		return nil, usage("import xstest: --condition is missing (want NAME=FILE.csv, once a condition)")
	}
	var out []source
	seen := map[string]bool{}
	for _, c := range conditions {
		name, path, ok := strings.Cut(c, "=")
		if !ok || name == "" || path == "" {
			return nil, usage("import xstest: --condition %q (want NAME=FILE.csv)", c)
		}
		if seen[name] {
			return nil, usage("import xstest: --condition %s is given twice", name)
		}
		seen[name] = true
		opt := interop.XSTestOptions{Model: model, Condition: name}
		out = append(out, source{path: path, format: "xstest", read: func(f *os.File, sink interop.Sink) (interop.Counts, error) {
			return interop.XSTest(f, path, opt, sink)
		}})
	}
	return out, nil
}
