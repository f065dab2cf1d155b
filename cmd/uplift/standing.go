package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/study"
)

// exploring is the data of an Exploratory entry.
type exploring struct {
	Command     string   `json:"command"`
	Splits      []string `json:"splits"` // locked ones without a valid lock
	StudyDigest string   `json:"study_digest"`
	Why         string   `json:"why"`
}

// runCommand is the command whose exploratory use stays with a study: what was
// answered without a lock can never become locked. A look at the numbers marks
// those that it shows.
const runCommand = "run"

// permit is leave to go on, and how the study stands.
type permit struct {
	analysis.Standing
	begin func() error // what must be kept before anything is asked or shown
}

// guard gives leave to ask or to show what a locked split may hold. Without a
// valid lock it wants --exploratory.
func guard(env *Env, s *studyDir, command string, exploratory bool) (*permit, error) {
	f, splits, why := s.stands()
	p := &permit{Standing: standingOf(f), begin: func() error { return nil }}
	if why == nil {
		if exploratory && p.Lock != "" {
			return nil, usage("%s: --exploratory: %s is locked, and as it was locked (leave the flag out)", command, s.dir)
		}
		s.leave = p
		return p, nil
	}
	if !exploratory || f == nil {
		return nil, why
	}
	p.Lock, p.LockedAt, p.TestB, p.Exploratory = "", nil, false, true
	p.begin = func() error { return s.keepExploring(env, f, exploring{command, splits, s.plan.Digest(), why.Error()}) }
	s.leave = p
	return p, nil
}

// stands reads the lock and says why it does not hold; nil where it does, and
// where nothing wants one. Without a log to write to, f is nil.
func (s *studyDir) stands() (f *frozen, splits []string, why error) {
	f, err := s.frozen()
	if f == nil {
		return nil, nil, err
	}
	if s.plan.Plan().Conditions.Imported && f.lock == nil && err == nil {
		return f, nil, nil
	}
	p, unasked := s.planOf(lockedAnalysis(f.lock))
	if unasked == nil {
		splits = p.locked
	}
	switch {
	case err != nil:
		return f, splits, err
	case f.lock != nil && unasked != nil:
		return f, splits, unasked
	case f.lock != nil:
		return f, splits, differs(s, study.Diff(f.lock.Fields, p.fields))
	case len(splits) > 0:
		return f, splits, hint(fmt.Errorf("%s: asks the locked split %s, and there is no lock", s.dir, strings.Join(splits, " and ")),
			"uplift lock %s, before the first response; or --exploratory, which marks every number", s.dir)
	}
	return f, splits, nil // whoever cannot ask the tasks says so
}

// standingOf is what lock and log say of a study.
func standingOf(f *frozen) (st analysis.Standing) {
	if f == nil {
		return st
	}
	for _, e := range f.entries {
		var data exploring
		if e.Kind == evidence.KindExploratory && json.Unmarshal(e.Data, &data) == nil && data.Command == runCommand {
			st.Exploratory = true
		}
	}
	if f.lock == nil {
		return st
	}
	at := f.lock.Time
	st.Lock, st.LockedAt = f.digest, &at
	st.TestB = slices.Contains(lockedSplits(f.lock), uplift.TestB) && !f.lock.Amended("locked_splits")
	for _, a := range f.lock.Amendments {
		st.Amendments = append(st.Amendments, analysis.Amendment{At: a.Time, Reason: a.Reason,
			Changed: changedPaths(a.Changed), Changes: changesOf(a.Changed), Touches: analysis.Touches(a.Touches)})
	}
	return st
}

// standing is what lock and log say of the study, as far as they can be read.
func (s *studyDir) standing() analysis.Standing {
	f, err := s.frozen()
	if err != nil {
		return analysis.Standing{}
	}
	return standingOf(f)
}

// keepExploring records exploratory work, once for each command and plan.
func (s *studyDir) keepExploring(env *Env, f *frozen, data exploring) error {
	for _, e := range f.entries {
		var before exploring
		if e.Kind == evidence.KindExploratory && json.Unmarshal(e.Data, &before) == nil &&
			before.Command == data.Command && before.StudyDigest == data.StudyDigest {
			return nil
		}
	}
	log, err := evidence.Open(s.logPath())
	if err == nil {
		_, err = log.Append(evidence.KindExploratory, data, env.Now())
	}
	if err != nil {
		return hint(err, "exploratory work is recorded in %s, which must be writable", evidence.File)
	}
	f.entries = log.Entries()
	return nil
}

// matchesLock reports whether the study is as it was locked.
func (s *studyDir) matchesLock() (*frozen, bool) {
	f, err := s.frozen()
	if err != nil || f.lock == nil {
		return nil, false
	}
	changes, err := s.changes(f)
	return f, err == nil && len(changes) == 0
}

// notAsLocked says how an analysis differs from the one that was locked; empty
// when it does not.
func (s *studyDir) notAsLocked(opt analysis.Options) string {
	f, err := s.frozen()
	if err != nil || f.lock == nil {
		return ""
	}
	plan := s.plan.Plan()
	cluster, level := lockedAnalysis(f.lock)
	var parts []string
	if string(opt.Cluster) != cluster {
		parts = append(parts, fmt.Sprintf("clusters are %s (locked %s)", opt.Cluster, cluster))
	}
	if opt.Level != level {
		parts = append(parts, fmt.Sprintf("the level is %v (locked %v)", opt.Level, level))
	}
	if !plan.Conditions.Imported && opt.Reference != plan.Reference {
		parts = append(parts, fmt.Sprintf("the reference is %s (locked %s)", opt.Reference, plan.Reference))
	}
	if opt.Grader != "" && opt.Grader != uplift.Human {
		parts = append(parts, fmt.Sprintf("the labels are those of %s (locked %s)", opt.Grader, uplift.Human))
	}
	return strings.Join(parts, "; ")
}

// lockedOptions fills in what the flags leave to the lock.
func (s *studyDir) lockedOptions(opt *analysis.Options, clusterSet, levelSet bool) {
	f, err := s.frozen()
	if err != nil || f.lock == nil {
		return
	}
	cluster, level := lockedAnalysis(f.lock)
	if !clusterSet {
		opt.Cluster = analysis.Cluster(cluster)
	}
	if !levelSet {
		opt.Level = level
	}
}
