package svm_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/svm > old.txt
//	go test -run NONE -bench . -count 10 ./prl/svm > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchtest.Classes(2000, 10, 2)
	for name, k := range map[string]kernel.Kernel{
		"RBF": kernel.RBF{Gamma: 0.1}, "poly": kernel.Poly{Degree: 3, Gamma: 0.1, Coef0: 1},
		"linear": kernel.Linear{},
	} {
		o := svm.Options{}
		o.Kernel, o.Tol = k, 1e-3
		b.Run(name, func(b *testing.B) {
			benchtest.Loop(b, func() error { _, err := svm.Fit(b.Context(), X, y, o); return err })
		})
	}
	b.Run("coordinate descent", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := svm.FitLinear(b.Context(), X, y, svm.LinearOptions{}); return err })
	})
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchtest.Classes(2000, 10, 2)
	o := svm.Options{}
	o.Kernel, o.Tol = kernel.RBF{Gamma: 0.1}, 1e-3
	model, err := svm.Fit(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	benchtest.Loop(b, func() error { _, err := model.Predict(X); return err })
}
