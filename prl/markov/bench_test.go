package markov_test

import (
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/markov"
)

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
	b.Run("likelihood", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.LogLikelihood(obs); return err }) })
	b.Run("posterior", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Posterior(obs); return err }) })
	b.Run("Viterbi", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Viterbi(obs); return err }) })
	b.Run("Baum-Welch", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := markov.BaumWelch(b.Context(), start, [][]int{obs}, o); return err })
	})
}
