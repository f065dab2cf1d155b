// Package store answers what is kept: every response, text, call, rating and
// label of one study, append-only, in one SQLite file.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
)

// Errors that a caller may branch on; each comes wrapped with the path and
// with what to do.
var (
	ErrMissing    = errors.New("no study database here")
	ErrExists     = errors.New("a study database is already here")
	ErrForeign    = errors.New("not a study database")
	ErrNewer      = errors.New("written by a newer version")
	ErrReadOnly   = errors.New("cannot be written")
	ErrCorrupt    = errors.New("damaged")
	ErrLocked     = errors.New("in use by another process")
	ErrFull       = errors.New("the disk is full")
	ErrRatingOpen = errors.New("rating is open")
	ErrFrozen     = errors.New("rating is closed")
)

// Mode says what a store is opened for. The zero value is invalid.
type Mode int

// The modes.
const (
	ReadWrite Mode = iota + 1
	ReadOnly
)

// Meta says which study a store belongs to.
type Meta struct {
	Study   string    // the study's name
	Digest  string    // of the study file's canonical form
	Created time.Time // given by the caller
	Schema  int       // version of the tables; ignored by Create
}

// Store is one open study database. It is safe for concurrent use.
type Store struct{ db *sql.DB }

// Create makes a new store at path and opens it for writing.
func Create(ctx context.Context, path string, study Meta) (*Store, error) { return &Store{}, errUnbuilt }

// Open opens the store at path.
func Open(ctx context.Context, path string, mode Mode) (*Store, error) { return &Store{}, errUnbuilt }

// Close ends the writer and closes the file.
func (s *Store) Close() error { return nil }

// Meta says which study the store belongs to.
func (s *Store) Meta(ctx context.Context) (Meta, error) { return Meta{}, errUnbuilt }

// Origin says where imported rows come from.
type Origin struct {
	File, SHA256, Format string
	At                   time.Time // when, by the caller's clock
	Supersede            bool      // a stated value replaces a stored one that differs
}

// ImportCounts says what an import changed.
type ImportCounts struct {
	Rows       int // calls of Add
	Responses  int // new responses
	Labels     int // new labels
	Marks      int // new marks of single raters
	Filled     int // responses and items of which an empty field is now stated
	Superseded int // responses, items, labels and marks whose stored value was replaced
	Unchanged  int // rows that said nothing new
}

// Conflict is a stated value that differs from the stored one.
type Conflict struct {
	Cell           uplift.Cell
	Field          string // such as "tier" or "label compliance by human"
	Stored, Stated string
}

// Conflict says what differs.
func (c *Conflict) Conflict() string {
	return fmt.Sprintf("%s: stored %s, now stated %s", c.Field, c.Stored, c.Stated)
}

// Error names the cell and what differs.
func (c *Conflict) Error() string { return c.Cell.String() + ": " + c.Conflict() }

// Batch takes the rows of one import.
type Batch struct{}

// Add takes one response with labels on it.
func (b *Batch) Add(r uplift.Response, labels ...uplift.Label) error { return errUnbuilt }

// Import runs fill and keeps what it added: all or nothing.
func (s *Store) Import(ctx context.Context, from Origin, fill func(*Batch) error) (ImportCounts, error) {
	return ImportCounts{}, errUnbuilt
}

// Responses yields every response without transcript, text, draft and turns.
func (s *Store) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) { yield(uplift.Response{}, errUnbuilt) }
}

// Texts yields every response complete.
func (s *Store) Texts(ctx context.Context) iter.Seq2[uplift.Response, error] { return s.Responses(ctx) }

// Labels yields every label.
func (s *Store) Labels(ctx context.Context) iter.Seq2[uplift.Label, error] {
	return func(yield func(uplift.Label, error) bool) { yield(uplift.Label{}, errUnbuilt) }
}

// Done gives the ids of the cells held.
func (s *Store) Done(ctx context.Context) (map[string]bool, error) { return nil, errUnbuilt }

// Call finds an upstream call by its digest.
func (s *Store) Call(ctx context.Context, digest string) (uplift.Call, bool, error) {
	return uplift.Call{}, false, errUnbuilt
}

// PutCall keeps a call; durable on return.
func (s *Store) PutCall(ctx context.Context, c uplift.Call) error { return errUnbuilt }

// PutResponse keeps a response; durable on return.
func (s *Store) PutResponse(ctx context.Context, r uplift.Response) error { return errUnbuilt }

// PutRows keeps which response each blinded row shows: row id to response id.
func (s *Store) PutRows(ctx context.Context, rows map[string]string) error { return errUnbuilt }

// PutRatings keeps ratings of open rows.
func (s *Store) PutRatings(ctx context.Context, ratings ...rating.Rating) error { return errUnbuilt }

// Freeze closes the rating of all rows.
func (s *Store) Freeze(ctx context.Context) error { return errUnbuilt }

var errUnbuilt = errors.New("store: not built yet")
