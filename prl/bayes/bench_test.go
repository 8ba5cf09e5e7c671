package bayes_test

import (
	"testing"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/benchtest"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/bayes > old.txt
//	go test -run NONE -bench . -count 10 ./prl/bayes > new.txt
//	benchstat old.txt new.txt
func BenchmarkFit(b *testing.B) {
	X, y := benchtest.Classes(10000, 20, 5)
	o := bayes.Options{}
	b.Run("LDA", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := bayes.FitLDA(b.Context(), X, y, o); return err })
	})
	b.Run("QDA", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := bayes.FitQDA(b.Context(), X, y, o); return err })
	})
	b.Run("GaussianNB", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := bayes.FitGaussianNB(b.Context(), X, y, o); return err })
	})
}

func BenchmarkPredict(b *testing.B) {
	X, y := benchtest.Classes(10000, 20, 5)
	o := bayes.Options{}
	lda, err := bayes.FitLDA(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	qda, err := bayes.FitQDA(b.Context(), X, y, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("LDA", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := lda.Predict(X); return err }) })
	b.Run("QDA", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := qda.Predict(X); return err }) })
}
