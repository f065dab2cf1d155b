package store

import (
	"fmt"
	"strconv"

	uplift "github.com/uplift-eval/uplift"
)

// The fields of an item, and those of a response.
const (
	onFamily fields = 1 << iota
	onSplit
	onTier
	onTurns
)
const (
	onOutcome fields = 1 << iota
	onText
	onDraft
	onTranscript
	onDecision
	onCall
	onDetail
	onSimulated
	onWithheld
)

const (
	inDetails = onOutcome | onDecision | onCall | onDetail | onSimulated | onWithheld
	inTexts   = onText | onDraft | onTranscript
)

// field is one field of a row beside what is stored; 0 states nothing.
type field struct {
	name           string
	bit            fields
	stored, stated uint64
}

// check compares a row with what is stored, before anything is changed, and
// notes what it would change.
func (b *Batch) check(w *row, r *uplift.Response, labels []uplift.Label) error {
	if b.opt.LabelsOnly && w.at < 0 {
		return errNoResponse
	}
	if err := b.checkItem(w, r); err != nil {
		return err
	}
	if err := b.checkResponse(w, r); err != nil {
		return err
	}
	for i := range labels {
		if err := b.checkLabel(w, r, labels[:i], &labels[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Batch) checkItem(w *row, r *uplift.Response) error {
	var old item
	if w.item >= 0 {
		old = b.known.items[w.item]
	}
	list := [...]field{
		{"family", onFamily, uint64(old.family), uint64(w.family)},
		{"split", onSplit, uint64(old.split), uint64(w.split)},
		{"tier", onTier, uint64(old.tier), uint64(w.tier)},
		{"turns", onTurns, old.turns, w.turns},
	}
	bad := b.weigh(list[:], old.file, old.fields, &w.itemChange)
	switch {
	case bad == nil:
		return nil
	case bad.bit == onTurns:
		return b.fixed(r, bad, "another conversation", fmt.Sprintf("one of %d turns", len(r.Item.Turns)))
	}
	return b.fixed(r, bad, b.quote(bad.stored), b.quote(bad.stated))
}

// fixed is a conflict over what is no label.
func (b *Batch) fixed(r *uplift.Response, bad *field, stored, stated string) *Conflict {
	if bad.stored == 0 {
		stored = ""
	}
	return &Conflict{Cell: r.Cell, Field: bad.name, Stored: stored, Stated: stated, Fixed: b.opt.LabelsOnly}
}

func (b *Batch) quote(name uint64) string { return strconv.Quote(b.known.names[name]) }

func (b *Batch) checkResponse(w *row, r *uplift.Response) error {
	var old response
	var was sums
	if w.at >= 0 {
		old = *b.known.responses.at(w.at)
		if old.sums >= 0 {
			was = *b.known.sums.at(old.sums)
		}
		if old.outcome == b.unreported {
			old.outcome = 0
		}
	}
	list := [...]field{
		{"outcome", onOutcome, uint64(old.outcome), uint64(w.outcome)},
		{"text", onText, was.text, w.sums.text},
		{"draft", onDraft, was.draft, w.sums.draft},
		{"transcript", onTranscript, was.transcript, w.sums.transcript},
		{"decision", onDecision, was.decision, w.sums.decision},
		{"call", onCall, was.call, w.sums.call},
		{"error", onDetail, was.detail, w.sums.detail},
		{"withheld", onWithheld, was.withheld, w.sums.withheld},
		{"simulated", onSimulated, bit(old.simulated), bit(w.simulated)},
	}
	bad := b.weigh(list[:], old.file, old.fields, &w.change)
	switch {
	case bad == nil:
		return nil
	case bad.bit == onOutcome:
		return b.fixed(r, bad, b.quote(bad.stored), b.quote(bad.stated))
	case bad.bit == onSimulated:
		return b.fixed(r, bad, "", "true")
	}
	sizes := map[fields]int{onText: len(w.text), onDraft: len(w.draft), onTranscript: len(w.transcript),
		onDecision: len(w.decision), onCall: len(w.call), onDetail: len(w.detail), onWithheld: len(w.withheld)}
	return b.fixed(r, bad, "another", fmt.Sprintf("one of %d bytes", sizes[bad.bit]))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// weigh sorts fields into those that fill and those that replace; it returns
// one that conflicts. file and already say what the last import stated.
func (b *Batch) weigh(list []field, file int32, already fields, c *change) *field {
	if file != b.origin || b.origin == 0 {
		already = 0
	}
	c.stated = already
	for i := range list {
		f := &list[i]
		switch {
		case f.stated == 0:
			continue
		case f.stored == f.stated:
		case b.opt.LabelsOnly:
			return f
		case f.stored == 0:
			c.filled |= f.bit
		case b.opt.Supersede && already&f.bit == 0:
			c.replaced |= f.bit
		default:
			return f
		}
		c.stated |= f.bit
	}
	return nil
}

func (b *Batch) checkLabel(w *row, r *uplift.Response, before []uplift.Label, l *uplift.Label) error {
	for i := range before {
		if p := &before[i]; p.Scale == l.Scale && p.Grader == l.Grader && p.Value != l.Value {
			return labelConflict(r, l, p.Value)
		}
	}
	if w.at < 0 {
		return nil
	}
	at := b.known.findLabel(w.at, b.measure(l))
	if at < 0 {
		return nil
	}
	old := b.known.labels.at(at)
	if old.value == l.Value || b.opt.Supersede && (b.origin == 0 || old.file != b.origin) {
		return nil
	}
	return labelConflict(r, l, old.value)
}

func labelConflict(r *uplift.Response, l *uplift.Label, stored float64) error {
	show := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return &Conflict{Cell: r.Cell, Field: l.Scale + " by " + l.Grader, Stored: show(stored), Stated: show(l.Value)}
}

func (b *Batch) measure(l *uplift.Label) int32 {
	return b.known.measure(b.known.name(l.Scale), b.known.name(l.Grader))
}
