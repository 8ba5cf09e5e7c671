package mixture

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/tile"
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
	drawn, rows := make([]int, tries), make([]float64, tries*d)
	sums := make([]float64, (n+block-1)/block*tries)
	for len(centres) < k*d {
		for t := range drawn {
			drawn[t] = pick(mass, total)
			if total == 0 {
				drawn[t] = pick(ones, totalWeight(w, n)) // fewer distinct rows than centres
			}
			copy(rows[t*d:], x[drawn[t]*d:(drawn[t]+1)*d])
		}
		columns := tile.Transpose(rows, tries, d)
		width := columns.Width()
		clear(sums)
		// What the objective would be with each candidate as a centre.
		blocks(n, func(b, lo, hi int) {
			all := make([]float64, batch*width)
			sum := sums[b*tries : (b+1)*tries]
			for i := lo; i < hi; i += batch {
				m := min(batch, hi-i)
				columns.Distances(all, x[i*d:], m)
				for r := range m {
					near, u := distance[i+r], weight(w, i+r)
					for t, v := range all[r*width : r*width+tries] {
						sum[t] += u * min(near, v)
					}
				}
			}
		})
		best, chosen := math.Inf(1), 0
		for t := range tries {
			s := 0.0
			for b := t; b < len(sums); b += tries {
				s += sums[b]
			}
			if s < best {
				best, chosen = s, t
			}
		}
		c := rows[chosen*d : (chosen+1)*d]
		blocks(n, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				distance[i] = min(distance[i], squared(x[i*d:(i+1)*d], c))
				mass[i] = weight(w, i) * distance[i]
			}
		})
		total = totalWeight(mass, n)
		centres = append(centres, c...)
	}
	return centres
}
