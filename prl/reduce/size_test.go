package reduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// sized returns rows of which the columns have the standard deviations 3, 1 and 2 times size about offset, with two classes apart.
func sized(n int, size, offset float64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(1, 9))
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j, s := range []float64{3, 1, 2} {
			x.Set(i, j, offset+size*s*(r.NormFloat64()+float64(y[i])))
		}
	}
	return x, y
}

// fits are the fits of this package, for tests of all of them.
func fits(x mat.Matrix, y []int, w []float64) map[string]func() error {
	ctx := context.Background()
	return map[string]func() error{
		"PCA":      func() error { _, err := FitPCA(ctx, x, PCAOptions{Weights: w}); return err },
		"PCA, SVD": func() error { _, err := FitPCA(ctx, x, PCAOptions{Path: SVD, Weights: w}); return err },
		"PCA, Krylov": func() error {
			_, err := FitPCA(ctx, x, PCAOptions{Path: Krylov, Components: 1, Weights: w})
			return err
		},
		"whitening": func() error { _, err := FitWhitening(ctx, x, WhitenOptions{Weights: w}); return err },
		"ZCA": func() error {
			_, err := FitWhitening(ctx, x, WhitenOptions{Form: ZCA, Labels: y, Weights: w})
			return err
		},
		"Fisher":   func() error { _, err := FitFisher(ctx, x, y, FisherOptions{Weights: w}); return err },
		"MDA":      func() error { _, err := FitMDA(ctx, x, y, MDAOptions{Weights: w}); return err },
		"scatters": func() error { _, err := Scatters(x, y, w); return err },
	}
}

// Data whose squares overflow or vanish are refused in one sentence, and so are weights whose sum overflows.
func TestSizes(t *testing.T) {
	for _, size := range []float64{1e160, 1e-200, math.MaxFloat64 / 20} {
		x, y := sized(40, size, 0)
		for what, fit := range fits(x, y, nil) {
			err := fit()
			var argument *fault.ArgumentError
			if !errors.As(err, &argument) || !strings.Contains(err.Error(), "whose weighted squares") {
				t.Errorf("%s, size %g: %v", what, size, err)
			}
		}
	}
	x, y := sized(40, 1, 0)
	x.Set(0, 0, math.MaxFloat64)
	x.Set(1, 0, -math.MaxFloat64)
	for what, fit := range fits(x, y, nil) {
		if err := fit(); err == nil || !strings.Contains(err.Error(), "whose weighted squares overflow; divide X by") &&
			!strings.Contains(err.Error(), "divide X by 1e+308") {
			t.Errorf("%s of the largest numbers: %v", what, err)
		}
	}
	x, _ = sized(40, 1, 0)
	w := make([]float64, 40)
	for i := range w {
		w[i] = 1e307
	}
	for what, fit := range fits(x, y, w) {
		if err := fit(); err == nil || !strings.Contains(err.Error(), "infinite sum") {
			t.Errorf("%s with weights 1e307: %v", what, err)
		}
	}
	for _, size := range []float64{1e150, 1e-150} {
		x, y := sized(40, size, 0)
		for what, fit := range fits(x, y, nil) {
			if err := fit(); err != nil {
				t.Errorf("%s, size %g: %v", what, size, err)
			}
		}
	}
}

