package datasets

import (
	"gonum.org/v1/gonum/mat"
)

// FishTruth returns, so that the Bayes rule is known; the number of fins is 7, 8 or 9 with probabilities that depend on the species.
//
// The example is that of R. O. Duda, P. E. Hart & D. G. Stork (2001), Pattern Classification, section 1.2; the numbers are made up.
func Fish(n int, seed uint64) Set {
	s := generated("Fish", n, seed)
	if err := checkRows("datasets.Fish", n, 3); err != nil {
		return s.fail(err)
	}
	means, covs, priors := FishTruth()
	factors, err := gaussianFactors("datasets.Fish", means, covs)
	if err != nil {
		return s.fail(err)
	}
	fins := [][]float64{{0.1, 0.2, 0.7}, {0.2, 0.7, 0.1}, {0.7, 0.2, 0.1}}
	rng := generator(seed, 0x66697368) // "fish"
	s.X, s.Y = mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		c := draw(rng, priors)
		row := s.X.RawRowView(i)
		gaussianRow(rng, row[:2], means[c], factors[c])
		row[2] = float64(7 + draw(rng, fins[c]))
		s.Y[i] = c
	}
	s.ClassNames = []string{"sea bass", "salmon", "trout"}
	s.FeatureNames, s.Units = []string{"brightness", "length", "fins"}, []string{"", "cm", ""}
	return s
}

// FishTruth returns the parameters Fish draws brightness and length from: class means, covariances and prior probabilities of sea bass,
// salmon and trout.
func FishTruth() (means [][]float64, covs [][][]float64, priors []float64) {
	return [][]float64{{6.5, 62}, {3.8, 50}, {5.2, 36}},
		[][][]float64{{{1.0, 2.0}, {2.0, 64}}, {{0.8, -1.0}, {-1.0, 49}}, {{1.2, 0.5}, {0.5, 36}}},
		[]float64{0.5, 0.3, 0.2}
}
