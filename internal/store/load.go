package store

import (
	"context"
)

// extent says how much is loaded.
type extent int

const (
	justCells  extent = iota // responses as they are now
	withLabels               // and labels
	toWrite                  // and the sums by which stated texts are compared
)

// load reads the file as it was at a moment. Labels are read at the same time
// as the rest where there is a second connection, which halves the time.
func load(ctx context.Context, m *moment, much extent) (*known, error) {
	k := newKnown()
	k.schema = m.schema
	if much == justCells {
		return k, k.loadRest(ctx, m, much)
	}
	if m.beside == nil {
		labels, err := loadLabels(ctx, m)
		if err == nil {
			err = k.loadRest(ctx, m, much)
		}
		if err != nil {
			return nil, err
		}
		return k, k.link(labels)
	}
	both, stop := context.WithCancel(ctx)
	defer stop()
	type read struct {
		labels paged[label]
		err    error
	}
	done := make(chan read, 1)
	go func() {
		list, err := loadLabels(both, m.beside)
		done <- read{list, err}
	}()
	err := k.loadRest(both, m, much)
	if err != nil {
		stop()
	}
	got := <-done
	if err == nil {
		err = got.err
	}
	if err != nil {
		return nil, ended(ctx, err) // both may hear of it later than the transactions
	}
	return k, k.link(got.labels)
}

// loadLabels reads the current label of every response and measure; the
// revisions of one come one after the other.
func loadLabels(ctx context.Context, q queryer) (list paged[label], err error) {
	err = each(ctx, q, selectLabels, 2, func(r *record) error {
		response, measure := r.two(0)
		l := label{response: response - 1, measure: measure - 1, value: r.float(1), revision: 1}
		if n := list.len(); n > 0 {
			if last := list.at(int32(n - 1)); last.response == l.response && last.measure == l.measure {
				last.revision, last.value = last.revision+1, l.value
				return nil
			}
		}
		list.add(l)
		return nil
	})
	return list, err
}

// link hangs the labels on their responses.
func (k *known) link(labels paged[label]) error {
	for i := int32(labels.len()) - 1; i >= 0; i-- {
		l := labels.at(i)
		if uint(l.response) >= uint(k.responses.len()) || uint(l.measure) >= uint(len(k.measures)) {
			return errOddRow
		}
		r := k.responses.at(l.response)
		l.next, r.first = r.first, i
	}
	k.labels = labels
	return nil
}

func (k *known) loadRest(ctx context.Context, q queryer, much extent) error {
	steps := []func(context.Context, queryer) error{k.loadImports, k.loadNames, k.loadItems, k.loadItemDetails, k.loadResponses}
	if much == toWrite {
		steps = append(steps, k.indexCells, k.loadDetailSums, k.loadTextSums)
	} else {
		steps = append(steps, k.loadOutcomes)
	}
	for _, step := range steps {
		if err := step(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// next makes sure that ids are dense.
func next(r *record, list int) {
	if r.number(0) != int64(list)+1 {
		r.bad = true
	}
}

func (k *known) loadImports(ctx context.Context, q queryer) error {
	return each(ctx, q, selectLastImport, 1, func(r *record) error {
		k.imports = int32(r.number(0))
		return nil
	})
}

func (k *known) loadNames(ctx context.Context, q queryer) error {
	err := each(ctx, q, selectNames, 2, func(r *record) error {
		s, _ := r.text(1)
		r.bad = r.bad || int64(k.name(s)) != r.number(0)
		return nil
	})
	if err != nil {
		return err
	}
	err = each(ctx, q, selectArms, 3, func(r *record) error {
		next(r, len(k.arms))
		k.arm(r.index(1, len(k.names)), r.index(2, len(k.names)))
		return nil
	})
	if err != nil {
		return err
	}
	return each(ctx, q, selectMeasures, 3, func(r *record) error {
		next(r, len(k.measures))
		k.measure(r.index(1, len(k.names)), r.index(2, len(k.names)))
		return nil
	})
}

func (k *known) loadItems(ctx context.Context, q queryer) error {
	return each(ctx, q, selectItems, 3, func(r *record) error {
		next(r, len(k.items))
		k.itemAt[pair{r.index(1, len(k.names)), r.index(2, len(k.names))}] = int32(len(k.items))
		k.items = append(k.items, item{task: r.index(1, len(k.names)), attack: r.index(2, len(k.names))})
		return nil
	})
}

func (k *known) loadItemDetails(ctx context.Context, q queryer) error {
	return each(ctx, q, selectItemDetails, 5, func(r *record) error {
		at := r.number(0) - 1
		if at < 0 || at >= int64(len(k.items)) {
			return errOddRow
		}
		it := &k.items[at]
		for i, field := range []*int32{&it.family, &it.split, &it.tier} {
			if r.cells[i+1] != nil {
				*field = r.index(i+1, len(k.names))
			}
		}
		if turns, set := r.text(4); set {
			it.turns = sum(turns)
		}
		return nil
	})
}

func (k *known) loadResponses(ctx context.Context, q queryer) error {
	return each(ctx, q, selectResponses, 3, func(r *record) error {
		next(r, k.responses.len())
		arm, item := r.two(1)
		replicate, state := r.two(2)
		switch {
		case r.bad, arm < 1, int(arm) > len(k.arms), item < 1, int(item) > len(k.items), int(state/2) >= len(k.names):
			return errOddRow
		}
		k.responses.add(response{arm: arm - 1, item: item - 1, replicate: replicate,
			outcome: state / 2, simulated: state%2 == 1, first: -1, sums: -1})
		return nil
	})
}

func (k *known) indexCells(context.Context, queryer) error {
	k.cells.grow(k.responses.len())
	for at := range int32(k.responses.len()) {
		k.cells.put(&k.responses, at)
	}
	return nil
}

// responseOf is the response of a statement.
func (k *known) responseOf(r *record) (*response, error) {
	at := r.number(0) - 1
	if at < 0 || at >= int64(k.responses.len()) {
		return nil, errOddRow
	}
	return k.responses.at(int32(at)), nil
}

func (k *known) loadOutcomes(ctx context.Context, q queryer) error {
	return each(ctx, q, selectOutcomes, 3, k.takeOutcome)
}

func (k *known) takeOutcome(r *record) error {
	re, err := k.responseOf(r)
	if err != nil {
		return err
	}
	re.detailed = true
	if r.cells[1] != nil {
		re.outcome = r.index(1, len(k.names))
	}
	if r.cells[2] != nil {
		re.simulated = r.number(2) != 0
	}
	return nil
}

func (k *known) loadDetailSums(ctx context.Context, q queryer) error {
	return each(ctx, q, k.query(selectDetails), 7, func(r *record) error {
		if err := k.takeOutcome(r); err != nil {
			return err
		}
		re, _ := k.responseOf(r)
		s := k.sumsOf(re)
		for i, field := range []*uint64{&s.decision, &s.call, &s.detail, &s.withheld} {
			if v, set := r.text(i + 3); set {
				*field = sum(v)
			}
		}
		return nil
	})
}

func (k *known) loadTextSums(ctx context.Context, q queryer) error {
	return each(ctx, q, selectTextSums, 4, func(r *record) error {
		re, err := k.responseOf(r)
		if err != nil {
			return err
		}
		s := k.sumsOf(re)
		for i, field := range []*uint64{&s.text, &s.draft, &s.transcript} {
			if r.cells[i+1] != nil {
				*field = uint64(r.number(i + 1))
			}
		}
		return nil
	})
}
