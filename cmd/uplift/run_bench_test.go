package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/model"
)

// instant answers at once with some six hundred bytes that depend on the request.
type instant struct{}

func (instant) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	text := req.Messages[0].Text
	for len(text) < 600 {
		text += " The clerk reads the form, notes its date and sends it on to the office that asked."
	}
	return model.Reply{Text: text, Stop: uplift.StopEnd, TokensIn: 20, TokensOut: 150, Attempt: model.Attempt{Raw: []byte(text)}}, nil
}

// BenchmarkRunDurable runs nine conditions that need two calls an item, with a
// database on disk: cells a second, and the heap after it.
func BenchmarkRunDurable(b *testing.B) {
	const items = 2000
	spec := run.Spec{}
	for i := range items {
		spec.Items = append(spec.Items, uplift.Item{Task: fmt.Sprint("t", i/12), Attack: fmt.Sprint("a", i%12), Family: "f", Tier: uplift.Benign,
			Turns: []string{fmt.Sprintf("Explain how form %d is read.", i)}})
	}
	for i := range 9 {
		c := access.Condition{Name: fmt.Sprint("c", i), ModelName: "m", System: "Answer fully.", Model: instant{}}
		switch {
		case i == 1:
			c.System = "Be careful."
		case i == 8:
			c.Null, c.Model, c.System = true, nil, ""
		case i > 1:
			ctl, err := controller.New(controller.Default())
			if err != nil {
				b.Fatal(err)
			}
			c.Controller = ctl
		}
		spec.Conditions = append(spec.Conditions, c)
	}
	for b.Loop() {
		db, err := store.Create(b.Context(), filepath.Join(b.TempDir(), storeFile), store.Meta{Study: "s", Digest: "d", Created: time.Now()})
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		got, err := run.Run(b.Context(), spec, db, run.Options{Concurrency: 64, KeepRaw: true, Now: time.Now})
		if err != nil || got.Finished != 9*items || got.Requests != 2*items {
			b.Fatalf("got %+v, %v", got, err)
		}
		b.ReportMetric(float64(got.Finished)/time.Since(start).Seconds(), "cells/s")
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB")
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
