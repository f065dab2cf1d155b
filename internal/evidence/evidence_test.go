package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var t0 = time.Date(2026, 12, 1, 3, 4, 5, 0, time.UTC)

// The stored log was written by another program, with a JSON printer and a
// SHA-256 of its own.
func TestLogIsThatOfAnotherProgram(t *testing.T) {
	want, err := os.ReadFile("testdata/log.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), File)
	l := mustOpen(t, path)
	mustAppend(t, l, KindLock, map[string]any{"study": "s", "lock": strings.Repeat("ab", 32)}, t0)
	mustAppend(t, l, KindAmend, map[string]any{"reason": "the prompt said <\"too\" much> & more: é中😀\u2028\n", "n": 12, "x": .1,
		"half": .5, "list": []string{"b", "a"}, "A": nil, "deep": map[string]bool{"z": true, "a": false}}, t0.Add(123).In(time.FixedZone("", 3600)))
	mustAppend(t, l, "x-other_1", struct{}{}, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	entries, err := Verify("testdata/log.jsonl")
	if err != nil || len(entries) != 3 || entries[1].Kind != KindAmend || entries[2].Prev != entries[1].Hash {
		t.Errorf("got %v, %v", entries, err)
	}
}

func TestEmptyLogs(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	if _, err := Verify(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: got %v, want %v", err, fs.ErrNotExist)
	}
	if l := mustOpen(t, path); len(l.Entries()) != 0 {
		t.Errorf("missing: got %v", l.Entries())
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("opening made a file")
	}
	os.WriteFile(path, nil, 0o666)
	if got, err := Verify(path); err != nil || len(got) != 0 {
		t.Errorf("empty: got %v, %v", got, err)
	}
	mustAppend(t, mustOpen(t, path), KindLock, struct{}{}, t0)
}

func TestUnusableEntries(t *testing.T) {
	l := mustOpen(t, filepath.Join(t.TempDir(), File))
	for name, c := range map[string]struct {
		kind Kind
		data any
		at   time.Time
		want string
	}{
		"no kind":   {"", struct{}{}, t0, "kind"},
		"odd kind":  {"Lock it", struct{}{}, t0, "kind"},
		"no time":   {KindLock, struct{}{}, time.Time{}, "time"},
		"no object": {KindLock, []int{1}, t0, "data"},
		"nothing":   {KindLock, nil, t0, "data"},
		"no JSON":   {KindLock, func() {}, t0, "unsupported"},
		"no number": {KindLock, map[string]json.Number{"a": "1e999"}, t0, ""},
		"twice":     {KindLock, json.RawMessage(`{"a":1,"a":2}`), t0, ""},
		"too long":  {KindLock, map[string]string{"a": strings.Repeat("x", MaxLine)}, t0, "bytes"},
	} {
		if _, err := l.Append(c.kind, c.data, c.at); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
	if _, err := os.Lstat(l.path); err == nil {
		t.Error("an entry that could not be written left a file")
	}
}

// Every kind of damage is named by its line, and no entry is put behind it.
func TestDamageIsNamed(t *testing.T) {
	whole := threeLines(t)
	lines := strings.SplitAfter(whole, "\n")
	a, b, c := lines[0], lines[1], lines[2]
	other := func(old, new string) string { return strings.Replace(b, old, new, 1) }
	for name, bad := range map[string]struct {
		text string
		line int
		want string
	}{
		"a letter of the data":   {a + other(`two`, `twO`) + c, 2, "hash:"},
		"the time":               {a + other(`03:05`, `03:06`) + c, 2, "hash:"},
		"the kind":               {a + other(`"kind":"amend"`, `"kind":"Amend"`) + c, 2, "kind:"},
		"another kind":           {a + other(`"kind":"amend"`, `"kind":"unseal"`) + c, 2, "hash:"},
		"the hash":               {a + other(`"hash":"`, `"hash":"0`) + c, 2, "hash:"},
		"a later line missing":   {a + c, 2, "seq: 3 (want 2)"},
		"the first line missing": {b + c, 1, "seq: 2 (want 1)"},
		"two lines exchanged":    {a + c + b, 2, "seq: 3 (want 2)"},
		"a line twice":           {a + b + b + c, 3, "seq: 2 (want 3)"},
		"another log's line":     {a + forged(t, 2, Genesis) + c, 2, "prev:"},
		"a forged first line":    {forged(t, 1, Genesis) + b + c, 2, "prev:"},
		"a space":                {a + " " + b + c, 2, "canonical form"},
		"a carriage return":      {a + strings.TrimSuffix(b, "\n") + "\r\n" + c, 2, "canonical form"},
		"another spelling":       {a + other(`"two"`, `"\u0074wo"`) + c, 2, "canonical form"},
		"another field's case":   {a + other(`"seq"`, `"Seq"`) + c, 2, "canonical form"},
		"another form of time":   {a + other(`05Z`, `05.0Z`) + c, 2, "canonical form"},
		"a field more":           {a + other(`{`, `{"a":1,`) + c, 2, "is no entry"},
		"a field less":           {a + other(`"data":{"n":"two"},`, ``) + c, 2, "data:"},
		"an empty line":          {a + "\n" + b + c, 2, "is no entry"},
		"no JSON":                {a + "words\n" + c, 2, "is no entry"},
		"zeros":                  {a + strings.Repeat("\x00", 40) + "\n" + b + c, 2, "is no entry"},
		"not UTF-8":              {a + other(`two`, "tw\xff") + c, 2, "UTF-8"},
		"a mark before it":       {"\ufeff" + whole, 1, "is no entry"},
		"a line without end":     {a + strings.Repeat("x", MaxLine+1), 2, "is longer than"},
	} {
		path := filepath.Join(t.TempDir(), File)
		os.WriteFile(path, []byte(bad.text), 0o666)
		_, err := Verify(path)
		wantDamage(t, name, err, path, bad.line, bad.want)
		if _, err := Open(path); err == nil {
			t.Errorf("%s: opened", name)
		}
		l := &Log{path: path, patience: patient}
		_, err = l.Append(KindLock, struct{}{}, t0)
		wantDamage(t, name+", appended to", err, path, bad.line, bad.want)
		if got, _ := os.ReadFile(path); string(got) != bad.text {
			t.Errorf("%s: the log was changed", name)
		}
	}
}

// What was read once must still be there.
func TestLostLinesAreNoticed(t *testing.T) {
	whole := threeLines(t)
	first, _, _ := strings.Cut(whole, "\n")
	for name, put := range map[string]func(path string){
		"shortened": func(p string) { os.Truncate(p, int64(len(first)+1)) },
		"emptied":   func(p string) { os.Truncate(p, 0) },
		"removed":   func(p string) { os.Remove(p) },
		"replaced": func(p string) {
			os.Remove(p)
			os.WriteFile(p, []byte(forged(t, 1, Genesis)), 0o666)
		},
	} {
		path := filepath.Join(t.TempDir(), File)
		os.WriteFile(path, []byte(whole), 0o666)
		l := mustOpen(t, path)
		put(path)
		_, err := l.Append(KindLock, struct{}{}, t0)
		wantDamage(t, name, err, path, 3, "is no longer the line")
	}
}

// A line may end anywhere; it was never acknowledged, and gives way.
func TestTornLineGivesWay(t *testing.T) {
	whole := threeLines(t)
	start := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	for cut := len(whole) - 1; cut > start; cut -= 9 {
		for _, data := range []string{"x", strings.Repeat("x", 400)} { // shorter and longer than what was torn
			path := filepath.Join(t.TempDir(), File)
			os.WriteFile(path, []byte(whole[:cut]), 0o666)
			entries, err := Verify(path)
			if d, ok := errors.AsType[*Damage](err); !ok || !d.Torn || d.Line != 3 || len(entries) != 2 {
				t.Fatalf("cut at %d: got %d entries, %v", cut, len(entries), err)
			}
			mustAppend(t, mustOpen(t, path), KindLock, map[string]string{"n": data}, t0)
			entries, err = Verify(path)
			want := []string{"lock", "amend", "repair", "lock"}
			if cut == len(whole)-1 { // all but the line's end
				want = []string{"lock", "amend", "x", "repair", "lock"}
			}
			if got := kinds(entries); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("cut at %d: got %v, %v, want %v", cut, got, err, want)
			}
			repair := string(entries[len(entries)-2].Data)
			if !strings.Contains(repair, fmt.Sprintf(`"bytes":%d,"kept":%v`, cut-start, len(want) == 5)) {
				t.Fatalf("cut at %d: repair %s", cut, repair)
			}
		}
	}
}

func TestTornZeros(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	os.WriteFile(path, []byte(threeLines(t)+strings.Repeat("\x00", 5000)), 0o666)
	mustAppend(t, mustOpen(t, path), KindLock, struct{}{}, t0)
	if got, err := Verify(path); err != nil || len(got) != 5 {
		t.Errorf("got %v, %v", kinds(got), err)
	}
}

func TestOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "real"), []byte(threeLines(t)), 0o666)
	os.Mkdir(filepath.Join(dir, "dir"), 0o777)
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	os.Symlink("nothing", filepath.Join(dir, "dangling"))
	for _, name := range []string{"dir", "link", "dangling"} {
		path := filepath.Join(dir, name)
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "is no regular file") {
			t.Errorf("open %s: got %v", name, err)
		}
		l := &Log{path: path}
		if _, err := l.Append(KindLock, struct{}{}, t0); err == nil || !strings.Contains(err.Error(), "is no regular file") {
			t.Errorf("append to %s: got %v", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
		t.Error("a dangling link was followed")
	}
}

func TestAppendWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	l := mustOpen(t, path)
	no := errors.New("no")
	if _, err := l.AppendWith(KindLock, t0, func([]Entry) (any, error) { return nil, no }, nil); !errors.Is(err, no) {
		t.Errorf("got %v, want %v", err, no)
	}
	var seen []string
	see := func(before []Entry) (any, error) { seen = append(seen, Head(before)); return struct{}{}, nil }
	first, err := l.AppendWith(KindLock, t0, see, func(Entry) error { return no })
	if !errors.Is(err, no) || first.Seq != 1 {
		t.Errorf("got %v, %v", first, err)
	}
	if _, err := l.AppendWith(KindLock, t0, see, nil); err != nil {
		t.Fatal(err)
	}
	if seen[0] != strings.Repeat("0", 64) || seen[1] != first.Hash {
		t.Errorf("got %v", seen)
	}
	if got, err := Verify(path); err != nil || len(got) != 2 {
		t.Errorf("got %v, %v", got, err)
	}
}

func wantDamage(t *testing.T, name string, err error, path string, line int, what string) {
	t.Helper()
	d, ok := errors.AsType[*Damage](err)
	if !ok || d.Line != line || d.Torn || !strings.Contains(d.What, what) || !strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d: ", path, line)) {
		t.Errorf("%s: got %v, want line %d: %s", name, err, line, what)
	}
}

func mustOpen(t *testing.T, path string) *Log {
	t.Helper()
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func mustAppend(t *testing.T, l *Log, kind Kind, data any, at time.Time) Entry {
	t.Helper()
	e, err := l.Append(kind, data, at)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func threeLines(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), File)
	l := mustOpen(t, path)
	mustAppend(t, l, KindLock, map[string]string{"n": "one"}, t0)
	mustAppend(t, l, KindAmend, map[string]string{"n": "two"}, t0.Add(time.Minute))
	mustAppend(t, l, "x", map[string]string{"n": "three"}, t0.Add(2*time.Minute))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// forged is a line that is right by itself.
func forged(t *testing.T, seq int64, prev string) string {
	t.Helper()
	_, line, err := Entry{Seq: seq, Time: t0, Kind: KindLock, Data: json.RawMessage(`{"forged":true}`), Prev: prev}.sealed()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func kinds(entries []Entry) []Kind {
	var out []Kind
	for _, e := range entries {
		out = append(out, e.Kind)
	}
	return out
}
