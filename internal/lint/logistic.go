package lint

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// sparse is a text as weights of its features, in ascending order of these.
type sparse []weight

type weight struct {
	feature int
	value   float64
}

// Of the regression: the penalty on half the squared length of the weights,
// as 1/C of the usual packages, and the square of the constant feature that
// stands for the intercept, large so that its penalty is next to nothing.
const (
	penalty = 0.1
	bias    = 100.0
)

// products are the inner products of every text of x with every one of y, the
// constant feature included. x may be y itself.
func products(x, y []sparse) *mat.Dense {
	out := mat.NewDense(len(x), len(y), nil)
	var row []float64 // the features of one text, 0 elsewhere
	for i, a := range x {
		for _, w := range a {
			for len(row) <= w.feature {
				row = append(row, 0)
			}
			row[w.feature] = w.value
		}
		for j, b := range y {
			sum := bias
			for _, w := range b {
				if w.feature < len(row) {
					sum += row[w.feature] * w.value
				}
			}
			out.Set(i, j, sum)
		}
		for _, w := range a {
			row[w.feature] = 0
		}
	}
	return out
}

// fit is L2-regularised logistic regression in its dual form: the log odds of
// a text are the sum of a[i] times its product with text i. It minimises the
// penalised negative log-likelihood by Newton's method (iteratively reweighted
// least squares; Hastie, Tibshirani and Friedman 2009, sections 4.4.1 and
// 12.3.7). Texts are few and features many, so each step solves a system of
// the size of the texts. gram is their [products]; y is true for the tier.
func fit(gram *mat.Dense, y []bool) *mat.VecDense {
	n := len(y)
	a, f, next := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	system, target := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	var chol mat.Cholesky
	for range 50 {
		for i := range n {
			for j := i + 1; j < n; j++ {
				system.SetSym(i, j, gram.At(i, j))
			}
			p := 1 / (1 + math.Exp(-f.AtVec(i)))
			w := max(p*(1-p), 1e-9)
			system.SetSym(i, i, gram.At(i, i)+penalty/w)
			target.SetVec(i, f.AtVec(i)+(one(y[i])-p)/w)
		}
		if !chol.Factorize(system) || chol.SolveVecTo(a, target) != nil {
			break
		}
		next.MulVec(gram, a)
		moved := 0.0
		for i := range n {
			moved = max(moved, math.Abs(next.AtVec(i)-f.AtVec(i)))
		}
		f, next = next, f
		if moved < 1e-7 {
			break
		}
	}
	return a
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// auc is the area under the ROC curve, the share of pairs in which the
// positive scores higher, ties half, with DeLong's standard error (DeLong,
// DeLong and Clarke-Pearson 1988). Each score is one independent unit.
func auc(scores []float64, positive []bool) (area, se float64) {
	var pos, neg []float64
	for i, s := range scores {
		if positive[i] {
			pos = append(pos, s)
		} else {
			neg = append(neg, s)
		}
	}
	if len(pos) == 0 || len(neg) == 0 {
		return 0.5, 0
	}
	v10, v01 := make([]float64, len(pos)), make([]float64, len(neg))
	for i, p := range pos {
		for j, q := range neg {
			w := 0.0
			switch {
			case p > q:
				w = 1
			case p == q:
				w = 0.5
			}
			v10[i] += w / float64(len(neg))
			v01[j] += w / float64(len(pos))
		}
	}
	area = mean(v10)
	return area, math.Sqrt(variance(v10)/float64(len(pos)) + variance(v01)/float64(len(neg)))
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// variance has n-1 below; of one value it is 0.
func variance(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, sum := mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(x)-1)
}
