package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

func written(t *testing.T, write func(io.Writer, *analysis.Result) error, res *analysis.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, res); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Signs: amendments in order of time whatever number carries them first, then
// what parts bring; one of a kind needs no number.
func TestSignsOfMarks(t *testing.T) {
	early := analysis.Amendment{At: changedOn(2), Reason: "early", Touches: analysis.Touches{Conditions: []string{"b"}}}
	late := analysis.Amendment{At: changedOn(4), Reason: "late", Touches: analysis.Touches{Conditions: []string{"a"}}}
	of := func(marks ...uplift.Warning) analysis.Contrast { return analysis.Contrast{Marks: marks} }
	for _, c := range []struct {
		name string
		res  analysis.Result
		want string
	}{
		{"none", analysis.Result{Contrasts: []analysis.Contrast{of()}}, ""},
		{"exploratory", analysis.Result{Contrasts: []analysis.Contrast{of(noLock)}}, "E"},
		{"one amendment", analysis.Result{Contrasts: []analysis.Contrast{of(late.Mark())}, Standing: analysis.Standing{Amendments: []analysis.Amendment{early, late}}}, "P late"},
		{"in order of time", analysis.Result{Contrasts: []analysis.Contrast{of(noLock, late.Mark()), of(noLock, early.Mark())},
			Standing: analysis.Standing{Amendments: []analysis.Amendment{early, late}}, Apart: []analysis.Apart{{Marks: []uplift.Warning{isProbe}}, {Marks: []uplift.Warning{isMadeOn}}}},
			"E; P1 early; P2 late; P3; D"},
		{"of a mean alone", analysis.Result{Conditions: []analysis.Condition{{Endpoints: map[string]analysis.Mean{"risk": {Marks: []uplift.Warning{isProbe}}}}}}, "P"},
	} {
		l := legendOf(&c.res)
		var got []string
		for _, m := range l.lines(l.marks) {
			_, reason, _ := strings.Cut(m.Text, "2026-11-0")
			_, reason, _ = strings.Cut(reason, ": ")
			got = append(got, strings.TrimSpace(m.Sign+" "+reason))
		}
		if diff := cmp.Diff(strings.Join(got, "; "), c.want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", c.name, diff)
		}
	}
}

// A sentence or a bottom line of a number that was not planned says so, and what
// it is not; a planned one says neither.
func TestWordsOfUnplannedNumbers(t *testing.T) {
	plain := simulated().Result.Contrasts[:2]
	marked := func(u, r []uplift.Warning) []*analysis.Contrast {
		a, b := plain[0], plain[1]
		a.Marks, b.Marks = u, r
		return []*analysis.Contrast{&a, &b}
	}
	none, post, both := []uplift.Warning(nil), []uplift.Warning{isProbe, ownTestB}, []uplift.Warning{noLock, isProbe}
	for _, c := range []struct {
		name, upshot, begins string
		of                   []*analysis.Contrast
	}{
		{"planned", "Costs 7.1 points of utility; buys 25 points less risk.", "Against ", marked(none, none)},
		{"one", "Costs 7.1 points of utility (post hoc); buys 25 points less risk.", "Post hoc, not confirmatory: against ", marked(post, none)},
		{"the other", "Costs 7.1 points of utility; buys 25 points less risk (post hoc).", "Against ", marked(none, post)},
		{"all", "Exploratory and post hoc: costs 7.1 points of utility; buys 25 points less risk.", "Exploratory and post hoc, not confirmatory: against ", marked(both, both)},
	} {
		if got := loose(upshot(c.of)); got != c.upshot {
			t.Errorf("%s: got %q, want %q", c.name, got, c.upshot)
		}
		if got := claim(c.of[0]).String(); !strings.HasPrefix(got, c.begins+"`helpful`") {
			t.Errorf("%s: got %q, want it to begin with %q", c.name, got, c.begins)
		}
	}
	// A margin that was changed afterwards makes no claim of "no worse".
	within := simulated().Result.Contrasts[2]
	against(&within, 0.06, 0.001)
	within.Marks = post
	if got := claimOf(simulated().Result, &within, 0).Tag; got != "not worse by more than 6 points, but not confirmatory" {
		t.Errorf("within a margin: got the tag %q", got)
	}
	same := guarded().Result.Contrasts[1]
	same.Marks = post
	if got := claim(&same).String(); !strings.HasPrefix(got, "Post hoc, not confirmatory: `strict` and `open` have the same mean") {
		t.Errorf("equal means: got %q", got)
	}
}

