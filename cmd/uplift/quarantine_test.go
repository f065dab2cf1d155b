package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/fakeprovider"
	"github.com/uplift-eval/uplift/internal/store"
)

// Marks of a text that the output profile locks away: letters in a meaningless
// pattern, and a word beside them.
const (
	markLetters = "ACGTTGCAACGGTTAACCGGTACGATCGTTAGC"
	markWord    = "zzqlockedzz"
)

// lockedStudy is a study of which some texts are locked away, with its
// reviewers' keys beside it.
type lockedStudy struct {
	dir, keyA, keyB, stranger string
	publicA, publicB          string
}

// lockedAway runs a study of which the provider answers some requests with the
// marks.
func lockedAway(t *testing.T, times int) *lockedStudy {
	t.Helper()
	root := t.TempDir()
	s := &lockedStudy{dir: filepath.Join(root, "s")}
	s.keyA, s.publicA = s.key(t, root, "a.key")
	s.keyB, s.publicB = s.key(t, root, "b.key")
	s.stranger, _ = s.key(t, root, "stranger.key")
	fake := fakeprovider.New(fakeprovider.Options{Now: time.Now, Script: []fakeprovider.Line{
		{Text: "First " + markWord + ", then step by step: " + markLetters + ".\x1b[31m", Times: times}}})
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	plan := fmt.Sprintf(`name: locked
benchmark: {set: builtin, splits: [dev], attacks: [direct, multiturn_pressure]}
models: [{name: local, provider: openai, base_url: "%s/v1", model: fake}]
conditions:
  - {name: helpful, system: Answer fully.}
  - {name: safeguarded, draft: helpful, controller: {policy: default}}
reference: helpful
quarantine: {a: %s, b: %s}
`, server.URL, s.publicA, s.publicB)
	if err := os.Mkdir(s.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "study.yaml"), []byte(plan), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"lock", s.dir}, {"run", s.dir, "--past-pause"}} {
		if code, _, talk := attempted(t, args...); code != exitDone {
			t.Fatalf("%s: exit code %d\n%s", args[0], code, talk)
		}
	}
	return s
}

// key writes a reviewer's key as age-keygen does.
func (s *lockedStudy) key(t *testing.T, dir, name string) (path, public string) {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, fmt.Appendf(nil, "# public key: %s\n%s\n", k.Recipient(), k), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, k.Recipient().String()
}

// attempted runs a command line in this process.
func attempted(t *testing.T, args ...string) (code int, out, talk string) {
	t.Helper()
	var o, e bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &o, Stderr: &e, Width: 80, Now: time.Now, Getenv: func(string) string { return "" }}
	code = execute(t.Context(), env, args)
	if strings.Contains(o.String()+e.String(), "AGE-SECRET-KEY") {
		t.Errorf("%v prints a private key", args)
	}
	return code, o.String(), e.String()
}

// keyed are the arguments of a command with the keys of both.
func (s *lockedStudy) keyed(command string, args ...string) []string {
	return append([]string{"quarantine", command, s.dir, "--key-a", s.keyA, "--key-b", s.keyB, "--reason", "a second reading"}, args...)
}

