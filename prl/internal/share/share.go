// Package share divides loops among processors where that gains time.
//
// A goroutine that wakes a sleeping processor begins late: after a few microseconds on bare metal, after 100 to 200 in a virtual machine.
// Work that one processor does in that time is therefore not divided. The callers see to it that results do not depend on how many
// goroutines there are.
package share

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// least is the work in nanoseconds that a goroutine gets at the least.
const least = 250e3

var eager atomic.Int32 // callers of Eagerly under way

// Eagerly makes Workers divide work of any size while f runs, so that tests of small data go through the code for several processors.
func Eagerly(f func()) {
	eager.Add(1)
	defer eager.Add(-1)
	f()
}

// Workers returns among how many goroutines to divide work of so many pieces that takes one processor about ns nanoseconds in all. It is 1
// where dividing gains nothing.
func Workers(pieces int, ns float64) int {
	if eager.Load() == 0 {
		if ns < 2*least {
			return 1
		}
		pieces = int(min(float64(pieces), ns/least))
	}
	return max(1, min(runtime.GOMAXPROCS(0), pieces))
}

// Turns calls work(g, i) for i = 0 ... n-1 on so many goroutines g = 0 ... workers-1, each of which takes the next i when it has done one.
// Goroutine 0 is the caller's own.
func Turns(workers, n int, work func(g, i int)) {
	if workers < 2 {
		for i := range n {
			work(0, i)
		}
		return
	}
	var next atomic.Int64
	run(workers, func(g int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			work(g, i)
		}
	})
}

// Ranges calls work(g, from, to) on so many goroutines g = 0 ... workers-1 for equal ranges from <= i < to that make up 0 ... n-1 in order.
// Goroutine 0 is the caller's own.
func Ranges(workers, n int, work func(g, from, to int)) {
	if workers < 2 {
		work(0, 0, n)
		return
	}
	run(workers, func(g int) { work(g, g*n/workers, (g+1)*n/workers) })
}

func run(workers int, work func(g int)) {
	var wait sync.WaitGroup
	for g := 1; g < workers; g++ {
		wait.Go(func() { work(g) })
	}
	work(0)
	wait.Wait()
}