// Far from zero the discriminants lose only what the rounding of the data takes.
func TestHugeOffsets(t *testing.T) {
	const size = 1e140
	near, y := sized(60, size, 0)
	far, _ := sized(60, size, 1e146) // ten digits are the offset's
	for what, decide := range map[string]func(x *mat.Dense) ([]int, error){
		"Fisher": func(x *mat.Dense) ([]int, error) {
			f, err := FitFisher(t.Context(), x, y, FisherOptions{})
			if err != nil {
				return nil, err
			}
			if v := f.Cut(); v-v != 0 {
				t.Errorf("the threshold is %v", v)
			}
			return f.Predict(x)
		},
		"MDA": func(x *mat.Dense) ([]int, error) {
			m, err := FitMDA(t.Context(), x, y, MDAOptions{})
			if err != nil {
				return nil, err
			}
			return m.Predict(x)
		},
	} {
		want, err := decide(near)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got, err := decide(far)
		if err != nil {
			t.Fatalf("%s far away: %v", what, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s predicts %v far away and %v near zero", what, got, want)
		}
	}
}

// A matrix with a NaN has no eigenvalues, whatever its size.
func TestEigenOfNaN(t *testing.T) {
	for _, d := range []int{2, 40} {
		for _, v := range []float64{math.NaN(), math.Inf(1)} {
			a := mat.NewSymDense(d, nil)
			for i := range d {
				a.SetSym(i, i, 1)
			}
			a.SetSym(0, 1, v)
			if _, _, err := Eigen(a); err == nil {
				t.Errorf("Eigen of a %d x %d matrix with %v has no error", d, d, v)
			}
		}
	}
}

// All paths give the same components; Krylov's residuals are true, and within the accuracy asked for. Some data have more columns than
// rows.
func TestPathsOfWideData(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for _, shape := range [][2]int{{70, 120}, {120, 70}, {900, 60}} {
		n, d := shape[0], shape[1]
		x := mat.NewDense(n, d, nil)
		w := make([]float64, n)
		for i := range n {
			w[i] = 0.5 + r.Float64()
			for j := range d {
				x.Set(i, j, 100+r.NormFloat64()*math.Pow(0.95, float64(j)))
			}
		}
		for _, o := range []PCAOptions{{Components: 5}, {Components: 5, Weights: w, Divisor: Population}, {Components: 5, Scale: true}} {
			at := fmt.Sprintf("%d x %d, weights %v, scale %v", n, d, o.Weights != nil, o.Scale)
			o.Path = Covariance
			want, err := FitPCA(t.Context(), x, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []Path{SVD, Krylov} {
				for _, accuracy := range []float64{0, 1e-4} {
					o.Path, o.Accuracy = path, accuracy
					got, err := FitPCA(t.Context(), x, o)
					if err != nil {
						t.Fatalf("%s, %v: %v", at, path, err)
					}
					tol := 1e-10
					if path == Krylov {
						tol = max(tol, accuracy)
					}
					total := want.Total()
					if math.Abs(got.Total()-total) > 1e-12*total || math.Abs(got.Lost(3)-want.Lost(3)) > (3*tol+1e-12)*total {
						t.Errorf("%s, %v: total %v and lost %v, want %v and %v", at, path, got.Total(), got.Lost(3), total, want.Lost(3))
					}
					first := want.Variances()[0]
					for j, v := range got.Variances()[:5] {
						if math.Abs(v-want.Variances()[j]) > tol*first {
							t.Errorf("%s, %v: variance %d is %v, want %v", at, path, j, v, want.Variances()[j])
						}
					}
					if accuracy == 0 && !mat.EqualApprox(got.Axes(), want.Axes(), 1e-7) {
						t.Errorf("%s, %v: the axes differ", at, path)
					}
					if path != Krylov {
						if got.Residuals() != nil {
							t.Errorf("%s, %v: residuals %v", at, path, got.Residuals())
						}
						continue
					}
					if len(got.Variances()) != 5 || got.ComponentsFor(1) != 6 || got.ComponentsFor(0) != 1 {
						t.Errorf("%s: %d variances, %d components for all, %d for none", at, len(got.Variances()), got.ComponentsFor(1), got.ComponentsFor(0))
					}
					for j, miss := range got.Residuals() {
						// S u from the scores of the centred rows: the sum of w_i z_i (x_i - m).
						z, err := got.Transform(x)
						if err != nil {
							t.Fatal(err)
						}
						su := make([]float64, d)
						sum := 0.0
						for i := range n {
							wi := 1.0
							if o.Weights != nil {
								wi = w[i]
							}
							sum += wi
							for q := range d {
								c := x.At(i, q) - got.Mean()[q]
								if o.Scale {
									c /= got.state.Scale[q]
								}
								su[q] += wi * z.At(i, j) * c
							}
						}
						if o.Divisor == Sample {
							sum--
						}
						r := 0.0
						for q, v := range su {
							v = v/sum - got.Variances()[j]*got.Axis(j)[q]
							r += v * v
						}
						if r = math.Sqrt(r); r > miss*(1+1e-6)+1e-13*first || miss > 30*max(accuracy, 1e-10)*first {
							t.Errorf("%s: ||S u - lambda u|| of axis %d is %.3g, the residual given %.3g, the largest variance %.3g", at, j, r, miss, first)
						}
					}
				}
			}
		}
	}
	for what, o := range map[string]PCAOptions{
		"Krylov of all":   {Path: Krylov},
		"Accuracy of 2":   {Path: Krylov, Components: 1, Accuracy: 2},
		"Accuracy of NaN": {Path: Krylov, Components: 1, Accuracy: math.NaN()},
	} {
		x, _ := sized(20, 1, 0)
		var argument *fault.ArgumentError
		if _, err := FitPCA(t.Context(), x, o); !errors.As(err, &argument) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Two points vary along one axis: Krylov has no second one.
	if _, err := FitPCA(t.Context(), mat.NewDense(2, 3, []float64{0, 0, 0, 1, 2, 2}), PCAOptions{Path: Krylov, Components: 2}); err == nil {
		t.Error("Krylov finds two axes of two points")
	}
}

// A variance of 1e-24 of the largest is right on the path SVD.
func TestSmallVariances(t *testing.T) {
	for _, turned := range []bool{false, true} {
		x := mat.NewDense(4, 2, []float64{1, 1e-12, 1, -1e-12, -1, 1e-12, -1, -1e-12})
		if turned {
			x = mat.NewDense(3, 5, []float64{1, 0, 0, 0, 0, -1, 0, 1e-12, 0, 0, 0, 0, -1e-12, 0, 0})
		}
		p, err := FitPCA(t.Context(), x, PCAOptions{Path: SVD, Divisor: Population})
		if err != nil {
			t.Fatal(err)
		}
		want := 1e-24
		if turned {
			want = 0.5e-24 // the rows 0, h, -h less their projection on (1, -1, 0): 3/2 h^2 over 3
		}
		if v := p.Variances()[1]; math.Abs(v-want) > 1e-3*want {
			t.Errorf("turned %v: the second variance is %v, want %v", turned, v, want)
		}
	}
}
