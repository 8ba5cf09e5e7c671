package markov_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
)

func ExampleNewChain() {
	c, err := markov.NewChain(markov.ChainParameters{
		States: []string{"sun", "rain"}, Start: []float64{1, 0}, Transitions: [][]float64{{.9, .1}, {.5, .5}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	pi, err := c.Stationary()
	fmt.Printf("%.4f %v\n", pi, err)
	// Output: [0.8333 0.1667] <nil>
}

func ExampleNewHMM() {
	m, err := markov.NewHMM(markov.Parameters{
		States: []string{"hot", "cold"}, Symbols: []string{"1", "2", "3"}, Start: []float64{.8, .2},
		Transitions: [][]float64{{.6, .4}, {.5, .5}}, Emissions: [][]float64{{.2, .4, .4}, {.5, .4, .1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	obs, _ := m.Encode("3", "1", "3")
	l, _ := m.LogLikelihood(obs)
	path, _ := m.Viterbi(obs)
	fmt.Printf("P = %.6f, path %v, probability %.4f\n", math.Exp(l), m.Names(path.States), math.Exp(path.LogProb))
	// Output: P = 0.028562, path [hot cold hot], probability 0.0128
}

func ExampleTagging() {
	m, _ := markov.NewHMM(markov.Tagging())
	obs, _ := m.Encode("I", "bank", "at", "CFCU")
	best, _ := m.KBest(obs, 2)
	for _, p := range best {
		fmt.Printf("%v %.6f\n", m.Names(p.States), math.Exp(p.LogProb))
	}
	// Output:
	// [PRP V PREP N] 0.001501
	// [PRP V DET N] 0.000067
}

func ExampleCountChain() {
	c, _ := markov.CountChain([][]int{{0, 0, 1}, {0, 1, 0}}, 2, markov.CountOptions{})
	fmt.Printf("%.2f\n", c.Transitions())
	// Output: [[0.40 0.60] [0.67 0.33]]
}

func ExampleCountHMM() {
	o := markov.CountOptions{}
	o.States, o.Symbols = []string{"N", "V"}, []string{"fish", "swim"}
	m, _ := markov.CountHMM([][]int{{0, 1}, {0, 1}}, [][]int{{0, 1}, {0, 0}}, 2, 2, o)
	fmt.Printf("%.2f\n", m.Emissions())
	// Output: [[0.75 0.25] [0.50 0.50]]
}

func ExampleBaumWelch() {
	truth, _ := markov.NewHMM(markov.Tagging())
	_, obs, _ := truth.Sample(500, 1)
	start, _ := markov.RandomHMM(5, 7, 1)
	o := markov.BaumWelchOptions{}
	o.MaxIter = 20
	got, err := markov.BaumWelch(context.Background(), start, [][]int{obs}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.Iterations, got.LogLik[20] > got.LogLik[0])
	// Output: 20 true
}

func ExampleFitHMM() {
	truth, _ := markov.NewHMM(
		markov.Parameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.9, .1}, {.1, .9}}, Emissions: [][]float64{{1, 0}, {0, 1}}},
	)
	_, obs, _ := truth.Sample(2000, 1)
	o := markov.FitOptions{}
	o.Seed = 3
	got, err := markov.FitHMM(context.Background(), [][]int{obs}, 2, 2, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	l, _ := truth.LogLikelihood(obs)
	fmt.Println(got.LogLik[len(got.LogLik)-1] >= l)
	// Output: true
}

func ExampleRandomHMM() {
	m, _ := markov.RandomHMM(2, 3, 1)
	fmt.Println(m)
	// Output: HMM of 2 states (s1, s2) and 3 symbols
}

func ExampleNewGaussianHMM() {
	m, _ := markov.NewGaussianHMM(markov.GaussianParameters{
		States: []string{"low", "high"}, Start: []float64{.5, .5}, Transitions: [][]float64{{.9, .1}, {.1, .9}},
		Means: [][]float64{{0}, {5}}, Covariances: [][][]float64{{{1}}, {{1}}},
	})
	path, _ := m.Viterbi(mat.NewDense(4, 1, []float64{0.2, -1, 4.8, 5.5}))
	fmt.Println(m.Names(path.States))
	// Output: [low low high high]
}

func ExampleBaumWelchGaussian() {
	start, _ := markov.NewGaussianHMM(markov.GaussianParameters{
		Start: []float64{
			.5,
			.5,
		}, Transitions: [][]float64{{.5, .5}, {.5, .5}}, Means: [][]float64{{-1}, {6}}, Covariances: [][][]float64{{{1}}, {{1}}},
	})
	got, _ := markov.BaumWelchGaussian(
		context.Background(),
		start,
		[]mat.Matrix{mat.NewDense(6, 1, []float64{0, 1, -1, 4, 5, 6})},
		markov.BaumWelchOptions{},
	)
	fmt.Printf("%.2f\n", got.Model.Means())
	// Output: [[0.00] [5.00]]
}

func ExampleFitGaussian() {
	wave := mat.NewDense(12, 1, []float64{0, 1, -1, 0, 5, 6, 5, 4, 10, 9, 11, 10})
	o := markov.GaussianOptions{}
	o.Covariance, o.LeftRight = mixture.Tied, 1
	got, _ := markov.FitGaussian(context.Background(), []mat.Matrix{wave}, 3, o)
	path, _ := got.Model.Viterbi(wave)
	fmt.Printf("%.2f %v\n", got.Model.Means(), path.States)
	// Output: [[0.00] [5.00] [10.00]] [0 0 0 0 1 1 1 1 2 2 2 2]
}

func ExampleFitGaussian_mixtures() {
	o := markov.GaussianOptions{}
	o.Covariance, o.Components = mixture.Diagonal, 2 // each state emits from a mixture of two Gaussians
	two := mat.NewDense(8, 1, []float64{-4, 4, -4.5, 4.5, 0, 0.5, -0.5, 0})
	got, _ := markov.FitGaussian(context.Background(), []mat.Matrix{two, two}, 2, o)
	fmt.Println(got.Model)
	// Output: Gaussian HMM (diagonal covariance) of 2 states (s1, s2), each a mixture of 2, in 1 dimensions
}

func ExamplePlanGaussianHMM() {
	geyser := datasets.Faithful()
	h := markov.PlanGaussianHMM(2).Diagonal().Seed(1).Fit(geyser)
	fmt.Println(h.Sizes())
	// Output: [175 97]
}

func ExampleNewClassifier() {
	stay, _ := markov.NewChain(markov.ChainParameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.9, .1}, {.1, .9}}})
	jump, _ := markov.NewChain(markov.ChainParameters{Start: []float64{.5, .5}, Transitions: [][]float64{{.1, .9}, {.9, .1}}})
	c, _ := markov.NewClassifier([]float64{.5, .5}, stay, jump)
	p, _ := c.Proba([]int{0, 0, 1, 1})
	fmt.Printf("%.3f\n", p)
	// Output: [0.900 0.100]
}

func ExampleFitClassifier() {
	c, _ := markov.FitClassifier([][]int{{0, 0, 0}, {0, 1, 0}}, []int{0, 1}, 2, markov.CountOptions{})
	class, _ := c.Class([]int{1, 0, 1})
	fmt.Println(class)
	// Output: 1
}

func ExamplePlanHMM() {
	h := markov.PlanHMM("hot", "cold").
		Start(.8, .2).
		Transitions([]float64{.6, .4}, []float64{.5, .5}).
		Symbols("1", "2", "3").
		Emissions([]float64{.2, .4, .4}, []float64{.5, .4, .1})
	fmt.Println(h.Viterbi("3", "1", "3").Path())
	// Output: [hot cold hot]
}

func ExamplePlanOf() {
	fmt.Printf("%.6f\n", markov.PlanOf(markov.Tagging()).Viterbi("I", "bank", "at", "CFCU").Prob())
	// Output: 0.001501
}

func ExamplePlanChain() {
	c := markov.PlanChain("sun", "rain").Start(1, 0).Transitions([]float64{.9, .1}, []float64{.5, .5})
	fmt.Printf("%.3f\n", c.Prob("sun", "sun", "rain"))
	// Output: 0.090
}
