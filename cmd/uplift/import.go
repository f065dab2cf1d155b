package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/interop"
	"github.com/uplift-eval/uplift/internal/store"
)

func newImport(env *Env) *cobra.Command {
	cmd := group("import FORMAT", "Bring in labels and logs that others made",
		`import reads files that others made into a study's database. It is all or
nothing: when any row of any file cannot be used, every such row is named with
its file, line and field, and the study stays as it was. A file that is
imported twice adds nothing.

A study that asks its models itself takes labels of what it has asked: rows
outside its plan, or without a response, are refused. What others answered is
imported into a study of its own ("uplift init DIR --template labels"). In a
locked study every import is written to the evidence log.`)
	cmd.Example = "  uplift import labels s labels.csv\n  uplift import xstest --help"
	cmd.AddCommand(newImportXSTest(env), newImportLabels(env), newImportInspect(env))
	return cmd
}

// source is one file to import and how it is read.
type source struct {
	path   string
	format string
	read   func(f *os.File, sink interop.Sink) (interop.Counts, error)
}

// imported is what one command brought in, for --json.
type imported struct {
	Files []importedFile     `json:"files"`
	Store store.ImportCounts `json:"store"`
}

type importedFile struct {
	File   string         `json:"file"`
	SHA256 string         `json:"sha256"`
	Counts interop.Counts `json:"counts"`
}

// importFlags are shared by every format.
type importFlags struct {
	supersede, json bool
}

func (f *importFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.supersede, "supersede", false, "let a value that differs replace the stored one (both are kept)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the counts as JSON")
}

// importSources reads every source in one transaction and prints what came of it.
func importSources(ctx context.Context, env *Env, dir string, flags importFlags, sources []source) error {
	study, err := loadStudy(dir)
	if err != nil {
		return err
	}
	files, err := openAll(sources)
	if err != nil {
		return err
	}
	defer closeAll(files)
	var (
		done imported
		to   *takes
	)
	err = study.fill(ctx, env, func(db *store.Store) (err error) {
		if to, err = study.takes(); err != nil {
			return err
		}
		done, err = importAll(ctx, env, to, db, flags, sources, files)
		return err
	})
	if p, ok := errors.AsType[*interop.Problems](err); ok {
		return hint(fmt.Errorf("nothing was imported:\n%w", err), "%s", to.afterProblems(sources[0].format, p))
	}
	if err != nil {
		return fmt.Errorf("nothing was imported: %w", err)
	}
	if flags.json {
		if err := writeJSON(env.Stdout, done); err != nil {
			return err
		}
	} else {
		printImported(harmlessWriter{env.Stdout}, done)
	}
	return done.gaps()
}

// gaps are samples of a log that a crash left without their content.
func (d imported) gaps() error {
	lost := 0
	for _, f := range d.Files {
		lost += f.Counts.SummaryOnly
	}
	if lost == 0 {
		return nil
	}
	return gaps("imported all but %d samples, of which the log holds a summary alone: its run ended before it wrote them", lost)
}

// importAll reads every file in one transaction of the store, whose last step
// is the entry in a locked study's log.
func importAll(ctx context.Context, env *Env, to *takes, db *store.Store, flags importFlags, sources []source, files []hashedFile) (done imported, err error) {
	opt := store.Options{At: env.Now(), Supersede: flags.supersede, LabelsOnly: to.planned != nil}
	derived, err := to.derived(ctx, db)
	if err != nil {
		return done, err
	}
	replaced := 0 // values that followed from marks
	done.Store, err = db.Import(ctx, opt, func(b *store.Batch) error {
		var bad interop.Problems
		for i, s := range sources {
			f, err := importOne(b, to.sink(b, derived, opt, &replaced), s, files[i])
			if p, ok := errors.AsType[*interop.Problems](err); ok {
				bad.Join(p)
				continue
			}
			if err != nil {
				return err
			}
			done.Files = append(done.Files, f)
		}
		if bad.Len() > 0 {
			return &bad
		}
		return to.keep(env, done, instead(b.Counts(), replaced), flags.supersede)
	})
	done.Store = instead(done.Store, replaced)
	return done, err
}

