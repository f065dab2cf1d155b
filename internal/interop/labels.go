package interop

import (
	"errors"
	"fmt"
	"io"

	"github.com/uplift-eval/uplift"
)

// Labels reads a table of labels: CSV (comma, semicolon or tab, whichever
// fits the header) or JSONL, by the name's suffix or else the first byte.
//
// The columns are model, condition, task, scale and value, which are required
// in the file or in opt, and family, tier, split, attack (default direct),
// replicate (default 0), outcome (default unreported), prompt, text, grader
// (default human) and simulated (default false). A row without a tier is kept and enters no endpoint; a row
// whose value is empty keeps its response and gives no label. The value of one
// grader for one response on one scale may be stated again, but not otherwise.
//
// Names are taken exactly as they stand; spaces around a tier, an outcome, a
// replicate or a value do not count. Other columns are ignored and listed.
func Labels(r io.Reader, name string, opt LabelOptions, sink Sink) (Counts, error) {
	t, format, err := openTable(r, name, wantedColumns(opt))
	if err != nil {
		return Counts{}, openError(name, err)
	}
	bound, wrong := bindLabels(t, opt)
	if len(wrong) > 0 {
		var ps Problems
		for _, text := range wrong {
			ps.add(Problem{File: name, Line: 1, Text: text})
		}
		return Counts{}, &ps
	}
	p := &labelReader{file: name, bound: bound, sink: sink, counts: Counts{Format: format},
		set: newSet(), batch: make([]uplift.Label, 0, len(bound.graders))}
	if err := readTable(t, name, &p.problems, p.row); err != nil {
		return Counts{}, err
	}
	p.counts.Ignored = unread(t, bound)
	return p.counts, p.finish()
}

