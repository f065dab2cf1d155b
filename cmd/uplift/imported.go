package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
)

// importing is the data of an import entry: which files were brought into a
// locked study, and what that changed.
type importing struct {
	Files      []importingFile `json:"files"`
	Responses  int             `json:"responses"`  // new; none in a study that asks
	Labels     int             `json:"labels"`     // new
	Marks      int             `json:"marks"`      // new, by single raters
	Superseded int             `json:"superseded"` // values that were replaced
	Supersede  bool            `json:"supersede"`  // whether they could be
}

type importingFile struct {
	File   string `json:"file"` // without its directory
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// keep writes an import into the log of a locked study. It is the last step
// before the import is committed: a process that is killed in between leaves an
// entry of what did not come to pass, never labels that no entry tells of.
func (t *takes) keep(env *Env, done imported, c store.ImportCounts, supersede bool) error {
	f, err := t.study.frozen() // again: it may have been locked meanwhile
	if err != nil || f.lock == nil {
		return err
	}
	data := importing{Responses: c.Responses, Labels: c.Labels, Marks: c.Marks, Superseded: c.Superseded, Supersede: supersede}
	for _, one := range done.Files {
		data.Files = append(data.Files, importingFile{filepath.Base(one.File), one.SHA256, one.Counts.Rows + one.Counts.Samples})
	}
	log, err := evidence.Open(t.study.logPath())
	if err == nil {
		_, err = log.Append(evidence.KindImport, data, env.Now())
	}
	if err != nil {
		return hint(err, "an import into a locked study is recorded in %s, which must be writable", evidence.File)
	}
	return nil
}

// codeReplaced is the warning of values that took the place of others.
const codeReplaced = "labels_replaced"

// imported puts into the options of an analysis what came of imports. Values
// that were replaced since the lock mark every number: whoever saw the first
// ones chose the others.
func (o *opened) imported(ctx context.Context, opt *analysis.Options) (err error) {
	if opt.BroughtIn, err = o.broughtIn(ctx, o.db); err != nil {
		return err
	}
	told, err := o.leave.frozen.replaced(ctx, o.db)
	if told != "" {
		opt.Notes = append(opt.Notes, uplift.Warning{Code: codeReplaced, Text: told})
		opt.Standing.Deviations = append(opt.Standing.Deviations, told)
	}
	return err
}

// replaced says how many values were replaced since the study was locked; empty
// when none was. Log and database each know it, and the larger number is told: a
// log may have been cut, and a killed import may have left an entry alone.
func (f *frozen) replaced(ctx context.Context, db *store.Store) (string, error) {
	if f == nil || f.lock == nil {
		return "", nil
	}
	logged, stored, err := f.imports(ctx, db)
	switch values := max(logged.Superseded, stored.Superseded); {
	case err != nil || values == 0:
		return "", err
	case stored.Superseded > logged.Superseded:
		return fmt.Sprintf("%s replaced by --supersede after the lock, of which %s tells %d", were(values, "value"), evidence.File, logged.Superseded), nil
	default:
		return fmt.Sprintf("%s replaced by --supersede after the lock; %s names the files", were(values, "value"), evidence.File), nil
	}
}

// imports adds up what the log and the database say was brought in.
func (f *frozen) imports(ctx context.Context, db *store.Store) (logged, stored importing, err error) {
	for _, e := range f.entries {
		var data importing
		if e.Kind == evidence.KindImport && json.Unmarshal(e.Data, &data) == nil {
			logged.add(data.Responses, data.Labels, data.Marks, data.Superseded)
		}
	}
	origins, err := db.Origins(ctx)
	for _, o := range origins {
		stored.add(o.Responses, o.Labels, o.Marks, o.Superseded)
	}
	return logged, stored, err
}

func (i *importing) add(responses, labels, marks, superseded int) {
	i.Responses, i.Labels, i.Marks, i.Superseded = i.Responses+responses, i.Labels+labels, i.Marks+marks, i.Superseded+superseded
}

// untold says what the database holds of imports and the log does not; empty when
// nothing.
func (f *frozen) untold(ctx context.Context, db *store.Store) (string, error) {
	logged, stored, err := f.imports(ctx, db)
	if err != nil || stored.Labels <= logged.Labels && stored.Marks <= logged.Marks && stored.Superseded <= logged.Superseded {
		return "", err
	}
	return fmt.Sprintf("labels were brought in after the lock that %s does not tell of: %s in the database (%d replaced), %d in the log (%d replaced)",
		evidence.File, several(stored.Labels+stored.Marks, "value"), stored.Superseded, logged.Labels+logged.Marks, logged.Superseded), nil
}

// were counts things with their verb.
func were(n int, noun string) string {
	if n == 1 {
		return several(n, noun) + " was"
	}
	return several(n, noun) + " were"
}

// broughtIn reports whether a simulated study holds labels that came by file:
// then no panel gave them, and the panel's truth is not theirs. Imported
// conditions come with their labels, whose file says what is simulated.
func (d *studyDir) broughtIn(ctx context.Context, db *store.Store) (bool, error) {
	plan := d.plan.Plan()
	if plan.Conditions.Imported || !plan.Simulated() {
		return false, nil
	}
	origins, err := db.Origins(ctx)
	if err != nil {
		return false, err
	}
	for _, o := range origins {
		if o.Labels+o.Marks+o.Superseded > 0 {
			return true, nil
		}
	}
	return false, nil
}
