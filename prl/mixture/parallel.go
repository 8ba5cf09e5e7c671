package mixture

import (
	"math/rand/v2"

	"github.com/prlab/prlab/prl/internal/share"
)

const stream = 0x6d6978747572 // "mixtur": the second word of every generator's seed

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// block is the number of rows worked on at a time. It does not depend on the number of processors, so that sums are added up in the same
// order everywhere.
const block = 1024

// blocks calls work(b, lo, hi) for all blocks of n rows that take about ns nanoseconds each, on several goroutines when there is work for
// them.
func blocks(n int, ns float64, work func(b, lo, hi int)) {
	shared(n, workers(n, ns), func(_, b, lo, hi int) { work(b, lo, hi) })
}

// workers returns among how many goroutines to share the blocks of n rows that take about ns nanoseconds each.
func workers(n int, ns float64) int { return share.Workers((n+block-1)/block, ns*float64(n)) }

// shared calls work(g, b, lo, hi) for all blocks b of n rows in so many goroutines. g names the goroutine, which may have scratch of its
// own.
func shared(n, many int, work func(g, b, lo, hi int)) {
	share.Turns(many, (n+block-1)/block, func(g, b int) { work(g, b, b*block, min((b+1)*block, n)) })
}

// compare is about how many nanoseconds it takes to measure the distance of a row of d features to k points.
func compare(k, d int) float64 { return 5 + 0.2*float64(k*d) }

func weight(w []float64, i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

func totalWeight(w []float64, n int) float64 {
	if w == nil {
		return float64(n)
	}
	s := 0.0
	for _, v := range w {
		s += v
	}
	return s
}

// cut returns the rows of a flat row-major matrix, sharing its memory.
func cut(flat []float64, width int) [][]float64 {
	if width == 0 { // of a model that was not fitted
		return nil
	}
	out := make([][]float64, len(flat)/width)
	for i := range out {
		out[i] = flat[i*width : (i+1)*width : (i+1)*width]
	}
	return out
}
