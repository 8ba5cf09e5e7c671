package svm_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// benchData draws n rows of d normal numbers about the means of k classes.
func benchData(n, d, k int) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(1, 1))
	means, X, y := make([]float64, k*d), mat.NewDense(n, d, nil), make([]int, n)
	for i := range means {
		means[i] = r.NormFloat64()
	}
	for i := range y {
		y[i] = i % k
		for j := range d {
			X.Set(i, j, means[y[i]*d+j]+r.NormFloat64())
		}
	}
	return X, y
}

// loop times f, which fails by returning an error.
func loop(b *testing.B, f func() error) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each version:
//
//	go test -run NONE -bench . -count 10 ./prl/svm > old.txt
//	go test -run NONE -bench . -count 10 ./prl/svm > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchData(2000, 10, 2)
	for name, k := range map[string]kernel.Kernel{"RBF": kernel.RBF{Gamma: 0.1}, "poly": kernel.Poly{Degree: 3, Gamma: 0.1, Coef0: 1}, "linear": kernel.Linear{}} {
		o := svm.DefaultOptions()
		o.Kernel, o.Tol = k, 1e-3
		b.Run(name, func(b *testing.B) { loop(b, func() error { _, err := svm.Fit(b.Context(), X, y, o); return err }) })
	}
	b.Run("coordinate descent", func(b *testing.B) {
		loop(b, func() error { _, err := svm.FitLinear(b.Context(), X, y, svm.DefaultLinear()); return err })
	})
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchData(2000, 10, 2)
	o := svm.DefaultOptions()
	o.Kernel, o.Tol = kernel.RBF{Gamma: 0.1}, 1e-3
	model, err := svm.Fit(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	loop(b, func() error { _, err := model.Predict(X); return err })
}
