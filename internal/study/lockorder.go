package study

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// LockedSplits lists the splits of a plan that want a lock before their first
// response: test, and test-b where the preset powered asks both.
func LockedSplits(p Plan, tasks []uplift.Task) []string {
	has := func(split string) bool {
		return slices.ContainsFunc(tasks, func(t uplift.Task) bool { return t.Split == split })
	}
	locked := []string{}
	if has(uplift.Test) {
		locked = append(locked, uplift.Test)
		if has(uplift.TestB) && p.Audit.Preset == powered {
			locked = append(locked, uplift.TestB)
		}
	}
	return locked
}

// powered is the preset of an audit that locks test and test-b together.
const powered = "powered"

// TaskOrder is a drawn order of tasks, for bounds that depend on one: by the
// SHA-256 of the seed (8 bytes, the most significant first) followed by the id.
// The order of some of the tasks is that in which they stand among all.
func TaskOrder(seed uint64, ids []string) []string {
	type drawn struct {
		id  string
		key [sha256.Size]byte
	}
	all := make([]drawn, len(ids))
	for i, id := range ids {
		all[i] = drawn{id, sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), id...))}
	}
	slices.SortFunc(all, func(a, b drawn) int {
		return cmp.Or(bytes.Compare(a.key[:], b.key[:]), cmp.Compare(a.id, b.id))
	})
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.id
	}
	return out
}

// cellOrder lists the ids of the cells, a line each, in the order in which they
// are run: by item, replicate, model and condition.
func cellOrder(p Plan, items []uplift.Item) []byte {
	var out bytes.Buffer
	for _, item := range items {
		for rep := range p.Replicates {
			for _, m := range p.Models {
				for _, c := range p.Conditions.List {
					cell := uplift.Cell{Model: m.Name, Condition: c.Name, Task: item.Task, Attack: item.Attack, Replicate: rep}
					out.WriteString(cell.ID())
					out.WriteByte('\n')
				}
			}
		}
	}
	return out.Bytes()
}
