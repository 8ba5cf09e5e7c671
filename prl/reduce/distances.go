package reduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Distances returns the n x n Euclidean distances ||x_i - x_j|| between the rows of X (n x d).
func Distances(X mat.Matrix) (*mat.SymDense, error) {
	const name = "reduce.Distances"
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if err := estimator.CheckMemory(name, "the distances", n, n, "take fewer rows"); err != nil {
		return nil, err
	}
	x, D := estimator.Dense(X), mat.NewSymDense(n, nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			D.SetSym(i, j, distance(x.RawRowView(i), x.RawRowView(j)))
		}
	}
	return D, nil
}

// distance is the Euclidean distance of two points.
func distance(a, b []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += (v - b[j]) * (v - b[j])
	}
	return math.Sqrt(s)
}

// pairs checks a table of dissimilarities, square, symmetric, with a zero diagonal and no negative number, and returns the number n of
// things and the n(n-1)/2 dissimilarities of the pairs i < j, row by row.
func pairs(name string, D mat.Matrix) (n int, delta []float64, err error) {
	if err := estimator.CheckX(name, D); err != nil {
		return 0, nil, err
	}
	n, c := D.Dims()
	if n != c {
		return 0, nil, fault.Argument(name, "D", fmt.Sprintf("%d x %d", n, c), "square: a row and a column for each thing",
			"for rows of features take their Distances")
	}
	if n < 2 {
		return 0, nil, fault.Argument(name, "D", "1 x 1", "two things at least", "")
	}
	delta = make([]float64, 0, n*(n-1)/2)
	for i := range n {
		if v := D.At(i, i); v != 0 {
			return 0, nil, fault.Argument(name, fmt.Sprintf("D[%d, %d]", i, i), v, "0: nothing is unlike itself",
				"dissimilarities are asked for; of similarities take 1 - s")
		}
		for j := i + 1; j < n; j++ {
			v, w := D.At(i, j), D.At(j, i)
			if v < 0 || w < 0 {
				return 0, nil, fault.Argument(name, fmt.Sprintf("D[%d, %d]", i, j), min(v, w), "not negative", "")
			}
			if math.Abs(v-w) > 1e-9*max(v, w) {
				return 0, nil, fault.Argument(name, fmt.Sprintf("D[%d, %d]", i, j), fmt.Sprintf("%.6g, and %.6g the other way", v, w),
					"the same both ways", "take the mean of D and its transpose")
			}
			delta = append(delta, (v+w)/2)
		}
	}
	return n, delta, nil
}

// nearest returns the numbers of the k rows of X nearest to x and their distances, nearest first, of equally near ones the first; the row
// except is left out.
func nearest(X *mat.Dense, x []float64, k, except int) (rows []int, distances []float64) {
	n, _ := X.Dims()
	for i := range n {
		if i == except {
			continue
		}
		d := distance(X.RawRowView(i), x)
		if len(rows) == k && d >= distances[k-1] {
			continue
		}
		if len(rows) < k {
			rows, distances = append(rows, 0), append(distances, 0)
		}
		at := len(rows) - 1
		for at > 0 && distances[at-1] > d {
			rows[at], distances[at] = rows[at-1], distances[at-1]
			at--
		}
		rows[at], distances[at] = i, d
	}
	return rows, distances
}

// pieces returns the number of the piece, from 0, of each node of a graph that is given by lists of neighbours, and how many pieces there
// are. Links count both ways.
func pieces(neighbours [][]int) (piece []int, count int) {
	root := make([]int, len(neighbours))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, list := range neighbours {
		for _, j := range list {
			a, b := find(i), find(j)
			root[max(a, b)] = min(a, b)
		}
	}
	piece = make([]int, len(neighbours))
	for i := range piece {
		if r := find(i); r == i {
			piece[i] = count
			count++
		} else {
			piece[i] = piece[r]
		}
	}
	return piece, count
}

// checkConnected reports neighbours that fall into several pieces, between which nothing says how they lie.
func checkConnected(name string, neighbours [][]int, k int) error {
	piece, count := pieces(neighbours)
	if count == 1 {
		return nil
	}
	sizes := make([]int, count)
	for _, p := range piece {
		sizes[p]++
	}
	return fault.Argument(name, "Neighbours", k, "so many that all rows hang together",
		fmt.Sprintf("the rows fall into %d pieces, of %v rows; take more neighbours, or map each piece by itself", count, fault.Short(sizes)))
}
