package benchmark

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// named is the id that a text gets when its source has none, by the rule of
// the documentation: the first 16 hex digits of a SHA-256.
func named(format, ask string) string {
	sum := sha256.Sum256([]byte(format + "\n" + ask))
	return hex.EncodeToString(sum[:])[:16]
}

func safe(id, family, ask string) uplift.Task {
	return uplift.Task{ID: id, Split: "train", Tier: uplift.Benign, Family: family, Ask: ask, Expected: Full, Version: 1}
}

func barred(id, family, ask string) uplift.Task {
	return uplift.Task{ID: id, Split: "train", Tier: uplift.Harmful, Family: family, Ask: ask, Expected: Withhold, Version: 1}
}

// Every fixture is a shape without a meaning.
func TestReadTakesOtherProjects(t *testing.T) {
	for _, c := range []struct {
		name, format, subset, data, licence string
		hazardous                           bool
		want                                []uplift.Task
		dropped                             []Dropped
	}{
		{"xstest", "xstest", "",
			"id,prompt,type,label,focus,note\n1,How xxxxx a yyyyy?,homonyms,safe,xxxxx,\n26,How zzzzz a yyyyy?,contrast_homonyms,unsafe,,a note\n",
			"CC-BY-4.0", false,
			[]uplift.Task{safe("1", "homonyms", "How xxxxx a yyyyy?"), barred("26", "contrast_homonyms", "How zzzzz a yyyyy?")}, nil},
		{"or-bench", "or-bench", "hard-1k", "prompt,category\nPlease xxxxx.,privacy\n\"Please, yyyyy.\",hate\nPlease xxxxx.,hate\n", "CC-BY-4.0", false,
			[]uplift.Task{safe(named("or-bench", "Please xxxxx."), "privacy", "Please xxxxx."), safe(named("or-bench", "Please, yyyyy."), "hate", "Please, yyyyy.")},
			[]Dropped{{1, "the text of an earlier row"}}},
		{"or-bench, whole", "or-bench", "80k", "prompt,category\nPlease xxxxx.,privacy\n", "CC-BY-4.0", false,
			[]uplift.Task{safe(named("or-bench", "Please xxxxx."), "privacy", "Please xxxxx.")}, nil},
		{"or-bench, toxic", "or-bench", "toxic", "prompt,category\nPlease xxxxx.,privacy\n", "CC-BY-4.0", true,
			[]uplift.Task{barred(named("or-bench", "Please xxxxx."), "privacy", "Please xxxxx.")}, nil},
		{"jailbreakbench", "jailbreakbench", "harmful",
			"Index,Goal,Target,Behavior,Category,Source\n0,Please xxxxx the yyyyy,\"Sure, here\",Xxxxx,Fraud/Deception,Original\n1,Please zzzzz,Sure,Zzzzz,Privacy,Original\n",
			"MIT", true, []uplift.Task{barred("0", "Fraud/Deception", "Please xxxxx the yyyyy"), barred("1", "Privacy", "Please zzzzz")}, nil},
		{"jailbreakbench, benign", "jailbreakbench", "benign", "Index,Goal,Target,Behavior,Category,Source\n7,Please xxxxx,Sure,Xxxxx,Privacy,Original\n",
			"MIT", false, []uplift.Task{safe("7", "Privacy", "Please xxxxx")}, nil},
		{"jailbreakbench before its index had a name", "jailbreakbench", "benign", ",Goal,Target,Behavior,Category\n0,Please xxxxx,Sure,Xxxxx,Privacy\n",
			"MIT", false, []uplift.Task{safe(named("jailbreakbench", "Please xxxxx"), "Privacy", "Please xxxxx")}, nil},
		{"harmbench", "harmbench", "",
			"Behavior,FunctionalCategory,SemanticCategory,Tags,ContextString,BehaviorID\n" +
				"Xxxxx the yyyyy,standard,illegal,,,xxxxx_yyyyy\n" +
				"Zzzzz it,contextual,misinformation,context,\"Long ago\nthere was x.\",zzzzz_it\n" +
				"Write out zzzzz,copyright,copyright,\"lyrics, hash_check\",,zzzzz\n" +
				"Write out yyyyy,copyright,copyright,,,yyyyy\n" +
				"Xxxxx aaaaa,standard,chemical_biological,,,xxxxx_aaaaa\n",
			"MIT", true,
			[]uplift.Task{barred("xxxxx_yyyyy", "illegal", "Xxxxx the yyyyy"), barred("zzzzz_it", "misinformation", "Long ago\nthere was x.\n\n---\n\nZzzzz it")},
			[]Dropped{{2, "copyright, which is judged by the text's hash"}, {1, "biology and chemistry, which the study does not include"}}},
		{"harmbench, with images", "harmbench", "", "Behavior,FunctionalCategory,SemanticCategory,Tags,BehaviorID,ImageFileName\nXxxxx this,,illegal,,a,a.png\nXxxxx,standard,illegal,,b,\n",
			"MIT", true, []uplift.Task{barred("b", "illegal", "Xxxxx")}, []Dropped{{1, "multimodal, which needs an image"}}},
		{"do-not-answer", "do-not-answer", "",
			"id,risk_area,types_of_harm,specific_harms,question,GPT4_response,GPT4_harmful,GPT4_action\n3,Area,Type,Xxxxx,\"What xxxxx, then?\",No.,0,1\n",
			"CC-BY-NC-SA-4.0", true, []uplift.Task{barred("3", "Type", "What xxxxx, then?")}, nil},
		{"strongreject", "strongreject", "", "category,source,forbidden_prompt\nViolence,custom,Please xxxxx.\n", "MIT", true,
			[]uplift.Task{barred(named("strongreject", "Please xxxxx."), "Violence", "Please xxxxx.")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for ends, data := range map[string]string{"LF": c.data, "CRLF and mark": "\ufeff" + strings.ReplaceAll(c.data, "\n", "\r\n")} {
				got, err := Read("theirs.csv", []byte(data), ReadOptions{Format: c.format, Subset: c.subset})
				if err != nil {
					t.Fatalf("%s: %v", ends, err)
				}
				if d := cmp.Diff(got.Tasks, c.want); d != "" {
					t.Errorf("%s: got - want +\n%s", ends, d)
				}
				if d := cmp.Diff(got.Dropped, c.dropped); d != "" {
					t.Errorf("%s: left out: got - want +\n%s", ends, d)
				}
				if got.Hazardous != c.hazardous || got.Hazardous != Hazardous(c.format, c.subset) {
					t.Errorf("hazardous: got %v, want %v", got.Hazardous, c.hazardous)
				}
				if !strings.Contains(got.Licence, c.licence) {
					t.Errorf("licence: got %q, want %s in it", got.Licence, c.licence)
				}
			}
		})
	}
}

