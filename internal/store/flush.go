package store

// maybeFlush hands rows on when enough are waiting.
func (b *Batch) maybeFlush() error {
	waiting := max(b.known.responses.len()-b.saved.responses, b.known.labels.len()-b.saved.labels,
		(len(b.queue.itemDetails)+len(b.queue.responseDetails)+len(b.queue.texts)+len(b.queue.relabels))/5)
	if waiting < queueRows && b.queue.bytes < queueBytes {
		return nil
	}
	return b.flush()
}

// flush hands on what has been added since the last time, parents first.
func (b *Batch) flush() error {
	var jobs []job
	add := func(insert string, args []any) {
		if len(args) > 0 {
			jobs = append(jobs, job{insert, columns(insert), args})
		}
	}
	add(insertNames, b.newNames())
	add(insertArms, newPairs(b.known.arms, &b.saved.arms))
	add(insertMeasures, newPairs(b.known.measures, &b.saved.measures))
	add(insertItems, b.newItems())
	add(insertItemDetails, b.queue.itemDetails)
	add(insertResponses, b.newResponses())
	add(insertResponseDetails, b.queue.responseDetails)
	add(insertTexts, b.queue.texts)
	add(insertCalls, b.queue.calls)
	add(insertAttempts, b.queue.attempts)
	add(insertBodies, b.queue.bodies)
	add(insertLabels, b.newLabels())
	add(insertLabels, b.queue.relabels)
	b.queue = queue{}
	if len(jobs) == 0 {
		return nil
	}
	return b.hand(jobs)
}

// hand gives jobs to the inserting goroutine, or does them.
func (b *Batch) hand(jobs []job) error {
	if b.jobs == nil {
		if err := b.w.run(b.ctx, jobs); err != nil {
			b.err = err // finish fails too: no part of a group is kept
		}
		return b.err
	}
	b.jobs <- jobs
	return nil
}

// runAll inserts what comes until jobs is closed. After an error it only drains.
func (b *Batch) runAll() error {
	var failed error
	for jobs := range b.jobs {
		if failed != nil {
			continue
		}
		if failed = b.w.run(b.ctx, jobs); failed != nil {
			b.stopped.Store(true)
		}
	}
	return failed
}

func (b *Batch) newNames() (args []any) {
	for ; b.saved.names < len(b.known.names); b.saved.names++ {
		args = append(args, int64(b.saved.names), b.known.names[b.saved.names])
	}
	return args
}

func newPairs(list []pair, from *int) (args []any) {
	for ; *from < len(list); *from++ {
		p := list[*from]
		args = append(args, int64(*from+1), int64(p[0]), int64(p[1]))
	}
	return args
}

func (b *Batch) newItems() (args []any) {
	for ; b.saved.items < len(b.known.items); b.saved.items++ {
		it := &b.known.items[b.saved.items]
		args = append(args, int64(b.saved.items+1), int64(it.task), int64(it.attack))
	}
	return args
}

func (b *Batch) newResponses() []any {
	list, from := &b.known.responses, b.saved.responses
	args := make([]any, 0, 7*(list.len()-from))
	for ; b.saved.responses < list.len(); b.saved.responses++ {
		r := list.at(int32(b.saved.responses))
		args = append(args, int64(b.saved.responses+1), int64(r.arm+1), int64(r.item+1), int64(r.replicate),
			int64(r.outcome), int64(bit(r.simulated)), b.nullOrigin())
	}
	return args
}

func (b *Batch) newLabels() []any {
	list, from := &b.known.labels, b.saved.labels
	args := make([]any, 0, 5*(list.len()-from))
	for ; b.saved.labels < list.len(); b.saved.labels++ {
		l := list.at(int32(b.saved.labels))
		args = append(args, int64(l.response+1), int64(l.measure+1), int64(l.revision), l.value, b.nullOrigin())
	}
	return args
}
