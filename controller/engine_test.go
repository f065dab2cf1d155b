package controller

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// A scratch that has seen such a text needs no more memory for the next.
func TestWarmScratchAllocatesNothing(t *testing.T) {
	a := phrases600()
	for _, c := range []struct{ name, text string }{
		{"English", strings.Repeat(english, 6)[:2048]},
		{"a match", strings.Repeat("Take the withheld part in order. ", 20)},
		{"look-alikes", strings.Repeat("wіthhеld рart сору ", 40)},
		{"marks and zero width", strings.Join(strings.Split(english, ""), "\u0301\u200b\u0323")},
		{"encodings", strings.Repeat("QSBtZW1icmFuZSBsZXRz a%20b &#97;x \\x61 61 20 62 20 61 20 62 20 63 s-t-e-p \x1f", 20)},
	} {
		s := new(scratch)
		look := func() {
			s.view(c.text)
			s.joinTurns()
			s.matches(a)
		}
		look()
		if n := testing.AllocsPerRun(10, look); n != 0 {
			t.Errorf("%s: %v allocations a text, want none", c.name, n)
		}
	}
}

// Every character has the view of its compatibility form and of its case
// folding, as golang.org/x/text knows them, and its view is stable: every fifth
// in the short check.
func TestEveryRune(t *testing.T) {
	step := rune(5) // the race detector makes all of them half a minute
	if os.Getenv("UPLIFT_LONG") != "" {
		step = 1
	}
	fold := cases.Fold()
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C} {
		each(table, func(r rune) {
			if r%step != 0 {
				return
			}
			text := string(r)
			got := viewed(text)
			for _, same := range []string{norm.NFKC.String(text), norm.NFKD.String(text), got} {
				if other := viewed(same); other != got {
					t.Errorf("%U: view %q, but of %q %q", r, got, same, other)
				}
			}
			iota := strings.ContainsRune(norm.NFD.String(text), '\u0345') // an accent to the view, a letter when folded
			if other := viewed(fold.String(text)); other != got && !iota {
				t.Errorf("%U: view %q, but folded %q", r, got, other)
			}
		})
	}
}

// each calls yield for the runes of a table but most ideographs, syllables and
// private ones, which are all alike.
func each(table *unicode.RangeTable, yield func(r rune)) {
	one := func(lo, hi, stride rune) {
		for r := lo; r <= hi; r += stride {
			if alike := unicode.In(r, unicode.Co, unicode.Cs, unicode.Unified_Ideograph, unicode.Tangut) || hangulFirst <= r && r <= hangulLast; !alike || r%97 == 0 {
				yield(r)
			}
		}
	}
	for _, r := range table.R16 {
		one(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		one(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
}
