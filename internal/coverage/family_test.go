package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uplift-eval/uplift/stats"
)

// family is a process of several conditions against one reference, of which a
// claim is made about all at once.
type family struct {
	name       string
	contrast   contrast // each condition's
	conditions int
}

var families = []family{{"family_varied", contrasts[1], 3}}

// bandDraws are the sign vectors that stats.Bands draws where it cannot visit
// all of them: from 20 tasks on for three contrasts.
const bandDraws = 99_999

func (f family) scene(tasks, simulations int) scene {
	truth, draws := f.contrast.truth(), 0
	if tasks >= 20 {
		draws = bandDraws
	}
	draw := func(r *rand.Rand, draws int) board {
		values, task := f.contrast.against(r, tasks, f.conditions)
		samples := make([]*stats.Clustered, f.conditions)
		for j, v := range values {
			samples[j] = clustered(v, task)
		}
		var b board
		bands, critical, err := stats.Bands(samples, level, r.Uint64())
		if err == nil && critical.Draws != draws {
			panic(fmt.Sprintf("%s, %d tasks: %d draws, want %d", f.name, tasks, critical.Draws, draws))
		}
		b.joint("bands", draws, truth, bands, err)
		alone, err := eachAlone(samples)
		b.joint("cr2_joint", 0, truth, alone, err)
		return b
	}
	return scene{f.name, f.contrast.icc, tasks, simulations, draws, draw}
}

func eachAlone(samples []*stats.Clustered) ([]stats.Interval, error) {
	out := make([]stats.Interval, len(samples))
	for j, s := range samples {
		var err error
		if out[j], err = s.Interval(stats.CR2, level); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// joint covers when every interval holds the truth, which is one for all. Else
// the interval that misses by most of its half width says on which side. Its ends
// are the mean ends.
func (b *board) joint(method string, replicates int, truth float64, family []stats.Interval, err error) {
	var lo, hi, worst float64
	for _, i := range family {
		lo, hi = lo+i.Lo/float64(len(family)), hi+i.Hi/float64(len(family))
		if off := (truth - (i.Lo+i.Hi)/2) / ((i.Hi - i.Lo) / 2); math.Abs(off) > math.Abs(worst) {
			worst = off
		}
	}
	o := outcome{method: method, level: level, replicas: replicates, ending: covers, lo: lo, hi: hi}
	switch {
	case err != nil:
		o.ending, o.lo, o.hi = undefined, 0, 0
	case worst < -1:
		o.ending = low
	case worst > 1:
		o.ending = high
	}
	*b = append(*b, o)
}

func TestJoint(t *testing.T) {
	for _, c := range []struct {
		name   string
		family []stats.Interval
		want   ending
	}{
		{"all hold it", []stats.Interval{{Lo: 0, Hi: 4}, {Lo: -1, Hi: 2}}, covers},
		{"at an end", []stats.Interval{{Lo: 1, Hi: 4}, {Lo: -1, Hi: 1}}, covers},
		{"one above it", []stats.Interval{{Lo: 0, Hi: 4}, {Lo: 1.5, Hi: 2}}, low},
		{"a little above it", []stats.Interval{{Lo: 1.1, Hi: 9}, {Lo: 0, Hi: 2}}, low},
		{"a little below it", []stats.Interval{{Lo: -9, Hi: 0.9}, {Lo: 0, Hi: 2}}, high},
		{"one below it", []stats.Interval{{Lo: -3, Hi: 0.5}, {Lo: 0, Hi: 2}}, high},
		{"both sides, more above", []stats.Interval{{Lo: 1.5, Hi: 2}, {Lo: -9, Hi: 0.9}}, low},
		{"both sides, more below", []stats.Interval{{Lo: 1.1, Hi: 9}, {Lo: -1, Hi: 0}}, high},
	} {
		var b board
		b.joint("bands", 0, 1, c.family, nil)
		if b[0].ending != c.want {
			t.Errorf("%s: %c, want %c", c.name, b[0].ending, c.want)
		}
	}
}

// TestFamily: each condition of a large sample is the contrast that it is said to
// be, and two of them go together because of the reference they share.
func TestFamily(t *testing.T) {
	for _, f := range families {
		values, task := f.contrast.against(rand.New(rand.NewPCG(1, 2)), 40_000, f.conditions)
		for j, v := range values {
			s := clustered(v, task)
			icc, err := s.ICC()
			if err != nil || math.Abs(s.Mean()-f.contrast.truth()) > 0.004 || math.Abs(icc-f.contrast.icc) > 0.015 {
				t.Errorf("%s, condition %d: mean %.4f, ICC %.3f, error %v, want %.4f, %.2f",
					f.name, j, s.Mean(), icc, err, f.contrast.truth(), f.contrast.icc)
			}
		}
		if got := correlation(values[0], values[1]); math.Abs(got-familyCorrelation) > 0.02 {
			t.Errorf("%s: correlation %.3f, want %.3f", f.name, got, familyCorrelation)
		}
	}
}

// familyCorrelation is that of two conditions' differences, as another program
// (Python, numpy) simulated it.
const familyCorrelation = 0.586

func correlation(x, y []float64) float64 {
	a, b := average(x), average(y)
	var xx, xy, yy float64
	for i := range x {
		xx, xy, yy = xx+(x[i]-a)*(x[i]-a), xy+(x[i]-a)*(y[i]-b), yy+(y[i]-b)*(y[i]-b)
	}
	return xy / math.Sqrt(xx*yy)
}
