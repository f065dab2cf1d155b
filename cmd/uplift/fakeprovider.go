package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

func newFakeProvider(env *Env) *cobra.Command {
	var listen, script string
	var faults []string
	opt := fakeprovider.Options{Now: env.Now}
	cmd := &cobra.Command{
		Use: "fake-provider", Short: "Answer as providers do, on good days and bad", Hidden: true,
		Long: `fake-provider speaks the wire forms of Anthropic, Gemini and OpenAI (chat and
responses) on this machine, so that a run can be tried without a provider. Its
texts are made up and say nothing of what was asked. Faults are drawn from the
seed and the request. Counts are at /__fake/stats.

The first line of its output is its address; it serves until it is stopped.`,
		Example: "  uplift fake-provider --listen 127.0.0.1:8080 --latency 20ms --fault 429=0.1",
		Args:    positional(0, 0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if opt.Faults, err = fakeprovider.ParseChances(faults); err != nil {
				return usage("--fault: %w", err)
			}
			if script != "" {
				if opt.Script, err = readScript(script); err != nil {
					return err
				}
			}
			return serveFake(cmd.Context(), env, listen, opt)
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:0", "address to listen on")
	f.DurationVar(&opt.Latency, "latency", 0, "time before an answer")
	f.DurationVar(&opt.Jitter, "jitter", 0, "the most that is added to it")
	f.StringArrayVar(&faults, "fault", nil, "NAME=P: what goes wrong, and how often (many times)")
	f.DurationVar(&opt.Wait, "wait", time.Second, "what a 429 asks a client to wait")
	f.IntVar(&opt.Rate, "rate", 50, "requests a minute that the headers of a 429 speak of")
	f.DurationVar(&opt.Pause, "pause", time.Millisecond, "time between the pieces of a trickle")
	f.IntVar(&opt.Huge, "huge", 8<<20, "bytes of a huge reply")
	f.StringVar(&script, "script", "", "a JSON list of {when, text, fault, times}")
	f.Uint64Var(&opt.Seed, "seed", 1, "of the faults")
	f.StringArrayVar(&opt.Keys, "key", nil, "a key that is let in (many times); none: everybody is")
	f.StringArrayVar(&opt.Models, "model", nil, "a model that is listed (many times)")
	return cmd
}

func readScript(path string) ([]fakeprovider.Line, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines, err := fakeprovider.ParseScript(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}

// serveFake serves until ctx ends; being stopped is its good end.
func serveFake(ctx context.Context, env *Env, listen string, opt fakeprovider.Options) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: fakeprovider.New(opt), ReadHeaderTimeout: time.Minute}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-ctx.Done()
		server.Close()
	}()
	fmt.Fprintf(env.Stdout, "listening on http://%s\n", l.Addr())
	err = server.Serve(l)
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-closed
	return nil
}
