package estimate

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/quickselect"
)

// A Law is a distribution of one number whose parameters are known: Normal, Laplace, Cauchy, Exponential, Uniform, Poisson or Bernoulli.
type Law interface {
	// LogDensity returns the natural logarithm of the density at x, or of the probability of x; -Inf where x is impossible.
	LogDensity(x float64) float64
}

// A Regular law has a log density that is smooth in its parameters, in the order of its fields, and which no change of parameters cuts off.
type Regular interface {
	Law
	// Score returns the derivatives of LogDensity at x by the parameters.
	Score(x float64) []float64
	// Information returns the Fisher information of one observation, E Score^2. The matrix is diagonal; this is the diagonal.
	Information() []float64
}

// LogLikelihood returns the log-likelihood of independent observations in nats: the sum of their log densities. A product of densities
// leaves the range of float64 after some hundred observations; the sum does not.
func LogLikelihood(law Law, xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += law.LogDensity(x)
	}
	return sum
}

// StandardErrors returns 1/sqrt(n I) for each parameter, the standard deviations to which those of the maximum likelihood estimates from n
// observations tend when the law is true. Errors: n below 1.
//
// Source: R. A. Fisher (1922), On the mathematical foundations of theoretical statistics.
func StandardErrors(law Regular, n int) ([]float64, error) {
	if n < 1 {
		return nil, fault.Argument("estimate.StandardErrors", "n", n, "at least 1 observation", "")
	}
	out := law.Information()
	for i, v := range out {
		out[i] = 1 / math.Sqrt(float64(n)*v)
	}
	return out, nil
}

// Peaks returns the places in [lo, hi] where f has a local maximum, from left to right: those seen on n equal steps, each narrowed by
// golden section to about 1e-9 of the range or to where f no longer tells places apart. The ends count when f falls from them; a peak
// narrower than a step may be missed. With f = log prior + log likelihood the highest is the maximum a posteriori estimate. Errors: an
// empty range, n below 2, a NaN or +Inf of f.
func Peaks(f func(float64) float64, lo, hi float64, n int) ([]float64, error) {
	const name = "estimate.Peaks"
	if !(lo < hi) || math.IsInf(hi-lo, 0) {
		return nil, fault.Argument(name, "the range", fmt.Sprintf("%v to %v", lo, hi), "two growing finite numbers", "")
	}
	if n < 2 {
		return nil, fault.Argument(name, "n", n, "at least 2 steps", "")
	}
	at := func(i int) float64 { return lo + (hi-lo)*float64(i)/float64(n) }
	values := make([]float64, n+1)
	for i := range values {
		values[i] = f(at(i))
		if math.IsNaN(values[i]) || math.IsInf(values[i], 1) {
			return nil, fault.Argument(name, fmt.Sprintf("f(%v)", at(i)), values[i], "a number below +Inf", "")
		}
	}
	var peaks []float64
	for i := 0; i <= n; {
		j := i // a stretch of equal values, i to j
		for j < n && values[j+1] == values[i] {
			j++
		}
		if left, right := i == 0 || values[i-1] < values[i], j == n || values[j+1] < values[j]; left && right && j-i < n {
			peaks = append(peaks, golden(f, at(max(0, i-1)), at(min(n, j+1))))
		}
		i = j + 1
	}
	return peaks, nil
}

// golden narrows [a, b] about a maximum of f by the golden section, and returns the best of the places it has seen, the ends too.
func golden(f func(float64) float64, a, b float64) float64 {
	best, most := a, f(a)
	see := func(x float64) float64 {
		v := f(x)
		if v > most {
			best, most = x, v
		}
		return v
	}
	see(b)
	ratio := (math.Sqrt(5) - 1) / 2
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, fd := see(c), see(d)
	for range 60 {
		if fc >= fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc = see(c)
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd = see(d)
		}
	}
	return best
}

