package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/study"
)

// lockSummary is what lock and amend print.
type lockSummary struct {
	Study     string           `json:"study"`
	File      string           `json:"file"`
	Lock      string           `json:"lock"` // digest
	Time      time.Time        `json:"time"`
	Splits    []string         `json:"locked_splits"`
	Endpoints []study.Count    `json:"endpoints"`
	Cluster   string           `json:"cluster"`
	Level     float64          `json:"level"`
	Holds     map[string]int   `json:"holds"` // how many of each are locked
	Fields    int              `json:"fields"`
	Warnings  []uplift.Warning `json:"warnings"`
	Amendment *study.Amendment `json:"amendment,omitempty"` // the one that was made
	dir       string
	imported  bool
}

func summarise(s *studyDir, f *frozen, p *planned) *lockSummary {
	plan := s.plan.Plan()
	a := p.asked.Analysis
	sum := &lockSummary{Study: plan.Name, File: s.lockPath(), Lock: f.digest, Time: f.lock.Time, Splits: slices.Clip(append([]string{}, p.locked...)),
		Cluster: a.Cluster, Level: a.Level, Fields: len(p.fields), dir: s.dir, imported: plan.Conditions.Imported, Warnings: []uplift.Warning{},
		Holds: map[string]int{"tasks": len(p.asked.Tasks), "items": len(p.asked.Items), "models": len(plan.Models), "conditions": len(plan.Conditions.List), "endpoints": len(plan.Endpoints)}}
	if sum.imported { // which tasks there are, the labels will say
		return sum
	}
	sum.Endpoints = study.Counts(plan, p.headline(), a.Cluster == string(analysis.ByFamily))
	for _, c := range sum.Endpoints {
		sum.warn(c)
	}
	return sum
}

// warn says plainly what no data could show.
func (sum *lockSummary) warn(c study.Count) {
	one, unit := "task", "tasks"
	if sum.Cluster == string(analysis.ByFamily) {
		one, unit = "family", "families"
	}
	clusters := fmt.Sprintf("%d %s", c.Clusters, unit)
	if c.Clusters == 1 {
		clusters = "1 " + one
	}
	alpha := 1 - sum.Level + 1e-12
	add := func(code, format string, args ...any) {
		sum.Warnings = append(sum.Warnings, uplift.Warning{Code: code, Text: c.Endpoint + ": " + fmt.Sprintf(format, args...)})
	}
	switch {
	case c.Clusters == 0:
		add("no_clusters", "no item of the headline has one of its tiers: nothing will be measured")
	case c.Floor > alpha:
		add(analysis.CodeSignFlipFloor, "with %s no two-sided sign-flip p can fall below %s, so none below %s is possible, whatever the data; more %s would mend it",
			clusters, short(c.Floor), short(1-sum.Level), unit)
	case c.HolmFloor > alpha:
		add(analysis.CodeSignFlipFloor, "with %s and %s no p adjusted by Holm can fall below %s, so none below %s is possible, whatever the data; more %s or fewer contrasts would mend it",
			clusters, several(c.Contrasts, "contrast"), short(c.HolmFloor), short(1-sum.Level), unit)
	}
}

// short is a p as people write it.
func short(p float64) string {
	if p < 1e-300 { // what no double can hold comes as 0
		return "<1e-300"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.3g", p), "0")
}

func (sum *lockSummary) print(out io.Writer) error {
	var b strings.Builder
	verb := "locked"
	if sum.Amendment != nil {
		verb = "amended"
	}
	fmt.Fprintf(&b, "%-8s %s\nsha256   %s\n", verb, sum.File, sum.Lock)
	if len(sum.Splits) > 0 {
		fmt.Fprintf(&b, "splits   %s\n", strings.Join(sum.Splits, ", "))
	} else if !sum.imported {
		fmt.Fprintf(&b, "splits   none of those that want a lock\n")
	}
	fmt.Fprintf(&b, "holds    %s (%d fields)\n", sum.holds(), sum.Fields)
	b.WriteString("free     limits of a run: analyze says when it has not asked everything\n")
	if len(sum.Endpoints) > 0 {
		fmt.Fprintf(&b, "\n%-16s %6s %9s %6s %10s  %-14s %s\n", "endpoint", "tasks", "families", "items", "contrasts", "sign-flip p >=", "after Holm >=")
		for _, c := range sum.Endpoints {
			fmt.Fprintf(&b, "%-16s %6d %9d %6d %10d  %-14s %s\n", c.Endpoint, c.Tasks, c.Families, c.Items, c.Contrasts, short(c.Floor), short(c.HolmFloor))
		}
	}
	if a := sum.Amendment; a != nil {
		fmt.Fprintf(&b, "\ntouches  %s\n", touchesInWords(a.Touches))
		for _, c := range a.Changed {
			fmt.Fprintf(&b, "changed  %s\n", c)
		}
	}
	for _, w := range sum.Warnings {
		fmt.Fprintf(&b, "warning  %s\n", w.Text)
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}

func (sum *lockSummary) holds() string {
	var parts []string
	for _, what := range []string{"task", "item", "model", "condition", "endpoint"} {
		if n := sum.Holds[what+"s"]; n > 0 {
			parts = append(parts, several(n, what))
		}
	}
	return strings.Join(parts, ", ")
}

// touchesInWords says which numbers an amendment makes post hoc.
func touchesInWords(t study.Touches) string {
	if t.All {
		return "every number: all are post hoc"
	}
	var parts []string
	for _, l := range []struct {
		one   string
		names []string
	}{{"model", t.Models}, {"condition", t.Conditions}, {"endpoint", t.Endpoints}} {
		if len(l.names) > 0 {
			parts = append(parts, l.one+" "+strings.Join(l.names, ", "))
		}
	}
	if len(parts) == 0 {
		return "no number"
	}
	return "post hoc: " + strings.Join(parts, "; ")
}

// several counts things: "1 line", "2 lines".
func several(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", grouped(n), thing)
}
