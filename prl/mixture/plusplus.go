package mixture

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
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
	start := slices.Concat(centres...)
	rows, e := pointsOf(X, start)
	centres = cut(scaled(start, e), d)
	p := make([]float64, n)
	sum := 0.0
	for c, centre := range centres {
		square := rows.squaredTo(centre)
		for i := range p {
			if v := square(i); c == 0 || v < p[i] {
				p[i] = v
			}
		}
	}
	for _, v := range p {
		sum += v
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
	p, e := pointsOf(X, nil)
	weights, _ = scaleWeights(weights)
	centres, err := plusPlus(context.Background(), p, k, weights, generator(seed))
	return cut(scaled(centres, -e), d), err
}

// seeds are the state of k-means++: the squared distance of each row to the nearest centre so far, and what that costs.
type seeds struct {
	w, centres []float64
	distance   []float64
	mass       []float64 // distance times weight
	owner      []int32   // the nearest centre, of dense rows
	tried      []float64 // the squared distances of each row to the last candidates, or +Inf where none of them is nearer; of dense rows
}

// plusPlus draws k centres, unless the context ends before. Like most libraries it is greedy: of 2 + log k candidates drawn by the
// k-means++ rule the one that lowers the objective most is taken (Arthur and Vassilvitskii 2007, section 6).
func plusPlus(ctx context.Context, p points, k int, w []float64, rng *rand.Rand) ([]float64, error) {
	n, d := p.size()
	pick := func(mass []float64, total float64) int { return gauss.Pick(mass, rng.Float64()*total) }
	s := &seeds{w, make([]float64, 0, k*d), make([]float64, n), make([]float64, n), make([]int32, n), nil}
	ones := w
	if ones == nil {
		ones = make([]float64, n)
	}
	for i := range n {
		s.distance[i] = math.Inf(1)
		if w == nil {
			ones[i] = 1
		}
	}
	tries := 2 + int(math.Log(float64(k)))
	rows, sums := make([]float64, tries*d), make([]float64, tries)
	p.row(rows[:d], pick(ones, totalWeight(w, n)))
	p.approach(s, rows[:d], -1)
	s.centres = append(s.centres, rows[:d]...)
	total := totalWeight(s.mass, n)
	for len(s.centres) < k*d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for t := range tries {
			drawn := pick(s.mass, total)
			if total == 0 {
				drawn = pick(ones, totalWeight(w, n)) // fewer distinct rows than centres
			}
			p.row(rows[t*d:(t+1)*d], drawn)
		}
		p.objectives(ctx, s, rows, sums)
		best, chosen := math.Inf(1), 0
		for t, v := range sums {
			if v < best {
				best, chosen = v, t
			}
		}
		total = best
		c := rows[chosen*d : (chosen+1)*d]
		p.approach(s, c, chosen)
		s.centres = append(s.centres, c...)
	}
	return s.centres, nil
}

// few is the number of columns up to which the distance of a row takes no longer than to find out that it is not needed.
const few = 8

// objectives puts into sums what the objective would be with each of the candidates, one after the other, as a further centre.
func (p *densePoints) objectives(ctx context.Context, s *seeds, candidates, sums []float64) {
	n, d, tries := p.n, p.d, len(sums)
	columns := tile.Transpose(candidates, tries, d)
	width := columns.Width()
	var reach []float64
	if d > few {
		reach = outOfReach(s.centres, candidates, d)
	}
	parts := make([]float64, (n+block-1)/block*tries)
	scratch := make([][]float64, workers(n, compare(tries, d)))
	if len(s.tried) != n*tries {
		s.tried = make([]float64, n*tries)
	}
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
		sum := parts[b*tries : (b+1)*tries]
		if d <= few {
			for i := lo; i < hi; i += batch {
				m := min(batch, hi-i)
				columns.Distances(all, p.x[i*d:(i+m)*d], m)
				for r, most := range s.distance[i : i+m] {
					u := weight(s.w, i+r)
					tried := s.tried[(i+r)*tries:][:len(sum)]
					for t, v := range all[r*width:][:len(sum)] {
						tried[t] = v
						sum[t] += u * min(v, most)
					}
				}
			}
			return
		}
		settle := func() {
			columns.Distances(all, near, count)
			for r, i := range open[:count] {
				u, most := weight(s.w, i), s.distance[i]
				tried := s.tried[i*tries:][:len(sum)]
				for t, v := range all[r*width:][:len(sum)] {
					tried[t] = v
					sum[t] += u * min(v, most)
				}
			}
			count = 0
		}
		for i := lo; i < hi; i++ {
			if s.distance[i] <= reach[s.owner[i]] {
				rest += s.mass[i]
				for t := range sum {
					s.tried[i*tries+t] = math.Inf(1)
				}
				continue
			}
			copy(near[count*d:], p.at(i))
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
	for t := range sums {
		sums[t] = 0
		for b := t; b < len(parts); b += tries {
			sums[t] += parts[b]
		}
	}
}

// approach takes note of a further centre c, which is the last candidate of that number, or new if it is negative.
func (p *densePoints) approach(s *seeds, c []float64, candidate int) {
	added := int32(len(s.centres) / p.d)
	tries := len(s.tried) / p.n
	blocks(p.n, compare(1, p.d), func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			var v float64
			if candidate < 0 {
				v = squared(p.at(i), c)
			} else {
				v = s.tried[i*tries+candidate]
			}
			if v < s.distance[i] {
				s.distance[i], s.owner[i] = v, added
				s.mass[i] = weight(s.w, i) * v
			}
		}
	})
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