// observations refuses what no fit can use: fewer than least numbers, numbers that are not finite or not allowed.
func observations(name string, xs []float64, least int, allowed func(float64) bool, needs string) error {
	if len(xs) < least {
		return fault.Argument(name, "xs", fmt.Sprintf("%d numbers", len(xs)), fmt.Sprintf("at least %d", least), "")
	}
	for i, x := range xs {
		if x-x != 0 || allowed != nil && !allowed(x) { // NaN and the infinities
			return fault.Argument(name, fmt.Sprintf("xs[%d]", i), x, needs, "")
		}
	}
	return nil
}

// median returns the middle of the numbers, or the mean of the middle two.
func median(xs []float64) float64 {
	n := len(xs)
	s, k := around(xs, n/2)
	if s == nil {
		s, k = slices.Clone(xs), n/2
	}
	high := nth(s, k)
	if n%2 == 1 {
		return high
	}
	return slices.Max(s[:k])/2 + high/2
}

// around returns the numbers between two of a sample that enclose ranks k-1 and k, and the place of k among them, so that one pass that
// foretells no comparison is all that many numbers need; nil of few, or where the sample misleads. Source: R. Floyd and R. Rivest (1975),
// Expected time bounds for selection, Communications of the ACM 18, 165-172.
func around(xs []float64, k int) ([]float64, int) {
	n := len(xs)
	if n < 1000 {
		return nil, 0
	}
	sample := make([]float64, int(math.Pow(float64(n), 2.0/3)))
	for i := range sample {
		sample[i] = xs[i*n/len(sample)]
	}
	slices.Sort(sample)
	middle, reach := float64(k)/float64(n)*float64(len(sample)), 1.5*math.Sqrt(float64(len(sample)))
	low, high := sample[max(0, int(middle-reach))], sample[min(len(sample)-1, int(middle+reach))]
	out := make([]float64, n/2+1)
	below, inside := 0, 0
	for _, x := range xs {
		if inside == len(out) {
			return nil, 0
		}
		out[inside] = x
		less, in := 0, 0
		if x < low {
			less = 1
		}
		if x <= high {
			in = 1
		}
		below += less
		inside += in - less
	}
	if k-1 < below || k >= below+inside {
		return nil, 0
	}
	return out[:inside], k - below
}

// nth returns the number of rank k, from 0, and leaves the smaller ones to its left.
func nth(s []float64, k int) float64 {
	quickselect.Nth(s, nil, k)
	return s[k]
}

// mean is m with sum (x-m) = 0; a second round takes in what the first has rounded off.
func mean(xs []float64) float64 {
	m := shifted(xs, 0) / float64(len(xs))
	return m + shifted(xs, m)/float64(len(xs))
}

// shifted returns sum (x-m), squared sum (x-m)^2, and distances sum |x-m|, each in four lanes, since an addition waits for the one before
// it.
func shifted(xs []float64, m float64) float64 {
	var a, b, c, d float64
	for ; len(xs) >= 4; xs = xs[4:] {
		a, b, c, d = a+(xs[0]-m), b+(xs[1]-m), c+(xs[2]-m), d+(xs[3]-m)
	}
	for _, x := range xs {
		a += x - m
	}
	return a + b + (c + d)
}

func squared(xs []float64, m float64) float64 {
	var a, b, c, d float64
	for ; len(xs) >= 4; xs = xs[4:] {
		p, q, r, s := xs[0]-m, xs[1]-m, xs[2]-m, xs[3]-m
		a, b, c, d = a+p*p, b+q*q, c+r*r, d+s*s
	}
	for _, x := range xs {
		a += (x - m) * (x - m)
	}
	return a + b + (c + d)
}

func distances(xs []float64, m float64) float64 {
	var a, b, c, d float64
	for ; len(xs) >= 4; xs = xs[4:] {
		a, b, c, d = a+math.Abs(xs[0]-m), b+math.Abs(xs[1]-m), c+math.Abs(xs[2]-m), d+math.Abs(xs[3]-m)
	}
	for _, x := range xs {
		a += math.Abs(x - m)
	}
	return a + b + (c + d)
}