// instead counts labels that took the place of what followed from marks as
// superseding.
func instead(c store.ImportCounts, replaced int) store.ImportCounts {
	c.Labels -= replaced
	c.Superseded += replaced
	return c
}

// afterProblems says what can be done about bad rows.
func (t *takes) afterProblems(format string, p *interop.Problems) string {
	if p.Refused > 0 {
		return fmt.Sprintf("%s takes labels of what it has asked, and nothing else of a file; what was answered elsewhere belongs in a study with conditions: imported (uplift init DIR --template labels)", t.study.dir)
	}
	if p.Conflicts > 0 {
		return "mend the file; or, where it is right and the study is not, import it with --supersede: both values are kept"
	}
	return fmt.Sprintf("mend the rows above, or say how the file is to be read: uplift import %s --help", format)
}

// importOne reads one file into the batch, by the sink before it.
func importOne(b *store.Batch, sink interop.Sink, s source, f hashedFile) (importedFile, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return importedFile{}, err
	}
	b.From(store.Origin{File: s.path, SHA256: f.sum, Format: s.format})
	counts, err := s.read(f.File, sink)
	counts.Untiered = min(counts.Untiered, b.Untiered()) // the study may know the tiers
	return importedFile{File: s.path, SHA256: f.sum, Counts: counts}, err
}

// hashedFile is an open file, with the SHA-256 of its bytes.
type hashedFile struct {
	*os.File
	sum string
}

// openAll opens and hashes every source before the database is touched, so
// that a missing file leaves no trace.
func openAll(sources []source) (files []hashedFile, err error) {
	for _, s := range sources {
		f, err := openHashed(s.path)
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func closeAll(files []hashedFile) {
	for _, f := range files {
		f.Close()
	}
}

func openHashed(path string) (hashedFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return hashedFile{}, err
	}
	if !info.Mode().IsRegular() { // a pipe could be read once only, and might never end
		return hashedFile{}, fmt.Errorf("%s: is no regular file (want a file that can be read twice)", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return hashedFile{}, err
	}
	h := sha256.New()
	if _, err = io.Copy(h, f); err != nil {
		f.Close()
		return hashedFile{}, err // an *fs.PathError: it names the file
	}
	return hashedFile{f, hex.EncodeToString(h.Sum(nil))}, nil
}

func printImported(w io.Writer, done imported) {
	for _, f := range done.Files {
		fmt.Fprintf(w, "%s: %s\n", f.File, describe(f.Counts))
		if names := f.Counts.Ignored; len(names) > 0 {
			fmt.Fprintf(w, "  not read: %s\n", strings.Join(names, ", "))
		}
		for _, n := range f.Counts.Notes {
			fmt.Fprintf(w, "  note: %s\n", n)
		}
	}
	s := done.Store
	fmt.Fprintf(w, "study: %s\n", counted(
		"new responses", s.Responses, "new labels", s.Labels, "new marks of single raters", s.Marks,
		"filled in", s.Filled, "superseded", s.Superseded, "rows that said nothing new", s.Unchanged))
}

// describe accounts for a file in one line.
func describe(c interop.Counts) string {
	return counted(
		"rows", c.Rows, "samples", c.Samples, "scores", c.Scores, "responses", c.Responses, "labels", c.Labels,
		"missing", c.Missing, "repeats", c.Duplicates, "unscored", c.Unscored, "not a number", c.Unmapped,
		"scores not taken", c.NotTaken, "samples in error", c.Errors, "invalidated", c.Invalidated,
		"summary only", c.SummaryOnly, "without a tier (enter no endpoint)", c.Untiered)
}

// counted joins the counts that are not zero: "3 rows, 2 labels".
func counted(pairs ...any) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if n := pairs[i+1].(int); n != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, pairs[i]))
		}
	}
	if len(parts) == 0 {
		return "nothing new"
	}
	return strings.Join(parts, ", ")
}
