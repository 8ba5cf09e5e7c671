package markov

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// The scaled passes are held to the textbook's recursions, ForwardNaive and BackwardNaive, and one step of Baum-Welch to Rabiner's formulas
// written out (1989, equations 36 to 40) on these.
func TestTextbookRecursions(t *testing.T) {
	for k := 1; k <= 9; k++ {
		m := random(t, k, 4, uint64(k))
		sequences := [][]int{drawn(t, m, 1, 1), drawn(t, m, 2, 2), drawn(t, m, 70, 3)}
		start, trans, emit := make([]float64, k), make([]float64, k*k), make([]float64, k*4)
		for _, obs := range sequences {
			n := len(obs)
			alpha, err := m.ForwardNaive(obs)
			if err != nil {
				t.Fatal(err)
			}
			beta, err := m.BackwardNaive(obs)
			if err != nil {
				t.Fatal(err)
			}
			p := total(alpha[n-1])
			l, err := m.LogLikelihood(obs)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "log-likelihood", l, math.Log(p), 1e-10)
			forward, err := m.Forward(obs)
			if err != nil {
				t.Fatal(err)
			}
			backward, err := m.Backward(obs)
			if err != nil {
				t.Fatal(err)
			}
			posterior, err := m.Posterior(obs)
			if err != nil {
				t.Fatal(err)
			}
			for s := range n {
				for i := range k {
					gamma := alpha[s][i] * beta[s][i] / p
					near(t, "filtered", forward.Alpha[s][i], alpha[s][i]/total(alpha[s]), 1e-12)
					near(t, "backward", backward[s][i]*total(alpha[s]), beta[s][i]*total(alpha[s])/p*total(alpha[s]), 1e-9)
					near(t, "posterior", posterior.At(s, i), gamma, 1e-12)
					emit[i*4+obs[s]] += gamma
					if s == 0 {
						start[i] += gamma
						continue
					}
					for j := range k {
						trans[j*k+i] += alpha[s-1][j] * m.a[j*k+i] * m.b[i*4+obs[s]] * beta[s][i] / p
					}
				}
			}
		}
		o := BaumWelchOptions{}
		o.MaxIter, o.Tol = 1, estimator.None
		got, err := BaumWelch(t.Context(), m, sequences, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range k {
			near(t, "start", got.Model.Start()[i], start[i]/total(start), 1e-12)
			for j := range k {
				near(t, "transition", got.Model.Transitions()[i][j], trans[i*k+j]/total(trans[i*k:(i+1)*k]), 1e-12)
			}
			for x := range 4 {
				near(t, "emission", got.Model.Emissions()[i][x], emit[i*4+x]/total(emit[i*4:(i+1)*4]), 1e-12)
			}
		}
	}
}

// Posteriors and paths are right at any distance of the points from the means.
func TestFarPoints(t *testing.T) {
	unit, wide := [][]float64{{1, 0.5}, {0.5, 2}}, [][]float64{{9, 0}, {0, 9}}
	for name, second := range map[string][][]float64{"equal covariances": unit, "a wider one": wide} {
		m, err := NewGaussianHMM(GaussianParameters{
			Start: []float64{.5, .5}, Transitions: [][]float64{{.5, .5}, {.5, .5}},
			Means: [][]float64{{0, 0}, {1, 1}}, Covariances: [][][]float64{unit, second},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{1e154, 1e200, 1.7e308} {
			X := mat.NewDense(3, 2, []float64{size, size, 0, 0, size / 2, size})
			P, err := m.Posterior(X)
			if err != nil {
				t.Fatal(err)
			}
			path, err := m.Viterbi(X)
			if err != nil {
				t.Fatal(err)
			}
			l, err := m.LogLikelihood(X)
			if err != nil || !(l < -1e307) || !(path.LogProb <= l) {
				t.Errorf("%s at %g: log-likelihood %v, log probability %v (%v)", name, size, l, path.LogProb, err)
			}
			for s := range 3 {
				want := 1
				if s == 1 {
					want = 0
				}
				if p := P.RawRowView(s); math.Abs(total(p)-1) > 1e-12 || p[want] < 0.5 || s != 1 && p[want] < 1-1e-12 || path.States[s] != want {
					t.Errorf("%s at %g, time %d: posteriors %v, state %d", name, size, s, p, path.States[s])
				}
			}
		}
	}
}

// Messages name the sequence and the shape of a matrix, not its numbers.
func TestShortMessages(t *testing.T) {
	m := must(t, Parameters{Start: []float64{1, 0}, Transitions: [][]float64{{1, 0}, {0, 1}}, Emissions: [][]float64{{1, 0}, {0, 1}}})
	_, err := BaumWelch(t.Context(), m, [][]int{{0, 0}, {0, 1, 0}}, BaumWelchOptions{})
	if want := "markov.BaumWelch: sequences[1][0:2] is impossible (probability 0), but"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	big := make([][]float64, 40)
	for i := range big {
		big[i] = make([]float64, 40)
		for j := range big {
			big[i][j] = 0.1
		}
	}
	_, err = NewGaussianHMM(
		GaussianParameters{
			Start:       []float64{1},
			Transitions: [][]float64{{1}},
			Means:       [][]float64{make([]float64, 40)},
			Covariances: [][][]float64{big},
		},
	)
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "Covariances[0] is 40 x 40 and singular") {
		t.Errorf("error %v", err)
	}
}

// Sequences learned from one after the other in one workspace count like each by itself.
func TestSequencesOfAllLengths(t *testing.T) {
	for _, k := range []int{2, 5, 8} {
		m := random(t, k, 3, uint64(k))
		o := BaumWelchOptions{}
		o.MaxIter, o.Tol = 1, estimator.None
		var sequences [][]int
		sum := 0.0
		for i, n := range []int{300, 1, 65, 2, 64, 200, 3} {
			sequences = append(sequences, drawn(t, m, n, uint64(i)))
			l, err := m.LogLikelihood(sequences[i])
			if err != nil {
				t.Fatal(err)
			}
			sum += l
		}
		got, err := BaumWelch(t.Context(), m, sequences, o)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("log-likelihood of %d states", k), got.LogLik[0], sum, 1e-9)
		after := 0.0
		for _, obs := range sequences {
			l, err := got.Model.LogLikelihood(obs)
			if err != nil {
				t.Fatal(err)
			}
			after += l
		}
		near(t, "log-likelihood after a step", got.LogLik[1], after, 1e-9)
	}
}
