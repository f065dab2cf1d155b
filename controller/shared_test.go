package controller

import (
	"runtime"
	"testing"
	"time"
)

func TestControllersOfOnePolicyShareTheirTables(t *testing.T) {
	both, err := NewWith(Default(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	mild, err := NewWith(Default(), Config{Actions: "none"})
	if err != nil {
		t.Fatal(err)
	}
	ablated, err := NewWith(Default(), Config{Ablate: []string{"step_by_step"}})
	if err != nil {
		t.Fatal(err)
	}
	if both.prompt.find != mild.prompt.find || both.rules.output.find != mild.rules.output.find {
		t.Error("two configurations of one policy have tables of their own")
	}
	if both.prompt.find == ablated.prompt.find && both.rules.output.find == ablated.rules.output.find {
		t.Error("a controller without a class of cues has the tables of one with it")
	}
	if automatonOf([]string{"ab", "c"}) == automatonOf([]string{"a", "bc"}) {
		t.Error("other patterns of the same letters have one table")
	}
}

func TestTablesThatNobodyUsesAreForgotten(t *testing.T) {
	passing := []string{"passing", "by"}
	held := func() bool {
		shared.Lock()
		defer shared.Unlock()
		_, ok := shared.by[keyOf(passing)]
		return ok
	}
	automatonOf(passing)
	kept := automatonOf([]string{"kept"})
	for range 1000 { // garbage is taken away in its own time
		runtime.GC()
		if !held() {
			if automatonOf([]string{"kept"}) != kept {
				t.Error("a table in use is built again")
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("a table that nobody uses is kept")
}
