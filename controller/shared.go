package controller

import (
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"sync"
	"weak"
)

// shared finds the automata that are in use by their patterns. An automaton never
// changes, takes some megabytes, and the many configurations of one policy look for
// the same phrases. What nobody uses any more is not kept.
var shared struct {
	sync.Mutex
	by map[[sha256.Size]byte]weak.Pointer[automaton]
}

// automatonOf gives the automaton of the patterns, one that is in use if there is one.
func automatonOf(patterns []string) *automaton {
	key := keyOf(patterns)
	shared.Lock()
	defer shared.Unlock()
	if a := shared.by[key].Value(); a != nil {
		return a
	}
	a := newAutomaton(patterns)
	if shared.by == nil {
		shared.by = map[[sha256.Size]byte]weak.Pointer[automaton]{}
	}
	shared.by[key] = weak.Make(a)
	runtime.AddCleanup(a, forget, key)
	return a
}

func keyOf(patterns []string) [sha256.Size]byte {
	h := sha256.New()
	for _, p := range patterns {
		h.Write(binary.AppendUvarint(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func forget(key [sha256.Size]byte) {
	shared.Lock()
	defer shared.Unlock()
	if shared.by[key].Value() == nil { // nobody built it anew
		delete(shared.by, key)
	}
}
