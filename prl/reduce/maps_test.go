package reduce

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

func randomRows(r *rand.Rand, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, X)
	return X
}

func scaled(t *testing.T, D mat.Matrix, change func(*MDSOptions)) *MDS {
	t.Helper()
	o := MDSOptions{}
	if change != nil {
		change(&o)
	}
	m, err := FitMDS(context.Background(), D, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func distancesOf(t *testing.T, X mat.Matrix) *mat.SymDense {
	t.Helper()
	D, err := Distances(X)
	if err != nil {
		t.Fatal(err)
	}
	return D
}

// Classical scaling of straight-line distances is PCA: the scores, up to sign. Of city-block distances it is not.
func TestClassicalScalingIsPCA(t *testing.T) {
	X := randomRows(rand.New(rand.NewPCG(1, 2)), 20, 4)
	m := scaled(t, distancesOf(t, X), func(o *MDSOptions) { o.Scaling = Classical })
	p, err := FitPCA(context.Background(), X, PCAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := p.Transform(X)
	if err != nil {
		t.Fatal(err)
	}
	scores := mat.DenseCopyOf(z.Slice(0, 20, 0, 2))
	fixSigns(scores)
	fixSigns(m.Y)
	if !mat.EqualApprox(scores, m.Y, 1e-12) {
		t.Error("classical scaling is not PCA")
	}
	if m.Negative() != 0 {
		t.Errorf("%d negative eigenvalues", m.Negative())
	}
	blocks := mat.NewDense(20, 20, nil)
	blocks.Apply(func(i, j int, _ float64) float64 {
		s := 0.0
		for c := range 4 {
			s += math.Abs(X.At(i, c) - X.At(j, c))
		}
		return s
	}, blocks)
	if city := scaled(t, blocks, func(o *MDSOptions) { o.Scaling = Classical }); city.Negative() == 0 {
		t.Error("city-block distances pass for straight ones")
	}
}

// Points that know their distances are found again, and new ones keep to the map.
func TestMapsOfTrueDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	X := randomRows(r, 12, 2)
	D := distancesOf(t, X)
	for _, s := range []Scaling{Classical, Metric, NonMetric} {
		m := scaled(t, D, func(o *MDSOptions) { o.Scaling = s })
		a, err := Procrustes(X, m.Y, s == NonMetric)
		if err != nil {
			t.Fatal(err)
		}
		if m.Stress() > 1e-24 || a.Loss > 1e-20 {
			t.Errorf("%s: stress %g, loss %g", s, m.Stress(), a.Loss)
		}
	}
	m := scaled(t, D, func(o *MDSOptions) { o.Scaling = Classical })
	again, err := m.Transform(D)
	if err != nil || !mat.EqualApprox(again, m.Y, 1e-10) {
		t.Errorf("Gower's places of the things of the fit: %v", err)
	}
	if _, err := scaled(t, D, nil).Transform(D); err == nil {
		t.Error("a stress map took new rows")
	}
}

// The stress never rises for 0 < alpha < 2, metric and not, and ends where the gradient is zero.
func TestSMACOFDescends(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		n := 4 + r.IntN(6)
		D := distancesOf(t, randomRows(r, n, 5))
		alpha := []float64{0.3, 1, 1.5, 1.9}[r.IntN(4)]
		kind := []Scaling{Metric, NonMetric}[r.IntN(2)]
		start := randomRows(r, n, 2)
		m := scaled(t, D, func(o *MDSOptions) {
			o.Relax, o.Scaling, o.Start, o.MaxIter, o.Tol = alpha, kind, start, 3000, 1e-13
		})
		for i, v := range m.Stresses[1:] {
			if v > m.Stresses[i]+1e-13 {
				t.Fatalf("%s, alpha %g: the stress rises from %g to %g", kind, alpha, m.Stresses[i], v)
			}
		}
		if math.Abs(m.Stress()-m.Stresses[len(m.Stresses)-1]) > 1e-12 {
			t.Fatalf("stress %g of the map, %g of the last step", m.Stress(), m.Stresses[len(m.Stresses)-1])
		}
		// At rest sum d² = sum d delta, so that of the two ratios one follows from the other.
		want := m.Stress() / (1 - m.Stress())
		if kind == NonMetric {
			want = m.Stress()
		}
		if m.Converged && math.Abs(m.Stress1()*m.Stress1()-want) > 1e-5*want+1e-12 {
			t.Errorf("%s: stress-1² %g, want %g", kind, m.Stress1()*m.Stress1(), want)
		}
	}
}

// Pooling adjacent violators finds the nearest rising numbers: no rising rival is nearer.
func TestIsotonic(t *testing.T) {
	// scikit-learn 1.9.1, isotonic_regression.
	z, err := Isotonic([]float64{1, 3, 2, 4, 3.5, 3, 6, 5.5}, []float64{1, 2, 1, 1, 3, 1, 1, 2})
	want := []float64{1, 8. / 3, 8. / 3, 3.5, 3.5, 3.5, 17. / 3, 17. / 3}
	for i := range want {
		if err != nil || math.Abs(z[i]-want[i]) > 1e-12 {
			t.Fatalf("%v, %v; want %v", z, err, want)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 1 + r.IntN(8)
		y, w, rival := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range y {
			y[i], w[i] = r.NormFloat64(), 0.1+r.Float64()
		}
		z, err := Isotonic(y, w)
		if err != nil || !slices.IsSorted(z) {
			t.Fatalf("%v, %v", z, err)
		}
		for i := range rival {
			rival[i] = z[i] + 0.1*r.NormFloat64()
		}
		slices.Sort(rival)
		loss := func(z []float64) (s float64) {
			for i := range y {
				s += w[i] * (y[i] - z[i]) * (y[i] - z[i])
			}
			return s
		}
		if loss(rival) < loss(z)-1e-12 {
			t.Fatalf("%v is nearer to %v than %v", rival, y, z)
		}
	}
}

// Procrustes finds shift, turn, mirror image and scale again, also of maps that lie on a line, or nearly.
func TestProcrustes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 50 {
		X := randomRows(r, 9, 2)
		if r.IntN(3) == 0 {
			off := []float64{0, 1e-5}[r.IntN(2)]
			for i := range 9 {
				X.Set(i, 1, 2*X.At(i, 0)+off*r.NormFloat64())
			}
		}
		s, c := math.Sincos(r.Float64() * 7)
		Y := mat.NewDense(9, 2, nil)
		Y.Mul(X, mat.NewDense(2, 2, []float64{3 * c, 3 * s, 3 * s, -3 * c}))
		Y.Apply(func(_, j int, v float64) float64 { return v + float64(j) - 5 }, Y)
		a, err := Procrustes(X, Y, true)
		if err != nil {
			t.Fatal(err)
		}
		var RR mat.Dense
		RR.Mul(a.R.T(), a.R)
		if a.Loss > 1e-20 || math.Abs(a.Scale-1./3) > 1e-9 || !mat.EqualApprox(&RR, mat.NewDiagDense(2, []float64{1, 1}), 1e-9) {
			t.Fatalf("loss %g, scale %g, R'R %v", a.Loss, a.Scale, mat.Formatted(&RR))
		}
	}
}

// The weights of LLE survive shift, turn and scale, and their map is as good as its eigenvalues say.
func TestLLE(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	X := randomRows(r, 40, 3)
	o := LLEOptions{Components: 2, Neighbours: 6, Regularise: 1e-3}
	m, err := FitLLE(context.Background(), X, o)
	if err != nil {
		t.Fatal(err)
	}
	_, Q, err := Eigen(mat.NewSymDense(3, []float64{2, 1, 0, 1, 3, 0.5, 0, 0.5, 1}))
	if err != nil {
		t.Fatal(err)
	}
	var moved mat.Dense
	moved.Mul(X, Q)
	moved.Apply(func(_, j int, v float64) float64 { return 7*v - float64(j) }, &moved)
	n, err := FitLLE(context.Background(), &moved, o)
	if err != nil {
		t.Fatal(err)
	}
	phi := 0.0
	for i, list := range m.Neighbours {
		if !slices.Equal(list, n.Neighbours[i]) || slices.Contains(list, i) {
			t.Fatalf("row %d: neighbours %v and %v", i, list, n.Neighbours[i])
		}
		for a := range list {
			if math.Abs(m.Weights[i][a]-n.Weights[i][a]) > 1e-9 {
				t.Fatalf("row %d: weights %v and %v", i, m.Weights[i], n.Weights[i])
			}
		}
		for j := range 2 {
			v := m.Y.At(i, j)
			for a, row := range list {
				v -= m.Weights[i][a] * m.Y.At(row, j)
			}
			phi += v * v / 40
		}
	}
	if _, points := m.Errors(); math.Abs(phi-points) > 1e-12 || math.Abs(m.Values[0]) > 1e-12 {
		t.Errorf("phi/n = %g, eigenvalues %v", phi, m.Values)
	}
	if again, err := m.Transform(X); err != nil || !mat.Equal(again, m.Y) {
		t.Errorf("the rows of the fit move: %v", err)
	}
}

// Isomap of a bent strip is the strip.
func TestIsomap(t *testing.T) {
	X, flat := mat.NewDense(90, 2, nil), mat.NewDense(90, 1, nil)
	for i := range 90 {
		a := float64(i) * math.Pi / 100
		X.SetRow(i, []float64{math.Cos(a), math.Sin(a)})
		flat.Set(i, 0, a)
	}
	m, err := FitIsomap(context.Background(), X, IsomapOptions{Components: 1, Neighbours: 2})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Procrustes(flat, m.Y, false)
	if err != nil || a.Loss > 1e-6 || m.ResidualVariance() > 1e-6 {
		t.Errorf("loss %v, residual variance %v, %v", a.Loss, m.ResidualVariance(), err)
	}
	if again, err := m.Transform(X); err != nil || !mat.EqualApprox(again, m.Y, 1e-8) {
		t.Errorf("the rows of the fit move: %v", err)
	}
}

// Mistakes are told with their remedy.
func TestMapsMisused(t *testing.T) {
	two := mat.NewDense(8, 1, []float64{0, 1, 2, 3, 100, 101, 102, 103})
	ctx := context.Background()
	for want, f := range map[string]func() error{
		"2 pieces": func() error { _, err := FitIsomap(ctx, two, IsomapOptions{1, 2}); return err },
		"pieces, of": func() error {
			_, err := FitLLE(ctx, two, LLEOptions{Components: 1, Neighbours: 2, Regularise: 1e-3})
			return err
		},
		"same both ways": func() error {
			_, err := FitMDS(ctx, mat.NewDense(2, 2, []float64{0, 1, 2, 0}), MDSOptions{
				Components: 1, Scaling: Metric, Restarts: 1, MaxIter: 1,
				Relax: 1,
			})
			return err
		},
		"nothing is unlike itself": func() error {
			_, err := FitMDS(ctx, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), MDSOptions{})
			return err
		},
		"from 2 on": func() error { o := MDSOptions{}; o.Relax = 2.1; _, err := FitMDS(ctx, two, o); return err },
		"more than 5": func() error {
			_, err := FitLLE(ctx, two, LLEOptions{Components: 2, Neighbours: 5, Hessian: true})
			return err
		},
		"0.001": func() error {
			_, err := FitLLE(ctx, mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4}), LLEOptions{Components: 1, Neighbours: 3, Regularise: estimator.None})
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

// Equal rows, and more dimensions than there are, do no harm.
func TestMapsOfDegenerateData(t *testing.T) {
	X := randomRows(rand.New(rand.NewPCG(2, 2)), 14, 2)
	X.SetRow(3, X.RawRowView(4))
	for _, s := range []Scaling{Classical, Metric, NonMetric} {
		m := scaled(t, distancesOf(t, X), func(o *MDSOptions) { o.Scaling, o.Components = s, 3 })
		for i := range 14 {
			for _, v := range m.Y.RawRowView(i) {
				if v-v != 0 {
					t.Fatalf("%s: place %v", s, m.Y.RawRowView(i))
				}
			}
		}
		if m.Stress() > 1e-3 {
			t.Errorf("%s: stress %g", s, m.Stress())
		}
	}
	if _, err := FitLLE(context.Background(), X, LLEOptions{Components: 1, Neighbours: 6, Regularise: 1e-3}); err != nil {
		t.Error(err)
	}
}

// Weights whose sum overflows pool as the same ones in another unit do.
func TestIsotonicLargeWeights(t *testing.T) {
	for _, w := range []float64{1e308, 1e-320} {
		z, err := Isotonic([]float64{1, 3, 2, 4}, []float64{w, w, w, w})
		if err != nil || !slices.Equal(z, []float64{1, 2.5, 2.5, 4}) {
			t.Errorf("weights %v: %v, %v", w, z, err)
		}
	}
	if z, err := Isotonic([]float64{3, 2, 1}, []float64{1e-320, 1e-320, 1e300}); err != nil || z[0] != 1 || z[2] != 1 {
		t.Errorf("weights beside a large one: %v, %v", z, err)
	}
}
