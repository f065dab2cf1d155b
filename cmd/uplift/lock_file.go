package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/study"
)

// A lock and its entry in the log must agree at every moment. The log decides:
// a lock is written beside its place (lockDraft), its digest is appended to the
// log, and then it takes its place. Who finds a log that knows the lock of the
// draft finishes what a killed process began.
const lockDraft = "." + study.LockFile + unfinished + "new"

// The moments of a lock between which a process may be killed, or another one
// come in; see studyDir.step.
const (
	logRead      = "log read"      // and the lock not yet
	draftWritten = "draft written" // and its entry not
	entryKept    = "entry kept"    // and the lock not in its place
	lockPlaced   = "lock placed"
)

func (d *studyDir) reached(step string) {
	if d.step != nil {
		d.step(step)
	}
}

// maxLock is the size that a lock may have.
const maxLock = 64 << 20

func (d *studyDir) logPath() string  { return filepath.Join(d.dir, evidence.File) }
func (d *studyDir) lockPath() string { return filepath.Join(d.dir, study.LockFile) }

// frozen is a study's lock as it lies on disk.
type frozen struct {
	lock    *study.Lock // nil without one
	digest  string      // of the lock
	entries []evidence.Entry
}

// lockEntry is the data of an entry about a lock.
type lockEntry struct {
	Lock        string   `json:"lock"` // digest
	Study       string   `json:"study"`
	StudyDigest string   `json:"study_digest"`
	Before      string   `json:"before,omitempty"` // digest of the lock that it takes the place of
	Reason      string   `json:"reason,omitempty"`
	Changed     []string `json:"changed,omitempty"`
}

// frozen reads the log and the lock, which must agree.
func (d *studyDir) frozen() (*frozen, error) {
	f, err := d.tryFrozen()
	for n := 0; n < 10 && errors.Is(err, errApart); n++ {
		f, err = d.tryFrozen() // another process may have locked between the reading of both
	}
	return f, err
}

// errApart says that lock and log do not agree.
var errApart = errors.New("lock and log do not agree")

func (d *studyDir) tryFrozen() (*frozen, error) {
	log, err := evidence.Open(d.logPath())
	if err != nil {
		return nil, hint(err, "put %s back as it was written: each line holds the hash of the one before", evidence.File)
	}
	f := &frozen{entries: log.Entries()}
	d.reached(logRead)
	data, err := readLock(d.lockPath())
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, err
	}
	entry, want, err := lastLock(f.entries)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", d.logPath(), err)
	case want.Lock == "" && missing:
		return f, nil
	case want.Lock == "":
		return f, d.apart("%s knows of no lock", evidence.File)
	case missing || digestOf(data) != want.Lock:
		if data, err = d.finish(want.Lock); err != nil {
			return f, err
		}
		if data == nil && missing {
			return f, d.apart("is missing, and line %d of %s says that there is one with SHA-256 %s", entry.Seq, evidence.File, want.Lock)
		} else if data == nil {
			return f, d.apart("is not what was written: line %d of %s says SHA-256 %s", entry.Seq, evidence.File, want.Lock)
		}
	}
	if f.lock, err = study.ParseLock(d.lockPath(), data); err != nil {
		return f, err
	}
	f.digest = want.Lock
	if f.lock.Head != entry.Prev {
		return f, d.apart("names another place in %s than line %d, where it stands", evidence.File, entry.Seq)
	}
	return f, nil
}

func (d *studyDir) apart(format string, args ...any) error {
	return hint(fmt.Errorf("%s: %s%w", d.lockPath(), fmt.Sprintf(format, args...), silent{errApart}),
		"put both files back as they were written, from a copy")
}

// silent wraps an error that a caller looks for and nobody reads.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// finish puts the draft that has the digest in its place; nil without one.
func (d *studyDir) finish(digest string) ([]byte, error) {
	draft := filepath.Join(d.dir, lockDraft)
	data, err := readLock(draft)
	if err != nil || digestOf(data) != digest {
		return nil, nil
	}
	if err := place(draft, d.lockPath()); err != nil {
		return nil, hint(fmt.Errorf("%s: a killed process had written it, and it cannot take its place: %w", d.lockPath(), cause(err)),
			"the directory must be writable once")
	}
	return data, nil
}

