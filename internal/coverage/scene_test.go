package coverage

import (
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// scene is one process at one number of tasks, and what is tried on it.
type scene struct {
	process     string
	icc         float64
	clusters    int
	simulations int
	replicates  int
	draw        func(r *rand.Rand, replicates int) board // one simulation
}

// ending is how one simulation ended for one method.
type ending byte

const (
	covers    ending = 'c'
	low       ending = 'l' // the truth lies below the interval
	high      ending = 'h' // above it
	undefined ending = 'u'
)

// outcome is one method on one simulated study.
type outcome struct {
	method   string
	level    float64
	replicas int // 0 for a closed form
	ending   ending
	lo, hi   float64 // of the interval; both the p of a test
	test     bool
}

// board collects the outcomes of one simulated study, in a fixed order.
type board []outcome

func (b *board) interval(method string, level float64, replicates int, truth, lo, hi float64, err error) {
	o := outcome{method: method, level: level, replicas: replicates, ending: covers, lo: lo, hi: hi}
	switch {
	case err != nil:
		o.ending, o.lo, o.hi = undefined, 0, 0
	case truth < lo:
		o.ending = low
	case truth > hi:
		o.ending = high
	}
	*b = append(*b, o)
}

// test stands for the interval that the test's inversion gives: it holds the
// truth when the test of the truth does not reject.
func (b *board) test(method string, level float64, replicates int, p, estimate, truth float64, err error) {
	o := outcome{method: method, level: level, replicas: replicates, ending: covers, lo: p, hi: p, test: true}
	switch {
	case err != nil:
		o.ending, o.lo, o.hi = undefined, 0, 0
	case p > 1-level+1e-12:
	case estimate > truth:
		o.ending = low
	default:
		o.ending = high
	}
	*b = append(*b, o)
}

// seed is the scene's own: adding or moving another changes nothing.
func (s scene) seed() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.process))
	return h.Sum64() + uint64(s.clusters)
}

// run makes simulations 0..n-1 on all processors. Each has a generator of its
// own, so that nothing depends on who makes it.
func (s scene) run(n int) []board {
	boards := make([]board, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wait.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				boards[i] = s.draw(rand.New(rand.NewPCG(s.seed(), uint64(i))), s.replicates)
			}
		})
	}
	wait.Wait()
	return boards
}

// counted is a row as it is written, in whole numbers.
type counted struct {
	scene                scene
	method               string
	level                float64
	replicates           int
	covered, below, over int
	undefined            int
	width                float64
}

func tally(s scene, boards []board) []counted {
	out := make([]counted, len(boards[0]))
	for k, o := range boards[0] {
		c := counted{scene: s, method: o.method, level: o.level, replicates: o.replicas}
		for _, b := range boards {
			switch o := b[k]; o.ending {
			case covers:
				c.covered++
			case low:
				c.below++
			case high:
				c.over++
			case undefined:
				c.undefined++
			}
			if !b[k].test {
				c.width += b[k].hi - b[k].lo
			}
		}
		c.width /= float64(max(c.defined(), 1))
		out[k] = c
	}
	return out
}

func (c counted) defined() int { return c.covered + c.below + c.over }

// first is what the first simulations of a scene gave for one method: how each
// ended, and the mean ends. A changed estimator or process shows in it.
type first struct {
	endings string
	lo, hi  float64
}

func firsts(boards []board) map[string]first {
	out := make(map[string]first)
	for k, o := range boards[0] {
		var f first
		var endings strings.Builder
		for _, b := range boards {
			endings.WriteByte(byte(b[k].ending))
			f.lo += b[k].lo / float64(len(boards))
			f.hi += b[k].hi / float64(len(boards))
		}
		f.endings = endings.String()
		out[o.method] = f
	}
	return out
}
