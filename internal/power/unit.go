package power

import (
	"strconv"
	"strings"
)

// unit is the word for the independent units of a basis.
type unit struct{ one, many string }

// unitOf is the word for a cluster: task, or family.
func unitOf(cluster string) unit {
	if cluster == "family" {
		return unit{"family", "families"}
	}
	return unit{"task", "tasks"}
}

func (u unit) count(n int) string { return counted(n, u.one, u.many) }

// named is the reason that an estimate gives for having no value, in the words
// of the reader's units.
func (u unit) named(err error) string {
	s := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "icc: "), "undefined, because ")
	return strings.NewReplacer("clusters", u.many, "cluster", u.one).Replace(s)
}

// counted is 1 pair, 2 pairs, 1,000 pairs.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s + " " + many
}
