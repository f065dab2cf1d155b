package arch

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// blind looks for a type of the root package in everything that a package's
// exported names lead to.
type blind struct {
	banned string // the path of the package that may not be met
	seen   map[types.Type]bool
	found  []string
}

// leaks names the ways that lead from a package's exported names to a type of
// the banned package. Fields and methods without export are followed too: a
// template or an encoder may be in the same package one day.
func leaks(p *types.Package, banned string) []string {
	b := &blind{banned: banned, seen: make(map[types.Type]bool)}
	for _, name := range p.Scope().Names() {
		if obj := p.Scope().Lookup(name); obj.Exported() {
			b.look(obj.Type(), name)
		}
	}
	slices.Sort(b.found)
	return b.found
}

func (b *blind) look(t types.Type, way string) {
	if t == nil || b.seen[t] {
		return
	}
	b.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		b.named(t.Obj(), way)
		b.each(t.TypeArgs(), way)
		b.look(t.Rhs(), way)
	case *types.Named:
		b.named(t.Obj(), way)
		b.each(t.TypeArgs(), way)
		if p := t.Obj().Pkg(); p == nil || std(p.Path()) {
			return // the standard library knows nothing of ours
		}
		for m := range t.Methods() {
			b.look(m.Type(), way+"."+m.Name())
		}
		b.look(t.Underlying(), way)
	case *types.Struct:
		for f := range t.Fields() {
			b.look(f.Type(), way+"."+f.Name())
		}
	case *types.Interface:
		for m := range t.Methods() {
			b.look(m.Type(), way+"."+m.Name())
		}
		for e := range t.EmbeddedTypes() {
			b.look(e, way)
		}
	case *types.Union:
		for term := range t.Terms() {
			b.look(term.Type(), way)
		}
	case *types.Signature:
		b.signature(t, way)
	case *types.Map:
		b.look(t.Key(), way)
		b.look(t.Elem(), way)
	case *types.TypeParam:
		b.look(t.Constraint(), way)
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		b.look(t.Elem(), way)
	}
}

func (b *blind) signature(t *types.Signature, way string) {
	for v := range t.Params().Variables() {
		b.look(v.Type(), way+"("+v.Name()+")")
	}
	for v := range t.Results().Variables() {
		b.look(v.Type(), way+"()")
	}
	for p := range t.TypeParams().TypeParams() {
		b.look(p, way)
	}
}

func (b *blind) each(list *types.TypeList, way string) {
	for t := range list.Types() {
		b.look(t, way)
	}
}

func (b *blind) named(obj *types.TypeName, way string) {
	if p := obj.Pkg(); p != nil && p.Path() == b.banned {
		b.found = append(b.found, way+" mentions "+obj.Name())
	}
}

// TestRatingMentionsNoRecord is the blinding rule: ratingweb sees the world
// through rating, and rating shows no record of the evaluation.
func TestRatingMentionsNoRecord(t *testing.T) {
	exports := make(map[string]string)
	for _, p := range packages(t, "-export", "-deps", "./internal/rating") {
		exports[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	p, err := imp.Import(module + "/internal/rating")
	if err != nil {
		t.Fatal(err)
	}
	if p.Scope().Lookup("Row") == nil {
		t.Fatal("rating has no Row: this test looks at the wrong package")
	}
	for _, leak := range leaks(p, module) {
		t.Errorf("rating.%s of the root package", leak)
	}
}

func TestLeaksCatchesEveryWay(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"nothing", "type A struct{ S string; N []A }; func F(a A) (A, error) { panic(0) }", ""},
		{"field", "type A struct{ C secret.Cell }", "A.C mentions Cell"},
		{"field without export", "type A struct{ c *secret.Cell }", "A.c mentions Cell"},
		{"embedded", "type A struct{ secret.Cell }", "A.Cell mentions Cell"},
		{"through a private type", "type a struct{ C secret.Cell }; type B struct{ x []a }", "B.x.C mentions Cell"},
		{"parameter", "func F(c secret.Cell) {}", "F(c) mentions Cell"},
		{"result", "func F() map[string]secret.Cell { panic(0) }", "F() mentions Cell"},
		{"method", "type A int; func (A) M() <-chan [2]secret.Cell { panic(0) }", "A.M() mentions Cell"},
		{"callback", "func F(f func(secret.Cell)) {}", "F(f)() mentions Cell"},
		{"interface", "type A interface{ M(c secret.Cell) }", "A.M(c) mentions Cell"},
		{"constraint", "func F[T secret.Cell | int](t T) {}", "F(t) mentions Cell"},
		{"constraint alone", "func F[T secret.Cell | int]() {}", "F mentions Cell"},
		{"key", "var V map[secret.Cell]int", "V mentions Cell"},
		{"instance", "type A[T any] struct{ v T }; type B struct{ x A[secret.Cell] }", "B.x mentions Cell"},
		{"variable", "var V secret.Cell", "V mentions Cell"},
		{"constant", "const C = secret.Direct", "C mentions Attack"},
		{"alias", "type A = secret.Cell", "A mentions Cell"},
		{"never exported", "type a struct{ C secret.Cell }; func f(secret.Cell) {}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			secret := check(t, "example.org/secret", "package secret; type Cell struct{}; type Attack string; const Direct Attack = `direct`", nil)
			p := check(t, "example.org/p", "package p; import \"example.org/secret\"; var _ secret.Cell; "+c.src, secret)
			if got := strings.Join(leaks(p, "example.org/secret"), "\n"); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

type only struct{ p *types.Package }

func (o only) Import(path string) (*types.Package, error) {
	if o.p != nil && o.p.Path() == path {
		return o.p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

func check(t *testing.T, path, src string, dep *types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{Importer: only{dep}}).Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
