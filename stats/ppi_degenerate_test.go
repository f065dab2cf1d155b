package stats

import (
	"math"
	"strings"
	"testing"
)

// TestPPIDegenerate: what does not exist is an error that says why.
func TestPPIDegenerate(t *testing.T) {
	two := []Labelled{{1, 0.5, 0}, {0, 0, 1}}
	rest := []Unlabelled{{0.5, 0}, {0, 1}, {1, 1}}
	for name, c := range map[string]struct {
		labelled   []Labelled
		unlabelled []Unlabelled
		method     string
		level      float64
		why        string // "" for a number
	}{
		"sound":                       {two, rest, "ppi++", 0.9, ""},
		"nothing unlabelled: human":   {two, nil, "ppi++", 0.9, ""},
		"nothing unlabelled: ppi":     {two, nil, "ppi", 0.9, "the unlabelled rows number 0"},
		"nothing unlabelled: judge":   {two, nil, "judge", 0.9, "the unlabelled rows number 0"},
		"one unlabelled: human":       {two, rest[:1], "ppi++", 0.9, ""},
		"one unlabelled: ppi rows":    {two, rest[:1], "ppi rows", 0.9, "the unlabelled rows number 1"},
		"one labelled":                {two[:1], rest, "ppi++ rows", 0.9, "one row is labelled"},
		"one labelled cluster":        {[]Labelled{{1, 1, 0}, {0, 0, 0}}, rest, "human", 0.9, "all 2 labelled rows are in one cluster"},
		"one labelled cluster, rows":  {[]Labelled{{1, 1, 0}, {0, 0, 0}}, rest, "human rows", 0.9, ""},
		"one unlabelled cluster":      {two, rest[1:], "ppi", 0.9, "all 2 unlabelled rows are in one cluster"},
		"one unlabelled, judge":       {two, rest[1:], "judge", 0.9, "in one cluster"},
		"equal labels":                {[]Labelled{{0.5, 0, 0}, {0.5, 1, 1}}, rest, "ppi++", 0.9, "every cluster gives the same mean 0.5"},
		"equal labels, rows":          {[]Labelled{{0.5, 0, 0}, {0.5, 1, 1}}, rest, "human rows", 0.9, "every row gives the same mean 0.5"},
		"equal predictions":           {two, []Unlabelled{{0.5, 0}, {0.5, 1}}, "judge", 0.9, "same mean prediction 0.5"},
		"equal predictions, rows":     {two, []Unlabelled{{0.5, 0}, {0.5, 1}}, "judge rows", 0.9, "every prediction is 0.5"},
		"a judge that is never wrong": {[]Labelled{{1, 1, 0}, {0, 0, 1}}, rest, "bias", 0.9, "judge bias"},
		"off by a constant, rounded":  {[]Labelled{{0.3, 0.2, 0}, {0.1, 0, 1}, {0.2, 0.1, 2}}, []Unlabelled{{0.5, 0}, {0.5, 1}}, "ppi", 0.9, "every cluster gives the same mean"},
		"level 1":                     {two, rest, "ppi", 1, "level 1"},
		"level, judge":                {two, rest, "judge rows", math.NaN(), "level NaN"},
		"extreme sizes":               {[]Labelled{{1e50, -1e50, 0}, {1e-50, 1e50, 1}}, []Unlabelled{{1e50, 0}, {-1e50, 1}}, "ppi++", 0.9, ""},
	} {
		p := mustPredict(t, c.labelled, c.unlabelled)
		i, err := p.methods()[c.method](c.level)
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %+v, %v, want %q", name, i, err, c.why)
		}
	}
	for name, run := range (&Predicted{}).methods() {
		if _, err := run(0.9); err == nil {
			t.Errorf("the empty sample has a %s interval", name)
		}
	}
	if _, err := BiasDifference(&Predicted{}, &Predicted{}, 0.9); err == nil {
		t.Error("two empty samples have a difference")
	}
	one := mustPredict(t, []Labelled{{1, 0, 0}, {0, 0.5, 0}}, nil)
	if _, err := BiasDifference(mustPredict(t, two, nil), one, 0.9); err == nil || !strings.Contains(err.Error(), "second sample: undefined") {
		t.Errorf("a single cluster: %v", err)
	}
}

func TestNewPredictedRefuses(t *testing.T) {
	good := []Labelled{{1, 1, 0}}
	for name, c := range map[string]struct {
		labelled   []Labelled
		unlabelled []Unlabelled
		want       string
	}{
		"empty":                 {nil, []Unlabelled{{1, 0}}, "labels: clustered sample: 0 values"},
		"label":                 {[]Labelled{{math.NaN(), 1, 0}}, nil, "labels: clustered sample: value 0 is NaN"},
		"prediction":            {[]Labelled{{1, math.Inf(1), 0}}, nil, "predictions of labelled rows: clustered sample: value 0 is +Inf"},
		"unlabelled prediction": {good, []Unlabelled{{1, 0}, {1e300, 0}}, "predictions of unlabelled rows: clustered sample: value 1 is 1e+300"},
		"cluster":               {good, []Unlabelled{{1, -1}}, "cluster id -1"},
	} {
		if _, err := NewPredicted(c.labelled, c.unlabelled); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// FuzzPPI: no sample makes a figure that is not finite.
func FuzzPPI(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9, 17, 60}, []byte{7, 8, 9, 200}, 0.25, 0.0)
	f.Add([]byte{7, 7, 7, 8, 9}, []byte{}, 1e40, -3.0)
	f.Fuzz(func(t *testing.T, rated, rest []byte, scale, shift float64) {
		var labelled []Labelled
		var unlabelled []Unlabelled
		value := func(x byte) float64 { return float64(int(x>>3)-16)*scale + shift }
		for i := 0; i+1 < min(len(rated), 64); i += 2 {
			labelled = append(labelled, Labelled{value(rated[i]), value(rated[i+1]), int(rated[i] & 7)})
		}
		for _, x := range rest[:min(len(rest), 64)] {
			unlabelled = append(unlabelled, Unlabelled{value(x), int(x & 7)})
		}
		p, err := NewPredicted(labelled, unlabelled)
		if err != nil {
			return
		}
		finiteInterval(t, "bias difference", keep(BiasDifference(p, p, 0.95)))
		for name, run := range p.methods() {
			i, err := run(0.95)
			if err == nil {
				finiteInterval(t, name, i)
			}
		}
		if l := p.Lambda(); !(l >= 0 && l <= 1) {
			t.Fatalf("lambda %v", l)
		}
	})
}

func finiteInterval(t testing.TB, name string, i Interval) {
	t.Helper()
	for _, x := range []float64{i.Value, i.Lo, i.Hi, i.SE, i.DF, i.P} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%s: %+v", name, i)
		}
	}
	if i.Lo > i.Value || i.Hi < i.Value || i.P < 0 || i.P > 1 || i.SE < 0 {
		t.Fatalf("%s: %+v", name, i)
	}
}
