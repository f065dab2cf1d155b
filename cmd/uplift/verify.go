package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

// verdict is what verify found.
type verdict struct {
	Study      string         `json:"study"`
	OK         bool           `json:"ok"`
	Lock       string         `json:"lock,omitempty"` // digest
	LockedAt   *time.Time     `json:"locked_at,omitempty"`
	Amendments int            `json:"amendments"`
	Fields     int            `json:"fields"`      // compared
	LogEntries int            `json:"log_entries"` // whose chain holds
	LogHead    string         `json:"log_head"`    // hash of the last
	Problems   []string       `json:"problems"`    // of lock and log
	Changes    []study.Change `json:"changes"`     // of the study
	Notes      []string       `json:"notes"`       // what is no failure
}

func newVerify(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "verify [DIR]", Short: "Compare a study with its lock, and check the chain of its log",
		Long: `verify computes again everything that DIR/study.lock holds and names each field
that differs, with its file; it checks every line of DIR/evidence.jsonl, and that
the lock is the one that the log names last. Of the responses it checks that they
were asked as locked, in a database that is no older than the lock. It exits with
1 when anything differs. Another version of this program is told, and is no failure while it
renders the same items.`,
		Example: "  uplift verify s\n  uplift verify s --json",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			v, err := verify(cmd.Context(), s)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(env.Stdout, v)
			} else {
				err = v.print(env.Stdout)
			}
			if err == nil && !v.OK {
				err = fmt.Errorf("verify %s: %s", s.dir, several(len(v.Problems)+len(v.Changes), "difference"))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verify checks log, lock and study, each as far as the others allow.
func verify(ctx context.Context, s *studyDir) (*verdict, error) {
	v := &verdict{Study: s.plan.Name(), Problems: []string{}, Changes: []study.Change{}, Notes: []string{}}
	f, err := s.frozen()
	if err != nil {
		v.Problems = append(v.Problems, err.Error())
	}
	if err := v.log(s); err != nil {
		return nil, err
	}
	if f != nil && f.lock == nil && err == nil {
		return nil, hint(fmt.Errorf("%s: there is no lock (the log is whole: %s)", s.dir, several(v.LogEntries, "line")), "uplift lock %s", s.dir)
	}
	lock := lockAsItIs(s, f)
	if lock == nil {
		return v, nil
	}
	v.LockedAt, v.Amendments = &lock.Time, len(lock.Amendments)
	if v.Lock, err = lock.Digest(); err != nil {
		return nil, err
	}
	p, err := s.planOf(lockedAnalysis(lock))
	if err != nil {
		return nil, err
	}
	v.Changes = append(v.Changes, study.Diff(lock.Fields, p.fields)...)
	v.Fields = len(p.fields)
	if len(v.Changes) == 0 {
		if err := v.responses(ctx, s, lock, p); err != nil {
			return nil, err
		}
	}
	if err := v.imports(ctx, s, f); err != nil {
		return nil, err
	}
	if b := thisBuild(); b.Version != lock.Tool.Version || b.Revision != lock.Tool.Revision {
		v.note("locked by uplift %s, compared by uplift %s", builtAs(lock.Tool.Version, lock.Tool.Revision), builtAs(b.Version, b.Revision))
	}
	v.OK = len(v.Problems)+len(v.Changes) == 0
	return v, nil
}

// responses checks that the lock covers what the database holds.
func (v *verdict) responses(ctx context.Context, s *studyDir, lock *study.Lock, p *planned) error {
	d, why := s.beside(ctx, lock, p)
	switch {
	case d == nil:
		return why
	case why != nil:
		v.Problems = append(v.Problems, why.Error())
	case d.there && !s.plan.Plan().Conditions.Imported && d.incomplete() != "":
		v.note("%s", d.incomplete())
	}
	return nil
}

// imports checks that the log tells of every label that was brought in, and of
// every text that was released.
func (v *verdict) imports(ctx context.Context, s *studyDir, f *frozen) error {
	if f == nil || f.lock == nil {
		return nil
	}
	db, err := store.Open(ctx, s.path(), store.ReadOnly)
	switch {
	case errors.Is(err, store.ErrMissing):
		return nil
	case err != nil:
		return err
	}
	defer db.Close()
	told, err := f.untold(ctx, db)
	if told != "" {
		v.Problems = append(v.Problems, told)
	}
	if err == nil {
		err = v.releases(ctx, db, f.entries)
	}
	return err
}

func (v *verdict) note(format string, args ...any) {
	v.Notes = append(v.Notes, fmt.Sprintf(format, args...))
}

// log checks the chain. A last line without an end was never acknowledged.
func (v *verdict) log(s *studyDir) error {
	entries, err := evidence.Verify(s.logPath())
	v.LogEntries, v.LogHead = len(entries), evidence.Head(entries)
	for i, e := range entries {
		if i > 0 && e.Time.Before(entries[i-1].Time) {
			v.note("line %d of %s: its time, %s, lies before that of the line above: a clock was set back", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		}
		switch e.Kind {
		case evidence.KindExploratory:
			v.note("line %d of %s: exploratory work on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindImport:
			v.note("line %d of %s: labels were brought in on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindUnseal:
			v.note("line %d of %s: tiers were shown on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindScreen:
			v.note("line %d of %s: %s", e.Seq, evidence.File, screenNote(e))
		case evidence.KindPause:
			v.note("line %d of %s: a run went on past a pause on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindOpen:
			v.note("line %d of %s: a withheld text was opened on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindRelease:
			v.note("line %d of %s: a withheld text was released on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		case evidence.KindRepair:
			v.note("line %d of %s: what a killed process had left was mended on %s", e.Seq, evidence.File, e.Time.Format(time.RFC3339))
		}
	}
	damage, damaged := errors.AsType[*evidence.Damage](err)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	case damaged && damage.Torn:
		v.note("%v", err)
		return nil
	case damaged: // the lock's own check has said so
		return nil
	}
	return err
}

// lockAsItIs is the lock that the log names, or else what lies in its place.
func lockAsItIs(s *studyDir, f *frozen) *study.Lock {
	if f != nil && f.lock != nil {
		return f.lock
	}
	data, err := readLock(s.lockPath())
	if err != nil {
		return nil
	}
	lock, err := study.ParseLock(s.lockPath(), data)
	if err != nil {
		return nil
	}
	return lock
}

func builtAs(version, revision string) string {
	if revision == "" {
		return version
	}
	return version + " (" + revision + ")"
}

func (v *verdict) print(out io.Writer) error {
	var b strings.Builder
	for _, p := range v.Problems {
		fmt.Fprintln(&b, p)
	}
	for _, c := range v.Changes {
		fmt.Fprintln(&b, c)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if v.OK {
		fmt.Fprintf(&b, "ok: %s as locked on %s", several(v.Fields, "field"), v.LockedAt.Format(time.RFC3339))
		if v.Amendments > 0 {
			fmt.Fprintf(&b, ", with %s", several(v.Amendments, "amendment"))
		}
		fmt.Fprintf(&b, "; %s whole: %s\nlock sha256 %s\n", evidence.File, several(v.LogEntries, "line"), v.Lock)
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}
