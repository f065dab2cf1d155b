package report

import (
	"math"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"a drop", signed(-0.27), "−0.270"},
		{"a rise", signed(0.0126), "+0.013"},
		{"zero has no sign", signed(0), "0.000"},
		{"a small negative shows its side of zero", signed(-0.0004), "−0.0004"},
		{"a small positive shows its side of zero", signed(0.0004), "+0.0004"},
		{"smaller still", signed(-0.000021), "−0.00002"},
		{"rounding error is zero", signed(-1e-9), "0.000"},
		{"halves go away from zero", round(0.0125*100, 1), "1.3"},
		{"a half that a sum leaves a hair above", signed(-0.0075), "−0.008"},
		{"a half that a sum leaves a hair below", signed(-0.007499999999999999), "−0.008"},
		{"less than a half", signed(-0.00749999), "−0.007"},
		{"thousands", count(1234567), "1,234,567"},
		{"no comma before three digits", count(999), "999"},
		{"negative thousands", round(-1234567.5, 1), "−1,234,567.5"},
		{"p", pEquals(0.001953125), "p = .002"},
		{"small p", pEquals(3.5e-5), "p < .001"},
		{"p of one", pValue(1), "1.000"},
		{"p just above the floor", pValue(0.001), ".001"},
		{"p of zero", pValue(0), ".000"},
		{"level", percent(0.95), "95 %"},
		{"odd level", percent(0.975), "97.5 %"},
		{"fraction", fraction(0.034), ".03"},
		{"negative fraction", fraction(-0.12), "−.12"},
		{"fraction of one", fraction(1), "1.00"},
		{"interval", interval(p(-0.351), p(0.002)), "[−0.351, +0.002]"},
		{"half an interval is none", interval(p(-0.351), nil), "–"},
		{"NaN is absent", signedOr(p(math.NaN())), "–"},
		{"infinity is absent", interval(p(math.Inf(-1)), p(0)), "–"},
		{"share", shareOr(p(0.1235)), "12.4 %"},
		{"whole degrees of freedom", degrees(9), "9"},
		{"broken degrees of freedom", degrees(10.64), "10.6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := loose(tt.got); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestName(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "safety", "safety"},
		{"empty", "", "(no name)"},
		{"other scripts stay", "安全 prüfung", "安全 prüfung"},
		{"right to left override", "a\u202Eb", "a⟨U+202E⟩b"},
		{"null", "a\x00b", "a⟨U+0000⟩b"},
		{"escape", "\x1b[31m", "⟨U+001B⟩[31m"},
		{"line break", "a\nb", "a⟨U+000A⟩b"},
		{"zero width", "a\u200bb", "a⟨U+200B⟩b"},
		{"line separator", "a\u2028b", "a⟨U+2028⟩b"},
		{"broken UTF-8", "a\xffb", "a⟨FF⟩b"},
		{"long", strings.Repeat("a", 40) + strings.Repeat("b", 40), strings.Repeat("a", 40) + "bbbbbbb…" + strings.Repeat("b", 16)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := name(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzName(f *testing.F) {
	for _, s := range hostileNames {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := name(s)
		if got == "" || len([]rune(got)) > longName {
			t.Errorf("name(%q) has %d runes, want 1 to %d", s, len([]rune(got)), longName)
		}
		for _, r := range got {
			if hidden(r) {
				t.Errorf("name(%q) holds %U", s, r)
			}
		}
		if again := clean(got); again != got {
			t.Errorf("clean of %q is %q, want the same", got, again)
		}
	})
}
