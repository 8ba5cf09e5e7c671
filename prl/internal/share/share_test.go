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

// Each piece of each loop of a team is done once, before Turns returns, by a goroutine that is alone with its number, whether the helpers
// look out, sleep or come too late.
func TestTeam(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	team := NewTeam()
	defer team.Close()
	var busy [4]sync.Mutex
	var helped atomic.Int64
	for round := range 600 {
		n := round % 37
		done := make([]int, n)
		team.Turns(n, 1e9, func(g, i int) {
			if g < 0 || g >= team.Size() || !busy[g].TryLock() {
				t.Errorf("goroutine %d of %d is not alone", g, team.Size())
				return
			}
			defer busy[g].Unlock()
			if done[i]++; g > 0 {
				helped.Add(1)
			}
			for until := time.Now().Add(time.Duration(round%3) * 10 * time.Microsecond); time.Now().Before(until); {
			}
		})
		for i, times := range done {
			if times != 1 {
				t.Fatalf("loop %d: piece %d was done %d times", round, i, times)
			}
		}
		if round%50 == 0 {
			time.Sleep(2 * watch) // the helpers fall asleep
		}
	}
	if helped.Load() == 0 {
		t.Error("no helper took a piece")
	}
}

// The goroutines of a team run at the same time: each of as many pieces waits for all others.
func TestTeamTogether(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	team := NewTeam()
	defer team.Close()
	for range 3 {
		var here atomic.Int64
		all := make(chan struct{})
		team.Turns(team.Size(), 1e9, func(_, _ int) {
			if here.Add(1) == int64(team.Size()) {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(10 * time.Second):
				t.Error("the pieces do not run at the same time")
			}
		})
		time.Sleep(2 * watch)
	}
}

// A team does short loops alone, and begins no goroutine for them; without a team a loop is divided as by Workers.
func TestTeamShort(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	team := NewTeam()
	for _, ns := range []float64{0, brief - 1} {
		team.Turns(10, ns, func(g, _ int) {
			if g != 0 {
				t.Errorf("goroutine %d takes a piece of a loop of %g ns", g, ns)
			}
		})
	}
	if team.helpers != nil {
		t.Errorf("%d helpers have begun", len(team.helpers))
	}
	team.Close()
	sum := 0
	(*Team)(nil).Turns(10, 0, func(_, i int) { sum += i })
	if sum != 45 {
		t.Errorf("without a team the pieces add up to %d, want 45", sum)
	}
}

// Helpers end when their team is closed, asleep or not.
func TestTeamClose(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	before := runtime.NumGoroutine()
	for _, pause := range []time.Duration{0, 3 * watch} {
		team := NewTeam()
		team.Turns(8, 1e9, func(_, _ int) {})
		time.Sleep(pause)
		team.Close()
	}
	for until := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
