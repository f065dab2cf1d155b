package interop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift"
)

// Inspect reads an `.eval` log of Inspect AI: a zip (stored, deflate or zstd)
// of one JSON member a sample, or of a shell and chunks a sample. A log that a
// crash left without its header is read from its journal.
//
// A sample becomes the response of the log's model under opt.Condition to the
// task "<task>/<id>", where a string id that reads like a whole number stands
// in quotes, in replicate epoch-1. Of its metadata the strings family (default:
// the log's task), attack (default direct) and split are taken. The transcript
// holds the texts of users and assistants; system messages, tool messages and
// tool calls are left out and counted. Text is the output's completion, else
// the last text of the assistant.
//
// Each score value becomes a label whose grader is the scorer's name: so a
// scorer named human, or rater:NAME, counts as people's. Its scale is the
// score's name, "scorer.key" for an entry of a score that holds several. A
// value that is no number, or none of size 1e-50 to 1e50, gives no label; see [Counts] for how all of them add
// up. Samples that ended in an error are kept with that outcome; samples that
// were declared invalid are left out.
func Inspect(r io.ReaderAt, size int64, name string, opt InspectOptions, sink Sink) (Counts, error) {
	log := &evalLog{file: name, opt: opt, sink: sink, counts: Counts{Format: "inspect"},
		seen: map[string]string{}, tally: map[string]int{}, odd: map[[2]string]*odd{}, taken: map[string]bool{}}
	if err := log.options(); err != nil {
		return Counts{}, log.fatal("", err)
	}
	z, err := openEval(r, size, opt)
	if err != nil {
		return Counts{}, log.fatal("", err)
	}
	log.zip = z
	if member, err := log.header(); err != nil {
		return Counts{}, log.fatal(member, err)
	}
	for _, member := range z.sampleMembers() {
		log.counts.Duplicates += z.copies[member]
		if err := log.sample(member); err != nil {
			return Counts{}, err
		}
	}
	log.summaries()
	log.finish()
	return log.counts, log.problems.err()
}

// evalLog is a log while it is read.
type evalLog struct {
	file     string
	opt      InspectOptions
	names    scaleNames
	sink     Sink
	zip      *evalZip
	task     string
	model    string
	crashed  bool
	seen     map[string]string  // id and epoch to member
	taken    map[string]bool    // score names met, those not taken included
	tally    map[string]int     // what notes count
	odd      map[[2]string]*odd // values that give no label, by score and reason
	counts   Counts
	problems Problems
}

// fatal places an error that ends the log; of an unreadable file it is the
// reader's own.
func (l *evalLog) fatal(member string, err error) error {
	var bad *badRecord
	if errors.As(err, &bad) {
		return alone(Problem{File: l.file, Member: member, Field: bad.field, Text: bad.text})
	}
	return fmt.Errorf("%s: %w", l.file, err)
}

