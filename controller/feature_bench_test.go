package controller

import (
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// The full set of features on a prompt and a draft of 2 KB each: English prose,
// what raises many features, and what is hard to read.
func BenchmarkScore(b *testing.B) {
	ctl := built(b, Default())
	two := strings.Repeat(english, 6)[:2048]
	for _, c := range []struct{ name, text string }{
		{"english", two},
		{"recipe", strings.Repeat("1. Mix 500 g of flour, then wait for 10 minutes.\n2. Next, bake it.\n", 32)[:2048]},
		{"chinese", strings.Repeat("细胞与环境交换物质，并保持内部的秩序。", 36)},
		{"hostile-homoglyphs", strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р").Replace(two)},
		{"hostile-marks", strings.Join(strings.Split(two[:680], ""), "\u0301\u0323\u200d")},
		{"hostile-zero-width", strings.Join(strings.Split(two[:680], ""), "\u200b")},
		{"hostile-mixed", strings.Repeat("ѕtер ｂｙ 𝐬𝐭𝐞𝐩 ⓢⓣⓔⓟ s\u0336t\u0336e\u0336p\u0336 a\u200bb\u00adc d‑e ", 24)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var d uplift.Decision
			b.SetBytes(int64(2 * len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := ctl.scoreInto(&d, c.text, c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
