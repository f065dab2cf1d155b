package main

import (
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress is a bar on stderr. On anything but a terminal it draws nothing.
type progress struct {
	all *mpb.Progress // nil: no terminal
	bar *mpb.Bar
}

func newProgress(env *Env, what string) *progress {
	if !env.Talkative {
		return &progress{}
	}
	p := &progress{all: mpb.New(mpb.WithOutput(env.Stderr), mpb.WithWidth(48))}
	p.bar = p.all.AddBar(0, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what+" ")),
		mpb.AppendDecorators(decor.CountersNoUnit("%d / %d")))
	return p
}

// set shows how far the work is.
func (p *progress) set(done, total int) {
	if p.all != nil {
		p.bar.SetTotal(int64(total), false)
		p.bar.SetCurrent(int64(done))
	}
}

// end takes the bar away.
func (p *progress) end() {
	if p.all != nil {
		p.bar.Abort(true)
		p.all.Wait()
	}
}
