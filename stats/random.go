package stats

import (
	"math"
	"math/bits"
)

// stream is the generator SplitMix64 (Steele, Lea & Flood 2014), started at a
// place that depends on a seed and on the number of a replicate. Its state is
// one word, so that a replicate costs nothing to start.
type stream struct{ state uint64 }

const (
	golden = 0x9e3779b97f4a7c15
	spread = 0xd1342543de82ef95
)

func newStream(seed, replicate uint64) stream {
	return stream{mix(mix(seed+golden) + replicate*spread)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *stream) next() uint64 {
	s.state += golden
	return mix(s.state)
}

// uniform lies in (0,1), with 53 bits.
func (s *stream) uniform() float64 { return (float64(s.next()>>11) + 0.5) * 0x1p-53 }

// die draws without bias from 0..n-1 (Lemire 2019): two draws a word. n lies
// below 2^32.
type die struct{ n, reject uint64 }

func newDie(n int) die { return die{uint64(n), (1 << 32) % uint64(n)} }

// pair is two independent draws.
func (d die) pair(s *stream) (i, j uint64) {
	w := s.next()
	a, b := (w&math.MaxUint32)*d.n, (w>>32)*d.n
	if a&math.MaxUint32 < d.reject || b&math.MaxUint32 < d.reject {
		a, b = d.redraw(s, a, b)
	}
	return a >> 32, b >> 32
}

// redraw replaces those of two scaled draws that would be biased.
func (d die) redraw(s *stream, a, b uint64) (uint64, uint64) {
	if a&math.MaxUint32 < d.reject {
		a = d.again(s)
	}
	if b&math.MaxUint32 < d.reject {
		b = d.again(s)
	}
	return a, b
}

// again draws until a draw without bias comes; the result is scaled by 2^32.
func (d die) again(s *stream) uint64 {
	for {
		if a := (s.next() >> 32) * d.n; a&math.MaxUint32 >= d.reject {
			return a
		}
	}
}

// binomial draws from Binomial(n, p) for a fixed p in [0,1] and any n.
type binomial struct {
	p, q    float64 // p <= 1/2
	ratio   float64 // p/q
	logq    float64
	flipped bool // the caller's p is above 1/2
}

func newBinomial(p float64) binomial {
	b := binomial{flipped: p > 0.5}
	b.p = p
	if b.flipped {
		b.p = 1 - p
	}
	b.q = 1 - b.p
	b.ratio, b.logq = b.p/b.q, math.Log1p(-b.p)
	return b
}

func (b *binomial) draw(s *stream, n float64) float64 {
	k := 0.0
	if n*b.p < 10 {
		k = b.invert(s, n)
	} else {
		k = b.transform(s, n)
	}
	if b.flipped {
		return n - k
	}
	return k
}

// invert walks the distribution function from 0: fast for n*p below 10.
func (b *binomial) invert(s *stream, n float64) float64 {
	first, a := math.Exp(n*b.logq), (n+1)*b.ratio
	for {
		u, f := s.uniform(), first
		for k := 0.0; k <= n; k++ {
			if u <= f {
				return k
			}
			u -= f
			f *= a/(k+1) - b.ratio
		}
	}
}

// transform is Hörmann's (1993) algorithm BTRS, transformed rejection with a
// squeeze, for n*p >= 10 and p <= 1/2.
func (b *binomial) transform(s *stream, n float64) float64 {
	sd := math.Sqrt(n * b.p * b.q)
	w := 1.15 + 2.53*sd
	a := -0.0873 + 0.0248*w + 0.01*b.p
	centre, squeeze := n*b.p+0.5, 0.92-4.2/w
	for {
		u, v := s.uniform()-0.5, s.uniform()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+w)*u + centre)
		if us >= 0.07 && v <= squeeze {
			return k
		}
		if k < 0 || k > n {
			continue
		}
		v = math.Log(v * (2.83 + 5.1/w) * sd / (a/(us*us) + w))
		if v <= b.logMass(n, k) {
			return k
		}
	}
}

// logMass is the log of P(k)/P(mode).
func (b *binomial) logMass(n, k float64) float64 {
	m := math.Floor((n + 1) * b.p)
	return (m+0.5)*math.Log((m+1)/(b.ratio*(n-m+1))) +
		(n+1)*math.Log((n-m+1)/(n-k+1)) +
		(k+0.5)*math.Log(b.ratio*(n-k+1)/(k+1)) +
		stirling(m) + stirling(n-m) - stirling(k) - stirling(n-k)
}

// stirling is log(k!) less Stirling's formula in k+1, as Hörmann's algorithm writes
// it. Draws must not change by a bit, so that the sampler keeps its own, short form
// beside [stirlingError].
func stirling(k float64) float64 {
	if k < 10 {
		return stirlingTable[int(k)]
	}
	x := k + 1
	return (1.0/12 - (1.0/360-1.0/1260/(x*x))/(x*x)) / x
}

var stirlingTable = [...]float64{
	0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650, 0.0166446911898211,
	0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
}

// coins is the number of heads among n fair coins.
func coins(s *stream, n int, fair *binomial) float64 {
	if n <= 64 {
		return float64(bits.OnesCount64(s.next() >> (64 - n)))
	}
	return fair.draw(s, float64(n))
}
