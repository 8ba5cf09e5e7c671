package tile

import (
	"context"
	"math"
	"sync"

	"github.com/prlab/prlab/prl/internal/share"
)

const (
	scatterRows  = 32   // rows centred at a time: up to scatterSmall columns of them share a cache with their scatter
	scatterSmall = 96   // columns from which a panel of rows is centred at a time, so that their scatter is not read so often
	scatterChunk = 4096 // rows summed by one goroutine; partial sums are added in order, so the result does not depend on the machine
)

// scatterRooms keep what one call has worked on for the next, that of another class.
var scatterRooms = sync.Pool{New: func() any { return new([]float64) }}

// Scatter returns the upper triangle of sum_i w_i (x_i - c_i)(x_i - c_i)^T as a d x d matrix, row by row, with zeros below. The sum runs
// over the rows of x (n x d) named by rows, in this order; nil means all. centre(i) is c_i, and weights nil means ones. Large sums are
// shared among processors. It ends soon after ctx.
func Scatter(
	ctx context.Context, x []float64, n, d int, rows []int, weights []float64, centre func(i int) []float64,
) ([]float64, error) {
	return ScatterBeside(ctx, x, n, d, rows, weights, centre, 0, nil)
}

// ScatterBeside is Scatter of rows beside each of which more numbers stand, those that beside puts there for row i. Its matrix has d + more
// rows and columns.
func ScatterBeside(
	ctx context.Context, x []float64, n, d int, rows []int, weights []float64, centre func(i int) []float64,
	more int, beside func(i int, to []float64),
) ([]float64, error) {
	if rows != nil {
		n = len(rows)
	}
	e := d + more
	width := Padded(e)
	chunk := scatterChunk
	if d > scatterSmall { // so that the rows of a class are shared too
		chunk = min(scatterChunk, max(scatterChunk/4, (n/4+panel-1)/panel*panel))
	}
	chunks := max(1, (n+chunk-1)/chunk)
	workers := share.Workers(chunks, float64(n)*float64(d)*(0.6+0.015*float64(d)))
	s := make([]float64, e*e)
	step := scatterRows
	if d > scatterSmall {
		step = min(panel, max(n, 1))
	}
	// Workers add what they have to s by turns, chunk after chunk.
	turns := make([]chan struct{}, workers)
	for g := range turns {
		turns[g] = make(chan struct{}, 1)
	}
	turns[0] <- struct{}{}
	work := func(g int) {
		own := scatterRooms.Get().(*[]float64)
		defer scatterRooms.Put(own)
		*own = grown(*own, (width+step)*width)
		room := *own
		clear(room)
		acc, buffer := room[:width*width], room[width*width:]
		for c := g; c < chunks; c += workers {
			clear(acc)
			end := min(n, (c+1)*chunk)
			for lo := c * chunk; lo < end && ctx.Err() == nil; lo += step {
				m := min(step, end-lo)
				for r := 0; r < m; {
					i, together := lo+r, 1
					if rows != nil {
						i = rows[i]
					}
					about := centre(i)[:d]
					for rows == nil && r+together < m && &centre(i + together)[0] == &about[0] {
						together++
					}
					Subtract(buffer[r*width:], width, x[i*d:(i+together)*d], about, together)
					for ; together > 0; r, i, together = r+1, i+1, together-1 {
						if more > 0 {
							beside(i, buffer[r*width+d:r*width+e])
						}
						if weights == nil {
							continue
						}
						root, to := math.Sqrt(weights[i]), buffer[r*width:r*width+e]
						for j := range to {
							to[j] *= root
						}
					}
				}
				if d > scatterSmall {
					part := Dense(buffer, m, width, width)
					Dense(acc, width, width, width).block(term{sign: 1, upper: true}, part.T(), part)
					continue
				}
				AddGram(acc, buffer, m, width)
			}
			<-turns[g]
			for i := range e {
				for j := i; j < e; j++ {
					s[i*e+j] += acc[i*width+j]
				}
			}
			turns[(g+1)%workers] <- struct{}{}
		}
	}
	share.Ranges(workers, workers, func(g, _, _ int) { work(g) })
	return s, ctx.Err()
}
