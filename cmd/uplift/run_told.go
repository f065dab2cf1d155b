package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/run"
)

// told says what a run did, and what is left.
func (a *asking) told(env *Env, done run.Report, opt run.Options, err error) error {
	out := harmlessWriter{env.Stderr}
	width := 0
	if env.Talkative {
		width, _ = env.screen()
	}
	sayRun(out, done, opt, width)
	if a.flags.asJSON {
		if err := writeJSON(env.Stdout, done); err != nil {
			return err
		}
	}
	if err != nil {
		return hint(err, "what is finished is kept: the same command goes on from there")
	}
	for _, h := range done.Halts {
		if h.Model != "" {
			fmt.Fprintf(out, "stopped model %s: %s\n", h.Model, h.Text)
		} else {
			fmt.Fprintf(out, "stopped %s\n", h.Text)
		}
	}
	if done.Gaps() {
		return hint(gaps("%s failed and %s remain", several(done.Failed, "cell"), grouped(done.Remaining)), "%s", a.resume(done))
	}
	return nil
}

// sayRun prints the end of a run, broken to a width; 0: not broken.
func sayRun(out io.Writer, done run.Report, opt run.Options, width int) {
	say := func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if width > 0 { // after the label
			line = line[:8] + strings.Join(fill([]string{line[8:]}, max(width-9, 20)), "\n        ")
		}
		fmt.Fprintln(out, line)
	}
	say("ran     %s cells, %s held before, %s upstream requests, %s answers shared",
		grouped(done.Finished), grouped(done.Held), grouped(done.Requests), grouped(done.Shared))
	if done.Shared > 0 {
		say("answers %s: %s asked for%s, %s shared (equal requests are sent once)", grouped(done.Answered+done.Shared),
			grouped(done.Answered), again(done), grouped(done.Shared))
	}
	if done.Finished > 0 {
		head, lines := conditionTable(done.Conditions, width)
		for _, l := range append(head, lines...) {
			fmt.Fprintln(out, l)
		}
	}
	if len(done.CutOff) > 0 {
		say("cut     %s", cutOff(done.CutOff))
	}
	if done.Throttled+done.Retries > 0 {
		say("waits   %s put off by the provider, %s failed and sent again", several(done.Throttled, "request"), grouped(done.Retries))
	}
	if cost := costLine(done.Status, opt.MaxCostUSD); cost != "" {
		say("cost    %s", cost)
	}
	if done.Withheld > 0 {
		say("locked  %s of this run withheld: %s", several(done.Withheld, "response"), sealed(opt))
	}
	for _, f := range done.Faults {
		say("failed  %s x %s (such as %s)", grouped(f.Count), shorten(f.Text, 300), f.Cell)
	}
	if done.Skipped > 0 {
		say("note    %s of the study not selected and still open", several(done.Skipped, "cell"))
	}
}

// cutOff counts replies that are not known to be whole by the provider's words.
func cutOff(by map[string]int) string {
	sum, words := 0, []string{}
	for _, word := range slices.Sorted(maps.Keys(by)) {
		sum += by[word]
		words = append(words, shorten(word, 40)+" "+grouped(by[word]))
	}
	return fmt.Sprintf("%s not known to be whole, by the provider's word: %s", map[bool]string{true: "1 reply", false: grouped(sum) + " replies"}[sum == 1], strings.Join(words, ", "))
}

// again says how many requests the answers took, where that differs.
func again(done run.Report) string {
	if done.Requests <= done.Answered {
		return ""
	}
	return fmt.Sprintf(" in %s requests", grouped(done.Requests))
}

func sealed(opt run.Options) string {
	if opt.Vault == nil {
		return "the study names no reviewers, so that their texts are not stored"
	}
	return "encrypted for the two reviewers"
}

// costLine says what all runs cost; empty when nothing was.
func costLine(s run.Status, limit float64) string {
	if s.CostUSD+s.UnknownUSD == 0 && s.Unknown == 0 && limit == 0 && (s.Priced || s.Requests == 0) {
		return ""
	}
	if !s.Priced {
		line := "unknown"
		if s.CostUSD > 0 {
			line = run.USD(s.CostUSD) + " and what is unknown"
		}
		return fmt.Sprintf("%s: no price is known of %s (--prices FILE gives it)", line, strings.Join(s.Unpriced, " and of "))
	}
	line := run.USD(s.CostUSD)
	if limit > 0 {
		line += " of " + run.USD(limit)
	}
	if s.Unknown > 0 {
		line += fmt.Sprintf(", and at most %s of %s whose use is unknown", run.USD(s.UnknownUSD), several(s.Unknown, "request"))
	}
	return line
}

// shorten cuts a text to so many bytes.
func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
