// Package fuzztest states what the fuzzers of all readers assert: a bound on memory and time (Bounded), models that come back as they went
// and serve (Model, Read), and damaged models (Damage). For property tests it draws data (Matrix, Labels, Distribution). It stands low,
// above package estimator alone, so that the tests of every package may use it.
package fuzztest

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// What a reader may take for size bytes of input.
const (
	Factor    = 20       // bytes of memory for each byte of input
	Allowance = 1 << 20  // bytes for tables and buffers of fixed size
	Gob       = 24 << 20 // allowance of readers of encoding/gob alone; see below
	Patience  = 10 * time.Second
)

// Package gob takes up to 10 MB for a claim before it looks at the data. The store of cell.Keep needs an allowance for that: its values are
// of any type, and a check sum stands before gob there.

// Bounded calls read, whose input has size bytes, and reports when it allocates more than Factor*size + allowance bytes in all, garbage
// included. It panics, so that the fuzzing engine keeps the input, when read takes longer than Patience.
func Bounded(t testing.TB, size, allowance int, read func()) {
	t.Helper()
	Allowed(t, size, Allocated(read), Factor*size+allowance)
}

// Allowed reports when a reader whose input has size bytes used more than most bytes of memory.
func Allowed(t testing.TB, size int, used uint64, most int) {
	t.Helper()
	if used > uint64(larger*most) {
		t.Errorf("%d bytes of input took %d bytes of memory, at most %d are allowed", size, used, larger*most)
	}
}

// Quick calls do and panics when it takes longer than Patience.
func Quick(do func()) {
	watch := time.AfterFunc(Patience, func() { panic(fmt.Sprintf("fuzztest: no end within %v", Patience)) })
	defer watch.Stop()
	do()
}

// Allocated calls do and returns the bytes it allocates, garbage included. It panics when do takes longer than Patience.
func Allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Quick(do)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
