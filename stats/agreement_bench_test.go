package stats

import (
	"fmt"
	"testing"
)

// markedStudy has 1,350 responses of 450 tasks on five levels; each is marked by
// three of so many raters.
func markedStudy(b *testing.B, raters int) (*Ratings, []int) {
	b.Helper()
	s, d := newStream(11, uint64(raters)), newDie(20)
	var marks []Mark
	for unit := range 1350 {
		level, _ := d.pair(&s)
		for j := range 3 {
			noise, _ := d.pair(&s)
			seen := min(int(level)/4+max(int(noise)-17, 0), 4)
			marks = append(marks, Mark{unit, (unit + j) % raters, float64(seen) / 4})
		}
	}
	task := make([]int, 1350)
	for unit := range task {
		task[unit] = unit / 3
	}
	return mustRatings(b, marks), task
}

// BenchmarkAgreementBootstrap bootstraps 1,000 times what a report prints.
func BenchmarkAgreementBootstrap(b *testing.B) {
	figures := []Figure{(*Ratings).Percent, (*Ratings).AlphaNominal, (*Ratings).AlphaOrdinal, (*Ratings).AlphaInterval,
		(*Ratings).Kappa, (*Ratings).KappaLinear, (*Ratings).KappaQuadratic, GwetFigure(fivePoints, Nominal), GwetFigure(fivePoints, Quadratic),
		(*Ratings).FleissKappa, BrennanPredigerFigure(fivePoints, Nominal), (*Ratings).ICCA1, (*Ratings).ICCAK}
	for _, raters := range []int{3, 10, 50} {
		r, task := markedStudy(b, raters)
		b.Run(fmt.Sprintf("raters=%d", raters), func(b *testing.B) {
			for b.Loop() {
				r.Bootstrap(task, Resample{B: 1000, Seed: 1, Level: 0.95}, figures...)
			}
			b.ReportMetric(float64(len(r.patterns)), "patterns")
		})
	}
}

func BenchmarkNewRatings(b *testing.B) {
	r, _ := markedStudy(b, 3)
	var marks []Mark
	for u, p := range r.of {
		for _, c := range r.patterns[p].cells {
			marks = append(marks, Mark{u, int(c.rater), r.categories[c.category]})
		}
	}
	for b.Loop() {
		mustRatings(b, marks)
	}
}
