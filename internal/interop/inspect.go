package interop

import (
	"errors"
	"fmt"
	"io"
	"maps"
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
	log := &evalLog{file: name, opt: opt, sink: sink, meta: metadataReader{tier: opt.TierFrom}, counts: Counts{Format: "inspect"},
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
	members, others := z.sampleMembers()
	log.count("members of samples/ that are no .json were passed over", others)
	for _, member := range members {
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
	meta     metadataReader
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
	raw, err := l.zip.json(member)
	if err != nil {
		return member, err
	}
	h, err := headerOf(raw)
	if err != nil {
		return member, err
	}
	l.task, l.model = h.task, h.model
	if l.crashed {
		h.status = "started"
		l.note("the log has no header: the run was cut off; what it had flushed is read")
	}
	if h.status != "success" {
		l.note("the log's status is %q, not \"success\"", h.status)
	}
	if version, err := strconv.Atoi(h.version); err != nil || version > 3 {
		l.note("the log's version is %s; versions up to 3 are known", h.version)
	}
	return member, nil
}

// evalHeader is what is read of a log's header.
type evalHeader struct{ version, status, task, model string }

func headerOf(raw []byte) (h evalHeader, err error) {
	if !isObject(raw) {
		return h, unlike(raw, "an object")
	}
	var eval []byte
	walkObject(raw, func(key, value []byte) error {
		switch string(key) {
		case "version":
			h.version = clip(string(value[:min(len(value), 100)]))
		case "status":
			h.status, _ = nameOf(value)
			h.status = clip(h.status)
		case "eval":
			eval = value
		}
		return nil
	})
	var task, model []byte
	if given(eval) && !isObject(eval) {
		return h, inside("eval", unlike(eval, "an object"))
	}
	if given(eval) {
		walkObject(eval, func(key, value []byte) error {
			switch string(key) {
			case "task":
				task = value
			case "model":
				model = value
			}
			return nil
		})
	}
	if h.task, err = wantName(task); err != nil {
		return h, inside("eval.task", err)
	}
	h.model, err = wantName(model)
	return h, inside("eval.model", err)
}

// wantName is a name that cannot be done without.
func wantName(raw []byte) (string, error) {
	name, ok := nameOf(raw)
	switch {
	case ok:
		return name, nil
	case !given(raw) || string(raw) == `""`:
		return "", foreign("missing (want a name)")
	case !isString(raw):
		return "", unlike(raw, "a name")
	}
	return "", foreign("over %d bytes (want a name)", maxName)
}

func (l *evalLog) note(format string, args ...any) {
	l.counts.Notes = append(l.counts.Notes, printable(fmt.Sprintf(format, args...)))
}

// sample reads one sample and hands it to the sink.
func (l *evalLog) sample(member string) error {
	s, err := l.zip.sample(member, &l.meta)
	l.zip.release()
	if err != nil {
		l.problem(member, err)
		return nil
	}
	return l.add(member, s)
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
func (l *evalLog) add(member string, s *evalSample) error {
	key := sampleKey(s.id, s.epoch)
	if old, again := l.seen[key]; again {
		l.problem(member, foreign("sample %s, epoch %d is also in %s (want it once)", clip(s.id), s.epoch, clip(old)))
		return nil
	}
	l.seen[key] = member
	l.counts.Samples++
	if s.invalidated {
		l.counts.Invalidated++
		return nil
	}
	r, err := l.response(s)
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
	if l.odd[key] == nil && len(l.odd) >= maxProblems {
		key[0] = "of another name"
	}
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
	for _, v := range s.scores {
		l.counts.Scores++
		l.met(v.name(), v.scorer)
		scale := l.names.scale(v)
		if scale == "" {
			l.counts.NotTaken++
			continue
		}
		switch v.kind {
		case unscored:
			l.counts.Unscored++
		case unmapped:
			l.counts.Unmapped++
			l.unmapped(v.name(), "no number", v.shown)
		case unsized:
			l.counts.Unmapped++
			l.unmapped(v.name(), "neither 0 nor of size 1e-50 to 1e50", v.shown)
		default:
			if wrong := l.checkLabel(scale, v.scorer, v.value); wrong != "" {
				l.problem(member, &badRecord{field: "scores." + clip(v.name()), text: wrong})
			}
			l.counts.Labels++
			labels = append(labels, labelOf(r, scale, v.value, v.scorer))
		}
	}
	if len(labels) > 0 && r.Outcome == uplift.Failed {
		l.count("samples ended in an error and were scored all the same: the labels are kept beside that outcome", 1)
	}
	return labels
}

// met notes the names of scores: those that are to be taken, and enough others
// to say what there is.
func (l *evalLog) met(names ...string) {
	for _, name := range names {
		if _, wanted := l.names[name]; wanted || len(l.taken) < maxProblems {
			l.taken[name] = true
		}
	}
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
	if lost := l.meta.lost(); lost != "" && l.counts.Responses > 0 {
		l.problems.add(Problem{File: l.file, Text: lost})
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
			strings.Join(gone, " or "), listed(slices.Sorted(maps.Keys(l.taken))))})
	default:
		l.note("no score is named %s", strings.Join(gone, " or "))
	}
}
