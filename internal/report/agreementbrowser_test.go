package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// fiveLevels is a study whose agreement is on the five levels of the rubric, in
// every tint of a heat map.
func fiveLevels() Input {
	in := simulated()
	a := threeRaters()
	s := &a.Scales[0]
	s.Scale, s.Values = "actionability", []float64{0, 0.25, 0.5, 0.75, 1}
	s.Categories = s.Values
	s.Coincidences = [][]float64{{12450, 3300.5, 150, 0, 0}, {3300.5, 2300, 1150, 100, 0}, {150, 1150, 1200, 600, 0}, {0, 100, 600, 1100, 1000.5}, {0, 0, 0, 1000.5, 400}}
	for i := range s.ByRater {
		s.ByRater[i].Counts = []int{1200, 480, 110, 80, 20}
	}
	for i := range s.Pairs {
		s.Pairs[i].Table = [][]int{{200, 60, 10, 0, 0}, {60, 140, 30, 0, 0}, {10, 20, 20, 10, 0}, {0, 0, 20, 10, 0}, {0, 0, 0, 0, 0}}
	}
	tier := *s
	tier.Tier = "harmful"
	a.Scales = append([]analysis.ScaleAgreement{tier}, a.Scales...)
	in.Agreement = a
	return in
}

// heat asks for heat maps whose every number can be read, on a phone and on a
// wide page, in both schemes, and whose equal marks stand out.
func (b *tab) heat(t *testing.T) {
	for fixture, in := range map[string]Input{"two raters": xstest(), "five levels": fiveLevels()} {
		b.visit(t, in)
		for _, pixels := range []int64{390, 1280} {
			b.width(t, pixels) // which leaves the details open
			for _, scheme := range []string{"dark", "light"} {
				t.Run(fmt.Sprintf("%s, %d pixels, %s", fixture, pixels, scheme), func(t *testing.T) {
					b.media(t, "", scheme)
					b.heatMaps(t, fixture == "five levels")
				})
			}
		}
	}
	b.quiet(t)
}

// heatMaps looks at the page that is open, its details opened.
func (b *tab) heatMaps(t *testing.T, everyStep bool) {
	t.Helper()
	var got struct {
		Maps          int
		Uneven        []string
		Wide          []string
		Faint, Plain  []string
		Steps, Shades int
	}
	b.eval(t, `(() => {
		const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
		const rgb = s => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = s; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
		const light = c => { const l = c.slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * l[0] + .7152 * l[1] + .0722 * l[2]; };
		const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] == 255) return c; } return [255, 255, 255]; };
		const contrast = e => { const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e)); return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); };
		const maps = [...document.querySelectorAll("table.heat")].filter(e => e.checkVisibility());
		const cells = [...document.querySelectorAll(".heat th, .heat td, .heat small, .marks td, .marks th, .steps li")].filter(e => e.textContent.trim() && e.checkVisibility());
		const names = l => l.slice(0, 5).map(e => e.className + " " + e.textContent.trim());
		const steps = [...document.querySelectorAll(".steps span")];
		return {
			Maps: maps.length,
			Uneven: maps.filter(m => [...m.tBodies[0].rows].some(r => r.cells.length != m.tBodies[0].rows.length + 2)).map(m => m.caption.textContent),
			Wide: maps.filter(m => { const a = m.parentElement; return a.scrollWidth > a.clientWidth + 1; }).map(m => m.caption.textContent),
			Faint: names(cells.filter(e => contrast(e) < 4.5)),
			Plain: names([...document.querySelectorAll(".heat .same")].filter(e => e.checkVisibility() && getComputedStyle(e).outlineStyle != "solid")),
			Steps: new Set([...document.querySelectorAll(".heat tbody td")].flatMap(e => [...e.classList]).filter(c => /^h[1-7]$/.test(c))).size,
			Shades: new Set(steps.map(e => rgb(getComputedStyle(e).backgroundColor).join())).size};
	})()`, &got)
	if got.Maps == 0 || got.Shades != len(heatSteps) {
		t.Errorf("got %d heat maps in %d shades, want some in %d", got.Maps, got.Shades, len(heatSteps))
	}
	if everyStep && got.Steps != len(heatSteps) {
		t.Errorf("the maps show %d steps, want all %d", got.Steps, len(heatSteps))
	}
	for what, bad := range map[string][]string{"not square": got.Uneven, "wider than their place": got.Wide, "below a contrast of 4.5": got.Faint, "equal marks without an outline": got.Plain} {
		if len(bad) > 0 {
			t.Errorf("%s: %s", what, strings.Join(bad, " · "))
		}
	}
}
