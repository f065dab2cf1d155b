package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// upliftCmd is uplift in a process of its own.
func upliftCmd(args ...string) *exec.Cmd {
	return &exec.Cmd{Path: os.Args[0], Args: append([]string{"uplift"}, args...), Env: os.Environ()}
}

// The address comes first, the provider answers there, and being stopped is a
// good end.
func TestFakeProviderServesUntilItIsStopped(t *testing.T) {
	cmd := upliftCmd("fake-provider", "--key", "k", "--model", "one")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewReader(out)
	first, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		t.Fatalf("first line %q, %v, want the address", first, err)
	}
	for path, want := range map[string]string{"/v1/models": `"id":"one"`, "/__fake/stats": `"requests":0`} {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if !strings.Contains(string(b), want) {
			t.Errorf("%s: %s, want %s in it", path, b, want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(lines)
	if err := cmd.Wait(); err != nil || len(rest) > 0 {
		t.Errorf("ended with %v and %q, want exit code 0 and no more", err, rest)
	}
}
