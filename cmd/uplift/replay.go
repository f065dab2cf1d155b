package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/replay"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/study"
)

func newReplay(env *Env) *cobra.Command {
	var asJSON bool
	most := 5
	cmd := &cobra.Command{
		Use: "replay [DIR]", Short: "Make every stored response again from the stored bytes, offline",
		Long: `replay reads again the body of every attempt that DIR/study.db holds, as the
run read it, and walks every stored response again under its condition. It
compares the fields of each call, the draft, the decision, the shown text, the
transcript and the outcome, byte for byte. Replies of a simulated model are
drawn again from the seed. Nothing is sent: a request for which no answer is
stored fails.

The study is taken as it stands now. Where it has changed since its responses
were made, that is said.

It exits with 0 when everything is reproduced, with 1 when anything differs,
and with 3 when nothing differs, but bytes are not there for a part: a body
that is not kept (raw: hash) or withheld, a call that failed without one, an
imported response, a controller that is another program.`,
		Example: "  uplift replay s\n  uplift replay s --differences 20 --json",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			if most < 0 {
				return usage("replay: --differences: %d (want 0 or more)", most)
			}
			r, err := s.replay(cmd.Context(), env, most)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(env.Stdout, r)
			} else {
				err = r.print(env.Stdout)
			}
			if err != nil {
				return err
			}
			return r.verdict(s.dir)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&most, "differences", most, "how many differences are shown whole")
	return cmd
}

// replayed is a replay as it is printed.
type replayed struct {
	Study   string `json:"study"`
	Changed string `json:"changed,omitempty"` // how the study differs from the one that was run
	replay.Report
}

func (d *studyDir) replay(ctx context.Context, env *Env, most int) (*replayed, error) {
	db, err := d.read(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if d.plan.Plan().Conditions.Imported {
		return nil, fmt.Errorf("%s: conditions are imported: there is nothing to replay", d.dir)
	}
	spec, err := d.offline(env)
	if err != nil {
		return nil, err
	}
	out := &replayed{Study: d.plan.Name()}
	if out.Changed, err = d.changed(ctx, db, d.look(ctx)); err != nil {
		return nil, err
	}
	bar := newProgress(env, "replay")
	defer bar.end()
	opt := d.replayOptions(most)
	opt.Progress = func(cells int) { bar.set(cells, 0) }
	out.Report, err = replay.Replay(ctx, spec, db, opt)
	return out, err
}

// offline is what the study runs, with nothing behind its models but what is
// stored.
func (d *studyDir) offline(env *Env) (run.Spec, error) {
	closed := *env
	closed.Getenv = func(string) string { return noKey }
	w, err := wireThrough(&closed, d, replay.Transport{})
	if err != nil {
		return run.Spec{}, err
	}
	return w.spec, nil
}

// noKey stands where a provider's client wants a key. It is sent nowhere.
const noKey = "uplift-replay-has-no-key"

func (d *studyDir) replayOptions(most int) replay.Options {
	opt := replay.Options{Drawn: map[string]bool{}, Outside: map[string]bool{}, Most: most}
	plan := d.plan.Plan()
	for _, m := range append(plan.Models, plan.Rewriters...) {
		opt.Drawn[m.Name] = m.Provider == study.Sim
	}
	for _, c := range plan.Conditions.List {
		opt.Outside[c.Name] = c.Controller != nil && c.Controller.HTTP != ""
	}
	return opt
}

// verdict is what the exit code says.
func (r *replayed) verdict(dir string) error {
	switch {
	case r.Differing > 0:
		return fmt.Errorf("replay %s: %s of %d not as stored", dir, several(r.Differing, "cell"), r.Cells)
	case r.Gaps > 0:
		return gaps("replay %s: %s of %d cannot be replayed", dir, several(r.Gaps, "cell"), r.Cells)
	}
	return nil
}

func (r *replayed) print(out io.Writer) error {
	var b strings.Builder
	if r.Changed != "" {
		fmt.Fprintf(&b, "note: %s\n", r.Changed)
	}
	fmt.Fprintf(&b, "%-15s %7d of %s\n", "reproduced", r.Reproduced, several(r.Cells, "cell"))
	fmt.Fprintf(&b, "%-15s %7d\n", "differing", r.Differing)
	fmt.Fprintf(&b, "%-15s %7d\n", "not replayable", r.Gaps)
	for _, w := range r.Why {
		fmt.Fprintf(&b, "  %7d %s\n", w.Cells, w.Text)
	}
	fmt.Fprintf(&b, "read again: %s, %s\n", several(r.Calls, "call"), several(r.Attempts, "attempt"))
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "\n%s: %s%s\n  stored:   %s\n  replayed: %s\n", d.Of, d.Field, where(d.Stored, d.Replayed),
			quoted(d.Stored), quoted(d.Replayed))
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "\nand %d more (--differences shows them)\n", r.More)
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}

// where says where two long values part.
func where(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	for at > 0 && at < len(a) && !utf8.RuneStart(a[at]) {
		at--
	}
	if len(a) < 60 && len(b) < 60 {
		return ""
	}
	return fmt.Sprintf(", from byte %d on", at)
}

// quoted is a value on one line; JSON stays as it is.
func quoted(s string) string {
	switch {
	case s == "":
		return "(nothing)"
	case json.Valid([]byte(s)):
		return s
	}
	return strconv.Quote(s)
}
