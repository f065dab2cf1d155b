package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// disk is the file of a log, as far as an append changes it.
type disk interface {
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	SyncName() error // makes a new file's name last
}

// Append adds an entry. When it returns without an error the entry is on disk;
// with one, the log is as it was. data must encode to a JSON object. A log that
// is damaged is left alone: the error is a [*Damage].
func (l *Log) Append(kind Kind, data any, at time.Time) (Entry, error) {
	return l.AppendWith(kind, at, func([]Entry) (any, error) { return data, nil }, nil)
}

// AppendWith is [Log.Append] for what must not come apart from its entry. With
// the log locked, before is told the entries that will stand before it, and gives
// the data; once the entry is on disk, after does the rest. Neither may use the
// log. An error of before leaves the log as it was, and is returned as it is; one
// of after is returned beside the entry, which stays. A process that is killed between entry and after
// must find its own way on.
func (l *Log) AppendWith(kind Kind, at time.Time, before func(entries []Entry) (data any, err error), after func(Entry) error) (Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f, made, err := l.writable()
	if err != nil {
		return Entry{}, err
	}
	defer f.Close()
	if err := l.refresh(f); err != nil {
		return Entry{}, err
	}
	entry, err := l.write(l.disk(f), made, kind, at, before)
	if err != nil {
		if made {
			os.Remove(l.path) // nothing came of it; who waits for its lock looks again
		}
		return Entry{}, err
	}
	if after != nil {
		err = after(entry)
	}
	return entry, err
}

func (l *Log) disk(f *os.File) disk {
	if l.through != nil {
		return l.through(f)
	}
	return onDisk{f}
}

// writable opens the log alone. Who waited for the lock may have got that of a
// file which is no longer there.
func (l *Log) writable() (f *os.File, made bool, err error) {
	for range 10 {
		if f, made, err = openLog(l.path, true); err != nil {
			return nil, false, err
		}
		if err = lock(l.path, f, true, l.patience); err != nil {
			f.Close()
			return nil, false, err
		}
		if still(l.path, f) {
			return f, made, nil
		}
		f.Close()
	}
	return nil, false, fmt.Errorf("%s: keeps being replaced (want one file)", l.path)
}

// refresh checks what others appended. What was seen before must still be there.
func (l *Log) refresh(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return named(l.path, err)
	}
	from := l.seen
	if l.file == nil || !os.SameFile(l.file, info) || info.Size() < from.end {
		from = scanned{}
	}
	if _, err := f.Seek(from.end, io.SeekStart); err != nil {
		return named(l.path, err)
	}
	now, err := from.scan(l.path, f)
	if err != nil {
		return err
	}
	if n := len(l.seen.entries); len(now.entries) < n || n > 0 && now.entries[n-1].Hash != l.seen.entries[n-1].Hash {
		return &Damage{Path: l.path, Line: n, What: fmt.Sprintf("is no longer the line with hash %s that was read before", l.seen.last().Hash)}
	}
	l.seen, l.file = now, info
	return nil
}

// write puts the entry, and before it the record of a repair where there is
// something to mend, in the place of what follows the last whole line.
func (l *Log) write(d disk, made bool, kind Kind, at time.Time, before func([]Entry) (any, error)) (Entry, error) {
	next := l.seen
	var out bytes.Buffer
	if err := next.mend(&out, at); err != nil {
		return Entry{}, l.not(err)
	}
	data, err := before(slices.Clone(next.entries))
	if err != nil {
		return Entry{}, err
	}
	entry, err := next.add(&out, kind, data, at)
	if err != nil {
		return Entry{}, l.not(err)
	}
	if err := l.seen.replaceTail(d, out.Bytes()); err != nil {
		return Entry{}, l.not(err)
	}
	if made {
		d.SyncName() // where the system can
	}
	next.end, next.tail = l.seen.end+int64(out.Len()), nil
	l.seen = next
	return entry, nil
}

func (l *Log) not(err error) error { return fmt.Errorf("append to %s: %w", l.path, err) }

// add seals an entry behind the last one.
func (s *scanned) add(out *bytes.Buffer, kind Kind, data any, at time.Time) (Entry, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Entry{}, err
	}
	last := s.last()
	e := Entry{Seq: last.Seq + 1, Time: at.UTC().Round(0), Kind: kind, Data: raw, Prev: last.Hash}
	if err := e.check(); err != nil {
		return Entry{}, err
	}
	_, line, err := e.sealed()
	if err != nil {
		return Entry{}, err
	}
	if e, err = parse(bytes.TrimSuffix(line, []byte("\n"))); err != nil { // as every reader will see it
		return Entry{}, err
	}
	s.entries = append(s.entries, e)
	out.Write(line)
	return e, nil
}

// repaired is the data of a KindRepair entry.
type repaired struct {
	Bytes  int    `json:"bytes"`  // of the line that had no end
	SHA256 string `json:"sha256"` // of them
	Kept   bool   `json:"kept"`   // it lacked nothing but its end, and stays
}

// mend writes what takes the place of a line without an end. One that lacks
// nothing else may have been acknowledged, and stays.
func (s *scanned) mend(out *bytes.Buffer, at time.Time) error {
	if len(s.tail) == 0 {
		return nil
	}
	sum := sha256.Sum256(s.tail)
	rec := repaired{Bytes: len(s.tail), SHA256: hex.EncodeToString(sum[:])}
	if e, err := parse(s.tail); err == nil && e.follows(s.last()) == nil {
		rec.Kept = true
		out.Write(s.tail)
		out.WriteByte('\n')
		s.entries = append(s.entries, e)
	}
	_, err := s.add(out, KindRepair, rec, at)
	return err
}

// replaceTail writes b behind the last whole line, down to the disk. When that
// fails, what was there is put back.
func (s scanned) replaceTail(d disk, b []byte) error {
	_, err := d.WriteAt(b, s.end)
	if err == nil && len(s.tail) > len(b) {
		err = d.Truncate(s.end + int64(len(b)))
	}
	if err == nil {
		err = d.Sync()
	}
	if err == nil {
		return nil
	}
	return errors.Join(cause(err), s.putBack(d))
}

func (s scanned) putBack(d disk) error {
	var err error
	if len(s.tail) > 0 {
		_, err = d.WriteAt(s.tail, s.end)
	}
	if err == nil {
		err = d.Truncate(s.end + int64(len(s.tail)))
	}
	if err != nil {
		return fmt.Errorf("and what was written could not be taken back: %w (the next entry mends it)", cause(err))
	}
	d.Sync() // best effort: a line without an end is no damage
	return nil
}
