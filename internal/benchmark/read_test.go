package benchmark

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// The same two tasks in each form. The second has what the first leaves out.
const (
	jsonlTasks = `{"id":"t1","split":"train","tier":"benign","family":"statistics","ask":"What is a mean?","expected":"full"}

{"id":"t2","split":"test","tier":"borderline","family":"reading","ask":"What may I read, \"and\" what not?","ask_alt":"What not?","expected":"limited","key_points":["Allowed: the summary.","Left out: the rest."],"note":"n","version":3}
`
	yamlList = `# two tasks
- {id: t1, split: train, tier: benign, family: statistics, ask: What is a mean?, expected: full}
- id: t2
  split: test
  tier: borderline
  family: reading
  ask: >-
    What may I read,
    "and" what not?
  ask_alt: What not?
  expected: limited
  key_points:
    - "Allowed: the summary."
    - 'Left out: the rest.'
  note: n
  version: 3
`
	yamlHeaded = `canary: c0ffee
family: reading
expected: full
split: train
tasks:
  - {id: t1, tier: benign, family: statistics, ask: What is a mean?}
  - {id: t2, split: test, tier: borderline, ask: 'What may I read, "and" what not?', ask_alt: What not?, expected: limited, key_points: ["Allowed: the summary.", "Left out: the rest."], note: n, version: 3}
`
	csvOwn = `id,split,tier,family,ask,ask_alt,expected,key_points,note,version
t1,train,benign,statistics,What is a mean?,,full,,,
t2,test,borderline,reading,"What may I read, ""and"" what not?",What not?,limited,Allowed: the summary. | Left out: the rest.,n,3
`
)

var twoTasks = []uplift.Task{
	{ID: "t1", Split: "train", Tier: uplift.Benign, Family: "statistics", Ask: "What is a mean?", Expected: "full", Version: 1},
	{ID: "t2", Split: "test", Tier: uplift.Borderline, Family: "reading", Ask: `What may I read, "and" what not?`, AskAlt: "What not?",
		Expected: "limited", KeyPoints: []string{"Allowed: the summary.", "Left out: the rest."}, Note: "n", Version: 3},
}

func TestReadTakesEachForm(t *testing.T) {
	crlf := func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }
	for _, c := range []struct{ name, file, data string }{
		{"json lines", "x.jsonl", jsonlTasks},
		{"json lines by their other name", "x.NDJSON", jsonlTasks},
		{"yaml list", "x.yaml", yamlList},
		{"yaml with a head", "x.yml", yamlHeaded},
		{"yaml in the form of json", "x.yaml", "[" + strings.Join(strings.Split(strings.TrimSpace(jsonlTasks), "\n\n"), ",") + "]"},
		{"csv", "x.csv", csvOwn},
		{"csv without the last line's end", "x.csv", strings.TrimSpace(csvOwn)},
		{"json lines of a spreadsheet's editor", "x.jsonl", crlf(jsonlTasks)},
		{"yaml with carriage returns", "x.yaml", crlf(yamlList)},
		{"csv of a spreadsheet", "x.csv", crlf(csvOwn)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(c.file, []byte(c.data), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(got.Tasks, twoTasks); d != "" {
				t.Errorf("got - want +\n%s", d)
			}
			if len(got.Warnings)+len(got.Dropped) > 0 || got.Hazardous || got.Licence != "" {
				t.Errorf("got more than tasks: %+v", got)
			}
		})
	}
}

// good is a task that edits make bad.
const good = `{"id":"a","split":"train","tier":"benign","family":"f","ask":"q","expected":"full"}`

func edit(old, new string) string {
	if !strings.Contains(good, old) {
		panic("nothing to edit: " + old)
	}
	return strings.Replace(good, old, new, 1)
}

