package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

const lockable = `name: s
benchmark: {set: builtin, splits: [test], attacks: [direct, paraphrase]}
models: [{name: m2, provider: sim}, {name: m1, provider: sim}]
conditions: [{name: b, system: Answer fully.}, {name: a, system: Be careful.}]
reference: b
replicates: 2
`

func lockableStudy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, study.File), []byte(lockable), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// program is a process that runs uplift; see TestMain.
func program(args ...string) *exec.Cmd {
	return &exec.Cmd{Path: os.Args[0], Args: append([]string{"uplift"}, args...)}
}

// killedMain locks or amends a study, or releases withheld texts of it, and is
// killed at a moment: its arguments are the command, the moment and the study,
// and of a release the two files of keys and the ids.
func killedMain() {
	s, err := loadStudy(os.Args[3])
	if err != nil {
		panic(err)
	}
	s.step = func(step string) {
		if step == os.Args[2] {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {}
		}
	}
	env := &Env{Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now}
	switch os.Args[1] {
	case "amend":
		_, err = amend(context.Background(), env, s, "killed")
	case "release":
		err = s.release(context.Background(), env, &openFlags{keyA: os.Args[4], keyB: os.Args[5], reason: "killed"}, os.Args[6:])
	default:
		err = lockStudy(context.Background(), env, s)
	}
	panic(fmt.Sprintf("not killed: %v", err))
}

// killAt runs killedMain.
func killAt(t *testing.T, command, step, dir string) {
	t.Helper()
	cmd := &exec.Cmd{Path: os.Args[0], Args: []string{"uplift-killed", command, step, dir}}
	if out, err := cmd.CombinedOutput(); err == nil || bytes.Contains(out, []byte("panic")) {
		t.Fatalf("%s, %s: %v\n%s", command, step, err, out)
	}
}

// Whatever moment a lock is killed at, the next command finds a study that is
// locked, or one that can be; and so with an amendment.
func TestKilledLock(t *testing.T) {
	for _, c := range []struct {
		step string
		done bool
	}{{draftWritten, false}, {entryKept, true}, {lockPlaced, true}} {
		for _, command := range []string{"lock", "amend"} {
			dir := lockableStudy(t)
			again := []string{"lock", dir}
			if command == "amend" {
				uplifted(t, "lock", dir)
				edit(t, filepath.Join(dir, study.File), "replicates: 2", "replicates: 3")
				again = []string{"amend", dir, "--reason", "again"}
			}
			killAt(t, command, c.step, dir)
			if _, err := os.Lstat(filepath.Join(dir, lockDraft)); (err == nil) != (c.step != lockPlaced) {
				t.Errorf("%s, %s: the draft: %v", command, c.step, err)
			}
			env, out := lockEnv()
			if code := execute(context.Background(), env, []string{"verify", dir}); (code == exitDone) != c.done {
				t.Errorf("%s, %s: verify: exit code %d\n%s", command, c.step, code, out)
			}
			if !c.done {
				uplifted(t, again...)
				uplifted(t, "verify", dir)
			}
		}
	}
}

// The draft of another process may be all that there is of a lock: who comes too
// late leaves it alone.
func TestDraftOfAnotherProcessStays(t *testing.T) {
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	edit(t, filepath.Join(dir, study.File), "replicates: 2", "replicates: 3")
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	stale, err := s.frozen()
	if err != nil {
		t.Fatal(err)
	}
	killAt(t, "amend", entryKept, dir)
	env, _ := lockEnv()
	_, err = s.freeze(env, stale, evidence.KindAmend, func(string) (*study.Lock, error) { return stale.lock, nil })
	if err == nil || !strings.Contains(err.Error(), "meanwhile") {
		t.Errorf("got %v", err)
	}
	if out := uplifted(t, "verify", dir); !strings.Contains(out, "with 1 amendment") {
		t.Errorf("got %s", out)
	}
}

