package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/report"
	"github.com/uplift-eval/uplift/internal/store"
)

func newReport(env *Env) *cobra.Command {
	var (
		flags analysisFlags
		out   string
	)
	cmd := &cobra.Command{
		Use: "report [DIR]", Short: "Write the report: one HTML file, tables, figures and the R lines",
		Long: `report writes into DIR/report:

  report.html       everything on one page that works offline
  frontier.*        the utility-risk frontier as SVG, PDF and PNG
  contrasts.*       the contrasts as SVG, PDF, PNG and as Markdown, CSV, LaTeX
  pairs.csv         one row a pair
  reproduce.R       computes the headline again from pairs.csv
  analysis.json     what "uplift analyze --json" prints`,
		Example: "  uplift report s --reference none --cluster family",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := flags.open(cmd.Context(), env, "report", dirArg(args))
			if err != nil {
				return err
			}
			defer s.db.Close()
			if out == "" {
				out = filepath.Join(s.dir, "report")
			}
			res, names, err := s.writeReport(cmd.Context(), env, out)
			if err != nil {
				return err
			}
			for _, n := range names {
				fmt.Fprintln(env.Stdout, n)
			}
			return leftOut(res)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringVar(&out, "out", "", "directory to write into (default: DIR/report)")
	return cmd
}

// writeReport analyses the study and writes every file of the report; it
// returns the analysis and the paths, the page first.
func (s *opened) writeReport(ctx context.Context, env *Env, out string) (*analysis.Result, []string, error) {
	found, err := s.analyzeShown(ctx, env, &analysis.AgreeOptions{Cluster: s.opt.Cluster, Level: s.opt.Level, Seed: s.opt.Seed})
	if err != nil {
		return nil, nil, err
	}
	res := found.Result
	// No time of writing: the same study and seed give the same bytes.
	in := report.Input{Result: res, Agreement: found.Agreement, Provenance: provenance()}
	if in.Files, err = importedSources(ctx, s.db); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return nil, nil, fmt.Errorf("report: %w", err)
	}
	if err := s.leave.begin(); err != nil {
		return nil, nil, err
	}
	names, err := writeFiles(out, []outFile{
		{"report.html", func(w io.Writer) error { return report.HTML(w, in) }},
		{"analysis.json", func(w io.Writer) error { return writeJSON(w, res) }},
		{"contrasts.md", func(w io.Writer) error { return report.Markdown(w, res) }},
		{"contrasts.csv", func(w io.Writer) error { return report.CSV(w, res) }},
		{"contrasts.tex", func(w io.Writer) error { return report.LaTeX(w, res) }},
		{"pairs.csv", func(w io.Writer) error { return report.PairsCSV(w, found.Pairs, res) }},
		{"reproduce.R", func(w io.Writer) error { _, err := io.WriteString(w, report.RScript(res)); return err }},
		figure("frontier.svg", res, report.Frontier, "svg"),
		figure("frontier.pdf", res, report.Frontier, "pdf"),
		figure("frontier.png", res, report.Frontier, "png"),
		figure("contrasts.svg", res, report.Forest, "svg"),
		figure("contrasts.pdf", res, report.Forest, "pdf"),
		figure("contrasts.png", res, report.Forest, "png"),
	})
	return res, names, err
}

func figure(name string, res *analysis.Result, draw func(*analysis.Result, string) ([]byte, error), format string) outFile {
	return outFile{name, func(w io.Writer) error {
		b, err := draw(res, format)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}}
}

// provenance is what a reader needs to make the numbers again.
func provenance() []report.Fact {
	b := thisBuild()
	facts := []report.Fact{{Name: "uplift", Value: b.Version}}
	if b.Revision != "" {
		facts = append(facts, report.Fact{Name: "revision", Value: b.Revision})
	}
	return append(facts, report.Fact{Name: "built with", Value: b.Go + ", " + b.Platform})
}

// importedSources lists the files that the study's labels came from.
func importedSources(ctx context.Context, db *store.Store) ([]report.Source, error) {
	origins, err := db.Origins(ctx)
	if err != nil {
		return nil, err
	}
	var out []report.Source
	for _, o := range origins {
		out = append(out, report.Source{Name: filepath.Base(o.File), SHA256: o.SHA256, Rows: o.ImportCounts.Rows})
	}
	return out, nil
}
