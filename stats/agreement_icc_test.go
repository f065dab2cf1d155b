package stats

import (
	"math"
	"testing"
)

func shroutFleiss(unit float64) []Mark {
	var marks []Mark
	for u, row := range [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}} {
		for rater, x := range row {
			marks = append(marks, Mark{u, rater, x * unit})
		}
	}
	return marks
}

// Shrout & Fleiss (1979), table 4, print two digits.
func TestPublishedICCs(t *testing.T) {
	r := mustRatings(t, shroutFleiss(1))
	for _, c := range []struct {
		form    ICCForm
		average bool
		want    float64
	}{
		{OneWay, false, 0.17}, {Absolute, false, 0.29}, {Consistency, false, 0.71},
		{OneWay, true, 0.44}, {Absolute, true, 0.62}, {Consistency, true, 0.91},
	} {
		got, err := r.ICC(c.form, c.average)
		if err != nil || !(math.Abs(got-c.want) <= 0.005) {
			t.Errorf("%v, average %v: got %v, %v, want %v", c.form, c.average, got, err, c.want)
		}
	}
}

// Against the R package psych: estimates and intervals.
func TestICCIntervals(t *testing.T) {
	sets := goldenRatings(t)
	sets["shrout_fleiss"] = mustRatings(t, shroutFleiss(1))
	sets["disagreeing"] = mustRatings(t, grid("041", "312", "401", "132", "224"))
	forms := map[byte]ICCForm{'1': OneWay, '2': Absolute, '3': Consistency}
	rows := readCSV(t, "testdata/agreement_icc.csv")[1:]
	if len(rows) != 35 {
		t.Fatalf("%d rows, want 35", len(rows))
	}
	for _, row := range rows {
		form, average, level := forms[row[1][3]], len(row[1]) == 5, number(t, row[5])
		got, err := sets[row[0]].ICCInterval(form, average, level)
		want := Spread{number(t, row[2]), number(t, row[3]), number(t, row[4]), level}
		if err != nil || !(math.Abs(got.Value-want.Value) <= 1e-9) || !(math.Abs(got.Lo-want.Lo) <= 1e-8) || !(math.Abs(got.Hi-want.Hi) <= 1e-9) {
			t.Errorf("%s %s: got %+v, %v, want %+v", row[0], row[1], got, err, want)
		}
	}
}

// latinSquare is five units of one mean by four raters.
func latinSquare(step float64) []Mark {
	var marks []Mark
	for u := range 5 {
		for j := range 4 {
			marks = append(marks, Mark{u, j, step * float64((u+j)%4)})
		}
	}
	return marks
}

func TestUndefinedICCs(t *testing.T) {
	for _, c := range []struct {
		name    string
		marks   []Mark
		form    ICCForm
		average bool
		level   float64
		want    string
		only    bool // of the interval; else of the estimate too
	}{
		{"no form", shroutFleiss(1), 0, false, 0.95, "icc form 0 is unknown (want one-way, consistency or absolute agreement)", false},
		{"no level", shroutFleiss(1), OneWay, false, 1, "icc interval: level 1 (want between 0 and 1)", true},
		{"one rater", grid("0", "4"), OneWay, false, 0.95, "one rater only", false},
		{"no complete unit", grid("0.", ".4"), OneWay, true, 0.95, "no unit is rated by all raters", false},
		{"one complete unit", grid("04", ".4"), Consistency, true, 0.95, "one unit only is rated by all raters", false},
		{"one category", grid("22", "22", ".4"), Consistency, true, 0.95, "one category only", false},
		{"perfect", grid("00", "22"), Absolute, false, 0.95, "no variance within units", true},
		{"shift alone", grid("01", "23"), Consistency, false, 0.95, "no variance within units", true},
		{"shift alone, but for rounding", []Mark{{0, 0, 0.1}, {0, 1, 0.2}, {1, 0, 0.3}, {1, 1, 0.4}, {2, 0, 0.7}, {2, 1, 0.8}},
			Consistency, false, 0.95, "no variance within units", true},
		{"equal means", grid("04", "40", "22"), Consistency, true, 0.95, "no variance to share", false},
		{"equal means, one-way", grid("04", "40", "22"), OneWay, true, 0.95, "no variance to share", false},
		{"equal means, but for rounding", latinSquare(0.1), OneWay, false, 0.95, "no variance between units", true},
		{"equal means, one rater", latinSquare(1), OneWay, false, 0.95, "no variance between units", true},
		{"equal means, consistency", latinSquare(1), Consistency, false, 0.95, "no variance between units", true},
		{"equal means, absolute", latinSquare(0.1), Absolute, false, 0.95, "no variance between units", true},
		{"means that hardly differ", append(latinSquare(1), Mark{5, 0, 0}, Mark{5, 1, 1}, Mark{5, 2, 2}, Mark{5, 3, 3 + 1e-9}), OneWay, false, 0.95, "no variance between units", true},
		{"weights of opposite signs", grid("04", "23"), Absolute, false, 0.95,
			"the raters disagree too much for an interval from the F distribution", true},
		{"a bound at the pole", grid("10", "12"), OneWay, true, 1 - 0x1p-52,
			"the raters disagree too much for an interval from the F distribution", true},
		{"a rater's shift alone", grid("02", "02", "02"), Consistency, false, 0.95, "no variance to share", false},
		{"a bound beyond the pole", grid("313", "233", "343", "042", "441"), Absolute, true, 0.95,
			"the raters disagree too much for an interval from the F distribution", true},
		{"two by two", grid("04", "40"), Absolute, false, 0.95, "no variance to share", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustRatings(t, c.marks)
			_, err := r.ICC(c.form, c.average)
			if (err == nil) != c.only || err != nil && err.Error() != c.want {
				t.Errorf("estimate: got %v, want %q", err, c.want)
			}
			if _, err := r.ICCInterval(c.form, c.average, c.level); err == nil || err.Error() != c.want {
				t.Errorf("interval: got %v, want %q", err, c.want)
			}
		})
	}
}
