package tile

import (
	"encoding/binary"
	"math"
	"math/bits"
)

const (
	// FlagRows is the number of rows that Flags are about.
	FlagRows = 256
	// MostExits is the largest number of exits of forks: a byte holds the number of an exit.
	MostExits = 256
	// LeastRungs is the least number of rungs.
	LeastRungs = 64
)

// Flags have a bit for each of 256 rows: bit 8(r mod 32) + r/32 is that of row r. So the bits of eight rows, four apart, lie in different
// parts of 32 bits, and the numbers that Exits writes are in the order of the rows.
type Flags [4]uint64

// A Fork sends the rows of a node of a tree that pass a test to one place and the others to another one. The places from 0 on are exits,
// those from MostExits on are the forks themselves, in their order.
type Fork struct {
	Test        uint32
	Left, Right uint16
}

// FlagAt returns the flag of a row as 0 or 1.
func (f *Flags) FlagAt(row int) int { return int(f[row>>3&3] >> (row&7<<3 | row>>5&7) & 1) }

// Key returns a number that rises with v, the same one for both zeros.
func Key(v float64) uint64 {
	b := math.Float64bits(v + 0) // without the sign of 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// Pass writes to passed[k] the rows of which the value is at most threshold k or, where gaps[k] is all ones, missing. The value of row r is
// x[r d], for at most FlagRows rows. The thresholds are rising keys in the order of a search without branches: those behind rung i are the
// rungs 2i and 2i+1, the root is rung 1, and rungs without a threshold hold the largest number. There are a power of two of them, at least
// LeastRungs. Scratch, one for each rung, holds zeros before and after.
func Pass(passed, scratch []Flags, rungs, gaps []uint64, x []float64, d int) {
	missing := flagRanks(scratch[:len(rungs)], rungs, x, d)
	flagSums(passed[:len(gaps)], scratch[:len(gaps)+1], gaps, &missing)
	scratch[len(gaps)] = Flags{}
}

// Exits writes the number of the exit that each row reaches from the first fork. n forks have n+1 exits.
func Exits(numbers *[FlagRows]uint8, forks []Fork, passed []Flags, reach *[2 * MostExits]Flags) {
	if len(forks) == 0 {
		clear(numbers[:])
		return
	}
	reach[MostExits] = Flags{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	flagExits(numbers, forks, passed, reach)
}

// plainRanks sets the flag of each row in the word of the lowest threshold that its value does not exceed, the word behind the thresholds
// if there is none, and returns the rows without a value. Four rows climb side by side, so that none waits for the memory of another.
func plainRanks(words []Flags, rungs []uint64, x []float64, d int) (missing Flags) {
	size, last := uint64(len(rungs)), len(x)-1
	last -= last % d
	for at, row := 0, 0; at <= last; at, row = at+4*d, row+4 {
		ka, ma := keyOrGap(x[at])
		kb, mb := keyOrGap(x[min(at+d, last)])
		kc, mc := keyOrGap(x[min(at+2*d, last)])
		ke, me := keyOrGap(x[min(at+3*d, last)])
		a, b, c, e := uint64(1), uint64(1), uint64(1), uint64(1)
		for a < size {
			_, overA := bits.Sub64(rungs[a], ka, 0)
			_, overB := bits.Sub64(rungs[b], kb, 0)
			_, overC := bits.Sub64(rungs[c], kc, 0)
			_, overE := bits.Sub64(rungs[e], ke, 0)
			a, b, c, e = 2*a+overA, 2*b+overB, 2*c+overC, 2*e+overE
		}
		w, shift := row>>3&3, row&7<<3|row>>5&7
		words[a-size][w] |= 1 << shift
		words[b-size][w] |= 1 << 8 << shift
		words[c-size][w] |= 1 << 16 << shift
		words[e-size][w] |= 1 << 24 << shift
		missing[w] |= (ma | mb<<8 | mc<<16 | me<<24) << shift
	}
	return missing
}

// keyOrGap returns the key of v, or the largest one and 1 where v is missing.
func keyOrGap(v float64) (k, gap uint64) {
	_, gap = bits.Sub64(math.Float64bits(math.Inf(1))<<1, math.Float64bits(v)<<1, 0)
	return Key(v) | -gap, gap
}

// plainSums adds up the words of ranks and clears them.
func plainSums(passed, words []Flags, gaps []uint64, missing *Flags) {
	var all Flags
	for k, gap := range gaps {
		for i := range all {
			all[i] |= words[k][i]
			passed[k][i] = all[i] | missing[i]&gap
		}
		words[k] = Flags{}
	}
}

// plainExits is what Exits computes for at least one fork. It finds the bits of the numbers by halving the exits.
func plainExits(numbers *[FlagRows]uint8, forks []Fork, passed []Flags, reach *[2 * MostExits]Flags) {
	for i, b := range forks {
		rows, pass := &reach[MostExits+i], &passed[b.Test]
		left, right := &reach[b.Left%(2*MostExits)], &reach[b.Right%(2*MostExits)]
		k0, k1, k2, k3 := rows[0]&pass[0], rows[1]&pass[1], rows[2]&pass[2], rows[3]&pass[3]
		right[0], right[1], right[2], right[3] = rows[0]^k0, rows[1]^k1, rows[2]^k2, rows[3]^k3
		left[0], left[1], left[2], left[3] = k0, k1, k2, k3
	}
	var set [4][8]uint64
	exits := len(forks) + 1
	for b := bits.Len(uint(len(forks))) - 1; b >= 0; b-- {
		high := reach[1<<b : exits]
		exits = 1 << b
		low := reach[:len(high)]
		var k0, k1, k2, k3 uint64
		for i := range high {
			from, to := &high[i], &low[i]
			k0, k1, k2, k3 = k0|from[0], k1|from[1], k2|from[2], k3|from[3]
			to[0], to[1], to[2], to[3] = to[0]|from[0], to[1]|from[1], to[2]|from[2], to[3]|from[3]
		}
		set[0][b&7], set[1][b&7], set[2][b&7], set[3][b&7] = k0, k1, k2, k3
	}
	for k := range set {
		transpose(&set[k])
		for i, w := range set[k] {
			binary.LittleEndian.PutUint64(numbers[32*i+8*k:], w)
		}
	}
}

// transpose changes eight words, each with a bit for each of 64 rows, into words of which byte j of word i has the eight bits of row 8j+i.
func transpose(w *[8]uint64) {
	const nibbles, pairs, ones = 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
	a, e := exchange(w[0], w[4], 4, nibbles)
	b, f := exchange(w[1], w[5], 4, nibbles)
	c, g := exchange(w[2], w[6], 4, nibbles)
	d, h := exchange(w[3], w[7], 4, nibbles)
	a, c = exchange(a, c, 2, pairs)
	b, d = exchange(b, d, 2, pairs)
	e, g = exchange(e, g, 2, pairs)
	f, h = exchange(f, h, 2, pairs)
	w[0], w[1] = exchange(a, b, 1, ones)
	w[2], w[3] = exchange(c, d, 1, ones)
	w[4], w[5] = exchange(e, f, 1, ones)
	w[6], w[7] = exchange(g, h, 1, ones)
}

// exchange swaps the bits of mask in v with those bits of u that are higher by shift.
func exchange(u, v uint64, shift int, mask uint64) (uint64, uint64) {
	t := (u>>shift ^ v) & mask
	return u ^ t<<shift, v ^ t
}
