package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// take is how blocks are taken, in a study of utility alone.
func take(b Blocks) Options {
	opt := taskStudy()
	opt.Blocks = b
	return opt
}

// blockedStudy has ten labelled pairs of tasks t0..t9, half of them -0.5 and half
// -0.25 with the reference at 0.5; then five tasks whose condition is a block and
// whose reference is 1.
func blockedStudy(outcome uplift.Outcome) *memory {
	m := paired(spread(10)...)
	for i := range 5 {
		task := fmt.Sprintf("u%d", i)
		m.graded(place{condition: "ref", task: task}, 1)
		m.respond(place{condition: "safe", task: task, outcome: outcome})
	}
	return m
}

func sensitivity(c Contrast, method string) *Sensitivity {
	for i := range c.Sensitivity {
		if c.Sensitivity[i].Method == method {
			return &c.Sensitivity[i]
		}
	}
	return nil
}

// By hand: ten pairs sum to -3.75; five blocks against 1 add -5.
func TestBlocksCountOrStandApart(t *testing.T) {
	for _, outcome := range []uplift.Outcome{uplift.ProviderRefusal, uplift.PromptBlocked, uplift.OutputBlocked} {
		m := blockedStudy(outcome)
		plain := mustRun(t, m, take("")).find(t, "safe", Utility)
		counted, apart := mustRun(t, m, take(BlocksCount)), mustRun(t, m, take(BlocksApart))
		c, a := counted.find(t, "safe", Utility), apart.find(t, "safe", Utility)
		if plain.Pairs != 10 || plain.Unmatched != 5 || plain.Blocks != nil || plain.Bounds == nil {
			t.Errorf("%s, undeclared: %d pairs, %d unmatched, blocks %+v; want 10, 5, none", outcome, plain.Pairs, plain.Unmatched, plain.Blocks)
		}
		if c.Pairs != 15 || c.Unmatched != 0 || c.Bounds != nil || !near(c.Difference.Value, -8.75/15, 1e-12) {
			t.Errorf("%s, counted: %d pairs, %d unmatched, %v; want 15, 0, %v", outcome, c.Pairs, c.Unmatched, show(c.Difference.Value), -8.75/15)
		}
		if a.Pairs != 10 || a.Unmatched != 0 || a.Bounds != nil || !near(a.Difference.Value, -.375, 1e-12) {
			t.Errorf("%s, apart: %d pairs, %d unmatched, %v; want 10, 0, -0.375", outcome, a.Pairs, a.Unmatched, show(a.Difference.Value))
		}
		if got, want := *c.Blocks, (BlockCount{Cells: 15, Blocked: 5, Condition: 5, Pairs: 5, Zero: 5}); got != want {
			t.Errorf("%s, counted: got %+v, want %+v", outcome, got, want)
		}
		if got, want := *a.Blocks, (BlockCount{Cells: 15, Blocked: 5, Condition: 5}); got != want {
			t.Errorf("%s, apart: got %+v, want %+v", outcome, got, want)
		}
		// Each is the other's sensitivity, to the last digit.
		for _, x := range []struct {
			of     Contrast
			method string
			want   Contrast
		}{{c, MethodBlocksApart, a}, {a, MethodBlocksCounted, c}} {
			s := sensitivity(x.of, x.method)
			if s == nil || s.Value != *x.want.Difference.Value || s.Pairs != x.want.Pairs || s.Lo == nil || *s.Lo != *x.want.Difference.Lo || *s.Hi != *x.want.Difference.Hi {
				t.Errorf("%s, %s: got %+v, want %v", outcome, x.method, s, x.want.Difference)
			}
		}
		want := map[string]Mean{"counted": {Responses: 15, Blocks: 5, BlocksZero: 5}, "apart": {Responses: 10, Blocks: 5}}
		for name, r := range map[string]*Result{"counted": counted, "apart": apart} {
			if got := r.Conditions[1].Endpoints[Utility]; got.Responses != want[name].Responses || got.Missing != 0 || got.Blocks != 5 || got.BlocksZero != want[name].BlocksZero {
				t.Errorf("%s, mean %s: got %+v", outcome, name, got)
			}
		}
		if w := c.warning(CodeBlocks); !strings.HasPrefix(w, "5 of 15 matched pairs of responses hold a provider's block (5 under safe, 0 under ref): 5 of the 15 pairs") {
			t.Errorf("%s, counted: got %q", outcome, w)
		}
		if w := a.warning(CodeBlocks); !strings.Contains(w, "5 of 15") || !strings.HasSuffix(w, "the difference is over 10 pairs without one") {
			t.Errorf("%s, apart: got %q", outcome, w)
		}
	}
}

