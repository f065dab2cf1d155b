package store

import (
	"context"
	"hash/maphash"
	"sync"
)

// unheld knows of digests that the file holds nothing of, so that a study's
// first run, which asks for each of its calls before it is made, need not look.
// That is sure where the file had no call when it was opened, and nobody else
// wrote since. The zero value is sure of nothing.
type unheld struct {
	mu      sync.Mutex
	sure    bool
	version int64 // of the file, as the writer's connection saw it
	seed    maphash.Seed
	put     map[uint64]struct{} // sums of what this process put, or tried to
}

// mostPut bounds the sums that are kept. Who puts more looks again.
const mostPut = 1 << 18

// begin looks whether the file has no call. The version comes first: what
// somebody writes after it is noticed.
func (u *unheld) begin(ctx context.Context, q rowQueryer) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := q.QueryRowContext(ctx, selectFileVersion).Scan(&u.version); err != nil {
		return err
	}
	if err := q.QueryRowContext(ctx, selectNoCalls).Scan(&u.sure); err != nil {
		return err
	}
	u.seed, u.put = maphash.MakeSeed(), map[uint64]struct{}{}
	return nil
}

// at is told the version of the file by whoever is going to write.
func (u *unheld) at(version int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sure && u.version != version {
		u.sure, u.put = false, nil
	}
}

// has reports that nothing of a digest is held for sure.
func (u *unheld) has(digest string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.sure {
		return false
	}
	_, put := u.put[maphash.String(u.seed, digest)]
	return !put
}

// lose is told of a digest before anything of it is put.
func (u *unheld) lose(digest string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.sure {
		return
	}
	if len(u.put) == mostPut {
		u.sure, u.put = false, nil
		return
	}
	u.put[maphash.String(u.seed, digest)] = struct{}{}
}
