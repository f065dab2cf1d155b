package report

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestBrowser looks at the pages in a real browser: UPLIFT_CHROME names it.
func TestBrowser(t *testing.T) {
	path := os.Getenv("UPLIFT_CHROME")
	if path == "" {
		t.Skip("UPLIFT_CHROME is not set (want the path of Chrome or Chromium): the pages are not opened in a browser")
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()

	tab := &tab{ctx: ctx}
	if err := tab.start(); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	for fixture, in := range fixtures() {
		t.Run(fixture, func(t *testing.T) {
			tab.visit(t, in)
			tab.width(t, 390)
			tab.width(t, 768)
			tab.width(t, 1125)
			tab.width(t, 1280)
			tab.quiet(t)
		})
	}
	t.Run("hostile text stays text", func(t *testing.T) { tab.hostile(t) })
	t.Run("details open in print", func(t *testing.T) { tab.print(t) })
	t.Run("without script", func(t *testing.T) { tab.scriptless(t) })
	t.Run("colours", func(t *testing.T) { tab.colours(t) })
	t.Run("agreement", func(t *testing.T) { tab.heat(t) })
}

// tab is one browser tab and what it complained of.
type tab struct {
	ctx      context.Context
	mu       sync.Mutex
	problems []string
}

func (b *tab) start() error {
	err := chromedp.Listen(b.ctx, b.hear)
	if err != nil {
		return err
	}
	if _, err := chromedp.Call(b.ctx, log.Enable, cdp.Empty{}); err != nil {
		return err
	}
	_, err = chromedp.Call(b.ctx, network.Enable, network.EnableParams{})
	return err
}

// hear collects errors, violations of the policy and every request but the
// page's own.
func (b *tab) hear(event any) {
	problem := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		problem = "log: " + e.Entry.Text
	case *runtime.EventConsoleAPICalled:
		problem = fmt.Sprint("console: ", e.Type)
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Text
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file://") || !strings.HasSuffix(e.Request.URL, "/report.html") {
			problem = "request: " + e.Request.URL
		}
	}
	if problem != "" {
		b.mu.Lock()
		b.problems = append(b.problems, problem)
		b.mu.Unlock()
	}
}

func (b *tab) visit(t *testing.T, in Input) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := HTML(f, in); err != nil {
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

func (b *tab) quiet(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		t.Errorf("the browser complains: %s", p)
	}
	b.problems = nil
}

