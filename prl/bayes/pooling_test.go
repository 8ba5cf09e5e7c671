package bayes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// Between a class's own covariance and the pooled one: the ends are QDA and LDA, the middle is their mean, and the diagonal model keeps its
// diagonal. Shrinkage comes after.
func TestPooling(t *testing.T) {
	iris := datasets.Iris()
	fit := func(f func(o *Options), train func(o Options) (*Classifier, error)) *Classifier {
		o := Options{}
		f(&o)
		c, err := train(o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	qda := func(o Options) (*Classifier, error) { return FitQDA(t.Context(), iris.X, iris.Y, o) }
	lda := func(o Options) (*Classifier, error) { return FitLDA(t.Context(), iris.X, iris.Y, o) }
	naive := func(o Options) (*Classifier, error) { return FitGaussianNB(t.Context(), iris.X, iris.Y, o) }
	for _, denominator := range []Denominator{Unbiased, MaximumLikelihood} {
		set := func(a, s float64) func(o *Options) {
			return func(o *Options) { o.Denominator, o.Pooling, o.Shrinkage = denominator, a, s }
		}
		own, pooled, diagonal := fit(set(0, 0), qda), fit(set(0, 0), lda), fit(set(0, 0), naive)
		S := pooled.Pooled()
		for _, a := range []float64{0, 0.25, 1} {
			for _, s := range []float64{0, 0.5} {
				mixed, flat := fit(set(a, s), qda), fit(set(a, s), naive)
				for k := range 3 {
					want, wantFlat := mat.NewSymDense(4, nil), mat.NewSymDense(4, nil)
					trace := 0.0
					for i := range 4 {
						for j := range 4 {
							want.SetSym(i, j, (1-a)*own.Gaussian(k).Cov().At(i, j)+a*S.At(i, j))
						}
						trace += want.At(i, i)
					}
					for i := range 4 {
						for j := i; j < 4; j++ {
							want.SetSym(i, j, (1-s)*want.At(i, j))
						}
						want.SetSym(i, i, want.At(i, i)+s*trace/4)
						wantFlat.SetSym(i, i, want.At(i, i))
					}
					if !mat.EqualApprox(mixed.Gaussian(k).Cov(), want, 1e-13) {
						t.Errorf("pooling %v, shrinkage %v: %v, want %v", a, s, mixed.Gaussian(k).Cov(), want)
					}
					if !mat.EqualApprox(flat.Gaussian(k).Cov(), wantFlat, 1e-13) || math.IsNaN(diagonal.Gaussian(k).LogDet()) {
						t.Errorf("diagonal, pooling %v, shrinkage %v: %v, want %v", a, s, flat.Gaussian(k).Cov(), wantFlat)
					}
				}
			}
		}
		decided, err := fit(set(1, 0), qda).Predict(iris.X)
		want, err2 := pooled.Predict(iris.X)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for i := range want {
			if decided[i] != want[i] {
				t.Errorf("row %d: pooled all the way %d, LDA %d", i, decided[i], want[i])
			}
		}
	}
	// A class of one row has no covariance of its own, and borrows the pooled one.
	X, y := mat.NewDense(4, 1, []float64{0, 1, 2, 9}), []int{0, 0, 0, 1}
	if _, err := FitQDA(t.Context(), X, y, Options{Pooling: 0.5}); err == nil {
		t.Error("half of an undefined covariance is taken")
	}
	c, err := FitQDA(t.Context(), X, y, Options{Pooling: 1})
	if err != nil || math.Abs(c.Gaussian(1).Cov().At(0, 0)-1) > 1e-15 {
		t.Errorf("the pooled variance of 0, 1, 2 and 9 is %v (error %v), want 1", c, err)
	}
}
