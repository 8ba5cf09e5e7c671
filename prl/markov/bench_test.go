package markov_test

import (
	"testing"

	"github.com/prlab/prlab/prl/markov"
)

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
//	go test -run NONE -bench . -count 10 ./prl/markov > old.txt
//	go test -run NONE -bench . -count 10 ./prl/markov > new.txt
//	benchstat old.txt new.txt
func BenchmarkHMM(b *testing.B) {
	model, err := markov.RandomHMM(8, 16, 1)
	if err != nil {
		b.Fatal(err)
	}
	_, obs, err := model.Sample(10000, 2)
	if err != nil {
		b.Fatal(err)
	}
	start, err := markov.RandomHMM(8, 16, 3)
	if err != nil {
		b.Fatal(err)
	}
	o := markov.DefaultBaumWelch()
	o.MaxIter, o.Tol = 10, 0
	b.Run("likelihood", func(b *testing.B) { loop(b, func() error { _, err := model.LogLikelihood(obs); return err }) })
	b.Run("posterior", func(b *testing.B) { loop(b, func() error { _, err := model.Posterior(obs); return err }) })
	b.Run("Viterbi", func(b *testing.B) { loop(b, func() error { _, err := model.Viterbi(obs); return err }) })
	b.Run("Baum-Welch", func(b *testing.B) {
		loop(b, func() error { _, err := markov.BaumWelch(b.Context(), start, [][]int{obs}, o); return err })
	})
}
