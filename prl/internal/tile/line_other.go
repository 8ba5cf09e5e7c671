//go:build !amd64 || purego

package tile

func dot(x, y []float64) float64 { return plainDot(x, y) }

func addScaled(y []float64, by float64, x []float64) { plainAddScaled(y, by, x) }
