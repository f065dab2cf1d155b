package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed page
var assets embed.FS

// HTML writes the page: one file without any external request, readable
// offline, without script, on a phone and in print. Style and script are
// allowed by their hashes; nothing else is.
func HTML(w io.Writer, in Input) error {
	if in.Result == nil {
		return ErrNoResult
	}
	t, err := template.New("page").Funcs(template.FuncMap{"px": px}).ParseFS(assets, "page/*.tmpl")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	css, js, err := sheets()
	if err != nil {
		return err
	}
	p := newPage(in)
	p.Policy = policy(css, js)
	p.Style, p.Script = template.CSS(css), template.JS(js)
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, "page.tmpl", p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// sheets are the page's style and script, all from this package alone.
func sheets() (css, js string, err error) {
	var out [3][]byte
	for i, file := range [...]string{"page/page.css", "page/agreement.css", "page/page.js"} {
		if out[i], err = assets.ReadFile(file); err != nil {
			return "", "", fmt.Errorf("report: %w", err)
		}
	}
	return string(out[0]) + string(out[1]), string(out[2]), nil
}

// policy forbids everything but the one style and the one script.
func policy(css, js string) string {
	return "default-src 'none'; style-src '" + hash(css) + "'; script-src '" + hash(js) +
		"'; base-uri 'none'; form-action 'none'"
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
