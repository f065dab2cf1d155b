package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// heatMap is a table of two marks of one response, by value. It is a table
// whose cells are tinted, so that it needs no picture beside it.
type heatMap struct {
	Title  string // what it is of
	Counts string
	Row    string // whose marks the rows are; empty for coincidences
	Column string
	Sums   bool // of coincidences
	Head   []string
	Rows   []heatRow
	Total  []string // by column, and of all
	Why    string   // why there is no table
}

type heatRow struct {
	Value string
	Cells []heatCell
	Sum   string
}

// heatCell is how often two marks met.
type heatCell struct {
	Count string
	Share string // of all; empty for none
	Step  int    // of heatSteps; 0: none
	Same  bool   // on the diagonal
}

// heatStep is one tint: from this share of the table on, in per cent.
type heatStep struct {
	Step int
	Text string
}

// heatFrom are the shares at which the tints begin, ascending. Rare cells are
// those that tell raters apart, so the steps widen.
var heatFrom = [...]float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4}

var heatSteps = func() []heatStep {
	out := []heatStep{{1, "below 1" + firm + "%"}}
	for i, from := range heatFrom[1:] {
		to := "–" + round(100*heatFrom[min(i+2, len(heatFrom)-1)], 0)
		if i+2 == len(heatFrom) {
			to = firm + "% and more"
		}
		out = append(out, heatStep{i + 2, round(100*from, 0) + to})
	}
	return out
}()

// stepOf is the tint of a share: 0 for none, else 1 to len(heatFrom).
func stepOf(share float64) int {
	step := 0
	for i, from := range heatFrom {
		if share > 0 && share >= from {
			step = i + 1
		}
	}
	return step
}

// mostHeatValues is the widest table that is drawn.
const mostHeatValues = 12

// heatOf is the table of an entry: of two raters when there are no more, else
// the coincidences of all.
func heatOf(s *analysis.ScaleAgreement) heatMap {
	h := heatMap{Title: tierTitle(s.Tier), Counts: plural(s.Shared, "response", "responses") + " marked twice or more"}
	if why := s.Undefined["coincidences"]; why != "" {
		h.Why = text(why)
		return h
	}
	if len(s.Pairs) == 1 && s.Raters == 2 {
		return h.ofPair(s, &s.Pairs[0])
	}
	h.Sums = true
	h.fill(s.Values, s.Coincidences)
	return h
}

func tierTitle(tier string) string {
	if tier == analysis.AllTiers {
		return "All tiers"
	}
	return capitalName(name(tier))
}

// axisName is the longest name beside a table, in runes.
const axisName = 24

// ofPair is the table of two raters.
func (h heatMap) ofPair(s *analysis.ScaleAgreement, p *analysis.RaterPair) heatMap {
	h.Row, h.Column = cutMiddle(name(p.A), axisName), cutMiddle(name(p.B), axisName)
	h.Counts = plural(p.Shared, "response", "responses") + " marked by both"
	table := make([][]float64, len(p.Table))
	for i, row := range p.Table {
		for _, n := range row {
			table[i] = append(table[i], float64(n))
		}
	}
	h.fill(s.Values, table)
	return h
}

// fill takes a table of len(values) rows and columns.
func (h *heatMap) fill(values []float64, table [][]float64) {
	switch {
	case len(table) == 0 || len(table) != len(values):
		h.Why = "no table"
		return
	case len(values) > mostHeatValues:
		h.Why = plural(len(values), "value", "values") + " were marked; the table stands in the JSON"
		return
	}
	all, columns := 0.0, make([]float64, len(values))
	for _, row := range table {
		for k, n := range row {
			all += n
			columns[k] += n
		}
	}
	if all == 0 {
		h.Why = "no response has two marks"
		return
	}
	for i, row := range table {
		r, sum := heatRow{Value: level(values[i])}, 0.0
		for k, n := range row {
			r.Cells = append(r.Cells, heatCell{Count: weight(n), Share: heatShare(n / all), Step: stepOf(n / all), Same: i == k})
			sum += n
		}
		r.Sum = weight(sum)
		h.Head, h.Rows, h.Total = append(h.Head, r.Value), append(h.Rows, r), append(h.Total, weight(columns[i]))
	}
	h.Total = append(h.Total, weight(all))
}

// level is a value of a scale: at most three decimals.
func level(v float64) string {
	return strings.Replace(strconv.FormatFloat(nearest(v*1000)/1000, 'f', -1, 64), "-", minus, 1)
}

// weight is a count, or a sum of parts: below 100 with one decimal.
func weight(v float64) string {
	if v >= 100 || math.Abs(v-math.Round(v)) < 1e-9 {
		return count(int(math.Round(v)))
	}
	return round(v, 1)
}

func heatShare(share float64) string {
	switch {
	case share == 0:
		return ""
	case share < 0.01:
		return "<" + firm + "1" + firm + "%"
	}
	return round(100*share, 0) + firm + "%"
}
