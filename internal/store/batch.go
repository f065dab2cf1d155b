package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	uplift "github.com/uplift-eval/uplift"
)

// Batch takes the rows of one import. It is for one goroutine.
type Batch struct {
	ctx        context.Context // of the import, which outlives the batch
	w          *writer
	known      *known
	opt        Options
	unreported int32

	origin int32        // the file's id, 0 in a run
	counts ImportCounts // since From
	total  ImportCounts

	saved   saved
	queue   queue
	jobs    chan []job  // nil: insert at once
	stopped atomic.Bool // an insert failed; its error is the import's
	err     error       // of From
}

// saved says how much of known has been handed to the file.
type saved struct{ names, arms, measures, items, responses, labels int }

// queue holds the statements that known does not keep.
type queue struct {
	itemDetails, responseDetails, texts, relabels []any
	bytes                                         int // of text
}

// Rows are inserted when so many, or so many bytes of text, are waiting.
const (
	queueRows  = 256
	queueBytes = 1 << 20
)

func newBatch(ctx context.Context, w *writer, opt Options) *Batch {
	k := w.known
	return &Batch{ctx: ctx, w: w, known: k, opt: opt,
		saved:      saved{len(k.names), len(k.arms), len(k.measures), len(k.items), k.responses.len(), k.labels.len()},
		unreported: k.name(string(uplift.Unreported))}
}

// From names the file of the rows that follow. Rows before the first From are
// of a file without a name.
func (b *Batch) From(o Origin) {
	if b.err = b.endFile(); b.err != nil {
		return
	}
	b.known.imports++
	b.origin = b.known.imports
	b.err = b.hand([]job{{insertImports, columns(insertImports),
		[]any{b.origin, o.File, o.SHA256, o.Format, stamp(b.opt.At), b.opt.Supersede}}})
}

// endFile flushes and accounts for the current file.
func (b *Batch) endFile() error {
	if b.err != nil {
		return b.err
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.total.add(b.counts)
	c := b.counts
	b.counts = ImportCounts{}
	if b.origin == 0 {
		return nil
	}
	return b.hand([]job{{insertImportCounts, columns(insertImportCounts),
		[]any{b.origin, c.Rows, c.Responses, c.Labels, c.Marks, c.Filled, c.Superseded, c.Unchanged}}})
}

func (b *Batch) finish() error { return b.endFile() }

// Add takes one response with labels on it. r.Item carries family, split,
// effective tier and turns; its task and attack may be left empty. Of each
// label only Scale, Value and Grader are read; a grader "rater:NAME" marks one
// rater's own value, which the human label is made of where none is stated.
//
// An empty field states nothing, and so does the outcome Unreported: it never
// conflicts. What was empty is filled in. A stated value that differs from the
// stored one is a [Conflict], unless the import supersedes; a file that
// contradicts itself is one always. Unusable rows have errors that name the
// field. After any error nothing of the row is kept and Add may be called on.
//
// Add keeps no reference to its arguments' slices.
func (b *Batch) Add(r uplift.Response, labels ...uplift.Label) error {
	if b.origin == 0 {
		b.From(Origin{})
	}
	if b.stopped.Load() {
		return errStopped
	}
	if b.err != nil {
		return b.err
	}
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if err := validate(&r, labels); err != nil {
		return err
	}
	return b.add(&r, labels)
}

var errStopped = errors.New("the import has failed")

func (b *Batch) add(r *uplift.Response, labels []uplift.Label) error {
	row, err := b.read(r)
	if err != nil {
		return err
	}
	if err := b.check(row, r, labels); err != nil {
		return err
	}
	changed := b.keepItem(row)
	changed = b.keepResponse(row) || changed
	for i := range labels {
		changed = b.keepLabel(row, &labels[i]) || changed
	}
	b.counts.Rows++
	if !changed {
		b.counts.Unchanged++
	}
	return b.maybeFlush()
}

// validate looks at a row by itself.
func validate(r *uplift.Response, labels []uplift.Label) error {
	for _, f := range [...]struct{ name, value string }{{"model", r.Model}, {"condition", r.Condition}, {"task", r.Task}, {"attack", r.Attack}} {
		if f.value == "" {
			return fmt.Errorf("%s: missing", f.name)
		}
	}
	switch {
	case r.Replicate < 0 || r.Replicate >= math.MaxInt32:
		return fmt.Errorf("replicate: %d (want 0 or more)", r.Replicate)
	case r.Item.Task != "" && r.Item.Task != r.Task:
		return fmt.Errorf("task: the item says %q, the cell %q", r.Item.Task, r.Task)
	case r.Item.Attack != "" && r.Item.Attack != r.Attack:
		return fmt.Errorf("attack: the item says %q, the cell %q", r.Item.Attack, r.Attack)
	case r.Item.Tier != uplift.Untiered && !r.Item.Tier.Known():
		return fmt.Errorf("tier: unknown value %q (want benign, borderline or harmful)", r.Item.Tier)
	case r.Outcome != "" && !knownOutcome(r.Outcome):
		return fmt.Errorf("outcome: unknown value %q", r.Outcome)
	}
	for i := range labels {
		if err := validateLabel(&labels[i]); err != nil {
			return err
		}
	}
	return nil
}

func validateLabel(l *uplift.Label) error {
	rater, single := l.Rater()
	switch {
	case l.Scale == "":
		return errors.New("scale: missing")
	case l.Grader == "" || single && rater == "":
		return errors.New("grader: missing")
	}
	return validateValue(l.Scale, l.Value)
}

func validateValue(scale string, v float64) error {
	rubric := scale == uplift.Correctness || scale == uplift.Actionability || scale == uplift.Caution
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s: %v (want a finite number)", scale, v)
	case rubric && (v < 0 || v > 1):
		return fmt.Errorf("%s: %v (want 0 to 1)", scale, v)
	}
	return nil
}

