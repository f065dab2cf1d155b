package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/run"
)

// A second process is refused and told who holds the study; what reads goes on,
// and so does a run once the first has ended.
func TestOneRunAtATime(t *testing.T) {
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := lockEnv()
	release, err := s.holdRun(env)
	if err != nil {
		t.Fatal(err)
	}
	var talk bytes.Buffer
	env.Stderr = &talk
	if code := execute(t.Context(), env, []string{"run", dir}); code != exitFailed {
		t.Errorf("exit %d, want %d: %s", code, exitFailed, talk.String())
	}
	if !strings.Contains(talk.String(), "another process runs this study (process ") || !strings.Contains(talk.String(), "hint: wait until it has ended") {
		t.Errorf("told %s", talk.String())
	}
	if code := execute(t.Context(), env, []string{"run", dir, "--dry-run"}); code != exitDone {
		t.Errorf("a dry run exits %d: %s", code, talk.String())
	}
	release()
	if code := execute(t.Context(), env, []string{"run", dir}); code != exitDone {
		t.Errorf("afterwards exit %d: %s", code, talk.String())
	}
	if free, err := evidence.Hold(filepath.Join(dir, runHold), true); err != nil {
		t.Errorf("the run has ended and holds on: %v", err)
	} else {
		free()
	}
}

// A signal before the first request leaves every cell open, says how to go on,
// and exits as a run with gaps.
func TestStoppedRunSaysHowToGoOn(t *testing.T) {
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	env, _ := lockEnv()
	var talk bytes.Buffer
	env.Stderr = &talk
	a, err := s.asking(t.Context(), env, false)
	if err != nil {
		t.Fatal(err)
	}
	defer a.end()
	// The lint and the database have been read when the signal comes.
	ctx, stop := context.WithCancel(t.Context())
	a.leave.begin = func() error { stop(); return nil }
	err = runStudy(ctx, env, a)
	if x, ok := err.(*exitError); !ok || x.code != exitGaps || x.hint != "uplift run "+dir+" goes on from there" {
		t.Errorf("got %#v", err)
	}
	if !strings.Contains(talk.String(), "stopped it was asked to stop") {
		t.Errorf("told %s", talk.String())
	}
}

// What stands below the bar fits the terminal.
func TestProgressFits(t *testing.T) {
	p := paced{rate: 12.34, left: 3725, Status: statusForTest()}
	for _, width := range []int{30, 72, 112} {
		for _, line := range fold(p.parts(50), width) {
			if len(line) > width {
				t.Errorf("%d columns: %q", width, line)
			}
		}
	}
	want := "1,236 of 6,156 cells  12.3/s  ETA 1h2m5s  in the air 16/64  429s 3  retries 4  failed 2  withheld 1  $0.1250 of $50.00"
	if got := p.plain(50); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if d := p.line("end"); d.Left == nil || *d.Left != 3725 || d.Event != "end" {
		t.Errorf("line %+v", d)
	}
}

func statusForTest() run.Status {
	return run.Status{Total: 6156, Held: 1000, Finished: 236, Flying: 16, Window: 64, Throttled: 3, Retries: 4, Failed: 2, Withheld: 1, CostUSD: 0.125, Priced: true}
}
