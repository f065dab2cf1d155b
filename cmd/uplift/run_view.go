package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/uplift-eval/uplift/internal/run"
)

// runView shows a run while it goes on: a bar with lines below it on a terminal,
// else a plain line now and then, or lines of JSON.
type runView struct {
	env   *Env
	opt   run.Options
	json  bool
	began time.Time
	stop  chan struct{}
	group sync.WaitGroup
	live  *live // nil: no terminal

	// What one goroutine knows at a time.
	stopping bool
	marks    []mark // of the last seconds, oldest first
	moved    mark   // when a cell finished last
}

// mark is how far a run was at a moment.
type mark struct {
	at       time.Time
	finished int
}

// How often each form is renewed.
const (
	drawEvery  = 200 * time.Millisecond
	jsonEvery  = time.Second
	plainEvery = 10 * time.Second
)

func watchRun(env *Env, asJSON bool, opt run.Options) *runView {
	began := time.Now()
	v := &runView{env: env, opt: opt, json: asJSON, began: began, moved: mark{at: began}, stop: make(chan struct{})}
	every := plainEvery
	switch {
	case asJSON:
		every = jsonEvery
	case env.Talkative:
		every = drawEvery
		v.live = &live{w: env.Stderr, size: env.screen}
	}
	v.group.Go(func() { v.tick(every) })
	return v
}

func (v *runView) tick(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	halt := v.opt.Halt
	for {
		select {
		case <-t.C:
			v.show("progress")
		case <-halt:
			v.stopping, halt = true, nil
			v.show("stopping")
		case <-v.stop:
			return
		}
	}
}

// end takes the bar away.
func (v *runView) end() {
	close(v.stop)
	v.group.Wait()
	if v.live != nil {
		v.live.clear()
	}
	if v.json {
		v.show("end")
	}
}

// show renews what is shown.
func (v *runView) show(event string) {
	s, ok := v.opt.Monitor.Status()
	if !ok {
		return
	}
	p := v.pace(s)
	switch {
	case v.json:
		b, err := json.Marshal(p.line(event))
		if err == nil {
			fmt.Fprintf(v.env.Stderr, "%s\n", b)
		}
	case v.live != nil:
		width, height := v.env.screen()
		v.live.draw(p.frame(v.opt.MaxCostUSD, width, height))
	case event == "stopping":
		fmt.Fprintln(v.env.Stderr, p.stop())
	default:
		fmt.Fprintln(v.env.Stderr, "running "+harmless(p.plain(v.opt.MaxCostUSD)))
	}
}

// paced is a status with how fast it came about.
type paced struct {
	run.Status
	elapsed time.Duration
	rate    float64       // cells a second, lately
	left    float64       // seconds; below 0: not known
	stood   time.Duration // since a cell finished

	stopping bool // somebody asked to stop
}

// lately is over how long the rate is taken.
const lately = 15 * time.Second

func (v *runView) pace(s run.Status) paced {
	now := time.Now()
	if s.Finished != v.moved.finished {
		v.moved = mark{now, s.Finished}
	}
	v.marks = append(v.marks, mark{now, s.Finished})
	for len(v.marks) > 2 && now.Sub(v.marks[0].at) > lately {
		v.marks = v.marks[1:]
	}
	from := mark{v.began, 0}
	if now.Sub(v.began) > lately {
		from = v.marks[0]
	}
	p := paced{Status: s, elapsed: now.Sub(v.began), left: -1, stood: now.Sub(v.moved.at), stopping: v.stopping}
	p.Waits = append(p.Waits, p.idle()...)
	if d := now.Sub(from.at).Seconds(); d > 0 {
		p.rate = float64(s.Finished-from.finished) / d
	}
	if p.rate > 0 {
		p.left = float64(s.Total-s.Held-s.Finished) / p.rate
	}
	return p
}

// plain is one line.
func (p paced) plain(limit float64) string {
	parts := append([]string{fmt.Sprintf("%s of %s cells", grouped(p.Held+p.Finished), grouped(p.Total))}, p.parts(limit)...)
	return strings.Join(append(parts, p.reasons()...), "  ")
}

// parts are what is worth a word beside the number of cells.
func (p paced) parts(limit float64) []string {
	parts := []string{fmt.Sprintf("%.1f/s", p.rate)}
	if p.left >= 0 {
		parts = append(parts, "ETA "+(time.Duration(p.left)*time.Second).String())
	}
	parts = append(parts, fmt.Sprintf("in the air %d/%d", p.Flying, p.Window))
	for _, n := range []struct {
		name string
		n    int
	}{{"429s", p.Throttled}, {"retries", p.Retries}, {"failed", p.Failed}, {"withheld", p.Withheld}} {
		if n.n > 0 {
			parts = append(parts, n.name+" "+grouped(n.n))
		}
	}
	if p.Priced && (p.CostUSD > 0 || limit > 0) {
		cost := run.USD(p.CostUSD)
		if limit > 0 {
			cost += " of " + run.USD(limit)
		}
		parts = append(parts, cost)
	}
	return parts
}

// jsonLine is a line of --json-progress.
type jsonLine struct {
	Event   string   `json:"event"`
	Elapsed float64  `json:"elapsed_seconds"`
	Rate    float64  `json:"cells_per_second"`
	Left    *float64 `json:"seconds_left"` // null: not known
	run.Status
}

func (p paced) line(event string) jsonLine {
	l := jsonLine{Event: event, Elapsed: p.elapsed.Seconds(), Rate: p.rate, Status: p.Status}
	if p.left >= 0 {
		l.Left = &p.left
	}
	return l
}

// fold joins parts to lines of at most so many bytes.
func fold(parts []string, width int) (lines []string) {
	for _, p := range parts {
		if n := len(lines); n > 0 && len(lines[n-1])+2+len(p) <= width {
			lines[n-1] += "  " + p
		} else {
			lines = append(lines, p)
		}
	}
	return lines
}
