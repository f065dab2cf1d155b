package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Env is what a command may touch of the world; a test builds its own.
type Env struct {
	Stdin     io.Reader
	Stdout    io.Writer // results
	Stderr    io.Writer // talk, progress and errors
	Getenv    func(string) string
	Now       func() time.Time
	Width     int  // columns of the terminal, for tables
	Talkative bool // stderr is a terminal: draw progress bars

	Screen func() (width, height int) // of stderr's terminal at this moment; 0 or nil: not known
}

// screen is the size of the terminal on stderr.
func (e *Env) screen() (width, height int) {
	if e.Screen != nil {
		width, height = e.Screen()
	}
	if width <= 0 || height <= 0 {
		return e.Width, 24
	}
	return width, height
}

// Exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitGaps   = 3
)

// exitError carries an exit code, and a hint for the person, with an error.
type exitError struct {
	err  error
	code int
	hint string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{err: fmt.Errorf(format, args...), code: exitUsage}
}

// hint adds what to do next to an error; a nil error stays nil.
func hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	code := exitFailed
	if x, ok := errors.AsType[*exitError](err); ok {
		code = x.code
	}
	return &exitError{err: err, code: code, hint: fmt.Sprintf(format, args...)}
}

// gaps says that a command finished, but not with everything.
func gaps(format string, args ...any) error {
	return &exitError{err: fmt.Errorf(format, args...), code: exitGaps}
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, env *Env, args []string) int {
	out := &watched{w: env.Stdout}
	inner := *env
	inner.Stdout = out
	root := newRoot(&inner)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("write the result: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	code := exitFailed
	x, ok := errors.AsType[*exitError](err)
	if ok {
		code = x.code
	}
	if ctx.Err() != nil && (!ok || errors.Is(err, ctx.Err())) {
		err = errors.New("stopped")
	}
	env.tell("uplift: " + indentRest(err.Error()))
	if ok && x.hint != "" {
		fmt.Fprintln(env.Stderr, harmless("hint: "+x.hint)) // whole, so that its command can be taken from it
	} else if code == exitUsage {
		fmt.Fprintln(env.Stderr, "hint: add --help to the command for its flags and an example")
	}
	return code
}

// tell writes to stderr, on a terminal broken between words.
func (e *Env) tell(s string) {
	if e.Talkative {
		lines := strings.Split(s, "\n")
		for i, l := range lines {
			lines[i] = hang(l, helpWidth)
		}
		s = strings.Join(lines, "\n")
	}
	fmt.Fprintln(e.Stderr, harmless(s))
}

// indentRest sets the lines of a many-line error under its first.
func indentRest(s string) string { return strings.ReplaceAll(s, "\n", "\n  ") }

// newRoot builds the command tree.
func newRoot(env *Env) *cobra.Command {
	root := group("uplift", "Measure what an access condition does to a fixed model",
		`uplift measures how the access condition around a fixed base model (system
prompt, wrapper, controller) moves useful help and harmful help.

Start with "uplift demo", or with "uplift init s --template labels" and
"uplift import".`)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetIn(env.Stdin)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.Version = release
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", helpWidth)))
	root.SetHelpFunc(help)
	root.SetVersionTemplate("uplift {{.Version}}\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%w", err) })
	root.AddCommand(
		newDemo(env), newInit(env), newImport(env), newExport(env),
		newLock(env), newAmend(env), newVerify(env), newRun(env), newReplay(env), newRecontrol(env), newExplain(env), newResponses(env), newQuarantine(env),
		newAnalyze(env), newAgreement(env), newPower(env), newReport(env),
		newTasks(env), newDoctor(env), newVersion(env), newCompletion(env), newFakeProvider(env),
	)
	return root
}

// group is a command that only holds others.
func group(use, short, long string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			err := usage("unknown command %q for %q", args[0], cmd.CommandPath())
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				return hint(err, "did you mean %q?", cmd.CommandPath()+" "+near[0])
			}
			return err
		},
		SuggestionsMinimumDistance: 2,
	}
}

// positional checks the number of arguments and names them in the error.
func positional(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || (most >= 0 && len(args) > most) {
			return usage("%s takes %s (got %d arguments)", cmd.CommandPath(), names, len(args))
		}
		return nil
	}
}