// knownOutcome compares without the list that [uplift.Outcomes] allocates.
func knownOutcome(o uplift.Outcome) bool {
	switch o {
	case uplift.Answered, uplift.Truncated, uplift.ProviderRefusal, uplift.PromptBlocked, uplift.OutputBlocked,
		uplift.ControllerRefused, uplift.NullAnchor, uplift.Failed, uplift.Unreported:
		return true
	}
	return false
}

// row is a stated row as known sees it. A number or sum of 0 states nothing.
type row struct {
	at, item, arm, replicate int32 // at and item are -1 for a new response, a new item
	task, attack             int32
	family, split, tier      int32
	outcome                  int32
	simulated                bool
	sums                     sums
	turns                    uint64

	text, draft, call, detail       string
	turnsJSON, transcript, decision string
	itemChange, change              change
}

// change is which fields a row adds to what is stored.
type change struct {
	filled, replaced, stated fields
}

func (c change) any() fields { return c.filled | c.replaced }

func (b *Batch) read(r *uplift.Response) (*row, error) {
	k := b.known
	w := &row{task: k.name(r.Task), attack: k.name(r.Attack), replicate: int32(r.Replicate), simulated: r.Simulated,
		family: k.name(r.Item.Family), split: k.name(r.Item.Split), tier: k.name(string(r.Item.Tier)),
		text: r.Text, draft: r.Draft, call: r.Call, detail: r.Detail, item: -1, at: -1}
	w.arm = k.arm(k.name(r.Model), k.name(r.Condition))
	if r.Outcome != uplift.Unreported {
		w.outcome = k.name(string(r.Outcome))
	}
	if at, ok := k.itemAt[pair{w.task, w.attack}]; ok {
		w.item = at
		w.at = k.find(w.arm, at, w.replicate)
	}
	return w, w.encode(r)
}

// encode writes what is kept as JSON and sums what is long.
func (w *row) encode(r *uplift.Response) (err error) {
	if len(r.Item.Turns) > 0 {
		if w.turnsJSON, err = encode(r.Item.Turns); err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		w.turns = sum(w.turnsJSON)
	}
	if len(r.Transcript) > 0 {
		if w.transcript, err = encode(r.Transcript); err != nil {
			return fmt.Errorf("transcript: %w", err)
		}
	}
	if r.Decision != nil {
		if w.decision, err = encode(r.Decision); err != nil {
			return fmt.Errorf("decision: %w", err)
		}
	}
	w.sums = sums{sum(w.text), sum(w.draft), sum(w.transcript), sum(w.decision), sum(w.call), sum(w.detail)}
	return nil
}

func encode(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
