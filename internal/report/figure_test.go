package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/uplift-eval/uplift/internal/analysis"
)

func TestFigures(t *testing.T) {
	magic := map[string]string{"svg": "<?xml", "pdf": "%PDF-", "png": "\x89PNG\r\n\x1a\n"}
	figures := map[string]func(*analysis.Result, string) ([]byte, error){"frontier": Frontier, "forest": Forest}
	for fixture, in := range fixtures() {
		for kind, figure := range figures {
			for _, format := range Formats() {
				if format == "png" && fixture != "xstest" && fixture != "empty" {
					continue // the same drawing as the others, and slow at print resolution
				}
				t.Run(fixture+" "+kind+" "+format, func(t *testing.T) {
					got, err := figure(in.Result, format)
					if err != nil {
						t.Fatal(err)
					}
					if !strings.HasPrefix(string(got), magic[format]) {
						t.Errorf("begins with %q, want %q", got[:min(8, len(got))], magic[format])
					}
					again, err := figure(in.Result, format)
					if err != nil || !bytes.Equal(got, again) {
						t.Errorf("a second figure of the same result differs (%v)", err)
					}
					for _, date := range stamp.FindAll(got, -1) {
						if string(date) != "D:20000101000000" {
							t.Errorf("carries the date %s", date)
						}
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
}

// A PNG is wide enough for print and says so: 300 dots an inch are 11,811 a
// metre.
func checkPNG(t *testing.T, got []byte) {
	t.Helper()
	c, err := png.DecodeConfig(bytes.NewReader(got))
	if err != nil {
		t.Fatal(err)
	}
	if c.Width < 1800 {
		t.Errorf("is %d pixels wide, want at least 1800", c.Width)
	}
	if want := "pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"; !bytes.Contains(got[:100], []byte(want)) {
		t.Errorf("begins with %q, want %q in it", got[:100], want)
	}
}

// A figure explains what it shows, and nothing else.
func TestFigureWords(t *testing.T) {
	for _, tc := range []struct {
		name         string
		figure       func(*analysis.Result, string) ([]byte, error)
		in           Input
		want, absent []string
	}{
		{"frontier", Frontier, xstest(), []string{"Utility, points of 100 (higher is better)", "Risk, points of 100 (lower is better)", "better", "reference",
			"move from the reference", "joint 95 % region", "frontier: no other"}, []string{"dominated: another", "SIMULATED"}},
		{"dominated", Frontier, simulated(), []string{"dominated: another", "SIMULATED"}, nil},
		{"contrasts", Forest, xstest(), []string{"95 % CR2 interval (clusters: families)", "Utility, points of 100", "−27.0 [−35.1, −18.9]"},
			[]string{"true difference", "Hollow point"}},
		{"truth", Forest, simulated(), []string{"Dotted line: the true difference"}, nil},
		{"exploratory frontier", Frontier, exploratory(), []string{"SIMULATED", "EXPLORATORY: no number here is confirmatory"}, []string{"post hoc", ">exploratory<"}},
		{"exploratory contrasts", Forest, exploratory(), []string{"SIMULATED", "EXPLORATORY: no number here is confirmatory"}, []string{"†"}},
		{"amended frontier", Frontier, amended(), []string{"reference, post hoc", "dominated, post hoc"}, []string{"SIMULATED", "EXPLORATORY", "confirmatory"}},
		{"amended contrasts", Forest, amended(), []string{"safety − helpful †", "† Post hoc: not as the locked plan had it, and so not confirmatory."}, []string{"EXPLORATORY"}},
		{"withheld", Forest, guarded(), []string{"Hollow point", "(interval withheld)"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			svg, err := tc.figure(tc.in.Result, "svg")
			if err != nil {
				t.Fatal(err)
			}
			got := loose(string(svg))
			for _, w := range tc.want {
				if !strings.Contains(got, w) {
					t.Errorf("does not say %q", w)
				}
			}
			for _, w := range tc.absent {
				if strings.Contains(got, w) {
					t.Errorf("says %q, which it does not show", w)
				}
			}
		})
	}
}

func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	for _, bad := range []string{"NaN", "Inf"} {
		if bytes.Contains(svg, []byte(bad)) {
			t.Errorf("holds %s", bad)
		}
	}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "image" || e.Name.Local == "style") {
			t.Errorf("holds <%s>", e.Name.Local)
		}
	}
}

func TestFigureErrors(t *testing.T) {
	if _, err := Frontier(nil, "svg"); err != ErrNoResult {
		t.Errorf("without a result: got %v, want %v", err, ErrNoResult)
	}
	_, err := Forest(xstest().Result, "bmp")
	if want := `figure: unknown format "bmp" (want svg, pdf or png)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A figure of hundreds of rows keeps its size on paper and loses resolution.
func TestResolution(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h vg.Length
		want int
	}{
		{"a column of a journal", 3.5 * vg.Inch, 3 * vg.Inch, 300},
		{"the most pixels at print resolution", 5 * vg.Inch, 25_000_000.0 / 90_000 / 5 * vg.Inch, 300},
		{"four times as high", 5 * vg.Inch, 4 * 25_000_000.0 / 90_000 / 5 * vg.Inch, 150},
		{"beyond all paper", 1e6 * vg.Inch, 1e6 * vg.Inch, 1},
	} {
		if got := resolution(c.w, c.h); got != c.want && got != c.want-1 {
			t.Errorf("%s: got %d dots per inch, want %d", c.name, got, c.want)
		}
	}
}
