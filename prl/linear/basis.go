package linear

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Basis makes several features of one number.
type Basis struct {
	name    string
	columns int
	values  func(to []float64, x float64)
}

// Dim returns the number of features.
func (b Basis) Dim() int { return b.columns }

// Names returns names of the features of a column, such as "poly(age, 3)2".
func (b Basis) Names(column string) []string {
	out := make([]string, b.columns)
	for k := range out {
		out[k] = fmt.Sprintf("%s(%s, %d)%d", b.name, column, b.columns, k+1)
	}
	return out
}

// Values returns the features of x.
func (b Basis) Values(x float64) []float64 {
	out := make([]float64, b.columns)
	b.values(out, x)
	return out
}

func checkSize(op, argument string, v, lo, hi int) error {
	if v < lo || v > hi {
		return fault.Argument(op, argument, v, fmt.Sprintf("a whole number from %d to %d", lo, hi), "")
	}
	return nil
}

// sorted returns the different finite numbers of x in order.
func sorted(x []float64) []float64 {
	s := slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v-v != 0 })
	slices.Sort(s)
	return s
}

// Polynomials returns the polynomials of degrees 1 ... degree that are orthogonal over the numbers x, and to 1, each of length 1: R's poly.
// They come one from the two before, (x - a_k) P_k - n_k/n_(k-1) P_(k-1), which keeps all digits (Forsythe 1957).
func Polynomials(x []float64, degree int) (Basis, error) {
	const op = "linear.Polynomials"
	s := sorted(x)
	if err := checkSize(op, "degree", degree, 1, len(slices.Compact(slices.Clone(s)))-1); err != nil {
		return Basis{}, err
	}
	shift, norm := make([]float64, degree), make([]float64, degree+1)
	before, now := make([]float64, len(s)), make([]float64, len(s))
	for i := range now {
		now[i] = 1
	}
	for k := 0; ; k++ {
		norm[k] = square(now)
		if k == degree {
			break
		}
		for i, v := range now {
			shift[k] += v * v * s[i] / norm[k]
		}
		for i, v := range now {
			next := (s[i] - shift[k]) * v
			if k > 0 {
				next -= norm[k] / norm[k-1] * before[i]
			}
			before[i], now[i] = v, next
		}
	}
	return Basis{"poly", degree, func(to []float64, x float64) {
		before, now := 0.0, 1.0
		for k := range to {
			next := (x - shift[k]) * now
			if k > 0 {
				next -= norm[k] / norm[k-1] * before
			}
			before, now = now, next
			to[k] = next / math.Sqrt(norm[k+1])
		}
	}}, nil
}

// knots returns the least number of x, the quantiles that part it into equal shares, and the largest number.
func knots(op string, x []float64, between int) ([]float64, error) {
	s := sorted(x)
	if len(s) == 0 {
		return nil, fault.Argument(op, "x", "empty", "numbers", "")
	}
	out := make([]float64, between+2)
	for k := range out {
		at := float64(k) / float64(between+1) * float64(len(s)-1)
		i := min(int(at), len(s)-1)
		out[k] = s[i]
		if i+1 < len(s) {
			out[k] += (at - float64(i)) * (s[i+1] - s[i])
		}
		if k > 0 && out[k] <= out[k-1] {
			return nil, fault.Argument(op, "df", between+1, "fewer than the different values of x allow", "two quantiles are equal; use fewer")
		}
	}
	return out, nil
}

// BSplines returns the df basis splines of a degree with knots at quantiles of x, without the first, which the intercept stands for: R's
// bs. Beyond the range of x they go on as the polynomials that they are at its ends.
//
// Source: de Boor (1978), chapter X.
func BSplines(x []float64, df, degree int) (Basis, error) {
	const op = "linear.BSplines"
	if err := checkSize(op, "degree", degree, 1, 20); err != nil {
		return Basis{}, err
	}
	if err := checkSize(op, "df", df, degree, 1000); err != nil {
		return Basis{}, err
	}
	inner, err := knots(op, x, df-degree)
	if err != nil {
		return Basis{}, err
	}
	t := append(slices.Repeat(inner[:1], degree), inner...)
	t = append(t, slices.Repeat(inner[len(inner)-1:], degree)...)
	return Basis{"bs", df, func(to []float64, x float64) {
		at := degree
		for at < df && x >= t[at+1] {
			at++
		}
		n := make([]float64, degree+1) // the splines that are not zero between t[at] and t[at+1]
		n[0] = 1
		for j := 1; j <= degree; j++ {
			saved := 0.0
			for r := range j {
				right, left := t[at+r+1], t[at+1-j+r]
				v := n[r] / (right - left)
				n[r] = saved + (right-x)*v
				saved = (x - left) * v
			}
			n[j] = saved
		}
		clear(to)
		for j, v := range n {
			if k := at - degree + j - 1; k >= 0 {
				to[k] = v
			}
		}
	}}, nil
}

// NaturalSplines returns a basis of df cubic splines, with knots at quantiles of x, that are straight beyond its range; their space is that
// of R's ns.
//
// Source: Hastie, Tibshirani and Friedman (2009), section 5.2.1.
func NaturalSplines(x []float64, df int) (Basis, error) {
	const op = "linear.NaturalSplines"
	if err := checkSize(op, "df", df, 1, 1000); err != nil {
		return Basis{}, err
	}
	t, err := knots(op, x, df-1)
	if err != nil {
		return Basis{}, err
	}
	from, width := t[0], t[df]-t[0]
	for k := range t {
		t[k] = (t[k] - from) / width
	}
	cube := func(v float64) float64 { return math.Pow(max(v, 0), 3) }
	return Basis{"ns", df, func(to []float64, x float64) {
		z := (x - from) / width
		bend := func(k int) float64 { return (cube(z-t[k]) - cube(z-1)) / (1 - t[k]) }
		to[0] = z
		for k := 1; k < df; k++ {
			to[k] = bend(k-1) - bend(df-1)
		}
	}}, nil
}
