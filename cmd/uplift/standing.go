package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/study"
)

// exploring is the data of an exploratory entry.
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

// looks are the commands whose exploratory use asks nothing.
var looks = []string{"analyze", "report", "agreement", "power"}

// permit is what lock, log and database say of a study, read once, and leave to
// go on.
type permit struct {
	analysis.Standing
	frozen  *frozen  // nil where the log cannot be read
	stored  *stored  // beside a lock that the study matches; else nil
	splits  []string // that want a lock
	matches bool     // the study is as it was locked
	apart   bool     // log and lock do not agree, or cannot be read
	why     error    // why it may be neither asked nor shown; nil: it may
	begin   func() error
}

// guard gives leave to ask or to show what a locked split may hold. Without a
// valid lock it wants --exploratory. Call begin when nothing else stands in the
// way any more: it keeps what must be kept before anything is asked or shown.
func guard(ctx context.Context, env *Env, s *studyDir, command string, exploratory bool) (*permit, error) {
	p := s.look(ctx)
	return p, p.grant(env, s, command, exploratory)
}

// grant wants a reason to go on.
func (p *permit) grant(env *Env, s *studyDir, command string, exploratory bool) error {
	switch {
	case p.why == nil && exploratory && p.Lock != "":
		return usage("%s: --exploratory: %s is locked, and as it was locked (leave the flag out)", command, s.dir)
	case p.why == nil:
		return nil
	case !exploratory || p.frozen == nil:
		return p.why
	}
	p.Exploratory = true
	p.begin = func() error {
		return s.keepExploring(env, exploring{command, p.splits, s.plan.Digest(), p.why.Error()})
	}
	return nil
}

// look reads everything that decides how the study stands.
func (s *studyDir) look(ctx context.Context) *permit {
	f, err := s.frozen()
	p := &permit{Standing: standingOf(f), frozen: f, why: err, apart: err != nil, begin: func() error { return nil }}
	if f == nil || s.plan.Plan().Conditions.Imported && f.lock == nil {
		return p
	}
	now, unasked := s.planOf(lockedAnalysis(f.lock))
	if unasked == nil {
		p.splits = now.locked
	}
	switch {
	case p.why != nil:
	case f.lock != nil && unasked != nil:
		p.why = unasked
	case f.lock != nil:
		changes := study.Diff(f.lock.Fields, now.fields)
		if p.why = differs(s, changes); p.why == nil {
			p.matches = true
			p.stored, p.why = s.beside(ctx, f.lock, now)
		}
	case len(p.splits) > 0:
		p.why = hint(fmt.Errorf("%s: asks the locked split %s, and there is no lock", s.dir, strings.Join(p.splits, " and ")),
			"uplift lock %s, before the first response; or --exploratory, which marks every number", s.dir)
	}
	return p // whoever cannot ask the tasks says so
}

// stands says which lock there is, which splits want one, and why the study may be
// neither asked nor shown; nil where it may.
func (s *studyDir) stands() (f *frozen, splits []string, why error) {
	p := s.look(context.Background())
	return p.frozen, p.splits, p.why
}

// standingOf is what lock and log say of a study.
func standingOf(f *frozen) (st analysis.Standing) {
	if f == nil {
		return st
	}
	for _, e := range f.entries {
		var data exploring // one that cannot be read may be any
		if e.Kind == evidence.KindExploratory && (json.Unmarshal(e.Data, &data) != nil || !slices.Contains(looks, data.Command)) {
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

// errKept says that an entry is there already.
var errKept = errors.New("recorded before")

// keepExploring records exploratory work, once for each command and plan.
func (s *studyDir) keepExploring(env *Env, data exploring) error {
	log, err := evidence.Open(s.logPath())
	if err == nil {
		_, err = log.AppendWith(evidence.KindExploratory, env.Now(), func(entries []evidence.Entry) (any, error) {
			if slices.ContainsFunc(entries, data.isIn) {
				return nil, errKept
			}
			return data, nil
		}, nil)
	}
	if errors.Is(err, errKept) {
		return nil
	}
	return hint(err, "exploratory work is recorded in %s, which must be writable", evidence.File)
}

// isIn reports whether an entry is about the same command and plan.
func (x exploring) isIn(e evidence.Entry) bool {
	var before exploring
	return e.Kind == evidence.KindExploratory && json.Unmarshal(e.Data, &before) == nil &&
		before.Command == x.Command && before.StudyDigest == x.StudyDigest
}

// notAsLocked says how an analysis differs from the one that was locked; empty
// when it does not.
func (p *permit) notAsLocked(plan study.Plan, opt analysis.Options) (parts []string) {
	if p.frozen == nil || p.frozen.lock == nil {
		return nil
	}
	locked := lockedAnalysis(p.frozen.lock)
	differ := func(what string, is, was any) {
		if is != was {
			parts = append(parts, fmt.Sprintf("%s %v (locked %v)", what, is, was))
		}
	}
	differ("clusters are", string(opt.Cluster), locked.Cluster)
	differ("the level is", opt.Level, locked.Level)
	if !plan.Conditions.Imported {
		differ("the reference is", opt.Reference, plan.Reference)
	}
	if opt.Grader != "" {
		differ("the labels are those of", opt.Grader, uplift.Human)
	}
	differ("the seed is", opt.Seed, plan.Seed)
	differ("the resamples are", opt.Replicates, locked.Resamples)
	return parts
}

// fill puts in what the flags leave to the lock.
func (p *permit) fill(cluster *analysis.Cluster, level *float64, clusterSet, levelSet bool) {
	if p.frozen == nil || p.frozen.lock == nil {
		return
	}
	locked := lockedAnalysis(p.frozen.lock)
	if !clusterSet {
		*cluster = analysis.Cluster(locked.Cluster)
	}
	if !levelSet {
		*level = locked.Level
	}
}