// width asks for a page that does not scroll sideways, with details closed and
// open.
func (b *tab) width(t *testing.T, pixels int64) {
	t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(pixels, 900)); err != nil {
		t.Fatal(err)
	}
	for _, open := range []bool{false, true} {
		// The browser tells of its new size when it has time: say it at once.
		b.eval(t, fmt.Sprintf(`document.querySelectorAll("details").forEach(d => { d.open = %v }); dispatchEvent(new Event("resize"))`, open), nil)
		var over int
		b.eval(t, `document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over)
		if over > 0 {
			t.Errorf("at %d pixels, details open %v: the page is %d pixels too wide", pixels, open, over)
		}
		var clipped []string
		b.eval(t, `[...document.querySelectorAll("svg.chart text")].filter(e => e.checkVisibility()).filter(e => {
			const a = e.getBoundingClientRect(), s = e.closest("svg").getBoundingClientRect();
			return a.left < s.left - 4 || a.right > s.right + 4 || a.top < s.top - 4 || a.bottom > s.bottom + 4;
		}).map(e => e.textContent)`, &clipped)
		if len(clipped) > 0 {
			t.Errorf("at %d pixels these stand outside of their chart: %q", pixels, clipped)
		}
		b.readable(t, pixels)
	}
}

// readable asks for titles within the page, a sign on every table that
// scrolls, and an axis under every interval that stands alone: all of them on a
// phone, the last and the opened ones on a wide page.
func (b *tab) readable(t *testing.T, pixels int64) {
	t.Helper()
	var got struct{ Cut, Signless, Bare, Wide, Askew []string }
	b.eval(t, `(() => {
		const wide = document.documentElement.clientWidth, names = l => l.map(e => e.textContent.slice(0, 60));
		const all = s => [...document.querySelectorAll(s)];
		const bodies = all(".forest > tbody").filter(e => innerWidth < 760 || e.querySelector("details[open]") || !e.nextElementSibling);
		return {
			Cut: names(all("h2, h3, caption").filter(e => e.getBoundingClientRect().right > wide)),
			Signless: names(all(".scroll").filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e, "::before").content == "none")),
			Wide: names(all(".forest").filter(e => e.getBoundingClientRect().right > document.querySelector("main > section").getBoundingClientRect().right + 1)),
			Askew: all(".forest > thead").filter(e => e.checkVisibility()).flatMap((e, i, heads) =>
				[...e.querySelectorAll("th")].filter((h, k) => e.querySelectorAll("th").length == heads[0].querySelectorAll("th").length &&
					Math.abs(h.getBoundingClientRect().right - heads[0].querySelectorAll("th")[k].getBoundingClientRect().right) > 1).map(h => h.textContent)),
			Bare: names(bodies.filter(e => !e.querySelector(".row .ruler").checkVisibility()))};
	})()`, &got)
	for what, bad := range map[string][]string{"titles are cut": got.Cut, "tables scroll without a sign": got.Signless, "rows have no axis": got.Bare,
		"tables leave the column": got.Wide, "columns of tables do not line up": got.Askew} {
		if len(bad) > 0 {
			t.Errorf("at %d pixels these %s: %q", pixels, what, bad)
		}
	}
}

// eval runs a script in the page and decodes its value; nil drops it.
func (b *tab) eval(t *testing.T, script string, value any) {
	t.Helper()
	if value == nil {
		script = "(() => { " + script + "; return 0 })()"
	}
	raw, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]byte](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	if value != nil {
		if err := json.Unmarshal(raw, value); err != nil {
			t.Fatalf("%s: %v", script, err)
		}
	}
}

func (b *tab) hostile(t *testing.T) {
	in := hostile()
	b.visit(t, in)
	var got struct {
		Title                                    string
		Scripts, Styles, Images, Handlers, Links int
		Heading, Names                           string
	}
	b.eval(t, `({
		Title: document.title, Scripts: document.scripts.length, Styles: document.styleSheets.length, Images: document.images.length,
		Handlers: [...document.querySelectorAll("*")].filter(e => [...e.attributes].some(a => a.name.startsWith("on") || a.name == "style")).length,
		Links: [...document.links].filter(a => !a.getAttribute("href").startsWith("#")).length,
		Heading: document.querySelector("h1").textContent,
		Names: [...document.querySelectorAll("code bdi")].map(e => e.textContent).join("\n")})`, &got)
	if got.Scripts != 1 || got.Styles != 1 || got.Images != 0 || got.Links != 0 {
		t.Errorf("got %d scripts, %d style sheets, %d images and %d outward links, want 1, 1, 0, 0", got.Scripts, got.Styles, got.Images, got.Links)
	}
	if got.Handlers > 1 { // the tip, placed by the page's own script
		t.Errorf("%d elements have a handler or a style of their own", got.Handlers)
	}
	if want := name(in.Title); got.Heading != want || got.Title != "SIMULATED: "+want {
		t.Errorf("the title is %q and %q, want %q", got.Heading, got.Title, want)
	}
	for _, c := range in.Result.Conditions {
		if !strings.Contains(got.Names, name(c.Condition)) {
			t.Errorf("the page does not show %q", name(c.Condition))
		}
	}
	b.quiet(t)
}

// print asks for an open, light page without its switch.
func (b *tab) print(t *testing.T) {
	b.visit(t, simulated())
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("the print begins with %q", pdf[:min(8, len(pdf))])
	}
	b.media(t, "print", "dark")
	var got struct {
		Paper  string
		Theme  string
		Hidden []string
	}
	b.eval(t, `(() => {
		return {
			Paper: getComputedStyle(document.documentElement).getPropertyValue("--paper").trim(),
			Theme: getComputedStyle(document.querySelector(".theme")).display,
			Hidden: [...document.querySelectorAll("details dl, details table")].filter(e => !e.checkVisibility()).map(e => e.className)};
	})()`, &got)
	if got.Paper != "#fdfdfb" || got.Theme != "none" || len(got.Hidden) > 0 {
		t.Errorf("in print the paper is %s, the switch %s, and %d details are hidden; want #fdfdfb, none, 0", got.Paper, got.Theme, len(got.Hidden))
	}
	var open, closed int
	b.eval(t, `(dispatchEvent(new Event("beforeprint")), document.querySelectorAll("details:not([open])").length)`, &open)
	b.eval(t, `(dispatchEvent(new Event("afterprint")), document.querySelectorAll("details[open]").length)`, &closed)
	if open != 0 || closed != 0 {
		t.Errorf("%d details stay closed for print and %d stay open after it, want 0 and 0", open, closed)
	}
	b.media(t, "", "light")
	b.quiet(t)
}

func (b *tab) media(t *testing.T, media, scheme string) {
	t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		t.Fatal(err)
	}
}

// scriptless asks for the numbers of a page whose script may not run.
func (b *tab) scriptless(t *testing.T) {
	set := func(off bool) {
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
		if err != nil {
			t.Fatal(err)
		}
	}
	set(true)
	b.visit(t, xstest())
	var got struct {
		Text string
		Dots int
	}
	b.eval(t, `({Text: document.body.innerText, Dots: document.querySelectorAll(".dot title").length})`, &got)
	set(false)
	for _, want := range []string{"Costs 27 points of utility", "[−0.351, −0.189]", "The utility–risk frontier"} {
		if !strings.Contains(loose(got.Text), want) {
			t.Errorf("without script the page does not show %q", want)
		}
	}
	if got.Dots != 4 { // two points, drawn wide and narrow
		t.Errorf("without script %d marks have a title, want 4", got.Dots)
	}
	b.quiet(t)
}

// colours asks that the page follows the reader's scheme, and the switch.
func (b *tab) colours(t *testing.T) {
	paper := func() (s string) {
		b.eval(t, `getComputedStyle(document.body).backgroundColor`, &s)
		return s
	}
	const light, dark = "rgb(253, 253, 251)", "rgb(21, 23, 26)"
	b.media(t, "", "dark")
	b.visit(t, xstest())
	if got := paper(); got != dark {
		t.Errorf("in a dark scheme the paper is %s, want %s", got, dark)
	}
	b.eval(t, `document.getElementById("theme-light").click()`, nil)
	if got := paper(); got != light {
		t.Errorf("switched to light the paper is %s, want %s", got, light)
	}
	b.media(t, "", "light")
	b.eval(t, `document.getElementById("theme-dark").click()`, nil)
	if got := paper(); got != dark {
		t.Errorf("switched to dark the paper is %s, want %s", got, dark)
	}
	b.eval(t, `document.getElementById("theme-auto").click()`, nil)
	b.quiet(t)
}