// Nothing that is marked is called confirmatory, in any output in words.
func TestNothingMarkedIsCalledConfirmatory(t *testing.T) {
	no := regexp.MustCompile(`(?i)not confirmatory|no number (here|of the headline) is confirmatory`)
	for name, in := range map[string]Input{"amended": amended(), "explored": exploratory()} {
		var page bytes.Buffer
		if err := HTML(&page, in); err != nil {
			t.Fatal(err)
		}
		for form, s := range map[string]string{"html": page.String(), "md": written(t, Markdown, in.Result), "tex": written(t, LaTeX, in.Result),
			"txt": written(t, func(w io.Writer, r *analysis.Result) error { return Text(w, r, 200) }, in.Result)} {
			if left := no.ReplaceAllString(s, ""); strings.Contains(strings.ToLower(left), "confirm") {
				t.Errorf("%s.%s speaks of a confirmation", name, form)
			}
		}
	}
}

// On the page every row of numbers of an exploratory study carries its tag, and
// in an amended one exactly those that an amendment touches.
func TestTagsOnThePage(t *testing.T) {
	count := func(in Input, pill string) map[string]int {
		var b bytes.Buffer
		if err := HTML(&b, in); err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, s := range strings.Split(b.String(), "<section id=\"")[1:] {
			id, _, _ := strings.Cut(s, `"`)
			s, _, _ = strings.Cut(s, "</section>")
			if n := strings.Count(s, `class="pill `+pill+`"`); n > 0 {
				got[id] = n
			}
		}
		return got
	}
	// Four claims; three conditions; four contrasts; four clusters; three conditions
	// in each of two tables; the agreement's title; the key.
	want := map[string]int{"findings": 4, "frontier": 3, "contrasts": 4, "clusters": 4, "conditions": 6, "agreement": 1, "plan": 1}
	if diff := cmp.Diff(count(exploratory(), "exploratory"), want); diff != "" {
		t.Errorf("exploratory (-got +want):\n%s", diff)
	}
	// Three of four contrasts are touched; safety, and the risk of all three; safety
	// in two tables; two parts with their titles and all rows of two tables; four reasons in the key.
	want = map[string]int{"findings": 3, "frontier": 4, "contrasts": 3, "clusters": 3, "conditions": 2, "apart": 16, "plan": 4}
	if diff := cmp.Diff(count(amended(), "posthoc"), want); diff != "" {
		t.Errorf("amended (-got +want):\n%s", diff)
	}
	if got := count(simulated(), "posthoc"); len(got) != 0 {
		t.Errorf("an unmarked study: got tags in %v", got)
	}
}

