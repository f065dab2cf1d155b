package store

import (
	"context"
	"database/sql"
)

// views opens views of the file. Their connections are their own and as many
// as are asked for: a view is held while somebody walks the responses, and who
// waits for a second connection must not wait for those who do the same.
type views struct {
	db *sql.DB
	schema
	step func(name string) // what a test does between the steps of a read
}

func newViews(path string, src source) (*views, error) {
	db, err := connect(path, src, anyNumber)
	if err != nil {
		return nil, err
	}
	return &views{db: db}, nil
}

func (v *views) at(step string) {
	if v.step != nil {
		v.step(step)
	}
}

// view is a connection and, once it is pinned, the transaction in which it
// sees the file as it was at one moment.
type view struct {
	conn *sql.Conn
	schema
	*sql.Tx
}

func (v *views) open(ctx context.Context) (*view, error) {
	conn, err := v.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &view{conn: conn, schema: v.schema}, nil
}

// pin fixes the moment, by the first query. The version is that of the file as
// this connection sees it: equal versions of one connection say that nobody
// committed in between.
func (w *view) pin(ctx context.Context) (version int64, err error) {
	if w.Tx, err = w.conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}); err != nil {
		w.Tx = nil
		return 0, err
	}
	err = w.QueryRowContext(ctx, selectFileVersion).Scan(&version)
	return version, ended(ctx, err)
}

func (w *view) unpin() {
	if w.Tx != nil {
		w.Rollback()
		w.Tx = nil
	}
}

func (w *view) close() {
	w.unpin()
	w.conn.Close()
}

// moment is the file as it was at one moment.
type moment struct {
	*view
	beside *view // of the same moment, so that two can read at once; nil when there is none
}

func (m *moment) close() {
	m.view.close()
	if m.beside != nil {
		m.beside.close()
	}
}

// now sees the file as it is now.
func (v *views) now(ctx context.Context) (*moment, error) {
	w, err := v.open(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := w.pin(ctx); err != nil {
		w.close()
		return nil, err
	}
	return &moment{view: w}, nil
}

// pinTries is how often two views are pinned again because somebody committed
// between them; then one has to do.
const pinTries = 5

// nowTwice sees the file as it is now over two connections. They show the same
// moment when, for one of them, nothing was committed from before the other was
// pinned until it was pinned itself.
func (v *views) nowTwice(ctx context.Context) (*moment, error) {
	m, err := v.now(ctx)
	if err != nil {
		return nil, err
	}
	beside, err := v.open(ctx)
	if err != nil {
		m.close()
		return nil, err
	}
	for range pinTries {
		same, err := v.pinBoth(ctx, m.view, beside)
		if err != nil {
			m.close()
			beside.close()
			return nil, err
		}
		if same {
			m.beside = beside
			return m, nil
		}
	}
	beside.close()
	return m, nil
}

// pinBoth pins two views and says whether they show the same moment.
func (v *views) pinBoth(ctx context.Context, w, beside *view) (same bool, err error) {
	w.unpin()
	beside.unpin()
	var before int64
	if err := w.conn.QueryRowContext(ctx, selectFileVersion).Scan(&before); err != nil {
		return false, err
	}
	v.at("version")
	if _, err := beside.pin(ctx); err != nil {
		return false, err
	}
	v.at("one pinned")
	after, err := w.pin(ctx)
	v.at("both pinned")
	return before == after, err
}
