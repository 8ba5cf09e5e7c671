package reduce_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/reduce"
)

// mixed draws n rows of d features with variances of their own and correlations.
func mixed(r *rand.Rand, n, d int) *mat.Dense {
	X, A := mat.NewDense(n, d, nil), mat.NewDense(d, d, nil)
	for _, m := range []*mat.Dense{X, A} {
		m.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, m)
	}
	X.Mul(X, A)
	X.Apply(func(_, j int, v float64) float64 { return v + 10*float64(j) }, X)
	return X
}

// normal returns log p(x) of the normal law with the given mean and covariance matrix, which it factorises.
func normal(t *testing.T, mean []float64, C *mat.SymDense) func(x []float64) float64 {
	t.Helper()
	var f mat.Cholesky
	if !f.Factorize(C) {
		t.Fatal("C is not positive definite")
	}
	return func(x []float64) float64 {
		r := mat.NewVecDense(len(x), slices.Clone(x))
		r.SubVec(r, mat.NewVecDense(len(mean), mean))
		var solved mat.VecDense
		if err := f.SolveVecTo(&solved, r); err != nil {
			t.Fatal(err)
		}
		return -(float64(len(x))*math.Log(2*math.Pi) + f.LogDet() + mat.Dot(r, &solved)) / 2
	}
}

func ppca(t *testing.T, X mat.Matrix, o reduce.PPCAOptions) *reduce.PPCA {
	t.Helper()
	m, err := reduce.FitPPCA(t.Context(), X, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The density is that of the normal law whose covariance matrix C is formed in full and factorised, and its parts fit together: the trace
// of C is that of S, the posterior mean of z is M^-1 W^T (x - m) with M formed in full, and its variance sigma^2 M^-1.
func TestPPCAIsANormalLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for trial := range 30 {
		d := 2 + r.IntN(6)
		n, k := 5+r.IntN(40), 1+r.IntN(d-1)
		k = min(k, n-3)
		X, o := mixed(r, n, d), reduce.PPCAOptions{Components: k}
		if trial%2 == 1 {
			o.Divisor = reduce.Population
		}
		if trial%3 == 2 {
			for range n {
				o.Weights = append(o.Weights, 0.5+r.Float64())
			}
		}
		m := ppca(t, X, o)
		C, W := m.Covariance(), m.Loadings()
		law := normal(t, m.Mean(), C)
		logs, err := m.LogDensities(X)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, got := range logs {
			sum += got
			if want := law(X.RawRowView(i)); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("log density of row %d is %v, want %v", i, got, want)
			}
		}
		if l, err := m.LogLikelihood(X); err != nil || math.Abs(l-sum) > 1e-12*math.Abs(sum) {
			t.Errorf("the log-likelihood is %v, want %v: %v", l, sum, err)
		}
		trace := 0.0
		for _, v := range m.Variances() {
			trace += v
		}
		if math.Abs(mat.Trace(C)-trace) > 1e-12*trace {
			t.Errorf("the trace of C is %v, that of S %v", mat.Trace(C), trace)
		}
		var M, inverse, centred, want mat.Dense
		M.Mul(W.T(), W)
		for j := range k {
			M.Set(j, j, M.At(j, j)+m.Noise())
		}
		if err := inverse.Inverse(&M); err != nil {
			t.Fatal(err)
		}
		centred.Apply(func(_, j int, v float64) float64 { return v - m.Mean()[j] }, X)
		want.Product(&centred, W, inverse.T())
		z, err := m.Transform(X)
		if err != nil || !mat.EqualApprox(z, &want, 1e-9) {
			t.Errorf("the posterior means are not M^-1 W^T (x - m): %v", err)
		}
		for j, v := range m.LatentVariances() {
			if math.Abs(v-m.Noise()*inverse.At(j, j)) > 1e-10 {
				t.Errorf("the variance of z%d given a row is %v, want %v", j+1, v, m.Noise()*inverse.At(j, j))
			}
		}
		x, err := m.Inverse(z)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := m.Transform(x); err != nil || !mat.EqualApprox(again, z, 1e-9) {
			t.Errorf("Transform does not undo Inverse: %v", err)
		}
	}
}

// On a plane the density sums to one.
func TestPPCAIsADensity(t *testing.T) {
	m := ppca(t, mixed(rand.New(rand.NewPCG(5, 1)), 30, 2), reduce.PPCAOptions{Components: 1})
	const places, reach = 400, 10.0
	C, mean := m.Covariance(), m.Mean()
	a, b := math.Sqrt(C.At(0, 0)), math.Sqrt(C.At(1, 1))
	X := mat.NewDense(places*places, 2, nil)
	for i := range places {
		for j := range places {
			u, v := reach*(2*float64(i)/(places-1)-1), reach*(2*float64(j)/(places-1)-1)
			X.SetRow(i*places+j, []float64{mean[0] + a*u, mean[1] + b*v})
		}
	}
	logs, err := m.LogDensities(X)
	if err != nil {
		t.Fatal(err)
	}
	sum, step := 0.0, 2*reach/(places-1)
	for _, l := range logs {
		sum += math.Exp(l) * a * b * step * step
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the density sums to %v", sum)
	}
}

