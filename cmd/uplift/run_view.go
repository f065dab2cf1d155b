package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

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

	all  *mpb.Progress // nil: no terminal
	bar  *mpb.Bar
	rows []*mpb.Bar // the lines below it

	mu    sync.Mutex
	marks []mark // of the last seconds, oldest first
	lines []string
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
	v := &runView{env: env, opt: opt, json: asJSON, began: time.Now(), stop: make(chan struct{})}
	every := plainEvery
	switch {
	case asJSON:
		every = jsonEvery
	case env.Talkative:
		every = drawEvery
		v.draw()
	}
	v.group.Go(func() { v.tick(every) })
	return v
}

func (v *runView) tick(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			v.show("progress")
		case <-v.stop:
			return
		}
	}
}

// end takes the bar away.
func (v *runView) end() {
	close(v.stop)
	v.group.Wait()
	if v.all != nil {
		for _, b := range append([]*mpb.Bar{v.bar}, v.rows...) {
			b.Abort(true)
		}
		v.all.Wait()
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
	case v.all != nil:
		v.bar.SetTotal(int64(s.Total), false)
		v.bar.SetCurrent(int64(s.Held + s.Finished))
		v.below(p)
	default:
		fmt.Fprintln(v.env.Stderr, "running "+harmless(p.plain(v.opt.MaxCostUSD)))
	}
}

// paced is a status with how fast it came about.
type paced struct {
	run.Status
	elapsed time.Duration
	rate    float64 // cells a second, lately
	left    float64 // seconds; below 0: not known
}

// lately is over how long the rate is taken.
const lately = 15 * time.Second

func (v *runView) pace(s run.Status) paced {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	v.marks = append(v.marks, mark{now, s.Finished})
	for len(v.marks) > 2 && now.Sub(v.marks[0].at) > lately {
		v.marks = v.marks[1:]
	}
	from := mark{v.began, 0}
	if now.Sub(v.began) > lately {
		from = v.marks[0]
	}
	p := paced{Status: s, elapsed: now.Sub(v.began), left: -1}
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
	return strings.Join(append([]string{fmt.Sprintf("%s of %s cells", grouped(p.Held+p.Finished), grouped(p.Total))}, p.parts(limit)...), "  ")
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

// draw puts a bar on the terminal, with the rest in lines below it.
func (v *runView) draw() {
	v.all = mpb.New(mpb.WithOutput(v.env.Stderr), mpb.WithWidth(min(max(v.env.Width-52, 10), 48)), mpb.WithRefreshRate(drawEvery))
	v.bar = v.all.AddBar(0, mpb.PrependDecorators(decor.Name("running ")), mpb.AppendDecorators(decor.CountersNoUnit("%d / %d")))
}

// mostLines bounds the conditions below the bar.
const mostLines = 12

// below renews the lines below the bar; each is a bar without a bar.
func (v *runView) below(p paced) {
	lines := fold(p.parts(v.opt.MaxCostUSD), v.env.Width-9)
	var b strings.Builder
	sayConditions(&b, p.Conditions[:min(len(p.Conditions), mostLines)])
	if n := len(p.Conditions) - mostLines; n > 0 {
		fmt.Fprintf(&b, "        and %d more\n", n)
	}
	for i := range lines {
		lines[i] = "        " + lines[i]
	}
	for l := range strings.Lines(b.String()) {
		lines = append(lines, strings.TrimRight(l, " \n"))
	}
	v.mu.Lock()
	v.lines = lines
	v.mu.Unlock()
	for len(v.rows) < len(lines) {
		at := len(v.rows)
		v.rows = append(v.rows, v.all.New(0, mpb.NopStyle(), mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return v.line(at) }))))
	}
}

// line is one of the lines below the bar, cut to the terminal.
func (v *runView) line(at int) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if at >= len(v.lines) {
		return ""
	}
	l := []rune(harmless(v.lines[at]))
	return string(l[:min(len(l), v.env.Width-1)])
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
