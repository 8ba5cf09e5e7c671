package reduce_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/reduce"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/reduce > old.txt
//	go test -run NONE -bench . -count 10 ./prl/reduce > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchtest.Classes(10000, 20, 2)
	b.Run("PCA", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := reduce.FitPCA(b.Context(), X, reduce.PCAOptions{}); return err })
	})
	b.Run("Fisher", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := reduce.FitFisher(b.Context(), X, y, reduce.FisherOptions{}); return err })
	})
	b.Run("MDA", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := reduce.FitMDA(b.Context(), X, y, reduce.MDAOptions{}); return err })
	})
}

func BenchmarkTransform(b *testing.B) {
	X, _ := benchtest.Classes(10000, 20, 2)
	pca, err := reduce.FitPCA(b.Context(), X, reduce.PCAOptions{})
	if err != nil {
		b.Fatal(err)
	}
	benchtest.Loop(b, func() error { _, err := pca.Transform(X); return err })
}
