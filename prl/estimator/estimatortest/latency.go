package estimatortest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// late is how much work a fit may do after its context has ended, on a machine as fast as that on which nominal was measured.
const late = 200 * time.Millisecond

// nominal is the processor time of the loop in slowness on the machine on which late was set.
const nominal = 42 * time.Millisecond

// pair is the number of processors that a fit may use here, so that the bound means the same on every machine.
const pair = 2

// slowness is how much longer this machine takes for a plain loop than the one on which the bound was set, and at least 1. The race
// detector makes it larger, as it does the time of a fit.
var slowness = sync.OnceValue(func() float64 {
	x := make([]float64, 4096)
	start := processorTime()
	for range 20_000 {
		for i, v := range x {
			x[i] = v*0.999 + 1
		}
	}
	return max(1, float64(processorTime()-start)/float64(nominal))
})

// Latency stops the fits of all cases that learn from rows on data too large to finish with, long and wide ones, and reports those that go
// on for more than 0.2 s: processor time, which does not depend on what else the machine does, divided by the number of goroutines that may
// share it; the least of three tries.
func Latency(t *testing.T, cases ...Case) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(min(pair, runtime.NumCPU())))
	for _, c := range cases {
		if c.form != rows {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			for _, shape := range [][2]int{{200_000, 20}, {1000, 1000}} {
				n, columns := shape[0], shape[1]
				if detecting {
					columns /= 4 // making the data takes longest, and goroutines share rows
				}
				if err := c.stopsInTime(c.sample(n, columns, 1)); err != nil {
					t.Errorf("%d x %d: %v", n, columns, err)
				}
			}
		})
	}
}

func (c Case) stopsInTime(d Data) error {
	d.X = mat.DenseCopyOf(d.X)
	var least time.Duration
	for try := range 3 {
		runtime.GC() // what was left by others is not the fit's
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan time.Duration, 1)
		timer := time.AfterFunc(40*time.Millisecond, func() {
			ended <- processorTime()
			cancel()
		})
		_, err := c.fitCtx(ctx, d, c.options(d))
		after := processorTime()
		if timer.Stop() { // the fit was quicker, or refuses the data
			cancel()
			return nil
		}
		took := (after - <-ended) / time.Duration(runtime.GOMAXPROCS(0))
		if try == 0 || took < least {
			least = took
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			return nil // it refuses the data, and had to look at them for that
		}
		if most := time.Duration(slowness() * float64(late)); least <= most {
			return nil
		}
	}
	return fmt.Errorf("the fit goes on for %v of processor time after its context has ended, at most %v are allowed",
		least.Round(time.Millisecond), time.Duration(slowness()*float64(late)).Round(time.Millisecond))
}

// processorTime returns the time that this process has computed.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
