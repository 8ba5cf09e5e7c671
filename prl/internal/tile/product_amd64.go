//go:build !purego

package tile

// fastTile is plainTile with assembly.
func fastTile(what kind, k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr, rows, cols int, fresh bool) {
	if cols <= Wide {
		right = 0
	}
	// The last number of each operand that the assembly touches.
	_, _, _ = a[(tall-1)*ai+(k-1)*ar], b[right+(k-1)*br+Wide-1], c[(rows-1)*cr+cols-1]
	start := 0
	if fresh {
		start = 1
	}
	switch {
	case wide && rows < tall:
		fewRows(what, k, a, ai, ar, b, br, right, c, cr, rows, cols, start)
		return
	case wide && what == products:
		product8x16(k, &a[0], ai, ar, &b[0], br, right, &c[0], cr, 1<<cols-1, start)
		return
	case wide:
		distances8x16(k, &a[0], ai, ar, &b[0], br, right, &c[0], cr, 1<<cols-1, start)
		return
	}
	for i := 0; i < rows; i += tall / 2 {
		for j := 0; j < cols; j += Wide {
			fastQuarter(what, k, a[i*ai:], ai, ar, b[j/Wide*right:], br, c[i*cr+j:], cr, min(tall/2, rows-i), min(Wide, cols-j), start)
		}
	}
}

// fewRows is fastTile with registers of eight numbers for rows that fill no tile. It is a function of its own because making the room takes
// as long as some steps of a tile.
func fewRows(what kind, k int, a []float64, ai, ar int, b []float64, br, right int, c []float64, cr, rows, cols, fresh int) {
	var few [tall * 2 * Wide]float64
	if fresh == 0 {
		copyTile(few[:], 2*Wide, c, cr, rows, cols)
	}
	if what == products {
		product8x16(k, &a[0], ai, ar, &b[0], br, right, &few[0], 2*Wide, 1<<cols-1, fresh)
	} else {
		distances8x16(k, &a[0], ai, ar, &b[0], br, right, &few[0], 2*Wide, 1<<cols-1, fresh)
	}
	copyTile(c, cr, few[:], 2*Wide, rows, cols)
}

// fastQuarter works on at most 4 x 8 entries, with registers of four numbers.
func fastQuarter(what kind, k int, a []float64, ai, ar int, b []float64, br int, c []float64, cr, rows, cols, fresh int) {
	var few [tall / 2 * Wide]float64
	to, stride := &c[0], cr
	small := rows < tall/2 || cols < Wide
	if small {
		if fresh == 0 {
			copyTile(few[:], Wide, c, cr, rows, cols)
		}
		to, stride = &few[0], Wide
	}
	if what == products {
		product4x8(k, &a[0], ai, ar, &b[0], br, to, stride, fresh)
	} else {
		distances4x8(k, &a[0], ai, ar, &b[0], br, to, stride, fresh)
	}
	if small {
		copyTile(c, cr, few[:], Wide, rows, cols)
	}
}

func copyTile(to []float64, stride int, from []float64, fromStride, rows, cols int) {
	for i := range rows {
		copy(to[i*stride:i*stride+cols], from[i*fromStride:i*fromStride+cols])
	}
}

func rowTile(what kind, k int, a, b []float64, strip int, c []float64) {
	if !fast || k == 0 {
		plainRow(what, k, a, b, strip, c)
		return
	}
	_, _, _ = a[k-1], b[3*strip+Wide*k-1], c[4*Wide-1]
	switch what {
	case products:
		product1x32(k, &a[0], &b[0], strip, &c[0])
	case squares:
		distances1x32(k, &a[0], &b[0], strip, &c[0])
	default:
		absolute1x32(k, &a[0], &b[0], strip, &c[0])
	}
}

// turnFour writes number r of each of four rows of n numbers, i, to to[r step + i].
func turnFour(n int, x []float64, stride int, to []float64, step int) {
	if !fast || n < 4 {
		plainTurn(n, 4, x, stride, to, step)
		return
	}
	_, _ = x[3*stride+n-1], to[(n-1)*step+3]
	turn4(n, &x[0], stride, &to[0], step)
}

// product8x16 is plainTile of products for k > 0 and eight rows. Of the columns it reads and writes those whose bits are set in mask; fresh
// is 1 or 0.
//
//go:noescape
func product8x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr, mask, fresh int)

// distances8x16 is plainTile of squares for k > 0 and eight rows, with mask and fresh as in product8x16.
//
//go:noescape
func distances8x16(k int, a *float64, ai, ar int, b *float64, br, right int, c *float64, cr, mask, fresh int)

// product4x8 is plainTile of products for k > 0, four rows and eight columns.
//
//go:noescape
func product4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr, fresh int)

// distances4x8 is plainTile of squares for k > 0, four rows and eight columns.
//
//go:noescape
func distances4x8(k int, a *float64, ai, ar int, b *float64, br int, c *float64, cr, fresh int)

// product1x32 is plainRow of products for k > 0.
//
//go:noescape
func product1x32(k int, a, b *float64, strip int, c *float64)

// distances1x32 is plainRow of squares for k > 0.
//
//go:noescape
func distances1x32(k int, a, b *float64, strip int, c *float64)

// absolute1x32 is plainRow of absolutes for k > 0.
//
//go:noescape
func absolute1x32(k int, a, b *float64, strip int, c *float64)

// turn4 is turnFour for n > 3.
//
//go:noescape
func turn4(n int, x *float64, stride int, to *float64, step int)
