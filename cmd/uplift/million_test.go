package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// testEnv is an Env that keeps what is written.
func testEnv() (*Env, *bytes.Buffer, *bytes.Buffer) {
	var out, talk bytes.Buffer
	return &Env{
		Stdin: &bytes.Buffer{}, Stdout: &out, Stderr: &talk, Width: 100,
		Getenv: func(string) string { return "" },
		Now:    func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	}, &out, &talk
}

// millionRows writes 1,000,000 label rows: 10,000 tasks, 4 conditions, 25
// replicates. Values stand on the five levels of the rubric.
func millionRows(b *testing.B, path string) {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "model,condition,task,family,tier,attack,replicate,scale,value,grader")
	x := uint32(1)
	for task := range 10_000 {
		tier := [...]string{"benign", "harmful"}[task%2]
		for c := range 4 {
			for rep := range 25 {
				x = x*1664525 + 1013904223
				fmt.Fprintf(w, "m,c%d,task-%05d,family-%03d,%s,direct,%d,compliance,%v,human\n",
					c, task, task/40, tier, rep, float64((x>>24)%5)/4)
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMillion imports a million label rows and analyses them, whole
// commands in one process. Run it with -benchtime 1x; the peak memory of each
// step alone is measured from outside, on the built program.
func BenchmarkMillion(b *testing.B) {
	dir := b.TempDir()
	table := filepath.Join(dir, "million.csv")
	millionRows(b, table)
	study := filepath.Join(dir, "s")
	do := func(b *testing.B, args ...string) {
		env, _, talk := testEnv()
		if code := execute(context.Background(), env, args); code != 0 {
			b.Fatalf("uplift %v: exit code %d\n%s", args, code, talk)
		}
	}
	do(b, "init", study, "--template", "labels")
	b.Run("import", func(b *testing.B) {
		for range b.N {
			os.Remove(filepath.Join(study, storeFile))
			do(b, "import", "labels", study, table)
		}
	})
	b.Run("analyze", func(b *testing.B) {
		for range b.N {
			do(b, "analyze", study, "--reference", "c0", "--json")
		}
	})
}
