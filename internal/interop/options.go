package interop

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift"
)

// XSTestOptions name what a completions file does not say.
type XSTestOptions struct {
	Model     string // required
	Condition string // required
}

// LabelOptions say how a table's columns become ours. The zero value reads a
// table that has our own column names.
type LabelOptions struct {
	// Columns says which of their columns holds ours: Columns["task"] = "id".
	Columns map[string]string
	// Set gives one of our columns a constant; a column of that name is not read.
	Set map[string]string
	// Map turns the codes of one of THEIR columns into values of ours:
	// Map["final"]["1"] = "1". A column with a map accepts only its codes,
	// except that an empty cell stays empty unless the map names the empty
	// code too. A code with an empty value means missing.
	Map map[string]map[string]string
	// Graders reads several graders a row, each from a column of its own,
	// instead of the columns value and grader. An empty cell is missing.
	Graders []Grader
}

// Grader is a column that holds one grader's values.
type Grader struct {
	Name   string // human, rater:NAME or a judge's name
	Column string // theirs
}

// InspectOptions say what of an `.eval` log is taken, and as what.
type InspectOptions struct {
	Condition string // empty: the log's file name without .eval
	// Scales names scales: Scales["compliance"] = "match" takes the score
	// match as the scale compliance. A value of a score that holds several is
	// named "scorer.key". When set, only named scores are taken.
	Scales map[string]string
	// Tier is the tier of every sample; TierFrom is the metadata key that
	// holds each sample's. At most one of them is set.
	Tier     uplift.Tier
	TierFrom string
	// MaxMember bounds one decompressed zip member, MaxTotal all of them, in
	// bytes; 0 means 256 MiB and 64 GiB. Three times
	// 256 MiB is about the most memory that a log takes.
	MaxMember, MaxTotal int64
}

// fields are our columns, in the order in which exports write them.
func fields() []string {
	return []string{"model", "condition", "task", "family", "tier", "split", "attack",
		"replicate", "outcome", "prompt", "text", "scale", "value", "grader", "simulated"}
}

// ParseColumns reads "ours=theirs,...", such as "task=id,family=type".
func ParseColumns(args ...string) (map[string]string, error) {
	return parsePairs("columns", "task=id,family=type", args, true)
}

// ParseSet reads "ours=constant,...", such as "scale=compliance,condition=x".
func ParseSet(args ...string) (map[string]string, error) {
	return parsePairs("set", "scale=compliance,condition=original", args, true)
}

// ParseScales reads "NAME=SCORER,...", such as "compliance=match".
func ParseScales(args ...string) (map[string]string, error) {
	return parsePairs("scale", "compliance=match", args, false)
}

// ParseMap reads "theirs:code=value,...", such as "final:1=1,final:2=0". The
// column ends at the first colon, the code at the first equals sign after it;
// an item that holds a comma stands in double quotes.
func ParseMap(args ...string) (map[string]map[string]string, error) {
	const example = "final:1=1,final:2=0,final:3=0.5"
	m := map[string]map[string]string{}
	err := eachItem("map", example, args, func(item string) error {
		column, rest, ok := strings.Cut(item, ":")
		code, value, ok2 := strings.Cut(rest, "=")
		if column == "" || !ok || !ok2 {
			return fmt.Errorf("%q is no theirs:code=value", item)
		}
		if old, twice := m[column][code]; twice && old != value {
			return fmt.Errorf("code %q of column %q has two values, %q and %q", code, column, old, value)
		}
		if m[column] == nil {
			m[column] = map[string]string{}
		}
		m[column][code] = value
		return nil
	})
	return m, err
}

// ParseGraders reads "NAME=COLUMN", such as "rater:a1=a1" or "human=final", in
// the order given.
func ParseGraders(args ...string) ([]Grader, error) {
	var list []Grader
	err := eachItem("grader", "human=final", args, func(item string) error {
		name, column, ok := strings.Cut(item, "=")
		if !ok || name == "" || column == "" {
			return fmt.Errorf("%q is no NAME=COLUMN", item)
		}
		if err := checkGrader(name); err != nil {
			return fmt.Errorf("%q: %w", item, err)
		}
		if slices.ContainsFunc(list, func(g Grader) bool { return g.Name == name }) {
			return fmt.Errorf("grader %q has two columns", name)
		}
		list = append(list, Grader{Name: name, Column: column})
		return nil
	})
	return list, err
}

// checkGrader accepts human, rater:NAME and any judge's name.
func checkGrader(name string) error {
	if rater, ok := strings.CutPrefix(name, uplift.RaterPrefix); name == "" || ok && rater == "" {
		return fmt.Errorf("no name in %q (want human, rater:NAME or a judge's name)", name)
	}
	return nil
}

// parsePairs reads "key=value,..."; with ours, keys must be our columns.
func parsePairs(flag, example string, args []string, ours bool) (map[string]string, error) {
	m := map[string]string{}
	err := eachItem(flag, example, args, func(item string) error {
		key, value, ok := strings.Cut(item, "=")
		switch {
		case !ok || key == "" || value == "":
			return fmt.Errorf("%q has no name on both sides of an equals sign", item)
		case ours && !slices.Contains(fields(), key):
			return fmt.Errorf("%q is no column of ours (want %s)", key, strings.Join(fields(), ", "))
		case m[key] != "" && m[key] != value:
			return fmt.Errorf("%q is given twice, %q and %q", key, m[key], value)
		}
		m[key] = value
		return nil
	})
	return m, err
}

// eachItem calls f for every comma-separated item of args.
func eachItem(flag, example string, args []string, f func(string) error) error {
	for _, arg := range args {
		items, err := splitItems(arg)
		for _, item := range items {
			if err == nil {
				err = f(item)
			}
		}
		if err != nil {
			return fmt.Errorf("--%s %q: %w, for example %s", flag, arg, err, example)
		}
	}
	return nil
}

// splitItems splits at commas outside double quotes.
func splitItems(arg string) ([]string, error) {
	if strings.TrimSpace(arg) == "" {
		return nil, fmt.Errorf("empty")
	}
	r := csv.NewReader(strings.NewReader(arg))
	r.TrimLeadingSpace = true
	items, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("a quote is out of place (an item that holds a comma stands in double quotes as a whole)")
	}
	return items, nil
}
