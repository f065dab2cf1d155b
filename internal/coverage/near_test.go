package coverage

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	for _, c := range []struct {
		name     string
		method   string
		clusters int
		at       int
		ok       bool
	}{
		{"simulated", "cr2", 18, 18, true},
		{"between: the one not above", "cr2", 30, 18, true},
		{"a tenth below counts as there", "boot_t", 17, 18, true},
		{"more than a tenth below does not", "boot_t", 16, 6, true},
		{"above all", "task_bca", 5000, 108, true},
		{"below all", "task_bca", 5, 0, false},
		{"none", "task_bca", 0, 0, false},
		{"unknown method", "cr4", 18, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			lo, hi, at, ok := Near(c.method, c.clusters)
			if at != c.at || ok != c.ok {
				t.Fatalf("at %d, ok %v, want %d, %v", at, ok, c.at, c.ok)
			}
			least, most := 2.0, -1.0
			for _, r := range Rows() {
				if r.Method == c.method && r.Clusters == c.at {
					least, most = min(least, r.Coverage), max(most, r.Coverage)
				}
			}
			if ok && (lo != least || hi != most) || !ok && (lo != 0 || hi != 0) {
				t.Errorf("%v to %v, want %v to %v", lo, hi, least, most)
			}
		})
	}
}

func TestRowsAreACopy(t *testing.T) {
	rows := Rows()
	rows[0] = Row{}
	if Rows()[0] == rows[0] {
		t.Error("writing to the result changed the table")
	}
}

func TestParseRefuses(t *testing.T) {
	head := strings.Join(columns, ",") + "\n"
	if _, err := parse(head + "sparse,0.07,6,cr2,0.95,10,0,0,8,1,1,0.2\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no header"},
		{"header", strings.Replace(head, "icc", "rho", 1), "no header"},
		{"fields", head + "sparse,0.07\n", "wrong number of fields"},
		{"number", head + "sparse,0.07,six,cr2,0.95,10,0,0,8,1,1,0.2\n", `line 2: clusters: "six"`},
		{"NaN", head + "sparse,NaN,6,cr2,0.95,10,0,0,8,1,1,0.2\n", "line 2: icc"},
		{"sum", head + "sparse,0.07,6,cr2,0.95,10,0,0,8,1,2,0.2\n", "do not add to 10"},
		{"none", head + "sparse,0.07,6,cr2,0.95,0,0,0,0,0,0,0.2\n", "want at least one"},
	} {
		if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
