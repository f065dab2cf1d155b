package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWidth is the most columns of a line of help.
const helpWidth = 80

// help writes what a command does, then how it is used.
func help(cmd *cobra.Command, _ []string) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	if about = strings.TrimSpace(about); about != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n", refill(about, helpWidth))
	}
	if cmd.Runnable() || cmd.HasSubCommands() {
		fmt.Fprint(cmd.OutOrStdout(), cmd.UsageString())
	}
}

// refill breaks the paragraphs of a text that have a line of more than width
// columns anew. Lines that are set in stay as they are: they are lists and
// commands.
func refill(text string, width int) string {
	lines := strings.Split(text, "\n")
	var out []string
	for len(lines) > 0 {
		n := 0
		for n < len(lines) && lines[n] != "" && lines[n][0] != ' ' {
			n++
		}
		if n == 0 {
			out, lines = append(out, lines[0]), lines[1:]
			continue
		}
		out, lines = append(out, fill(lines[:n], width)...), lines[n:]
	}
	return strings.Join(out, "\n")
}

// fill is a paragraph in lines of at most width columns; a longer word stands
// alone.
func fill(paragraph []string, width int) []string {
	fits := true
	for _, l := range paragraph {
		fits = fits && utf8.RuneCountInString(l) <= width
	}
	if fits {
		return paragraph
	}
	out, line := []string{}, ""
	for _, word := range strings.Fields(strings.Join(paragraph, " ")) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line+" "+word) > width:
			out, line = append(out, line), word
		default:
			line += " " + word
		}
	}
	return append(out, line)
}

// hang is a line broken at width columns, what follows set in by two more than
// the line itself.
func hang(line string, width int) string {
	set := line[:len(line)-len(strings.TrimLeft(line, " "))]
	room := max(width-len(set)-2, 20)
	return set + strings.Join(fill([]string{line[len(set):]}, room), "\n"+set+"  ")
}
