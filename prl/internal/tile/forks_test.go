package tile

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// climbed returns sorted thresholds in the order of a search without branches.
func climbed(limits []uint64) []uint64 {
	rungs := make([]uint64, max(LeastRungs, 1<<bits.Len(uint(len(limits)))))
	var climb func(i int)
	climb = func(i int) {
		if i >= len(rungs) {
			return
		}
		climb(2 * i)
		if rungs[i] = math.MaxUint64; len(limits) > 0 {
			rungs[i], limits = limits[0], limits[1:]
		}
		climb(2*i + 1)
	}
	climb(1)
	return rungs
}

// The flags of a test are what a comparison says of each row, for numbers equal to thresholds, zeros of both signs and missing ones, and
// scratch holds zeros afterwards.
func TestPass(t *testing.T) {
	both(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(40, 1))
		for _, tests := range []int{1, 2, 63, 64, 65, 255, 1000} {
			for _, n := range []int{1, 3, 8, 31, 33, 100, 255, FlagRows} {
				d := 1 + r.IntN(5)
				limits, keys := make([]float64, tests), make([]uint64, tests)
				for i := range limits {
					limits[i] = r.NormFloat64()
				}
				limits[0] = []float64{0, math.Copysign(0, -1), math.MaxFloat64, -5e-324}[r.IntN(4)]
				slices.Sort(limits)
				for i, v := range limits {
					keys[i] = Key(v)
				}
				x := make([]float64, (n-1)*d+1)
				for i := range x {
					x[i] = []float64{r.NormFloat64(), limits[r.IntN(tests)], math.Copysign(0, -1), 0, math.NaN(), -math.MaxFloat64}[r.IntN(6)]
				}
				gaps := make([]uint64, tests)
				for i := range gaps {
					gaps[i] = -uint64(r.IntN(2))
				}
				rungs, passed := climbed(keys), make([]Flags, tests)
				scratch := make([]Flags, len(rungs))
				Pass(passed, scratch, rungs, gaps, x, d)
				for k := range passed {
					for i := range n {
						v, want := x[i*d], 0
						if v <= limits[k] || v != v && gaps[k] != 0 {
							want = 1
						}
						if have := passed[k].FlagAt(i); have != want {
							t.Fatalf("%d thresholds, row %d of %d: %v passes %v: %d, want %d", tests, i, n, v, limits[k], have, want)
						}
					}
				}
				for k := range scratch {
					if scratch[k] != (Flags{}) {
						t.Fatalf("%d thresholds, %d rows: scratch %d holds %v", tests, n, k, scratch[k])
					}
				}
			}
		}
	})
}

// The exits are those of walks from the first fork, for trees of any shape, and the loops of plain Go find the same ones.
func TestExits(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	for _, n := range []int{0, 1, 2, 3, 30, 31, 32, 100, MostExits - 1} {
		for _, chain := range []bool{false, true} {
			forks, passed := make([]Fork, n), make([]Flags, 2*n+1)
			for i := range passed {
				passed[i] = Flags{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
			}
			var open []*uint16
			for i := range forks {
				f := &forks[i]
				if f.Test = uint32(r.IntN(len(passed))); i > 0 {
					k := r.IntN(len(open))
					if chain {
						k = len(open) - 1
					}
					*open[k] = uint16(MostExits + i)
					open = slices.Delete(open, k, k+1)
				}
				open = append(open, &f.Left, &f.Right)
			}
			for exit, place := range open {
				*place = uint16(exit)
			}
			var numbers, plain [FlagRows]uint8
			var reach [2 * MostExits]Flags
			Exits(&numbers, forks, passed, &reach)
			if n > 0 {
				reach[MostExits] = Flags{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
				plainExits(&plain, forks, passed, &reach)
			}
			same := fmt.Sprintf("%d forks, chain %t", n, chain)
			if numbers != plain {
				t.Fatalf("%s: exits %v, plainly %v", same, numbers, plain)
			}
			for row, have := range numbers {
				place := 0
				if n > 0 {
					place = MostExits
				}
				for place >= MostExits {
					if f := &forks[place-MostExits]; passed[f.Test].FlagAt(row) == 1 {
						place = int(f.Left)
					} else {
						place = int(f.Right)
					}
				}
				if int(have) != place {
					t.Fatalf("%s, row %d: exit %d, want %d", same, row, have, place)
				}
			}
		}
	}
}
