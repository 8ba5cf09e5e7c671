package bench

import "golang.org/x/sys/cpu"

//go:noescape
func multiplyWide(n int)

//go:noescape
func multiply(n int)

//go:noescape
func read(n int, p *float64)

// multiplies returns what keeps the units of multiplication busy, and the floating-point operations of each of its steps; nil where the
// processor has no fused multiply-add.
func multiplies() (steps func(n int), flops float64) {
	switch {
	case cpu.X86.HasAVX512F:
		return multiplyWide, 2 * 12 * 8
	case cpu.X86.HasFMA:
		return multiply, 2 * 12 * 4
	}
	return nil, 0
}
