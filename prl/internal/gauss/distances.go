package gauss

import "github.com/prlab/prlab/prl/internal/tile"

// Distances returns a function that sets to, m x K, to the squared Mahalanobis distances of m <= most rows of x to the K means, for one
// goroutine. Where all share a Factor that is not diagonal, rows and means are whitened once, and plain distances remain.
func Distances(means [][]float64, factors []*Factor, most int) func(to, x []float64, m int) {
	k, d := len(means), len(means[0])
	tied := k > 1 && !factors[0].Diagonal()
	for _, f := range factors {
		tied = tied && f == factors[0]
	}
	if !tied {
		room := NewRoom(most, d)
		return func(to, x []float64, m int) {
			for a, f := range factors {
				f.Distances(to[a:], k, x, m, means[a], room)
			}
		}
	}
	factor, origin, width := factors[0], means[0], tile.Padded(d)
	white, shift := make([]float64, k*width), make([]float64, d)
	for a, mean := range means {
		tile.Subtract(shift, d, mean, origin, 1)
		factor.Whiten(white[a*width:], shift)
	}
	columns := tile.Transpose(white, k, width)
	centred, z, all := make([]float64, most*d), make([]float64, most*width), make([]float64, most*columns.Width())
	return func(to, x []float64, m int) {
		tile.Subtract(centred, d, x[:m*d], origin, m)
		factor.columns.Product(z, centred, m)
		columns.Distances(all, z, m)
		for r := range m {
			row := to[r*k : (r+1)*k]
			copy(row, all[r*columns.Width():])
			for a, v := range row {
				row[a] = finite(v)
			}
		}
	}
}
