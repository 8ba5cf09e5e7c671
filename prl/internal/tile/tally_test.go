package tile

import (
	"math/rand/v2"
	"testing"
)

// A Tally is the sums of the rows one by one, for all ranges of features, numbers of rows and bins.
func TestTally(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 1))
	for range 400 {
		n, from := 1+r.IntN(300), r.IntN(Lanes)
		to := from + 1 + r.IntN(Lanes-from)
		bins, rows, add := make([][Lanes]uint8, n), make([]int32, r.IntN(n+1)), make([][2]int64, n)
		for i := range bins {
			for k := range bins[i] {
				bins[i][k] = uint8(r.IntN(256))
				if k%3 == 0 {
					bins[i][k] = 255 * uint8(r.IntN(2))
				}
			}
			add[i] = [2]int64{int64(r.Uint64()), int64(r.Uint64())}
		}
		for i := range rows {
			rows[i] = int32(r.IntN(n))
		}
		var have, plain Tally
		want := map[[2]int][2]int64{}
		for i := range have {
			have[i] = [2]int64{1, -1}
			plain[i] = have[i]
		}
		have.Add(from, to, rows, bins, add)
		plainTally(&plain, from, to, rows, bins, add)
		for i, row := range rows {
			for k := from; k < to; k++ {
				at := [2]int{k, int(bins[row][k])}
				want[at] = [2]int64{want[at][0] + add[i][0], want[at][1] + add[i][1]}
			}
		}
		for i := range have {
			w := want[[2]int{i / TallyStride, i % TallyStride}]
			w[0], w[1] = w[0]+1, w[1]-1
			if have[i] != w || plain[i] != w {
				t.Fatalf("%d rows, features %d to %d: bar %d is %v, plainly %v, want %v", len(rows), from, to, i, have[i], plain[i], w)
			}
		}
	}
}
