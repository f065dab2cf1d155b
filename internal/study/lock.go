package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gowebpki/jcs"
)

// LockFile is the name of a study's lock inside its directory.
const LockFile = "study.lock"

// lockFormat counts the forms of a lock.
const lockFormat = 1

// Lock is a frozen plan: what a study was going to ask and to compute, before
// the first response of a locked split.
type Lock struct {
	Format      int         `json:"format"` // 1
	Study       string      `json:"study"`
	Time        time.Time   `json:"time"` // of the first lock, UTC
	Tool        Tool        `json:"tool"` // that wrote this lock
	StudyDigest string      `json:"study_digest"`
	Head        string      `json:"evidence_head"` // hash of the log's last entry before this lock, or zeros
	Fields      []Field     `json:"fields"`        // by path, each once
	Amendments  []Amendment `json:"amendments,omitempty"`
}

// Tool is the program that wrote a lock.
type Tool struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
}

// Field is one thing that is locked: its value, or its SHA-256.
type Field struct {
	Path string `json:"path"` // such as conditions.safety.system
	Content
}

// Content is what a field holds: one of Value and SHA256.
type Content struct {
	Value  json.RawMessage `json:"value,omitempty"`  // canonical JSON
	SHA256 string          `json:"sha256,omitempty"` // 64 hex digits
	File   string          `json:"file,omitempty"`   // where it came from; to find it, not locked
}

func (c Content) same(d Content) bool {
	return c.SHA256 == d.SHA256 && bytes.Equal(c.Value, d.Value)
}

// Amendment is an open change of a locked plan. Before it there was the lock
// with the digest Lock, of the study with the digest StudyDigest.
type Amendment struct {
	Time        time.Time `json:"time"`
	Reason      string    `json:"reason"`
	Lock        string    `json:"lock"`
	StudyDigest string    `json:"study_digest"`
	Tool        Tool      `json:"tool"`
	Changed     []Change  `json:"changed"`
	Touches     Touches   `json:"touches"`
}

// State is a plan as it is now, ready to be locked.
type State struct {
	Time        time.Time
	Tool        Tool
	StudyDigest string
	Head        string
	Fields      []Field
}

// NewLock freezes a plan.
func NewLock(study string, s State) *Lock {
	return &Lock{Format: lockFormat, Study: study, Time: s.Time.UTC().Round(0), Tool: s.Tool,
		StudyDigest: s.StudyDigest, Head: s.Head, Fields: s.Fields}
}

// Bytes is the lock in canonical JSON (RFC 8785): what LockFile holds.
func (l *Lock) Bytes() ([]byte, error) { return canonicalOf(l) }

// Digest is the SHA-256 of [Lock.Bytes], 64 hex digits.
func (l *Lock) Digest() (string, error) {
	b, err := l.Bytes()
	return sum(b), err
}

// Digests are those of the study under which a response may have been made:
// that of the lock, then those from before its amendments, the latest first.
func (l *Lock) Digests() []string {
	list := []string{l.StudyDigest}
	for i := len(l.Amendments) - 1; i >= 0; i-- {
		list = append(list, l.Amendments[i].StudyDigest)
	}
	return list
}

// ParseLock reads a lock, which must stand byte for byte as [Lock.Bytes] writes
// it. name stands in errors.
func ParseLock(name string, data []byte) (*Lock, error) {
	var l Lock
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("%s: is no lock: %w", name, err)
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	again, err := l.Bytes()
	if err == nil && !bytes.Equal(again, data) {
		err = errors.New("is not in canonical form (want RFC 8785, as it was written)")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &l, nil
}

// canonicalOf is any value in canonical JSON.
func canonicalOf(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(b)
}
