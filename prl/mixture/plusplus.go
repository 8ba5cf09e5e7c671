package mixture

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// PlusPlusProbabilities returns the probability of each row of X to be the next centre of k-means++: its squared distance to the nearest of
// the centres chosen so far, divided by the sum of these. Without a spread (all rows are centres) all rows are equally probable.
func PlusPlusProbabilities(X mat.Matrix, centres [][]float64) ([]float64, error) {
	const function = "mixture.PlusPlusProbabilities"
	if err := estimator.CheckX(function, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if len(centres) == 0 {
		return nil, estimator.Argument(function, "centres", "empty", "at least one centre", "the first centre is drawn uniformly")
	}
	if err := checkRows(function, "centres", centres, len(centres), d); err != nil {
		return nil, err
	}
	dense := estimator.Dense(X)
	p := make([]float64, n)
	sum := 0.0
	for i := range p {
		p[i] = math.Inf(1)
		for _, c := range centres {
			p[i] = math.Min(p[i], squared(dense.RawRowView(i), c))
		}
		sum += p[i]
	}
	for i := range p {
		if sum > 0 {
			p[i] /= sum
		} else {
			p[i] = 1 / float64(n)
		}
	}
	return p, nil
}

// plusPlus draws k centres. Like most libraries it is greedy: of 2 + log k candidates drawn by the k-means++ rule the one that lowers the
// objective most is taken (Arthur and Vassilvitskii 2007, section 6).
func plusPlus(x []float64, n, d, k int, w []float64, rng *rand.Rand) []float64 {
	centres := make([]float64, 0, k*d)
	pick := func(mass []float64, total float64) int {
		u := rng.Float64() * total
		last := 0
		for i, v := range mass {
			if v > 0 {
				last = i
				if u < v {
					return i
				}
			}
			u -= v
		}
		return last
	}
	ones := w
	if ones == nil {
		ones = make([]float64, n)
		for i := range ones {
			ones[i] = 1
		}
	}
	distance := make([]float64, n) // to the nearest centre, squared
	mass := make([]float64, n)     // times the weight
	first := pick(ones, totalWeight(w, n))
	centres = append(centres, x[first*d:(first+1)*d]...)
	blocks(n, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			distance[i] = squared(x[i*d:(i+1)*d], centres)
			mass[i] = weight(w, i) * distance[i]
		}
	})
	total := totalWeight(mass, n)
	tries := 2 + int(math.Log(float64(k)))
	candidate, kept := make([]float64, n), make([]float64, n)
	parts := make([]float64, (n+block-1)/block)
	for len(centres) < k*d {
		best, chosen := math.Inf(1), 0
		for range tries {
			at := pick(mass, total)
			if total == 0 {
				at = pick(ones, totalWeight(w, n)) // fewer distinct rows than centres
			}
			c := x[at*d : (at+1)*d]
			blocks(n, func(b, lo, hi int) {
				s := 0.0
				for i := lo; i < hi; i++ {
					candidate[i] = math.Min(distance[i], squared(x[i*d:(i+1)*d], c))
					s += weight(w, i) * candidate[i]
				}
				parts[b] = s
			})
			if s := totalWeight(parts, len(parts)); s < best {
				best, chosen = s, at
				candidate, kept = kept, candidate
			}
		}
		copy(distance, kept)
		for i := range mass {
			mass[i] = weight(w, i) * distance[i]
		}
		total = best
		centres = append(centres, x[chosen*d:(chosen+1)*d]...)
	}
	return centres
}
