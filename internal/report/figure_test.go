package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

func TestFigures(t *testing.T) {
	magic := map[string]string{"svg": "<?xml", "pdf": "%PDF-", "png": "\x89PNG\r\n\x1a\n"}
	figures := map[string]func(*analysis.Result, string) ([]byte, error){"frontier": Frontier, "forest": Forest}
	for fixture, in := range fixtures() {
		for kind, figure := range figures {
			for _, format := range Formats() {
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
					if format == "svg" {
						checkSVG(t, got)
					}
				})
			}
		}
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
