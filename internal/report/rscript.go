package report

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/uplift-eval/uplift/internal/analysis"
)

//go:embed reproduce.R.tmpl
var reproduce string

// RScript is an R program that reads the file of [PairsCSV] and computes the
// headline of every contrast again: by hand in base R, then with clubSandwich,
// the exact sign-flip p where at most 20 clusters differ, Holm's adjustment of
// both p, and non-inferiority at the study's margins.
// It ends with status 1 when its numbers are further than 1e-9 from the
// result's. No name of the study is part of the program.
func RScript(res *analysis.Result) string {
	script := struct {
		Cluster, Level string
		Simulated      string   // who took no part; empty when it is not simulated
		Standing       []string // comments, of this package's words alone
		Reported       []vectorR
	}{Cluster: string(analysis.ByTask), Level: "0.95"}
	if res != nil {
		script.Level = exact(res.Level)
		if res.Simulated {
			script.Simulated = nobody(res.BroughtIn)
		}
		if res.Cluster == analysis.ByFamily {
			script.Cluster = string(analysis.ByFamily)
		}
		script.Standing, script.Reported = standingR(res), reportedR(res)
	}
	var b strings.Builder
	// The template and its fields are this package's own: it cannot fail.
	if err := template.Must(template.New("R").Parse(reproduce)).Execute(&b, script); err != nil {
		panic(err)
	}
	return b.String()
}

// standingR says what of the headline was not planned. Reasons are somebody's
// text, and stay out of the program.
func standingR(res *analysis.Result) []string {
	var out []string
	postHoc := 0
	for _, c := range res.Contrasts {
		if slices.Contains(markCodes(c.Marks), analysis.MarkPostHoc) {
			postHoc++
		}
	}
	if slices.Contains(markCodes(res.Marks), analysis.MarkExploratory) {
		out = append(out, "EXPLORATORY: a locked split was asked or analysed without a lock.")
	}
	if postHoc > 0 {
		out = append(out, "POST HOC: "+strconv.Itoa(postHoc)+" of "+strconv.Itoa(len(res.Contrasts))+" contrasts.")
	}
	if len(res.Apart) > 0 {
		out = append(out, "What stands apart from the headline is not among the pairs.")
	}
	return out
}

// vectorR is one column of what was reported, as an R vector.
type vectorR struct{ Name, Values string }

// reportedR are the numbers of the contrasts that have pairs.
func reportedR(res *analysis.Result) []vectorR {
	columns := []struct {
		name  string
		value func(c *analysis.Contrast) string
	}{
		{"difference", func(c *analysis.Contrast) string { return numberR(c.Difference.Value) }},
		{"lo", func(c *analysis.Contrast) string { return numberR(c.Difference.Lo) }},
		{"hi", func(c *analysis.Contrast) string { return numberR(c.Difference.Hi) }},
		{"p", exactP},
		{"sign_flip", func(c *analysis.Contrast) string { return numberR(c.PSignFlip) }},
		{"holm", func(c *analysis.Contrast) string { return numberR(c.PHolm) }},
		{"holm_cr2", func(c *analysis.Contrast) string { return numberR(c.PHolmCR2) }},
		{"family", familyR},
		{"margin", func(c *analysis.Contrast) string {
			return marginR(c, func(n *analysis.NonInferiority) float64 { return n.Margin })
		}},
		{"lower_is_better", func(c *analysis.Contrast) string {
			return strings.ToUpper(strconv.FormatBool(c.Better == analysis.Lower))
		}},
		{"not_worse", func(c *analysis.Contrast) string {
			return marginR(c, func(n *analysis.NonInferiority) float64 { return n.P })
		}},
	}
	out := make([]vectorR, len(columns))
	for i, col := range columns {
		var values []string
		for k := range res.Contrasts {
			if c := &res.Contrasts[k]; c.Pairs > 0 {
				values = append(values, col.value(c))
			}
		}
		out[i] = vectorR{col.name, strings.Join(values, ", ")}
	}
	return out
}

func marginR(c *analysis.Contrast, of func(*analysis.NonInferiority) float64) string {
	if c.NonInferiority == nil {
		return "NA"
	}
	return numberR(new(of(c.NonInferiority)))
}

// familyR is the number of contrasts that Holm adjusts for, those included that
// were planned and have no pairs.
func familyR(c *analysis.Contrast) string {
	if c.Family == nil {
		return "NA"
	}
	return strconv.Itoa(c.Family.K())
}

// exactP is the sign-flip p where it is exact, else NA.
func exactP(c *analysis.Contrast) string {
	if !strings.HasPrefix(c.SignFlipMethod, "exact") {
		return "NA"
	}
	return numberR(c.PSignFlip)
}

func numberR(p *float64) string {
	if s := exactOr(p); s != "" {
		return s
	}
	return "NA"
}
