package store

import (
	"context"
	"errors"
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
	bare   []int32 // by item: rows since From that state no tier

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
	calls, attempts, bodies                       []any
	heldCalls                                     map[string]heldCall
	heldAttempts                                  map[attemptKey][attemptColumns]any
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
	b.counts, b.bare = ImportCounts{}, nil
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
	row, err := read(r)
	if err != nil {
		return err
	}
	return b.addRow(row, r, labels)
}

func (b *Batch) addRow(row *row, r *uplift.Response, labels []uplift.Label) error {
	b.find(row, r)
	if err := b.check(row, r, labels); err != nil {
		return err
	}
	changed := b.keepItem(row)
	changed = b.keepResponse(row) || changed
	for i := range labels {
		changed = b.keepLabel(row, &labels[i]) || changed
	}
	b.counts.Rows++
	if row.tier == 0 {
		b.noteBare(row.item)
	}
	if !changed {
		b.counts.Unchanged++
	}
	return b.maybeFlush()
}
