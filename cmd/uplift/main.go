// Command uplift measures how an access condition moves the useful and the
// harmful help that a fixed base model gives.
//
// One file holds one command. Only this package reads the operating system,
// flags, environment and clock; it injects them into everything else.
//
// Exit codes: 0 done, 1 failed, 2 usage, 3 finished with gaps.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	// Libraries write there what servers sent, past every look for keys and for what
	// is to be withheld. What matters of it comes as an error.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() { // a second signal ends the program at once
		<-ctx.Done()
		stop()
	}()
	code := execute(ctx, osEnv(), os.Args[1:])
	stop()
	os.Exit(code)
}

// osEnv is the world as the process finds it.
func osEnv() *Env {
	e := &Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Now: time.Now,
	}
	w, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		w = 0
	}
	e.Width = columns(w, os.Getenv("COLUMNS"))
	e.Screen = func() (width, height int) {
		if width, height, err := term.GetSize(int(os.Stderr.Fd())); err == nil {
			return width, height
		}
		return 0, 0
	}
	e.Talkative = term.IsTerminal(int(os.Stderr.Fd()))
	return e
}