// The banner, the title and the section of the plan are there where they have
// something to say.
func TestPlanOnThePage(t *testing.T) {
	for name, c := range map[string]struct {
		in     Input
		banner string
		says   []string
	}{
		"simulated": {simulated(), "", nil},
		"explored":  {exploratory(), "exploratory", []string{"<title>SIMULATED: EXPLORATORY: Demo", "every number is exploratory"}},
		"amended": {amended(), "", []string{"Plan locked 2026-11-01 09:30 UTC (digest 9f86d081884c)\u00a0· 2 amendments<", "324 responses (headline: test)", "<dd>9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</dd>",
			"2026-11-03 09:30 UTC</b> the vendor withdrew", "<code><bdi>replicates</bdi></code> <bdi>from 1 to 2</bdi>", "<bdi>provider_blocks</bdi></code> <bdi>was changed</bdi>", `<a href="#apart-1"><bdi>test-b: every contrast</bdi></a>`}},
	} {
		var b bytes.Buffer
		if err := HTML(&b, c.in); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `id="plan"`); got != (c.says != nil) {
			t.Errorf("%s: a section of the plan: got %v", name, got)
		}
		if got := strings.Contains(b.String(), `<p class="unplanned" role="note">`); got != (c.banner != "") {
			t.Errorf("%s: a banner: got %v", name, got)
		}
		for _, s := range c.says {
			if !strings.Contains(b.String(), s) {
				t.Errorf("%s: does not say %q", name, s)
			}
		}
	}
}

// CSV names the part and the marks of each row; the headline comes first.
func TestPartsInCSV(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(written(t, CSV, amended().Result))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	part, marks := slices.Index(rows[0], "part"), slices.Index(rows[0], "marks")
	var got []string
	for _, r := range rows[1:] {
		got = append(got, r[3]+" "+r[5]+": "+r[part]+" "+r[marks])
	}
	want := []string{"safety utility: headline post_hoc", "safety risk: headline post_hoc", "safeguarded utility: headline ", "safeguarded risk: headline post_hoc"}
	for _, p := range []string{"test-b", "adaptive"} {
		for _, c := range []string{"safety utility", "safety risk", "safeguarded utility", "safeguarded risk"} {
			want = append(want, fmt.Sprintf("%s: %s post_hoc", c, p))
		}
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("rows (-got +want):\n%s", diff)
	}
}

// Of a part the figures show nothing: they are the same without it.
func TestFiguresShowTheHeadlineAlone(t *testing.T) {
	with, without := amended().Result, amended().Result
	without.Apart = nil
	for name, draw := range map[string]func(*analysis.Result, string) ([]byte, error){"frontier": Frontier, "forest": Forest} {
		a, err := draw(with, "svg")
		if err != nil {
			t.Fatal(err)
		}
		b, err := draw(without, "svg")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s: differs with the parts", name)
		}
	}
}

