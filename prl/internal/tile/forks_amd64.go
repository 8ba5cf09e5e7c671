//go:build !purego

package tile

// FlagsLeast is the number of rows from which Exits of all trees is faster than walks down the trees.
const FlagsLeast = 8

func flagRanks(words []Flags, rungs []uint64, x []float64, d int) (missing Flags) {
	if !wide {
		return plainRanks(words, rungs, x, d)
	}
	ranks8((len(x)-1)/d+1, d, len(rungs), &x[0], &rungs[0], &words[0], &missing)
	return missing
}

func flagSums(passed, words []Flags, gaps []uint64, missing *Flags) {
	if !fast {
		plainSums(passed, words, gaps, missing)
		return
	}
	sumFlags(len(gaps), &passed[0], &words[0], &gaps[0], missing)
}

func flagExits(numbers *[FlagRows]uint8, forks []Fork, passed []Flags, reach *[2 * MostExits]Flags) {
	if !fast {
		plainExits(numbers, forks, passed, reach)
		return
	}
	exitFlags(len(forks), &forks[0], &passed[0], reach, numbers)
}

// ranks8 is plainRanks for n > 0 rows, with registers of eight numbers.
//
//go:noescape
func ranks8(n, d, size int, x *float64, rungs *uint64, words, missing *Flags)

// sumFlags is plainSums for n > 0 words.
//
//go:noescape
func sumFlags(n int, passed, words *Flags, gaps *uint64, missing *Flags)

// exitFlags is plainExits.
//
//go:noescape
func exitFlags(n int, forks *Fork, passed *Flags, reach *[2 * MostExits]Flags, numbers *[FlagRows]uint8)
