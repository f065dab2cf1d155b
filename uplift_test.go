package uplift

import (
	"strings"
	"testing"
)

// The ids are those of a second program: SHA-256 over each field with its length
// in bytes before it.
func TestCellID(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Cell{"m", "c", "t", "a", 0}, "0bf5a4e213db3c02112a5a5b5113804d"},
		{Cell{"模型", "条件", "t1", "direct", 12}, "c567361ff9991d2732225de449549455"},
		{Cell{"", "", "", "", 0}, "a609264d925955e63b425d7b0a3e4c1e"},
		{Cell{long, "c", "t", "a", 999}, "46aae13c20c0d492520b94238f5278d8"},
		{Cell{"a1", "b", "c", "d", 3}, "5db684ecd23ba21a23e37cf83cd820dc"},
		{Cell{"a", "1b", "c", "d", 3}, "b82561f287ec354bbdf4c01fd17a2756"},
	} {
		if got := c.cell.ID(); got != c.want {
			t.Errorf("%.40s: got %s, want %s", c.cell, got, c.want)
		}
	}
}
