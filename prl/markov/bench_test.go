package markov_test

import (
	"strconv"
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/markov"
)

// The benchmarks time the same work as "go tool prl bench models" on made-up data. To see what a change does, with ten runs of each
// version:
//
//	go test -run NONE -bench . -count 10 ./prl/markov > old.txt
//	go test -run NONE -bench . -count 10 ./prl/markov > new.txt
//	benchstat old.txt new.txt
func BenchmarkHMM(b *testing.B) { bench(b, 8) }

// BenchmarkStates tells what a number of states costs. Few states have loops of their own.
func BenchmarkStates(b *testing.B) {
	for _, k := range []int{1, 2, 3, 4, 5, 16} {
		b.Run(strconv.Itoa(k), func(b *testing.B) { bench(b, k) })
	}
}

func bench(b *testing.B, k int) {
	model, err := markov.RandomHMM(k, 16, 1)
	if err != nil {
		b.Fatal(err)
	}
	_, obs, err := model.Sample(10000, 2)
	if err != nil {
		b.Fatal(err)
	}
	start, err := markov.RandomHMM(k, 16, 3)
	if err != nil {
		b.Fatal(err)
	}
	o := markov.BaumWelchOptions{}
	o.MaxIter, o.Tol = 10, estimator.None
	b.Run("likelihood", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.LogLikelihood(obs); return err }) })
	b.Run("forward", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Forward(obs); return err }) })
	b.Run("backward", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Backward(obs); return err }) })
	b.Run("posterior", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Posterior(obs); return err }) })
	b.Run("Viterbi", func(b *testing.B) { benchtest.Loop(b, func() error { _, err := model.Viterbi(obs); return err }) })
	b.Run("Baum-Welch", func(b *testing.B) {
		benchtest.Loop(b, func() error { _, err := markov.BaumWelch(b.Context(), start, [][]int{obs}, o); return err })
	})
}
