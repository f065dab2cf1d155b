package power

import (
	"errors"
	"fmt"
	"math"

	"github.com/uplift-eval/uplift/stats"
)

// Source says where a basis comes from. The zero value is invalid.
type Source string

// The sources.
const (
	Interval Source = "interval" // a published difference with its interval
	Pilot    Source = "pilot"    // the pairs of a study
	Numbers  Source = "numbers"  // a standard deviation, and perhaps an ICC, as given
)

// Basis is what is known of one contrast. A pointer is nil where the basis does
// not hold the number.
type Basis struct {
	Source    Source `json:"source"`
	Model     string `json:"model,omitempty"` // of a pilot, as the next four
	Condition string `json:"condition,omitempty"`
	Reference string `json:"reference,omitempty"`
	Endpoint  string `json:"endpoint,omitempty"`
	Scale     string `json:"scale,omitempty"`

	Difference *float64 `json:"difference"`
	Lo         *float64 `json:"lo"`
	Hi         *float64 `json:"hi"`
	Pairs      int      `json:"pairs"`  // 0: not known
	Tasks      int      `json:"tasks"`  // 0: not known
	Differ     int      `json:"differ"` // of a pilot: tasks whose pairs do not cancel to 0
	SD         float64  `json:"sd"`     // of one pair's difference
	SE         *float64 `json:"se"`     // of the difference, as the basis has it
	ICC        *float64 `json:"icc"`    // as estimated, perhaps below 0
	ICCLo      *float64 `json:"icc_lo"` // nil, as ICCHi, where the pairs of every task are equal
	ICCHi      *float64 `json:"icc_hi"`
	SDFrom     string   `json:"sd_from"` // in words
	ICCFrom    string   `json:"icc_from"`
	Rated      *Rated   `json:"rated"` // of a pilot with raters' own marks

	Margin float64 `json:"margin,omitempty"` // of a pilot's endpoint, where the question names none
	Better Better  `json:"better,omitempty"` // likewise

	// Cluster is what a pilot's tasks are: task, also where it is empty, or family.
	Cluster string `json:"-"`

	published *stats.Published
}

// PairsPerTask is the mean number of pairs a task; 0 where it is not known.
func (b Basis) PairsPerTask() float64 {
	if b.Tasks <= 0 {
		return 0
	}
	return float64(b.Pairs) / float64(b.Tasks)
}

// FromInterval is the basis that a published difference gives: its interval is
// taken as a normal one of independent pairs.
func FromInterval(p stats.Published) (Basis, error) {
	if err := p.Check(); err != nil {
		return Basis{}, err
	}
	se, level := p.SE(), p.Level
	if level == 0 {
		level = 0.95
	}
	return Basis{
		Source: Interval, Difference: &p.Value, Lo: &p.Lo, Hi: &p.Hi, Pairs: p.Pairs, Tasks: p.Tasks,
		SD: p.SD(), SE: &se,
		SDFrom:  fmt.Sprintf("SE = width of the interval / (2 · %.2f); SD of one pair = SE · √%d", stats.NormalQuantile((1+level)/2), p.Pairs),
		ICCFrom: "an interval does not tell it",

		published: &p,
	}, nil
}

// FromNumbers is the basis of a standard deviation above 0, and of an ICC where
// there is one. pairs and tasks describe the present design; 0 where there is
// none.
func FromNumbers(sd float64, icc *float64, pairs, tasks int) (Basis, error) {
	b := Basis{Source: Numbers, Pairs: pairs, Tasks: tasks, SD: sd, ICC: icc, SDFrom: "as given", ICCFrom: "none was given"}
	if icc != nil {
		b.ICCFrom = "as given"
	}
	switch {
	case !(sd >= smallest && sd <= 1/smallest):
		return b, fmt.Errorf("standard deviation %v (want from %g to %g)", sd, smallest, 1/smallest)
	case icc != nil && !(*icc >= 0 && *icc < 1):
		return b, fmt.Errorf("intraclass correlation %v (want from 0 to below 1)", *icc)
	case (pairs == 0) != (tasks == 0):
		return b, fmt.Errorf("%d pairs in %d tasks (want both, or neither)", pairs, tasks)
	case tasks == 1:
		return b, errors.New("1 task (want at least 2)")
	case tasks < 0:
		return b, fmt.Errorf("%d tasks (want at least 2)", tasks)
	case pairs < tasks:
		return b, fmt.Errorf("%d pairs in %d tasks (want at least one pair a task)", pairs, tasks)
	}
	return b, nil
}

// smallest is the least standard deviation that is taken.
const smallest = 1e-50

// FromPairs is the basis that a pilot gives for one contrast: values[i] is the
// difference of a pair, task[i] the id of its task, or of its family where of
// says so. The names in of are kept.
// It is an error when the pilot cannot tell how pairs vary: fewer than 2 tasks,
// or pairs that are all equal.
func FromPairs(of Basis, values []float64, task []int, level float64) (Basis, error) {
	if len(values) == 0 {
		return of, errors.New("no pair carries a label on both sides")
	}
	c, err := stats.NewClustered(values, task)
	if err != nil {
		return of, err
	}
	b, u := of, unitOf(of.Cluster)
	b.Source, b.Pairs, b.Tasks, b.Differ, b.SD = Pilot, c.N(), c.Clusters(), c.NonZero(), deviation(values)
	switch {
	case b.Pairs == 1:
		return b, fmt.Errorf("1 pair does not tell how pairs vary (want pairs in at least 2 %s)", u.many)
	case b.Tasks < 2:
		return b, fmt.Errorf("all %d pairs lie in one %s (want at least 2 %s)", b.Pairs, u.one, u.many)
	case !(b.SD >= smallest):
		return b, fmt.Errorf("all %d pairs have the same difference, so they do not tell how pairs vary", b.Pairs)
	}
	mean := c.Mean()
	b.Difference = &mean
	if i, err := c.Interval(stats.CR2, level); err == nil {
		b.SE, b.Lo, b.Hi = &i.SE, &i.Lo, &i.Hi
	}
	b.SDFrom = "of the pilot's " + counted(b.Pairs, "pair", "pairs")
	icc, err := c.ICC()
	if err != nil {
		b.ICCFrom = u.named(err)
		return b, nil
	}
	b.ICC, b.ICCFrom = &icc, "of the pilot's "+u.count(b.Tasks)
	if i, err := c.ICCInterval(level); err == nil {
		b.ICCLo, b.ICCHi = &i.Lo, &i.Hi
	}
	return b, nil
}

// spanned reports whether the ICC's interval tells a range. Where the pairs of
// every task are equal, the ICC is 1 and has no interval: that says
// more of the few pairs than of the tasks.
func (b Basis) spanned() bool {
	return b.ICC != nil && b.ICCLo != nil && b.ICCHi != nil
}

// deviation is the standard deviation of the values, with n-1.
func deviation(values []float64) float64 {
	mean := 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	sum, largest := 0.0, 0.0
	for _, v := range values {
		sum += (v - mean) * (v - mean)
		largest = math.Max(largest, math.Abs(v))
	}
	if sd := math.Sqrt(sum / float64(max(1, len(values)-1))); sd > 1e-12*largest {
		return sd
	}
	return 0
}
