package gauss

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// covariance returns a random positive definite matrix, row by row, whose columns have the given units.
func covariance(r *rand.Rand, d int, unit func(j int) float64) []float64 {
	A := mat.NewDense(d+3, d, nil)
	for i := range d + 3 {
		for j := range d {
			A.Set(i, j, r.NormFloat64()*unit(j))
		}
	}
	var S mat.SymDense
	S.SymOuterK(1, A.T())
	return mat.DenseCopyOf(&S).RawMatrix().Data
}

func one(int) float64 { return 1 }

func vector(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for j := range x {
		x[j] = r.NormFloat64()
	}
	return x
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s: got %.15g, want %.15g", what, got, want)
	}
}

// Densities are those that gonum's Cholesky factor gives.
func TestDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, d := range []int{1, 2, 3, 7, 8, 9, 20, 65, 130} {
		cov, mean := covariance(r, d, one), vector(r, d)
		f, err := NewFactor(cov, d)
		if err != nil {
			t.Fatal(err)
		}
		var other mat.Cholesky
		if !other.Factorize(mat.NewSymDense(d, cov)) {
			t.Fatal("not positive definite")
		}
		const n = 11
		rows, squares := make([]float64, n*d), make([]float64, 3*n)
		for i := range rows {
			rows[i] = 3 * r.NormFloat64()
		}
		f.Distances(squares[1:], 3, rows, n, mean, NewRoom(n, d))
		for i := range n {
			x := rows[i*d : (i+1)*d]
			want := -0.5 * (float64(d)*math.Log(2*math.Pi) + other.LogDet() + square(&other, x, mean))
			near(t, "one row", -0.5*(float64(d)*Log2Pi+f.LogDet()+f.Distance2(x, mean)), want, 1e-12)
			near(t, "a batch", -0.5*(float64(d)*Log2Pi+f.LogDet()+squares[1+3*i]), want, 1e-12)
		}
		// Sigma^-1 v in two ways, and as a matrix.
		v, w := vector(r, d), make([]float64, d)
		f.Whiten(w, v)
		f.Back(w, w)
		var back mat.VecDense
		back.MulVec(mat.NewSymDense(d, cov), mat.NewVecDense(d, w))
		P := f.Precision()
		for j := range d {
			near(t, "Sigma Sigma^-1 v", back.AtVec(j), v[j], 1e-9)
			sum := 0.0
			for i, u := range v {
				sum += P[j*d+i] * u
			}
			near(t, "precision", sum, w[j], 1e-10)
		}
	}
}

// square returns (x - mean)^T Sigma^-1 (x - mean).
func square(sigma *mat.Cholesky, x, mean []float64) float64 {
	var difference, solved mat.VecDense
	difference.SubVec(mat.NewVecDense(len(x), x), mat.NewVecDense(len(x), mean))
	if err := sigma.SolveVecTo(&solved, &difference); err != nil {
		panic(err)
	}
	return mat.Dot(&difference, &solved)
}

// A diagonal covariance gives the same numbers written out and as variances.
func TestDiagonal(t *testing.T) {
	variances := []float64{1e-9, 4, 1e12}
	full := make([]float64, 9)
	for j, v := range variances {
		full[4*j] = v
	}
	a, errA := NewFactor(full, 3)
	b, errB := NewDiagonal(variances)
	if errA != nil || errB != nil || !a.Diagonal() || !b.Diagonal() || a.LogDet() != b.LogDet() {
		t.Fatal(errA, errB)
	}
	x, mean := []float64{1e-5, 3, 2e6}, []float64{0, 1, 1e6}
	near(t, "distance", a.Distance2(x, mean), 0.1+1+1, 1e-12)
	near(t, "log det", a.LogDet(), math.Log(4e3), 1e-12)
	z := make([]float64, 3)
	a.Whiten(z, x)
	b.Back(z, z)
	for j, v := range variances {
		near(t, "Sigma^-1 x", z[j], x[j]/v, 1e-12)
		near(t, "precision", b.Precision()[4*j], 1/v, 1e-12)
	}
}

