package store

import (
	"context"
	"database/sql"
	"errors"
)

// queryer is what *sql.DB, *sql.Conn and *sql.Tx have in common.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// record is one row of a query. It remembers whether a column held what it
// cannot hold, which each reports as damage.
type record struct {
	cells []any
	bad   bool
}

// index is a column that holds an id in [0, n).
func (r *record) index(i, n int) int32 {
	v, ok := r.cells[i].(int64)
	if !ok || v < 0 || v >= int64(n) {
		r.bad = true
		return 0
	}
	return int32(v)
}

// two is a column that holds two numbers in [0, 2^31), the first 32 bits up.
func (r *record) two(i int) (first, second int32) {
	v, ok := r.cells[i].(int64)
	if !ok || v < 0 || v&(1<<31) != 0 {
		r.bad = true
		return 0, 0
	}
	return int32(v >> 32), int32(v)
}

// number is a column that holds an integer, or NULL for 0.
func (r *record) number(i int) int64 {
	v, ok := r.cells[i].(int64)
	r.bad = r.bad || !ok && r.cells[i] != nil
	return v
}

// float is a column that holds a number.
func (r *record) float(i int) float64 {
	v, ok := r.cells[i].(float64)
	r.bad = r.bad || !ok
	return v
}

// text is a column that holds text; set is false for NULL.
func (r *record) text(i int) (s string, set bool) {
	s, set = r.cells[i].(string)
	r.bad = r.bad || !set && r.cells[i] != nil
	return s, set
}

// each calls use for every row of a query. The record is used again.
func each(ctx context.Context, q queryer, query string, columns int, use func(*record) error, args ...any) error {
	return ended(ctx, scan(ctx, q, query, columns, use, args...))
}

// ended says of a transaction that is over because its context is that it was
// cancelled.
func ended(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func scan(ctx context.Context, q queryer, query string, columns int, use func(*record) error, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := record{cells: make([]any, columns)}
	dest := make([]any, columns)
	for i := range dest {
		dest[i] = &r.cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := use(&r); err != nil {
			return err
		}
		if r.bad {
			return errOddRow
		}
	}
	return rows.Err()
}

// errOddRow is wrapped with the path by explain.
var errOddRow = errors.New("a row holds what it cannot hold")

// rowQueryer asks for one row.
type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
