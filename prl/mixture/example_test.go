package mixture_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/mixture"
)

func points(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func ExampleFitKMeans() {
	o := mixture.KMeansOptions{K: 2}
	o.Centres, o.Trace = [][]float64{{0}, {1}}, true
	m, err := mixture.FitKMeans(context.Background(), points(0, 1, 2, 8, 9, 10), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range m.Rounds() {
		fmt.Println(r.Centres, r.Inertia)
	}
	// Output:
	// [[0] [1]] 195
	// [[0] [6]] 34
	// [[1] [9]] 4
}

func ExampleFitGMM() {
	m, err := mixture.FitGMM(context.Background(), points(0, 1, 2, 8, 9, 10), mixture.GMMOptions{K: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %.2f\n", m.Weights(), m.Means())
	// Output: [0.50 0.50] [[1.00] [9.00]]
}

func ExampleNewGMM() {
	m, err := mixture.NewGMM(mixture.GMMParameters{
		Weights: []float64{.2, .5, .3}, Means: [][]float64{{20}, {40}, {70}}, Covariances: [][][]float64{{{36}}, {{225}}, {{64}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mean, cov := m.Moments()
	fmt.Printf("mean %.1f, variance %.1f, responsibilities at 30: %.4f\n", mean[0], cov[0][0], m.Responsibilities(30))
	// Output: mean 45.0, variance 463.9, responsibilities at 30: [0.2375 0.7625 0.0000]
}

func ExampleEM() {
	coins, err := mixture.Coins([]int{5, 9, 8, 4, 7}, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := mixture.EMOptions{}
	o.MaxIter, o.Tol = 10, estimator.None
	steps, err := mixture.EM(context.Background(), []float64{.6, .5}, coins, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("after 1: %.2f, after 10: %.2f\n", steps[1].Theta, steps[10].Theta)
	// Output: after 1: [0.71 0.58], after 10: [0.80 0.52]
}

func ExampleCoins() {
	coins, _ := mixture.Coins([]int{9, 1}, 10)
	steps, _ := mixture.EM(context.Background(), []float64{.6, .4}, coins, mixture.EMOptions{})
	fmt.Printf("%.2f\n", steps[len(steps)-1].Theta)
	// Output: [0.90 0.10]
}

func ExampleGaussians() {
	X := points(0, 1, 2, 8, 9, 10)
	o := mixture.GMMOptions{K: 2}
	o.HoldWeights, o.HoldCovariances = true, true
	p, _ := mixture.Gaussians(X, o)
	start, _ := mixture.NewGMM(
		mixture.GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0}, {1}}, Covariances: [][][]float64{{{1}}, {{1}}}},
	)
	steps, _ := mixture.EM(context.Background(), start, p, mixture.EMOptions{})
	fmt.Printf("%.4f, bound %.4f, L %.4f\n", steps[1].Theta.Means(), mixture.Bound(p, steps[0], steps[1].Theta), steps[1].LogLik)
	// Output: [[0.6333] [6.0727]], bound -43.8121, L -24.7272
}

func ExamplePlusPlusProbabilities() {
	p, _ := mixture.PlusPlusProbabilities(points(0, 1, 3, 10), [][]float64{{0}})
	fmt.Printf("%.4f\n", p)
	// Output: [0.0000 0.0091 0.0818 0.9091]
}

func ExampleSelect() {
	truth, _ := mixture.NewGMM(
		mixture.GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0}, {9}}, Covariances: [][][]float64{{{1}}, {{4}}}},
	)
	X, _, _ := truth.Sample(400, 1)
	candidates, best, err := mixture.Select(context.Background(), X, 3, []mixture.Covariance{mixture.Spherical}, mixture.GMMOptions{K: 1})
	fmt.Println(candidates[best].K, err)
	// Output: 2 <nil>
}

func ExampleDecompose() {
	X := points(0, 1, 2, 8, 9, 10)
	a, _ := mixture.NewGMM(
		mixture.GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0}, {1}}, Covariances: [][][]float64{{{1}}, {{1}}}},
	)
	b, _ := mixture.NewGMM(
		mixture.GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{1}, {9}}, Covariances: [][][]float64{{{1}}, {{1}}}},
	)
	q, h, _ := mixture.Decompose(X, a, b)
	l, _ := b.LogLikelihood(X)
	fmt.Printf("Q + H - L = %.1f\n", q+h-l)
	// Output: Q + H - L = 0.0
}

func ExamplePlanGMM() {
	set := datasets.New("six points", points(0, 1, 2, 8, 9, 10), nil)
	m := mixture.PlanGMM(2).Spherical().Seed(1).Fit(set).Model()
	fmt.Printf("%.3f\n", m.Density(5))
	// Output: 0.000
}

func ExamplePlanKMeans() {
	set := datasets.New("six points", points(0, 1, 2, 8, 9, 10), nil)
	fmt.Println(mixture.PlanKMeans(2).From([]float64{0}, []float64{1}).Fit(set).Model().Centres())
	// Output: [[1] [9]]
}
