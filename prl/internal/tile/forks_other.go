//go:build !amd64 || purego

package tile

// FlagsLeast is the number of rows from which Exits of all trees is faster than walks down the trees.
const FlagsLeast = 16

func flagRanks(words []Flags, rungs []uint64, x []float64, d int) Flags {
	return plainRanks(words, rungs, x, d)
}

func flagSums(passed, words []Flags, gaps []uint64, missing *Flags) {
	plainSums(passed, words, gaps, missing)
}

func flagExits(numbers *[FlagRows]uint8, forks []Fork, passed []Flags, reach *[2 * MostExits]Flags) {
	plainExits(numbers, forks, passed, reach)
}
