package mixture_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/mixture"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/mixture > old.txt
//	go test -run NONE -bench . -count 10 ./prl/mixture > new.txt
//	benchstat old.txt new.txt
func BenchmarkKMeans(b *testing.B) {
	X, _ := benchtest.Classes(10000, 10, 8)
	for _, algorithm := range []mixture.Algorithm{mixture.KMeansOptions{K: 12}.Algorithm, mixture.Lloyd} {
		o := mixture.KMeansOptions{K: 12}
		o.Restarts, o.Algorithm = 1, algorithm
		b.Run(string(algorithm), func(b *testing.B) {
			benchtest.Loop(b, func() error { _, err := mixture.FitKMeans(b.Context(), X, o); return err })
		})
	}
}

func BenchmarkGMM(b *testing.B) {
	X, _ := benchtest.Classes(10000, 10, 8)
	for _, kind := range []mixture.Covariance{mixture.Full, mixture.Tied, mixture.Diagonal, mixture.Spherical} {
		o := mixture.GMMOptions{K: 8}
		o.Restarts, o.MaxIter, o.Tol, o.Covariance = 1, 10, estimator.None, kind
		b.Run(string(kind), func(b *testing.B) {
			benchtest.Loop(b, func() error { _, err := mixture.FitGMM(b.Context(), X, o); return err })
		})
	}
}
