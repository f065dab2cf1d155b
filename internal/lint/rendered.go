package lint

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	uplift "github.com/uplift-eval/uplift"
)

//go:embed words/reviewed.txt
var reviewedText string

// reviewed are the digests of the templates that a person has read.
var reviewed = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range rows(reviewedText) {
		out[row[0]] = row[1]
	}
	return out
})

// renderedRule is H8. What fills a template's slots is looked at again by H1
// and H7, as it stands in what is sent; the whole of it by H2, H4, H6 and H7,
// which hold in every language. The templates themselves have been read, and
// are held to what was read by their digests.
func renderedRule(in Input) Rule {
	r := Rule{ID: "H8", Title: "what is sent, looked at again", Limit: "0, templates as reviewed"}
	if len(in.Items) == 0 {
		return notRun(r, "no items")
	}
	tasks := map[string]uplift.Task{}
	for _, t := range in.Tasks {
		tasks[t.ID] = t
	}
	texts := 0
	done := map[string]bool{}
	for _, i := range in.Items {
		t, ok := tasks[i.Task]
		if !ok {
			r.Offenders = append(r.Offenders, Offender{i.Task, i.Attack, "an item of no task that was looked at"})
			continue
		}
		for k, turn := range turns(i) {
			texts++
			if done[turn] {
				continue
			}
			done[turn] = true
			for _, f := range rendered(t, i, turn) {
				r.Offenders = append(r.Offenders, Offender{t.ID, fmt.Sprintf("%s, turn %d", i.Attack, k+1), f.class + ": " + f.text})
			}
		}
	}
	for _, t := range in.Templates {
		switch want := reviewed()[t.Name]; want {
		case t.Digest:
		case "":
			r.Offenders = append(r.Offenders, Offender{Field: "template " + t.Name, Text: "no review of it is noted; its digest is " + t.Digest})
		default:
			r.Offenders = append(r.Offenders, Offender{Field: "template " + t.Name, Text: "changed since its review: now " + t.Digest})
		}
	}
	r.Figure = fmt.Sprintf("%d in %d turns, %d templates", len(r.Offenders), texts, len(in.Templates))
	r.Values = []Value{{"found", float64(len(r.Offenders))}, {"turns", float64(texts)}, {"templates", float64(len(in.Templates))}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// rendered looks at one turn of an item.
func rendered(t uplift.Task, i uplift.Item, turn string) []find {
	slots, frame := split(t, turn)
	var out []find
	for _, s := range slots {
		if guarded(t) {
			out = append(out, unapproved(s)...)
		}
		out = append(out, nameShapes(s)...)
	}
	if i.Lang == "" {
		out = append(out, nameShapes(frame)...)
	}
	for _, s := range append(slots, frame) {
		out = append(out, sequences(s)...)
		out = append(out, addresses(s)...)
		out = append(out, encodings(s)...)
	}
	return out
}

// split parts a turn into the texts of its task and what stands around them.
// The longest texts are looked for first.
func split(t uplift.Task, turn string) (slots []string, frame string) {
	texts := append(sent(t), present([]field{{"hard_negative", t.HardNegative}})...)
	for len(texts) > 0 {
		best := 0
		for i := range texts {
			if len(texts[i].text) > len(texts[best].text) {
				best = i
			}
		}
		s := texts[best].text
		texts = append(texts[:best], texts[best+1:]...)
		if strings.Contains(turn, s) {
			slots = append(slots, s)
			turn = strings.ReplaceAll(turn, s, " … ")
		}
	}
	return slots, turn
}
