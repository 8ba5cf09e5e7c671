package reduce

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/internal/share"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

func entries(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

func errorOf[T any](_ T, err error) error { return err }

// cross has the rows (2, 0), (-2, 0), (0, 1), (0, -1) about a point: sums of squares 8 and 2.
func cross(a, b float64) []float64 { return []float64{a + 2, b, a - 2, b, a, b + 1, a, b - 1} }

func TestPCAByHand(t *testing.T) {
	X := mat.NewDense(4, 2, cross(5, 7))
	for _, path := range []Path{Auto, Covariance, SVD} {
		for of, by := range map[Divisor]float64{Sample: 3, Population: 4} {
			p, err := FitPCA(ctx, X, PCAOptions{Components: All, Path: path, Divisor: of})
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "variances", p.Variances(), []float64{8 / by, 2 / by}, 1e-14)
			estimatortest.NearAll(t, "axes", entries(p.Axes()), []float64{1, 0, 0, 1}, 1e-14)
			estimatortest.NearAll(t, "mean", p.Mean(), []float64{5, 7}, 1e-15)
			estimatortest.NearAll(t, "ratios", p.Ratios(), []float64{0.8, 0.2}, 1e-14)
			near(t, "total", p.Total(), 10/by, 1e-14)
			for k, want := range map[int]float64{-1: 10 / by, 0: 10 / by, 1: 2 / by, 2: 0, 5: 0} {
				near(t, "lost", p.Lost(k), want, 1e-14)
			}
			for share, want := range map[float64]int{0: 1, 0.79: 1, 0.81: 2, 1: 2} {
				if got := p.ComponentsFor(share); got != want {
					t.Errorf("%d components for %v, want %d", got, share, want)
				}
			}
			z, err := p.Transform(mat.NewDense(1, 2, []float64{6, 5}))
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "scores", entries(z), []float64{1, -2}, 1e-14)
			back, err := p.Inverse(mat.NewDense(1, 1, []float64{3}))
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "one score", entries(back), []float64{8, 7}, 1e-14)
			flat, err := p.Reconstruct(mat.NewDense(1, 2, []float64{6, 5}), 1)
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "rebuilt", entries(flat), []float64{6, 7}, 1e-14)
			s, err := FitPCA(ctx, X, PCAOptions{Components: All, Path: path, Divisor: of, Scale: true})
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "correlation", s.Variances(), []float64{1, 1}, 1e-14)
			w, err := FitPCA(ctx, X, PCAOptions{Components: 1, Path: path, Divisor: of, Weights: []float64{1, 1, 8, 8}})
			if err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "weighted", w.Variances(), []float64{16 / (14 + by), 8 / (14 + by)}, 1e-14) // total weight 18
			estimatortest.NearAll(t, "weighted axis", w.Axis(0), []float64{0, 1}, 1e-14)
		}
	}
	line, err := FitPCA(ctx, mat.NewDense(3, 3, []float64{0, 0, 0, 1, 2, 2, 2, 4, 4}), PCAOptions{})
	if err != nil || line.Rank() != 1 {
		t.Errorf("%v has rank %d (%v)", line, line.Rank(), err)
	}
	near(t, "along the line", line.Variances()[0], 9, 1e-13)
}

// Two crosses of four rows at (0, 0) and (3, 4), turned so that S_0 = S_1 = 2 I.
func twins() (*mat.Dense, []int) {
	return mat.NewDense(8, 2, []float64{1, 0, -1, 0, 0, 1, 0, -1, 4, 4, 2, 4, 3, 5, 3, 3}), []int{0, 0, 0, 0, 1, 1, 1, 1}
}

