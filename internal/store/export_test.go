package store

import (
	"context"
	"fmt"
	"os"
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

// CreateVersion makes an empty store of an older version.
func CreateVersion(ctx context.Context, path string, version int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	f.Close()
	db, err := connect(path, source{mode: "rw"}, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err != nil {
		return err
	}
	p, err := provider(db)
	if err == nil {
		_, err = p.UpTo(ctx, version)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, multi(insertMeta, 1), "s", "d", stamp(time.Unix(1, 0)))
	}
	return err
}
