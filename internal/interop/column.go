package interop

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift"
)

// column reads one of our fields from a record. Equal cells are read once:
// the cell's meaning is remembered, so that a million rows cost a million
// look-ups and no more strings than there are distinct cells.
type column struct {
	ours   string // a field of ours, or "value" for a grader's column
	theirs string // the file's name for it; empty for a constant or an absent one
	at     int    // place in the record; -1 when the file does not have it
	codes  map[string]string
	free   bool // text and prompts, which are not remembered

	seen   map[string]uint32 // places in cells
	cells  []cell
	last   uint32            // of the previous record
	byText map[string]uint32 // ids, where two cells may mean the same; nil where they cannot
}

// cell is what one text of a column means.
type cell struct {
	raw, text string
	id        uint32  // two cells of a column have one id exactly when they mean the same
	number    float64 // of replicate and value
	missing   bool    // empty, and the field may be
	wrong     string  // why it cannot be used
}

// fixedColumn is a column of one constant, an absent one's default included.
func fixedColumn(ours, constant string) *column {
	c := &column{ours: ours, at: -1}
	c.cells = []cell{c.parse(constant)}
	return c
}

// tableColumn reads the file's column theirs at a place in the record.
func tableColumn(ours, theirs string, at int, codes map[string]string) *column {
	c := &column{ours: ours, theirs: theirs, at: at, codes: codes,
		free: ours == "text" || ours == "prompt",
		seen: map[string]uint32{}, cells: []cell{{}}}
	if codes != nil || ours == "attack" || ours == "replicate" {
		c.byText = map[string]uint32{}
	}
	return c
}

// field names the column in a problem.
func (c *column) field() string {
	if c.theirs == "" || c.theirs == c.ours {
		return c.ours
	}
	return fmt.Sprintf("%s (column %s)", c.ours, clip(c.theirs))
}

// read returns the meaning of the record's cell, valid until the next read.
func (c *column) read(record [][]byte) *cell {
	if c.at < 0 {
		return &c.cells[0]
	}
	raw := record[c.at]
	if c.free {
		c.cells[0] = c.parse(string(raw))
		return &c.cells[0]
	}
	if raw == nil {
		raw = c.absent()
	}
	if c.last != 0 && string(raw) == c.cells[c.last].raw {
		return &c.cells[c.last]
	}
	at, ok := c.seen[string(raw)]
	if !ok {
		at = uint32(len(c.cells))
		one := c.parse(string(raw))
		one.id = at
		if c.byText != nil {
			one.id = number(c.byText, one.text)
		}
		c.cells = append(c.cells, one)
		c.seen[one.raw] = at
	}
	c.last = at
	return &c.cells[at]
}

// absent is what a JSON object without the key says.
func (c *column) absent() []byte {
	if c.ours == "grader" {
		return []byte(uplift.Human)
	}
	return []byte{}
}

// parse reads a cell through the column's map and by the rules of its field.
func (c *column) parse(raw string) cell {
	v := cell{raw: raw, text: raw}
	if c.codes != nil {
		value, ok := c.codes[raw]
		if !ok {
			value, ok = c.codes[strings.TrimSpace(raw)]
		}
		if !ok && strings.TrimSpace(raw) != "" {
			v.wrong = fmt.Sprintf("unknown code %q (want %s)", clip(raw), quotedKeys(c.codes))
			return v
		}
		v.text = value
	}
	switch c.ours {
	case "value", "replicate", "tier", "outcome", "simulated":
		v.text = strings.TrimSpace(v.text)
	}
	v.missing = v.text == ""
	c.check(&v)
	return v
}

