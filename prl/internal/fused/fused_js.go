// Package fused multiplies and adds in one instruction where there is one.
package fused

// FMA returns x y + z, the product rounded, for WebAssembly has no instruction that does both.
func FMA(x, y, z float64) float64 { return float64(x*y) + z }
