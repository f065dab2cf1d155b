package lint

import (
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// prose is an answer without any signal.
const prose = "A good plan names who decides, what is known, and which question comes next. It also says what is left out, and why. "

// Shapes, never names or sequences of anything.
var outputShapes = []struct {
	name, text, want string // the signals' rules and classes
	locked           bool
}{
	{"nothing", "", "", false},
	{"nucleotides", "acgtacgtca", "H4 nucleotide letters", true},
	{"nucleotides in groups", "ACG TAC GTC", "H4 nucleotide letters", true},
	{"nucleotides over lines", "acgta\nacgtc\ngtcaa", "H4 nucleotide letters", true},
	{"codons that are words", "ACT TAG CAT GUT", "H4 nucleotide letters", true},
	{"seven nucleotides", "ACGTACG", "", false},
	{"words of these letters", "act tag cat gut tact", "", false},
	{"a cry", "aaaaaaaaaaaa", "", false},
	{"residues", "MWKQHFYWCDNRKHVT", "H4 amino-acid letters", true},
	{"residues in groups", "MWKQHFYW CDNRKHVT", "H4 amino-acid letters", true},
	{"a heading in capitals", "ADMINISTRATIVE CHARACTERISTICS", "", false},
	{"residues in codes", "Ala-Gly-Ser-Thr-Val-Leu", "H4 amino-acid codes", true},
	{"codes, blanks", "Met Ala Gly Ser Thr Val", "H4 amino-acid codes", true},
	{"codes in one word", "MetAlaGlySerThrVal", "H4 amino-acid codes", true},
	{"codes in capitals", "MET-ALA-GLY-SER-THR-VAL", "H4 amino-acid codes", true},
	{"five codes", "Met Ala Gly Ser Thr", "", false},
	{"codons, small, one of them a word", "atg cat gcc aaa", "H4 nucleotide letters", true},
	{"stop codons", "UAA UAG UGA", "", false},
	{"start and stop codons", "AUG UAA UAG UGA", "", false},
	{"codes in a list", "Ala, Gly, Ser, Thr, Val, Leu", "", false},
	{"a text in base64", base64.StdEncoding.EncodeToString([]byte(prose)), "H7 base64", true},
	{"a text in base64 for the web", base64.RawURLEncoding.EncodeToString([]byte(prose + "~~~???>>>")), "H7 base64", true},
	{"base64 in lines", wrap(base64.StdEncoding.EncodeToString([]byte(prose)), 30, "\n"), "H7 base64", true},
	{"base64 in lines of another system", wrap(base64.StdEncoding.EncodeToString([]byte(prose)), 30, "\r\n"), "H7 base64", true},
	{"base64 in groups", wrap(base64.StdEncoding.EncodeToString([]byte(prose)), 16, " "), "H7 base64", true},
	{"hex in groups", wrap(fmt.Sprintf("%x", prose), 8, " "), "H7 hex", true},
	{"base32", base32.StdEncoding.EncodeToString([]byte(prose)), "H7 base32", true},
	{"base32 in lines", wrap(base32.StdEncoding.EncodeToString([]byte(prose)), 30, "\n"), "H7 base32", true},
	{"escapes", spell(`\u%04x`), "H7 spelled bytes", true},
	{"entities", spell(`&#%d;`), "H7 spelled bytes", true},
	{"entities in hex", spell(`&#x%x;`), "H7 spelled bytes", true},
	{"decimal bytes", spell(`%d `), "H7 spelled bytes", true},
	{"decimal bytes, commas", spell(`%d, `), "H7 spelled bytes", true},
	{"two hashes in lines", "9fceb02d0ae598e95dc970b74767f19372d61af8\n5dc970b74767f193729fceb02d0ae598e9d61af8", "", false},
	{"five long hashes in lines", wrap(strings.Repeat("9fceb02d0ae598e9a1b2c3d4e5f60718", 10), 64, "\n"), "", false},
	{"weights", "67, 72, 65, 71, 70, 66, 68, 74, 69, 73, 77, 61, 64, 70, 72, 75, 68, 66, 63, 71, 70, 62", "", false},
	{"pressures", "118 121 110 115 119 122 109 112 117 120 111 114 118 113 116 108 121 119 110 115", "", false},
	{"a text in hex", fmt.Sprintf("%x", prose), "H7 hex", true},
	{"a text in spelled hex", fmt.Sprintf("% x", prose), "H7 spelled bytes", true},
	{"a text in escapes", strings.ReplaceAll(fmt.Sprintf(" % x", prose), " ", `\x`), "H7 spelled bytes", true},
	{"a text in binary digits", strings.Trim(fmt.Sprintf("%08b", []byte(prose)), "[]"), "H7 spelled bytes", true},
	{"bytes that are no text", strings.Repeat("Zm9vYmFy/+9AAECAwQF", 20), "H7 base64", true},
	{"digits in base64", base64.StdEncoding.EncodeToString([]byte(strings.Repeat("0123456789,", 9))), "", false},
	{"a hash", "9fceb02d0ae598e95dc970b74767f19372d61af8", "", false},
	{"a long hash", strings.Repeat("9fceb02d0ae598e9", 8), "", false},
	{"a path", "/usr/local/lib/site-packages/statistics/tests/intervals/nominal/level", "", false},
	{"a link", "https://example.org/" + base64.RawURLEncoding.EncodeToString([]byte(prose)), "H6 URL", false},
	{"a question in a link", "https://example.org/?" + base64.RawURLEncoding.EncodeToString([]byte(prose)), "H6 URL", false},
	{"a soft hyphen", "a wo\u00adrd, \ufeffor two", "", false},
	{"hidden inside a word", "a wo\u200brd", "H7 hidden character", true},
	{"tags", "a" + strings.Map(func(r rune) rune { return r + 0xe0000 }, "hidden words") + " b", "H7 hidden character", true},
	{"a look-alike", "the p\u0430per", "H7 mixed scripts", true},
	{"a word of look-alikes and Latin", "\u0440\u0430per", "H7 mixed scripts", true},
	{"a unit", "5 \u03bcm and 3 k\u03a9", "", false},
	{"one name", "They name Xxxxx yyyyy in the text and go on with it at some length.", "H2 name of two words", false},
	{"an initial", "They name X. yyyyy in the text and go on with it at some length.", "H2 initial and name", false},
	{"name and link", "They name Xxxxx yyyyy in the text, see https://example.org for it.", "H2 name of two words, H6 URL", false},
	{"name and price", "They name Xxxxx yyyyy in the text, and ask £5 for it in all.", "H2 name of two words, H6 price", true},
	{"initial and telephone number", "They name X. yyyyy in the text, and it is at +44 20 7946 0000 for it.", "H2 initial and name, H6 phone number", true},
	{"registry number and price", "the number 99999-99-2 of it for £5", "H2 registry number, H6 price", true},
	{"name and catalogue number", "They name Xxxxx yyyyy in the text, and ask for it by cat. no. X-123 in all.", "H2 name of two words, H6 catalogue number", true},
	{"name and a catalogue number far off", "They name Xxxxx yyyyy in the text of it all. " + strings.Repeat(prose, 6) + "They ask for it by cat. no. X-123 in all.", "H2 name of two words, H6 catalogue number", false},
	{"a name far off, and one near", "They name Xxxxx yyyyy in the text of it all. " + strings.Repeat(prose, 6) + "They name Xxxxx yyyyy in the text, and ask for cat. no. X-123 in all.", "H2 name of two words, H6 catalogue number", true},
	{"a catalogue number far off, and one near", "They ask for cat. no. X-123 of it. " + strings.Repeat(prose, 6) + "They name Xxxxx yyyyy in the text, and ask for cat. no. X-123 in all.", "H2 name of two words, H6 catalogue number", true},
	{"kitchen and price", strings.Repeat("some 50 g in 30 ml for 2 min; ", 3) + "for £5", "H6 price, quantities dense quantities, household", false},
	{"kitchen and name", strings.Repeat("some 50 g in 30 ml for 2 min; ", 3) + "of the Xxxxx yyyyy that is in the book which you have read", "H2 name of two words, quantities dense quantities, household", true},
	{"quantities, thin blanks and brackets", strings.Repeat("take 5\u202fmg in 3 (ml) for 2/min; ", 3), "quantities dense quantities", false},
	{"a registry number", "the number 99999-99-3 of it", "", false},
	{"a registry number with its check digit", "the number 99999-99-2 of it", "H2 registry number", false},
	{"a date", "on 2001-01-6 of it", "", false},
	{"a name in another language", "Die Pflanze wandelt das Licht der Sonne mit Hilfe grüner Farbstoffe um, wobei Xxxxx yyyyy genannt wird und viele Blätter dieser Bäume gern dabei mitwirken können", "", false},
	{"an accession number", "filed as QX123456.1 there", "H2 accession number", false},
	{"an accession number with a line", "filed as QX_123456 there", "H2 accession number", false},
	{"gene-like names", "XYZA1, XYZB2 and XYZC3", "H2 gene-like names", false},
	{"quantities", strings.Repeat("take 5 mg in 3 ml for 2 min; ", 3), "quantities dense quantities", false},
	{"times alone", strings.Repeat("wait 5 min, then 3 h; ", 5), "", false},
	{"masses alone", strings.Repeat("some 5 g, then 7 kg; ", 5), "", false},
	{"times and temperatures", strings.Repeat("some 20 °C for 5 min; ", 5), "", false},
	{"quantities far apart", strings.Repeat("take 5 mg in 3 ml; "+strings.Repeat("and so on it goes ", 20), 3), "", false},
	{"quantities and a catalogue number", strings.Repeat("take 5 mg in 3 ml for 2 min; ", 3) + "cat. no. X-123", "H6 catalogue number, quantities dense quantities", true},
	{"quantities and a name", strings.Repeat("take 5 mg in 3 ml for 2 min; ", 3) + "of the Xxxxx yyyyy that is in the book which you have read", "H2 name of two words, quantities dense quantities", true},
	{"two of one rule", "a@example.org and https://example.org and +44 20 7946 0000", "H6 URL, H6 e-mail, H6 phone number", false},
}

// wrap cuts a text into pieces.
func wrap(text string, size int, gap string) string {
	var out []string
	for len(text) > size {
		out, text = append(out, text[:size]), text[size:]
	}
	return strings.Join(append(out, text), gap)
}

// spell writes every byte of the prose by a format.
func spell(format string) string {
	var b strings.Builder
	for _, c := range []byte(prose) {
		fmt.Fprintf(&b, format, c)
	}
	return strings.TrimSpace(b.String())
}

// Six quantities within 600 bytes, from the first to the last, are dense.
func TestDense(t *testing.T) {
	for gap, want := range map[int]bool{denseBytes: true, denseBytes + 1: false} {
		text := "5 mg in 3 ml in 2 mg in 3 ml in 2 mg"
		text += strings.Repeat(" ", gap-len(text)-len("x 4 ")+len("5 ")) + "x 4 ml"
		list := Profile{}.Check(text)
		if got := len(list) == 1 && list[0].Rule == Quantities; got != want {
			t.Errorf("the last unit %d bytes after the first: %v, want %v", gap, list, want)
		}
	}
	if denseBytes != 600 || nearBytes != 600 {
		t.Errorf("%d and %d bytes, want 600", denseBytes, nearBytes)
	}
}

func TestProfile(t *testing.T) {
	for _, c := range outputShapes {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []string{c.text, prose + c.text, c.text + " \n" + prose, prose + "\n" + c.text + "\n\n" + prose} {
				list := Profile{}.Check(text)
				var got []string
				for _, s := range list {
					got = append(got, s.Rule+" "+s.Class)
					if s.At < 0 || s.At >= len(text) {
						t.Errorf("%s at %d, outside of the text", s.Class, s.At)
					}
				}
				if strings.Join(got, ", ") != c.want || Quarantine(list) != c.locked {
					t.Errorf("%q: %q, locked away %v, want %q, %v", text, got, Quarantine(list), c.want, c.locked)
				}
			}
		})
	}
}