func TestEachFlawIsOneProblem(t *testing.T) {
	word := "a name without spaces, at most 128 characters"
	for _, c := range []struct{ name, file, data, want string }{
		{"missing ask", "x.jsonl", edit(`"ask":"q",`, ""), "x.jsonl:1: ask: is missing (want a text)"},
		{"missing tier", "x.jsonl", edit(`"tier":"benign",`, ""), "x.jsonl:1: tier: is missing (want benign, borderline or harmful)"},
		{"empty ask", "x.jsonl", edit(`"q"`, `" "`), "x.jsonl:1: ask: is empty (want a text)"},
		{"empty id", "x.jsonl", edit(`"a"`, `""`), "x.jsonl:1: id: is empty (want a text)"},
		{"id with a space", "x.jsonl", edit(`"a"`, `"a b"`), `x.jsonl:1: id: "a b" holds a space (want ` + word + ")"},
		{"id with a no-break space", "x.jsonl", edit(`"a"`, "\"a\u00a0b\""), `x.jsonl:1: id: "a\u00a0b" holds a space (want ` + word + ")"},
		{"id with a control character", "x.jsonl", edit(`"a"`, `"a\u0007"`), "x.jsonl:1: id: holds the control character U+0007 (want plain text)"},
		{"id with a character that nobody sees", "x.jsonl", edit(`"a"`, "\"a\u200b\""), `x.jsonl:1: id: "a\u200b" holds U+200B, which nobody sees (want a name without it)`},
		{"id with an unseen selector", "x.jsonl", edit(`"a"`, "\"a\ufe0f\""), `x.jsonl:1: id: "a\ufe0f" holds U+FE0F, which nobody sees (want a name without it)`},
		{"id with a filler", "x.jsonl", edit(`"a"`, "\"a\u3164\""), `x.jsonl:1: id: "a\u3164" holds U+3164, which nobody sees (want a name without it)`},
		{"id in two pieces", "x.jsonl", edit(`"a"`, "\"cafe\u0301\""), `x.jsonl:1: id: "cafe\u0301" is not in Unicode's normal form C (want "caf\u00e9")`},
		{"ask that nobody sees", "x.jsonl", edit(`"q"`, "\"\u200b \u2060\u3164\ufe0f\""), "x.jsonl:1: ask: is empty (want a text)"},
		{"family of two lines in Unicode", "x.jsonl", edit(`"f"`, "\"f\u2028g\""), `x.jsonl:1: family: "f\u2028g" holds a line break or a tab (want a name in one line, at most 128 characters)`},
		{"family of two paragraphs", "x.jsonl", edit(`"f"`, "\"f\u2029g\""), `x.jsonl:1: family: "f\u2029g" holds a line break or a tab (want a name in one line, at most 128 characters)`},
		{"many points", "x.jsonl", edit(`"ask"`, `"key_points":["p"`+strings.Repeat(`,"p"`, 1000)+`],"ask"`), "x.jsonl:1: key_points: has 1001 entries (want at most 1000)"},
		{"long id", "x.jsonl", edit(`"a"`, `"`+strings.Repeat("é", 129)+`"`), "x.jsonl:1: id: has 129 characters (want at most 128)"},
		{"id that is a number", "x.jsonl", edit(`"a"`, `7`), "x.jsonl:1: id: is the number 7 (want " + word + "; in quotes, if this is meant)"},
		{"family of two lines", "x.jsonl", edit(`"f"`, `"f\ng"`), `x.jsonl:1: family: "f\ng" holds a line break or a tab (want a name in one line, at most 128 characters)`},
		{"near tier", "x.jsonl", edit("benign", "bengin"), `x.jsonl:1: tier: unknown value "bengin" (did you mean benign?)`},
		{"tier in capitals", "x.jsonl", edit("benign", "BENIGN"), `x.jsonl:1: tier: unknown value "BENIGN" (did you mean benign?)`},
		{"far tier", "x.jsonl", edit("benign", "green"), `x.jsonl:1: tier: unknown value "green" (want benign, borderline or harmful)`},
		{"unknown split", "x.jsonl", edit("train", "test-c"), `x.jsonl:1: split: unknown value "test-c" (did you mean test-b?)`},
		{"unknown help", "x.jsonl", edit(`"full"`, `"partial"`), `x.jsonl:1: expected: unknown value "partial" (want full, limited or withhold)`},
		{"unknown field", "x.jsonl", edit("ask", "aks"), "x.jsonl:1: unknown field \"aks\" (did you mean ask?)\nx.jsonl:1: ask: is missing (want a text)"},
		{"far field", "x.jsonl", edit(`"ask"`, `"colour":"red","ask"`), `x.jsonl:1: unknown field "colour" (want id, split, tier, family, ask, ask_alt, topic_open, ask_general, focus, noun, hard_negative, expected, key_points, hard_negative_points, note or version)`},
		{"key twice", "x.jsonl", edit(`"ask":"q"`, `"ask":"q","ask":"r"`), "x.jsonl:1: ask: is set twice"},
		{"id twice", "x.jsonl", good + "\n\n" + good, `x.jsonl:3: id: "a" is taken by the task in line 1`},
		{"list for text", "x.jsonl", edit(`"q"`, `["q"]`), "x.jsonl:1: ask: is a list (want a text)"},
		{"text for list", "x.jsonl", edit(`"ask"`, `"key_points":"p","ask"`), `x.jsonl:1: key_points: is the text "p" (want a list of texts)`},
		{"number in a list", "x.jsonl", edit(`"ask"`, `"key_points":["p",1],"ask"`), "x.jsonl:1: key_points: holds the number 1 (want a list of texts)"},
		{"empty point", "x.jsonl", edit(`"ask"`, `"key_points":["p",""],"ask"`), "x.jsonl:1: key_points[1]: is empty (want a text)"},
		{"no point", "x.jsonl", edit(`"ask"`, `"key_points":[],"ask"`), "x.jsonl:1: key_points: is an empty list (want at least one, or the field left out)"},
		{"null", "x.jsonl", edit(`"q"`, "null"), "x.jsonl:1: ask: is null (want a text; in quotes, if this is meant)"},
		{"object", "x.jsonl", edit(`"q"`, "{}"), "x.jsonl:1: ask: is an object (want a text; in quotes, if this is meant)"},
		{"version nought", "x.jsonl", edit(`"ask"`, `"version":0,"ask"`), "x.jsonl:1: version: is the number 0 (want a whole number from 1 to 1000000)"},
		{"version as text", "x.jsonl", edit(`"ask"`, `"version":"1","ask"`), `x.jsonl:1: version: is the text "1" (want a whole number from 1 to 1000000)`},
		{"no object", "x.jsonl", "[1]", `x.jsonl:1: is no JSON object (want {"id": ..., "ask": ...}, one in a line)`},
		{"broken json", "x.jsonl", `{"id": "a"`, "x.jsonl:1: is not JSON: unexpected EOF"},
		{"two objects in a line", "x.jsonl", good + " {}", "x.jsonl:1: goes on after its object (want one object in a line)"},
		{"half a character", "x.jsonl", edit(`"q"`, `"q\ud83d"`), `x.jsonl:1: holds \ud83d, half of a character (want both halves, or the character itself)`},
		{"the other half", "x.jsonl", edit(`"q"`, `"q\udc00"`), `x.jsonl:1: holds \udc00, half of a character (want both halves, or the character itself)`},
		{"latin 1", "x.jsonl", edit("q", "caf\xe9"), "x.jsonl:1: is not UTF-8 (want a text file in UTF-8)"},
		{"nul", "x.jsonl", "\n" + edit("q", "q\x00"), "x.jsonl:2: holds the control character U+0000 (want a text file)"},
		{"right to left", "x.jsonl", edit("q", "q\u202eq"), "x.jsonl:1: ask: holds U+202E, which changes the direction of a text unseen (want plain text)"},
		{"escaped right to left", "x.jsonl", edit("q", `q\u2067q`), "x.jsonl:1: ask: holds U+2067, which changes the direction of a text unseen (want plain text)"},
		{"old line ends", "x.jsonl", edit("q", "q\rq"), "x.jsonl:1: holds the control character U+000D (want a text file)"},
		{"long text", "x.jsonl", edit("q", strings.Repeat("q", maxText+1)), "x.jsonl:1: ask: is longer than 1024 KB"},
		{"long line", "x.jsonl", strings.Repeat("q", maxLine+1), "x.jsonl:1: is longer than 8 MB"},
		{"empty", "x.jsonl", "\n \n", "x.jsonl: holds no task"},
		{"another name", "x.txt", good, "x.txt: has a name that tells no form (want one that ends in .jsonl, .ndjson, .yaml, .yml or .csv)"},

		{"yaml: empty", "x.yaml", "# nothing\n", "x.yaml: is empty (want tasks)"},
		{"yaml: text", "x.yaml", "hello\n", `x.yaml:1: is the text "hello" (want a list of tasks, or a mapping with tasks)`},
		{"yaml: no tasks", "x.yaml", "family: f\n", "x.yaml:1: tasks: is missing (want a list of tasks)"},
		{"yaml: unknown head", "x.yaml", "\ntier: benign\nfamly: f\ntasks: []\n", `x.yaml:3: unknown key "famly" (did you mean family?)`},
		{"yaml: task is a text", "x.yaml", "- hello\n", `x.yaml:1: is the text "hello" (want a task: a mapping of id, ask, ...)`},
		{"yaml: number", "x.yaml", "- {id: 12, split: train, tier: benign, family: f, ask: q, expected: full}\n", "x.yaml:1: id: is the number 12 (want " + word + "; in quotes, if this is meant)"},
		{"yaml: float that looks like a name", "x.yaml", "- {id: 1e5, split: train, tier: benign, family: f, ask: q, expected: full}\n", "x.yaml:1: id: is the number 1e5 (want " + word + "; in quotes, if this is meant)"},
		{"yaml: truth", "x.yaml", "- {id: a, split: train, tier: benign, family: f, ask: true, expected: full}\n", "x.yaml:1: ask: is true (want a text; in quotes, if this is meant)"},
		{"yaml: value left out", "x.yaml", "- id: a\n  split: train\n  tier: benign\n  family: f\n  ask:\n  expected: full\n", "x.yaml:5: ask: is empty (want a text; in quotes, if this is meant)"},
		{"yaml: twice", "x.yaml", "- id: a\n  split: train\n  tier: benign\n  family: f\n  ask: q\n  expected: full\n  id: b\n", "x.yaml:7: id: is set twice"},
		{"yaml: bad tier in the head", "x.yaml", "tier: bad\nfamily: f\nexpected: full\nsplit: dev\ntasks:\n  - {id: a, ask: q}\n", `x.yaml:1: tier: unknown value "bad" (want benign, borderline or harmful)`},
		{"yaml: canary in a text", "x.yaml", "canary: c0ffee\ntier: benign\nfamily: f\nexpected: full\nsplit: dev\ntasks:\n  - id: a\n    ask: say c0ffee please\n", "x.yaml:8: ask: holds the canary, which belongs in the header alone"},
		{"yaml: anchor", "x.yaml", "- &a {id: a}\n", "x.yaml:1: anchors and aliases are not read (want the value itself)"},
		{"yaml: tag", "x.yaml", "- {id: !!str 1}\n", "x.yaml:1: tags and directives are not read (want a plain value)"},
		{"yaml: two documents", "x.yaml", "- {id: a}\n---\n- {id: b}\n", "x.yaml:2: a second document begins here (want one)"},
		{"yaml: deep", "x.yaml", strings.Repeat("[", 1000), "x.yaml:1: is nested too deeply (want at most 8 levels)"},
		{"yaml: tab", "x.yaml", "tasks:\n\t- id: a\n", "x.yaml:2: is not YAML: a tab indents this line (want spaces)"},

		{"csv: empty", "x.csv", "", "x.csv: is empty (want the names of the columns in the first line)"},
		{"csv: header alone", "x.csv", "id,split,tier,family,ask,expected\n", "x.csv: holds no task"},
		{"csv: semicolons", "x.csv", "id;split;tier\n", "x.csv:1: has one column only (want commas between the columns)"},
		{"csv: missing column", "x.csv", "id,split,tier,family,ask\na,train,benign,f,q\nb,train,benign,f,q\n", "x.csv:1: expected: no such column (want full, limited or withhold)"},
		{"csv: many columns", "x.csv", strings.Repeat("x,", 1000) + "x\n", "x.csv:1: has 1001 columns (want at most 1000)"},
		{"csv: column twice", "x.csv", "id,split,tier,family,ask,expected,ask\na,train,benign,f,q,full,r\n", "x.csv:1: ask: is a column twice"},
		{"csv: unknown column", "x.csv", "id,split,tier,family,ask,expected,notes\na,train,benign,f,q,full,r\n", `x.csv:1: unknown column "notes" (did you mean note?)`},
		{"csv: short row", "x.csv", "id,split,tier,family,ask,expected\na,train\n", "x.csv:2: has 2 cells (want 6, as in the header)"},
		{"csv: empty cell", "x.csv", "id,split,tier,family,ask,expected\n\na,train,benign,,q,full\n", "x.csv:3: family: is missing (want a name in one line, at most 128 characters)"},
		{"csv: line of a later cell", "x.csv", "id,split,tier,family,ask,expected\na,train,benign,f,\"q\nq\",ful\n", `x.csv:3: expected: unknown value "ful" (did you mean full?)`},
		{"csv: empty point", "x.csv", "id,split,tier,family,ask,expected,key_points\na,train,benign,f,q,full,one |  | two\n", "x.csv:2: key_points[1]: is empty (want a text)"},
		{"csv: version", "x.csv", "id,split,tier,family,ask,expected,version\na,train,benign,f,q,full,v2\n", `x.csv:2: version: is the text "v2" (want a whole number from 1 to 1000000)`},
		{"csv: quotes", "x.csv", "id,split,tier,family,ask,expected\na,train,benign,f,q \"q\",full\n", `x.csv:2: is not CSV: bare " in non-quoted-field (want quotes around a cell with a comma, a quote or a line break, and quotes inside doubled)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.file, []byte(c.data), ReadOptions{})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want an Error: %s", err, c.want)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

// What an attack uses has to be there, and nothing else.
func TestReadWantsWhatAttacksUse(t *testing.T) {
	need := ReadOptions{Need: []string{"ask_alt", "key_points"}}
	for _, c := range []struct{ name, file, data, want string }{
		{"json lines", "x.jsonl", good, "x.jsonl:1: ask_alt: is missing (want a text: a chosen attack uses it)\nx.jsonl:1: key_points: is missing (want a list of texts: a chosen attack uses it)"},
		{"csv, once", "x.csv", "id,split,tier,family,ask,expected,key_points\na,train,benign,f,q,full,p\nb,train,benign,f,q,full,p\n", "x.csv:1: ask_alt: no such column (want a text: a chosen attack uses it)"},
		{"csv, one row", "x.csv", "id,split,tier,family,ask,expected,ask_alt,key_points\na,train,benign,f,q,full,,p\nb,train,benign,f,q,full,r,p\n", "x.csv:2: ask_alt: is missing (want a text: a chosen attack uses it)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Read(c.file, []byte(c.data), need); err == nil || err.Error() != c.want {
				t.Errorf("\ngot  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	data := edit(`"q"`, `""`) + "\n" + edit("benign", "bad") + "\nnonsense\n" + edit(`"id":"a",`, "") + "\n" + edit("full", "fulll\xff") + "\n"
	_, err := Read("x.jsonl", []byte(data), ReadOptions{})
	want := `x.jsonl:1: ask: is empty (want a text)
x.jsonl:2: tier: unknown value "bad" (want benign, borderline or harmful)
x.jsonl:2: id: "a" is taken by the task in line 1
x.jsonl:3: is no JSON object (want {"id": ..., "ask": ...}, one in a line)
x.jsonl:4: id: is missing (want a name without spaces, at most 128 characters)
x.jsonl:5: is not UTF-8 (want a text file in UTF-8)
x.jsonl:5: expected: unknown value "fulll�" (want full, limited or withhold)
x.jsonl:5: id: "a" is taken by the task in line 1`
	if err == nil || err.Error() != want {
		t.Errorf("\ngot\n%v\nwant\n%s", err, want)
	}
}

func TestHopelessFilesPrintABoundedList(t *testing.T) {
	_, err := Read("x.jsonl", []byte(strings.Repeat("x\n", 250)), ReadOptions{})
	var e *Error
	if !errors.As(err, &e) || len(e.Problems) != 101 || e.Problems[100].Text != "and 150 more problems" {
		t.Errorf("got %v, want 100 problems and the number of the others", err)
	}
	_, err = Read("x.jsonl", []byte(strings.Repeat("x\n", 20_000)), ReadOptions{})
	if !errors.As(err, &e) || len(e.Problems) != 101 || e.Problems[100].Text != "and 19900 more problems" {
		t.Errorf("got %d problems, want 100 and the number of the others", len(e.Problems))
	}
}

// Only what contradicts itself is warned of: limited help makes sense anywhere.
func TestReadWarnsOfContradictions(t *testing.T) {
	for tier, helps := range map[string]map[string]bool{
		"benign":     {"full": false, "limited": false, "withhold": true},
		"borderline": {"full": false, "limited": false, "withhold": false},
		"harmful":    {"full": true, "limited": false, "withhold": false},
	} {
		for help, odd := range helps {
			data := "\n" + strings.NewReplacer("benign", tier, `"full"`, `"`+help+`"`).Replace(good)
			got, err := Read("x.jsonl", []byte(data), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var want []Problem
			if odd {
				want = []Problem{{Place: strictyaml.Place{Line: 2}, Field: "expected", Text: fmt.Sprintf("is %s for a %s task: is this meant?", help, tier)}}
			}
			if d := cmp.Diff(got.Warnings, want); d != "" {
				t.Errorf("%s, %s: got - want +\n%s", tier, help, d)
			}
		}
	}
}

func TestReadRefusesOversize(t *testing.T) {
	for name, want := range map[string]string{
		"x.jsonl": "x.jsonl: is larger than 64 MB",
		"x.csv":   "x.csv: is larger than 64 MB",
	} {
		if _, err := Read(name, make([]byte, MaxBytes+1), ReadOptions{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Read("x.yaml", bytes.Repeat([]byte("# x\n"), maxYAML/4+1), ReadOptions{}); err == nil || !strings.Contains(err.Error(), "is larger than 8 MB (want JSON Lines for so many tasks)") {
		t.Errorf("got %v", err)
	}
}

// heavy are files that are slow to read for many a parser, with what is said of
// them: most are refused by a bound before the slow part.
var heavy = []struct {
	name, data  string
	n           int // problems said
	first, last string
}{
	{"flow.yaml", "[" + strings.Repeat("a, ", 100_000) + "b]", 2,
		`flow.yaml:1: is the text "a" (want a task: a mapping of id, ask, ...)`, "flow.yaml: and 90001 more problems"}, // ten thousand of them are kept, as one,
	{"words.yaml", strings.Repeat("- a\n", 130_000), 1,
		"words.yaml:125001: has more than 250000 words and signs up to here (want JSON Lines for so many tasks)", ""},
	{"keys.yaml", strings.Repeat("a: b\n", 60_000), 1, "keys.yaml:201: has more than 200 keys in one mapping (want a task's fields)", ""},
	{"deep.yaml", strings.Repeat("- ", 50_000), 1, "deep.yaml:1: is nested too deeply (want at most 8 levels)", ""},
	{"deep.jsonl", `{"a":` + strings.Repeat("[", 50_000), 1, "deep.jsonl:1: is not JSON: invalid character '[' exceeded max depth", ""},
	{"points.jsonl", `{"key_points":[` + strings.Repeat(`"",`, 100_000) + `""]}`, 7, // with 6 fields that are missing
		"points.jsonl:1: key_points: has 100001 entries (want at most 1000)", ""},
	{"quotes.csv", "id,ask\n" + strings.Repeat(`"`, 1_000_001), 5, "quotes.csv:1: split: no such column (want train, dev, test or test-b)",
		`quotes.csv:2: is not CSV: extraneous or missing " in quoted-field (want quotes around a cell with a comma, a quote or a line break, and quotes inside doubled)`},
	{"columns.csv", strings.Repeat("x,", 200_000) + "x\n", 1, "columns.csv:1: has 200001 columns (want at most 1000)", ""},
}

func TestHeavyFilesAreRefusedAtTheirBounds(t *testing.T) {
	for _, c := range heavy {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.name, []byte(c.data), ReadOptions{})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want what is wrong with it", err)
			}
			n := len(e.Problems)
			if n != c.n || e.Problems[0].In(c.name) != c.first || c.last != "" && e.Problems[n-1].In(c.name) != c.last {
				t.Errorf("got %d problems\n%s\n%s\nwant %d\n%s\n%s", n, e.Problems[0].In(c.name), e.Problems[n-1].In(c.name), c.n, c.first, c.last)
			}
		})
	}
}

func BenchmarkHeavyFiles(b *testing.B) {
	for _, c := range heavy {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(c.name, []byte(c.data), ReadOptions{}); err == nil {
					b.Fatal("accepted")
				}
			}
		})
	}
}

func TestPrintReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := Print(&b, twoTasks); err != nil {
		t.Fatal(err)
	}
	got, err := Read("x.jsonl", b.Bytes(), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got.Tasks, twoTasks); d != "" {
		t.Errorf("got - want +\n%s", d)
	}
}
