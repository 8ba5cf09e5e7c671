package ica

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Amari returns the distance of W A from a matrix with one entry in each row and each column, for an unmixing matrix W (k x d) and the true
// mixing matrix A (d x k):
//
//	1/(2k(k-1)) [ sum_i (sum_j |p_ij| / max_j |p_ij| - 1) + sum_j (sum_i |p_ij| / max_i |p_ij| - 1) ],  P = W A
//
// 0 says that each source was found, whatever the order, signs and scales; 1 is the worst there is. It is 0 for k = 1. Source: Amari,
// Cichocki and Yang, NIPS 8 (1996), divided by its largest value. Errors: sizes that do not fit, numbers that are not finite, a row or a
// column of P that is zero.
func Amari(W, A mat.Matrix) (float64, error) {
	const name = "ica.Amari"
	if err := estimator.CheckX(name, W); err != nil {
		return 0, err
	}
	if err := estimator.CheckX(name, A); err != nil {
		return 0, err
	}
	k, d := W.Dims()
	if r, c := A.Dims(); r != d || c != k {
		return 0, fault.Argument(name, "A", fmt.Sprintf("%d x %d", r, c), fmt.Sprintf("%d x %d, as W is %d x %d", d, k, k, d), "")
	}
	var P mat.Dense
	P.Mul(W, A)
	sum := 0.0
	for i := range k {
		for _, line := range [][]float64{mat.Row(nil, i, &P), mat.Col(nil, i, &P)} {
			all, largest := 0.0, 0.0
			for _, v := range line {
				largest = max(largest, math.Abs(v))
			}
			if largest == 0 {
				return 0, fault.Argument(name, "W A", fmt.Sprintf("with a row or column %d of zeros", i), "a source in each row and column", "")
			}
			for _, v := range line {
				all += math.Abs(v) / largest
			}
			sum += all - 1
		}
	}
	return sum / max(1, float64(2*k*(k-1))), nil
}

// A Matching says which component is which source: column Order[j] of the components, times Scale[j], lies nearest to source j.
type Matching struct {
	Order       []int
	Scale       []float64 // by least squares; its sign is the sign that ICA cannot know
	Correlation []float64 // |correlation| of the pair
}

// Match pairs the columns of S (n x k), what was found, with those of T (n x k), the truth, so that the absolute correlations of the pairs
// sum to the most. Sources come back up to order, sign and scale; this is how to compare them. Errors: sizes that differ, fewer than two
// rows, numbers that are not finite, a column that does not vary.
func Match(S, T mat.Matrix) (Matching, error) {
	const name = "ica.Match"
	if err := estimator.CheckX(name, S); err != nil {
		return Matching{}, err
	}
	if err := estimator.CheckX(name, T); err != nil {
		return Matching{}, err
	}
	n, k := S.Dims()
	if r, c := T.Dims(); r != n || c != k {
		return Matching{}, fault.Argument(name, "T", fmt.Sprintf("%d x %d", r, c), fmt.Sprintf("%d x %d like S", n, k), "")
	}
	columns := func(X mat.Matrix) (z [][]float64, sd []float64, err error) {
		rows, column := estimator.Dense(X), make([]float64, n)
		for j := range k {
			for i := range column {
				column[i] = rows.RawRowView(i)[j]
			}
			one, s, err := standardised(name, column)
			if err != nil {
				return nil, nil, err
			}
			z, sd = append(z, one), append(sd, s)
		}
		return z, sd, nil
	}
	found, width, err := columns(S)
	if err != nil {
		return Matching{}, err
	}
	truth, size, err := columns(T)
	if err != nil {
		return Matching{}, err
	}
	correlation, cost := make([][]float64, k), make([][]float64, k)
	for j := range k {
		correlation[j], cost[j] = make([]float64, k), make([]float64, k)
		for i := range k {
			correlation[j][i] = dot(truth[j], found[i]) / float64(n)
			cost[j][i] = -math.Abs(correlation[j][i])
		}
	}
	m := Matching{Order: assign(cost), Scale: make([]float64, k), Correlation: make([]float64, k)}
	for j, i := range m.Order {
		m.Scale[j] = correlation[j][i] * size[j] / width[i]
		m.Correlation[j] = -cost[j][i]
	}
	return m, nil
}

// Apply returns the columns of S in the order, with the signs and in the scales of the truth, without their means.
func (m Matching) Apply(S mat.Matrix) (*mat.Dense, error) {
	const name = "ica.Matching.Apply"
	if err := estimator.CheckShape(name, S, len(m.Order)); err != nil {
		return nil, err
	}
	rows := estimator.Dense(S)
	n, k := rows.Dims()
	centre := make([]float64, k)
	for r := range n {
		for i, v := range rows.RawRowView(r) {
			centre[i] += v / float64(n)
		}
	}
	out := mat.NewDense(n, k, nil)
	for r := range n {
		from, to := rows.RawRowView(r), out.RawRowView(r)
		for j, i := range m.Order {
			to[j] = m.Scale[j] * (from[i] - centre[i])
		}
	}
	return out, nil
}

// assign returns for each row of a square matrix the column it gets, so that the costs sum to the least: the Hungarian method with
// potentials (Kuhn 1955; Munkres 1957), k^3 operations.
func assign(cost [][]float64) []int {
	k := len(cost)
	u, v, row, way := make([]float64, k+1), make([]float64, k+1), make([]int, k+1), make([]int, k+1) // column 0 is none
	for i := 1; i <= k; i++ {
		row[0] = i
		at, least, used := 0, make([]float64, k+1), make([]bool, k+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		for row[at] != 0 {
			used[at] = true
			delta, next := math.Inf(1), 0
			for j := 1; j <= k; j++ {
				if used[j] {
					continue
				}
				if c := cost[row[at]-1][j-1] - u[row[at]] - v[j]; c < least[j] {
					least[j], way[j] = c, at
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			for j := range k + 1 {
				if used[j] {
					u[row[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			at = next
		}
		for at != 0 {
			row[at] = row[way[at]]
			at = way[at]
		}
	}
	order := make([]int, k)
	for j := 1; j <= k; j++ {
		order[row[j]-1] = j - 1
	}
	return order
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