// With Population the closed form is the maximum: no other loadings and noise near by are likelier, while with the divisor n-1 some are.
func TestPPCAIsTheMaximum(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	X := mixed(r, 25, 4)
	mean := ppca(t, X, reduce.PPCAOptions{Components: 2}).Mean()
	likelihood := func(C *mat.SymDense) float64 {
		law, sum := normal(t, mean, C), 0.0
		for i := range 25 {
			sum += law(X.RawRowView(i))
		}
		return sum
	}
	for _, divisor := range []reduce.Divisor{reduce.Population, reduce.Sample} {
		m := ppca(t, X, reduce.PPCAOptions{Components: 2, Divisor: divisor})
		top, better := likelihood(m.Covariance()), 0
		for range 500 {
			W, noise := m.Loadings(), m.Noise()*math.Exp(0.02*r.NormFloat64())
			W.Apply(func(_, _ int, v float64) float64 { return v + 0.02*r.NormFloat64() }, W)
			C := mat.NewSymDense(4, nil)
			C.SymOuterK(1, W)
			for j := range 4 {
				C.SetSym(j, j, C.At(j, j)+noise)
			}
			if likelihood(C) > top {
				better++
			}
		}
		if (better == 0) != (divisor == reduce.Population) {
			t.Errorf("divisor %v: %d of 500 neighbours are likelier", divisor, better)
		}
	}
}

// EM never lowers the likelihood, and its rounds come to the closed form from random starts.
func TestPPCARound(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for range 5 {
		X := mixed(r, 60, 5)
		m := ppca(t, X, reduce.PPCAOptions{Components: 2})
		var S mat.SymDense
		stat.CovarianceMatrix(&S, X, nil)
		W, noise := mat.NewDense(5, 2, nil), 1.0
		W.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, W)
		covariance := func() *mat.SymDense {
			C := mat.NewSymDense(5, nil)
			C.SymOuterK(1, W)
			for j := range 5 {
				C.SetSym(j, j, C.At(j, j)+noise)
			}
			return C
		}
		cost := func() float64 { // log|C| + tr(C^-1 S), which falls as the likelihood rises
			var f mat.Cholesky
			var C mat.Dense
			if !f.Factorize(covariance()) || f.SolveTo(&C, &S) != nil {
				t.Fatal("C is not positive definite")
			}
			return f.LogDet() + mat.Trace(&C)
		}
		for before := cost(); ; {
			next, variance, err := reduce.PPCARound(&S, W, noise)
			if err != nil {
				t.Fatal(err)
			}
			W, noise = next, variance
			after := cost()
			if after > before+1e-11*math.Abs(before) {
				t.Fatalf("a round lowers the likelihood: the cost goes from %v to %v", before, after)
			}
			if before-after < 1e-15 {
				break
			}
			before = after
		}
		for range 3000 { // the likelihood is flat near its top
			var err error
			if W, noise, err = reduce.PPCARound(&S, W, noise); err != nil {
				t.Fatal(err)
			}
		}
		if math.Abs(noise-m.Noise()) > 1e-9*m.Noise() || !mat.EqualApprox(covariance(), m.Covariance(), 1e-7*mat.Trace(&S)) {
			t.Errorf("EM comes to a noise of %v, the closed form has %v", noise, m.Noise())
		}
	}
	for _, bad := range []struct {
		rows  int
		noise float64
	}{{4, 1}, {5, 0}, {5, math.NaN()}} {
		if _, _, err := reduce.PPCARound(mat.NewSymDense(5, nil), mat.NewDense(bad.rows, 2, nil), bad.noise); err == nil {
			t.Errorf("%+v is no error", bad)
		}
	}
}

// With fewer rows than features the noise is spread over all directions that the components leave over, and C keeps the trace of S.
func TestPPCAOfFewRows(t *testing.T) {
	X := mixed(rand.New(rand.NewPCG(13, 1)), 6, 20)
	m := ppca(t, X, reduce.PPCAOptions{Components: 2})
	lambda := m.Variances()
	want := (lambda[2] + lambda[3] + lambda[4] + lambda[5]) / 18
	if math.Abs(m.Noise()-want) > 1e-12*want {
		t.Errorf("the noise is %v, want %v", m.Noise(), want)
	}
	for k, why := range map[int]string{5: "less than 5, the number of axes", 7: "a whole number from 1 to 6"} {
		if _, err := reduce.FitPPCA(t.Context(), X, reduce.PPCAOptions{Components: k}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%d components: %v", k, err)
		}
	}
}

func TestPPCAPlan(t *testing.T) {
	iris := datasets.Iris()
	p := reduce.PlanPPCA(2).Population().Fit(iris)
	model := p.Model()
	logs, err := model.LogDensities(iris.X)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.LogDensity(iris.X.RawRowView(3)...); got != logs[3] || p.Noise() != model.Noise() ||
		!mat.Equal(p.Loadings(), model.Loadings()) {
		t.Errorf("the log density is %v, want %v", got, logs[3])
	}
	drawn := p.Sample(4000, 1)
	var S mat.SymDense
	stat.CovarianceMatrix(&S, drawn.X, nil)
	if !mat.EqualApprox(&S, model.Covariance(), 0.15) || !slices.Equal(drawn.FeatureNames, iris.FeatureNames) {
		t.Errorf("the covariance of rows drawn is %v, want %v", mat.Formatted(&S), mat.Formatted(model.Covariance()))
	}
	if z := p.Transform(); z.FeatureNames[1] != "z2" || p.Inverse(z).D() != 4 {
		t.Error(z.Err(), z.FeatureNames)
	}
	for name, err := range map[string]error{
		"Scores": p.Scores().Err(), "Scree": p.Scree().Err(), "Table": p.Table().Err(), "of one": reduce.PlanPPCA(1).Fit(iris).Scores().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := reduce.PlanPPCA(0).Fit(iris).Err(); err == nil || !strings.Contains(err.Error(), "PPCA: k is 0") {
		t.Error(err)
	}
	if err := reduce.PlanPPCA(4).Fit(iris).Err(); err == nil || !strings.Contains(err.Error(),
		"Components is 4, but needs to be a whole number from 1 to 3") {
		t.Error(err)
	}
}
