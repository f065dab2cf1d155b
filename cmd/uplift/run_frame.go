package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uplift-eval/uplift/internal/run"
)

// frame is what a terminal of this size shows of a run, the most useful lines
// first: they may be cut off below.
func (p paced) frame(limit float64, width, height int) []string {
	lines := []string{p.bar(width)}
	for _, l := range fold(p.parts(limit), width-9) {
		lines = append(lines, "        "+l)
	}
	for _, l := range p.reasons() {
		lines = append(lines, "        "+l)
	}
	head, rows := conditionTable(urgent(p.Conditions), width-1)
	room := height - 1 - len(lines) - len(head)
	if room < min(len(rows), 2) {
		return lines
	}
	lines = append(lines, head...)
	if len(rows) > room {
		n := len(rows) - room + 1
		rows = append(rows[:room-1], fmt.Sprintf("        and %d more", n))
	}
	return append(lines, rows...)
}

// bar is the first line.
func (p paced) bar(width int) string {
	done := p.Held + p.Finished
	count := fmt.Sprintf(" %s / %s", grouped(done), grouped(p.Total))
	room := min(width-len("running []")-len(count)-1, 60)
	if room < 8 {
		return "running" + count
	}
	full := 0
	if p.Total > 0 {
		full = done * room / p.Total
	}
	tip := ""
	if full < room {
		tip = ">"
	}
	return "running [" + strings.Repeat("=", full) + tip + strings.Repeat("-", room-full-len(tip)) + "]" + count
}

// mostReasons bounds the lines of reasons, and leastWait, in seconds, what is
// worth one.
const (
	mostReasons = 6
	leastWait   = 0.3
)

// reasons say why nothing, or less than could be, is asked.
func (p paced) reasons() []string {
	var out []string
	for _, h := range p.Halts {
		if h.Model != "" {
			out = append(out, "stopped model "+h.Model+": "+h.Text)
		} else if h.Why != run.StopAsked {
			out = append(out, "stopped "+h.Text)
		}
	}
	if p.stopping {
		out = append(out, p.stop())
	}
	for _, w := range p.Waits {
		if w.Seconds > 0 && w.Seconds < leastWait {
			continue
		}
		if l := strings.TrimSpace(w.Model + " " + w.Text); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	if n := len(out) - mostReasons; n > 0 {
		out = append(out[:mostReasons], fmt.Sprintf("and %d more", n))
	}
	return out
}

// stop is what follows on the first Ctrl-C.
func (p paced) stop() string {
	if p.Flying == 0 {
		return "stopping when all that came is kept; Ctrl-C again ends at once"
	}
	return fmt.Sprintf("stopping after %s in the air; Ctrl-C again ends at once", map[bool]string{true: "the 1 request", false: "the " + grouped(p.Flying) + " requests"}[p.Flying == 1])
}

// still is how long no cell may finish before that is said.
const still = 10 * time.Second

// idle is a reason where no request explains that nothing goes on.
func (p paced) idle() []run.Wait {
	if p.stood < still || p.Flying > 0 || len(p.Waits)+len(p.Halts) > 0 || p.stopping {
		return nil
	}
	return []run.Wait{{Why: "local", Seconds: p.stood.Seconds(),
		Text: fmt.Sprintf("no cell finished for %.0f s, and no request is in the air: controllers or the disk are at work", p.stood.Seconds())}}
}
