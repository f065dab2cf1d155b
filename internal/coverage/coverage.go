// Package coverage answers how often each interval holds the truth.
//
// The answers are measured, not derived: coverage.csv holds them, and the tests
// of this package make it, by simulating studies whose truth is known. The
// processes and the conclusions are in doc/coverage.md. Nothing is simulated
// when the package is used.
package coverage

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Row is what was measured of one method under one process and number of
// clusters.
type Row struct {
	Method   string  // such as "cr2" or "task_bca"
	Process  string  // what the studies were drawn from, such as "sparse"
	ICC      float64 // intraclass correlation of the process
	Clusters int     // tasks of each simulated study
	Level    float64 // nominal, such as 0.95

	// Shares of the simulations, in [0,1], that add to 1: the interval holds the
	// truth, the truth lies below it, the truth lies above it.
	Coverage, MissLow, MissHigh float64

	Width       float64 // mean width, in units of the scale; 0 for a test, which has none
	Simulations int     // in which the interval exists
	Undefined   int     // further ones in which it does not, such as with all differences equal
	Replicates  int     // resamples of each simulation; 0 for a closed form
}

//go:embed coverage.csv
var measured string

var table = sync.OnceValue(func() []Row {
	rows, err := parse(measured)
	if err != nil {
		panic("coverage: " + err.Error()) // embedded, and held by a test
	}
	return rows
})

// Rows lists all that was measured: by process, clusters and method.
func Rows() []Row { return append([]Row(nil), table()...) }

// Near is the range of the coverage of a method over the processes it was
// measured under, at one simulated number of clusters: the largest that is not
// above the given number by more than a tenth. It is not ok for a method that
// was not measured, nor for fewer clusters than it was measured with.
func Near(method string, clusters int) (lo, hi float64, at int, ok bool) {
	for _, r := range table() {
		if r.Method == method && 10*r.Clusters <= 11*clusters {
			at = max(at, r.Clusters)
		}
	}
	for _, r := range table() {
		if r.Method != method || r.Clusters != at {
			continue
		}
		if !ok {
			lo, hi, ok = r.Coverage, r.Coverage, true
		}
		lo, hi = min(lo, r.Coverage), max(hi, r.Coverage)
	}
	return lo, hi, at, ok
}

var columns = []string{"process", "icc", "clusters", "method", "level", "simulations", "undefined", "replicates",
	"covered", "miss_low", "miss_high", "width"}

func parse(text string) ([]Row, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = len(columns)
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || strings.Join(records[0], ",") != strings.Join(columns, ",") {
		return nil, fmt.Errorf("no header (want %s)", strings.Join(columns, ","))
	}
	rows := make([]Row, 0, len(records))
	for i, record := range records[1:] {
		row, err := parseRow(record)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func parseRow(record []string) (Row, error) {
	x := make(map[string]float64)
	for i, name := range columns {
		if name == "process" || name == "method" {
			continue
		}
		v, err := strconv.ParseFloat(record[i], 64)
		if err != nil || !(v >= -1 && v <= 1e9) {
			return Row{}, fmt.Errorf("%s: %q (want a number)", name, record[i])
		}
		x[name] = v
	}
	n := x["simulations"]
	if n < 1 || x["covered"]+x["miss_low"]+x["miss_high"] != n {
		return Row{}, fmt.Errorf("covered and missed do not add to %g simulations (want at least one)", n)
	}
	return Row{
		Method: record[3], Process: record[0], ICC: x["icc"], Clusters: int(x["clusters"]), Level: x["level"],
		Coverage: x["covered"] / n, MissLow: x["miss_low"] / n, MissHigh: x["miss_high"] / n, Width: x["width"],
		Simulations: int(n), Undefined: int(x["undefined"]), Replicates: int(x["replicates"]),
	}, nil
}
