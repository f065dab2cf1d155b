package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of the tool; a release build may set it with -ldflags -X.
var release = "0.1.0-dev"

// build describes the running binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // with "+dirty" when the tree was changed
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisBuild() build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Revision += "+dirty"
		}
	}
	return b
}

func newVersion(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version", Example: "  uplift version --json",
		Args: positional(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			if asJSON {
				return writeJSON(env.Stdout, b)
			}
			rev := ""
			if b.Revision != "" {
				rev = " (" + b.Revision + ")"
			}
			_, err := fmt.Fprintf(env.Stdout, "uplift %s%s, %s, %s\n", b.Version, rev, b.Go, b.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// writeJSON prints one indented value. Untrusted text keeps its letters: the
// output goes to a terminal or a parser, never into a page.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
