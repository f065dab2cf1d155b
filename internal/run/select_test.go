package run

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/sim"
)

// unix is the beginning of a tick.
func unix(at int64) time.Time { return time.UnixMilli(at * tick.Milliseconds()) }

func TestOnlySelects(t *testing.T) {
	id := uplift.Cell{Model: "m", Condition: "safety", Task: "t3", Attack: "paraphrase"}.ID()
	for _, c := range []struct {
		only  []string
		cells int
	}{
		{nil, 54}, {[]string{"condition=safety"}, 18}, {[]string{"condition=safety", "condition=helpful"}, 36},
		{[]string{"condition=safety", "task=t1"}, 3}, {[]string{"task=t1", "attack=direct"}, 3}, {[]string{"model=m"}, 54},
		{[]string{"id=" + id}, 1}, {[]string{"id=" + id[:12], "condition=safety"}, 1}, {[]string{"id=" + id[:12], "condition=helpful"}, 0},
	} {
		t.Run(strings.Join(c.only, " "), func(t *testing.T) {
			only, err := ParseOnly(c.only)
			if err != nil {
				t.Fatal(err)
			}
			keep := newMemory()
			got, err := Run(context.Background(), study(t, sim.Model{}), keep, Options{Only: only, Concurrency: 4})
			if err != nil || got.Total != c.cells || len(keep.responses) != c.cells || got.Skipped != 54-c.cells || got.Gaps() {
				t.Errorf("%d cells, %+v, %v, want %d", len(keep.responses), got, err, c.cells)
			}
		})
	}
}