// The agreement of a marked study says why.
func TestAgreementOfAMarkedStudy(t *testing.T) {
	a := agreement()
	plain := func() string {
		var b bytes.Buffer
		if err := AgreementText(&b, a, 100); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := plain()
	a.Marks = []uplift.Warning{noLock}
	want := "EXPLORATORY  a locked split was asked or analysed without a lock, so nothing shows that this was\n             planned\n" + before
	if diff := cmp.Diff(plain(), want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}

// A reason stays a text in every form, however it is written.
func TestHostileReasons(t *testing.T) {
	for _, reason := range hostileNames {
		in := amended()
		change := analysis.Amendment{At: changedOn(3), Reason: reason, Changed: []string{reason}, Touches: analysis.Touches{Conditions: []string{"safety", reason}}}
		in.Result.Standing.Amendments = []analysis.Amendment{change}
		for i := range in.Result.Contrasts {
			in.Result.Contrasts[i].Marks = []uplift.Warning{change.Mark()}
		}
		in.Result.Marks = []uplift.Warning{change.Mark()}
		in.Result.Apart[2].Withheld = reason
		var page bytes.Buffer
		if err := HTML(&page, in); err != nil {
			t.Fatal(err)
		}
		for tag, want := range map[string]int{"script": 1, "style": 1, "img": 0, "b>red": 0} {
			if got := len(regexp.MustCompile(`(?i)<`+tag+`[\s>/]`).FindAllString(page.String(), -1)); got != want {
				t.Errorf("%q: <%s> stands %d times in the page, want %d", reason, tag, got, want)
			}
		}
		text := written(t, func(w io.Writer, r *analysis.Result) error { return Text(w, r, 80) }, in.Result)
		md := regexp.MustCompile(`\\.`).ReplaceAllString(written(t, Markdown, in.Result), "")
		for form, s := range map[string]string{"page": page.String(), "text": text, "md": md, "R": RScript(in.Result), "tex": written(t, LaTeX, in.Result)} {
			for _, r := range s {
				if r != '\n' && hidden(r) {
					t.Errorf("%q: the %s holds the invisible %U", reason, form, r)
				}
			}
		}
		for _, line := range strings.Split(md, "\n") {
			if bare := strings.ReplaceAll(line, "**", ""); strings.ContainsAny(bare, "<>`[]_{}*") {
				t.Errorf("%q: unescaped markup: %s", reason, line)
			}
		}
		if r := RScript(in.Result); len(reason) > 2 && strings.Contains(r, reason) {
			t.Errorf("%q: the reason is part of the program", reason)
		}
	}
}

// An amendment of hundreds of fields is cut short, and says by how many.
func TestLongAmendment(t *testing.T) {
	got := amendmentOf(analysis.Amendment{At: changedOn(3), Changed: slices.Repeat([]string{"items[0]"}, 1_240)}, listedFields)
	if len(got.Changed) != 40 || got.More != "1,200" || got.Reason != "no reason was given" || got.Touches != "no number" {
		t.Errorf("got %d fields, %s more, reason %q, touches %q", len(got.Changed), got.More, got.Reason, got.Touches)
	}
}

// An endpoint that was amended away has no number left that could carry a mark:
// every form names it all the same.
func TestDroppedEndpoint(t *testing.T) {
	in := simulated()
	in.Result.Standing = analysis.Standing{Lock: "9f86d081884c7d65", Amendments: []analysis.Amendment{{At: changedOn(4), Reason: "risk came out badly",
		Changed: []string{"endpoints.risk.better", "endpoints.risk.scale", "orders.cells"}, Touches: analysis.Touches{Endpoints: []string{"risk"}},
		Changes: []analysis.Change{{Path: "endpoints.risk.better", Old: `"lower"`}, {Path: "endpoints.risk.scale", Old: `"actionability"`}, {Path: "orders.cells", Old: "SHA-256 0f", New: "SHA-256 9b"}}}}}
	var page bytes.Buffer
	if err := HTML(&page, in); err != nil {
		t.Fatal(err)
	}
	for form, s := range map[string]string{"page": page.String(), "md": written(t, Markdown, in.Result), "tex": written(t, LaTeX, in.Result),
		"txt": written(t, func(w io.Writer, r *analysis.Result) error { return Text(w, r, 200) }, in.Result)} {
		for _, want := range []string{"2026-11-04 09:30 UTC", "risk came out badly", "endpoint risk was taken away", "from SHA-256 0f to SHA-256 9b"} {
			if !strings.Contains(loose(s), want) {
				t.Errorf("the %s does not say %q", form, want)
			}
		}
		if strings.Contains(s, "endpoints.risk.better") {
			t.Errorf("the %s lists the fields of what is gone", form)
		}
	}
}

// What came or went as a whole is told first; a field alone is told by its path.
func TestChangesInWords(t *testing.T) {
	got := changesOf(analysis.Amendment{Changes: []analysis.Change{
		{Path: "conditions.wrapped.controller.digest", New: "SHA-256 0f"}, {Path: "conditions.wrapped.name", New: `"wrapped"`},
		{Path: "endpoints.risk.margin", Old: "0.05"}, {Path: "endpoints.risk.scale", Old: `"actionability"`, New: `"caution"`},
		{Path: `models.["a b"].name`, Old: `"a b"`}, {Path: `models.["a b"].provider`, Old: `"sim"`}, {Path: "seed", Old: "1", New: "2"}}})
	want := []planChange{{"", "condition wrapped was added"}, {"", "model a b was taken away"},
		{"endpoints.risk.margin", "was taken away (it was 0.05)"}, {"endpoints.risk.scale", `from "actionability" to "caution"`}, {"seed", "from 1 to 2"}}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s", diff)
	}
}
