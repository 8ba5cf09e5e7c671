package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactDistance returns |phi(a) - phi(b)| of a polynomial kernel with 400 bits.
func exactDistance(k Poly, a, b []float64) float64 {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	value := func(a, b []float64) *big.Float {
		sum := number(0)
		for i := range a {
			sum.Add(sum, new(big.Float).Mul(number(a[i]), number(b[i])))
		}
		sum.Mul(sum, number(k.Gamma))
		sum.Add(sum, number(k.Coef0))
		out := number(1)
		for range k.Degree {
			out.Mul(out, sum)
		}
		return out
	}
	d := value(a, a)
	d.Sub(d, new(big.Float).Mul(number(2), value(a, b)))
	d.Add(d, value(b, b))
	d.Sqrt(d)
	f, _ := d.Float64()
	return f
}

// Points that nearly coincide, far from the origin, keep all digits of their distance.
func TestDistanceOfClosePoints(t *testing.T) {
	if d := Distance(Linear{}, []float64{1e9}, []float64{1e9 + 1}); d != 1 {
		t.Errorf("linear: %v, want 1", d)
	}
	if d, want := Distance(RBF{Gamma: 1}, []float64{0}, []float64{1e-9}), math.Sqrt2*1e-9; math.Abs(d-want) > 1e-15*want {
		t.Errorf("RBF: %v, want %v", d, want)
	}
	if d, want := Distance(Laplacian{Gamma: 2}, []float64{5}, []float64{5 + 0x1p-40}), 2*0x1p-20; math.Abs(d-want) > 1e-11*want {
		t.Errorf("Laplacian: %v, want %v", d, want)
	}
	five := Sum(Scale(4, Linear{}), Linear{})
	if d, want := Distance(five, []float64{1e9}, []float64{1e9 + 1}), math.Sqrt(5); math.Abs(d-want) > 1e-15*want {
		t.Errorf("sum: %v, want %v", d, want)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for degree := 1; degree <= 6; degree++ {
		for range 200 {
			k := Poly{Degree: degree, Gamma: 0.1 + r.Float64(), Coef0: float64(r.IntN(2))}
			a, b := make([]float64, 3), make([]float64, 3)
			apart := math.Exp(-25 * r.Float64())
			for j := range a {
				a[j] = 3 * r.NormFloat64()
				b[j] = a[j] + apart*r.NormFloat64()
			}
			if d, want := Distance(k, a, b), exactDistance(k, a, b); math.Abs(d-want) > 1e-12*want {
				t.Errorf("%v of %v and %v, %g apart: %v, want %v", k, a, b, apart, d, want)
			}
		}
	}
}

// No kernel of points says anything about points of unequal lengths, not even of prefixes of a longer slice.
func TestUnequalLengthsGiveNaN(t *testing.T) {
	long := []float64{1, 2, 3, 4}
	for _, k := range []Kernel{
		Linear{},
		Poly{Degree: 2, Gamma: 1},
		RBF{Gamma: 1},
		Laplacian{Gamma: 1},
		Sigmoid{Gamma: 1},
		Boolean{},
		Brownian{},
		Sum(Linear{}, RBF{Gamma: 1}), Scale(2, Linear{}),
		Exp(Linear{}), Polynomial(Linear{}, 1, 2), Product(Linear{}, Linear{}),
	} {
		for _, pair := range [][2][]float64{{long[:2], long[:3]}, {long[:3], long[:2]}, {nil, long}, {long, nil}} {
			if v := k.Eval(pair[0], pair[1]); !math.IsNaN(v) {
				t.Errorf("%v of %v and %v is %v", k, pair[0], pair[1], v)
			}
			if v := Distance(k, pair[0], pair[1]); !math.IsNaN(v) {
				t.Errorf("the distance of %v in %v is %v", pair, k, v)
			}
		}
	}
	m, err := Features(Poly{Degree: 2, Gamma: 1, Coef0: 1}, 2)
	if err != nil || m.At([]float64{1}) != nil || m.At([]float64{1, 2, 3}) != nil || len(m.At([]float64{1, 2})) != 6 {
		t.Error(err, m.At([]float64{1}))
	}
	if (FeatureMap{}).At([]float64{1}) != nil {
		t.Error("a map without features")
	}
}
