package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

// print shows a decision to a person.
func (e *explained) print(w io.Writer, width int) error {
	var b strings.Builder
	if e.Cell != nil {
		fmt.Fprintf(&b, "%s\n", e.Cell)
	}
	e.head(&b)
	fmt.Fprintf(&b, "\n%-7s %-20s %6s %7s %7s\n", "side", "feature", "value", "weight", "adds")
	for _, f := range e.Weights {
		if f.Value == 0 {
			fmt.Fprintf(&b, "%-7s %-20s %6s %7.3f %7s\n", f.Where, f.Name, "-", f.Weight, "-")
			continue
		}
		fmt.Fprintf(&b, "%-7s %-20s %6.3f %7.3f %7.3f\n", f.Where, f.Name, f.Value, f.Weight, f.Adds)
	}
	if len(e.Decision.Cues) > 0 {
		fmt.Fprintf(&b, "\ncues\n")
	}
	for _, c := range e.Decision.Cues {
		text := e.Prompt
		if c.Where == "output" {
			text = e.Draft
		}
		fmt.Fprintf(&b, "  %s  %s  %q  bytes %d-%d\n", c.Where, c.Class, c.Words, c.Start, c.End)
		b.WriteString(inContext(text, c, max(min(width, 100)-6, 40)))
	}
	e.result(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// head says what was decided and how.
func (e *explained) head(b *strings.Builder) {
	d := e.Decision
	fmt.Fprintf(b, "policy  %s, digest %.12s\n", e.Policy, d.Policy)
	c := e.Config
	if c.Scores != "" && c.Scores != controller.ScoresBoth || c.Actions != "" && c.Actions != controller.ActionsAll || len(c.Ablate) > 0 {
		fmt.Fprintf(b, "config  scores %s, actions %s, ablated %s\n", orDash(c.Scores), orDash(c.Actions), orDash(strings.Join(c.Ablate, ", ")))
	}
	formula := "0.45 x prompt + 0.55 x output"
	if c.Scores == controller.ScoresPrompt || c.Scores == controller.ScoresOutput {
		formula = c.Scores + " alone"
	}
	fmt.Fprintf(b, "scores  prompt %.3f, output %.3f: %.3f (%s)\n", d.PromptScore, d.OutputScore, d.Score, formula)
	fmt.Fprintf(b, "cuts    warn from %.3g, redact from %.3g, refuse from %.3g\n", e.Cuts.Warn, e.Cuts.Redact, e.Cuts.Refuse)
	fmt.Fprintf(b, "action  %s", d.Action)
	if d.Would != "" {
		fmt.Fprintf(b, " (would %s)", d.Would)
	}
	if d.Rewriter != "" {
		fmt.Fprintf(b, ", rewritten by %s", d.Rewriter)
	}
	b.WriteByte('\n')
	if d.Err != "" {
		fmt.Fprintf(b, "error   %s\n", d.Err)
	}
	if e.Note != "" {
		fmt.Fprintf(b, "note    %s\n", e.Note)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// result shows the text against the draft.
func (e *explained) result(b *strings.Builder) {
	if e.Shown == e.Draft {
		fmt.Fprintf(b, "\ntext    as in the draft\n")
		return
	}
	fmt.Fprintf(b, "\ntext    - draft, + shown\n")
	for _, l := range lineDiff(e.Draft, e.Shown) {
		b.WriteString("  " + l + "\n")
	}
}

// inContext shows a place of a text in one line, and marks it in the next. Bytes
// that are no text, and control characters, take one column each.
func inContext(text string, c uplift.Cue, width int) string {
	if c.Start < 0 || c.End > len(text) || c.Start >= c.End {
		return ""
	}
	place := oneLine(text[c.Start:c.End])
	room := max((width-runewidth.StringWidth(place))/2, 8)
	if runewidth.StringWidth(place) > width {
		place = runewidth.Truncate(place, width, "…")
	}
	before, after := tail(oneLine(text[:c.Start]), room), runewidth.Truncate(oneLine(text[c.End:min(len(text), c.End+8*width)]), room, "…")
	return "      " + before + place + after + "\n      " + strings.Repeat(" ", runewidth.StringWidth(before)) +
		strings.Repeat("^", max(runewidth.StringWidth(place), 1)) + "\n"
}

// oneLine makes every character visible in one line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return '\u00b7'
		}
		return r
	}, s)
}

// tail is the end of a line, at most so many columns.
func tail(s string, columns int) string {
	if runewidth.StringWidth(s) <= columns {
		return s
	}
	at, used := len(s), 1
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if used += runewidth.RuneWidth(r); used > columns {
			break
		}
		at -= size
	}
	return "…" + s[at:]
}

// maxDiff is the most pairs of lines that are compared.
const maxDiff = 4 << 20

// lineDiff gives the lines of both texts in order: those of old alone after
// "- ", those of new alone after "+ ", and those of both after two spaces.
func lineDiff(old, new string) []string {
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	var out []string
	if len(a)*len(b) > maxDiff {
		for _, l := range a {
			out = append(out, "- "+l)
		}
		for _, l := range b {
			out = append(out, "+ "+l)
		}
		return out
	}
	common := make([][]int, len(a)+1) // the longest common sequence of the ends from i and j on
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}
