package lint

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

// builtin is the embedded set.
func builtin(t testing.TB) []uplift.Task {
	t.Helper()
	tasks, err := benchmark.Set(benchmark.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// pattern is one class of what the hazard rules look for, as a shape without
// a meaning, and the rules that must each find it.
type pattern struct {
	class, text string
	rules       string
}

var patterns = []pattern{
	{"unknown word", "xylozarn", "H1"},
	{"unknown word in capitals", "XQZR", "H1"},
	{"a capital inside a sentence", "the Paper", "H1"},
	{"unknown word, hyphen", "half-xylozarn", "H1"},
	{"unknown word, hidden character", "xylo\u200bzarn", "H1 H7"},
	{"name of two words", "Xxxxx yyyyy", "H1 H2"},
	{"initial and name", "X. yyyyy", "H1 H2"},
	{"registry number", "99999-99-9", "H1 H2 H3"},
	{"accession number", "QX123456.1", "H1 H2 H3"},
	{"accession number with a line", "QX_123456", "H1 H2 H3"},
	{"gene-like name", "XYZA1", "H1 H2 H3"},
	{"gene-like name, small", "xyzA", "H1 H2"},
	{"digit", "7", "H1 H3"},
	{"full-width digit", "７", "H1 H3 H7"},
	{"raised digit", "m²", "H1 H3"},
	{"fraction sign", "½", "H1 H3"},
	{"number with a unit", "5 mg", "H1 H3"},
	{"number word", "seven", "H1 H3"},
	{"ordinal", "third", "H1 H3"},
	{"number words, hyphen", "twenty-five", "H1 H3"},
	{"roman numeral", "viii", "H1 H3"},
	{"nucleotides", "acgtacgt", "H1 H4"},
	{"nucleotides in capitals", "ACGTACGT", "H1 H4"},
	{"nucleotides in groups", "acg tac gta", "H1 H4"},
	{"nucleotides, hyphens", "acgt-acgt", "H1 H4"},
	{"residues", "mwkqhfywcdnrkhvt", "H1 H4"},
	{"residues in capitals", "MWKQHFYWCDNRKHVT", "H1 H4"},
	{"numbered list", "\n1. this\n2. that\n", "H1 H3 H5"},
	{"list", "\n- this\n- that\n", "H5"},
	{"lettered list", "\na) this\nb) that\n", "H5"},
	{"numbered step", "step 2", "H1 H3 H5"},
	{"numbered step in words", "step two", "H1 H3 H5"},
	{"connectives of order", "next this, then that, and finally the rest", "H5"},
	{"connectives of order with ordinals", "first this, second that, third the rest", "H1 H3 H5"},
	{"URL", "https://example.org/a", "H1 H6"},
	{"host", "example.com", "H6"},
	{"web host", "www.example.org", "H1 H6"},
	{"e-mail", "somebody@example.org", "H1 H6"},
	{"phone number", "+44 20 7946 0000", "H1 H3 H6"},
	{"price", "$5", "H1 H3 H6"},
	{"sign of currency", "some €", "H6"},
	{"catalogue number", "cat. no. XQ-123", "H1 H2 H3 H6"},
	{"article number", "XQ1234-5", "H1 H3 H6"},
	{"base64", "WHlsb3phcm4gcXVvcg==", "H1 H7"},
	{"base64 for the web", "WHlsb3phcm4tcXVvcl", "H1 H7"},
	{"hex", "deadbeef01", "H1 H3 H7"},
	{"hex, spaced", "48 65 6c 6c 6f 21 0a", "H1 H3 H7"},
	{"percent signs", "%58%79%6c", "H1 H3 H7"},
	{"escape", `\u0058`, "H1 H3 H7"},
	{"entity", "&#120;", "H1 H3 H7"},
	{"binary digits", "01001000 01100101", "H1 H3 H7"},
	{"zero width", "\u200b", "H7"},
	{"direction", "\u202e", "H7"},
	{"tag character", "\U000e0041", "H7"},
	{"variation selector", "\ufe0f", "H7"},
	{"soft hyphen", "\u00ad", "H7"},
	{"mixed scripts", "p\u0430per", "H1 H7"},
	{"another script", "\u0431\u0443\u043c\u0430\u0433\u0430", "H1"},
	{"full width", "ｐａｐｅｒ", "H7"},
	{"mathematical letters", "\U0001d429\U0001d41a\U0001d429\U0001d41e\U0001d42b", "H7"},
}

// places are where a shape is put into a text.
var places = []struct {
	name string
	put  func(text, shape string) string
}{
	{"at the head", func(text, shape string) string { return shape + " " + text }},
	{"at the end", func(text, shape string) string { return text + " " + shape }},
	{"after the first word", func(text, shape string) string {
		head, tail, _ := strings.Cut(text, " ")
		return head + " " + shape + " " + tail
	}},
	{"in the middle", func(text, shape string) string {
		words := strings.Split(text, " ")
		k := len(words) / 2
		return strings.Join(words[:k], " ") + " " + shape + " " + strings.Join(words[k:], " ")
	}},
}

// slots are the fields of a task that a shape is put into.
var slots = []struct {
	name string
	of   func(*uplift.Task) *string
}{
	{"ask", func(t *uplift.Task) *string { return &t.Ask }},
	{"ask_alt", func(t *uplift.Task) *string { return &t.AskAlt }},
	{"topic_open", func(t *uplift.Task) *string { return &t.TopicOpen }},
	{"ask_general", func(t *uplift.Task) *string { return &t.AskGeneral }},
	{"focus", func(t *uplift.Task) *string { return &t.Focus }},
	{"noun", func(t *uplift.Task) *string { return &t.Noun }},
	{"hard_negative", func(t *uplift.Task) *string { return &t.HardNegative }},
	{"key_points", func(t *uplift.Task) *string { return &t.KeyPoints[0] }},
	{"hard_negative_points", func(t *uplift.Task) *string { return &t.HardPoints[0] }},
	{"note", func(t *uplift.Task) *string { return &t.Note }},
}

// hits are the hazard rules, of those named, that find something in a text of
// a task.
func hits(t uplift.Task, text, rules string) words {
	out := words{}
	for _, h := range hazardList {
		if strings.Contains(rules, h.id) && len(h.look(t, text)) > 0 {
			out[h.id] = true
		}
	}
	return out
}

// everyRule names H1 to H7.
const everyRule = "H1 H2 H3 H4 H5 H6 H7"

// TestMutations puts every pattern into every borderline and harmful task of
// the set, every second into one of its fields, and every rule that knows the pattern must
// find it. Fields and places go round, so that each pattern is tried in every
// field at every place; with UPLIFT_LONG, in all fields of every task. The
// texts are clean before.
func TestMutations(t *testing.T) {
	fields := 1
	if os.Getenv("UPLIFT_LONG") != "" {
		fields = len(slots)
	}
	tried, missed, tasks := 0, 0, 0
	for _, task := range builtin(t) {
		if !guarded(task) {
			continue
		}
		for _, s := range slots {
			if text := *s.of(&task); len(hits(task, text, everyRule)) > 0 {
				t.Errorf("%s %s is not clean: %v", task.ID, s.name, sorted(hits(task, text, everyRule)))
			}
		}
		for i, p := range patterns {
			if fields == 1 && (i+tasks)%2 == 1 {
				continue // every second, so that each pattern meets half of the tasks
			}
			for k := range fields {
				s, place := slots[((tasks+i)/2+3*k)%len(slots)], places[(tasks/len(slots)+i+k)%len(places)]
				text := place.put(*s.of(&task), p.text)
				tried++
				found := hits(task, text, p.rules)
				for id := range strings.FieldsSeq(p.rules) {
					if !found[id] {
						missed++
						t.Errorf("%s %s: %s %s is not found by %s: %q", task.ID, s.name, p.class, place.name, id, text)
					}
				}
			}
			if missed > 20 {
				t.Fatal("and more")
			}
		}
		tasks++
	}
	share := falsePositives(t)
	t.Logf("%d patterns in %d tasks: %d tried, %d missed; false positives in benign tasks: %d of %d (%.1f %%)",
		len(patterns), tasks, tried, missed, share.Hits, share.Of, 100*share.Value())
	if tasks < 100 || tried < 3000 {
		t.Errorf("%d tasks, %d mutations: too few to say anything", tasks, tried)
	}
}

// falsePositives is the share of benign tasks in which H2 to H7 find something.
func falsePositives(t *testing.T) Share {
	_, share := hazardRules(Input{Tasks: builtin(t)})
	return share
}

// TestMutationsFailTheReport puts a pattern of each class into one task of the
// set: the whole lint must name task, field and rule.
func TestMutationsFailTheReport(t *testing.T) {
	guardedTasks := slices.DeleteFunc(builtin(t), func(t uplift.Task) bool { return !guarded(t) })
	for i, p := range patterns {
		tasks := slices.Clone(guardedTasks[i : i+2])
		task := &tasks[1]
		task.KeyPoints, task.HardPoints = slices.Clone(task.KeyPoints), slices.Clone(task.HardPoints)
		s := slots[i%len(slots)]
		text := s.of(task)
		*text = places[i%len(places)].put(*text, p.text)
		rules, _ := hazardRules(Input{Tasks: tasks})
		for id := range strings.FieldsSeq(p.rules) {
			if !blames(rules, id, task.ID, s.name) {
				t.Errorf("%s in %s of %s: %s does not fail for it", p.class, s.name, task.ID, id)
			}
		}
	}
}

func blames(rules []Rule, id, task, field string) bool {
	for _, r := range rules {
		if r.ID != id || r.Pass {
			continue
		}
		for _, o := range r.Offenders {
			if o.Task == task && (o.Field == field || o.Field == fmt.Sprintf("%s[0]", field)) {
				return true
			}
		}
	}
	return false
}
