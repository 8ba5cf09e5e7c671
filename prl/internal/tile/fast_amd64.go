//go:build !purego

package tile

import "golang.org/x/sys/cpu"

// fast says that the processor has what the assembly needs, wide that it has registers of eight numbers.
var (
	fast = cpu.X86.HasAVX2
	wide = cpu.X86.HasAVX2 && cpu.X86.HasAVX512F
)

func mul(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	if !fast || k == 0 {
		plainMul(k, a, ai, ar, b, br, c, cr)
		return
	}
	// The last number of each operand that the assembly touches.
	_, _, _ = a[3*ai+(k-1)*ar], b[(k-1)*br+7], c[3*cr+7]
	if wide {
		mul4x8wide(k, &a[0], ai, ar, &b[0], br, &c[0], cr)
		return
	}
	mul4x8(k, &a[0], ai, ar, &b[0], br, &c[0], cr)
}

func distances(k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr int) {
	if !fast || k == 0 {
		plainDistances(k, a, ai, ar, b, br, c, cr)
		return
	}
	_, _, _ = a[3*ai+(k-1)*ar], b[(k-1)*br+7], c[3*cr+7]
	if wide {
		distances4x8wide(k, &a[0], ai, ar, &b[0], br, &c[0], cr)
		return
	}
	distances4x8(k, &a[0], ai, ar, &b[0], br, &c[0], cr)
}

// mulWide is mul for the 16 columns of two strips, the second of which begins at b[right].
func mulWide(k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr int) {
	_, _, _ = a[3*ai+(k-1)*ar], b[right+(k-1)*br+7], c[3*cr+15]
	mul4x16(k, &a[0], ai, ar, &b[0], br, right, &c[0], cr)
}

// distancesWide is distances for two strips.
func distancesWide(k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr int) {
	_, _, _ = a[3*ai+(k-1)*ar], b[right+(k-1)*br+7], c[3*cr+15]
	distances4x16(k, &a[0], ai, ar, &b[0], br, right, &c[0], cr)
}

func mulRow(k int, a, b []float64, strip int, c []float64) {
	if !fast || k == 0 {
		plainMulRow(k, a, b, strip, c)
		return
	}
	_, _, _ = a[k-1], b[3*strip+8*k-1], c[31]
	mul1x32(k, &a[0], &b[0], strip, &c[0])
}

func distancesRow(k int, a, b []float64, strip int, c []float64) {
	if !fast || k == 0 {
		plainDistancesRow(k, a, b, strip, c)
		return
	}
	_, _, _ = a[k-1], b[3*strip+8*k-1], c[31]
	distances1x32(k, &a[0], &b[0], strip, &c[0])
}

func absoluteRow(k int, a, b []float64, strip int, c []float64) {
	if !fast || k == 0 {
		plainAbsoluteRow(k, a, b, strip, c)
		return
	}
	_, _, _ = a[k-1], b[3*strip+8*k-1], c[31]
	absolute1x32(k, &a[0], &b[0], strip, &c[0])
}

func minPlus(cost []float64, b []float64, br int, best []float64, arg []int64) {
	k := len(cost)
	if !fast || k == 0 {
		plainMinPlus(cost, b, br, best, arg)
		return
	}
	_, _, _ = b[(k-1)*br+7], best[7], arg[7]
	minPlus8(k, &cost[0], &b[0], br, &best[0], &arg[0])
}

// mul4x8 is plainMul for k > 0.
//
//go:noescape
func mul4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)

// distances4x8 is plainDistances for k > 0.
//
//go:noescape
func distances4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)

// mul4x8wide is plainMul for k > 0, with registers of eight numbers.
//
//go:noescape
func mul4x8wide(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)

// distances4x8wide is plainDistances for k > 0, with registers of eight numbers.
//
//go:noescape
func distances4x8wide(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr int)

// mul4x16 is plainMul of two strips for k > 0.
//
//go:noescape
func mul4x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr int)

// distances4x16 is plainDistances of two strips for k > 0.
//
//go:noescape
func distances4x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr int)

// mul1x32 is plainMulRow for k > 0.
//
//go:noescape
func mul1x32(k int, a, b *float64, strip int, c *float64)

// distances1x32 is plainDistancesRow for k > 0.
//
//go:noescape
func distances1x32(k int, a, b *float64, strip int, c *float64)

// absolute1x32 is plainAbsoluteRow for k > 0.
//
//go:noescape
func absolute1x32(k int, a, b *float64, strip int, c *float64)

// minPlus8 is plainMinPlus for k > 0.
//
//go:noescape
func minPlus8(k int, cost, b *float64, br int, best *float64, arg *int64)

// exp16 is plainExp on n times sixteen numbers, n > 0.
//
//go:noescape
func exp16(n int, x *float64)

// finite16 is plainFinite on n times sixteen numbers, n > 0.
//
//go:noescape
func finite16(n int, x *float64) bool