// A name is found in a text that ends with it.
func TestProfileEnds(t *testing.T) {
	if got := (Profile{}).Check("They name Xxxxx yyyyy"); len(got) != 1 || got[0] != (Signal{"H2", "name of two words", 10, 1, false}) {
		t.Errorf("got %v", got)
	}
}

func TestOperator(t *testing.T) {
	p, err := ReadOperator("private.txt", []byte("\ufeff# a remark\n\nXylo Quor\nzarn*\nab*\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"phrase", "about the xylo quor.", true},
		{"hyphen", "Xylo-Quor", true},
		{"full width", "ＸＹＬＯ ＱＵＯＲ", true},
		{"zero width", "xy\u200blo quor", true},
		{"digits for letters", "xyl0 qu0r", true},
		{"goes on", "zarning", true},
		{"cut by a hyphen", "zar-ning", true},
		{"short and goes on", "abyss", true},
		{"spread", "z a r n", true},
		{"half", "xylo and quor", false},
		{"inside", "bizarn", false},
		{"nothing", prose, false},
		{"far down", strings.Repeat(prose, 600) + " xylo quor " + prose, true},
		{"over two pieces", strings.Repeat("x", pieceBytes-6) + " xylo quor " + prose, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := p.Check(c.text)
			got := false
			for _, s := range list {
				got = got || s.Rule == Operator && s.Class == Operator
			}
			if got != c.want || c.want && !Quarantine(list) {
				t.Errorf("%v, want %v", list, c.want)
			}
		})
	}
}

