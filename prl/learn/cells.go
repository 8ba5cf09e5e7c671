package learn

import (
	"math/big"
	"math/bits"
)

// cells returns every labeling of the vectors that a hyperplane through the origin brings about,
// with a witness w in whole numbers: w·v is positive for the vectors whose bit is set and negative
// for the others, never 0. It is exact for vectors in any position.
//
// A labeling of all but the last vector v extends in both ways if some w with w·v = 0 brings it
// about, which is the same question with one vector and one dimension less; else its own witness
// knows the sign of v.
func cells(vectors [][]*big.Int, dim int) map[uint64][]*big.Int {
	if len(vectors) == 0 {
		w := make([]*big.Int, dim)
		for j := range w {
			w[j] = big.NewInt(1)
		}
		return map[uint64][]*big.Int{0: w}
	}
	last := len(vectors) - 1
	v, rest, bit := vectors[last], vectors[:last], uint64(1)<<last
	pivot := -1
	for j, x := range v {
		if x.Sign() != 0 {
			pivot = j
			break
		}
	}
	if pivot < 0 {
		return nil // no w gives the vector 0 a sign
	}
	flat := make([][]*big.Int, last)
	for i, u := range rest {
		flat[i] = along(u, v, pivot)
	}
	out := map[uint64][]*big.Int{}
	through := cells(flat, dim-1)
	for mask, w := range through {
		w = lift(w, v, pivot)
		shift := 0 // 2^shift w ± v has the signs of w on the rest
		for _, u := range rest {
			shift = max(shift, dot(v, u).BitLen()-dot(w, u).BitLen()+1)
		}
		minus, plus := make([]*big.Int, dim), make([]*big.Int, dim)
		for j := range w {
			far := new(big.Int).Lsh(w[j], uint(shift))
			minus[j], plus[j] = new(big.Int).Sub(far, v[j]), new(big.Int).Add(far, v[j])
		}
		out[mask], out[mask|bit] = minus, plus
	}
	for mask, w := range cells(rest, dim) {
		if _, both := through[mask]; both {
			continue
		}
		if dot(w, v).Sign() > 0 {
			mask |= bit
		}
		out[mask] = w
	}
	return out
}

// along returns u with its pivot coordinate eliminated along v: |v_p| u_j - sgn(v_p) u_p v_j for j
// other than p.
func along(u, v []*big.Int, pivot int) []*big.Int {
	size, lever := new(big.Int).Abs(v[pivot]), new(big.Int).Set(u[pivot])
	if v[pivot].Sign() < 0 {
		lever.Neg(lever)
	}
	out := make([]*big.Int, 0, len(u)-1)
	for j := range u {
		if j != pivot {
			x := new(big.Int).Mul(size, u[j])
			out = append(out, x.Sub(x, new(big.Int).Mul(lever, v[j])))
		}
	}
	return out
}

// lift returns the multiple of w that is perpendicular to v and whose products with vectors are
// those of w with what along makes of them.
func lift(w, v []*big.Int, pivot int) []*big.Int {
	size, sum := new(big.Int).Abs(v[pivot]), new(big.Int)
	out := make([]*big.Int, len(v))
	for j, i := 0, 0; j < len(v); j++ {
		if j != pivot {
			sum.Sub(sum, new(big.Int).Mul(w[i], v[j]))
			out[j] = new(big.Int).Mul(size, w[i])
			i++
		}
	}
	if v[pivot].Sign() < 0 {
		sum.Neg(sum)
	}
	out[pivot] = sum
	return out
}

func dot(a, b []*big.Int) *big.Int {
	sum, product := new(big.Int), new(big.Int)
	for j := range a {
		sum.Add(sum, product.Mul(a[j], b[j]))
	}
	return sum
}

// wholes returns the vectors times one power of two that makes all their numbers whole.
func wholes(vectors [][]*big.Rat) [][]*big.Int {
	least := 0
	for _, v := range vectors {
		for _, x := range v {
			least = max(least, x.Denom().BitLen()-1) // the denominators of float64s are powers of two
		}
	}
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(least)))
	out := make([][]*big.Int, len(vectors))
	for i, v := range vectors {
		for _, x := range v {
			out[i] = append(out[i], new(big.Int).Set(new(big.Rat).Mul(x, scale).Num()))
		}
	}
	return out
}

// Hyperplanes returns the labelings of the points, rows of one length, that affine hyperplanes
// bring about, strictly and exactly, whatever the position of the points; at most 16 points. The VC
// dimension of hyperplanes in N dimensions is N + 1.
func Hyperplanes(points [][]float64) (*Space, error) {
	const who = "learn.Hyperplanes"
	if err := checkRows(who, points, 16); err != nil {
		return nil, err
	}
	vectors := make([][]*big.Rat, len(points))
	for i, p := range points {
		for _, x := range p {
			vectors[i] = append(vectors[i], new(big.Rat).SetFloat64(x))
		}
		vectors[i] = append(vectors[i], big.NewRat(1, 1))
	}
	found := cells(wholes(vectors), len(points[0])+1)
	s, err := blank(who, len(points), len(found))
	if err != nil {
		return nil, err
	}
	s.rows = s.rows[:0]
	for mask := range uint64(1) << len(points) {
		if _, ok := found[mask]; ok {
			s.rows = append(s.rows, mask)
		}
	}
	return s, nil
}

// ShatteredSets returns how many sets of instances, the empty one among them, the space shatters;
// at most 16 instances. A space has never more labelings than shattered sets (Pajor 1985), from
// which Sauer's lemma follows.
func (s *Space) ShatteredSets() (int, error) {
	if err := checkSmall("learn.Space.ShatteredSets", s.instances); err != nil {
		return 0, err
	}
	count := 0
	for mask := range uint64(1) << s.instances {
		var set []int
		for m := mask; m != 0; m &= m - 1 {
			set = append(set, bits.TrailingZeros64(m))
		}
		if s.shatters(set) {
			count++
		}
	}
	return count, nil
}
