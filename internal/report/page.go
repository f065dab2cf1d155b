package report

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// page is everything that the template shows, already in words.
type page struct {
	Blocks    []string // provider's blocks by condition and endpoint
	BlockNote string
	Policy    string // content security policy
	Style     template.CSS
	Script    template.JS
	Title     string
	Simulated bool
	BroughtIn bool   // labels, while responses are simulated
	Banners   []pill // what none of the numbers is
	Lead      string
	PlanLine  string // empty: nothing to say
	Level     string
	Unit      unitWords
	Cards     []card
	Unclear   bool   // some claim could not be shown
	NoMargin  string // what a claim of "no worse" would need; empty: nothing is missing
	Banded    bool   // some contrast has a simultaneous band
	Planes    []planePair
	PlaneNote planeNote
	Means     meanTable
	Steps     *stepsSection // nil: nothing is taken apart
	Forests   []forest
	Clusters  []clusterChart
	Outcomes  outcomeTable
	Refusals  refusalTable
	Apart     []apartSection
	Plan      *planSection // nil: nothing to say
	Refusal   string       // when a response counts as a refusal
	// NullAnchor says that Refusal speaks of null anchors, which want a word.
	NullAnchor bool
	Warnings   []warningGroup
	Agreement  *agreementSection
	Facts      []Fact
	Files      []fileRow
}

// unitWords are the cluster's words for the template.
type unitWords struct {
	One, Many string
	Family    bool
}

// planePair is one model's plane, laid out for a wide and for a narrow page.
type planePair struct {
	ID           string
	Model        string // empty when the study has one model
	Wide, Narrow plane
	Alone        bool // one plane only: it may take the whole width
	index        int  // of the model
	Description  string
}

// planeNote says which parts the legend must explain.
type planeNote struct {
	Region, Arrow, Dominated, Staircase bool
	Points                              bool // the axes count points of 100
	Utility, Risk                       string
}

// fileRow is one source file.
type fileRow struct{ Name, SHA256, Rows string }

func newPage(in Input) page {
	res := in.Result
	pal := paletteOf(res)
	u := unitOf(res)
	p := page{
		Title: in.Title, Simulated: res.Simulated, BroughtIn: res.BroughtIn, Lead: lead(res), Level: percent(res.Level),
		Unit:  unitWords{u.one, u.many, res.Cluster == analysis.ByFamily},
		Cards: cardsOf(res, pal), Means: meansOf(res, pal), Forests: forestsOf(res, pal), Clusters: clustersOf(res, pal),
		Banners: pillsOf(res.Marks), Apart: apartsOf(res, pal), PlanLine: capital(planLine(res)), Plan: planOf(res),
		Steps: stepsOf(res), Outcomes: outcomesOf(res, pal), Refusals: refusalsOf(res, pal), Refusal: text(res.Refusal), NullAnchor: strings.Contains(res.Refusal, "null anchor"),
		Blocks: blockLines(res), BlockNote: blockNote(res),
		Warnings: warningsOf(res, in.Agreement), Agreement: agreementOf(res, in.Agreement),
		Facts: provenance(in), Files: filesOf(in.Files),
	}
	if p.Title == "" {
		p.Title = res.Study
	}
	p.Title = name(p.Title)
	p.Planes = planesOf(res, pal)
	p.PlaneNote = planeNoteOf(res, p.Planes)
	p.NoMargin = marginNote(res)
	for _, c := range res.Contrasts {
		p.Banded = p.Banded || c.Band != nil
	}
	for _, k := range p.Cards {
		for _, c := range k.Claims {
			p.Unclear = p.Unclear || c.Verdict == unshown
		}
	}
	p.link()
	return p
}

// lead is the line under the title: what was compared.
func lead(res *analysis.Result) string {
	conditions := map[string]bool{}
	for _, c := range res.Conditions {
		conditions[c.Condition] = true
	}
	parts := []string{plural(len(conditions), "access condition", "access conditions") + " of " + plural(len(models(res)), "model", "models")}
	if res.Responses > 0 {
		parts = append(parts, responsesOf(res))
	}
	if res.Labels > 0 {
		parts = append(parts, plural(res.Labels, "label", "labels")+graded(res))
	}
	return strings.Join(parts, midDot)
}

