package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// storeFile is the database inside a study's directory.
const storeFile = "study.db"

// studyDir is a study as it lies on disk.
type studyDir struct {
	dir  string
	plan *study.Study
	step func(string) // told the moments of a lock; nil but in tests
}

// dirArg is the study's directory: the only argument, or the working directory.
func dirArg(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

// loadStudy reads a study's file. It does not open its database.
func loadStudy(dir string) (*studyDir, error) {
	path := filepath.Join(dir, study.File)
	s, err := knownNames().Load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, hint(fmt.Errorf("%s: no study here (want a directory with %s)", dir, study.File),
			"uplift init %s", dir)
	case err != nil:
		return nil, err
	}
	return &studyDir{dir: dir, plan: s}, nil
}

func (d *studyDir) path() string { return filepath.Join(d.dir, storeFile) }

// read opens the database for reading.
func (d *studyDir) read(ctx context.Context) (*store.Store, error) {
	s, err := store.Open(ctx, d.path(), store.ReadOnly)
	if errors.Is(err, store.ErrMissing) {
		return nil, hint(fmt.Errorf("%s: nothing has been run or imported yet", d.path()), "%s", nextAfterNothing(d))
	}
	return s, err
}

// write opens the database for what is going to be asked, and makes it when
// there is none. leave is that to ask.
func (d *studyDir) write(ctx context.Context, env *Env, leave *permit) (*store.Store, error) {
	s, err := store.Open(ctx, d.path(), store.ReadWrite)
	if !errors.Is(err, store.ErrMissing) {
		return s, err
	}
	s, err = store.Create(ctx, d.path(), d.meta(env, leave))
	if errors.Is(err, store.ErrExists) { // another process was faster
		return store.Open(ctx, d.path(), store.ReadWrite)
	}
	return s, err
}

// fill writes into the database. One that is not there yet appears only when
// fill succeeds. Nobody locks or amends the study meanwhile.
func (d *studyDir) fill(ctx context.Context, env *Env, fill func(*store.Store) error) error {
	release, err := d.hold(false)
	if err != nil {
		return err
	}
	defer release()
	s, err := store.Open(ctx, d.path(), store.ReadWrite)
	if errors.Is(err, store.ErrMissing) {
		err = store.CreateWith(ctx, d.path(), d.meta(env, d.look(ctx)), fill)
		if !errors.Is(err, store.ErrExists) {
			return err
		}
		s, err = store.Open(ctx, d.path(), store.ReadWrite) // another process was faster
	}
	if err != nil {
		return err
	}
	defer s.Close()
	return fill(s)
}

func (d *studyDir) meta(env *Env, leave *permit) store.Meta {
	m := store.Meta{Study: d.plan.Name(), Digest: d.plan.Digest(), Created: env.Now()}
	if leave.matches { // what is not locked may have changed since, such as limits
		m.Digest = leave.frozen.lock.StudyDigest
	}
	return m
}

// changed says how the study's file differs from the one that its responses
// were made under; empty when it does not. Imported conditions were made by no
// study file. A study that is as it was locked may be one that its lock was
// amended from: an amendment lets what was asked stay.
func (d *studyDir) changed(ctx context.Context, db *store.Store, leave *permit) (string, error) {
	m, err := db.Meta(ctx)
	if err != nil || d.plan.Plan().Conditions.Imported || m.Digest == d.plan.Digest() {
		return "", err
	}
	if leave.matches && slices.Contains(leave.frozen.lock.Digests(), m.Digest) {
		return "", nil
	}
	return fmt.Sprintf("%s has changed since its responses were made (digest %.12s, then %.12s)",
		study.File, d.plan.Digest(), m.Digest), nil
}

// endpoints are the study's, as the analysis takes them.
func (d *studyDir) endpoints() []analysis.Endpoint {
	var out []analysis.Endpoint
	for _, e := range d.plan.Plan().Endpoints {
		out = append(out, analysis.Endpoint{Name: e.Name, Scale: e.Scale, Tiers: e.Tiers,
			Better: analysis.Direction(e.Better), Margin: e.Margin})
	}
	return out
}
