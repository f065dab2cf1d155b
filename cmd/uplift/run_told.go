package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/run"
)

// told says what a run did, and what is left.
func (a *asking) told(env *Env, done run.Report, opt run.Options, err error) error {
	out := harmlessWriter{env.Stderr}
	sayRun(out, done, opt)
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
		return hint(gaps("%d cells failed and %d remain", done.Failed, done.Remaining), "%s", a.resume(done))
	}
	return nil
}

// sayRun prints the end of a run.
func sayRun(out io.Writer, done run.Report, opt run.Options) {
	fmt.Fprintf(out, "ran     %s cells, %s held before, %s upstream requests, %s answers shared\n",
		grouped(done.Finished), grouped(done.Held), grouped(done.Requests), grouped(done.Shared))
	if done.Finished > 0 {
		sayConditions(out, done.Conditions)
	}
	if done.Throttled+done.Retries > 0 {
		fmt.Fprintf(out, "waits   %s put off by the provider, %s sent again\n", several(done.Throttled, "request"), grouped(done.Retries))
	}
	if cost := costLine(done.Status, opt.MaxCostUSD); cost != "" {
		fmt.Fprintf(out, "cost    %s\n", cost)
	}
	if done.Withheld > 0 {
		fmt.Fprintf(out, "locked  %s withheld: %s\n", several(done.Withheld, "response"), sealed(opt))
	}
	for _, f := range done.Faults {
		fmt.Fprintf(out, "failed  %s x %s (such as %s)\n", grouped(f.Count), shorten(f.Text, 300), f.Cell)
	}
	if done.Skipped > 0 {
		fmt.Fprintf(out, "note    %s of the study not selected and still open\n", several(done.Skipped, "cell"))
	}
}

func sealed(opt run.Options) string {
	if opt.Vault == nil {
		return "the study names no reviewers, so that their texts are not stored"
	}
	return "encrypted for the two reviewers"
}

// sayConditions prints a line for each condition, with how its cells ended.
func sayConditions(out io.Writer, list []run.ConditionStatus) {
	several := false
	for _, c := range list {
		several = several || c.Model != list[0].Model
	}
	t := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, c := range list {
		if c.Total == 0 {
			continue
		}
		name := c.Condition
		if several {
			name = c.Model + "/" + name
		}
		fmt.Fprintf(t, "        %s\t%s of %s\t%s\n", name, grouped(c.Done), grouped(c.Total), outcomes(c))
	}
	t.Flush()
}

// outcomes writes how cells ended, in few words.
func outcomes(c run.ConditionStatus) string {
	var parts []string
	for _, o := range uplift.Outcomes() {
		if n := c.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", strings.ReplaceAll(string(o), "_", " "), grouped(n)))
		}
	}
	if c.Withheld > 0 {
		parts = append(parts, "withheld "+grouped(c.Withheld))
	}
	return strings.Join(parts, ", ")
}

// costLine says what all runs cost; empty when nothing was.
func costLine(s run.Status, limit float64) string {
	if s.CostUSD+s.UnknownUSD == 0 && s.Unknown == 0 && limit == 0 {
		return ""
	}
	if !s.Priced {
		return "unknown: a model has no price (--prices)"
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
