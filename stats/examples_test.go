package stats

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEverythingHasAnExample: whoever reads the documentation of an exported
// function or method finds it run, with an output that was checked.
func TestEverythingHasAnExample(t *testing.T) {
	exported, examples := declared(t)
	for _, name := range exported {
		if !examples[name] {
			t.Errorf("no Example%s with an output", name)
		}
	}
	if len(exported) < 100 {
		t.Errorf("%d exported functions and methods found, want all", len(exported))
	}
}

// declared lists what the package exports, as examples name it, and the examples
// that are run.
func declared(t *testing.T) (exported []string, examples map[string]bool) {
	examples = map[string]bool{}
	eachFile(t, func(name string, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
			case strings.HasSuffix(name, "_test.go"):
				if of, ok := strings.CutPrefix(fn.Name.Name, "Example"); ok && fn.Recv == nil && hasOutput(f, fn) {
					examples[of] = true
					examples[withoutSuffix(of)] = true
				}
			case fn.Name.IsExported():
				if of := receiver(fn); of == "" {
					exported = append(exported, fn.Name.Name)
				} else if ast.IsExported(of) {
					exported = append(exported, of+"_"+fn.Name.Name)
				}
			}
		}
	})
	return exported, examples
}

// withoutSuffix turns T_M_suffix and F_suffix into T_M and F; a suffix begins
// with a small letter.
func withoutSuffix(name string) string {
	at := strings.LastIndex(name, "_")
	if at < 0 || at+1 == len(name) || ast.IsExported(name[at+1:]) {
		return name
	}
	return name[:at]
}

// receiver is the type whose method a function is, "" for a plain function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	id, ok := of.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// hasOutput reports whether a function ends with the comment that makes go test
// run it.
func hasOutput(f *ast.File, fn *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
		text := strings.ToLower(c.Text())
		return c.Pos() > fn.Body.Lbrace && c.End() < fn.Body.Rbrace &&
			(strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:"))
	})
}

func eachFile(t *testing.T, do func(name string, f *ast.File)) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		do(name, f)
	}
}
