package svm

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/internal/tile"
	"github.com/prlab/prlab/prl/kernel"
)

// points are support vectors as the kernel holds them, piece by piece: the pieces lie in what room a fit has left.
type points []*kernel.Rows

// piece is the smallest number of points that a row of kernel values is computed of without a copy of them.
const piece = 4 * tile.Wide

// newPoints copies the rows of X named by index (nil for all) into the room, which becomes theirs, as long as it suits, and the others into space of their own.
func newPoints(k kernel.Kernel, X *mat.Dense, index []int, room [][]float64) (p points, err error) {
	_, d := X.Dims()
	for {
		n := len(index)
		var old *kernel.Rows
		for i, block := range room {
			fits := len(block) / (d * tile.Wide) * tile.Wide
			take := min(fits, n)
			if rest := n - take; rest > 0 && rest < piece {
				take -= piece
			}
			if take >= piece && 8*take*d >= 7*len(block) { // hardly anything of it stays unused
				n, old, room = take, kernel.Room(block), room[i+1:]
				break
			}
		}
		r, err := kernel.Renew(old, k, X, index[:n:n], nil)
		if err != nil {
			return nil, err
		}
		p = append(p, r)
		if index = index[n:]; len(index) == 0 {
			return p, nil
		}
	}
}

// Row writes K(z, x_t) for all points t into dst.
func (p points) Row(dst, z []float64) {
	for _, r := range p {
		r.Row(dst[:r.Len()], z)
		dst = dst[r.Len():]
	}
}

// Point writes point t into dst.
func (p points) Point(dst []float64, t int) {
	for _, r := range p {
		if t < r.Len() {
			r.Point(dst, t)
			return
		}
		t -= r.Len()
	}
}
