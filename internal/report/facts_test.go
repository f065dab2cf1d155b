package report

import (
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// A design effect that does not exist is a dash, with its reason where there is
// room; without an ICC neither of the two is listed.
func TestDesignEffect(t *testing.T) {
	res := &analysis.Result{Cluster: analysis.ByTask, Level: 0.95}
	reason := map[string]string{"design_effect": "the ICC is too negative"}
	for _, c := range []struct {
		name       string
		contrast   analysis.Contrast
		fact, line string
	}{
		{"both", analysis.Contrast{Pairs: 9, ICC: p(0.1), DesignEffect: p(1.25)}, "1.25", "ICC .10, deff 1.25"},
		{"an ICC alone", analysis.Contrast{Pairs: 9, ICC: p(-0.5), Undefined: reason}, "– (the ICC is too negative)", "ICC −.50, deff –"},
		{"neither", analysis.Contrast{Pairs: 9, Undefined: reason}, "", ""},
	} {
		got := ""
		for _, f := range factsOf(res, &c.contrast) {
			if f.Name == "Design effect" {
				got = f.Value
			}
		}
		line := strings.Join(whole(res, &c.contrast), "; ")
		if got != c.fact || !strings.Contains(line, c.line) || strings.Contains(line, "deff") != (c.line != "") {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, got, line, c.fact, c.line)
		}
	}
}
