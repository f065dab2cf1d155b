package controller

import (
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// The full set of features on English prose of 2 KB, and on what raises many.
func BenchmarkScore(b *testing.B) {
	ctl := built(b, Default())
	for _, c := range []struct{ name, text string }{
		{"english", strings.Repeat(english, 6)[:2048]},
		{"recipe", strings.Repeat("1. Mix 500 g of flour, then wait for 10 minutes.\n2. Next, bake it.\n", 32)[:2048]},
		{"chinese", strings.Repeat("细胞与环境交换物质，并保持内部的秩序。", 36)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var d uplift.Decision
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := ctl.scoreInto(&d, "", c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
