package estimate_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/estimate"
)

func ExampleBeta_See() {
	prior, _ := estimate.NewBeta(1, 1)
	after, _ := prior.See(7, 3)
	fmt.Println(after, after.Mean())
	// Output: Beta(8, 4) 0.6666666666666666
}

func ExampleNormalMean_See() {
	prior, _ := estimate.NewNormalMean(0, 1, 1)
	after, _ := prior.See(1, 2, 3)
	fmt.Println(after)
	// Output: N(1.5, 0.25)
}

func ExampleGrid_See() {
	prior, _ := estimate.NewGrid([]float64{0.3, 0.7}, []float64{1, 1})
	after, _, _ := prior.See(func(p float64) float64 { return 2*math.Log(p) + math.Log(1-p) }) // 1, 1, 0
	fmt.Printf("%.4f\n", after.Probabilities())
	// Output: [0.3000 0.7000]
}

// Figures of SciPy 1.17.1: beta(2, 9).ppf(0.9), beta(8, 2).cdf(0.6), beta(3, 4).pdf(0.2).
func TestAgainstSciPy(t *testing.T) {
	for name, c := range map[string][2]float64{
		"quantile": {estimate.Beta{A: 2, B: 9}.Quantile(0.9), 0.33684772330672474},
		"cdf":      {estimate.Beta{A: 8, B: 2}.CDF(0.6), 0.07054387199999998},
		"density":  {estimate.Beta{A: 3, B: 4}.Density(0.2), 1.2288},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

// A grid of many places and the conjugate forms come to the same, seen at once or one by one.
func TestGridAgreesWithConjugates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(2, 8).Draw(t, "a"), rapid.Float64Range(2, 8).Draw(t, "b")
		k, n := rapid.IntRange(0, 20).Draw(t, "k"), rapid.IntRange(20, 40).Draw(t, "n")
		p, err := estimate.NewBeta(a, b)
		if err != nil {
			t.Fatal(err)
		}
		const cells = 4000
		places, weights := make([]float64, cells), make([]float64, cells)
		for i := range places {
			places[i] = (float64(i) + 0.5) / cells
			weights[i] = p.Density(places[i])
		}
		g, err := estimate.NewGrid(places, weights)
		if err != nil {
			t.Fatal(err)
		}
		g, evidence, err := g.See(func(p float64) float64 {
			return float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p)
		})
		if err != nil {
			t.Fatal(err)
		}
		q, _ := p.See(k, n-k)
		if math.Abs(g.Mean()-q.Mean()) > 1e-6 || math.Abs(g.Variance()-q.Variance()) > 1e-6 {
			t.Fatalf("grid %v %v, Beta %v %v", g.Mean(), g.Variance(), q.Mean(), q.Variance())
		}
		if want := p.LogEvidence(k, n-k); math.Abs(evidence-want) > 1e-5 {
			t.Fatalf("evidence %v, want %v", evidence, want)
		}
		x := rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 9).Draw(t, "x")
		m, _ := estimate.NewNormalMean(a, b, 2)
		once, _ := m.See(x...)
		for _, v := range x {
			m, _ = m.See(v)
		}
		if math.Abs(once.Mean-m.Mean) > 1e-12 || math.Abs(once.Variance-m.Variance) > 1e-14 {
			t.Fatalf("at once %v, one by one %v", once, m)
		}
	})
}

// Half a million births: the likelihood is 2^-493338, and yet the belief is computed (Laplace 1781).
func TestLogDomain(t *testing.T) {
	places := []float64{0.5, 0.505, 0.51}
	g, err := estimate.NewGrid(places, []float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	g, evidence, err := g.See(func(p float64) float64 { return 251527*math.Log(p) + 241945*math.Log1p(-p) })
	if err != nil || math.IsInf(evidence, 0) || math.IsNaN(g.Mean()) {
		t.Fatal(g, evidence, err)
	}
	sum := 0.0
	for _, p := range g.Probabilities() {
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the belief sums to %v", sum)
	}
}

func TestMistakes(t *testing.T) {
	flat, _ := estimate.NewGrid([]float64{0, 1}, []float64{1, 0})
	for name, err := range map[string]error{
		"a":            second(estimate.NewBeta(0, 1)),
		"b":            second(estimate.NewBeta(1, math.Inf(1))),
		"counts":       second(estimate.Beta{A: 1, B: 1}.See(-1, 0)),
		"mean":         second(estimate.NewNormalMean(math.NaN(), 1, 1)),
		"noise":        second(estimate.NewNormalMean(0, 1, 0)),
		"observation":  second(estimate.NormalMean{Variance: 1, Noise: 1}.See(math.Inf(1))),
		"no places":    second(estimate.NewGrid(nil, nil)),
		"weights":      second(estimate.NewGrid([]float64{1}, []float64{-1})),
		"zero weights": second(estimate.NewGrid([]float64{1}, []float64{0})),
		"impossible":   third(flat.See(math.Log)),
		"NaN":          third(flat.See(func(float64) float64 { return math.NaN() })),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if g, _, err := flat.See(func(p float64) float64 { return p }); err != nil || g.Probabilities()[1] != 0 {
		t.Errorf("a place without belief has %v, %v", g.Probabilities(), err)
	}
	if v := (estimate.Beta{A: 1, B: 1}).Density(0); v != 1 {
		t.Errorf("the flat density at 0 is %v", v)
	}
}

func second[T any](_ T, err error) error { return err }

func third[T any](_ T, _ float64, err error) error { return err }
