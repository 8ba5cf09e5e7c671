//go:build !amd64 || purego

package tile

func stepBlocks[F float32 | float64](_, _, _ []float64, _, _ []F, _ float64) (done int, found extremes) {
	return 0, noExtremes()
}

func partnerBlocks[F float32 | float64](_, _, _ []float64, _ []F, _, _, _ float64) (done int, best partner) {
	return 0, noPartner()
}