func TestFisherByHand(t *testing.T) {
	X, y := twins()
	f, err := FitFisher(ctx, X, y, FisherOptions{})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "raw", f.Raw(), []float64{0.75, 1}, 1e-14)
	estimatortest.NearAll(t, "direction", f.Direction(), []float64{0.6, 0.8}, 1e-14)
	near(t, "J", f.J(), 25.0/4, 1e-13)
	near(t, "cut", f.Cut(), 2.5, 1e-14)
	means, scatters := f.Projected()
	estimatortest.NearAll(t, "projected", []float64{means[0], means[1], scatters[0], scatters[1]}, []float64{0, 5, 2, 2}, 1e-13)
	d, err := f.Decision(mat.NewDense(3, 2, []float64{0, 0, 3, 4, 1.5, 2}))
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "decision", entries(d), []float64{-18.75, 18.75, 0}, 1e-12)
	j, err := f.Criterion([]float64{0, -7})
	near(t, "criterion", j, 4, 1e-13)
	if err != nil {
		t.Error(err)
	}
	if j, err := f.Criterion([]float64{0, 0}); !math.IsNaN(j) || err != nil {
		t.Error(j, err)
	}
	// Class 1 counts three times: S_W = 8 I, sixteen rows.
	w := []float64{1, 1, 1, 1, 3, 3, 3, 3}
	p, err := FitFisher(ctx, X, y, FisherOptions{Threshold: Priors, Weights: w})
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "weighted raw", p.Raw(), []float64{0.375, 0.5}, 1e-14)
	near(t, "cut with priors", p.Cut(), 2.5-math.Log(3)/(14*5.0/8), 1e-13)
	if d, err = p.Decision(mat.NewDense(1, 2, []float64{1.5, 2})); err != nil {
		t.Fatal(err)
	}
	near(t, "decision with priors", d.At(0, 0), math.Log(3), 1e-12)
	r, err := FitFisher(ctx, X, y, FisherOptions{Regularise: 0.25}) // 4 + 0.25 * 8 / 2 = 5
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "regularised", r.Raw(), []float64{0.6, 0.8}, 1e-14)
}

func TestMDAByHand(t *testing.T) {
	X, y := twins()
	m, err := FitMDA(ctx, X, y, MDAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt(1.5) // w^T S_W w = 4 |w|^2 is n - K = 6
	estimatortest.NearAll(t, "axis", entries(m.Axes()), []float64{0.6 * root, 0.8 * root}, 1e-14)
	estimatortest.NearAll(t, "values", m.Values(), []float64{12.5}, 1e-12)
	estimatortest.NearAll(t, "singular", m.Singular(), []float64{math.Sqrt(75)}, 1e-12)
	estimatortest.NearAll(t, "centres", entries(m.Centres()), []float64{-2.5 * root, 2.5 * root}, 1e-13)
	near(t, "J", m.J(), 12.5, 1e-12)
	estimatortest.NearAll(t, "ratios", m.Ratios(), []float64{1}, 0)
	p, err := m.Proba(mat.NewDense(3, 2, []float64{0, 0, 1e4, 1e4, -1e4, -1e4}))
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "posteriors", entries(p), []float64{1 / (1 + math.Exp(-18.75)), 1 / (1 + math.Exp(18.75)), 0, 1, 1, 0}, 1e-12)
	m, err = FitMDA(ctx, X, y, MDAOptions{Components: 1, Priors: []float64{0.9, 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Decision(mat.NewDense(1, 2, []float64{1.5, 2}))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "priors", d.At(0, 0)-d.At(0, 1), math.Log(9), 1e-12)
}

func TestWhiteningByHand(t *testing.T) {
	cov := mat.NewSymDense(2, []float64{4, 2, 2, 5}) // L = [2 0; 1 2]
	w, err := WhiteningOf([]float64{1, 2}, cov, Triangular)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "triangular", entries(w.Matrix()), []float64{0.5, 0, -0.25, 0.5}, 1e-15)
	z, err := w.Transform(mat.NewDense(1, 2, []float64{5, 2}))
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "image", entries(z), []float64{2, -1}, 1e-15)
	if w, err = WhiteningOf([]float64{0, 0}, mat.NewSymDense(2, []float64{4, 0, 0, 9}), Axes); err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "axes", entries(w.Matrix()), []float64{0, 1.0 / 3, 0.5, 0}, 1e-15)
	for _, form := range []Form{Axes, ZCA, Triangular} {
		for scale := range map[float64]bool{1: true, 1e-305: true, 1e300: true} {
			var s mat.SymDense
			s.ScaleSym(scale, cov)
			w, err := WhiteningOf([]float64{1, 2}, &s, form)
			if err != nil {
				t.Fatal(err)
			}
			var half, all mat.Dense
			half.Mul(w.Matrix(), &s)
			all.Mul(&half, w.Matrix().T())
			estimatortest.NearAll(t, fmt.Sprintf("%v of %v", form, scale), entries(&all), []float64{1, 0, 0, 1}, 1e-12)
			A := w.Matrix()
			if form == ZCA {
				near(t, "symmetry", A.At(0, 1)/A.At(0, 0), A.At(1, 0)/A.At(0, 0), 1e-13)
			}
			x := mat.NewDense(1, 2, []float64{3, -1})
			z, err1 := w.Transform(x)
			back, err2 := w.Inverse(z)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			estimatortest.NearAll(t, "there and back", entries(back), []float64{3, -1}, 1e-12)
		}
	}
	// Within two classes of four rows with S_W = 4 I, by n - K = 6 or n = 8.
	X, y := twins()
	for of, by := range map[Divisor]float64{Sample: 6, Population: 8} {
		w, err := FitWhitening(ctx, X, WhitenOptions{Form: ZCA, Divisor: of, Labels: y})
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, "within", entries(w.Matrix()), []float64{math.Sqrt(by / 4), 0, 0, math.Sqrt(by / 4)}, 1e-13)
		estimatortest.NearAll(t, "mean", w.Mean(), []float64{1.5, 2}, 1e-14)
	}
}

