package report

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

//go:embed responsepage
var responseAssets embed.FS

// MaxResponsesOnPage is how many responses a page holds: about 4 MB.
const MaxResponsesOnPage = 1000

// ResponsesHTML writes responses as one page: each conversation with what every
// condition made of it, side by side where there is room. Of a long text it has
// the beginning. It needs nothing else; see [HTML].
func ResponsesHTML(w io.Writer, s ResponseSet, lead string, facts []Fact) error {
	if len(s.Rows) > MaxResponsesOnPage {
		return fmt.Errorf("report: %d responses (want at most %d on a page)", len(s.Rows), MaxResponsesOnPage)
	}
	t, err := template.New("responses").Funcs(template.FuncMap{"name": name, "clean": clean, "sent": sent, "score": score, "count": count, "lines": lines}).
		ParseFS(responseAssets, "responsepage/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js, err := sheets()
	if err != nil {
		return err
	}
	own, err := responseAssets.ReadFile("responsepage/responses.css")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css += string(own)
	v := responsePage{Policy: policy(css, js), Style: template.CSS(css), Script: template.JS(js), Set: s, Lead: lead, Simulated: s.simulated(),
		Items: s.pageItems(), Left: max(s.Total-len(s.Rows), 0), Facts: slices.Clone(facts)}
	for i, f := range v.Facts {
		v.Facts[i] = Fact{name(f.Name), clean(f.Value)}
	}
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "responses.tmpl", v); err != nil {
		return errors.Join(errors.New("report"), err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// responsePage is everything that the template shows.
type responsePage struct {
	Policy    string
	Style     template.CSS
	Script    template.JS
	Set       ResponseSet
	Lead      string
	Simulated bool
	Items     []pageItem
	Left      int // responses that match and stand nowhere on the page
	Facts     []Fact
}

// pageItem is a task under one attack.
type pageItem struct {
	ID   string
	Item uplift.Item
	Runs []pageRun
}

// pageRun is one model's conversation, once.
type pageRun struct {
	Model     string
	Replicate int
	Cards     []pageCard
}

// pageCard is what one condition made of it.
type pageCard struct {
	ResponseView
	Said    string // the reply; empty where a note stands instead
	Twin    string // the condition of which the reply is as well
	Diff    []piece
	Cut     int // characters of reply and draft that the diff leaves out
	Earlier bool
}

func (s ResponseSet) pageItems() []pageItem {
	var out []pageItem
	for _, g := range s.groups() {
		n := len(out)
		if n == 0 || out[n-1].Item.Task != g.Item.Task || out[n-1].Item.Attack != g.Item.Attack {
			out = append(out, pageItem{ID: "item-" + strconv.Itoa(n+1), Item: g.Item})
			n++
		}
		it := &out[n-1]
		if len(it.Item.Turns) == 0 {
			it.Item.Turns = g.Item.Turns
		}
		it.Runs = append(it.Runs, pageRun{Model: g.Model, Replicate: g.Replicate, Cards: g.cards()})
	}
	return out
}

func (g responseGroup) cards() []pageCard {
	const most = 3000
	out := make([]pageCard, len(g.Rows))
	for i, r := range g.Rows {
		text, note := r.said()
		c := pageCard{ResponseView: r, Said: text, Twin: g.twin(i), Earlier: r.Hidden == "" && len(r.Message) > 2}
		if note == "" && c.Twin == "" && r.changed() {
			old, new := begin(r.Draft, most), begin(text, most)
			c.Cut = utf8.RuneCountInString(r.Draft[len(old):]) + utf8.RuneCountInString(text[len(new):])
			c.Diff = wordDiff(old, new)
		}
		out[i] = c
	}
	return out
}
