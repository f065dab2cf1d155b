package report

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/power"
	"github.com/uplift-eval/uplift/stats"
)

// powerOf answers a question for a published interval.
func powerOf(t *testing.T, q power.Question) *power.Result {
	t.Helper()
	b, err := power.FromInterval(stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18})
	if err != nil {
		t.Fatal(err)
	}
	q.Endpoints, q.Curves = 3, true
	return powerAsk(t, []power.Basis{b}, q)
}

func powerAsk(t *testing.T, bases []power.Basis, q power.Question) *power.Result {
	t.Helper()
	r, err := power.Ask(bases, q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// powerPilot is a pilot of two contrasts, one of them with a hostile name.
func powerPilot(t *testing.T, condition string) *power.Result {
	t.Helper()
	values := []float64{0.5, 0.25, 0.5, -0.25, 0, -0.5, -0.25, 0.25, 0, 0.25, -0.75, -0.5}
	var bases []power.Basis
	for i, name := range []string{"guarded", condition} {
		of := power.Basis{Model: "m", Condition: name, Reference: "open", Endpoint: []string{"utility", "risk"}[i], Margin: []float64{0.05, 0}[i]}
		b, err := power.FromPairs(of, values, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		values[i] = 1
		b.Rated = &power.Rated{Pairs: []int{9, 2}[i], Share: new(0.31), Lo: new(0.12), Hi: new(0.64), Left: 0.625}
		bases = append(bases, b)
	}
	delta := -0.25
	r := powerAsk(t, bases, power.Question{Delta: &delta, Curves: true})
	r.Study, r.Simulated = "pilot", true
	return r
}

func TestPowerGolden(t *testing.T) {
	full := powerOf(t, power.Question{Margin: 0.05, Better: power.Lower, Raters: []int{1, 2}, Noise: 0.3, Double: 0.25, Minutes: 2, Price: 1.5})
	plain := powerOf(t, power.Question{})
	for _, c := range []struct {
		file  string
		write func(io.Writer) error
	}{
		{"power.txt", func(w io.Writer) error { return PowerText(w, plain, 80) }},
		{"power-full.txt", func(w io.Writer) error { return PowerText(w, full, 100) }},
		{"power-full-60.txt", func(w io.Writer) error { return PowerText(w, full, 60) }},
		{"power-pilot.txt", func(w io.Writer) error { return PowerText(w, powerPilot(t, "safety"), 100) }},
		{"power.html", func(w io.Writer) error { return PowerHTML(w, plain, []Fact{{"uplift", "test"}}) }},
	} {
		t.Run(c.file, func(t *testing.T) {
			var b, again bytes.Buffer
			if err := c.write(&b); err != nil {
				t.Fatal(err)
			}
			if err := c.write(&again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Errorf("a second one of the same result differs (%v)", err)
			}
			golden(t, c.file, b.Bytes())
		})
	}
}

// The lines that were published, as they must stand in the terminal.
func TestPowerTextHoldsThePublishedNumbers(t *testing.T) {
	for _, width := range []int{60, 80, 100} {
		var b bytes.Buffer
		if err := PowerText(&b, powerOf(t, power.Question{}), width); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		for _, want := range []string{
			`SE +\.0270\n`, `SD of one pair +\.189 `, `p +\.032 +\.046 +\.061 +\.076\n`,
			`18 +\.59/\.53/\.45/\.36 +\.84/\.71/\.56/\.41 +\.99/\.86/\.65/\.44\n`,
			`36 +\.89/\.84/\.76/\.65 +\.99/\.96/\.87/\.71 +1/\.99/\.93/\.74\n`,
			`54 +\.98/\.96/\.91/\.83 +1/1/\.97/\.87 +1/1/\.99/\.90\n`,
			`6 of 18 +8 +\.46/\.30/\.21/\.14 `, `of which 6\s+carry\s+each\s+endpoint|of which 6 carry each endpoint`,
			`no\s+family\s+of\s+two\s+passes\s+Holm\s+over\s+sign-flip\s+p`, `go\s+by\s+ICC: 0/\.1/\.25/\.5\.`,
			`finds with \.80 +\.080 +\.087 +\.096 +\.110\n`, `28\s+tasks\s+with\s+2\.72\s+pairs\s+at\s+ICC\s+0\s+would\s+nearly\s+do\s+\(\.7998\)`,
		} {
			if !regexp.MustCompile(want).MatchString(got) {
				t.Errorf("at %d columns %q is missing from\n%s", width, want, got)
			}
		}
		for line := range strings.Lines(got) {
			if cells.StringWidth(strings.TrimRight(line, "\n")) > width {
				t.Errorf("at %d columns this line is too long: %q", width, line)
			}
		}
	}
}

// The verdict comes first, each warning stands by what it concerns, and what
// holds of every contrast is said once.
func TestPowerTextOrder(t *testing.T) {
	write := func(r *power.Result) string {
		var b bytes.Buffer
		if err := PowerText(&b, r, 80); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	order := func(s string, parts ...string) {
		t.Helper()
		at := 0
		for _, part := range parts {
			i := strings.Index(s[at:], part)
			if i < 0 {
				t.Errorf("%q is missing, or stands above what it should follow, in\n%s", part, s)
				return
			}
			at += i
		}
	}
	order(write(powerOf(t, power.Question{})), "18 tasks with 2.72 pairs each find", "[power_low]", "SD of one pair", "[interval_assumed]",
		"Present design", "Its p once", "strokes go by ICC", "What it takes: tasks of one endpoint; ratings for all 3", "would nearly do", "6 of 18", "[power_low_endpoint]", saysTitle)
	pilot := write(powerPilot(t, "safety"))
	order(pilot, "guarded", "[power_low]", "[icc_uncertain]", "safety", saysTitle)
	for _, part := range []string{"6 of 18", "the ratings of"} {
		if strings.Contains(pilot, part) {
			t.Errorf("%q is said of a pilot that nobody asked it of", part)
		}
	}
	r := powerPilot(t, "safety")
	for i := range r.Answers {
		r.Answers[i].Warnings = append(r.Answers[i].Warnings, uplift.Warning{Code: "both", Text: "alike"})
	}
	if s := write(r); strings.Count(s, "alike [both]") != 1 {
		t.Errorf("a warning of both contrasts is written %d times, want once", strings.Count(s, "alike [both]"))
	}
}

func TestPowerAtOneICC(t *testing.T) {
	var b bytes.Buffer
	if err := PowerText(&b, powerOf(t, power.Question{ICCs: []float64{0.1}}), 80); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "All at ICC .1.") || strings.Contains(s, "strokes") || regexp.MustCompile(`\.\d\d/`).MatchString(s) {
		t.Errorf("one ICC is written as several:\n%s", s)
	}
}

func TestPowerFigures(t *testing.T) {
	magic := map[string]string{"svg": "<?xml", "pdf": "%PDF-", "png": "\x89PNG\r\n\x1a\n"}
	delta := 0.06
	numbers, err := power.FromNumbers(0.19, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]*power.Result{
		"interval": powerOf(t, power.Question{}),
		"raters":   powerAsk(t, []power.Basis{numbers}, power.Question{Delta: &delta, Raters: []int{1, 2}, Noise: 0.3, Pairs: []float64{1, 2, 4, 8}, Curves: true}),
		"pilot":    powerPilot(t, "safety"),
		"nothing":  powerAsk(t, []power.Basis{numbers}, power.Question{Curves: true}),
	}
	for name, r := range results {
		for _, format := range Formats() {
			if format == "png" && name != "interval" {
				continue // slow at print resolution
			}
			t.Run(name+" "+format, func(t *testing.T) {
				got, err := PowerFigure(r, format)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(string(got), magic[format]) {
					t.Errorf("begins with %q, want %q", got[:min(8, len(got))], magic[format])
				}
				if again, err := PowerFigure(r, format); err != nil || !bytes.Equal(got, again) {
					t.Errorf("a second figure of the same result differs (%v)", err)
				}
				switch format {
				case "svg":
					checkSVG(t, got)
				case "png":
					checkPNG(t, got)
				}
			})
		}
	}
}

func TestPowerFigureWords(t *testing.T) {
	delta := 0.06
	numbers, err := power.FromNumbers(0.19, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		r            *power.Result
		want, absent []string
	}{
		{"interval", powerOf(t, power.Question{}), []string{"Power to find −0.063, SD .189", "2.72 pairs a task", "ICC .25", "present design", "Tasks of the endpoint"}, []string{"SIMULATED", "rater"}},
		{"numbers", powerAsk(t, []power.Basis{numbers}, power.Question{Delta: &delta, Raters: []int{1, 2}, Noise: 0.3, Curves: true}), []string{"1 pair a task, 2 raters"}, []string{"present design"}},
		{"pilot", powerPilot(t, "safety"), []string{"SIMULATED", "guarded − open, utility; ICC 0/.38/.69", "safety − open, risk", "lowest ICC"}, nil},
		{"nothing", powerAsk(t, []power.Basis{numbers}, power.Question{Curves: true}), []string{"no difference to find"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			svg, err := PowerFigure(c.r, "svg")
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range c.want {
				if !strings.Contains(loose(string(svg)), w) {
					t.Errorf("does not say %q", w)
				}
			}
			for _, w := range c.absent {
				if strings.Contains(loose(string(svg)), w) {
					t.Errorf("says %q, which it does not show", w)
				}
			}
		})
	}
}

// A name from a study stays text in the page and harmless on a terminal.
func TestPowerHostileNames(t *testing.T) {
	r := powerPilot(t, "<script>alert(1)</script>\u202e\x1b[31m")
	r.Study = "</style><img src=x onerror=alert(1)>"
	var page, text bytes.Buffer
	if err := PowerHTML(&page, r, nil); err != nil {
		t.Fatal(err)
	}
	if err := PowerText(&text, r, 80); err != nil {
		t.Fatal(err)
	}
	for tag, want := range map[string]int{"script": 1, "style": 1, "img": 0} {
		if got := len(regexp.MustCompile(`(?i)<`+tag+`[\s>/]`).FindAllString(page.String(), -1)); got != want {
			t.Errorf("<%s> stands %d times in the page, want %d", tag, got, want)
		}
	}
	if strings.Contains(page.String(), "ZgotmplZ") {
		t.Error("html/template refused a value: the page holds ZgotmplZ")
	}
	for _, c := range page.String() + text.String() {
		if c != '\n' && hidden(c) {
			t.Errorf("the invisible %U is shown", c)
		}
	}
}

func TestNoPowerGiven(t *testing.T) {
	if err := PowerText(io.Discard, nil, 0); err != ErrNoPower {
		t.Errorf("text: got %v, want %v", err, ErrNoPower)
	}
	if err := PowerHTML(io.Discard, nil, nil); err != ErrNoPower {
		t.Errorf("page: got %v, want %v", err, ErrNoPower)
	}
	if _, err := PowerFigure(nil, "svg"); err != ErrNoPower {
		t.Errorf("figure: got %v, want %v", err, ErrNoPower)
	}
	if _, err := PowerFigure(powerOf(t, power.Question{}), "bmp"); err == nil || err.Error() != `figure: unknown format "bmp" (want svg, pdf or png)` {
		t.Errorf("bmp: got %v", err)
	}
}