func TestSmallPieces(t *testing.T) {
	W := mat.NewDense(2, 3, []float64{0.5, -0.9, -1, -0.8, 0.6, 1})
	fixSigns(W)
	estimatortest.NearAll(t, "signs", entries(W), []float64{-0.5, 0.9, 1, 0.8, -0.6, -1}, 0)
	A, B := mat.NewSymDense(2, []float64{1, 2, 2, 3}), mat.NewSymDense(2, []float64{2, 0, 0, 0})
	near(t, "Rayleigh", Rayleigh(A, B, []float64{3, -1}), 0.0/18, 0)
	near(t, "Rayleigh", Rayleigh(A, B, []float64{1, 1}), 4, 1e-15)
	if !math.IsNaN(Rayleigh(A, B, []float64{0, 1})) {
		t.Error("a quotient by zero")
	}
	values, vectors, err := GeneralisedEigen(mat.NewSymDense(2, []float64{2, 0, 0, 27}), mat.NewSymDense(2, []float64{4, 0, 0, 9}))
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "values", values, []float64{3, 0.5}, 1e-14)
	estimatortest.NearAll(t, "vectors", entries(vectors), []float64{0, 0.5, 1.0 / 3, 0}, 1e-14)
}

func TestMoreErrors(t *testing.T) {
	X, y := twins()
	f, err1 := FitFisher(ctx, X, y, FisherOptions{})
	m, err2 := FitMDA(ctx, X, y, MDAOptions{})
	p, err3 := FitPCA(ctx, X, PCAOptions{Components: 1})
	w, err4 := FitWhitening(ctx, X, WhitenOptions{})
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	nan := mat.NewDense(1, 2, []float64{1, math.NaN()})
	wide := mat.NewDense(1, 3, nil)
	cov := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	s, err := Scatters(mat.NewDense(3, 1, []float64{1, 2, 3}), []int{0, 1, 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := func(_, _ any, err error) error { return err }
	estimatortest.Refused(t, map[string]error{
		"FitFisher: y is 1 labels":           errorOf(FitFisher(ctx, X, y[:1], FisherOptions{})),
		"FitFisher: X is nil":                errorOf(FitFisher(ctx, nil, y, FisherOptions{})),
		"FitFisher: Weights is zero for all": errorOf(FitFisher(ctx, X, y, FisherOptions{Weights: []float64{1, 1, 1, 1, 0, 0, 0, 0}})),
		"Fisher.Criterion: w is 1 numbers":   errorOf(f.Criterion([]float64{1})),
		"Fisher.Criterion: the model":        errorOf(new(Fisher).Criterion([]float64{1})),
		"Fisher.Transform: X is 1 x 3":       errorOf(f.Transform(wide)),
		"Fisher.Transform: X[0, 1] is NaN":   errorOf(f.Transform(nan)),
		"Fisher.Decision: X[0, 1] is NaN":    errorOf(f.Decision(nan)),
		"Fisher.Proba: X is 1 x 3":           errorOf(f.Proba(wide)),
		"Fisher.Predict: X[0, 1] is NaN":     errorOf(f.Predict(nan)),
		"MDA.Criterion: W is 3 x 1":          errorOf(m.Criterion(wide.T())),
		"MDA.Criterion: X[0, 1] is NaN":      errorOf(m.Criterion(nan)),
		"MDA.Criterion: the model":           errorOf(new(MDA).Criterion(wide)),
		"MDA.Decision: X is 1 x 3":           errorOf(m.Decision(wide)),
		"MDA.Proba: X is 1 x 3":              errorOf(m.Proba(wide)),
		"MDA.Predict: X[0, 1] is NaN":        errorOf(m.Predict(nan)),
		"MDA.Transform: the model":           errorOf(new(MDA).Transform(X)),
		"FitMDA: X is of total weight 2 in 2": errorOf(
			FitMDA(ctx, X, y, MDAOptions{Components: All, Weights: []float64{1, 0, 0, 0, 1, 0, 0, 0}}),
		),
		"PCA.Inverse: X[0, 1] is NaN":  errorOf(p.Inverse(nan)),
		"PCA.Inverse: scores is 1 x 3": errorOf(p.Inverse(wide)),
		"PCA.Inverse: the model":       errorOf(new(PCA).Inverse(wide)),
		"PCA.Transform: X is 1 x 3":    errorOf(p.Transform(wide)),
		"PCA.Reconstruct: k is 2":      errorOf(p.Reconstruct(X, 2)),
		"PCA.Reconstruct: k is -1":     errorOf(p.Reconstruct(X, -1)),
		"FitPCA: X is nil":             errorOf(FitPCA(ctx, nil, PCAOptions{})),
		"FitPCA: X[1, 0] is NaN": errorOf(
			FitPCA(ctx, mat.NewDense(3, 1, []float64{1, math.NaN(), 2}), PCAOptions{Components: All, Weights: []float64{1, 0, 1}}),
		),
		"FitPCA: X[0, 1] is NaN":         errorOf(FitPCA(ctx, nan, PCAOptions{})),
		"FitPCA: Weights is 1 numbers":   errorOf(FitPCA(ctx, X, PCAOptions{Components: All, Weights: []float64{1}})),
		"WhiteningOf: mean is 1 numbers": errorOf(WhiteningOf([]float64{1}, cov, Axes)),
		"WhiteningOf: mean is 0 numbers": errorOf(WhiteningOf(nil, &mat.SymDense{}, Axes)),
		"WhiteningOf: mean is 2 numbers": errorOf(WhiteningOf([]float64{1, 2}, nil, Axes)),
		"WhiteningOf: X[0, 0] is +Inf":   errorOf(WhiteningOf([]float64{1, 2}, mat.NewSymDense(2, []float64{math.Inf(1), 0, 0, 1}), Axes)),
		"Form is -1":                     errorOf(WhiteningOf([]float64{1, 2}, cov, -1)),
		"FitWhitening: Divisor is 7":     errorOf(FitWhitening(ctx, X, WhitenOptions{Divisor: 7, Labels: y})),
		"FitWhitening: Divisor is -1":    errorOf(FitWhitening(ctx, X, WhitenOptions{Divisor: -1})),
		"FitWhitening: X is of total weight 2": errorOf(
			FitWhitening(ctx, X, WhitenOptions{Labels: y, Weights: []float64{1, 0, 0, 0, 1, 0, 0, 0}}),
		),
		"FitWhitening: y is 1 labels":       errorOf(FitWhitening(ctx, X, WhitenOptions{Labels: []int{0}})),
		"Whitening.Inverse: X is 1 x 3":     errorOf(w.Inverse(wide)),
		"Whitening.Inverse: X[0, 1] is NaN": errorOf(w.Inverse(nan)),
		"Whitening.Transform: the model":    errorOf(new(Whitening).Transform(X)),
		"the number of classes is 3":        errorOf(s.TwoClass()),
		"Scatters: y is 1 labels":           errorOf(Scatters(X, y[:1], nil)),
		"GeneralisedEigen: A is 2 x 2":      last(GeneralisedEigen(cov, mat.NewSymDense(1, []float64{1}))),
		"GeneralisedEigen: B is singular":   last(GeneralisedEigen(cov, mat.NewSymDense(2, nil))),
	})
	// Encodings whose parts do not fit together.
	read := func(kind string, state any, into interface{ UnmarshalBinary([]byte) error }) error {
		data, err := estimator.Encode(kind, 1, state)
		if err != nil {
			t.Fatal(err)
		}
		return into.UnmarshalBinary(data)
	}
	if err := errors.Join(read("reduce.Whitening", w.state, new(Whitening)), read("reduce.Fisher", f.state, new(Fisher)),
		read("reduce.MDA", m.state, new(MDA)), read("reduce.PCA", p.state, new(PCA))); err != nil {
		t.Fatal(err)
	}
	for i, change := range []func(s *whiteningState){
		func(s *whiteningState) { s.D = 1 }, func(s *whiteningState) { s.D = 0 }, func(s *whiteningState) { s.Form = -1 },
		func(s *whiteningState) { s.Form = 3 },
		func(s *whiteningState) { s.Mean = s.Mean[:1] }, func(s *whiteningState) { s.A = s.A[:3] },
		func(s *whiteningState) { s.Back = s.Back[:3] },
	} {
		s := w.state
		if change(&s); read("reduce.Whitening", s, new(Whitening)) == nil {
			t.Errorf("whitening, change %d is read", i)
		}
	}
	for i, change := range []func(s *fisherState){
		func(s *fisherState) { s.D = 1 }, func(s *fisherState) { s.D = 0 }, func(s *fisherState) { s.Raw = s.Raw[:1] },
		func(s *fisherState) { s.Raw = []float64{0, 0} },
		func(s *fisherState) { s.Means[0] = s.Means[0][:1] }, func(s *fisherState) { s.Means[1] = s.Means[1][:1] },
		func(s *fisherState) { s.SW = s.SW[:3] }, func(s *fisherState) { s.S0 = s.S0[:3] },
		func(s *fisherState) { s.Apart = s.Apart[:1] }, func(s *fisherState) { s.Beyond = nil },
	} {
		s := f.state
		if change(&s); read("reduce.Fisher", s, new(Fisher)) == nil {
			t.Errorf("Fisher, change %d is read", i)
		}
	}
	for i, change := range []func(s *mdaState){
		func(s *mdaState) { s.D = 1 }, func(s *mdaState) { s.K = 0 }, func(s *mdaState) { s.Classes = 1 },
		func(s *mdaState) { s.Mean = s.Mean[:1] },
		func(s *mdaState) { s.Means = s.Means[:3] }, func(s *mdaState) { s.Sizes = s.Sizes[:1] }, func(s *mdaState) { s.Priors = s.Priors[:1] },
		func(s *mdaState) { s.Axes = s.Axes[:1] },
		func(s *mdaState) { s.Values = nil }, func(s *mdaState) { s.SW = s.SW[:3] }, func(s *mdaState) { s.SB = s.SB[:3] },
		func(s *mdaState) { s.Apart = s.Apart[:3] },
	} {
		s := m.state
		if change(&s); read("reduce.MDA", s, new(MDA)) == nil {
			t.Errorf("MDA, change %d is read", i)
		}
	}
	for i, change := range []func(s *pcaState){
		func(s *pcaState) { s.D = 1 }, func(s *pcaState) { s.D = 0 }, func(s *pcaState) { s.K = 0 }, func(s *pcaState) { s.Axes = s.Axes[:1] },
		func(s *pcaState) { s.Mean = s.Mean[:1] }, func(s *pcaState) { s.Values = nil }, func(s *pcaState) { s.Scale = []float64{1} },
	} {
		s := p.state
		if change(&s); read("reduce.PCA", s, new(PCA)) == nil {
			t.Errorf("PCA, change %d is read", i)
		}
	}
}

// Of several rows that are not finite the first is named, whichever goroutine meets its own first.
func TestTransformNamesTheFirstBadRow(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	p, err := FitPCA(ctx, mat.NewDense(4, 2, cross(5, 7)), PCAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	X := mat.NewDense(1000, 2, nil)
	for _, i := range []int{999, 700, 300, 240} {
		X.Set(i, 1, math.Inf(1))
		share.Eagerly(func() {
			estimatortest.Refused(t, map[string]error{fmt.Sprintf("PCA.Transform: X[%d, 1] is +Inf", i): errorOf(p.Transform(X))})
		})
	}
}
