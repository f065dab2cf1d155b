package study

import (
	"errors"
	"strings"
)

// ErrUnchanged says that an amendment would change nothing.
var ErrUnchanged = errors.New("the study is as it was locked")

// Amend is the lock of the plan as it is now, which holds what differs from l
// and why. ErrUnchanged when nothing that is locked differs.
func (l *Lock) Amend(s State, reason string) (*Lock, error) {
	reason = strings.TrimSpace(reason)
	if reason == "" {
		return nil, errors.New("the reason is missing")
	}
	changes := Diff(l.Fields, s.Fields)
	if len(changes) == 0 {
		return nil, ErrUnchanged
	}
	before, err := l.Digest()
	if err != nil {
		return nil, err
	}
	next := *l
	next.Tool, next.StudyDigest, next.Head, next.Fields = s.Tool, s.StudyDigest, s.Head, s.Fields
	next.Amendments = append(l.Amendments[:len(l.Amendments):len(l.Amendments)], Amendment{
		Time: s.Time.UTC().Round(0), Reason: reason, Lock: before, StudyDigest: l.StudyDigest, Tool: l.Tool,
		Changed: changes, Touches: touching(changes, drafters(l.Fields)),
	})
	return &next, nil
}

// Amended reports whether an amendment changed the field.
func (l *Lock) Amended(path string) bool {
	for _, a := range l.Amendments {
		for _, c := range a.Changed {
			if c.Path == path {
				return true
			}
		}
	}
	return false
}
