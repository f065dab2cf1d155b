package report

import (
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// blocking is a result in which four of sixteen responses were blocked.
func blocking(b analysis.Blocks) Input {
	in := guarded()
	res, method := in.Result, analysis.MethodBlocksApart
	m := res.Conditions[1].Endpoints["utility"]
	m.Blocks, m.BlocksZero = 4, 3
	if b == analysis.BlocksApart {
		m.BlocksZero, m.Responses, method = 0, 12, analysis.MethodBlocksCounted
	}
	res.Blocks, res.Conditions[1].Endpoints["utility"] = b, m
	res.Contrasts[0].Sensitivity = append(res.Contrasts[0].Sensitivity,
		analysis.Sensitivity{Method: method, Value: -.125, Lo: p(-.25), Hi: p(-.0625), Pairs: 12, Assumes: "independent tasks"})
	return in
}

// A reader sees which choice was made, over how many responses, and what the other
// one gives.
func TestProviderBlocksAreShown(t *testing.T) {
	for b, want := range map[analysis.Blocks][]string{
		analysis.BlocksCount: {"strict, utility: 4 provider's blocks in 16 responses, 3 of them 0 without a label", "blocks apart", "provider's blocks apart", "The study counts provider's blocks."},
		analysis.BlocksApart: {"strict, utility: 4 provider's blocks apart from the other 12 responses", "blocks counted", "provider's blocks counted", "The study sets provider's blocks apart."},
		"":                   {"", "", "", ""},
	} {
		in := blocking(b)
		if b == "" {
			in = guarded()
		}
		var text, page strings.Builder
		if err := Text(&text, in.Result, 120, ContrastDetail); err != nil {
			t.Fatal(err)
		}
		if err := HTML(&page, in); err != nil {
			t.Fatal(err)
		}
		html := strings.NewReplacer("&#39;", "'", "\u00a0", " ").Replace(page.String())
		for _, w := range want[:2] {
			if !strings.Contains(text.String(), w) {
				t.Errorf("%q, text: no %q", b, w)
			}
		}
		for _, w := range []string{want[0], want[2], want[3]} {
			if !strings.Contains(html, w) {
				t.Errorf("%q, page: no %q", b, w)
			}
		}
		if got := strings.Contains(html, "But for provider's blocks"); got != (b != "") {
			t.Errorf("%q: the page excepts blocks: %v", b, got)
		}
	}
}
