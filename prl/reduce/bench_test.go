package reduce_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/reduce"
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
//	go test -run NONE -bench . -count 10 ./prl/reduce > old.txt
//	go test -run NONE -bench . -count 10 ./prl/reduce > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchData(10000, 20, 2)
	b.Run("PCA", func(b *testing.B) {
		loop(b, func() error { _, err := reduce.FitPCA(b.Context(), X, reduce.DefaultPCA()); return err })
	})
	b.Run("Fisher", func(b *testing.B) {
		loop(b, func() error { _, err := reduce.FitFisher(b.Context(), X, y, reduce.DefaultFisher()); return err })
	})
	b.Run("MDA", func(b *testing.B) {
		loop(b, func() error { _, err := reduce.FitMDA(b.Context(), X, y, reduce.DefaultMDA()); return err })
	})
}

func BenchmarkTransform(b *testing.B) {
	X, _ := benchData(10000, 20, 2)
	pca, err := reduce.FitPCA(b.Context(), X, reduce.DefaultPCA())
	if err != nil {
		b.Fatal(err)
	}
	loop(b, func() error { _, err := pca.Transform(X); return err })
}
