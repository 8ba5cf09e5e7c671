// Package tile has the inner loops of dense work: products, squared distances, sums of outer products, min-plus products and exponentials.
//
// # Order of sums
//
// Each entry of a product is one chain over the inner index r from 0 upwards, c = fma(a_r, b_r, c), with one rounding a step; a squared
// distance is the same chain of differences, c = fma(a_r - b_r, a_r - b_r, c). Blocks and registers divide the entries among each other and
// never a chain. So the assembly for processors with AVX2 and fused multiply-add (FMA3), and that for AVX-512, give bit for bit what the
// loops of plain.go give, on every machine; the tests hold them to that. fused.FMA is one instruction on amd64, arm64, ppc64, riscv64 and
// s390x. Where a processor has none it is computed by whole numbers: right, and some fifty times slower; in a page it rounds twice instead.
//
// # Blocks
//
// A product C = A B keeps in the first-level cache what it reads again and again:
//
//	     k                    n                     panel   256 steps of the inner index
//	  +-------+       +-----+--+-----+              strip   8 rows of A or columns of B, packed: a step is 8 numbers side by side
//	m |#####  |  panel|     |##|     |              tile    8 rows by 16 columns of C (a strip of A, two of B) held in registers
//	  |       |    k  +-----+--+-----+
//	  +-------+       |     |  |     |              for each panel of the inner index
//	   panel          +-----+--+-----+                for each block of 512 columns: pack the panel of B
//	                                                    for each block of 128 rows: pack the panel of A, 256 kB: the second-level cache
//	  +-----+--+-----+                                    for each two strips of B, 32 kB: the first-level cache
//	C |     |##| tile|                                      for each strip of A
//	  |     |  |     |                                        one tile: C += A B over the panel
//	  +-----+--+-----+
//
// Matrix.AddProduct does that for matrices of any layout. Columns are a B that was packed beforehand, for data that come in small batches
// of rows. Step and Partner are the loops of support vector machines, a Recursion those of hidden Markov models, a Tally that of
// histograms; they say themselves in what order they go. Pass and Exits send rows down trees.
package tile
