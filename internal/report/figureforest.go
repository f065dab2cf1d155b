package report

import "github.com/uplift-eval/uplift/internal/analysis"

// The columns of a forest plot, in pixels.
const (
	forestName  = 250.0 // names to the left of the intervals
	forestValue = 190.0 // numbers to the right
	forestRowH  = 24.0
	forestHeadH = 30.0
	forestFootH = 34.0
	forestNoteH = 17.0
)

// Forest draws every contrast with its interval, one panel an endpoint, and
// says beneath what is drawn; in a simulated study the truth stands beside the
// estimate. The unit is that of [Frontier]. The format is one of [Formats].
func Forest(res *analysis.Result, format string) ([]byte, error) {
	if res == nil {
		return nil, ErrNoResult
	}
	forests := forestsOf(res, paletteOf(res))
	h := figureHead
	for _, f := range forests {
		h += forestHeadH + forestRowH*float64(len(f.Rows)) + forestFootH
	}
	notes := forestNotes(res, forests)
	p, err := newPen(forestName+stripW+forestValue, h+forestNoteH*float64(len(notes))+8, format)
	if err != nil {
		return nil, err
	}
	p.stamp(res)
	p.dy = figureHead
	for _, f := range forests {
		p.forest(f)
		p.dy += forestHeadH + forestRowH*float64(len(f.Rows)) + forestFootH
	}
	for i, n := range notes {
		p.text(n, xy{12, forestNoteH * (float64(i) + 0.8)}, 0, 12, false, soft)
	}
	if len(forests) == 0 {
		p.text("No contrast.", xy{12, -8}, 0, 13, false, soft)
	}
	return p.bytes()
}

// forestNotes are the lines under a forest plot: what its marks are.
func forestNotes(res *analysis.Result, forests []forest) []string {
	if len(forests) == 0 {
		return nil
	}
	method := "CR2 "
	truth, bare, banded, unplanned := false, false, false, ""
	for _, c := range res.Contrasts {
		if c.Difference.Method != "" && c.Difference.Method != "cr2" {
			method = ""
		}
		truth = truth || c.Truth != nil
	}
	for _, f := range forests {
		for _, r := range f.Rows {
			bare = bare || r.Withheld
			banded = banded || r.Strip.Banded
			if r.Unplanned != "" {
				unplanned = r.Unplanned
			}
		}
	}
	notes := []string{"Point and line: mean paired difference, condition " + minus + " reference, with its " + percent(res.Level) + " " + method +
		"interval (clusters: " + unitOf(res).many + ")."}
	if banded {
		notes = append(notes, "Thin line: simultaneous band, "+percent(res.Level)+" for all contrasts of the endpoint at once.")
	}
	if truth {
		notes = append(notes, "Dotted line: the true difference, known because the study is simulated.")
	}
	if bare {
		notes = append(notes, "Hollow point: the data do not carry an interval.")
	}
	if unplanned != "" {
		notes = append(notes, dagger+" "+capitalName(unplanned)+": not as the locked plan had it, and so not confirmatory.")
	}
	return notes
}

// dagger marks a row of a figure that is not as it was planned, where others are.
const dagger = "†"

func (p *pen) forest(f forest) {
	p.text(f.Endpoint+f.Unit+": "+f.Meaning, xy{12, 14}, 0, 13, true, ink)
	top, bottom := forestHeadH-6, forestHeadH+forestRowH*float64(len(f.Rows))
	if len(f.Rows) > 0 {
		x := forestName + f.Rows[0].Strip.Zero
		p.stroke([]xy{{x, top}, {x, bottom}}, false, 1, faint)
	}
	for i, r := range f.Rows {
		p.forestRow(r, forestHeadH+forestRowH*(float64(i)+0.5))
	}
	p.stroke([]xy{{forestName, bottom}, {forestName + stripW, bottom}}, false, 1, faint)
	for _, t := range f.Figure {
		p.stroke([]xy{{forestName + t.At, bottom}, {forestName + t.At, bottom + 4}}, false, 1, faint)
		p.text(t.Label, xy{forestName + t.At, bottom + 17}, 0.5, 11, false, soft)
	}
}

func (p *pen) forestRow(r forestRow, y float64) {
	who := r.Condition + " " + minus + " " + r.Reference
	if r.Model != "" {
		who = r.Model + ": " + who
	}
	room := 36
	if r.Unplanned != "" {
		room -= 2
	}
	who = cells.Truncate(who, room, "…")
	if r.Unplanned != "" {
		who += " " + dagger
	}
	p.text(who, xy{12, y + 4.5}, 0, 12.5, false, ink)
	s, c, x := r.Strip, r.Style.ink(), forestName
	if s.Banded {
		p.stroke([]xy{{x + s.BandLo, y}, {x + s.BandHi, y}}, false, 0.8, c)
		p.stroke([]xy{{x + s.BandLo, y - 2.5}, {x + s.BandLo, y + 2.5}}, false, 0.8, c)
		p.stroke([]xy{{x + s.BandHi, y - 2.5}, {x + s.BandHi, y + 2.5}}, false, 0.8, c)
	}
	if s.Has {
		p.stroke([]xy{{x + s.Lo, y}, {x + s.Hi, y}}, false, 2, c)
		p.stroke([]xy{{x + s.Lo, y - 4}, {x + s.Lo, y + 4}}, false, 1.4, c)
		p.stroke([]xy{{x + s.Hi, y - 4}, {x + s.Hi, y + 4}}, false, 1.4, c)
	}
	if s.Known && !s.None {
		p.stroke([]xy{{x + s.Truth, y - 8}, {x + s.Truth, y + 8}}, false, 1.8, sham, 1.5, 1.8)
	}
	if !s.None {
		p.forestPoint(xy{x + s.Point, y}, s.Has, r.Style)
	}
	p.text(r.Figure, xy{forestName + stripW + 12, y + 4.5}, 0, 12.5, false, ink)
}

// forestPoint is the estimate: filled with its interval, hollow without one.
func (p *pen) forestPoint(at xy, filled bool, s style) {
	ring := polygon(24, 4, 0)
	for i := range ring {
		ring[i].X += at.X
		ring[i].Y += at.Y
	}
	if filled {
		p.fill(ring, s.ink())
		return
	}
	p.fill(ring, paper)
	p.stroke(ring, true, 1.6, s.ink())
}