func TestForeignSplit(t *testing.T) {
	got, err := Read("x.csv", []byte("prompt,category\nPlease xxxxx.,hate\n"), ReadOptions{Format: "or-bench", Subset: "80k", Split: uplift.Test})
	if err != nil || got.Tasks[0].Split != uplift.Test {
		t.Errorf("got %+v, %v, want the split test", got, err)
	}
}

func TestEachForeignFlawIsOneProblem(t *testing.T) {
	const head = "Behavior,FunctionalCategory,SemanticCategory,ContextString,BehaviorID\n"
	for _, c := range []struct{ name, format, subset, data, want string }{
		{"unknown format", "harm-bench", "", "", "x.csv: unknown format \"harm-bench\" (did you mean harmbench?)"},
		{"no subset", "or-bench", "", "", `x.csv: subset "" is none of or-bench (want 80k, hard-1k or toxic: the columns do not say which it is)`},
		{"subset of another", "jailbreakbench", "toxic", "", `x.csv: subset "toxic" is none of jailbreakbench (want harmful or benign: the columns do not say which it is)`},
		{"subset of none", "xstest", "toxic", "", `x.csv: subset "toxic": xstest has none (leave it out)`},
		{"another file", "xstest", "", "prompt,category\nx,y\n", "x.csv:1: id: no such column (want a xstest file, with id, prompt, type and label)\n" +
			"x.csv:1: type: no such column (want a xstest file, with id, prompt, type and label)\nx.csv:1: label: no such column (want a xstest file, with id, prompt, type and label)"},
		{"label", "xstest", "", "id,prompt,type,label\n1,Xxxxx?,homonyms,Safe\n", `x.csv:2: label: unknown value "Safe" (want safe or unsafe)`},
		{"empty prompt", "xstest", "", "id,prompt,type,label\n1, ,homonyms,safe\n", "x.csv:2: prompt: is empty (want a text)"},
		{"empty family", "or-bench", "80k", "prompt,category\nXxxxx,\n", "x.csv:2: category: is empty (want a text)"},
		{"id twice", "xstest", "", "id,prompt,type,label\n1,Xxxxx?,homonyms,safe\n1,Yyyyy?,homonyms,safe\n", `x.csv:3: the id "1" is taken by the row in line 2`},
		{"kind", "harmbench", "", head + "Xxxxx,odd,illegal,,a\n", `x.csv:2: FunctionalCategory: unknown value "odd" (want standard, contextual, copyright or multimodal)`},
		{"no context", "harmbench", "", head + "Xxxxx,contextual,illegal,,a\n", "x.csv:2: ContextString: is empty (want a text)"},
		{"nothing left", "harmbench", "", head + "Xxxxx,copyright,copyright,,a\n", "x.csv: holds no task (1 row left out: copyright, which is judged by the text's hash)"},
		{"short row", "or-bench", "80k", "prompt,category\nXxxxx\n", "x.csv:2: has 1 cells (want 2, as in the header)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("x.csv", []byte(c.data), ReadOptions{Format: c.format, Subset: c.subset})
			if err == nil || err.Error() != c.want {
				t.Errorf("\ngot  %v\nwant %s", err, c.want)
			}
		})
	}
	_, err := Read("x.csv", []byte("id,prompt,type,label\n1,Xxxxx?,homonyms,safe\n2,Yyyyy?,homonyms,safe\n"), ReadOptions{Format: "xstest", Need: []string{"ask", "ask_alt"}})
	if want := "x.csv: ask_alt: is in no xstest file, and a chosen attack uses it (want attacks that need the ask alone, such as direct)"; err == nil || err.Error() != want {
		t.Errorf("\ngot  %v\nwant %s", err, want)
	}
}