// Columns of units as different as float64 allows are not singular; columns that depend on others, constant ones and what is no covariance
// are.
func TestSingular(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	cov := covariance(r, 5, func(j int) float64 { return math.Pow(1e30, float64(j-2)) })
	if _, err := NewFactor(cov, 5); err != nil {
		t.Errorf("columns of different units: %v", err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		cov    []float64
		d      int
		column int
	}{
		"no variance":       {[]float64{1, 0, 0, 0}, 2, 1},
		"negative variance": {[]float64{-1, 0, 0, 1}, 2, 0},
		"infinite variance": {[]float64{inf, 0, 0, 1}, 2, 0},
		"NaN variance":      {[]float64{nan}, 1, 0},
		"NaN covariance":    {[]float64{1, nan, nan, 1}, 2, -1},
		"infinite":          {[]float64{1, inf, inf, 1}, 2, -1},
		"dependent columns": {[]float64{1, 1, 1, 1}, 2, 1},
		"nearly dependent":  {[]float64{1, 1 - 1e-15, 1 - 1e-15, 1}, 2, 1},
		"indefinite":        {[]float64{1, 2, 2, 1}, 2, -1},
		"subnormal":         {[]float64{5e-324}, 1, 0},
	} {
		var single *SingularError
		if _, err := NewFactor(c.cov, c.d); !errors.As(err, &single) || single.Column != c.column {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewFactor([]float64{1, 1 - 1e-13, 1 - 1e-13, 1}, 2); err != nil {
		t.Errorf("a correlation of 1 - 1e-13: %v", err)
	}
}

// The mean and covariance of draws are those of the distribution, within five standard errors.
func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const d, n = 3, 200000
	for name, cov := range map[string][]float64{"full": {4, 1, -1, 1, 9, 2, -1, 2, 1.5}, "diagonal": {4, 0, 0, 0, 9, 0, 0, 0, 1.5}} {
		f, err := NewFactor(cov, d)
		if err != nil {
			t.Fatal(err)
		}
		mean, x := []float64{1, -2, 3}, make([]float64, d)
		var sum [d]float64
		var square [d][d]float64
		for range n {
			f.Draw(x, mean, r)
			for i := range d {
				sum[i] += x[i] - mean[i]
				for j := range d {
					square[i][j] += (x[i] - mean[i]) * (x[j] - mean[j])
				}
			}
		}
		for i := range d {
			if se := math.Sqrt(cov[4*i] / n); math.Abs(sum[i]/n) > 5*se {
				t.Errorf("%s: mean %d is off by %g", name, i, sum[i]/n)
			}
			for j := range d {
				se := math.Sqrt((cov[4*i]*cov[4*j] + cov[3*i+j]*cov[3*i+j]) / n)
				if got := square[i][j] / n; math.Abs(got-cov[3*i+j]) > 5*se {
					t.Errorf("%s: covariance %d, %d is %g", name, i, j, got)
				}
			}
		}
	}
}

func TestShrink(t *testing.T) {
	full, variances := []float64{1, 5, 0, 3}, []float64{1, 3}
	Shrink(full, 2, 0.25)
	Shrink(variances, 2, 0.25)
	for i, want := range []float64{1.25, 3.75, 0, 2.75} {
		near(t, "full", full[i], want, 1e-15)
	}
	for i, want := range []float64{1.25, 2.75} {
		near(t, "variances", variances[i], want, 1e-15)
	}
}

func TestSoftmax(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		l, want []float64
		sum     float64
	}{
		{nil, nil, -inf},
		{[]float64{-inf}, []float64{-inf}, -inf},
		{[]float64{0, math.Log(3)}, []float64{0.25, 0.75}, math.Log(4)},
		{[]float64{-1e308, -inf, -1e308}, []float64{0.5, 0, 0.5}, -1e308},
		{[]float64{1e308, -1e308}, []float64{1, 0}, 1e308},
	} {
		if got := LogSumExp(c.l); got != c.sum && math.Abs(got-c.sum) > 1e-15 {
			t.Errorf("LogSumExp(%v) = %v", c.l, got)
		}
		if got := Softmax(c.l); got != c.sum && math.Abs(got-c.sum) > 1e-15 {
			t.Errorf("Softmax returns %v, want %v", got, c.sum)
		}
		for j, want := range c.want {
			if c.l[j] != want && math.Abs(c.l[j]-want) > 1e-15 {
				t.Errorf("softmax is %v, want %v", c.l, c.want)
			}
		}
	}
}

// Relative is the difference of log densities that numbers of 2000 bits give, at all distances.
func TestRelativeAgainstBigNumbers(t *testing.T) {
	const bits = 4000
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	r := rand.New(rand.NewPCG(4, 4))
	for range 60 {
		d, k := 1+r.IntN(3), 2+r.IntN(3)
		tied := r.IntN(2) == 0
		size := math.Pow(10, 300*r.Float64()-20)
		x, means, factors, weights := vector(r, d), make([][]float64, k), make([]*Factor, k), make([]float64, k)
		variances := make([][]float64, k)
		for j := range x {
			x[j] *= size
		}
		for c := range k {
			means[c], variances[c], weights[c] = vector(r, d), vector(r, d), math.Log(0.1+r.Float64())
			for j, v := range variances[c] {
				variances[c][j] = 0.5 + v*v
			}
			if c > 0 && tied {
				variances[c], factors[c] = variances[0], factors[0]
				continue
			}
			var err error
			if factors[c], err = NewDiagonal(variances[c]); err != nil {
				t.Fatal(err)
			}
		}
		l, want := make([]float64, k), make([]*big.Float, k)
		Relative(l, x, weights, means, factors)
		var top *big.Float
		for c := range k {
			sum := exact(0)
			for j, v := range x {
				u := new(big.Float).SetPrec(bits).Sub(exact(v), exact(means[c][j]))
				u.Mul(u, u)
				sum.Add(sum, u.Quo(u, exact(variances[c][j])))
			}
			sum.Quo(sum, exact(-2))
			want[c] = sum.Add(sum, exact(weights[c]-0.5*factors[c].LogDet()))
			if top == nil || want[c].Cmp(top) > 0 {
				top = new(big.Float).SetPrec(bits).Set(want[c])
			}
		}
		for c := range k {
			w, _ := want[c].Sub(want[c], top).Float64()
			if math.IsInf(w, -1) && l[c] < -1e300 || w == 0 && l[c] == 0 {
				continue
			}
			if !(math.Abs(l[c]-w) <= 1e-9*(1+math.Abs(w))) {
				t.Errorf("d %d, tied %v, |x| about %.1g: %g, want %g", d, tied, size, l[c], w)
			}
		}
	}
}

func TestRelativeOfNothing(t *testing.T) {
	f, err := NewDiagonal([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	l := []float64{7, 7}
	none := math.Inf(-1)
	Relative(l, []float64{1e200}, []float64{none, 0}, [][]float64{{0}, {-1}}, []*Factor{f, f})
	if l[0] != none || l[1] != 0 {
		t.Error(l)
	}
	Relative(l, []float64{1e200}, []float64{none, none}, [][]float64{{0}, {-1}}, []*Factor{f, f})
	if l[0] != none || l[1] != none {
		t.Error(l)
	}
	Relative(l, []float64{0}, []float64{0, 0}, [][]float64{{0}, {0}}, []*Factor{f, f})
	if l[0] != 0 || l[1] != 0 {
		t.Error(l)
	}
}

// Sums about a centre are those of the definition, for one batch of rows and more, with and without shifts.
func TestMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for d := 1; d <= 40; d++ {
		for _, shifts := range []bool{false, true} {
			s, centre := NewMoments(d, shifts), vector(r, d)
			for _, n := range []int{1, Batch, Batch + 1, 150} { // one after the other in the same room
				s.Clear()
				squares, shift, weight := make([]float64, d*d), make([]float64, d), 0.0
				for range n {
					x, u := vector(r, d), r.Float64()
					s.Add(u, x, centre)
					weight += u
					for a := range d {
						shift[a] += u * (x[a] - centre[a])
						for b := range d {
							squares[a*d+b] += u * (x[a] - centre[a]) * (x[b] - centre[b])
						}
					}
				}
				s.Sum()
				for a := range d {
					for b := a; b < d; b++ {
						near(t, "square", s.Square(a, b), squares[a*d+b], 1e-12)
					}
					if shifts {
						near(t, "shift", s.Shift(a), shift[a], 1e-12)
					}
				}
				if shifts {
					near(t, "weight", s.Weight(), weight, 1e-12)
				}
			}
		}
	}
}

// Distances to several means are those to each, with one covariance for all, with one each, and with diagonal ones.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, d := range []int{1, 2, 7, 8, 17} {
		const k, n = 3, 9
		rows := vector(r, n*d)
		for name, share := range map[string]bool{"one": true, "each": false} {
			means, factors := make([][]float64, k), make([]*Factor, k)
			for c := range k {
				means[c] = vector(r, d)
				if factors[c] = factors[0]; c > 0 && share {
					continue
				}
				var err error
				if factors[c], err = NewFactor(covariance(r, d, one), d); err != nil {
					t.Fatal(err)
				}
			}
			got := make([]float64, n*k)
			Distances(means, factors, n)(got, rows, n)
			for i := range n {
				for c := range k {
					near(t, name, got[i*k+c], factors[c].Distance2(rows[i*d:(i+1)*d], means[c]), 1e-11)
				}
			}
		}
	}
}