func (l *evalLog) options() (err error) {
	if l.opt.Tier != uplift.Untiered && l.opt.TierFrom != "" {
		return foreign("a tier and a metadata key for tiers are both given (want one of them)")
	}
	if l.opt.Tier != uplift.Untiered && !l.opt.Tier.Known() {
		_, err := uplift.ParseTier(string(l.opt.Tier))
		return foreign("tier: %v", err)
	}
	if l.opt.Condition == "" {
		base := l.file[strings.LastIndexAny(l.file, `/\`)+1:]
		l.opt.Condition = strings.TrimSuffix(base, ".eval")
	}
	if l.opt.Condition == "" || len(l.opt.Condition) > maxName {
		return foreign("no condition can be had from the file's name (want one given)")
	}
	l.names, err = newScaleNames(l.opt.Scales)
	return err
}

// header reads what holds for the whole log, and says which member it read.
func (l *evalLog) header() (member string, err error) {
	member = "header.json"
	if l.zip.members[member] == nil {
		member, l.crashed = "_journal/start.json", true
	}
	if l.zip.members[member] == nil {
		return "", foreign("no header.json and no _journal/start.json (want an .eval log of Inspect AI, not another zip)")
	}
	var h struct {
		Version json.RawMessage `json:"version"`
		Status  string          `json:"status"`
		Eval    struct {
			Task  string `json:"task"`
			Model string `json:"model"`
		} `json:"eval"`
	}
	if err := l.zip.decode(member, &h); err != nil {
		return member, err
	}
	l.task, l.model = h.Eval.Task, h.Eval.Model
	for _, f := range [][2]string{{"eval.task", l.task}, {"eval.model", l.model}} {
		if f[1] == "" || len(f[1]) > maxName {
			return member, &badRecord{field: f[0], text: fmt.Sprintf("missing or over %d bytes (want a name)", maxName)}
		}
	}
	if l.crashed {
		h.Status = "started"
		l.note("the log has no header: the run was cut off; what it had flushed is read")
	}
	if h.Status != "success" {
		l.note("the log's status is %q, not \"success\"", h.Status)
	}
	if version, err := strconv.Atoi(string(h.Version)); err != nil || version > 3 {
		l.note("the log's version is %s; versions up to 3 are known", clip(string(h.Version)))
	}
	return member, nil
}

func (l *evalLog) note(format string, args ...any) {
	l.counts.Notes = append(l.counts.Notes, printable(fmt.Sprintf(format, args...)))
}

// sample reads one sample and hands it to the sink.
func (l *evalLog) sample(member string) error {
	s, err := l.zip.sample(member)
	if err == nil {
		var id string
		if id, err = taskName(s.ID); err == nil {
			return l.add(member, id, s)
		}
	}
	l.problem(member, err)
	return nil
}

func (l *evalLog) problem(member string, err error) {
	p := Problem{File: l.file, Member: clip(member), Text: err.Error()}
	var bad *badRecord
	if errors.As(err, &bad) {
		p.Field, p.Text = bad.field, bad.text
	}
	l.problems.add(p)
}

// add files one sample under its id and epoch.
func (l *evalLog) add(member, id string, s *evalSample) error {
	if s.Epoch < 1 || s.Epoch > math.MaxInt32 {
		l.problem(member, &badRecord{field: "epoch", text: fmt.Sprintf("%d (want a whole number from 1)", s.Epoch)})
		return nil
	}
	key := sampleKey(id, s.Epoch)
	if old, again := l.seen[key]; again {
		l.problem(member, foreign("sample %s, epoch %d is also in %s (want it once)", clip(id), s.Epoch, clip(old)))
		return nil
	}
	l.seen[key] = member
	l.counts.Samples++
	if given(s.Invalidation) {
		l.counts.Invalidated++
		return nil
	}
	r, err := l.response(id, s)
	if err != nil {
		l.problem(member, err)
		return nil
	}
	l.counts.Responses++
	before := l.problems.Len()
	labels := l.labels(member, r, s)
	if l.problems.Len() > before {
		return nil
	}
	err = l.sink.Add(r, labels...)
	return l.problems.took(err, Problem{File: l.file, Member: clip(member)})
}

func sampleKey(id string, epoch int) string { return id + "\x00" + strconv.Itoa(epoch) }

// count adds n to a note.
func (l *evalLog) count(what string, n int) {
	if n > 0 {
		l.tally[what] += n
	}
}

// odd are values of one score that give no label for one reason.
type odd struct {
	n     int
	shown []string // the first three
}

func (l *evalLog) unmapped(score, why, shown string) {
	key := [2]string{score, why}
	o := l.odd[key]
	if o == nil {
		o = &odd{}
		l.odd[key] = o
	}
	if o.n++; len(o.shown) < 3 && !slices.Contains(o.shown, shown) {
		o.shown = append(o.shown, shown)
	}
}

// labels takes a sample's scores.
func (l *evalLog) labels(member string, r uplift.Response, s *evalSample) []uplift.Label {
	var labels []uplift.Label
	values, err := scoreValues(s.Scores.all)
	if err != nil {
		l.problem(member, err)
		return nil
	}
	for _, v := range values {
		l.counts.Scores++
		l.taken[v.name()], l.taken[v.scorer] = true, true
		scale := l.names.scale(v)
		if scale == "" {
			l.counts.NotTaken++
			continue
		}
		value, kind, shown := v.grade()
		switch kind {
		case unscored:
			l.counts.Unscored++
		case unmapped:
			l.counts.Unmapped++
			l.unmapped(v.name(), "no number", shown)
		case unsized:
			l.counts.Unmapped++
			l.unmapped(v.name(), "neither 0 nor of size 1e-50 to 1e50", shown)
		default:
			if wrong := l.checkLabel(scale, v.scorer, value); wrong != "" {
				l.problem(member, &badRecord{field: "scores." + clip(v.name()), text: wrong})
			}
			l.counts.Labels++
			labels = append(labels, labelOf(r, scale, value, v.scorer))
		}
	}
	if len(labels) > 0 && r.Outcome == uplift.Failed {
		l.count("samples ended in an error and were scored all the same: the labels are kept beside that outcome", 1)
	}
	return labels
}

func (l *evalLog) checkLabel(scale, scorer string, value float64) (wrong string) {
	if err := checkGrader(scorer); err != nil {
		return err.Error()
	}
	if len(scale) > maxName {
		return fmt.Sprintf("a name of %d bytes (want at most %d)", len(scale), maxName)
	}
	return checkRange(scale, value)
}

// summaries counts the samples of which a crash left only the summary.
func (l *evalLog) summaries() {
	var lost []string
	for _, member := range l.summaryMembers() {
		var list bounded[[]struct {
			ID    json.RawMessage `json:"id"`
			Epoch int             `json:"epoch"`
		}]
		if err := l.zip.decode(member, &list); err != nil {
			l.note("%s cannot be read (%v); it was only to say which samples are missing", clip(member), err)
			continue
		}
		for _, s := range list.all {
			id, err := taskName(s.ID)
			if key := sampleKey(id, s.Epoch); err == nil && l.seen[key] == "" {
				l.seen[key] = member
				lost = append(lost, fmt.Sprintf("%s (epoch %d)", clip(id), s.Epoch))
			}
		}
	}
	if l.counts.SummaryOnly = len(lost); len(lost) == 0 {
		return
	}
	more := ""
	if len(lost) > 5 {
		lost, more = lost[:5], fmt.Sprintf(" and %d more", len(lost)-5)
	}
	l.note("only a summary is left of %s%s: not imported", strings.Join(lost, ", "), more)
}

// summaryMembers are summaries.json, or else the journal's.
func (l *evalLog) summaryMembers() []string {
	if l.zip.members["summaries.json"] != nil {
		return []string{"summaries.json"}
	}
	var names []string
	for _, name := range l.zip.order {
		if strings.HasPrefix(name, "_journal/summaries/") && strings.HasSuffix(name, ".json") {
			names = append(names, name)
		}
	}
	return names
}

// finish writes the notes that count and checks that the log gave something.
func (l *evalLog) finish() {
	byName := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
	for _, key := range slices.SortedFunc(maps.Keys(l.odd), byName) {
		o := l.odd[key]
		l.note("score %s: values that are %s, such as %s, give no label (%d)", clip(key[0]), key[1], strings.Join(o.shown, ", "), o.n)
	}
	for _, what := range slices.Sorted(maps.Keys(l.tally)) {
		l.note("%s (%d)", what, l.tally[what])
	}
	if more := len(l.counts.Notes) - maxProblems; more > 0 {
		l.counts.Notes = append(l.counts.Notes[:maxProblems], fmt.Sprintf("and %d more", more))
	}
	if l.counts.Duplicates > 0 {
		l.note("older copies of a sample were passed over, the last of each counts (%d)", l.counts.Duplicates)
	}
	if l.counts.Samples == 0 && l.problems.Len() == 0 {
		l.problems.add(Problem{File: l.file, Text: "no samples (want a log that was written with its samples)"})
	}
	l.unnamed()
}

// unnamed checks the scale options against the scores that the log has.
func (l *evalLog) unnamed() {
	var gone []string
	for _, scorer := range slices.Sorted(maps.Keys(l.names)) {
		if !l.taken[scorer] {
			gone = append(gone, scorer)
		}
	}
	switch {
	case len(gone) == 0 || l.counts.Scores == 0:
	case len(gone) == len(l.names):
		l.problems.add(Problem{File: l.file, Text: fmt.Sprintf("no score is named %s (the log has %s)",
			strings.Join(gone, " or "), clip(strings.Join(slices.Sorted(maps.Keys(l.taken)), ", ")))})
	default:
		l.note("no score is named %s", strings.Join(gone, " or "))
	}
}
