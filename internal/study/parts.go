package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// part is what stands in a prompt under a heading of the second level, up to the
// next heading of that level or above.
type part struct {
	name       string
	start, end int // in bytes, the heading's line included
}

// parts lists the parts of a prompt. A heading inside a fenced block is none.
func parts(prompt string) []part {
	var out []part
	fence := ""
	open := false
	at := 0
	for line := range strings.Lines(prompt) {
		text := strings.TrimRight(line, " \t\n")
		switch mark := fenceOf(text); {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.Trim(text, " "+fence[:1]) == "" {
				fence = ""
			}
		case mark != "":
			fence = mark
		case strings.HasPrefix(text, "## "), strings.HasPrefix(text, "# "):
			if open {
				out[len(out)-1].end = at
			}
			if open = text[1] == '#'; open {
				out = append(out, part{strings.TrimSpace(strings.TrimRight(text[3:], "# ")), at, len(prompt)})
			}
		}
		at += len(line)
	}
	return out
}

// fenceOf is the mark that begins or ends a fenced block, at least three signs.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, sign := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, sign)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// without takes parts of a prompt away. What stays is as it was.
func (ps *problems) without(field string, t *Text) {
	if len(t.Without) == 0 {
		return
	}
	all := parts(t.Value)
	var there []string
	for _, p := range all {
		there = append(there, p.name)
	}
	good := true
	for i, name := range t.Without {
		good = good && count(there, name) == 1
		at := fmt.Sprintf("%s[%d]", field, i)
		switch n := count(there, name); {
		case len(there) == 0:
			ps.field(at, "%s has no parts (want headings of the second level, such as ## Style)", quote(t.File))
		case n == 0 && name != "":
			ps.field(at, "%s is no part of %s (want %s)", quote(name), quote(t.File), strictyaml.Or(there))
		case n > 1:
			ps.field(at, "%s stands %d times in %s (want each part under a name of its own)", quote(name), n, quote(t.File))
		}
	}
	var kept strings.Builder
	from := 0
	for _, p := range all {
		if slices.Contains(t.Without, p.name) {
			kept.WriteString(t.Value[from:p.start])
			from = p.end
		}
	}
	kept.WriteString(t.Value[from:])
	if t.Value = kept.String(); strings.TrimSpace(t.Value) == "" && good {
		ps.field(field, "leaves nothing of %s (want no system for a condition without a prompt)", quote(t.File))
	}
}

func count(list []string, s string) int {
	n := 0
	for _, v := range list {
		if v == s {
			n++
		}
	}
	return n
}
