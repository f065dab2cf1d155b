package report

import (
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// glyphs draws a line as outlines. The PDF canvas of gonum/plot knows one code
// page and no bold face; outlines know every glyph that the face has.
func (p *pen) glyphs(s string, f font.Face, at vg.Point) {
	em := fixed.Int26_6(f.Face.UnitsPerEm())
	scale := f.Font.Size / vg.Length(em)
	var buf sfnt.Buffer
	for _, r := range s {
		g, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if segments, err := f.Face.LoadGlyph(&buf, g, em, nil); err == nil && len(segments) > 0 {
			p.canvas.Fill(glyphPath(segments, at, scale))
		}
		if step, err := f.Face.GlyphAdvance(&buf, g, em, xfont.HintingNone); err == nil {
			at.X += vg.Length(step) * scale
		}
	}
}

// glyphPath is one glyph with its origin at a point; sfnt's y grows downwards.
func glyphPath(segments sfnt.Segments, at vg.Point, scale vg.Length) vg.Path {
	place := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(q.X)*scale, Y: at.Y - vg.Length(q.Y)*scale}
	}
	var out vg.Path
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			out.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			out.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			out.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			out.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	out.Close()
	return out
}