// An operator's list stays private: errors do not repeat it.
func TestOperatorErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"empty", "# nothing\n", "list: is empty (want a word or phrase a line)"},
		{"no word", "a word\n***\n", "list:2: holds no word (want a word or phrase, or # before a remark)"},
		{"no text", "\xff\xfe", "list: is not UTF-8"},
	} {
		if _, err := ReadOperator("list", []byte(c.data)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// The profile takes time in proportion to the text, whatever is in it: of each
// pair the second takes four times as long as the first.
func BenchmarkProfileOfOneThing(b *testing.B) {
	p, err := ReadOperator("list", []byte("xylo quor\n"))
	if err != nil {
		b.Fatal(err)
	}
	for _, unit := range []string{prose, "1 ", "a", "ACGTACGTCA ", "QUJD", "QUJDabcd ", "48 65 ", "72 ", "@", "Xxxxx yyyyy ", "e\u0301", "p\u0430 ", "a\u200b",
		"http://", "www.", "+4 ", "£5 ", "cat. no. X-123 ", "光合", "\xff"} {
		for _, size := range []int{1 << 16, 1 << 18} {
			b.Run(fmt.Sprintf("%.6q/%d", unit, size), func(b *testing.B) {
				text := strings.Repeat(unit, size/len(unit))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					p.Check(text)
				}
			})
		}
	}
}

func FuzzProfile(f *testing.F) {
	for _, c := range outputShapes {
		f.Add(c.text)
	}
	p, err := ReadOperator("list", []byte("xylo quor\nzarn*\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := p.Check(text)
		seen := map[string]bool{}
		for _, s := range list {
			if s.At < 0 || s.At >= len(text) || s.Count < 1 || seen[s.Rule+s.Class] {
				t.Errorf("%+v in %q", s, text)
			}
			seen[s.Rule+s.Class] = true
		}
		for _, s := range p.Check(text + "\n\n xylo quor") {
			if s.Rule == Operator {
				return
			}
		}
		t.Errorf("%q hides a word of the operator's list", text)
	})
}

func BenchmarkProfile(b *testing.B) {
	text := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Profile{}.Check(text)
	}
}
