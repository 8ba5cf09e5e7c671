//go:build !unix

package bench

// cpuSeconds is not known here.
func cpuSeconds() float64 { return -1 }
