package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxBody bounds a body when it is unpacked, so that a damaged file asks for no
// more memory than that.
const maxBody = 64 << 20

// The coder keeps no state between bodies. Both are safe for concurrent use.
var (
	packer, packerErr     = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	unpacker, unpackerErr = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxBody), zstd.WithDecoderLowmem(true))
)

func compress(raw []byte) []byte {
	if err := errors.Join(packerErr, unpackerErr); err != nil {
		panic("store: options of zstd: " + err.Error()) // which are constant
	}
	return packer.EncodeAll(raw, make([]byte, 0, len(raw)/2+64))
}

// Raw finds a body by its SHA-256; found is false when it is not kept.
func (s *Store) Raw(ctx context.Context, hash string) (raw []byte, found bool, err error) {
	if s.views.schema < 2 {
		return nil, false, nil
	}
	var packed []byte
	err = s.readers.QueryRowContext(ctx, selectBody, hash).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err == nil {
		raw, err = unpack(packed, hash)
	}
	if err != nil {
		return nil, false, fmt.Errorf("read body %s: %w", hash, explain(s.path, err))
	}
	return raw, true, nil
}

func unpack(packed []byte, hash string) ([]byte, error) {
	raw, err := unpacker.DecodeAll(packed, []byte{})
	if err != nil || rawHash(raw) != hash {
		return nil, errOddRow
	}
	return raw, nil
}