func TestOnlyIsChecked(t *testing.T) {
	for in, want := range map[string]string{
		"condition": `"condition" (want field=value, such as condition=helpful)`, "task=": `"task=" (want field=value, such as condition=helpful)`,
		"tier=benign": `unknown field "tier" (want model, condition, task, attack, split or id)`,
	} {
		if _, err := ParseOnly([]string{in}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
	only, err := ParseOnly([]string{"task=t1", "condition=safty"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), study(t, sim.Model{}), newMemory(), Options{Only: only}); err == nil || err.Error() != "only: no cell of the study has condition=safty" {
		t.Errorf("got %v, want the selector that no cell meets", err)
	}
}

func TestLimitOfCells(t *testing.T) {
	keep := newMemory()
	for _, want := range []int{20, 20, 14, 0} {
		got, err := Run(context.Background(), study(t, sim.Model{}), keep, Options{Limit: 20})
		if err != nil || got.Finished != want || got.Gaps() != (got.Held+want < 54) || len(got.Halts) != 0 {
			t.Errorf("got %+v, %v, want %d cells", got, err, want)
		}
	}
	if len(keep.responses) != 54 {
		t.Errorf("%d cells, want 54", len(keep.responses))
	}
}

// A forecast of single turns is what is then sent; of several turns what is sent
// lies in its range.
func TestForecastIsWhatIsSent(t *testing.T) {
	probe := uplift.Item{Task: "t", Attack: "probe", Turns: []string{"q"}, Next: &uplift.Next{Refused: "after no", Limited: "after some", Full: "after all"}}
	long := uplift.Item{Task: "t", Attack: "long", Turns: []string{"q", "r", "s"}}
	direct := uplift.Item{Task: "t", Attack: uplift.Direct, Turns: []string{"q"}}
	several := Spec{Items: []uplift.Item{direct, probe, long}, Replicates: 2, Conditions: []access.Condition{
		{Name: "open", ModelName: "m", System: "The board reads the form.", Model: parrot{}},
		{Name: "noted", ModelName: "m", System: "The board reads the form.", Model: parrot{}, Controller: note{}},
		{Name: "cut", ModelName: "m", System: "The board reads the form.", Model: parrot{}, Controller: cuts{}},
	}}
	for _, c := range []struct {
		name string
		spec Spec
		want Range
	}{
		{"single turns", study(t, sim.Model{}), Range{36, 36}},
		{"four models", plain(7, sim.Model{}, sim.Model{}, sim.Model{}, sim.Model{}), Range{28, 28}},
		// Two replicates of one first turn, of a second, and of two more; or of each
		// condition's own.
		{"several turns", several, Range{2 * (1 + 1 + 2), 2 * (1 + 3 + 6)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			keep := newMemory()
			f, err := Foresee(context.Background(), c.spec, keep, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var calls Range
			cells := 0
			for _, m := range f.Models {
				calls.add(m.Calls.Least, m.Calls.Most)
				cells += m.Cells
			}
			if d := cmp.Diff(c.want, calls); d != "" {
				t.Error(d)
			}
			got, err := Run(context.Background(), c.spec, keep, Options{Concurrency: 3})
			if err != nil || got.Requests < calls.Least || got.Requests > calls.Most || cells != got.Finished || f.ToRun != cells {
				t.Errorf("%d requests for %d cells, forecast %+v", got.Requests, got.Finished, f)
			}
			if f, err = Foresee(context.Background(), c.spec, keep, Options{}); err != nil || f.ToRun != 0 || f.Held != cells || f.Models[0].Calls.Most != 0 {
				t.Errorf("afterwards %+v, %v, want nothing", f, err)
			}
		})
	}
}

func TestForecastOfCostAndTime(t *testing.T) {
	spec := plain(100, parrot{})
	f, err := Foresee(context.Background(), spec, newMemory(), Options{Concurrency: 10, Limit: 60, Prices: map[string]Price{"m0": {In: 0, Out: 1e6}}})
	if err != nil {
		t.Fatal(err)
	}
	// 60 calls of at most 100 tokens, ten at once, 5 s each.
	m := f.Models[0]
	if m.CostUSD != 6000 || !m.Priced || m.Seconds != 30 || m.TokensOut.Most != 6000 || f.Later != 40 || f.ToRun != 60 {
		t.Errorf("got %+v", f)
	}
	f, err = Foresee(context.Background(), spec, newMemory(), Options{Concurrency: 10, Models: map[string]Pace{"m0": {RPM: 20}}})
	if m := f.Models[0]; err != nil || m.Seconds != 300 || m.Priced {
		t.Errorf("got %+v, %v, want 100 calls at 20 a minute", m, err)
	}
}

// The sliding minute gives what a plain list of what was used gives.
func TestMinuteAgainstAList(t *testing.T) {
	type use struct {
		tick int64
		n    int
	}
	var m minute
	m.limit = 40
	var list []use
	at := int64(17_000_000)
	for i := range 4000 {
		at += int64(i*i) % 23
		sum := 0
		for _, u := range list {
			if at-u.tick < int64(ticks) {
				sum += u.n
			}
		}
		need := i%7 + 1
		now := unix(at)
		free := m.free(now, need)
		if (sum+need <= m.limit) != free.Equal(now) {
			t.Fatalf("step %d: %d used, %d wanted, free at %s, now %s", i, sum, need, free, now)
		}
		if !free.Equal(now) { // the first moment at which the list has room
			k := at
			for {
				k++
				left := 0
				for _, u := range list {
					if k-u.tick < int64(ticks) {
						left += u.n
					}
				}
				if left+need <= m.limit {
					break
				}
			}
			if !free.Equal(unix(k)) {
				t.Fatalf("step %d: free at %s, want %s", i, free, unix(k))
			}
			continue
		}
		slot := m.use(now, need)
		if i%3 == 0 {
			m.correct(slot, 2)
			need += 2
		}
		list = append(list, use{at, need})
	}
	if len(list) < 500 || slices.IsSortedFunc(list, func(a, b use) int { return a.n - b.n }) {
		t.Fatal("too little was used")
	}
}

// A rewriter is asked for no turn or for each, whatever its drafts share.
func TestForecastOfRewriters(t *testing.T) {
	spec, most := plain(10, parrot{}), 7
	spec.Items[3].Turns = append(spec.Items[3].Turns, "and then?", "and after that?")
	spec.Items[4].Next = &uplift.Next{Refused: "a", Limited: "b", Full: "c"}
	spec.Conditions[0].Rewriter = &access.Rewriter{ModelName: "w", Model: parrot{}, Sampling: model.Sampling{MaxTokens: &most}}
	f, err := Foresee(context.Background(), spec, newMemory(), Options{Prices: map[string]Price{"w": {Out: 1e6}}})
	if err != nil || len(f.Models) != 2 {
		t.Fatalf("got %+v, %v, want the rewriter beside the model", f, err)
	}
	const turns = 10 + 2 + 1 // of a conversation, and the second of a probe
	w := f.Models[1]
	if w.Model != "w" || w.Cells != 0 || w.Calls != (Range{0, turns}) || w.TokensOut != (Range{0, 7 * turns}) || w.CostUSD != float64(7*turns) || w.TokensIn.Least != 0 || w.TokensIn.Most < 600*turns {
		t.Errorf("got %+v, want 0 to %d calls of at most 7 tokens", w, turns)
	}
	if m := f.Models[0]; m.Calls != (Range{turns, turns}) {
		t.Errorf("got %+v, want %d calls, none of the rewriter's", m, turns)
	}
}