// openError places an error of opening a table: of an unreadable file it is
// the reader's own, else a problem.
func openError(name string, err error) error {
	var bad *badRecord
	if errors.As(err, &bad) {
		return alone(Problem{File: name, Line: 1, Text: err.Error()})
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readTable calls row for each record until the file or the sink ends.
func readTable(t table, name string, ps *Problems, row func(record [][]byte, line int) error) error {
	for {
		record, line, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = row(record, line)
		} else {
			err = unreadable(err, Problem{File: name, Line: line}, ps)
		}
		if err != nil {
			return err
		}
	}
}

// unreadable files a record that cannot be read. What it returns ends the file.
func unreadable(err error, where Problem, ps *Problems) error {
	var bad *badRecord
	if !errors.As(err, &bad) {
		return fmt.Errorf("%s:%d: %w", where.File, where.Line, err)
	}
	where.Field, where.Text = bad.field, bad.text
	ps.add(where)
	if bad.last {
		return ps
	}
	return nil
}

// labelReader turns rows into responses and labels.
type labelReader struct {
	file     string
	bound    *binding
	sink     Sink
	counts   Counts
	problems Problems

	set   *set
	batch []uplift.Label // of one row
}

// row reads one record. It reports every bad cell of it, not only the first.
func (p *labelReader) row(record [][]byte, line int) error {
	before := p.problems.Len()
	r, key := p.response(record, line)
	scale := p.bound.scale.read(record)
	p.check(p.bound.scale, scale, line)
	p.batch = p.batch[:0]
	for i, g := range p.bound.graders {
		p.graded(record, line, r, g, scale.text, [3]uint32{uint32(i), scale.id}, key)
	}
	if p.problems.Len() > before {
		return nil
	}
	p.counts.Rows++
	if r.Item.Tier == uplift.Untiered {
		p.counts.Untiered++
	}
	err := p.sink.Add(r, p.batch...)
	return p.problems.took(err, Problem{File: p.file, Line: line})
}

// response reads all but the labels. Its key is the number of the cell among
// the distinct ones.
func (p *labelReader) response(record [][]byte, line int) (uplift.Response, uint32) {
	b := p.bound
	var id [4]uint32
	get := func(c *column) (*cell, uint32) {
		v := c.read(record)
		p.check(c, v, line)
		return v, v.id
	}
	var r uplift.Response
	var v *cell
	v, id[0] = get(b.model)
	r.Model = v.text
	v, id[1] = get(b.condition)
	r.Condition = v.text
	v, id[2] = get(b.attack)
	r.Attack = v.text
	v, id[3] = get(b.replicate)
	r.Replicate = int(v.number)
	v, task := get(b.task)
	r.Task = v.text
	v, _ = get(b.family)
	r.Item = uplift.Item{Task: r.Task, Attack: r.Attack, Family: v.text}
	v, _ = get(b.split)
	r.Item.Split = v.text
	v, _ = get(b.tier)
	r.Item.Tier = uplift.Tier(v.text)
	v, _ = get(b.outcome)
	r.Outcome = uplift.Outcome(v.text)
	if v, _ = get(b.prompt); v.text != "" {
		r.Item.Turns = []string{v.text}
	}
	v, _ = get(b.text)
	r.Text = v.text
	v, _ = get(b.simulated)
	r.Simulated = v.text == "true"
	return r, p.set.cell(id, task)
}

// graded reads one grader's value of a record.
func (p *labelReader) graded(record [][]byte, line int, r uplift.Response, g gradedColumn, scale string, by [3]uint32, key uint32) {
	grader := g.grader.read(record)
	p.check(g.grader, grader, line)
	v := g.value.read(record)
	p.check(g.value, v, line)
	if v.wrong != "" {
		return
	}
	if v.missing {
		p.counts.Missing++
		return
	}
	if wrong := checkRange(scale, v.number); wrong != "" {
		p.problem(line, g.value, wrong)
		return
	}
	by[2] = grader.id
	if old, again := p.set.label(key, by, stated{line, v.number}); again {
		p.counts.Duplicates++
		if old.value != v.number {
			p.problem(line, g.value, fmt.Sprintf("%v for %s by %s on %s, but %v on line %d (want one value)",
				v.number, r.Cell, grader.text, scale, old.value, old.line))
		}
		return
	}
	p.counts.Labels++
	p.batch = append(p.batch, labelOf(r, scale, v.number, grader.text))
}

func (p *labelReader) check(c *column, v *cell, line int) {
	if v.wrong != "" {
		p.problem(line, c, v.wrong)
	}
}

func (p *labelReader) problem(line int, c *column, text string) {
	p.problems.add(Problem{File: p.file, Line: line, Field: c.field(), Text: text})
}

// finish sums up a file that was read to its end.
func (p *labelReader) finish() error {
	p.counts.Responses = p.set.responses()
	if p.counts.Rows == 0 && p.problems.Len() == 0 {
		p.problems.add(Problem{File: p.file, Text: "no rows (want at least one below the header)"})
	}
	return p.problems.err()
}

// labelOf is one label of a response.
func labelOf(r uplift.Response, scale string, value float64, grader string) uplift.Label {
	return uplift.Label{Cell: r.Cell, Family: r.Item.Family, Split: r.Item.Split, Tier: r.Item.Tier,
		Outcome: r.Outcome, Scale: scale, Value: value, Grader: grader}
}

// wantedColumns are the file's columns that a header is recognised by.
func wantedColumns(opt LabelOptions) []string {
	var names []string
	for _, ours := range fields() {
		if theirs, ok := opt.Columns[ours]; ok {
			names = append(names, theirs)
		} else if _, ok := opt.Set[ours]; !ok {
			names = append(names, ours)
		}
	}
	for _, g := range opt.Graders {
		names = append(names, g.Column)
	}
	return names
}

// unread lists the file's columns that nothing asked for.
func unread(t table, b *binding) []string {
	read := map[string]bool{}
	for _, c := range []*column{b.model, b.condition, b.task, b.family, b.tier, b.split, b.attack,
		b.replicate, b.outcome, b.prompt, b.text, b.scale, b.simulated} {
		read[c.theirs] = true
	}
	for _, g := range b.graders {
		read[g.value.theirs], read[g.grader.theirs] = true, true
	}
	var names []string
	for _, name := range t.columns() {
		if !read[name] {
			names = append(names, name)
		}
	}
	more := 0
	if j, ok := t.(*jsonTable); ok {
		more = j.more
	}
	return shown(names, more)
}