// check reads v.text by the rules of the field.
func (c *column) check(v *cell) {
	switch c.ours {
	case "model", "condition", "task", "scale":
		if v.missing {
			v.wrong = "empty (want a name)"
		}
	case "attack":
		if v.missing {
			v.text = uplift.Direct
		}
	case "tier":
		if v.missing {
			return
		}
		if _, err := uplift.ParseTier(clip(v.text)); err != nil {
			v.wrong = err.Error()
		}
	case "outcome":
		checkOutcome(v)
	case "simulated":
		if v.text = strings.ToLower(v.text); !slices.Contains([]string{"", "true", "false"}, v.text) {
			v.wrong = fmt.Sprintf("unknown value %q (want true or false)", clip(v.raw))
		}
	case "replicate":
		checkReplicate(v)
	case "value":
		if !v.missing {
			v.number, v.wrong = parseValue(v.text)
		}
	case "grader":
		if err := checkGrader(v.text); err != nil {
			v.wrong = err.Error()
		}
	}
	if !c.free && len(v.text) > maxName {
		v.wrong = fmt.Sprintf("%d bytes long (want at most %d)", len(v.text), maxName)
	}
}

func checkOutcome(v *cell) {
	switch {
	case v.missing:
		v.text = string(uplift.Unreported)
	case !slices.Contains(uplift.Outcomes(), uplift.Outcome(v.text)):
		var known []string
		for _, o := range uplift.Outcomes() {
			known = append(known, string(o))
		}
		v.wrong = fmt.Sprintf("unknown value %q (want %s)", clip(v.text), strings.Join(known, ", "))
	}
}

func checkReplicate(v *cell) {
	if v.missing {
		v.text = "0"
		return
	}
	n, err := strconv.ParseUint(v.text, 10, 31)
	if err != nil || n == math.MaxInt32 {
		v.wrong = fmt.Sprintf("%q is no replicate (want a whole number from 0 to %d)", clip(v.text), math.MaxInt32-1)
	}
	v.number, v.text = float64(n), strconv.FormatUint(n, 10)
}

// minSize and maxSize bound the size of a value other than 0: beyond them its
// squares and cubes are no numbers any more, and nothing can be computed.
const minSize, maxSize = 1e-50, 1e50

// sized reports whether value, as it was read from s, is 0 or within the
// bounds. What is so small that it was read as 0 is not 0.
func sized(value float64, s string) bool {
	if size := math.Abs(value); size > 0 {
		return minSize <= size && size <= maxSize
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	return !strings.ContainsAny(mantissa, "123456789")
}

// parseValue reads a decimal number that the statistics take.
func parseValue(s string) (value float64, wrong string) {
	value, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrRange) || err == nil && !math.IsInf(value, 0) && !math.IsNaN(value) && !sized(value, s) {
		return 0, fmt.Sprintf("%q (want 0 or a number of size 1e-50 to 1e50)", clip(s))
	}
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) || strings.ContainsAny(s, "xX_") {
		if strings.Count(s, ",") == 1 {
			return 0, fmt.Sprintf("%q is no number (want a decimal point, such as 0.5)", clip(s))
		}
		return 0, fmt.Sprintf("%q is no finite number (want one such as 0.5)", clip(s))
	}
	return value, ""
}

// checkRange keeps the scales that are ours in [0,1].
func checkRange(scale string, value float64) (wrong string) {
	if value >= 0 && value <= 1 {
		return ""
	}
	switch scale {
	case uplift.Correctness, uplift.Actionability, uplift.Caution:
		return fmt.Sprintf("%v on the scale %s (want 0 to 1: the level divided by 4)", value, scale)
	case uplift.Compliance:
		return fmt.Sprintf("%v on the scale %s (want 0 to 1)", value, scale)
	}
	return ""
}

// quotedKeys lists the known codes of a map, the first twenty in order.
func quotedKeys(m map[string]string) string {
	keys := slices.Sorted(maps.Keys(m))
	more := ""
	if len(keys) > 20 {
		keys, more = keys[:20], fmt.Sprintf(" or one of %d more", len(keys)-20)
	}
	for i, k := range keys {
		keys[i] = strconv.Quote(clip(k))
	}
	return strings.Join(keys, ", ") + more
}

// clip keeps a message short whatever the file holds.
func clip(s string) string {
	if len(s) <= 60 {
		return s
	}
	return strings.ToValidUTF8(s[:57], "") + "..."
}
