package controller

import (
	"fmt"
	"strings"
	"testing"
)

// phrases600 are phrases of two and three words, as a policy's, that the texts
// of the benchmarks do not hold.
func phrases600() *automaton {
	heads := strings.Fields("withheld sealed closed barred hidden guarded staged ordered ranked timed measured marked listed paired folded")
	tails := strings.Fields("part step phase turn stage piece layer sheet branch column")
	ends := []string{"", " first", " in order", " by turns"}
	var out []string
	for _, h := range heads {
		for _, t := range tails {
			for _, e := range ends {
				out = append(out, pattern(h+" "+t+e))
			}
		}
	}
	return newAutomaton(out)
}

const english = `Cells keep a steady state while they trade with their surroundings. A membrane lets some matter pass and holds back the rest; channels open and close, and pumps spend energy to move what would not go by itself. Students often ask why this needs so much fuel. The short answer: order is costly, and about 30% of a resting body's energy goes there (see chapter 4). "It's a balance," a teacher may say, "not a rest." `

func benchView(b *testing.B, text string) {
	a := phrases600()
	s := borrow()
	n := 0
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		v := s.view(text)
		a.scan(v.text, func(int, int, int) { n++ })
	}
	if n > 0 {
		b.Fatal("the text holds a phrase")
	}
}

// The engine alone, on English prose without a match.
func BenchmarkViewAndScan(b *testing.B) {
	two := strings.Repeat(english, 6)[:2048]
	b.Run("english-2KB", func(b *testing.B) { benchView(b, two) })
	hyphens := strings.NewReplacer("steady state", "steady-state", "back the", "back-up the").Replace(two)
	b.Run("hyphens-2KB", func(b *testing.B) { benchView(b, hyphens) })
}

// A sum over memory that no cache holds: what the speeds of other machines, or
// of this one under load, can be set against.
func BenchmarkMemory(b *testing.B) {
	words := make([]uint64, 4<<20)
	for i := range words {
		words[i] = uint64(i)
	}
	b.SetBytes(int64(8 * len(words)))
	sum := uint64(0)
	for b.Loop() {
		for _, w := range words {
			sum += w
		}
	}
	if sum == 1 {
		b.Fatal("no sum")
	}
}

func BenchmarkEngine(b *testing.B) {
	two := strings.Repeat(english, 6)[:2048]
	for _, c := range []struct{ name, text string }{
		{"english", two},
		{"quotes", strings.NewReplacer(`"`, "\u201c", "'", "\u2019", ":", " \u2014").Replace(two)},
		{"homoglyphs", strings.NewReplacer("a", "а", "e", "е", "o", "о", "p", "р").Replace(two)},
		{"all_cyrillic", strings.Repeat("сору расе хеа ", 80)},
		{"russian", strings.Repeat("Клетка обменивается веществом с окружающей средой и сохраняет порядок. ", 16)},
		{"chinese", strings.Repeat("细胞与环境交换物质，并保持内部的秩序。", 36)},
		{"korean", strings.Repeat("세포는 주변 환경과 물질을 교환한다. ", 36)},
		{"marks", strings.Join(strings.Split(two[:680], ""), "\u0301\u0323\u200d")},
		{"zero_width", strings.Join(strings.Split(two[:680], ""), "\u200b")},
		{"mixed", strings.Repeat("ѕtер ｂｙ 𝐬𝐭𝐞𝐩 ⓢⓣⓔⓟ s\u0336t\u0336e\u0336p\u0336 a\u200bb\u00adc d‑e ", 24)},
		{"base64", strings.Repeat("QSBtZW1icmFuZSBsZXRzIHNvbWUgbWF0dGVyIHBhc3Mu ", 45)},
		{"percent", strings.Repeat("a%20membrane%20lets%20", 90)},
	} {
		b.Run(fmt.Sprint(c.name), func(b *testing.B) { benchView(b, c.text) })
	}
}

func BenchmarkStages(b *testing.B) {
	two := strings.Repeat(english, 6)[:2048]
	a := phrases600()
	s := borrow()
	b.Logf("%d states, %d classes", len(a.moves)/a.width, a.width)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(2048)
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	run("own", func() { s.own(two) })
	run("view", func() { s.view(two) })
	v := s.view(two)
	run("scan", func() { a.scan(v.text, func(int, int, int) {}) })
	run("matched", func() { s.view(two); s.v.original(100, 110) })
}

func BenchmarkSteps(b *testing.B) {
	two := []byte(strings.Repeat(english, 6)[:2048])
	s := borrow()
	v := s.view(string(two))
	text := append([]byte(nil), v.text...)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(2048)
			for b.Loop() {
				f()
			}
		})
	}
	run("escaped", func() { escaped(two) })
	run("spacedOut", func() { spacedOut(text, false) })
	run("base64", func() { s.runs(0, 1<<20, inBase64, (*scratch).base64) })
	run("hex", func() { s.runs(0, 1<<20, inHex, (*scratch).hex) })
}
