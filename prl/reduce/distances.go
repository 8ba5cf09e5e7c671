package reduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/internal/tile"
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
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
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

// pairs checks a table of dissimilarities and returns the number n of things and the n(n-1)/2 dissimilarities of the pairs i < j, row by
// row.
func pairs(name string, D mat.Matrix) (n int, delta []float64, err error) {
	if err := estimator.CheckDistances(name, D); err != nil {
		return 0, nil, err
	}
	if n, _ = D.Dims(); n < 2 {
		return 0, nil, fault.Argument(name, "D", "1 x 1", "two things at least", "")
	}
	delta = make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			delta = append(delta, (D.At(i, j)+D.At(j, i))/2)
		}
	}
	return n, delta, nil
}

// nearest returns for each place the numbers of the k rows of X nearest to it and their distances, nearest first, of equally near ones the
// first. Where itself is set the places are the rows of X, and none counts as near to itself.
func nearest(X, places *mat.Dense, k int, itself bool) (rows [][]int, distances [][]float64) {
	const batch, block = 128, 512
	n, d := X.Dims()
	m, _ := places.Dims()
	rows, distances = make([][]int, m), make([][]float64, m)
	columns, batches := tile.Transpose(X.RawMatrix().Data, n, d), (m+batch-1)/batch
	workers := share.Workers(batches, float64(m)*tile.RowCost(n, d))
	rooms := make([][]float64, workers)
	share.Turns(workers, batches, func(worker, b int) {
		if rooms[worker] == nil {
			rooms[worker] = make([]float64, batch*min(block, columns.Width()))
		}
		squares, from, to := rooms[worker], b*batch, min((b+1)*batch, m)
		for i := from; i < to; i++ {
			rows[i], distances[i] = make([]int, 0, k), make([]float64, 0, k)
		}
		for first := 0; first < n; first += block {
			part := columns.Part(first, min(first+block, n))
			width := part.Width()
			part.Distances(squares, places.RawMatrix().Data[from*d:to*d], to-from)
			for i := from; i < to; i++ {
				list, far, most := rows[i], distances[i], math.Inf(1)
				if len(far) == k {
					most = far[k-1]
				}
				for j, v := range squares[(i-from)*width:][:part.Len()] {
					if v >= most || itself && first+j == i {
						continue
					}
					if len(list) < k {
						list, far = append(list, 0), append(far, 0)
					}
					at := len(list) - 1
					for at > 0 && far[at-1] > v {
						list[at], far[at] = list[at-1], far[at-1]
						at--
					}
					if list[at], far[at] = first+j, v; len(far) == k {
						most = far[k-1]
					}
				}
				rows[i], distances[i] = list, far
			}
		}
		for i := from; i < to; i++ {
			for a, v := range distances[i] {
				distances[i][a] = math.Sqrt(v)
			}
		}
	})
	return rows, distances
}

// dims is Dims of a matrix that may be nil.
func dims(X *mat.Dense) (n, d int) {
	if X == nil {
		return 0, 0
	}
	return X.Dims()
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
