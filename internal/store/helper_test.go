package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/store"
)

// helperVar makes the test binary another process that writes to a store.
const helperVar = "UPLIFT_STORE_HELPER"

// helper runs when the test binary was started by startHelper.
func helper() bool {
	task := os.Getenv(helperVar)
	if task == "" {
		return false
	}
	if task == "draft" { // makes a store that is not done before its input ends
		err := store.CreateWith(ctx, os.Args[1], store.Meta{Study: "s"}, func(s *store.Store) error {
			fmt.Println("holding")
			io.Copy(io.Discard, os.Stdin)
			return nil
		})
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		return true
	}
	mode := store.ReadWrite
	if task == "read" {
		mode = store.ReadOnly
	}
	s, err := store.Open(ctx, os.Args[1], mode)
	if err == nil {
		err = help(task, s)
	}
	if err != nil {
		fmt.Println("error:", err)
		if errors.Is(err, store.ErrLocked) {
			os.Exit(3)
		}
		os.Exit(1)
	}
	return true
}

// sharedRows are more than a flush.
const sharedRows = 3000 / less

func help(task string, s *store.Store) error {
	switch task {
	case "hold": // an import that does not end before its input does
		_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error {
			if err := addMany(b, "held", 700); err != nil {
				return err
			}
			fmt.Println("holding")
			io.Copy(io.Discard, os.Stdin)
			return nil
		})
		return errors.Join(err, s.Close())
	case "import":
		_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error { return addMany(b, "shared", sharedRows) })
		return errors.Join(err, s.Close())
	case "put": // until killed; says what is durable
		for i := 0; ; i++ {
			r := full()
			r.Replicate = i
			if err := s.PutResponse(ctx, r); err != nil {
				return err
			}
			fmt.Println(i)
		}
	case "read":
		n := 0
		for _, err := range s.Labels(ctx) {
			if err != nil {
				return err
			}
			n++
		}
		fmt.Println(n, "labels")
		return s.Close()
	case "leave": // end without closing: the -wal stays
		_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error { return addMany(b, "left", 300) })
		if err == nil {
			os.Exit(0)
		}
		return err
	}
	return fmt.Errorf("unknown task %q", task)
}

func addMany(b *store.Batch, prefix string, n int) error {
	b.From(store.Origin{File: prefix})
	for i := range n {
		if err := b.Add(bare(prefix+strconv.Itoa(i)), human("x", 1)); err != nil {
			return err
		}
	}
	return nil
}

type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// startHelper starts another process on the store at path.
func startHelper(t *testing.T, task, path string) *process {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	p := &process{Cmd: exec.Command(self, path)}
	p.Env = append(os.Environ(), helperVar+"="+task)
	p.Stderr = os.Stderr
	p.in, err = p.StdinPipe()
	must(t, err)
	out, err := p.StdoutPipe()
	must(t, err)
	p.out = bufio.NewScanner(out)
	must(t, p.Start())
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	if !p.out.Scan() {
		t.Fatalf("the other process ended: %v", p.out.Err())
	}
	return p.out.Text()
}

// quick opens a store that does not wait long for others.
func quick(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.OpenWithin(ctx, path, 50*time.Millisecond, 0)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}
