//go:build !js

// Package fused multiplies and adds in one instruction where there is one.
package fused

import "math"

// FMA returns x y + z, rounded once: the same bits on every processor, in assembly and in Go. A page is the exception. WebAssembly has no
// such instruction, and math.FMA in its place costs some fifty; there the product is rounded too, and a sum of n terms may differ from the
// native one by n/2 units in the last place of its largest partial sum. What depends on the exact error of a product calls math.FMA.
func FMA(x, y, z float64) float64 { return math.FMA(x, y, z) }
