package report

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestBrowserResponses looks at the page of responses in a real browser: side
// by side where there is room, one under the other on a phone.
func TestBrowserResponses(t *testing.T) {
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
	for name, s := range map[string]ResponseSet{"plain": responseSet(), "hostile": hostileResponses()} {
		t.Run(name, func(t *testing.T) {
			b.visitResponses(t, s)
			b.width(t, 390)
			if name == "plain" {
				b.beside(t, 1)
			}
			b.width(t, 1280)
			if name == "plain" {
				b.beside(t, 3)
			}
			var title string
			b.eval(t, `document.title`, &title)
			if title == "owned" {
				t.Error("a text of a response ran")
			}
			b.quiet(t)
		})
	}
}

// beside wants so many cards of the first conversation in its first row.
func (b *tab) beside(t *testing.T, want int) {
	t.Helper()
	var got int
	b.eval(t, `(() => { const c = [...document.querySelector(".sides").children]; const top = c[0].getBoundingClientRect().top;
		return c.filter(e => Math.abs(e.getBoundingClientRect().top - top) < 1).length })()`, &got)
	if got != want {
		t.Errorf("%d responses stand beside each other, want %d", got, want)
	}
}

func (b *tab) visitResponses(t *testing.T, s ResponseSet) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := ResponsesHTML(f, s, "Responses.", []Fact{{"study", "mine"}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	at := url.URL{Scheme: "file", Path: path}
	if err := chromedp.Do(b.ctx, chromedp.Navigate(at.String())); err != nil {
		t.Fatalf("open the page: %v", err)
	}
}
