package kernel_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/kernel"
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

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each version:
//
//	go test -run NONE -bench . -count 10 ./prl/kernel > old.txt
//	go test -run NONE -bench . -count 10 ./prl/kernel > new.txt
//	benchstat old.txt new.txt
func BenchmarkGram(b *testing.B) {
	X, _ := benchData(1000, 20, 1)
	for name, k := range map[string]kernel.Kernel{"RBF": kernel.RBF{Gamma: 0.05}, "poly": kernel.Poly{Degree: 3, Gamma: 0.05, Coef0: 1}, "Laplacian": kernel.Laplacian{Gamma: 0.05}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := kernel.Gram(k, X); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
