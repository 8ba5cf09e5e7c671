package bayes_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
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
//	go test -run NONE -bench . -count 10 ./prl/bayes > old.txt
//	go test -run NONE -bench . -count 10 ./prl/bayes > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchData(10000, 20, 5)
	o := bayes.DefaultOptions()
	b.Run("LDA", func(b *testing.B) { loop(b, func() error { _, err := bayes.FitLDA(b.Context(), X, y, o); return err }) })
	b.Run("QDA", func(b *testing.B) { loop(b, func() error { _, err := bayes.FitQDA(b.Context(), X, y, o); return err }) })
	b.Run("GaussianNB", func(b *testing.B) {
		loop(b, func() error { _, err := bayes.FitGaussianNB(b.Context(), X, y, o); return err })
	})
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchData(10000, 20, 5)
	o := bayes.DefaultOptions()
	lda, err := bayes.FitLDA(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	qda, err := bayes.FitQDA(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("LDA", func(b *testing.B) { loop(b, func() error { _, err := lda.Predict(X); return err }) })
	b.Run("QDA", func(b *testing.B) { loop(b, func() error { _, err := qda.Predict(X); return err }) })
}
