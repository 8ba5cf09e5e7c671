package mixture_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/mixture"
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
//	go test -run NONE -bench . -count 10 ./prl/mixture > old.txt
//	go test -run NONE -bench . -count 10 ./prl/mixture > new.txt
//	benchstat old.txt new.txt
func BenchmarkKMeans(b *testing.B) {
	X, _ := benchData(10000, 10, 8)
	for _, algorithm := range []mixture.Algorithm{mixture.DefaultKMeans(12).Algorithm, mixture.Lloyd} {
		o := mixture.DefaultKMeans(12)
		o.Restarts, o.Algorithm = 1, algorithm
		b.Run(string(algorithm), func(b *testing.B) {
			loop(b, func() error { _, err := mixture.FitKMeans(b.Context(), X, o); return err })
		})
	}
}

func BenchmarkGMM(b *testing.B) {
	X, _ := benchData(10000, 10, 8)
	for _, kind := range []mixture.Covariance{mixture.Full, mixture.Tied, mixture.Diagonal, mixture.Spherical} {
		o := mixture.DefaultGMM(8)
		o.Restarts, o.MaxIter, o.Tol, o.Covariance = 1, 10, 0, kind
		b.Run(string(kind), func(b *testing.B) { loop(b, func() error { _, err := mixture.FitGMM(b.Context(), X, o); return err }) })
	}
}
