package store_test

import (
	"bytes"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// statement is one row of a file, some fields left empty.
type statement struct {
	response uplift.Response
	labels   []uplift.Label
}

// pick is a number below n that depends on its words alone, so that rows which
// state the same field agree.
func pick(n int, words ...string) int {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w + "\x00"))
	}
	return int(h.Sum64()>>8) % n
}

// statements reads three bytes a row: which cell, which fields, which label.
func statements(data []byte) []statement {
	var list []statement
	for ; len(data) >= 3 && len(list) < 400; data = data[3:] {
		which, fields, labels := int(data[0]), data[1], int(data[2])
		c := uplift.Cell{Model: "m", Condition: "c" + strconv.Itoa(which%3), Task: "t" + strconv.Itoa(which/3%7),
			Attack: "a" + strconv.Itoa(which/21%2), Replicate: which / 42}
		r := uplift.Response{Cell: c, Outcome: uplift.Unreported}
		say := func(bit int) bool { return fields>>bit&1 == 1 }
		if say(0) {
			r.Item.Family = "f" + strconv.Itoa(pick(3, c.Task))
		}
		if say(1) {
			r.Item.Tier = uplift.Tiers()[pick(3, c.Task, c.Attack)]
		}
		if say(2) {
			r.Item.Turns = []string{c.Task, c.Attack}
		}
		if say(3) {
			r.Outcome = uplift.Outcomes()[pick(8, c.String())]
		}
		if say(4) {
			r.Text = "text of " + c.String()
		}
		if say(5) {
			r.Draft = "draft of " + c.String()
		}
		if say(6) {
			r.Decision = &uplift.Decision{Score: float64(pick(9, c.String())), Action: uplift.Warn}
		}
		if say(7) {
			r.Transcript = []uplift.Message{{Role: uplift.Assistant, Text: c.String()}}
		}
		s := statement{response: r}
		scale := []string{uplift.Correctness, "compliance"}[labels>>4%2]
		for i, grader := range []string{"rater:a", "rater:b", "judge", uplift.Human} {
			if labels>>i&1 == 1 {
				s.labels = append(s.labels, by(grader, scale, float64(pick(5, c.String(), scale, grader))/4))
			}
		}
		list = append(list, s)
	}
	return list
}

// sameInAnyOrder imports rows once in order, and in another order twice, by
// several imports and through a store that is opened again: what is read is
// the same.
func sameInAnyOrder(t *testing.T, data []byte, seed uint64, size uint8) {
	rows := statements(data)
	one := mustCreate(t, filepath.Join(t.TempDir(), "one.db"))
	defer one.Close()
	importAll(t, one, rows)
	path := filepath.Join(t.TempDir(), "two.db")
	two := mustCreate(t, path)
	shuffled := append([]statement(nil), rows...)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(rows), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for at, step := 0, int(size)+1; at < len(shuffled); at += step {
		importAll(t, two, shuffled[at:min(at+step, len(shuffled))])
	}
	must(t, two.Close())
	two, err := store.Open(ctx, path, store.ReadWrite)
	must(t, err)
	defer two.Close()
	if c := importAll(t, two, rows); c.Unchanged != len(rows) {
		t.Errorf("again: got %+v, want %d rows unchanged", c, len(rows))
	}
	equal(t, "labels", all(t, two.Labels(ctx)), all(t, one.Labels(ctx)))
	equal(t, "texts", all(t, two.Texts(ctx)), all(t, one.Texts(ctx)))
	must(t, two.Check(ctx))
}

// TestAnyOrder draws what FuzzBatch finds too slowly: under the fuzzer every
// branch of SQLite is counted, some two runs a second.
func TestAnyOrder(t *testing.T) {
	for seed := less / 2; seed < 8; seed++ {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		data := make([]byte, 3*(1<<(seed+1)))
		r.Read(data)
		sameInAnyOrder(t, data, r.Uint64(), uint8(r.Uint64())&63+8)
	}
}

func FuzzBatch(f *testing.F) {
	f.Add([]byte("abcdefghijklmnopqrstuvwxyz"), uint64(1), uint8(3))
	f.Fuzz(sameInAnyOrder)
}

// FuzzHeader: any header is fine, foreign or damaged.
func FuzzHeader(f *testing.F) {
	path := filepath.Join(f.TempDir(), "study.db")
	s := mustCreate(f, path)
	s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:100], int64(len(whole)))
	f.Add([]byte("SQLite format 3"), int64(15))
	f.Fuzz(func(t *testing.T, header []byte, size int64) {
		err := store.Judge("p", header[:min(len(header), 100)], size)
		if err != nil && !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("got error %v", err)
		}
		if err == nil && (len(header) < 100 || !bytes.HasPrefix(header, []byte("SQLite format 3\x00"))) {
			t.Errorf("a header of %d bytes was taken", len(header))
		}
	})
}

func importAll(t *testing.T, s *store.Store, rows []statement) store.ImportCounts {
	t.Helper()
	c, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error {
		for _, r := range rows {
			if err := b.Add(r.response, r.labels...); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	return c
}
