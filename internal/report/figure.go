package report

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"math"
	"regexp"
	"slices"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgpdf" // pdf
	_ "gonum.org/v1/plot/vg/vgsvg" // svg
)

// Formats lists what [Frontier] and [Forest] can write.
func Formats() []string { return []string{"svg", "pdf", "png"} }

// figureScale turns the pixels of a layout into points of a figure.
const figureScale = 0.72

// printDPI is the resolution of a PNG, enough for print.
const printDPI = 300

// The inks of a figure; the accents are those of the page in light.
var (
	ink   = color.NRGBA{0x1b, 0x1d, 0x1f, 0xff}
	soft  = color.NRGBA{0x55, 0x59, 0x5d, 0xff}
	faint = color.NRGBA{0x84, 0x88, 0x8c, 0xff}
	hair  = color.NRGBA{0xe6, 0xe6, 0xe2, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	sham  = color.NRGBA{0x7a, 0x1f, 0x5c, 0xff} // what is simulated

	tentative = color.NRGBA{0x8a, 0x52, 0x00, 0xff} // what was not planned
	accents   = [colours]color.NRGBA{{0x0b, 0x69, 0xa8, 0xff}, {0xc2, 0x4e, 0x00, 0xff}, {0x00, 0x79, 0x5a, 0xff},
		{0xa8, 0x41, 0x7f, 0xff}, {0x65, 0x52, 0xc7, 0xff}, {0x87, 0x68, 0x00, 0xff}}
)

func (s style) ink() color.NRGBA {
	if s.Colour == reference {
		return ink
	}
	return accents[s.Colour]
}

// faded is a colour with another opacity.
func faded(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(255 * alpha)
	return c
}

// straight is a colour whose channels are not multiplied by its opacity: the
// form in which the PDF canvas takes them.
type straight struct{ color.NRGBA }

// RGBA implements color.Color.
func (c straight) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 0x101, uint32(c.G) * 0x101, uint32(c.B) * 0x101, uint32(c.A) * 0x101
}

// pen draws in the pixels of a layout, y downwards, on a canvas of gonum/plot.
type pen struct {
	canvas vg.CanvasWriterTo
	cache  *font.Cache
	h      float64
	dx, dy float64 // where the layout begins
	format string
	dpi    int // of a PNG
}

func newPen(w, h float64, format string) (*pen, error) {
	if !slices.Contains(Formats(), format) {
		return nil, fmt.Errorf("figure: unknown format %q (want svg, pdf or png)", format)
	}
	width, height := vg.Length(w*figureScale), vg.Length(h*figureScale)
	dpi := resolution(width, height)
	c, err := newCanvas(width, height, format, dpi)
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	p := &pen{canvas: c, cache: font.NewCache(liberation.Collection()), h: h, format: format, dpi: dpi}
	p.fill([]xy{{0, 0}, {w, 0}, {w, h}, {0, h}}, paper)
	return p, nil
}

// mostPixels is the largest PNG: a hundred megabytes while it is drawn.
const mostPixels = 25_000_000

// resolution is that of print, in dots per inch, unless the figure is so large,
// for its hundreds of conditions, that it would have more pixels than mostPixels.
func resolution(w, h vg.Length) int {
	if pixels := float64(w/vg.Inch*h/vg.Inch) * printDPI * printDPI; pixels > mostPixels {
		return max(1, int(printDPI*math.Sqrt(mostPixels/pixels)))
	}
	return printDPI
}

// newCanvas is a canvas of a format.
func newCanvas(w, h vg.Length, format string, dpi int) (vg.CanvasWriterTo, error) {
	if format == "png" {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}, nil
	}
	return draw.NewFormattedCanvas(w, h, format)
}

func (p *pen) point(a xy) vg.Point {
	return vg.Point{X: vg.Length((a.X + p.dx) * figureScale), Y: vg.Length((p.h - a.Y - p.dy) * figureScale)}
}

func (p *pen) colour(c color.NRGBA) {
	if p.format == "pdf" {
		p.canvas.SetColor(straight{c})
		return
	}
	p.canvas.SetColor(c)
}

