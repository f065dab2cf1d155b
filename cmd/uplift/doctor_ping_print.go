package main

import (
	"fmt"
	"io"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// printPing writes one endpoint for a person.
func printPing(w io.Writer, p ping) {
	line := func(format string, args ...any) {
		fmt.Fprintf(w, "%9s"+format+"\n", append([]any{""}, args...)...)
	}
	fmt.Fprintf(w, "%s  %s\n", map[bool]string{true: "ok     ", false: "FAILED "}[p.Answered], p.Name)
	line("%s at %s, %s", p.Model, p.Host, p.keyState())
	if p.Proxy != "" {
		line("through the proxy %s", p.Proxy)
	}
	if p.Answered {
		line("%s in %s ms, %s tokens in, %s out", p.answer(), grouped(p.LatencyMS), grouped(p.TokensIn), grouped(p.TokensOut))
		if p.Version != "" && p.Version != p.Model {
			line("the provider calls the model %s", p.Version)
		}
	} else {
		line("%s", strings.ReplaceAll(p.Err, "\n", " "))
	}
	if l := p.Limits; l != nil {
		line("limits seen: %s", l)
	}
	if p.Hint != "" {
		line("hint: %s", p.Hint)
	}
}

func (p ping) keyState() string {
	switch {
	case p.KeyEnv == "":
		return "no key"
	case p.KeySet:
		return "key " + p.KeyEnv + ": set"
	}
	return "key " + p.KeyEnv + ": not set"
}

// answer says how the endpoint answered: a block is an answer too.
func (p ping) answer() string {
	switch text := strings.Join(strings.Fields(p.Text), " "); {
	case p.Stop == uplift.StopEnd, p.Stop == uplift.StopLength && text != "":
		return fmt.Sprintf("answered %q", shortened(text))
	case p.Reason != "":
		return fmt.Sprintf("answered with %s (%s)", p.Stop, shortened(p.Reason))
	}
	return "answered with " + string(p.Stop)
}

func shortened(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}

func (l *limitsSeen) String() string {
	var parts []string
	for _, one := range []struct {
		name      string
		all, left *int
	}{{"requests", l.Requests, l.RequestsLeft}, {"tokens", l.Tokens, l.TokensLeft}} {
		switch {
		case one.all != nil && one.left != nil:
			parts = append(parts, fmt.Sprintf("%s of %s %s left", grouped(*one.left), grouped(*one.all), one.name))
		case one.all != nil:
			parts = append(parts, fmt.Sprintf("%s %s", grouped(*one.all), one.name))
		case one.left != nil:
			parts = append(parts, fmt.Sprintf("%s %s left", grouped(*one.left), one.name))
		}
	}
	return strings.Join(parts, "; ")
}