// What is no provider's block is as it was.
func TestOnlyBlocksCount(t *testing.T) {
	for _, outcome := range []uplift.Outcome{uplift.Answered, uplift.Truncated, uplift.ControllerRefused, uplift.NullAnchor, uplift.Failed, uplift.Unreported} {
		for _, b := range []Blocks{BlocksCount, BlocksApart} {
			c := mustRun(t, blockedStudy(outcome), take(b)).find(t, "safe", Utility)
			if c.Pairs != 10 || c.Unmatched != 5 || c.Blocks != nil || sensitivity(c, MethodBlocksApart) != nil || sensitivity(c, MethodBlocksCounted) != nil {
				t.Errorf("%s, %s: %d pairs, %d unmatched, blocks %+v", outcome, b, c.Pairs, c.Unmatched, c.Blocks)
			}
		}
	}
}

// A label of what was shown before a block stands in place of its 0, and is told.
func TestLabelsOfBlocksStand(t *testing.T) {
	m := blockedStudy(uplift.OutputBlocked)
	m.mark(place{condition: "safe", task: "u0", outcome: uplift.OutputBlocked}, uplift.Correctness, uplift.Human, .75)
	m.mark(place{condition: "safe", task: "u1", outcome: uplift.OutputBlocked}, uplift.Correctness, uplift.Human, 0)
	c := mustRun(t, m, take(BlocksCount)).find(t, "safe", Utility)
	if got, want := *c.Blocks, (BlockCount{Cells: 15, Blocked: 5, Condition: 5, Pairs: 5, Zero: 3, Labelled: 2, Above: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !near(c.Difference.Value, (-8.75+.75)/15, 1e-12) || !strings.HasPrefix(c.warning(CodeBlocksLabelled), "of 2 blocks with a label, above 0 on correctness: 1") {
		t.Errorf("got %v, %q", show(c.Difference.Value), c.warning(CodeBlocksLabelled))
	}
	if a := mustRun(t, m, take(BlocksApart)).find(t, "safe", Utility); a.Pairs != 10 || !near(a.Difference.Value, -.375, 1e-12) {
		t.Errorf("apart: %d pairs, %v; want the labelled blocks left out too", a.Pairs, show(a.Difference.Value))
	}
}

// Sets that are blocked on both sides count where all others are labelled. Where
// only some are, nothing says which would have been drawn for rating.
func TestBlocksThroughoutCountWhenAllIsLabelled(t *testing.T) {
	whole := paired(spread(10)...)
	for i := range 5 {
		for _, condition := range []string{"ref", "safe"} {
			whole.respond(place{condition: condition, task: fmt.Sprintf("u%d", i), outcome: uplift.PromptBlocked})
		}
	}
	whole.respond(place{condition: "ref", task: "e", outcome: uplift.Failed}) // nothing to label
	c := mustRun(t, whole, take(BlocksCount)).find(t, "safe", Utility)
	if c.Pairs != 15 || c.Blocks.Zero != 10 || !near(c.Difference.Value, -3.75/15, 1e-12) {
		t.Errorf("whole: %d pairs, %+v, %v; want 15, 10 zeros, -0.25", c.Pairs, c.Blocks, show(c.Difference.Value))
	}

	harmful := whole // its sets say nothing of the benign ones
	harmful.respond(place{condition: "safe", task: "h", tier: uplift.Harmful})
	if c := mustRun(t, harmful, take(BlocksCount)).find(t, "safe", Utility); c.Pairs != 15 {
		t.Errorf("another tier is unlabelled: %d pairs, want 15", c.Pairs)
	}

	part := whole
	part.respond(place{condition: "ref", task: "v"}) // nobody labelled it
	part.respond(place{condition: "safe", task: "v"})
	c = mustRun(t, part, take(BlocksCount)).find(t, "safe", Utility)
	if c.Pairs != 10 || c.Blocks.Zero != 0 || c.Blocks.Blocked != 5 || !near(c.Difference.Value, -.375, 1e-12) {
		t.Errorf("part: %d pairs, %+v, %v; want 10, no zero, -0.375", c.Pairs, c.Blocks, show(c.Difference.Value))
	}
	if m := mustRun(t, part, take(BlocksCount)).Conditions[1].Endpoints[Utility]; m.Responses != 10 || m.Missing != 6 || m.Blocks != 5 || m.BlocksZero != 0 {
		t.Errorf("part: mean %+v", m)
	}
}

// Where nobody labelled, nothing is declared: a study is never made of zeros alone.
func TestZerosAloneAreNoStudy(t *testing.T) {
	m := &memory{}
	for i := range 6 {
		for _, condition := range []string{"ref", "safe"} {
			m.respond(place{condition: condition, task: fmt.Sprintf("u%d", i), outcome: uplift.PromptBlocked})
		}
	}
	if r, err := Run(t.Context(), m, take(BlocksCount)); err == nil {
		t.Errorf("got %d pairs, want an error", r.pairs())
	}
	opt := take("both")
	if _, err := Run(t.Context(), paired(spread(10)...), opt); err == nil || !strings.Contains(err.Error(), `provider blocks "both" (want count or apart)`) {
		t.Errorf("got %v, want the choice named", err)
	}
}

// The rows from which the headline can be computed again are its own.
func TestPairsHoldCountedBlocks(t *testing.T) {
	for b, want := range map[Blocks]float64{BlocksCount: -8.75 / 15, BlocksApart: -.375} {
		pairs, err := Pairs(t.Context(), blockedStudy(uplift.PromptBlocked), take(b))
		if err != nil {
			t.Fatal(err)
		}
		sum, n := 0.0, 0
		for p := range pairs {
			sum, n = sum+p.Difference, n+1
		}
		if math.Abs(sum/float64(n)-want) > 1e-12 {
			t.Errorf("%s: the mean of %d rows is %v, want %v", b, n, sum/float64(n), want)
		}
	}
}

// What is labelled of one model says nothing of what is drawn of another: blocks
// throughout count for the model of which everything is labelled, and not for the
// one of which only a part is.
func TestModelsAreDrawnApart(t *testing.T) {
	m := paired(spread(10)...)
	both := func(model, task string, outcome uplift.Outcome, label bool) {
		for _, condition := range []string{"ref", "safe"} {
			p := place{model: model, condition: condition, task: task, outcome: outcome}
			if label {
				m.graded(p, 1)
			} else {
				m.respond(p)
			}
		}
	}
	for i := range 10 {
		both("part", fmt.Sprintf("t%d", i), uplift.Answered, true)
	}
	both("part", "v", uplift.Answered, false) // nobody labelled it
	for i := range 5 {
		both("m", fmt.Sprintf("u%d", i), uplift.PromptBlocked, false)
	}
	for i := range 3 {
		both("part", fmt.Sprintf("w%d", i), uplift.PromptBlocked, false)
	}
	zeros := map[string]int{}
	for _, c := range mustRun(t, m, take(BlocksCount)).Contrasts {
		if c.Condition == "safe" && c.Endpoint == Utility && c.Blocks != nil {
			zeros[c.Model] += c.Blocks.Zero
		}
	}
	if zeros["m"] != 10 || zeros["part"] != 0 {
		t.Errorf("got %v zeros, want 10 of m and none of part", zeros)
	}
}
