package report

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestBrowserTasks looks at the page of the tasks in a real browser.
func TestBrowserTasks(t *testing.T) {
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
	for name, s := range map[string]TaskSet{"sealed": taskSet(false), "unsealed": taskSet(true), "hostile": hostileTasks()} {
		t.Run(name, func(t *testing.T) {
			b.visitTasks(t, s)
			b.width(t, 390)
			b.width(t, 1280)
			b.quiet(t)
		})
	}
	t.Run("filter", func(t *testing.T) { b.filter(t) })
	t.Run("without script", func(t *testing.T) { b.scriptlessTasks(t) })
	t.Run("print", func(t *testing.T) { b.printTasks(t) })
}

func (b *tab) visitTasks(t *testing.T, s TaskSet) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := TasksHTML(f, s, []Fact{{"set", "mine"}}); err != nil {
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

// seen lists the tasks, and in braces the forms, that a reader sees.
func (b *tab) seen(t *testing.T) string {
	t.Helper()
	var got string
	b.eval(t, `[...document.querySelectorAll(".task")].filter(e => e.checkVisibility()).map(e => e.id.replace("task-", "") + "{" +
		[...e.querySelectorAll(".form")].filter(f => f.checkVisibility()).map(f => f.dataset.form).join(" ") + "}").join(" ") + "; " + document.getElementById("filter-count").textContent`, &got)
	return got
}

// filter works the filter by keyboard alone.
func (b *tab) filter(t *testing.T) {
	b.visitTasks(t, taskSet(false))
	keys := func(s string) {
		t.Helper()
		if err := chromedp.Do(b.ctx, chromedp.KeyEvent(s)); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what, want string) {
		t.Helper()
		if got := b.seen(t); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	want("at first", "k7bpq8v4{} 2sk4wb2v{} w2cfd9rj{}; 3 tasks")
	b.eval(t, `document.getElementById("theme-auto").focus()`, nil)
	keys("\t")
	keys("withheld WHO")
	want("two words", "k7bpq8v4{}; 1 of 3 tasks")
	keys("x")
	want("no match", "; 0 of 3 tasks")
	var none, shown int
	b.eval(t, `document.querySelector(".none").checkVisibility() ? 1 : 0`, &none)
	b.eval(t, `[...document.querySelectorAll(".family")].filter(e => e.checkVisibility()).length`, &shown)
	if none != 1 || shown != 0 {
		t.Errorf("no match: it says so %d times and shows %d families, want 1 and 0", none, shown)
	}
	for range 4 { // past the three lists to the button
		keys("\t")
	}
	keys("\r")
	want("cleared", "k7bpq8v4{} 2sk4wb2v{} w2cfd9rj{}; 3 tasks")
	keys("\t")
	keys("P") // a list takes the first choice that begins so
	want("family", "k7bpq8v4{} 2sk4wb2v{}; 2 of 3 tasks")
	keys("\t")
	keys("te")
	want("split", "2sk4wb2v{}; 1 of 3 tasks")
	b.eval(t, `document.querySelector(".filter button").click()`, nil)
	b.eval(t, `document.getElementById("filter-form").focus()`, nil)
	keys("miss")
	want("form", "k7bpq8v4{missing_detail}; 1 of 3 tasks")
	b.eval(t, `location.hash = "#task-w2cfd9rj"`, nil)
	if err := chromedp.Do(b.ctx, chromedp.Sleep(50*time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if got := b.seen(t); !strings.Contains(got, "w2cfd9rj") {
		t.Errorf("a task that was asked for by its address stays hidden: %s", got)
	}
	b.quiet(t)
}

// scriptlessTasks asks for every text of a page whose script may not run, and
// for no filter that would do nothing.
func (b *tab) scriptlessTasks(t *testing.T) {
	set := func(off bool) {
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
		if err != nil {
			t.Fatal(err)
		}
	}
	set(true)
	b.visitTasks(t, taskSet(false))
	var got struct {
		Text   string
		Filter bool
	}
	b.eval(t, `({Text: document.querySelector("main").textContent, Filter: document.querySelector(".filter").checkVisibility()})`, &got)
	set(false)
	if got.Filter {
		t.Error("without script the filter is shown")
	}
	for _, want := range []string{"Who would do what", "after a limited reply", "Could you fill them in?", "Others told me."} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("without script the page does not hold %q", want)
		}
	}
	b.quiet(t)
}

// printTasks asks for every form on paper, and for no filter.
func (b *tab) printTasks(t *testing.T) {
	b.visitTasks(t, taskSet(false))
	b.media(t, "print", "light")
	var hidden, filter int
	b.eval(t, `[...document.querySelectorAll(".form")].filter(e => !e.checkVisibility()).length`, &hidden)
	b.eval(t, `[...document.querySelectorAll(".filter, .families")].filter(e => e.checkVisibility()).length`, &filter)
	if hidden != 0 || filter != 0 {
		t.Errorf("in print %d forms are hidden and %d parts of the filter shown, want none", hidden, filter)
	}
	b.media(t, "", "light")
	b.quiet(t)
}