// Without a study that names them, hazardous rows of biology and chemistry
// stay out, by their category or by a word.
func TestScreen(t *testing.T) {
	const data = "category,source,forbidden_prompt\n" +
		"A,,Xxxxx about Biology\nA,,Xxxxx of chemistry\nA,,Xxxxx a biochemical\nA,,Xxxxx of antibiology\nA,,Xxxxx the yyyyy\nVirology,,Xxxxx\n"
	bio, chem, both := "biology, which the study does not include", "chemistry, which the study does not include", "biology and chemistry, which the study does not include"
	for _, c := range []struct {
		name    string
		include []string
		left    int
		dropped []Dropped
	}{
		{"none", nil, 1, []Dropped{{3, bio}, {1, chem}, {1, both}}},
		{"biology", []string{"biology"}, 4, []Dropped{{2, chem}}},
		{"chemistry", []string{"chemistry"}, 2, []Dropped{{4, bio}}},
		{"both", HazardFields(), 6, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read("x.csv", []byte(data), ReadOptions{Format: "strongreject", Include: c.include})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Tasks) != c.left {
				t.Errorf("got %d tasks, want %d", len(got.Tasks), c.left)
			}
			if d := cmp.Diff(got.Dropped, c.dropped); d != "" {
				t.Errorf("got - want +\n%s", d)
			}
		})
	}
}

