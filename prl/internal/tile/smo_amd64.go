//go:build !purego

package tile

// The assembly works on blocks of smoBlock places; what is left over is done by the plain loops, which go on from what it has found.
const smoBlock = 16

// stepBlocks is plainStep on the first done places. The slices are equally long.
func stepBlocks[F float32 | float64](e, up, down []float64, ki, kj []F, d float64) (done int, found extremes) {
	blocks := len(e) / smoBlock
	if !fast || blocks == 0 {
		return 0, noExtremes()
	}
	switch ki := any(ki).(type) {
	case []float32:
		kj := any(kj).([]float32)
		found.first, found.hi, found.lo = step16single(blocks, &e[0], &up[0], &down[0], &ki[0], &kj[0], d)
	case []float64:
		kj := any(kj).([]float64)
		found.first, found.hi, found.lo = step16double(blocks, &e[0], &up[0], &down[0], &ki[0], &kj[0], d)
	}
	return blocks * smoBlock, found
}

// partnerBlocks is plainPartner on the first done places. The slices are equally long.
func partnerBlocks[F float32 | float64](e, down, diag []float64, ki []F, kii, hi, tau float64) (done int, best partner) {
	blocks := len(e) / smoBlock
	if !fast || blocks == 0 {
		return 0, noPartner()
	}
	switch ki := any(ki).(type) {
	case []float32:
		best.at, best.num, best.den = partner16single(blocks, &e[0], &down[0], &diag[0], &ki[0], kii, hi, tau)
	case []float64:
		best.at, best.num, best.den = partner16double(blocks, &e[0], &down[0], &diag[0], &ki[0], kii, hi, tau)
	}
	return blocks * smoBlock, best
}

// step16single is plainStep on blocks > 0 of sixteen places, for rows of float32.
//
//go:noescape
func step16single(blocks int, e, up, down *float64, ki, kj *float32, d float64) (first int, hi, lo float64)

// partner16single is plainPartner on blocks > 0 of sixteen places, for rows of float32.
//
//go:noescape
func partner16single(blocks int, e, down, diag *float64, ki *float32, kii, hi, tau float64) (at int, num, den float64)

// step16double is plainStep on blocks > 0 of sixteen places, for rows of float64.
//
//go:noescape
func step16double(blocks int, e, up, down *float64, ki, kj *float64, d float64) (first int, hi, lo float64)

// partner16double is plainPartner on blocks > 0 of sixteen places, for rows of float64.
//
//go:noescape
func partner16double(blocks int, e, down, diag *float64, ki *float64, kii, hi, tau float64) (at int, num, den float64)
