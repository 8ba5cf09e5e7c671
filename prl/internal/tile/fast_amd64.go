//go:build !purego

package tile

import "golang.org/x/sys/cpu"

// fast says that the processor has what the assembly needs, wide that it has registers of eight numbers.
var (
	fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	wide = fast && cpu.X86.HasAVX512F
)

func minPlus(cost []float64, b []float64, br int, best []float64, arg []int64) {
	k := len(cost)
	if !fast || k == 0 {
		plainMinPlus(cost, b, br, best, arg)
		return
	}
	_, _, _ = b[(k-1)*br+7], best[7], arg[7]
	minPlus8(k, &cost[0], &b[0], br, &best[0], &arg[0])
}

// minPlus8 is plainMinPlus for k > 0.
//
//go:noescape
func minPlus8(k int, cost, b *float64, br int, best *float64, arg *int64)

// exponentials is plainExp on n times sixteen numbers, n > 0.
func exponentials(n int, x *float64) {
	if wide {
		expWide(n, x)
	} else {
		exp16(n, x)
	}
}

// exp16 is plainExp on n times sixteen numbers, n > 0.
//
//go:noescape
func exp16(n int, x *float64)

// expWide is exp16 with registers of eight numbers.
//
//go:noescape
func expWide(n int, x *float64)

// tanhWide is plainTanh on n times sixteen numbers, n > 0, with registers of eight numbers.
//
//go:noescape
func tanhWide(n int, x, slope *float64)

// finite16 is plainFinite on n times sixteen numbers, n > 0.
//
//go:noescape
func finite16(n int, x *float64) bool
