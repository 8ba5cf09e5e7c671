package mixture

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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
		return nil, fault.Argument(function, "centres", "empty", "at least one centre", "the first centre is drawn uniformly")
	}
	if err := checkRows(function, "centres", centres, len(centres), d); err != nil {
		return nil, err
	}
	x := estimator.Dense(X).RawMatrix().Data
	start := slices.Concat(centres...)
	e := exponent(x, start)
	x, centres = scaled(x, e), cut(scaled(start, e), d)
	p := make([]float64, n)
	sum := 0.0
	for i := range p {
		p[i] = math.Inf(1)
		for _, c := range centres {
			p[i] = math.Min(p[i], squared(x[i*d:(i+1)*d], c))
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

// PlusPlus draws K centres for k-means among the rows of X (n x d): the first uniformly, each next one with the probabilities of
// PlusPlusProbabilities, as FitKMeans does at each start. Weights nil means ones.
func PlusPlus(X mat.Matrix, k int, weights []float64, seed uint64) ([][]float64, error) {
	const function = "mixture.PlusPlus"
	if err := estimator.CheckX(function, X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if err := estimator.CheckCount(function, "k", k, 1, n); err != nil {
		return nil, err
	}
	if err := estimator.CheckWeights(function, weights, n); err != nil {
		return nil, err
	}
	x := estimator.Dense(X).RawMatrix().Data
	e := exponent(x)
	weights, _ = scaleWeights(weights)
	centres, err := plusPlus(context.Background(), scaled(x, e), n, d, k, weights, generator(seed))
	return cut(scaled(centres, -e), d), err
}

// plusPlus draws k centres, unless the context ends before. Like most libraries it is greedy: of 2 + log k candidates drawn by the
// k-means++ rule the one that lowers the objective most is taken (Arthur and Vassilvitskii 2007, section 6).
func plusPlus(ctx context.Context, x []float64, n, d, k int, w []float64, rng *rand.Rand) ([]float64, error) {
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
	blocks(n, compare(1, d), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			distance[i] = squared(x[i*d:(i+1)*d], centres)
			mass[i] = weight(w, i) * distance[i]
		}
	})
	total := totalWeight(mass, n)
	owner := make([]int32, n) // the nearest centre
	tries := 2 + int(math.Log(float64(k)))
	drawn, rows := make([]int, tries), make([]float64, tries*d)
	sums := make([]float64, (n+block-1)/block*tries)
	scratch := make([][]float64, workers(n, compare(tries, d)))
	for len(centres) < k*d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for t := range drawn {
			drawn[t] = pick(mass, total)
			if total == 0 {
				drawn[t] = pick(ones, totalWeight(w, n)) // fewer distinct rows than centres
			}
			copy(rows[t*d:], x[drawn[t]*d:(drawn[t]+1)*d])
		}
		columns := tile.Transpose(rows, tries, d)
		width := columns.Width()
		reach := outOfReach(centres, rows, d)
		clear(sums)
		// What the objective would be with each candidate as a centre.
		shared(n, len(scratch), func(g, b, lo, hi int) {
			if ctx.Err() != nil {
				return
			}
			if scratch[g] == nil {
				scratch[g] = make([]float64, batch*(d+width))
			}
			near, all := scratch[g][:batch*d], scratch[g][batch*d:]
			var open [batch]int
			count, rest := 0, 0.0 // rest is the part of the rows out of reach
			sum := sums[b*tries : (b+1)*tries]
			settle := func() {
				columns.Distances(all, near, count)
				for r, i := range open[:count] {
					u := weight(w, i)
					for t, v := range all[r*width : r*width+tries] {
						if v > distance[i] {
							v = distance[i]
						}
						sum[t] += u * v
					}
				}
				count = 0
			}
			for i := lo; i < hi; i++ {
				if distance[i] <= reach[owner[i]] {
					rest += mass[i]
					continue
				}
				copy(near[count*d:], x[i*d:(i+1)*d])
				open[count] = i
				if count++; count == batch {
					settle()
				}
			}
			settle()
			for t := range sum {
				sum[t] += rest
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
		added := int32(len(centres) / d)
		reach = outOfReach(centres, c, d)
		blocks(n, compare(1, d), func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				if distance[i] <= reach[owner[i]] {
					continue
				}
				if v := squared(x[i*d:(i+1)*d], c); v < distance[i] {
					distance[i], owner[i] = v, added
					mass[i] = weight(w, i) * v
				}
			}
		})
		total = totalWeight(mass, n)
		centres = append(centres, c...)
	}
	return centres, nil
}

// outOfReach returns, for each centre, a squared distance at which a row of that centre cannot be nearer to any of the candidates: a
// candidate is no nearer to the row than the centre is when it is at least twice as far from the centre as the row.
func outOfReach(centres, candidates []float64, d int) []float64 {
	reach := make([]float64, len(centres)/d)
	for c := range reach {
		reach[c] = math.Inf(1)
		for t := 0; t < len(candidates); t += d {
			reach[c] = min(reach[c], squared(centres[c*d:(c+1)*d], candidates[t:t+d])*(0.25-slack))
		}
	}
	return reach
}