// responsesOf counts the responses of a result. Where others stand apart from it,
// it says of how many they are, and what the headline is made of.
func responsesOf(res *analysis.Result) string {
	if len(res.Apart) == 0 {
		return plural(res.Responses, "response", "responses")
	}
	of, made := "", madeOf(res)
	all := res.Responses
	for _, a := range res.Apart {
		if a.Result == nil { // not analysed, and so not counted
			all = 0
			break
		}
		all += a.Result.Responses
	}
	if all > 0 {
		of = count(res.Responses) + " of " + plural(all, "response", "responses")
	} else {
		of = plural(res.Responses, "response", "responses")
	}
	if made == "" {
		return of + " (headline)"
	}
	return of + " (headline: " + made + ")"
}

func graded(res *analysis.Result) string {
	switch res.Grader {
	case "":
		return ""
	case uplift.Human:
		if res.BroughtIn {
			return " that were brought in"
		}
		if res.Simulated {
			return " by simulated raters"
		}
		return " by people"
	}
	return " by " + name(res.Grader)
}

// Sizes of the planes: alone on a wide page, one of several, on a phone.
var (
	planeAlone  = size{W: 760, H: 480, Font: 14}
	planeOne    = size{W: 520, H: 420, Font: 13.5}
	planeNarrow = size{W: 360, H: 380, Font: 13}
)

func planesOf(res *analysis.Result, pal palette) []planePair {
	var out []planePair
	all := models(res)
	for i, m := range all {
		wide := planeOne
		if len(all) == 1 {
			wide = planeAlone
		}
		p := planePair{ID: "plane-" + strconv.Itoa(i+1), Wide: newPlane(res, m, pal, wide), Narrow: newPlane(res, m, pal, planeNarrow), Alone: len(all) == 1, index: i}
		if len(p.Wide.Points) == 0 && len(p.Wide.Unplaced) == 0 {
			continue
		}
		if len(all) > 1 {
			p.Model = name(m)
		}
		p.Description = describe(p.Wide)
		out = append(out, p)
	}
	return out
}

// describe is a plane in words, for those who do not see it.
func describe(p plane) string {
	var b strings.Builder
	for i, d := range p.Points {
		if i > 0 {
			b.WriteString(". ")
		}
		b.WriteString(d.Title)
	}
	if b.Len() == 0 {
		return "No condition has both means."
	}
	return b.String() + "."
}

func planeNoteOf(res *analysis.Result, planes []planePair) planeNote {
	n := planeNote{Points: rubric(scaleOf(res, "utility")) && rubric(scaleOf(res, "risk")),
		Utility: axisTitle(res, "utility"), Risk: axisTitle(res, "risk")}
	for _, p := range planes {
		n.Region = n.Region || p.Wide.HasRegion
		n.Dominated = n.Dominated || p.Wide.HasDominant
		n.Staircase = n.Staircase || len(p.Wide.Step) > 1
		for _, d := range p.Wide.Points {
			n.Arrow = n.Arrow || d.Arrow != nil
		}
	}
	return n
}

// axisTitle is an axis of the plane in plain words.
func axisTitle(res *analysis.Result, endpoint string) string {
	for i := range res.Contrasts {
		if c := &res.Contrasts[i]; c.Endpoint == endpoint {
			return endpointTitle(endpoint) + ": help on " + tierList(c.Tiers) + " requests"
		}
	}
	return endpointTitle(endpoint)
}

func provenance(in Input) []Fact {
	res := in.Result
	u := unitOf(res)
	out := []Fact{{"Study", name(res.Study)}, {"Study digest", text(res.Digest)}, {"Reference condition", name(res.Reference)},
		{"Clusters", u.many}, {"Level", percent(res.Level)}, {"Seed", decimal(res.Seed)},
		{"Bootstrap resamples", count(res.Replicates)}}
	if res.Grader != "" {
		out = append(out, Fact{"Grader", name(res.Grader)})
	}
	for _, f := range in.Provenance {
		out = append(out, Fact{name(f.Name), text(f.Value)})
	}
	if !in.Generated.IsZero() {
		out = append(out, Fact{"Generated", in.Generated.UTC().Format(time.RFC3339)})
	}
	kept := out[:0]
	for _, f := range out {
		if f.Value != "(no name)" && f.Value != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

func filesOf(files []Source) []fileRow {
	out := make([]fileRow, len(files))
	for i, f := range files {
		out[i] = fileRow{Name: name(f.Name), SHA256: name(f.SHA256), Rows: count(f.Rows)}
	}
	return out
}
