package tile

// A Tally sums two whole numbers of rows by the bins of Lanes features. The sums do not depend on the order of the rows.
//
// The bars of a feature begin TallyStride behind those of the one before, so that equal bins of all features do not share a place in the
// cache.
type Tally [(Lanes-1)*TallyStride + 256][2]int64

const (
	Lanes       = 8   // features of a Tally
	TallyStride = 260 // bars from a feature to the next
)

// Add adds add[i] to the bar bins[rows[i]][k] of the features k = from ... to-1.
func (t *Tally) Add(from, to int, rows []int32, bins [][Lanes]uint8, add [][2]int64) {
	if len(rows) > 0 {
		tallyAdd(t, from, to, rows, bins, add[:len(rows)])
	}
}

// plainTally is what Add computes.
func plainTally(t *Tally, from, to int, rows []int32, bins [][Lanes]uint8, add [][2]int64) {
	for k := from; k < to; k++ {
		bars := (*[256][2]int64)(t[k*TallyStride:])
		for i, r := range rows {
			b := &bars[bins[r][k]]
			b[0] += add[i][0]
			b[1] += add[i][1]
		}
	}
}
