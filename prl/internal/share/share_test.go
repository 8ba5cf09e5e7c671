package share

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, c := range []struct {
		pieces int
		ns     float64
		want   int
	}{
		{100, 0, 1}, {100, 2*least - 1, 1}, {100, 2 * least, 2}, {100, 3.9 * least, 3}, {100, 1e30, 4}, {3, 1e30, 3}, {1, 1e30, 1}, {0, 1e30, 1},
	} {
		if got := Workers(c.pieces, c.ns); got != c.want {
			t.Errorf("%d pieces of %g ns in all: %d workers, want %d", c.pieces, c.ns, got, c.want)
		}
	}
	Eagerly(func() {
		for pieces, want := range []int{1, 1, 2, 3, 4, 4} {
			if got := Workers(pieces, 0); got != want {
				t.Errorf("eagerly, %d pieces: %d workers, want %d", pieces, got, want)
			}
		}
	})
	if got := Workers(100, 0); got != 1 {
		t.Errorf("afterwards: %d workers, want 1", got)
	}
}

// Each piece is done once, by a worker whose number is in range, and no two goroutines have one number.
func TestEachOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 7, 1000} {
			t.Run(fmt.Sprintf("%d workers, %d pieces", workers, n), func(t *testing.T) {
				var busy [8]sync.Mutex
				done := make([]int, n)
				take := func(g, from, to int) {
					if g < 0 || g >= workers || !busy[g].TryLock() {
						t.Errorf("worker %d of %d is not alone", g, workers)
						return
					}
					defer busy[g].Unlock()
					for i := from; i < to; i++ {
						done[i]++
					}
				}
				Turns(workers, n, func(g, i int) { take(g, i, i+1) })
				Ranges(workers, n, take)
				for i, times := range done {
					if times != 2 {
						t.Fatalf("piece %d was done %d times, want once by Turns and once by Ranges", i, times)
					}
				}
			})
		}
	}
}

// The workers run at the same time: each waits for all others.
func TestTogether(t *testing.T) {
	const workers = 3
	meet := func() func() {
		var here atomic.Int64
		all := make(chan struct{})
		return func() {
			if here.Add(1) == workers {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(10 * time.Second):
				t.Errorf("%d of %d workers run at the same time", here.Load(), workers)
			}
		}
	}
	one, other := meet(), meet()
	Ranges(workers, workers, func(_, _, _ int) { one() })
	Turns(workers, workers, func(_, _ int) { other() })
}
