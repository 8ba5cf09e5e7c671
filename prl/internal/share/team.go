package share

import (
	"runtime"
	"sync/atomic"
	"time"
)

const (
	// watch is how long a helper looks out for the next loop before it sleeps, and the caller for the end of a loop.
	watch = 100 * time.Microsecond
	// brief is the work in nanoseconds from which a loop is divided among helpers that look out.
	brief = 20e3
)

// A Team runs many short loops one after another, as a fit of many small steps does. Its helpers look out for the next loop for a while,
// since waking one takes longer than a short loop, and the caller does not wait for a helper that has not taken a piece when all pieces
// are taken. A nil Team divides a loop as Workers and Turns do.
type Team struct {
	helpers []*helper
	size    int
	now     atomic.Pointer[loop]
}

type helper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// loop is one call of Turns.
type loop struct {
	n    int
	work func(g, i int) // nil ends the helpers
	next atomic.Int64
	busy atomic.Int64 // goroutines in the loop, the caller among them
	done chan struct{}
}

// NewTeam returns a team of as many goroutines as there are processors. The caller of its loops is one of them; the others begin with the
// first loop that is divided, and end with Close.
func NewTeam() *Team { return &Team{size: runtime.GOMAXPROCS(0)} }

// Size returns the number of goroutines: g of Turns is below it.
func (t *Team) Size() int {
	if t == nil {
		return runtime.GOMAXPROCS(0)
	}
	return t.size
}

// Turns calls work(g, i) for i = 0 ... n-1, which takes one processor about ns nanoseconds in all. Goroutine 0 is the caller's own. Loops
// of one team run one after another.
func (t *Team) Turns(n int, ns float64, work func(g, i int)) {
	if t == nil {
		Turns(Workers(n, ns), n, work)
		return
	}
	if n < 2 || t.size < 2 || ns < brief && eager.Load() == 0 {
		for i := range n {
			work(0, i)
		}
		return
	}
	for len(t.helpers) < t.size-1 {
		h := &helper{wake: make(chan struct{}, 1)}
		t.helpers = append(t.helpers, h)
		go t.help(h, len(t.helpers))
	}
	l := &loop{n: n, work: work, done: make(chan struct{})}
	l.busy.Store(1)
	t.call(l)
	l.take(0)
	if l.leave() {
		return
	}
	for until := time.Now().Add(watch); time.Now().Before(until); runtime.Gosched() {
		if l.busy.Load() == 0 {
			return
		}
	}
	<-l.done
}

// Close ends the helpers.
func (t *Team) Close() { t.call(&loop{}) }

// call shows a loop to the helpers.
func (t *Team) call(l *loop) {
	t.now.Store(l)
	for _, h := range t.helpers {
		if h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

// help takes part in loops as goroutine g.
func (t *Team) help(h *helper, g int) {
	for last := (*loop)(nil); ; {
		last = t.await(h, last)
		if last.work == nil {
			return
		}
		if last.join() {
			last.take(g)
			last.leave()
		}
	}
}

// await returns the loop behind the last one.
func (t *Team) await(h *helper, last *loop) *loop {
	for until := time.Now().Add(watch); time.Now().Before(until); runtime.Gosched() {
		for range 64 {
			if l := t.now.Load(); l != last {
				return l
			}
		}
	}
	h.asleep.Store(true)
	if t.now.Load() == last || !h.asleep.CompareAndSwap(true, false) {
		<-h.wake // from the call that has found the helper asleep
	}
	return t.now.Load()
}

// take takes pieces until there are none.
func (l *loop) take(g int) {
	for i := int(l.next.Add(1)) - 1; i < l.n; i = int(l.next.Add(1)) - 1 {
		l.work(g, i)
	}
}

// join reports whether the loop is still under way, and enters it if so.
func (l *loop) join() bool {
	for b := l.busy.Load(); b > 0; b = l.busy.Load() {
		if l.busy.CompareAndSwap(b, b+1) {
			return true
		}
	}
	return false
}

// leave reports whether the goroutine was the last one of the loop.
func (l *loop) leave() bool {
	if l.busy.Add(-1) > 0 {
		return false
	}
	close(l.done)
	return true
}