// While a study is asked, or labels come, it is neither locked nor amended; while
// it is locked, nobody asks.
func TestRunAndLockExcludeEachOther(t *testing.T) {
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		env, out := lockEnv()
		if code := execute(context.Background(), env, args); code != exitFailed || !strings.Contains(out.String(), want) || !strings.Contains(out.String(), "hint: ") {
			t.Errorf("%v: exit code %d\n%s", args, code, out)
		}
	}
	env, _ := lockEnv()
	a, err := s.asking(t.Context(), env, false)
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, study.File), "replicates: 2", "replicates: 3")
	refused("a run is under way", "amend", dir, "--reason", "why not")
	refused("a run is under way", "lock", dir)
	a.end()
	if err := s.fill(t.Context(), env, func(*store.Store) error {
		refused("a run is under way", "amend", dir, "--reason", "why not")
		return nil
	}); err != nil {
		t.Error(err)
	}
	release, err := s.hold(true)
	if err != nil {
		t.Fatal(err)
	}
	refused("another process locks or amends it", "run", dir)
	refused("another process locks or amends it", "lock", dir)
	release()
	uplifted(t, "amend", dir, "--reason", "why not")
}

func TestLocksAtOnce(t *testing.T) {
	dir := lockableStudy(t)
	var group sync.WaitGroup
	codes := make([]int, 4)
	for i := range codes {
		group.Go(func() {
			cmd := program("lock", dir)
			out, _ := cmd.CombinedOutput()
			if codes[i] = cmd.ProcessState.ExitCode(); codes[i] == exitFailed &&
				!bytes.Contains(out, []byte("is there already")) && !bytes.Contains(out, []byte("another process locks or amends")) {
				t.Errorf("%s", out)
			}
		})
	}
	group.Wait()
	if n := strings.Count(fmt.Sprint(codes), "0"); n != 1 {
		t.Errorf("%d of %d locked, want 1: %v", n, len(codes), codes)
	}
	entries, err := evidence.Verify(filepath.Join(dir, evidence.File))
	if err != nil || len(entries) != 1 {
		t.Errorf("got %d entries, %v", len(entries), err)
	}
	if out, err := program("verify", dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The order of cells that is locked is the one in which they are run.
func TestLockedOrderIsThatOfTheRun(t *testing.T) {
	s, err := loadStudy(lockableStudy(t))
	if err != nil {
		t.Fatal(err)
	}
	w, err := wire(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := w.spec.Plan()
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, work := range plan {
		fmt.Fprintln(h, work.Cell.ID())
	}
	p, err := s.planOf(study.Analysis{})
	if err != nil {
		t.Fatal(err)
	}
	want := hex.EncodeToString(h.Sum(nil))
	for _, f := range p.fields {
		if f.Path == "orders.cells" {
			if f.SHA256 != want {
				t.Errorf("got %s, want %s, of %d cells", f.SHA256, want, len(plan))
			}
			return
		}
	}
	t.Error("no order of cells is locked")
}

// A full disk, or a directory that cannot be written, leaves nothing behind.
func TestLockThatCannotBeWritten(t *testing.T) {
	dir := lockableStudy(t)
	if err := os.Mkdir(filepath.Join(dir, lockDraft), 0o777); err != nil { // where the draft would go
		t.Fatal(err)
	}
	env, out := lockEnv()
	if code := execute(context.Background(), env, []string{"lock", dir}); code != exitFailed {
		t.Errorf("got exit code %d, want %d\n%s", code, exitFailed, out)
	}
	for _, name := range []string{evidence.File, study.LockFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

func lockEnv() (*Env, *bytes.Buffer) {
	var out bytes.Buffer
	at := time.Date(2026, 12, 1, 3, 4, 5, 0, time.UTC)
	return &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" },
		Now: func() time.Time { return at }, Width: 100}, &out
}

// lockStudy is idempotent, and wants the study as it was locked.
func TestLockStudy(t *testing.T) {
	dir := lockableStudy(t)
	env, _ := lockEnv()
	load := func() *studyDir {
		s, err := loadStudy(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for range 2 {
		if err := lockStudy(context.Background(), env, load()); err != nil {
			t.Fatal(err)
		}
	}
	st := load().look(t.Context())
	if st.Lock == "" || st.LockedAt == nil || !st.LockedAt.Equal(env.Now()) || st.TestB || st.Exploratory {
		t.Errorf("got %+v", st)
	}
	os.WriteFile(filepath.Join(dir, study.File), []byte(lockable+"seed: 2\n"), 0o666)
	if err := lockStudy(context.Background(), env, load()); err == nil || !strings.Contains(err.Error(), "seed: is 2 (locked 1)") {
		t.Errorf("got %v", err)
	}
}

func TestTestBIsLockedWithTest(t *testing.T) {
	for name, c := range map[string]struct {
		study string
		want  bool
	}{
		"powered":          {strings.Replace(lockable, "[test]", "[test, test-b]", 1), true},
		"paper":            {strings.Replace(lockable, "[test]", "[test, test-b]", 1) + "audit: {preset: paper}\n", false},
		"test-b by itself": {strings.Replace(lockable, "[test]", "[test-b]", 1), false},
	} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, study.File), []byte(c.study), 0o666)
		s, err := loadStudy(dir)
		if err != nil {
			t.Fatal(err)
		}
		env, _ := lockEnv()
		if err := lockStudy(context.Background(), env, s); err != nil {
			t.Fatal(err)
		}
		if got := s.look(t.Context()).TestB; got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	// Taken in later, it was not locked with the test.
	dir := lockableStudy(t)
	env, out := lockEnv()
	run := func(args ...string) {
		t.Helper()
		if code := execute(context.Background(), env, args); code != exitDone {
			t.Fatalf("%v: exit code %d\n%s", args, code, out)
		}
	}
	run("lock", dir)
	os.WriteFile(filepath.Join(dir, study.File), []byte(strings.Replace(lockable, "[test]", "[test, test-b]", 1)), 0o666)
	run("amend", dir, "--reason", "more tasks")
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	if st := s.look(t.Context()); st.TestB || len(st.Amendments) != 1 || !st.Amendments[0].Touches.All {
		t.Errorf("got %+v", st)
	}
}

// A lock stands in the log where it says.
func TestLockStandsInItsPlace(t *testing.T) {
	dir := lockableStudy(t)
	env, _ := lockEnv()
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lockStudy(context.Background(), env, s); err != nil {
		t.Fatal(err)
	}
	entries, err := evidence.Verify(s.logPath())
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(s.logPath())
	log, err := evidence.Open(s.logPath())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []evidence.Entry{{Kind: evidence.KindUnseal, Data: []byte("{}")}, entries[0]} {
		if _, err := log.Append(e.Kind, e.Data, env.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.frozen(); err == nil || !strings.Contains(err.Error(), "names another place") {
		t.Errorf("got %v", err)
	}
}

// A draft goes when it is one's own and the log cannot know it, and stays when it
// may be needed.
func TestDraftsOfLocks(t *testing.T) {
	dir := lockableStudy(t)
	env, _ := lockEnv()
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := lockStudy(context.Background(), env, s); err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(s.lockPath())
	if err != nil {
		t.Fatal(err)
	}
	draft := filepath.Join(dir, lockDraft)
	for name, c := range map[string]struct {
		draft, digest, tail string
		stays               bool
	}{
		"not in the log":        {"x", digestOf([]byte("x")), "", false},
		"in the log":            {string(lock), digestOf(lock), "", true},
		"perhaps in a torn end": {"x", digestOf([]byte("x")), "{", true},
		"of another process":    {"x", digestOf([]byte("y")), "", true},
		"of a lock not made":    {"x", "", "", true},
	} {
		os.WriteFile(draft, []byte(c.draft), 0o666)
		log, err := os.ReadFile(s.logPath())
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(s.logPath(), append(log, c.tail...), 0o666)
		s.dropDraft(c.digest)
		if _, err := os.Lstat(draft); (err == nil) != c.stays {
			t.Errorf("%s: there: %v, want %v", name, err == nil, c.stays)
		}
		os.WriteFile(s.logPath(), log, 0o666)
	}
}

// Whoever reads the log and then the lock may find that both were amended in
// between, more than once.
func TestAmendedWhileRead(t *testing.T) {
	dir := lockableStudy(t)
	uplifted(t, "lock", dir)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 2
	s.step = func(step string) {
		if step == logRead && n < 6 {
			edit(t, filepath.Join(dir, study.File), fmt.Sprintf("replicates: %d", n), fmt.Sprintf("replicates: %d", n+1))
			n++
			uplifted(t, "amend", dir, "--reason", "and again")
		}
	}
	if f, err := s.frozen(); err != nil || len(f.lock.Amendments) != 4 {
		t.Errorf("got %v", err)
	}
}

// A probe's turn is in no response: it is taken for changed where it may be.
func TestProbesThatMayHaveChanged(t *testing.T) {
	probe := uplift.Item{Task: "k", Split: "test", Attack: "p", Next: &uplift.Next{}}
	plain := uplift.Item{Task: "k", Split: "test", Attack: "p"}
	for name, c := range map[string]struct {
		item    uplift.Item
		private bool
		changed string
		want    bool
	}{
		"its task":         {probe, false, "items.test.p tasks.k", true},
		"the templates":    {probe, false, "items.test.p attacks.templates", true},
		"the seed":         {probe, false, "items.test.p seed", true},
		"a file":           {probe, true, "items.test.p benchmark.file", true},
		"another task":     {probe, false, "items.test.p tasks.l", false},
		"nothing of it":    {probe, true, "items.test.q attacks.templates", false},
		"what can be seen": {plain, true, "items.test.p seed", false},
	} {
		var changes []study.Change
		for _, path := range strings.Fields(c.changed) {
			changes = append(changes, study.Change{Path: path})
		}
		p := &planned{asked: study.Asked{Private: c.private}}
		if got := p.unsure(changes)(c.item); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// What a response holds is compared with what is locked, field by field.
func TestAskedOtherwise(t *testing.T) {
	item := uplift.Item{Task: "k", Attack: "direct", Family: "f", Split: "test", Tier: uplift.Benign, Turns: []string{"q"}}
	plan := study.Plan{Models: []study.Model{{Name: "m"}}, Conditions: study.Conditions{List: []study.Condition{{Name: "c"}}}, Replicates: 2}
	a := askedBy(plan, &planned{asked: study.Asked{Items: []uplift.Item{item}}, locked: []string{"test"}})
	for want, change := range map[string]func(*uplift.Response){
		"":                        func(*uplift.Response) {},
		"there is no model n":     func(r *uplift.Response) { r.Model = "n" },
		"there is no condition d": func(r *uplift.Response) { r.Condition = "d" },
		"task l is no longer asked in the form direct":   func(r *uplift.Response) { r.Task = "l" },
		"task k is no longer asked in the form roleplay": func(r *uplift.Response) { r.Attack = "roleplay" },
		"task k is asked otherwise in the form direct":   func(r *uplift.Response) { r.Item.Turns = []string{"Q"} },
		"replicates is 2 now":                            func(r *uplift.Response) { r.Replicate = 2 },
	} {
		r := uplift.Response{Cell: uplift.Cell{Model: "m", Condition: "c", Task: "k", Attack: "direct", Replicate: 1}, Item: item}
		change(&r)
		if got := strings.Join(a.otherwise(r), "; "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		d := &stored{otherwise: map[string]int{}}
		if d.add(a, r); d.planned != map[bool]int{true: 1}[want == ""] || d.locked != 1 {
			t.Errorf("%q: counts as planned %d times, as locked %d times", want, d.planned, d.locked)
		}
	}
	for name, change := range map[string]func(*uplift.Item){
		"tier": func(i *uplift.Item) { i.Tier = uplift.Harmful }, "split": func(i *uplift.Item) { i.Split = "train" }, "family": func(i *uplift.Item) { i.Family = "g" },
	} {
		held := item
		if change(&held); sameItem(item, held) {
			t.Errorf("another %s is the same item", name)
		}
	}
}

// What raters are told of each item is locked.
func TestCardsAreLocked(t *testing.T) {
	s, err := loadStudy(lockableStudy(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.planOf(study.Analysis{})
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]uplift.Task{}
	for _, task := range p.asked.Tasks {
		byID[task.ID] = task
	}
	if len(p.asked.Cards) != len(p.asked.Items) || len(p.asked.Cards) == 0 {
		t.Fatalf("got %d cards of %d items", len(p.asked.Cards), len(p.asked.Items))
	}
	for i, c := range p.asked.Cards {
		item := p.asked.Items[i]
		help, points := attack.Expected(byID[item.Task], item.Attack)
		if c.Task != item.Task || c.Attack != item.Attack || c.Expected != help || strings.Join(c.KeyPoints, "\n") != strings.Join(points, "\n") {
			t.Errorf("%s, %s: got %+v", item.Task, item.Attack, c)
		}
	}
	old := p.fields
	p.asked.Cards[0].Expected += "x"
	now, err := s.plan.Fields(p.asked)
	if err != nil {
		t.Fatal(err)
	}
	if got := study.Diff(old, now); len(got) != 1 || got[0].Path != "cards" {
		t.Errorf("a changed card changes %v", got)
	}
}

// One is not many.
func TestWarningsOfALock(t *testing.T) {
	for want, c := range map[string]struct {
		cluster string
		count   study.Count
	}{
		"with 1 task no two-sided":              {"task", study.Count{Clusters: 1, Floor: 1}},
		"with 2 families no two-sided":          {"family", study.Count{Clusters: 2, Floor: .5}},
		"with 1 family no two-sided":            {"family", study.Count{Clusters: 1, Floor: 1}},
		"with 6 tasks and 4 contrasts no p":     {"task", study.Count{Clusters: 6, Contrasts: 4, Floor: .03125, HolmFloor: .125}},
		"with 6 tasks and 1 contrast no p adju": {"task", study.Count{Clusters: 6, Contrasts: 1, Floor: .03125, HolmFloor: .125}},
	} {
		sum := &lockSummary{Cluster: c.cluster, Level: .95}
		sum.warn(c.count)
		if len(sum.Warnings) != 1 || !strings.Contains(sum.Warnings[0].Text, want) {
			t.Errorf("got %v, want %q", sum.Warnings, want)
		}
	}
}

// A clock that was set back between two entries is told, and is no failure.
func TestVerifyTellsAClockSetBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	env, out := lockEnv()
	at := time.Date(2031, 1, 2, 3, 4, 5, 0, time.UTC)
	env.Now = func() time.Time { return at }
	do := func(args ...string) {
		t.Helper()
		if code := execute(context.Background(), env, args); code != exitDone {
			t.Fatalf("%v: %s", args, out)
		}
	}
	do("init", dir)
	do("lock", dir)
	edit(t, filepath.Join(dir, "study.yaml"), "margin: 0.05", "margin: 0.04")
	at = at.AddDate(-5, 0, 0)
	do("amend", dir, "--reason", "another margin")
	do("verify", dir)
	if want := "line 2 of evidence.jsonl: its time, 2026-01-02T03:04:05Z, lies before"; !strings.Contains(out.String(), want) {
		t.Errorf("got %s\nwant %q in it", out, want)
	}
}
