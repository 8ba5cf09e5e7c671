//go:build !purego

package tile

func tallyAdd(t *Tally, from, to int, rows []int32, bins [][Lanes]uint8, add [][2]int64) {
	for from < to {
		bars, first := &t[from*TallyStride], &bins[0][from]
		switch {
		case to-from >= 8:
			tally8(len(rows), &rows[0], first, &add[0], bars)
			from += 8
		case to-from >= 4:
			tally4(len(rows), &rows[0], first, &add[0], bars)
			from += 4
		case to-from >= 2:
			tally2(len(rows), &rows[0], first, &add[0], bars)
			from += 2
		default:
			tally1(len(rows), &rows[0], first, &add[0], bars)
			from++
		}
	}
}

// tally8 is plainTally for eight features and n > 0 rows, tally4 for four, and so on. They use nothing that an amd64 may lack.
//
//go:noescape
func tally8(n int, rows *int32, bins *uint8, add, bars *[2]int64)

//go:noescape
func tally4(n int, rows *int32, bins *uint8, add, bars *[2]int64)

//go:noescape
func tally2(n int, rows *int32, bins *uint8, add, bars *[2]int64)

//go:noescape
func tally1(n int, rows *int32, bins *uint8, add, bars *[2]int64)
