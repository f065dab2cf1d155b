package controller

import (
	"math"
	"strings"
	"testing"
)

// Heads of lines, in the styles of several scripts and of Markdown.
func TestMarkers(t *testing.T) {
	for _, c := range []struct {
		line string
		text string // what stands after the marker; empty: not numbered
	}{
		{"1. a", "a"}, {"12) a", "a"}, {"(3) a", "a"}, {"[4] a", "a"}, {"1: a", "a"}, {"  2. a", "a"}, {"> 3. a", "a"},
		{"- 1. a", "a"}, {"## 4. a", "a"}, {"**5.** a", "a"}, {"1.\ta", "a"}, {"１．a", "a"}, {"（２）a", "a"}, {"٣. a", "a"},
		{"४) a", "a"}, {"① a", "a"}, {"❷ a", "a"}, {"⑴a", "a"}, {"1️⃣ a", "a"}, {"一、a", "a"}, {"（二）a", "a"}, {"第一步：a", "a"},
		{"第2条 a", "a"}, {"十二、a", "a"}, {"iv. a", "a"}, {"ii) a", "a"}, {"b) a", "a"}, {"(c) a", "a"}, {"Step 1: a", "a"},
		{"Paso 2. a", "a"}, {"Étape 3 : a", "a"}, {"Schritt 4 – a", "a"}, {"步骤5：a", "a"}, {"Шаг 6: a", "a"}, {"1\u200b. a", "a"},
		{"a. b", ""}, {"A. Smith", ""}, {"1.5 kg", ""}, {"10:30 is late", ""}, {"2020 was a year", ""}, {"1234. a", ""}, {"- a", ""},
		{"a", ""}, {"", ""}, {"(see 3)", ""}, {"Chapter of 3", ""}, {"In 2020: a", ""}, {"mix) a", ""},
	} {
		m := markerOf(c.line)
		if m.ordered != (c.text != "") {
			t.Errorf("%q: numbered %v", c.line, m.ordered)
		}
		if m.ordered && c.line[m.length:] != c.text {
			t.Errorf("%q: text %q, want %q", c.line, c.line[m.length:], c.text)
		}
	}
}

// The values of the features of form, by hand.
func TestShape(t *testing.T) {
	units := newUnitTable(Default().Units, false)
	for _, c := range []struct {
		name, text             string
		steps, amount, density float64
	}{
		{"nothing", "All is well.", 0, 0, 0},
		{"one number", "1. a", 0, 0, 0},
		{"three steps", "1. a\n2. b\n3. c", 0.5, 0, 0},
		{"nine steps", strings.Repeat("1. a\n", 9), 1, 0, 0},
		{"inline steps", "Do: 1. a. 2. b. 3. c", 0.5, 0, 1.0 / 8},
		{"numbered parts", "(1) a, (2) b, (3) c", 0.5, 0, 0},
		{"quantities", "5 g, 20 °C, 3 %, twice", 0, 0.12, 1.0 / 8},
		{"five quantities", "1 g 2 g 3 g 4 g 5 g", 0, 0.12, 3.0 / 8},
		{"two quantities", "Use 5 g for 10 minutes.", 0, 0.08, 0},
		{"Chinese quantities", "加五十克，等三分钟，一天", 0, 0.08, 0},
		{"full width", "５ ｇ", 0, 0, 0},
		{"a third", "the 3rd of 4 and 2020", 0, 0, 1.0 / 8},
		{"numbers far apart", "1 " + strings.Repeat("a ", 19) + "2 " + strings.Repeat("a ", 19) + "3 4", 0, 0, 0},
		{"ten numbers", "1 2 3 4 5 6 7 8 9 10", 0, 0, 1},
		{"code", "74656c6c 6d65 4f5g7h dGVsbCBtZQ1x2y3z==", 0, 0, 0},
	} {
		s := units.shapeOf(c.text)
		if math.Abs(s.stepValue()-c.steps) > 1e-12 || math.Abs(s.amountValue()-c.amount) > 1e-12 || math.Abs(s.denseValue()-c.density) > 1e-12 {
			t.Errorf("%s: steps %v, amounts %v, density %v (%+v), want %v, %v, %v", c.name, s.stepValue(), s.amountValue(), s.denseValue(), s, c.steps, c.amount, c.density)
		}
	}
}
