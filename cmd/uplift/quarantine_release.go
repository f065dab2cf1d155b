package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
)

func newQuarantineRelease(env *Env) *cobra.Command {
	var f openFlags
	cmd := &cobra.Command{
		Use: "release DIR ID...", Short: "Give withheld texts back to the study, with both reviewers' keys",
		Long: `release decrypts withheld records with the keys of both reviewers and puts their
texts back among the study's open ones: from then on they are rated, exported
and shown like any other. It is for false hits. The record that a text was
withheld stays, and so does the sealed one.

Each release is written to the evidence log first, with the reason and the public
keys. A release that was cut short is finished by the same command; what is
released already stays as it is. A call, its attempts and its responses are
records of their own: give the id of each that is to be released.

No text of a study with hazard: real is released.`,
		Example: "  uplift quarantine release s 4f2c81 --key-a a.key --key-b b.key \\\n    --reason \"an ordinary list of letters\"",
		Args:    positional(2, -1, "a directory and at least one id"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.reason, err = reasonFlag("release", f.reason); err != nil {
				return err
			}
			if f.keyA == "" || f.keyB == "" {
				return usage("quarantine release: want the keys of both reviewers (--key-a and --key-b)")
			}
			s, err := loadStudy(args[0])
			if err != nil {
				return err
			}
			if s.plan.Plan().Hazard != "" {
				return fmt.Errorf("%s: the study says hazard: real, so none of its texts is released", s.dir)
			}
			return s.release(cmd.Context(), env, &f, args[1:])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.keyA, "key-a", "", "file with reviewer A's private key")
	flags.StringVar(&f.keyB, "key-b", "", "file with reviewer B's private key")
	flags.StringVar(&f.reason, "reason", "", "why they are released, for the evidence log")
	return cmd
}

// releasing is the data of a release entry.
type releasing struct {
	Command string   `json:"command"`
	ID      string   `json:"id"`
	Of      string   `json:"of"`
	SHA256  string   `json:"sha256"`
	By      []string `json:"by"` // the public keys that opened it
	Reason  string   `json:"reason"`
}

// The moments of a release between which a process may be killed; see
// studyDir.step.
const (
	releaseKept = "release kept" // in the log, and not in the database
	releaseDone = "release done"
)

// release opens every record before it releases the first.
func (d *studyDir) release(ctx context.Context, env *Env, f *openFlags, ids []string) error {
	still, err := d.hold(false)
	if err != nil {
		return err
	}
	defer still()
	db, err := store.Open(ctx, d.path(), store.ReadWrite)
	if err != nil {
		return err
	}
	defer db.Close()
	opened, err := d.openAll(ctx, env, db, f, ids)
	if err != nil {
		return err
	}
	for i, o := range opened {
		if err := d.releaseOne(ctx, env, db, o, f.reason); err != nil {
			return fmt.Errorf("release record %s: %w (%d of %d are released)", o.record.ID, err, i, len(opened))
		}
	}
	return nil
}

// openAll opens records, each once.
func (d *studyDir) openAll(ctx context.Context, env *Env, db *store.Store, f *openFlags, ids []string) ([]*openedRecord, error) {
	keys, err := f.keys(ctx, env)
	if err != nil {
		return nil, err
	}
	list, _, err := withheldOf(ctx, db)
	if err != nil {
		return nil, err
	}
	var out []*openedRecord
	for _, id := range ids {
		o := &openedRecord{}
		if o.record, err = record(d.dir, list, id); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(x *openedRecord) bool { return x.record.ID == o.record.ID }) {
			continue
		}
		sealed, err := sealedOf(ctx, db, d.dir, o.record)
		if err == nil {
			err = o.unlock(keys, sealed)
		}
		if err != nil {
			return nil, fmt.Errorf("%w (nothing is released)", err)
		}
		out = append(out, o)
	}
	return out, nil
}

// errReleased says that there is nothing to do.
var errReleased = errors.New("released before")

// releaseOne writes the entry, and then the text. The log is locked from before
// the database is asked whether the text is released until it is, so that of two
// who release it at once one finds it done.
func (d *studyDir) releaseOne(ctx context.Context, env *Env, db *store.Store, o *openedRecord, reason string) error {
	entry := releasing{Command: "quarantine release", ID: o.record.ID, Of: o.record.Of, SHA256: o.record.SHA256, By: o.by, Reason: reason}
	give := func() error {
		d.reached(releaseKept)
		err := db.Release(ctx, entry.ID, o.payload.Parts, env.Now(), entry.By)
		d.reached(releaseDone)
		return err
	}
	log, err := evidence.Open(d.logPath())
	if err != nil {
		return err
	}
	_, err = log.AppendWith(evidence.KindRelease, env.Now(), func(entries []evidence.Entry) (any, error) {
		released, err := releasesOf(ctx, db)
		switch _, done := released[entry.ID]; {
		case err != nil:
			return nil, err
		case done:
			return nil, errReleased
		case slices.ContainsFunc(entries, entry.isIn):
			return nil, errKept
		}
		return entry, nil
	}, func(evidence.Entry) error { return give() })
	switch {
	case errors.Is(err, errReleased):
		fmt.Fprintf(env.Stderr, "record %s was released before\n", entry.ID)
		return nil
	case errors.Is(err, errKept): // a process was killed in between
		err = give()
	}
	if err == nil {
		fmt.Fprintf(env.Stderr, "released record %s, of %s: logged in %s\n", entry.ID, harmless(entry.Of), harmless(d.logPath()))
	}
	return err
}

// isIn reports whether an entry tells of the same release by the same reviewers.
func (r releasing) isIn(e evidence.Entry) bool {
	var before releasing
	return e.Kind == evidence.KindRelease && json.Unmarshal(e.Data, &before) == nil && before.ID == r.ID && slices.Equal(before.By, r.By)
}

// releases checks that the log tells of every text that was released, and says
// which release is not finished.
func (v *verdict) releases(ctx context.Context, db *store.Store, entries []evidence.Entry) error {
	released, err := releasesOf(ctx, db)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, e := range entries {
		var r releasing
		if e.Kind != evidence.KindRelease || json.Unmarshal(e.Data, &r) != nil || told[r.ID] {
			continue
		}
		told[r.ID] = true
		if _, done := released[r.ID]; !done {
			v.note("line %d of %s: the release of record %s was cut short: the same uplift quarantine release finishes it", e.Seq, evidence.File, r.ID)
		}
	}
	var untold []string
	for id := range released {
		if !told[id] {
			untold = append(untold, id)
		}
	}
	slices.Sort(untold)
	for _, id := range untold {
		v.Problems = append(v.Problems, fmt.Sprintf("%s: record %s was released, and %s does not say so", storeFile, id, evidence.File))
	}
	return nil
}
