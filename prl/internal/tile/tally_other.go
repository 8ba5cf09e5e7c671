//go:build !amd64 || purego

package tile

func tallyAdd(t *Tally, from, to int, rows []int32, bins [][Lanes]uint8, add [][2]int64) {
	plainTally(t, from, to, rows, bins, add)
}
