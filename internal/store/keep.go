package store

import (
	uplift "github.com/uplift-eval/uplift"
)

// keepItem makes the item of a row what it says; it reports whether that
// changed anything that was there before.
func (b *Batch) keepItem(w *row) bool {
	k, c := b.known, w.itemChange
	fresh := w.item < 0
	if fresh {
		w.item = int32(len(k.items))
		k.items = append(k.items, item{task: w.task, attack: w.attack})
		k.itemAt[pair{w.task, w.attack}] = w.item
	}
	it := &k.items[w.item]
	it.file, it.fields = b.origin, c.stated
	if c.any() == 0 {
		return false
	}
	set := func(to *int32, bit fields, v int32) any {
		if c.any()&bit == 0 {
			return nil
		}
		*to = v
		return v
	}
	b.queue.itemDetails = append(b.queue.itemDetails, w.item+1, set(&it.family, onFamily, w.family),
		set(&it.split, onSplit, w.split), set(&it.tier, onTier, w.tier), textIf(c.any()&onTurns != 0, w.turnsJSON), b.nullOrigin())
	if c.any()&onTurns != 0 {
		it.turns = w.turns
	}
	b.queue.bytes += len(w.turnsJSON)
	if !fresh {
		b.account(c)
	}
	return true
}

// account counts a change of what was there before.
func (b *Batch) account(c change) {
	if c.replaced != 0 {
		b.counts.Superseded++
	} else if c.filled != 0 {
		b.counts.Filled++
	}
}

// textIf is a text, or NULL, which states nothing.
func textIf(stated bool, s string) any {
	if !stated {
		return nil
	}
	return s
}

func (b *Batch) nullOrigin() any {
	if b.origin == 0 {
		return nil
	}
	return b.origin
}

// keepResponse makes the response of a row what it says.
func (b *Batch) keepResponse(w *row) bool {
	k, c := b.known, w.change
	fresh := w.at < 0
	if fresh {
		outcome := w.outcome
		if outcome == 0 {
			outcome = b.unreported
		}
		w.at = k.addResponse(response{arm: w.arm, item: w.item, replicate: w.replicate, outcome: outcome,
			simulated: w.simulated, first: -1, sums: -1})
		c.filled &^= onOutcome | onSimulated // they stand in the row itself
		b.counts.Responses++
	}
	r := k.responses.at(w.at)
	r.file, r.fields = b.origin, c.stated
	b.state(w, c.any())
	if !fresh {
		b.account(c)
	}
	return fresh || c.any() != 0
}

// state adds statements of some fields of a response.
func (b *Batch) state(w *row, on fields) {
	k := b.known
	r := k.responses.at(w.at)
	if on&inDetails != 0 {
		var outcome, simulated any
		if on&onOutcome != 0 {
			outcome, r.outcome = w.outcome, w.outcome
		}
		if on&onSimulated != 0 {
			simulated, r.simulated = bit(w.simulated), w.simulated
		}
		b.queue.responseDetails = append(b.queue.responseDetails, w.at+1, outcome, simulated,
			textIf(on&onDecision != 0, w.decision), textIf(on&onCall != 0, w.call), textIf(on&onDetail != 0, w.detail),
			textIf(on&onWithheld != 0, w.withheld), b.nullOrigin())
	}
	if on&inTexts != 0 {
		sumIf := func(bit fields, v uint64) any {
			if on&bit == 0 {
				return nil
			}
			return int64(v)
		}
		s, transcript := w.same(on)
		b.queue.texts = append(b.queue.texts, w.at+1, sumIf(onText, w.sums.text), sumIf(onDraft, w.sums.draft), sumIf(onTranscript, w.sums.transcript),
			textIf(on&onText != 0 && s&textIsDraft == 0, w.text), textIf(on&onDraft != 0, w.draft), textIf(on&onTranscript != 0, transcript), s, b.nullOrigin())
		b.queue.bytes += len(w.draft) + len(transcript)
		if s&textIsDraft == 0 {
			b.queue.bytes += len(w.text)
		}
	}
	b.queue.bytes += len(w.decision) + len(w.detail)
	if on&(inTexts|inDetails&^onOutcome&^onSimulated) != 0 {
		b.known.sumsOf(r).take(&w.sums, on)
	}
}

// take copies the sums of some fields.
func (s *sums) take(from *sums, on fields) {
	for _, f := range [...]struct {
		bit      fields
		to, from *uint64
	}{{onText, &s.text, &from.text}, {onDraft, &s.draft, &from.draft}, {onTranscript, &s.transcript, &from.transcript},
		{onDecision, &s.decision, &from.decision}, {onCall, &s.call, &from.call}, {onDetail, &s.detail, &from.detail}, {onWithheld, &s.withheld, &from.withheld}} {
		if on&f.bit != 0 {
			*f.to = *f.from
		}
	}
}

// keepLabel keeps a label that is new or, where it may, one that differs.
func (b *Batch) keepLabel(w *row, l *uplift.Label) bool {
	k := b.known
	measure := b.measure(l)
	at := k.findLabel(w.at, measure)
	if at < 0 {
		k.addLabel(label{value: l.Value, response: w.at, measure: measure, revision: 1, file: b.origin})
		if k.rater[measure] {
			b.counts.Marks++
		} else {
			b.counts.Labels++
		}
		return true
	}
	old := k.labels.at(at)
	old.file = b.origin
	if old.value == l.Value {
		return false
	}
	old.value = l.Value
	old.revision++
	b.queue.relabels = append(b.queue.relabels, w.at+1, measure+1, old.revision, old.value, b.nullOrigin())
	b.counts.Superseded++
	return true
}
