package report

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/uplift-eval/uplift/internal/analysis"
)

func TestDump(t *testing.T) {
	for n, in := range fixtures() {
		var b bytes.Buffer
		if err := HTML(&b, in); err != nil {
			t.Fatal(n, err)
		}
		os.WriteFile(filepath.Join("/tmp/g", n+".html"), b.Bytes(), 0o644)
		for _, f := range Formats() {
			for k, draw := range map[string]func(*analysis.Result, string) ([]byte, error){"frontier": Frontier, "forest": Forest} {
				d, err := draw(in.Result, f)
				if err != nil {
					t.Error(n, k, f, err)
				}
				os.WriteFile(filepath.Join("/tmp/g", n+"-"+k+"."+f), d, 0o644)
			}
		}
		b.Reset()
		Text(&b, in.Result, 100)
		Markdown(&b, in.Result)
		LaTeX(&b, in.Result)
		CSV(&b, in.Result)
		AgreementText(&b, in.Agreement, 100)
		os.WriteFile(filepath.Join("/tmp/g", n+".txt"), b.Bytes(), 0o644)
	}
}
