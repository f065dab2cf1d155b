package arch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the pages that a reader meets, by their path below go.mod.
func documents(t *testing.T) []string {
	t.Helper()
	dir := top(t)
	var list []string
	for _, pattern := range []string{"*.md", "doc/*.md"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rel)
		}
	}
	for _, want := range []string{"README.md", "README.zh-CN.md", "CHANGELOG.md", "doc/road.md"} {
		if !slices.Contains(list, want) {
			t.Errorf("%s is missing", want)
		}
	}
	return list
}

func read(t *testing.T, rel string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(top(t), rel))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// deadLinks lists the relative links of a page that lead nowhere.
func deadLinks(page, text string, exists func(rel string) bool) []string {
	var dead []string
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		target, _, _ := strings.Cut(m[1], "#")
		if target == "" || strings.Contains(target, "://") {
			continue
		}
		if rel := filepath.Join(filepath.Dir(page), target); !exists(rel) {
			dead = append(dead, m[1])
		}
	}
	return dead
}

func TestLinksLeadSomewhere(t *testing.T) {
	exists := func(rel string) bool {
		_, err := os.Stat(filepath.Join(top(t), rel))
		return err == nil
	}
	for _, page := range documents(t) {
		for _, dead := range deadLinks(page, read(t, page), exists) {
			t.Errorf("%s: no such file: %s", page, dead)
		}
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	got := deadLinks("doc/a.md", "[x](b.md) [y](../c.md#d) [z](#e) [w](https://example.org/f) [v](gone.md)",
		func(rel string) bool { return rel == "doc/b.md" || rel == "c.md" })
	if want := []string{"gone.md"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

var named = regexp.MustCompile("`((?:internal|cmd|doc|stats|controller|model)/[A-Za-z0-9_./-]+)`")

// Files that a page names in passing must be there too.
func TestNamedFilesExist(t *testing.T) {
	for _, page := range documents(t) {
		for _, m := range named.FindAllStringSubmatch(read(t, page), -1) {
			if _, err := os.Stat(filepath.Join(top(t), m[1])); err != nil {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}

// command is one line of a page that a reader would type.
type command struct {
	page  string
	words []string // after uplift
}

// commands are the lines in fences that begin with uplift, and what stands in
// backticks and does. A line that ends in a backslash goes on.
func commands(page, text string) []command {
	var list []command
	add := func(line string) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "uplift "); ok {
			rest, _, _ = strings.Cut(rest, "#")
			list = append(list, command{page, strings.Fields(rest)})
		}
	}
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.ReplaceAll(line, "go run ./cmd/uplift", "uplift")
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced:
			add(line)
		default:
			for i, part := range strings.Split(line, "`") {
				if i%2 == 1 {
					add(part)
				}
			}
		}
	}
	return list
}

// paths are the chains of commands that the line may mean: "import a|b DIR"
// means two. Only lower-case words can be commands.
func (c command) paths() [][]string {
	paths := [][]string{nil}
	for _, word := range c.words[:min(2, len(c.words))] {
		if !regexp.MustCompile(`^[a-z|]+$`).MatchString(word) {
			break
		}
		var next [][]string
		for _, p := range paths {
			for alt := range strings.SplitSeq(word, "|") {
				next = append(next, append(slices.Clone(p), alt))
			}
		}
		paths = next
	}
	return paths
}

func (c command) flags() []string {
	var list []string
	for _, w := range c.words {
		if name, ok := strings.CutPrefix(w, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			list = append(list, "--"+name)
		}
	}
	return list
}

func TestCommandsAreRead(t *testing.T) {
	got := commands("p", "Say `uplift doctor` or `uplift`.\n```\nuplift import a|b s \\\n   --x=1 --y 2 # why\n$ ls\ngo run ./cmd/uplift demo\n```\n")
	want := "[doctor] | [import a|b s --x=1 --y 2] | [demo]"
	var lines []string
	for _, c := range got {
		lines = append(lines, fmt.Sprint(c.words))
	}
	if s := strings.Join(lines, " | "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	if s := fmt.Sprint(got[1].paths(), got[1].flags()); s != "[[import a s] [import b s]] [--x --y]" && s != "[[import a] [import b]] [--x --y]" {
		t.Errorf("got %s", s)
	}
}

// TestCommandsExist asks the program for the help of every command that a page
// shows, and looks for every flag in it.
func TestCommandsExist(t *testing.T) {
	program := filepath.Join(t.TempDir(), "uplift")
	build := exec.Command("go", "build", "-o", program, "./cmd/uplift")
	build.Dir = top(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	help := make(map[string]string)
	ask := func(words []string) string {
		key := strings.Join(words, " ")
		if _, ok := help[key]; !ok {
			out, _ := exec.Command(program, append(slices.Clone(words), "--help")...).Output()
			help[key] = string(out)
		}
		return help[key]
	}
	seen := 0
	for _, page := range documents(t) {
		for _, c := range commands(page, read(t, page)) {
			seen++
			for _, path := range c.paths() {
				if problem := missing(ask, path, c.flags()); problem != "" {
					t.Errorf("%s: uplift %s: %s", page, strings.Join(c.words, " "), problem)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands found in the documents", seen)
	}
}

// missing says what of a line the program does not have. The second word of a
// path counts only where the first is a group of commands.
func missing(ask func([]string) string, path, flags []string) string {
	if len(path) == 0 {
		return ""
	}
	text := ask(path[:1])
	if !strings.Contains(text, "uplift "+path[0]) {
		return "no command " + path[0]
	}
	if strings.Contains(text, "Available Commands:") && len(path) > 1 {
		if text = ask(path); !strings.Contains(text, "uplift "+strings.Join(path, " ")) {
			return "no command " + strings.Join(path, " ")
		}
	}
	for _, flag := range flags {
		if !regexp.MustCompile(`(?m)^\s+(-\w, )?` + regexp.QuoteMeta(flag) + `\b`).MatchString(text) {
			return "no flag " + flag
		}
	}
	return ""
}

func TestMissingIsFound(t *testing.T) {
	ask := func(words []string) string {
		return map[string]string{
			"one":   "Usage:\n  uplift one [DIR] [flags]\nFlags:\n      --json   print JSON\n  -h, --help\n",
			"two":   "Usage:\n  uplift two [command]\nAvailable Commands:\n  sub\n",
			"two a": "Usage:\n  uplift two a [flags]\nFlags:\n      --all\n",
		}[strings.Join(words, " ")]
	}
	for _, c := range []struct{ line, want string }{
		{"one s --json", ""}, {"two a", ""}, {"two", ""}, {"two a --all", ""}, {"--help", ""},
		{"three", "no command three"}, {"two b", "no command two b"}, {"one --jso", "no flag --jso"}, {"one --jsonl", "no flag --jsonl"},
	} {
		line := command{words: strings.Fields(c.line)}
		if got := missing(ask, line.paths()[0], line.flags()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.line, got, c.want)
		}
	}
}
