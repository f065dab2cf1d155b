package interop

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// maxProblems is how many problems are kept and printed; the rest are counted.
const maxProblems = 100

// Problem is one record, or one thing about a whole file, that cannot be used.
type Problem struct {
	File   string
	Line   int    // physical line on which the record begins, from 1; 0: the whole file
	Member string // member of a log's zip; empty for tables
	Field  string // column or JSON key; empty: the whole record
	Text   string // what is wrong, with what was wanted
}

// String is "file:line: field: what (want ...)".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	if p.Member != "" {
		fmt.Fprintf(&b, ":%s", p.Member)
	}
	if p.Field != "" {
		fmt.Fprintf(&b, ": %s", p.Field)
	}
	return printable(b.String() + ": " + p.Text)
}

// printable keeps what a file holds from acting on a terminal: control
// characters, and those that turn the direction of text round.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// maxShown is how many names a list shows; the rest are counted.
const maxShown = 20

// shown are the first names of a list, cut short, with "and N more" at its end
// when others are left.
func shown(names []string, more int) []string {
	var first []string
	for _, name := range names[:min(len(names), maxShown)] {
		first = append(first, clip(name))
	}
	if more += len(names) - len(first); more > 0 {
		first = append(first, fmt.Sprintf("and %d more", more))
	}
	return first
}

// listed is a list of names in one sentence.
func listed(names []string) string {
	return strings.Replace(strings.Join(shown(names, 0), ", "), ", and ", " and ", 1)
}

// Problems is the error of an import that read bad records: the first 100, in
// the order of the file, and how many more there were. What the sink took must
// be dropped.
type Problems struct {
	First []Problem
	More  int
	// Conflicts is how many of all problems say that a record contradicts what
	// the sink holds; an import that supersedes would take those.
	Conflicts int
	// Refused is how many records the sink refused, see [Refusal].
	Refused int
}

// Error gives one problem a line.
func (p *Problems) Error() string {
	var b strings.Builder
	for i, one := range p.First {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(one.String())
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", p.More)
	}
	return b.String()
}

// Len is the number of problems, the ones not kept included.
func (p *Problems) Len() int { return len(p.First) + p.More }

func (p *Problems) add(one Problem) {
	if len(p.First) >= maxProblems {
		p.More++
		return
	}
	p.First = append(p.First, one)
}

// Join adds the problems of another file.
func (p *Problems) Join(other *Problems) {
	for _, one := range other.First {
		p.add(one)
	}
	p.More += other.More
	p.Conflicts += other.Conflicts
	p.Refused += other.Refused
}

// err is nil when there is no problem.
func (p *Problems) err() error {
	if p.Len() == 0 {
		return nil
	}
	return p
}

// alone makes an error of one problem that ends an import.
func alone(p Problem) error { return &Problems{First: []Problem{p}} }

// took files a sink's error: nil when it is none or a conflict, which becomes
// a problem at the place of where.
func (p *Problems) took(err error, where Problem) error {
	if err == nil { // first, so that a good row allocates nothing
		return nil
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		for _, one := range r.Problems {
			one.File, one.Line, one.Member = where.File, where.Line, where.Member
			p.add(one)
		}
		p.Refused++
		return nil
	}
	var c conflict
	if errors.As(err, &c) {
		where.Text = c.Conflict()
		p.add(where)
		p.Conflicts++
		return nil
	}
	return err
}
