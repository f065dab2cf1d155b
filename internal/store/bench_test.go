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

// runCell is one cell of a study of nine conditions, of which four share one
// call and five another; a tenth of the drafts are shown cut.
func runCell(i int) (digest string, first bool, r uplift.Response) {
	item, condition := i/9, i%9
	digest = fmt.Sprintf("%056d%07d%d", 0, item, condition/4%2)
	first = condition == 0 || condition == 4
	draft := fmt.Sprintf("%s %d ", digest, item) + strings.Repeat("plain words of an answer ", 36)
	text, decision := draft, &uplift.Decision{PromptScore: .25, OutputScore: .5, Score: .3875, Action: uplift.Allow, Policy: digest,
		Features: []uplift.Feature{{Where: "prompt", Name: "step_by_step", Value: .5, Adds: .2}, {Where: "output", Name: "list", Value: .25, Adds: .1}},
		Cues:     []uplift.Cue{{Where: "prompt", Class: "step_by_step", Words: "step by step", Start: 10, End: 22}}}
	if i%10 == 0 {
		text, decision.Action = "A cut. "+draft[:900], uplift.Redact
	}
	ask := "Would you explain " + strconv.Itoa(item) + " to me?"
	return digest, first, uplift.Response{
		Cell: uplift.Cell{Model: "m", Condition: "c" + strconv.Itoa(condition), Task: "task-" + strconv.Itoa(item), Attack: uplift.Direct},
		Item: uplift.Item{Family: "f", Split: uplift.Dev, Tier: uplift.Benign, Turns: []string{ask}}, Outcome: uplift.Answered,
		Text: text, Draft: draft, Decision: decision, Call: digest,
		Transcript: []uplift.Message{{Role: uplift.User, Text: ask}, {Role: uplift.Assistant, Text: text}}}
}

// putCells keeps the cells of a run from many callers.
func putCells(tb testing.TB, s *store.Store, cells, callers int) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for i := range next {
				digest, first, r := runCell(i)
				var err error
				if first {
					raw := []byte(`{"id":"` + digest + `","content":[{"type":"text","text":"` + r.Draft + `"}],"usage":{"input_tokens":10,"output_tokens":200}}`)
					err = s.PutCall(ctx, uplift.Call{Digest: digest, Model: "m", Attempts: 1, Text: r.Draft, Stop: uplift.StopEnd, Reason: "end_turn", TokensIn: 10, TokensOut: 200},
						uplift.Attempt{Call: digest, Model: "m", N: 1, At: sentAt, Status: 200, Headers: map[string]string{"request-id": digest[40:]}, TokensIn: 10, TokensOut: 200, Raw: raw})
				}
				if err == nil {
					err = s.PutResponse(ctx, r)
				}
				if err != nil {
					tb.Error(err)
				}
			}
		})
	}
	for i := range cells {
		next <- i
	}
	close(next)
	wg.Wait()
}

// BenchmarkRun keeps the cells of a run of 200,000, which -benchtime 200000x
// makes whole.
func BenchmarkRun(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s.db")
	s := mustCreate(b, path)
	b.ResetTimer()
	putCells(b, s, b.N, 128)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "cells/s")
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(peak(), "peak-MB")
	if info, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "file-MB")
	}
}

// BenchmarkResume opens a whole run and asks what is done; see BenchmarkLabels
// for UPLIFT_BENCH_STORE.
func BenchmarkResume(b *testing.B) {
	const cells = 200_000
	path := os.Getenv("UPLIFT_BENCH_STORE")
	if path == "" {
		path = filepath.Join(b.TempDir(), "s.db")
	}
	if _, err := os.Stat(path); err != nil {
		s := mustCreate(b, path)
		putCells(b, s, cells, 128)
		s.Close()
	}
	for b.Loop() {
		s, err := store.Open(ctx, path, store.ReadWrite)
		if err != nil {
			b.Fatal(err)
		}
		done, err := s.Done(ctx)
		if err != nil || len(done) != cells {
			b.Fatal(len(done), err)
		}
		s.Close()
	}
	b.ReportMetric(peak(), "peak-MB")
}
