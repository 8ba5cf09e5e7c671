package mixture

import (
	"math/rand/v2"
	"runtime"
	"sync"
)

const stream = 0x6d6978747572 // "mixtur": the second word of every generator's seed

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// block is the number of rows worked on at a time. It does not depend on the number of processors, so that sums are added up in the same order
// everywhere.
const block = 1024

// blocks calls work(b, lo, hi) for all blocks of n rows, on all processors.
func blocks(n int, work func(b, lo, hi int)) {
	count := (n + block - 1) / block
	workers := min(runtime.GOMAXPROCS(0), count)
	if workers < 2 {
		for b := range count {
			work(b, b*block, min((b+1)*block, n))
		}
		return
	}
	var wait sync.WaitGroup
	next := make(chan int, count)
	for b := range count {
		next <- b
	}
	close(next)
	for range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for b := range next {
				work(b, b*block, min((b+1)*block, n))
			}
		}()
	}
	wait.Wait()
}

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

func copyRows(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = append([]float64(nil), r...)
	}
	return out
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