// place renames a draft, down to the disk.
func place(draft, path string) error {
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	evidence.SyncName(path) // where the system can
	return nil
}

// readLock reads a lock, which must be a regular file.
func readLock(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: is no regular file (want the lock itself)", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLock+1))
	if err == nil && len(data) > maxLock {
		err = fmt.Errorf("%s: is larger than %d MB", path, maxLock>>20)
	}
	return data, err
}

// lastLock is the last entry about a lock, with its data.
func lastLock(entries []evidence.Entry) (evidence.Entry, lockEntry, error) {
	for _, e := range slices.Backward(entries) {
		if e.Kind != evidence.KindLock && e.Kind != evidence.KindAmend {
			continue
		}
		var data lockEntry
		dec := json.NewDecoder(bytes.NewReader(e.Data))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&data); err != nil || len(data.Lock) != 64 {
			return e, data, fmt.Errorf("line %d: data: says no lock (want its digest)", e.Seq)
		}
		return e, data, nil
	}
	return evidence.Entry{}, lockEntry{}, nil
}

// freeze writes a lock and its entry. next makes the lock for the head of the
// log; the lock that it takes the place of must still be the one that was seen.
func (d *studyDir) freeze(env *Env, seen *frozen, kind evidence.Kind, next func(head string) (*study.Lock, error)) (*frozen, error) {
	log, err := evidence.Open(d.logPath())
	if err != nil {
		return nil, err
	}
	out, draft := &frozen{}, filepath.Join(d.dir, lockDraft)
	entry, err := log.AppendWith(kind, env.Now(), func(entries []evidence.Entry) (any, error) {
		if _, last, err := lastLock(entries); err != nil || last.Lock != seen.digest {
			return nil, cmp.Or(err, errors.New("another process has locked or amended meanwhile (want one at a time)"))
		}
		if out.lock, err = next(evidence.Head(entries)); err != nil {
			return nil, err
		}
		data, err := out.lock.Bytes()
		if err != nil {
			return nil, err
		}
		out.digest = digestOf(data)
		err = writeWhole(draft, func(w io.Writer) error { _, err := w.Write(data); return err })
		d.reached(draftWritten)
		return entryOf(out), err
	}, func(evidence.Entry) error { d.reached(entryKept); return d.takePlace(draft, out.digest) })
	if err != nil && entry.Seq == 0 {
		d.dropDraft(out.digest)
	}
	d.reached(lockPlaced)
	out.entries = log.Entries()
	return out, err
}

// takePlace ends what the entry began. Another process may have done so.
func (d *studyDir) takePlace(draft, digest string) error {
	err := place(draft, d.lockPath())
	if data, e := readLock(d.lockPath()); e == nil && digestOf(data) == digest {
		return nil
	}
	return hint(err, "the lock is in %s; uplift verify %s finishes it", evidence.File, d.dir)
}

// dropDraft removes the draft of a lock that the log does not know, and never
// will. Another process's draft stays: it may be all that there is of a lock.
func (d *studyDir) dropDraft(digest string) {
	draft := filepath.Join(d.dir, lockDraft)
	if data, err := readLock(draft); err != nil || digest == "" || digestOf(data) != digest {
		return
	}
	entries, err := evidence.Verify(d.logPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return // its end may be that entry: then the draft is needed
	}
	if _, last, err := lastLock(entries); err == nil && last.Lock != digest {
		os.Remove(draft)
	}
}

// entryOf is what the log says of a lock.
func entryOf(f *frozen) lockEntry {
	e := lockEntry{Lock: f.digest, Study: f.lock.Study, StudyDigest: f.lock.StudyDigest}
	if n := len(f.lock.Amendments); n > 0 {
		a := f.lock.Amendments[n-1]
		e.Before, e.Reason, e.Changed = a.Lock, a.Reason, changedPaths(a.Changed)
	}
	return e
}

func changedPaths(changes []study.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Path)
	}
	return out
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
