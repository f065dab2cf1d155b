package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

const million = 1_000_000

// addMillion adds 10,000 tasks x 4 conditions x 25 replicates with one label each.
func addMillion(b *store.Batch) error {
	b.From(store.Origin{File: "million.csv", SHA256: "0", Format: "csv"})
	tasks := make([]string, 10_000)
	for i := range tasks {
		tasks[i] = fmt.Sprintf("task-%05d", i)
	}
	conditions := []string{"c0", "c1", "c2", "c3"}
	tiers := uplift.Tiers()
	labels := make([]uplift.Label, 1)
	n := 0
	for t, task := range tasks {
		for _, c := range conditions {
			for rep := range 25 {
				r := uplift.Response{Cell: uplift.Cell{Model: "m", Condition: c, Task: task, Attack: uplift.Direct, Replicate: rep},
					Item: uplift.Item{Family: "f", Tier: tiers[t%3]}, Outcome: uplift.Unreported}
				labels[0] = uplift.Label{Scale: "compliance", Value: float64(n%5) / 4, Grader: uplift.Human}
				n++
				if err := b.Add(r, labels...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// empty is the file of a new store. Tests start from copies of one, for most
// of what they did was to make tables.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "store-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "study.db")
	s, err := store.Create(context.Background(), path, store.Meta{Study: "s", Digest: "d", Created: time.Unix(1, 0)})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func mustCreate(tb testing.TB, path string) *store.Store {
	tb.Helper()
	file, err := empty()
	if err == nil {
		err = os.WriteFile(path, file, 0o644)
	}
	if err != nil {
		tb.Fatal(err)
	}
	s, err := store.Open(context.Background(), path, store.ReadWrite)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// peak is the process's highest resident memory in MB, or 0 where it is not known.
func peak() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.Atoi(f[1])
			return float64(kb) / 1024
		}
	}
	return 0
}

// BenchmarkImport imports a million new responses with a label each; -benchtime 1x.
func BenchmarkImport(b *testing.B) {
	for range b.N {
		s := mustCreate(b, filepath.Join(b.TempDir(), "s.db"))
		counts, err := s.Import(context.Background(), store.Options{}, addMillion)
		if err != nil || counts.Labels != million {
			b.Fatal(counts, err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(), "peak-MB")
}

// BenchmarkLabels reads a million labels of a closed store. Run it with
// UPLIFT_BENCH_STORE naming a file to keep between runs, so that the memory of
// reading is measured alone.
func BenchmarkLabels(b *testing.B) {
	path := os.Getenv("UPLIFT_BENCH_STORE")
	if path == "" {
		path = filepath.Join(b.TempDir(), "s.db")
	}
	if _, err := os.Stat(path); err != nil {
		s := mustCreate(b, path)
		if _, err := s.Import(context.Background(), store.Options{}, addMillion); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
	for b.Loop() {
		s, err := store.Open(context.Background(), path, store.ReadOnly)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for _, err := range s.Labels(context.Background()) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != million {
			b.Fatal(n)
		}
		s.Close()
	}
	b.ReportMetric(peak(), "peak-MB")
}

// BenchmarkPut keeps cells from 64 callers, a call and a response each.
func BenchmarkPut(b *testing.B) {
	s := mustCreate(b, filepath.Join(b.TempDir(), "s.db"))
	defer s.Close()
	cells := make(chan int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range cells {
				digest := strconv.Itoa(i)
				text := strings.Repeat("word ", 200)
				err := s.PutCall(context.Background(), uplift.Call{Digest: digest, Attempts: 1, Text: text, Stop: uplift.StopEnd})
				if err == nil {
					err = s.PutResponse(context.Background(), uplift.Response{Cell: uplift.Cell{Model: "m", Condition: "c", Task: digest, Attack: uplift.Direct},
						Outcome: uplift.Answered, Text: text, Draft: text, Call: digest, Decision: &uplift.Decision{Action: uplift.Allow}})
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range b.N {
		cells <- i
	}
	close(cells)
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cells/s")
}