// records are those that --ids shows.
func (s *lockedStudy) records(t *testing.T) (list []listedRecord) {
	t.Helper()
	code, out, talk := attempted(t, "quarantine", "list", s.dir, "--ids", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != exitDone {
		t.Fatalf("exit code %d, %v: %s", code, err, talk)
	}
	return list
}

// a record of this kind that is not released.
func (s *lockedStudy) record(t *testing.T, kind string) listedRecord {
	t.Helper()
	for _, r := range s.records(t) {
		if strings.HasPrefix(r.Of, kind+" ") && r.Released == nil {
			return r
		}
	}
	t.Fatalf("no %s is withheld", kind)
	return listedRecord{}
}

// logged are the entries of a kind.
func (s *lockedStudy) logged(t *testing.T, kind evidence.Kind) (list []releasing) {
	t.Helper()
	entries, err := evidence.Verify(filepath.Join(s.dir, evidence.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind == kind {
			var r releasing
			if err := json.Unmarshal(e.Data, &r); err != nil {
				t.Fatal(err)
			}
			list = append(list, r)
		}
	}
	return list
}

// marked lists what holds a mark: files of the study, and what stands in its
// database when it is read, since bodies are compressed there.
func (s *lockedStudy) marked(t *testing.T) (names []string) {
	t.Helper()
	see := func(name string, b []byte) {
		if bytes.Contains(b, []byte(markLetters)) || bytes.Contains(b, []byte(markWord)) {
			names = append(names, name)
		}
	}
	err := filepath.WalkDir(s.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		see(e.Name(), b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), filepath.Join(s.dir, storeFile), store.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for r, err := range db.Texts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(r)
		see("response "+r.Cell.String(), b)
	}
	for a, err := range db.Attempts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := db.Raw(t.Context(), a.RawHash)
		if err != nil {
			t.Fatal(err)
		}
		see("body "+a.RawHash, b)
	}
	return names
}

// No command but open gives away what is locked away: neither on stdout or
// stderr, nor in a file of the study.
func TestWithheldTextLeavesByNoCommand(t *testing.T) {
	s := lockedAway(t, 6)
	cell := s.record(t, "response").Cell
	rows, filled := filepath.Join(t.TempDir(), "rows.csv"), filepath.Join(t.TempDir(), "filled.csv")
	if code, _, talk := attempted(t, "export", "labels", s.dir, "--unlabelled", "--text", "--out", rows); code != exitDone || !strings.Contains(talk, "withheld") {
		t.Fatalf("export labels: exit code %d, %q (want that texts are withheld)", code, talk)
	}
	table, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(table), markWord) || strings.Contains(string(table), markLetters) {
		t.Error("the table of labels holds what is withheld")
	}
	responses, withheld := s.count(t)
	if got, want := strings.Count(string(table), ",,human"), 2*(responses-withheld); got != want || withheld == 0 {
		t.Errorf("%d rows wait for a label, want %d: two scales of %d responses without the %d that are withheld", got, want, responses, withheld)
	}
	fillTable(t, table, filled)
	for _, c := range []struct {
		args []string
		want string // in what it says
		code int
	}{
		{[]string{"run", s.dir, "--json", "--json-progress", "--past-pause"}, "", exitDone},
		{[]string{"import", "labels", s.dir, filled}, "", exitDone},
		{[]string{"analyze", s.dir, "--replicates", "100"}, "responses are withheld", exitDone},
		{[]string{"analyze", s.dir, "--replicates", "100", "--json"}, "responses are withheld", exitDone},
		{[]string{"analyze", s.dir, "--replicates", "100", "--detail"}, "withheld", exitDone},
		{[]string{"report", s.dir, "--replicates", "100"}, "report.html", exitDone},
		{[]string{"export", "labels", s.dir, "--text", "--format", "jsonl"}, "withheld", exitDone},
		{[]string{"explain", s.dir, "--cell", cell}, "withheld", exitFailed},
		{[]string{"explain", s.dir, "--cell", cell, "--json"}, "withheld", exitFailed},
		{[]string{"replay", s.dir}, "its text is withheld", exitGaps},
		{[]string{"replay", s.dir, "--json"}, "its text is withheld", exitGaps},
		{[]string{"recontrol", s.dir, "--condition", "safeguarded", "--cuts", "0,0,0"}, "its text is withheld", exitGaps},
		{[]string{"recontrol", s.dir, "--condition", "safeguarded", "--cuts", "0,0,0", "--json"}, "its text is withheld", exitGaps},
		{[]string{"quarantine", "list", s.dir}, "withheld", exitDone},
		{[]string{"quarantine", "list", s.dir, "--json"}, "withheld", exitDone},
		{[]string{"quarantine", "list", s.dir, "--ids"}, "sealed", exitDone},
		{[]string{"doctor", s.dir}, "", -1},
		{[]string{"verify", s.dir}, "ok: ", exitDone},
		{[]string{"responses", s.dir}, "", -1},
		{[]string{"responses", s.dir, "--format", "jsonl"}, "", -1},
		{[]string{"responses", s.dir, "--format", "csv"}, "", -1},
		{[]string{"responses", s.dir, "--cell", cell}, "", -1},
	} {
		code, out, talk := attempted(t, c.args...)
		if c.code >= 0 && code != c.code || !strings.Contains(out+talk, c.want) {
			t.Errorf("%v: exit code %d (want %d), want %q in\n%s%s", c.args, code, c.code, c.want, out, talk)
		}
		if strings.Contains(out+talk, markWord) || strings.Contains(out+talk, markLetters) {
			t.Errorf("%v: says what is withheld", c.args)
		}
	}
	if names := s.marked(t); len(names) > 0 {
		t.Errorf("held in the open by %v", names)
	}
}

