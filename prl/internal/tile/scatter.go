package tile

import (
	"math"
	"runtime"
	"sync"
)

const (
	scatterRows  = 64   // rows centred at a time: 50 columns of them fill a first-level cache
	scatterChunk = 4096 // rows summed by one goroutine; partial sums are added in order, so the result does not depend on the machine
)

// Scatter returns the upper triangle of sum_i w_i (x_i - c_i)(x_i - c_i)^T as a d x d matrix, row by row, with zeros below. The sum runs over the rows of x
// (n x d) named by rows, in this order; nil means all. centre(i) is c_i, and weights nil means ones. Large sums are shared among processors.
func Scatter(x []float64, n, d int, rows []int, weights []float64, centre func(i int) []float64) []float64 {
	if rows != nil {
		n = len(rows)
	}
	width := Padded(d)
	chunks := max(1, (n+scatterChunk-1)/scatterChunk)
	parts := make([][]float64, chunks)
	one := func(c int) {
		acc, buffer := make([]float64, width*width), make([]float64, scatterRows*width)
		end := min(n, (c+1)*scatterChunk)
		for lo := c * scatterChunk; lo < end; lo += scatterRows {
			m := min(scatterRows, end-lo)
			for r := range m {
				i := lo + r
				if rows != nil {
					i = rows[i]
				}
				row, to, mean := x[i*d:(i+1)*d], buffer[r*width:r*width+d], centre(i)[:d]
				if weights == nil {
					for j, v := range row {
						to[j] = v - mean[j]
					}
					continue
				}
				root := math.Sqrt(weights[i])
				for j, v := range row {
					to[j] = root * (v - mean[j])
				}
			}
			AddGram(acc, buffer, m, width)
		}
		parts[c] = acc
	}
	if workers := min(runtime.GOMAXPROCS(0), chunks); workers < 2 {
		for c := range chunks {
			one(c)
		}
	} else {
		var wait sync.WaitGroup
		for g := range workers {
			wait.Go(func() {
				for c := g; c < chunks; c += workers {
					one(c)
				}
			})
		}
		wait.Wait()
	}
	s := make([]float64, d*d)
	for i := range d {
		for _, p := range parts {
			for j := i; j < d; j++ {
				s[i*d+j] += p[i*width+j]
			}
		}
	}
	return s
}
