package estimator

import "slices"

// CloneRows returns a copy of rows that shares nothing with them.
func CloneRows(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
	}
	return out
}