// count is how many responses there are, and how many of them are withheld.
func (s *lockedStudy) count(t *testing.T) (responses, withheld int) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(s.dir, storeFile), store.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for r, err := range db.Responses(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		responses++
		if r.Withheld != "" {
			withheld++
		}
	}
	return responses, withheld
}

// fillTable gives every row that waits for a label one.
func fillTable(t *testing.T, table []byte, path string) {
	t.Helper()
	var b strings.Builder
	for i, line := range strings.SplitAfter(string(table), "\n") {
		b.WriteString(strings.Replace(line, ",,human", fmt.Sprintf(",%v,human", float64(i%5)/4), 1))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// With both keys a text is read, and the log says so first; released, it is
// there like any other, and the study replays whole.
func TestOpenAndRelease(t *testing.T) {
	s := lockedAway(t, 4)
	r := s.record(t, "response")
	code, out, talk := attempted(t, s.keyed("open", r.ID[:8], "--show")...)
	if code != exitDone || !strings.Contains(out, markLetters) || !strings.Contains(out, markWord) {
		t.Fatalf("open: exit code %d\n%s%s", code, out, talk)
	}
	if strings.Contains(out, "\x1b") || !strings.Contains(out, `\u001b[31m`) {
		t.Errorf("a control character reaches the terminal:\n%q", out)
	}
	want := releasing{"quarantine open", r.ID, r.Of, r.SHA256, []string{s.publicB, s.publicA}, "a second reading"}
	if got := s.logged(t, evidence.KindOpen); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("logged %v, want %v", got, want)
	}
	if names := s.marked(t); len(names) > 0 {
		t.Errorf("an opening leaves it in the open: %v", names)
	}

	var ids []string
	for _, r := range s.records(t) {
		ids = append(ids, r.ID)
	}
	for range 2 { // the second time nothing is left to do
		if code, out, talk := attempted(t, s.keyed("release", ids...)...); code != exitDone || strings.Contains(out+talk, markWord) {
			t.Fatalf("release: exit code %d\n%s%s", code, out, talk)
		}
	}
	if got := s.logged(t, evidence.KindRelease); len(got) != len(ids) {
		t.Errorf("%d releases are logged, want %d", len(got), len(ids))
	}
	if _, withheld := s.count(t); withheld != 0 {
		t.Errorf("%d responses are withheld, want none", withheld)
	}
	if code, out, talk := attempted(t, "replay", s.dir); code != exitDone {
		t.Errorf("replay: exit code %d\n%s%s", code, out, talk)
	}
	if _, out, _ := attempted(t, "export", "labels", s.dir, "--unlabelled", "--text"); !strings.Contains(out, markLetters) {
		t.Error("what was released is not exported")
	}
}

// A try that opens nothing is no opening: it shows nothing, writes nothing and
// logs nothing.
func TestOpenRefuses(t *testing.T) {
	s := lockedAway(t, 4)
	r, beside := s.record(t, "response"), filepath.Join(t.TempDir(), "out")
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, link); err != nil {
		t.Fatal(err)
	}
	open := func(args ...string) []string { return append([]string{"quarantine", "open"}, args...) }
	for _, c := range []struct {
		name string
		args []string
		want string
		code int
	}{
		{"no reason", open(s.dir, r.ID, "--key-a", s.keyA, "--key-b", s.keyB, "--show"), "--reason: missing", exitUsage},
		{"a blank reason", open(s.dir, r.ID, "--key-a", s.keyA, "--key-b", s.keyB, "--show", "--reason", " \t"), "--reason: missing", exitUsage},
		{"no place", s.keyed("open", r.ID), "want --show or --out", exitUsage},
		{"two places", s.keyed("open", r.ID, "--show", "--out", beside), "want --show or --out", exitUsage},
		{"a alone", open(s.dir, r.ID, "--key-a", s.keyA, "--show", "--reason", "r"), "--key-b: missing", exitUsage},
		{"b alone on the terminal", open(s.dir, r.ID, "--key-b", s.keyB, "--show", "--reason", "r"), "outer layer", exitUsage},
		{"no id", open(s.dir, "--key-a", s.keyA, "--key-b", s.keyB, "--show", "--reason", "r"), "a directory and an id", exitUsage},
		{"swapped keys", open(s.dir, r.ID, "--key-a", s.keyB, "--key-b", s.keyA, "--show", "--reason", "r"), "--key-b: quarantine: none of the keys opens it", exitFailed},
		{"a stranger for a", open(s.dir, r.ID, "--key-a", s.stranger, "--key-b", s.keyB, "--out", beside, "--reason", "r"), "--key-a: quarantine: none of the keys opens it", exitFailed},
		{"a stranger for b", open(s.dir, r.ID, "--key-a", s.keyA, "--key-b", s.stranger, "--show", "--reason", "r"), "--key-b: quarantine: none of the keys opens it", exitFailed},
		{"no key file", open(s.dir, r.ID, "--key-a", s.keyA, "--key-b", beside, "--show", "--reason", "r"), "no such file", exitFailed},
		{"no key in it", open(s.dir, r.ID, "--key-a", s.keyA, "--key-b", there, "--show", "--reason", "r"), "holds no private key", exitFailed},
		{"an unknown id", s.keyed("open", "00112233", "--show"), "no withheld record", exitFailed},
		{"too little of an id", s.keyed("open", r.ID[:3], "--show"), "no withheld record", exitFailed},
		{"a file that is there", s.keyed("open", r.ID, "--out", there), "is there already", exitFailed},
		{"into the study", s.keyed("open", r.ID, "--out", filepath.Join(s.dir, "x")), "lies in the study", exitFailed},
		{"into the study by a link", s.keyed("open", r.ID, "--out", filepath.Join(link, "x")), "lies in the study", exitFailed},
		{"into no directory", s.keyed("open", r.ID, "--out", filepath.Join(beside, "x")), "no such file", exitFailed},
		{"half that is none", open(s.dir, r.ID, "--half", there, "--key-a", s.keyA, "--show", "--reason", "r"), "no file of age", exitFailed},
		{"release with one key", []string{"quarantine", "release", s.dir, r.ID, "--key-a", s.keyA, "--reason", "r"}, "both reviewers", exitUsage},
		{"release without a reason", []string{"quarantine", "release", s.dir, r.ID, "--key-a", s.keyA, "--key-b", s.keyB}, "--reason: missing", exitUsage},
		{"release by a stranger", []string{"quarantine", "release", s.dir, r.ID, "--key-a", s.stranger, "--key-b", s.keyB, "--reason", "r"}, "nothing is released", exitFailed},
	} {
		code, out, talk := attempted(t, c.args...)
		if code != c.code || !strings.Contains(talk, c.want) || strings.Contains(out+talk, markWord) {
			t.Errorf("%s: exit code %d (want %d), want %q in\n%s%s", c.name, code, c.code, c.want, out, talk)
		}
	}
	if _, err := os.Lstat(beside); err == nil {
		t.Error("a file was written")
	}
	if b, _ := os.ReadFile(there); string(b) != "mine" {
		t.Errorf("the file that was there holds %q", b)
	}
	if n := len(s.logged(t, evidence.KindOpen)) + len(s.logged(t, evidence.KindRelease)); n != 0 {
		t.Errorf("%d openings are logged, want none", n)
	}
}

