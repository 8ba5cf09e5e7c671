package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// Gaussians draws n rows from a mixture of K Gaussians, one a class: means is K x d, covs holds one d x d covariance a class (or one for
// all; nil is the identity). With priors the class of each row is drawn independently; with nil priors the classes take turns, so that they
// are equally large to within one row.
func Gaussians(n int, means [][]float64, covs [][][]float64, priors []float64, seed uint64) Set {
	s := generated("Gaussians", n, means, covs, priors, seed)
	const who = "datasets.Gaussians"
	factors, err := gaussianFactors(who, means, covs)
	if err != nil {
		return s.fail(err)
	}
	k, d := len(means), len(means[0])
	if err := checkRows(who, n, d); err != nil {
		return s.fail(err)
	}
	if priors != nil {
		if len(priors) != k {
			return s.fail(
				fault.Argument(
					who,
					"priors",
					fmt.Sprintf("%d numbers", len(priors)),
					fmt.Sprintf("one probability for each of the %d means", k),
					"nil makes the classes equally large",
				),
			)
		}
		if err := estimator.CheckProbabilities(who, "priors", priors); err != nil {
			return s.fail(err)
		}
	}
	rng := generator(seed, 0x6761757373) // "gauss"
	s.X, s.Y = mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		c := i % k
		if priors != nil {
			c = draw(rng, priors)
		}
		s.Y[i] = c
		gaussianRow(rng, s.X.RawRowView(i), means[c], factors[c])
	}
	s.ClassNames, s.FeatureNames = numbered("", 0, k), numbered("x", 1, d)
	return s
}

// gaussianFactors checks means and covariances and returns the lower Cholesky factor of each covariance. A semi-definite covariance is
// fine: its Gaussian lives on a plane.
func gaussianFactors(who string, means [][]float64, covs [][][]float64) ([]*mat.Dense, error) {
	k := len(means)
	if k == 0 || len(means[0]) == 0 {
		return nil, fault.Argument(who, "means", "empty", "at least one mean with at least one coordinate", "")
	}
	d := len(means[0])
	for c, m := range means {
		if len(m) != d {
			return nil, fault.Argument(
				who,
				fmt.Sprintf("means[%d]", c),
				fmt.Sprintf("of length %d", len(m)),
				fmt.Sprintf("of length %d like means[0]", d),
				"",
			)
		}
		for j, v := range m {
			if v-v != 0 {
				return nil, fault.Argument(who, fmt.Sprintf("means[%d][%d]", c, j), v, "a finite number", "")
			}
		}
	}
	if len(covs) != 0 && len(covs) != 1 && len(covs) != k {
		return nil, fault.Argument(
			who,
			"covs",
			fmt.Sprintf("%d matrices", len(covs)),
			fmt.Sprintf("one covariance for each of the %d means, or one for all, or nil for the identity", k),
			"",
		)
	}
	factors := make([]*mat.Dense, k)
	for c := range factors {
		switch {
		case len(covs) == 0:
			factors[c] = mat.NewDense(d, d, nil)
			for j := range d {
				factors[c].Set(j, j, 1)
			}
		case c > 0 && len(covs) == 1:
			factors[c] = factors[0]
		default:
			f, err := cholesky(covs[c], d)
			if err != nil {
				return nil, fault.Argument(
					who,
					fmt.Sprintf("covs[%d]", c),
					err,
					fmt.Sprintf("a symmetric positive semi-definite %d x %d matrix", d, d),
					"",
				)
			}
			factors[c] = f
		}
	}
	return factors, nil
}

func cholesky(a [][]float64, d int) (*mat.Dense, error) {
	if len(a) != d {
		return nil, fmt.Errorf("of %d rows", len(a))
	}
	size := 0.0
	for i, row := range a {
		if len(row) != d {
			return nil, fmt.Errorf("with %d numbers in row %d", len(row), i)
		}
		for _, v := range row {
			if v-v != 0 {
				return nil, fmt.Errorf("with the entry %v", v)
			}
			size = max(size, math.Abs(v))
		}
	}
	l := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range i + 1 {
			if math.Abs(a[i][j]-a[j][i]) > 1e-9*size {
				return nil, fmt.Errorf("not symmetric (entries %d, %d are %v and %v)", i, j, a[i][j], a[j][i])
			}
			sum := a[i][j]
			for k := range j {
				sum -= l.At(i, k) * l.At(j, k)
			}
			switch {
			case i == j && sum < -1e-9*size:
				return nil, fmt.Errorf("not positive semi-definite")
			case i == j:
				l.Set(i, i, math.Sqrt(max(sum, 0)))
			case l.At(j, j) > 1e-9*math.Sqrt(size):
				l.Set(i, j, sum/l.At(j, j))
			case math.Abs(sum) > 1e-6*size:
				return nil, fmt.Errorf("not positive semi-definite")
			}
		}
	}
	return l, nil
}

func gaussianRow(rng *rand.Rand, row, mean []float64, l *mat.Dense) {
	d := len(row)
	z := make([]float64, d)
	for j := range z {
		z[j] = rng.NormFloat64()
	}
	for i := range d {
		row[i] = mean[i]
		for j := range i + 1 {
			row[i] += float64(l.At(i, j) * z[j]) // rounded before adding, so that no fused operation changes the last digit
		}
	}
}

func generator(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// draw returns an index with the given probabilities.
func draw(rng *rand.Rand, p []float64) int {
	u := rng.Float64()
	last := 0
	for i, v := range p {
		if v > 0 {
			if last = i; u < v {
				return i
			}
		}
		u -= v
	}
	return last // rounding left a rest
}

func checkRows(who string, n, d int) error {
	return estimator.CheckCount(who, "n", n, 1, least.Values/d)
}

func checkNoise(who string, noise float64) error {
	if !(noise >= 0) || math.IsInf(noise, 0) {
		return fault.Argument(who, "noise", noise, "a standard deviation, 0 or more", "0.1 is usual")
	}
	return nil
}
