package store

import (
	"context"
	"fmt"
	"time"
)

// Options of an import.
type Options struct {
	At        time.Time // when, by the caller's clock
	Supersede bool      // a stated value replaces a stored one that differs; both are kept
	// LabelsOnly takes labels of responses that are held, and nothing else: what a
	// row says of response and item must be what is stored, and is never filled in
	// or superseded.
	LabelsOnly bool
}

// Origin is the file that rows come from.
type Origin struct {
	File   string // as it was named
	SHA256 string // of its bytes
	Format string // such as "xstest"
}

// Imported is one file that was imported.
type Imported struct {
	Origin
	Options
	ImportCounts
}

// ImportCounts says what an import, or one of its files, changed.
type ImportCounts struct {
	Rows       int `json:"rows"`       // calls of Add that were taken
	Responses  int `json:"responses"`  // new
	Labels     int `json:"labels"`     // new, by people as a whole, judges and scorers
	Marks      int `json:"marks"`      // new, by single raters
	Filled     int `json:"filled"`     // responses and items of which a field was empty and is now stated
	Superseded int `json:"superseded"` // responses, items, labels and marks of which a value was replaced
	Unchanged  int `json:"unchanged"`  // rows that said nothing new
}

func (c *ImportCounts) add(d ImportCounts) {
	c.Rows += d.Rows
	c.Responses += d.Responses
	c.Labels += d.Labels
	c.Marks += d.Marks
	c.Filled += d.Filled
	c.Superseded += d.Superseded
	c.Unchanged += d.Unchanged
}

// Import keeps every row that fill adds to the batch, or none: when fill or
// the file fails, the store stays as it was and the error is returned. fill
// may go on after an error of Add, whose row is left out.
//
// Other writers wait until it ends, so fill must not write to this store
// except through the batch.
func (s *Store) Import(ctx context.Context, opt Options, fill func(*Batch) error) (ImportCounts, error) {
	if s.writer == nil {
		return ImportCounts{}, s.errNotWritable()
	}
	var counts ImportCounts
	err := s.writer.transact(ctx, inBulk, func() (err error) {
		counts, err = s.writer.fill(ctx, opt, fill)
		return err
	})
	if err != nil {
		return ImportCounts{}, err
	}
	return counts, nil
}

// fill runs beside the goroutine that inserts what it adds.
func (w *writer) fill(ctx context.Context, opt Options, fill func(*Batch) error) (ImportCounts, error) {
	b := newBatch(ctx, w, opt)
	b.jobs = make(chan []job, 4)
	ended := make(chan error, 1)
	go func() { ended <- b.runAll() }()
	var failed error
	err := func() error {
		defer func() { // also when fill panics
			close(b.jobs)
			failed = <-ended
		}()
		if err := fill(b); err != nil {
			return err
		}
		return b.finish()
	}()
	if failed != nil {
		err = failed // the cause; what fill saw came of it
	}
	return b.total, err
}

// Origins lists the imported files, in order.
func (s *Store) Origins(ctx context.Context) ([]Imported, error) {
	var list []Imported
	err := each(ctx, s.readers, selectOrigins, 12, func(r *record) error {
		var i Imported
		i.File, _ = r.text(0)
		i.SHA256, _ = r.text(1)
		i.Format, _ = r.text(2)
		at, _ := r.text(3)
		i.Supersede = r.number(4) != 0
		for n, field := range []*int{&i.Rows, &i.Responses, &i.Labels, &i.Marks, &i.Filled, &i.Superseded, &i.Unchanged} {
			*field = int(r.number(n + 5))
		}
		var err error
		i.At, err = time.Parse(stampForm, at)
		list = append(list, i)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read %w", explain(s.path, err))
	}
	return list, nil
}