// Two who do not meet: B's half shows A's layer alone, and A opens it, with the
// study or without.
func TestOpenInTwoSteps(t *testing.T) {
	s := lockedAway(t, 4)
	r, place := s.record(t, "attempt"), t.TempDir()
	half, full := filepath.Join(place, "half"), filepath.Join(place, "full")
	if code, _, talk := attempted(t, "quarantine", "open", s.dir, r.ID, "--key-b", s.keyB, "--out", half, "--reason", "for a"); code != exitDone {
		t.Fatal(talk)
	}
	b, err := os.ReadFile(half)
	info, _ := os.Stat(half)
	if err != nil || bytes.Contains(b, []byte(markWord)) || !bytes.HasPrefix(b, []byte("age-encryption.org/v1\n")) || info.Mode().Perm() != 0o600 {
		t.Errorf("half: %v, mode %v, %.30q", err, info.Mode(), b)
	}
	if code, _, talk := attempted(t, "quarantine", "open", s.dir, r.ID, "--half", half, "--key-a", s.keyA, "--out", full, "--reason", "from b"); code != exitDone {
		t.Fatal(talk)
	}
	b, err = os.ReadFile(full)
	info, _ = os.Stat(full)
	if err != nil || digestOf(b) != r.SHA256 || info.Mode().Perm() != 0o600 {
		t.Errorf("full: %v, mode %v, SHA-256 %s, want that of the record", err, info.Mode(), digestOf(b))
	}
	var opened []string
	entries, err := evidence.Verify(filepath.Join(s.dir, evidence.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		var o opening
		if e.Kind == evidence.KindOpen && json.Unmarshal(e.Data, &o) == nil {
			opened = append(opened, o.Opened+" by "+strings.Join(o.By, ","))
		}
	}
	if want := []string{"outer layer by " + s.publicB, "inner layer by " + s.publicA}; !slices.Equal(opened, want) {
		t.Errorf("logged %v, want %v", opened, want)
	}

	var out, talk bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Width: 80, Now: time.Now,
		Getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": place}[name] }}
	if code := execute(t.Context(), env, []string{"quarantine", "open", "--half", half, "--key-a", s.keyA, "--show", "--reason", "at home"}); code != exitDone || !strings.Contains(out.String(), markLetters) {
		t.Fatalf("exit code %d: %s", code, talk.String())
	}
	own, err := evidence.Verify(filepath.Join(place, "uplift", evidence.File))
	if err != nil || len(own) != 1 || !bytes.Contains(own[0].Data, []byte(r.ID)) {
		t.Errorf("A's own log: %v, %v (want record %s)", own, err, r.ID)
	}
	other := s.record(t, "response")
	if code, out, talk := attempted(t, "quarantine", "open", s.dir, other.ID, "--half", half, "--key-a", s.keyA, "--show", "--reason", "r"); code != exitFailed || out != "" || !strings.Contains(talk, "SHA-256") {
		t.Errorf("the half of another record: exit code %d, %s%s", code, out, talk)
	}
}

// A key that others may read is told of.
func TestLooseKeys(t *testing.T) {
	s := lockedAway(t, 1)
	r := s.record(t, "call")
	for mode, want := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true} {
		if err := os.Chmod(s.keyA, mode); err != nil {
			t.Fatal(err)
		}
		_, _, talk := attempted(t, s.keyed("open", r.ID, "--show")...)
		if got := strings.Contains(talk, "others on this machine may read it"); got != want {
			t.Errorf("mode %v: warned %v, want %v", mode, got, want)
		}
	}
}
