package store

import (
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// known is what a store holds, compactly: names once, everything else by
// number. Ids are dense, so an id is a position: names from 0 (the empty
// name), all others from 1, which is position 0.
//
// It serves both ways. A reader loads it, sorts it and walks it; a writer
// keeps it beside the file, checks each row against it, and flushes what has
// been appended to it.
type known struct {
	names     []string
	nameAt    map[string]int32
	arms      []pair // model, condition
	armAt     map[pair]int32
	measures  []pair // scale, grader
	measureAt map[pair]int32
	items     []item
	itemAt    map[pair]int32 // by task, attack
	responses paged[response]
	cells     cellIndex
	labels    paged[label]
	sums      paged[sums] // of the responses that have texts or details
	rater     []bool      // by measure: a single rater's own mark
	imports   int32       // the last id
	schema                // of the file
}

type pair [2]int32

// item is what is known of a task under one attack. A name of 0 states nothing.
type item struct {
	task, attack        int32
	family, split, tier int32
	turns               uint64 // a sum; 0 states nothing
	file                int32  // the import that stated fields last
	fields              fields // which it stated
}

type response struct {
	arm, item, replicate int32 // positions, but for the replicate
	outcome              int32 // a name
	first                int32 // label, -1 for none
	sums                 int32 // -1 for none
	file                 int32
	fields               fields
	simulated, detailed  bool
}

type label struct {
	value     float64
	response  int32
	measure   int32
	next      int32 // of the same response, -1 for none
	revision  int32
	file      int32 // the import that stated it last, when this process made that import
	na        bool  // a mark that says "does not apply"; only among a reader's
	elsewhere bool  // a mark of a row that is yielded on the row's first response
}

// sums are of what is too long to keep in memory; 0 for what is not stated.
type sums struct {
	text, draft, transcript, decision, call, detail, withheld uint64
}

// fields is a set of fields that one file has stated, so that a file which
// contradicts itself is found even where it may supersede.
type fields uint16

func newKnown() *known {
	return &known{nameAt: map[string]int32{}, armAt: map[pair]int32{}, measureAt: map[pair]int32{}, itemAt: map[pair]int32{}}
}

// name gives the number of a name, and remembers a copy of a new one.
func (k *known) name(s string) int32 {
	if id, ok := k.nameAt[s]; ok {
		return id
	}
	s = strings.Clone(s)
	id := int32(len(k.names))
	k.names = append(k.names, s)
	k.nameAt[s] = id
	return id
}

func (k *known) arm(model, condition int32) int32 {
	return intern(&k.arms, k.armAt, pair{model, condition})
}

func (k *known) measure(scale, grader int32) int32 {
	m := intern(&k.measures, k.measureAt, pair{scale, grader})
	if int(m) == len(k.rater) {
		k.rater = append(k.rater, strings.HasPrefix(k.names[grader], uplift.RaterPrefix))
	}
	return m
}

func intern(list *[]pair, at map[pair]int32, p pair) int32 {
	i, ok := at[p]
	if !ok {
		i = int32(len(*list))
		*list = append(*list, p)
		at[p] = i
	}
	return i
}

func (k *known) cell(r *response) uplift.Cell {
	arm, it := k.arms[r.arm], &k.items[r.item]
	return uplift.Cell{Model: k.names[arm[0]], Condition: k.names[arm[1]],
		Task: k.names[it.task], Attack: k.names[it.attack], Replicate: int(r.replicate)}
}

// find gives the position of a cell's response, or -1.
func (k *known) find(arm, item, replicate int32) int32 {
	return k.cells.find(&k.responses, arm, item, replicate)
}

func (k *known) addResponse(r response) int32 {
	pos := k.responses.add(r)
	k.cells.add(&k.responses, pos)
	return pos
}

// findLabel gives the position of a response's label by one measure, or -1.
func (k *known) findLabel(response, measure int32) int32 {
	at := k.responses.at(response).first
	for at >= 0 && k.labels.at(at).measure != measure {
		at = k.labels.at(at).next
	}
	return at
}

func (k *known) addLabel(l label) {
	r := k.responses.at(l.response)
	l.next = r.first
	r.first = k.labels.add(l)
}

// sumsOf gives a response's sums, to be changed; it makes room for them.
func (k *known) sumsOf(r *response) *sums {
	if r.sums < 0 {
		r.sums = k.sums.add(sums{})
	}
	return k.sums.at(r.sums)
}
