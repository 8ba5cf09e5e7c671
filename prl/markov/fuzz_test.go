package markov

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/fuzztest"
)

// use asks a model that was read for all its answers.
func use(m fuzztest.Stored) {
	switch m := m.(type) {
	case *Chain:
		m.LogProb([]int{0, 0})
		m.Stationary()
		m.Classes()
		m.Ergodic()
		m.Period(0)
		m.After(1 << 40)
		m.Sample(3, 1)
	case *HMM:
		m.Viterbi([]int{0, 0})
		m.Forward([]int{0, 0})
		m.Posterior([]int{0, 0})
		m.KBest([]int{0, 0}, 3)
		m.Sample(3, 1)
		m.Chain()
	case *GaussianHMM:
		x := mat.NewDense(2, m.Dim(), nil)
		m.Viterbi(x)
		m.Posterior(x)
		m.Sample(3, 1)
	}
}

// models returns an empty model of each type.
func models() []fuzztest.Stored { return []fuzztest.Stored{new(Chain), new(HMM), new(GaussianHMM)} }

// stored returns a model of each type as bytes.
func stored() (chain, hmm, gaussian []byte) {
	tagging := PlanOf(Tagging()).Model()
	return fuzztest.Sound(
			tagging.Chain(),
			nil,
		), fuzztest.Sound(
			tagging,
			nil,
		), fuzztest.Sound(
			NewGaussianHMM(GaussianParameters{
				Start: []float64{0.5, 0.5}, Transitions: [][]float64{{0.9, 0.1}, {0.2, 0.8}},
				Means: [][]float64{{0, 0}, {1, 2}}, Covariances: [][][]float64{{{1, 0}, {0, 1}}, {{2, 0.5}, {0.5, 1}}},
			}),
		)
}

// FuzzUnmarshal reads bytes as each model.
func FuzzUnmarshal(f *testing.F) {
	chain, hmm, gaussian := stored()
	fuzztest.Unmarshal(f, [][]byte{chain, hmm, gaussian}, models, use)
}

// FuzzDamage reads sound models with a few wrong numbers inside.
func FuzzDamage(f *testing.F) {
	chain, hmm, gaussian := stored()
	f.Fuzz(func(t *testing.T, which byte, script []byte) {
		switch which % 3 {
		case 0:
			fuzztest.Read(t, fuzztest.Damaged[ChainParameters](t, chain, "markov.Chain", 1, script), new(Chain), use)
		case 1:
			fuzztest.Read(t, fuzztest.Damaged[Parameters](t, hmm, "markov.HMM", 1, script), new(HMM), use)
		case 2:
			fuzztest.Read(t, fuzztest.Damaged[GaussianParameters](t, gaussian, "markov.GaussianHMM", 1, script), new(GaussianHMM), use)
		}
	})
}

// FuzzWords turns a sentence into states and back, and estimates a chain from it.
func FuzzWords(f *testing.F) {
	f.Fuzz(func(t *testing.T, known, sentence string, states int, smoothing float64) {
		names := strings.Split(known, " ")
		k := len(names)
		if k > 50 {
			return
		}
		even := make([]float64, k)
		for i := range even {
			even[i] = 1 / float64(k)
		}
		rows := slices.Repeat([][]float64{even}, k)
		chain, err := NewChain(ChainParameters{States: names, Start: even, Transitions: rows})
		var argument *fault.ArgumentError
		if err != nil {
			if !errors.As(err, &argument) {
				t.Fatalf("%q is no argument error", err)
			}
			return
		}
		words := strings.Split(sentence, " ")
		seq, err := chain.Index(words...)
		if err != nil {
			if !errors.As(err, &argument) {
				t.Fatalf("%q is no argument error", err)
			}
			return
		}
		for i, s := range seq {
			if names[s] != words[i] {
				t.Fatalf("%q became %q", words[i], names[s])
			}
		}
		var made *Chain
		o := CountOptions{Smoothing: smoothing}
		fuzztest.Quick(func() { made, err = CountChain([][]int{seq}, states, o) })
		if err != nil {
			if !errors.As(err, &argument) {
				t.Fatalf("%q is no argument error", err)
			}
			return
		}
		if l, err := made.LogProb(seq); err != nil || math.IsNaN(l) || math.IsInf(l, 0) || l > 1e-9 {
			t.Errorf("the log probability of what was counted is %v (error %v)", l, err)
		}
	})
}