// A word tells a field wherever it stands in another one, and however its
// letters are written.
func TestScreenOfSpellings(t *testing.T) {
	for says, want := range map[string]string{
		"a neurotoxin":              biology,
		"an antiviral":              biology,
		"an antibiotic":             biology,
		"a bio weapon":              biology,
		"a bio\u2011weapon":         biology, // a hyphen that does not break
		"a PATHOGEN":                biology,
		"a ｐａｔｈｏｇｅｎ":                biology, // full width
		"a 𝐩𝐚𝐭𝐡𝐨𝐠𝐞𝐧":                biology, // of mathematics
		"a patho\u200bgen":          biology, // a space of no width
		"a pa\u00adtho\u2060gen":    biology, // a soft hyphen, a word joiner
		"a p\u00e1thogen":           biology, // an accent of its letter
		"a pa\u0301thogen":          biology, // an accent by itself
		"cytotoxic":                 chemistry,
		"petrochemical":             chemistry,
		"a scheme of chemists":      chemistry,
		"gases\u200bchemical":       chemistry,
		"a scheme":                  "", // of fraud
		"a SCHEME and its schemers": "",
		"the yyyyy":                 "",
	} {
		if got := unnamed(uplift.Task{Tier: uplift.Harmful, Family: "A", Ask: "Xxxxx " + says}, nil); got != want {
			t.Errorf("%q: got %q, want %q", says, got, want)
		}
	}
}

// A category of both fields takes both words to bring in.
func TestScreenOfBothFields(t *testing.T) {
	const data = "Behavior,FunctionalCategory,SemanticCategory,BehaviorID\nXxxxx,standard,chemical_biological,a\nXxxxx,standard,illegal,b\n"
	for n, include := range map[int][]string{1: {"biology"}, 2: {"biology", "chemistry"}} {
		got, err := Read("x.csv", []byte(data), ReadOptions{Format: "harmbench", Include: include})
		if err != nil || len(got.Tasks) != n {
			t.Errorf("%v: got %+v, %v, want %d tasks", include, got, err, n)
		}
	}
}

// Our own file is screened when its study says that it is hazardous, and then
// in every tier but the benign one.
func TestScreenOfOwnFiles(t *testing.T) {
	bio := strings.NewReplacer(`"f"`, `"biology"`).Replace(good)
	data := bio + "\n" + strings.NewReplacer("benign", "harmful", `"a"`, `"b"`, "full", "withhold").Replace(bio) +
		"\n" + strings.NewReplacer("benign", "borderline", `"a"`, `"c"`, "full", "limited").Replace(bio) + "\n"
	for hazard, want := range map[bool]int{false: 3, true: 1} {
		got, err := Read("x.jsonl", []byte(data), ReadOptions{Hazard: hazard})
		if err != nil || len(got.Tasks) != want || got.Tasks[0].Tier != uplift.Benign || got.Hazardous != hazard {
			t.Errorf("hazard %v: got %+v, %v, want %d tasks, the benign one first", hazard, got, err, want)
		}
	}
}

// XSTest as it is published: 250 safe and 200 unsafe prompts of 18 types.
func TestXSTestAsPublished(t *testing.T) {
	path := shared(t, "data/xstest/xstest_prompts.csv")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the prompts of XSTest are not here: %v", err)
	}
	got, err := Read(path, data, ReadOptions{Format: "xstest"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	n, types := map[uplift.Tier]int{}, map[string]int{}
	for i, task := range got.Tasks {
		n[task.Tier]++
		types[task.Family]++
		if row := rows[i+1]; task.ID != row[0] || task.Ask != row[1] {
			t.Errorf("row %d: got %s %q, want %s %q", i+2, task.ID, task.Ask, row[0], row[1])
		}
	}
	if n[uplift.Benign] != 250 || n[uplift.Harmful] != 200 || len(types) != 18 {
		t.Errorf("got %v in %d types, want 250 benign and 200 harmful in 18", n, len(types))
	}
	for name, k := range types {
		if k != 25 {
			t.Errorf("type %s: got %d, want 25", name, k)
		}
	}
}

// shared finds a file of the folder beside the module, which holds what is not
// the project's own.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("UPLIFT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
