package report

import (
	_ "embed"
	"strings"
	"text/template"

	"github.com/uplift-eval/uplift/internal/analysis"
)

//go:embed reproduce.R.tmpl
var reproduce string

// RScript is an R program that reads the file of [PairsCSV] and computes the
// headline of every contrast again: by hand in base R, then with clubSandwich,
// and the exact sign-flip p where at most 20 clusters differ.
// It ends with status 1 when its numbers are further than 1e-9 from the
// result's. No name of the study is part of the program.
func RScript(res *analysis.Result) string {
	script := struct {
		Cluster, Level, Difference, Lo, Hi, P string
		Simulated                             bool
	}{Cluster: string(analysis.ByTask), Level: "0.95"}
	if res != nil {
		script.Level, script.Simulated = exact(res.Level), res.Simulated
		if res.Cluster == analysis.ByFamily {
			script.Cluster = string(analysis.ByFamily)
		}
		script.Difference, script.Lo, script.Hi, script.P = headlines(res)
	}
	var b strings.Builder
	// The template and its fields are this package's own: it cannot fail.
	if err := template.Must(template.New("R").Parse(reproduce)).Execute(&b, script); err != nil {
		panic(err)
	}
	return b.String()
}

// headlines are the numbers of the contrasts that have pairs, as R vectors.
func headlines(res *analysis.Result) (difference, lo, hi, signFlip string) {
	var d, l, h, p []string
	for _, c := range res.Contrasts {
		if c.Pairs == 0 {
			continue
		}
		d, l, h = append(d, numberR(c.Difference.Value)), append(l, numberR(c.Difference.Lo)), append(h, numberR(c.Difference.Hi))
		p = append(p, exactP(c))
	}
	return strings.Join(d, ", "), strings.Join(l, ", "), strings.Join(h, ", "), strings.Join(p, ", ")
}

// exactP is the sign-flip p where it is exact, else NA.
func exactP(c analysis.Contrast) string {
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
