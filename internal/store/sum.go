package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// sum stands for a text in comparisons: the first 8 bytes of its SHA-256, and
// 0 only for the empty text. (Two different texts of one response that share
// it, once in 2^64, would pass for equal.)
func sum(text string) uint64 {
	if text == "" {
		return 0
	}
	h := sha256.Sum256([]byte(text))
	return max(1, binary.BigEndian.Uint64(h[:]))
}

// rawHash is the SHA-256 of a body as a call and an attempt name it: 64 hex
// digits, and empty for none.
func rawHash(raw []byte) string {
	if raw == nil {
		return ""
	}
	h := sha256.Sum256(raw)
	return hex.EncodeToString(h[:])
}
