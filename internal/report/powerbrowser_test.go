package report

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/uplift-eval/uplift/internal/power"
)

// TestBrowserPower looks at the page of a power analysis in a real browser.
func TestBrowserPower(t *testing.T) {
	program := os.Getenv("UPLIFT_CHROME")
	if program == "" {
		t.Skip("UPLIFT_CHROME is not set (want the path of Chrome or Chromium): the page is not opened in a browser")
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(program), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	defer cancel()
	b := &tab{ctx: ctx}
	if err := b.start(); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	for name, r := range map[string]*power.Result{
		"interval": powerOf(t, power.Question{Margin: 0.05, Better: power.Lower, Raters: []int{1, 2}, Noise: 0.3}),
		"pilot":    powerPilot(t, "<b>bold</b>"),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "report.html")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := PowerHTML(f, r, nil); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			at := url.URL{Scheme: "file", Path: path}
			if err := chromedp.Do(b.ctx, chromedp.Navigate(at.String())); err != nil {
				t.Fatalf("open the page: %v", err)
			}
			b.width(t, 390)
			b.width(t, 1280)
			var bold, curves int
			b.eval(t, `document.querySelectorAll("b").length`, &bold)
			b.eval(t, `[...document.querySelectorAll(".curve")].filter(e => getComputedStyle(e).stroke != "none" && e.getTotalLength() > 20).length`, &curves)
			if bold != 0 || curves < 10 {
				t.Errorf("got %d <b> and %d curves that are seen, want none and at least 10", bold, curves)
			}
			b.quiet(t)
		})
	}
}