func (p *pen) path(points []xy, closed bool) vg.Path {
	var out vg.Path
	for i, a := range points {
		if i == 0 {
			out.Move(p.point(a))
		} else {
			out.Line(p.point(a))
		}
	}
	if closed {
		out.Close()
	}
	return out
}

func (p *pen) fill(points []xy, c color.NRGBA) {
	p.colour(c)
	p.canvas.Fill(p.path(points, true))
}

func (p *pen) stroke(points []xy, closed bool, width float64, c color.NRGBA, dashes ...vg.Length) {
	p.colour(c)
	p.canvas.SetLineWidth(vg.Length(width * figureScale))
	p.canvas.SetLineDash(dashes, 0)
	p.canvas.Stroke(p.path(points, closed))
}

// face is a sans face of a size in pixels.
func (p *pen) face(size float64, bold bool) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return p.cache.Lookup(f, vg.Length(size*figureScale))
}

// text writes a line at a base line; anchor is 0 for start, 0.5 for middle, 1
// for end.
func (p *pen) text(s string, at xy, anchor, size float64, bold bool, c color.NRGBA) {
	f := p.face(size, bold)
	s = p.fit(loose(s), f)
	p.colour(c)
	a := p.point(at)
	a.X -= vg.Length(anchor) * f.Width(s)
	p.write(s, f, a)
}

// write draws a line from a point in the colour that is set.
func (p *pen) write(s string, f font.Face, at vg.Point) {
	if p.format == "pdf" {
		p.glyphs(s, f, at)
		return
	}
	p.canvas.FillString(f, at, s)
}

// halo is text on a pale ground of its own, so that lines do not cross it.
func (p *pen) halo(s string, at xy, anchor, size float64, bold bool, c color.NRGBA) {
	f := p.face(size, bold)
	w := float64(f.Width(p.fit(loose(s), f))) / figureScale
	x := at.X - anchor*w
	p.fill([]xy{{x - 2, at.Y - 0.8*size}, {x + w + 2, at.Y - 0.8*size}, {x + w + 2, at.Y + 0.22*size}, {x - 2, at.Y + 0.22*size}}, faded(paper, 0.8))
	p.text(s, at, anchor, size, bold, c)
}

// upright writes a line turned to run upwards, ending at a point.
func (p *pen) upright(s string, at xy, size float64, bold bool, c color.NRGBA) {
	f := p.face(size, bold)
	s = p.fit(loose(s), f)
	p.canvas.Push()
	p.canvas.Translate(p.point(at))
	p.canvas.Rotate(1.5707963267948966)
	p.colour(c)
	p.write(s, f, vg.Point{X: -f.Width(s)})
	p.canvas.Pop()
}

// fit replaces what the embedded face has no glyph for by a question mark. SVG
// keeps every rune, because the reader's faces fill in.
func (p *pen) fit(s string, f font.Face) string {
	if p.format == "svg" {
		return s
	}
	var buf sfnt.Buffer
	out := []rune(s)
	for i, r := range out {
		if g, err := f.Face.GlyphIndex(&buf, r); err != nil || g == 0 {
			out[i] = '?'
		}
	}
	return string(out)
}

// pngHead is the length of a PNG's signature and header chunk.
const pngHead = 8 + 25

// withResolution adds the chunk pHYs, in pixels a metre, to a PNG.
func withResolution(png []byte, dpi float64) []byte {
	perMetre := uint32(math.Round(dpi / 0.0254))
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	sum := crc32.ChecksumIEEE(chunk)
	out := slices.Clone(png[:pngHead])
	out = binary.BigEndian.AppendUint32(out, 9)
	out = binary.BigEndian.AppendUint32(append(out, chunk...), sum)
	return append(out, png[pngHead:]...)
}

// stamp is the date that a PDF file carries.
var stamp = regexp.MustCompile(`D:\d{14}`)

// bytes is the finished file. A PDF's dates are set to zero, so that the same
// analysis gives the same bytes; a PNG says its resolution, so that it is
// placed at its size.
func (p *pen) bytes() ([]byte, error) {
	var b bytes.Buffer
	if _, err := p.canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	if p.format == "png" {
		return withResolution(b.Bytes(), float64(p.dpi)), nil
	}
	return stamp.ReplaceAll(b.Bytes(), []byte("D:20000101000000")), nil
}
