package store

import (
	"context"
	"time"
)

// OpenWithin opens a store for writing that waits less for others, or may grow less.
func OpenWithin(ctx context.Context, path string, busy time.Duration, maxPages int) (*Store, error) {
	s, err := open(ctx, path, ReadWrite, limits{busy: busy, maxPages: maxPages})
	return s, explain(path, err)
}

// Judge looks at a file's header.
func Judge(path string, header []byte, size int64) error { return judge(path, header, size) }

// WriterPragma asks the connection that writes.
func WriterPragma(s *Store, name string) (value string, err error) {
	err = s.writer.conn.QueryRowContext(context.Background(), `PRAGMA `+name).Scan(&value)
	return value, err
}

// Between calls act between the steps of each read.
func Between(s *Store, act func(step string)) { s.views.step = act }

// Place moves a draft to its path, by link where that works.
func Place(draft, path string, link func(from, to string) error) error {
	return place(draft, path, link)
}
