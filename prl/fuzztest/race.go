//go:build race

package fuzztest

// larger is how much more a reader may take. Under the race detector the compiler inlines less, and more values live on the heap.
const larger = 2
