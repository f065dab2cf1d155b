package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pkg is what the go command says of a package.
type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Export       string
	Incomplete   bool
}

// packages asks the go command for the packages of this module.
func packages(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Dir = top(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var list []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// top is the directory of go.mod.
func top(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatal("no go.mod above this directory")
	return ""
}

// plan is a table that packages can be held against.
type plan map[string]row

func planOf(rows []row) plan {
	p := make(plan)
	for _, r := range rows {
		p[r.path] = r
	}
	return p
}

// inside is a package's path below the module; ok is false outside of it.
func inside(path string) (rel string, ok bool) {
	if path == module {
		return root, true
	}
	return strings.CutPrefix(path, module+"/")
}

func std(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func in(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return m == all || path == m || strings.HasPrefix(path, m+"/")
	})
}

// arrows lists every import that the table does not draw.
func (p plan) arrows(list []pkg) []string {
	var wrong []string
	for _, one := range list {
		rel, _ := inside(one.ImportPath)
		r, ok := p[rel]
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s has no row in the table", one.ImportPath))
			continue
		}
		for _, path := range one.Imports {
			if !p.allows(r, path) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which its row does not name", one.ImportPath, path))
			}
		}
		for _, path := range slices.Concat(one.TestImports, one.XTestImports) {
			if !p.allowsTest(r, path) {
				wrong = append(wrong, fmt.Sprintf("a test of %s imports %s (see the package comment)", one.ImportPath, path))
			}
		}
	}
	slices.Sort(wrong)
	return slices.Compact(wrong)
}

func (p plan) allows(r row, path string) bool {
	if std(path) {
		return true
	}
	if rel, ok := inside(path); ok {
		return slices.Contains(r.inside, rel) || slices.Contains(r.inside, all)
	}
	return in(path, r.outside)
}

// allowsTest is what a test file of r may import.
func (p plan) allowsTest(r row, path string) bool {
	rel, ok := inside(path)
	switch {
	case std(path):
		return true
	case !ok:
		return in(path, tests) || slices.ContainsFunc(table, func(r row) bool { return in(path, r.outside) && !slices.Contains(r.outside, all) })
	case rel == r.path:
		return true
	}
	return !p.reaches(rel, r.path, nil)
}

// reaches reports whether from depends on to by the table's arrows. A row that
// may import everything reaches everything.
func (p plan) reaches(from, to string, seen []string) bool {
	if slices.Contains(seen, from) {
		return false
	}
	for _, next := range p[from].inside {
		if next == all || next == to || p.reaches(next, to, append(seen, from)) {
			return true
		}
	}
	return false
}

// problems of the table itself: rows that stand twice, arrows to nowhere, circles.
func problems(rows []row) []string {
	var wrong []string
	p := planOf(rows)
	seen := make(map[string]bool)
	for _, r := range rows {
		if seen[r.path] {
			wrong = append(wrong, fmt.Sprintf("%q has two rows", r.path))
		}
		seen[r.path] = true
		for _, next := range r.inside {
			if _, ok := p[next]; !ok && next != all {
				wrong = append(wrong, fmt.Sprintf("%q may import %q, which has no row", r.path, next))
			}
		}
		if !slices.Contains(r.inside, all) && p.reaches(r.path, r.path, nil) {
			wrong = append(wrong, fmt.Sprintf("%q depends on itself", r.path))
		}
	}
	return wrong
}

func TestArrows(t *testing.T) {
	list := packages(t, "./...")
	if len(list) < 10 {
		t.Fatalf("go list found %d packages", len(list))
	}
	for _, wrong := range planOf(table).arrows(list) {
		t.Error(wrong)
	}
}

func TestTableIsSound(t *testing.T) {
	for _, wrong := range problems(table) {
		t.Error(wrong)
	}
}

// The public packages are libraries: gonum and x/text are all that they bring.
func TestPublicPackagesBringLittle(t *testing.T) {
	p := planOf(table)
	for _, path := range []string{root, "stats", "controller"} {
		for _, m := range p[path].outside {
			if m != "gonum.org/v1/gonum" && m != "golang.org/x/text" {
				t.Errorf("%q may import %s", path, m)
			}
		}
	}
}

func TestRatingIsBlindByTable(t *testing.T) {
	p := planOf(table)
	for _, path := range []string{"internal/rating", "internal/ratingweb"} {
		if p.reaches(path, root, nil) {
			t.Errorf("%s reaches the root package", path)
		}
	}
}

func TestArrowsCatchesWhatIsWrong(t *testing.T) {
	house := planOf([]row{
		{root, nil, nil},
		{"low", []string{root}, []string{"example.org/fine"}},
		{"high", []string{"low"}, nil},
		{"cmd", []string{all}, []string{all}},
	})
	at := func(rel string) string { return module + "/" + rel }
	for _, c := range []struct {
		name string
		one  pkg
		want string
	}{
		{"drawn arrows", pkg{ImportPath: at("low"), Imports: []string{module, "fmt", "net/http", "example.org/fine/sub"}}, ""},
		{"everything", pkg{ImportPath: at("cmd"), Imports: []string{at("low"), at("high"), "example.org/any"}}, ""},
		{"no row", pkg{ImportPath: at("new")}, at("new") + " has no row in the table"},
		{"upwards", pkg{ImportPath: at("low"), Imports: []string{at("high")}}, at("low") + " imports " + at("high") + ", which its row does not name"},
		{"past a floor", pkg{ImportPath: at("high"), Imports: []string{module}}, at("high") + " imports " + module + ", which its row does not name"},
		{"module", pkg{ImportPath: at("high"), Imports: []string{"example.org/fine"}}, at("high") + " imports example.org/fine, which its row does not name"},
		{"like a module", pkg{ImportPath: at("low"), Imports: []string{"example.org/finest"}}, at("low") + " imports example.org/finest, which its row does not name"},
		{"root brings a module", pkg{ImportPath: module, Imports: []string{"example.org/fine"}}, module + " imports example.org/fine, which its row does not name"},
		{"test downwards", pkg{ImportPath: at("high"), TestImports: []string{module, at("low"), "github.com/google/go-cmp/cmp"}}, ""},
		{"test of itself", pkg{ImportPath: at("low"), XTestImports: []string{at("low")}}, ""},
		{"test upwards", pkg{ImportPath: at("low"), TestImports: []string{at("high")}}, "a test of " + at("low") + " imports " + at("high") + " (see the package comment)"},
		{"test of the root upwards", pkg{ImportPath: module, XTestImports: []string{at("high")}}, "a test of " + module + " imports " + at("high") + " (see the package comment)"},
		{"test of the command", pkg{ImportPath: at("low"), XTestImports: []string{at("cmd")}}, "a test of " + at("low") + " imports " + at("cmd") + " (see the package comment)"},
		{"test with a foreign module", pkg{ImportPath: at("low"), TestImports: []string{"example.org/x"}}, "a test of " + at("low") + " imports example.org/x (see the package comment)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(house.arrows([]pkg{c.one}), "\n"); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestProblemsCatchesABadTable(t *testing.T) {
	got := problems([]row{{"a", []string{"b"}, nil}, {"b", []string{"c"}, nil}, {"c", []string{"a", "d"}, nil}, {"c", nil, nil}})
	want := []string{`"c" may import "d", which has no row`, `"c" has two rows`}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("got %q, want %s among them", got, w)
		}
	}
	if got := problems([]row{{"a", []string{"b"}, nil}, {"b", []string{"a"}, nil}}); !slices.Equal(got, []string{`"a" depends on itself`, `"b" depends on itself`}) {
		t.Errorf("a circle: got %q", got)
	}
}
