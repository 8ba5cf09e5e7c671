package prl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cell"
)

// Matrix returns the table of a matrix with names before its rows and above its columns; nil stands for their numbers, from 0. Of more than
// 12 rows or columns the first 8 and the last 3 are shown.
func Matrix(m mat.Matrix, rows, columns []string) cell.Table {
	r, c := m.Dims()
	return cell.MatrixTable(r, c, m.At, rows, columns)
}
