package analysis

import (
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// Blocks says what a provider's blocks are to the endpoints. The zero value
// takes them as any response: by their labels, and missing without one.
type Blocks string

// The ways to take blocks.
const (
	BlocksCount Blocks = "count" // a block without a label is 0 on every endpoint
	BlocksApart Blocks = "apart" // a block is in no endpoint, labelled or not
)

// BlockedDefinition says which responses are blocks and what they are to the
// endpoints, for a reader.
const BlockedDefinition = `A response is a provider's block when it ended as provider_refusal, prompt_blocked or output_blocked. ` +
	`Counted, a block without a label is 0 on the scale of every endpoint; a label of what was shown stands in its place. ` +
	`A block counts in a matched set of which the grader labelled something, and in one that is blocked throughout where every other set of its model and tier has a label: else what nobody drew for rating would weigh more than what was drawn. ` +
	`Apart, a block is in no mean and no pair, labelled or not.`

// The other choice, as a sensitivity of a difference.
const (
	MethodBlocksApart   = "blocks_apart"
	MethodBlocksCounted = "blocks_counted"
)

// Warnings on blocks.
const (
	CodeBlocks         = "provider_blocks"
	CodeBlocksLabelled = "blocks_labelled"
)

func (b Blocks) valid() error {
	if b != "" && b != BlocksCount && b != BlocksApart {
		return fmt.Errorf("provider blocks %q (want count or apart)", b)
	}
	return nil
}

// other is the choice that was not made.
func (b Blocks) other() (Blocks, string) {
	if b == BlocksApart {
		return BlocksCount, MethodBlocksCounted
	}
	return BlocksApart, MethodBlocksApart
}

// BlockCount says how blocks enter a contrast. Cells are of matched pairs of
// responses, labelled or not.
type BlockCount struct {
	Cells     int `json:"cells"`     // pairs of responses on the endpoint's tiers, blocked or not
	Blocked   int `json:"blocked"`   // of them: with a block on a side
	Condition int `json:"condition"` // blocks under the condition
	Reference int `json:"reference"` // blocks under the reference
	Pairs     int `json:"pairs"`     // of the contrast's pairs: with a block on a side
	Zero      int `json:"zero"`      // blocks in these pairs that are 0 without a label
	Labelled  int `json:"labelled"`  // blocks with a label of the grader, used or not
	Above     int `json:"above"`     // of Labelled: above 0
}

// blocked reports whether a cell is a provider's block.
func (t *table) blocked(cell int) bool {
	switch t.outcome(cell) {
	case uplift.ProviderRefusal, uplift.PromptBlocked, uplift.OutputBlocked:
		return true
	}
	return false
}

// declare marks the blocks that are 0 where blocks count. It reads the labels
// as they were given.
func (t *table) declare() {
	t.zero = make([]bool, len(t.has))
	for _, column := range t.endpoints {
		if t.columns[column].grader == "" {
			continue // nobody labels, so that nothing says what is asked of whom
		}
		partly := t.partlyDrawn(column)
		t.sets(func(lo, hi int) {
			free, drawn := t.drawn(lo, hi, column)
			if !drawn && (free || partly[t.stratum(lo)]) {
				return
			}
			for i := lo; i < hi; i++ {
				at := i*len(t.columns) + column
				t.zero[at] = t.blocked(i) && !t.has[at]
			}
		})
	}
}

// sets visits the matched sets: cells of one model, item and replicate.
func (t *table) sets(visit func(lo, hi int)) {
	for m := range t.models.list {
		t.blocks(int32(m), visit)
	}
}

// stratum is what is drawn for rating as a whole or in part.
type stratum struct {
	model int32
	tier  uplift.Tier
}

func (t *table) stratum(cell int) stratum { return stratum{t.cells[cell].model(), t.tier(cell)} }

// partlyDrawn tells the strata that hold a set which could be labelled and was
// not.
func (t *table) partlyDrawn(column int) map[stratum]bool {
	out := map[stratum]bool{}
	t.sets(func(lo, hi int) {
		if free, drawn := t.drawn(lo, hi, column); free && !drawn {
			out[t.stratum(lo)] = true
		}
	})
	return out
}

// drawn reports whether a set holds anything but blocks and errors, and whether
// the grader of a column labelled any of it on any scale: a scale need not apply.
func (t *table) drawn(lo, hi, column int) (free, drawn bool) {
	for i := lo; i < hi; i++ {
		free = free || !t.blocked(i) && t.outcome(i) != uplift.Failed
		for k, c := range t.columns {
			drawn = drawn || t.has[i*len(t.columns)+k] && c.grader == t.columns[column].grader
		}
	}
	return free, drawn
}

// valueAs is the value of a cell in a column as blocks are taken.
func (t *table) valueAs(b Blocks, cell, column int) (float64, bool) {
	i := cell*len(t.columns) + column
	switch {
	case b == BlocksCount && t.zero[i]:
		return 0, true
	case b == BlocksApart && t.blocked(cell) && slices.Contains(t.endpoints, column):
		return 0, false
	}
	return t.values[i], t.has[i]
}

// blockCount counts the blocks of a plan; nil where the study does not say how
// they are taken, or has none there.
func (t *table) blockCount(p plan, pairs []pair) *BlockCount {
	if t.blockedAs == "" {
		return nil
	}
	var n BlockCount
	t.match(p, func(c, r int) {
		if c < 0 || r < 0 {
			return
		}
		n.Cells++
		n.Condition += t.countBlock(&n, c, p.column)
		n.Reference += t.countBlock(&n, r, p.column)
		if t.blocked(c) || t.blocked(r) {
			n.Blocked++
		}
	})
	for _, x := range pairs {
		if !t.blocked(x.condition) && !t.blocked(x.reference) {
			continue
		}
		n.Pairs++
		for _, cell := range []int{x.condition, x.reference} {
			if t.zero[cell*len(t.columns)+p.column] {
				n.Zero++
			}
		}
	}
	if n.Blocked == 0 {
		return nil
	}
	return &n
}

// countBlock is 1 for a block, whose label it counts.
func (t *table) countBlock(n *BlockCount, cell, column int) int {
	if !t.blocked(cell) {
		return 0
	}
	if i := cell*len(t.columns) + column; t.has[i] {
		n.Labelled++
		if t.values[i] > 0 {
			n.Above++
		}
	}
	return 1
}

// otherwise is the difference with blocks taken the other way, by the headline's
// method and under its guards. There is none without a block.
func (t *table) otherwise(c *Contrast, p plan, opt Options) ([]Sensitivity, error) {
	if c.Blocks == nil {
		return nil, nil
	}
	b, method := t.blockedAs.other()
	m := t.pairUpAs(b, p)
	out := Sensitivity{Method: method, Pairs: len(m.pairs), Assumes: "independent " + opt.Cluster.plural() + "; a provider's block stands apart"}
	if b == BlocksCount {
		out.Assumes = "independent " + opt.Cluster.plural() + "; a provider's block without a label is 0"
	}
	if len(m.pairs) == 0 {
		out.Withheld = "no pair carries a label on both sides"
		return []Sensitivity{out}, nil
	}
	s, err := t.sample(m.pairs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	e, _ := estimate(s, t.judge(s, opt.Cluster), opt.Level)
	out.Value, out.Lo, out.Hi, out.Withheld = *e.Value, e.Lo, e.Hi, t.judge(s, opt.Cluster).interval
	return []Sensitivity{out}, nil
}

// warnBlocks says how many of the matched pairs a block is in, and what it is
// there.
func (c *Contrast) warnBlocks(b Blocks) {
	n := c.Blocks
	if n == nil {
		return
	}
	where := fmt.Sprintf("%d of %d matched pairs of responses hold a provider's block (%d under %s, %d under %s)",
		n.Blocked, n.Cells, n.Condition, c.Condition, n.Reference, c.Reference)
	if b == BlocksApart {
		c.warn(CodeBlocks, "%s: they stand apart, and the difference is over %d pairs without one", where, c.Pairs)
		return
	}
	c.warn(CodeBlocks, "%s: %d of the %d pairs of the difference do; as the study declares, a block without a label is 0 there (so many: %d)", where, n.Pairs, c.Pairs, n.Zero)
	if n.Above > 0 {
		c.warn(CodeBlocksLabelled, "of %[2]d blocks with a label, above 0 on %[3]s: %[1]d; so might those be that are 0 without one: label every block that showed a text", n.Above, n.Labelled, c.Scale)
	}
}
