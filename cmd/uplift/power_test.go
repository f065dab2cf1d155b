package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// An interrupt is said in one word, without the program's own reasons.
func TestPowerStopped(t *testing.T) {
	dir := t.TempDir()
	study, table := filepath.Join(dir, "s"), filepath.Join(dir, "t.csv")
	rows := "model,condition,task,tier,scale,value\n" +
		"m,new,t,benign,compliance,1\nm,open,t,benign,compliance,1\nm,new,u,benign,compliance,0\nm,open,u,benign,compliance,1\n"
	if err := os.WriteFile(table, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", study, "--template", "labels"}, {"import", "labels", study, table}} {
		env, _, talk := testEnv()
		if code := execute(t.Context(), env, args); code != exitDone {
			t.Fatalf("uplift %s: exit code %d: %s", args[0], code, talk)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	env, out, talk := testEnv()
	if code := execute(ctx, env, []string{"power", study, "--reference", "open"}); code != exitFailed || out.Len() > 0 || talk.String() != "uplift: stopped\n" {
		t.Errorf("got exit code %d, %q and %q; want %d, nothing and %q", code, out, talk, exitFailed, "uplift: stopped\n")
	}
}

func TestPowerNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		real  float64
		whole int
		bad   bool
	}{
		{"−0.063", -0.063, 0, false}, {" -2 ", -2, -2, false}, {"−3", -3, -3, false}, {"18", 18, 18, false},
		{"", 0, 0, true}, {"−", 0, 0, true}, {"1−2", 0, 0, true}, {"abc", 0, 0, true}, {"0,5", 0, 0, true},
	} {
		var r realValue
		if err := r.Set(c.text); (err != nil) != c.bad || float64(r) != c.real {
			t.Errorf("%q as a number: got %v (%v), want %v", c.text, r, err, c.real)
		}
		var w wholeValue
		if err := w.Set(c.text); c.whole != 0 && (err != nil || int(w) != c.whole) {
			t.Errorf("%q as a whole number: got %v (%v), want %v", c.text, w, err, c.whole)
		}
	}
}
