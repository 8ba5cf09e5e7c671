package assess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

// PermutationImportance returns for each feature of X (n x d) by how much a loss rises when the values of the feature are shuffled among
// the rows, the mean of some shuffles: what a model loses that has to do without the feature. The loss is that of a fitted model, such as
// its share of errors, on rows that should be held out from the fit. X is as it was when the function returns. Source: Breiman, Random
// forests, Machine Learning 45 (2001), and for any model Fisher, Rudin and Dominici, Journal of Machine Learning Research 20 (2019).
//
// Errors: shuffles below 1; those of loss; that of ctx.
func PermutationImportance(
	ctx context.Context, X *mat.Dense, shuffles int, rng *rand.Rand, loss func(*mat.Dense) (float64, error),
) ([]float64, error) {
	const name = "assess.PermutationImportance"
	if shuffles < 1 {
		return nil, fault.Argument(name, "shuffles", shuffles, "at least 1", "5 are usual")
	}
	base, err := loss(X)
	if err != nil {
		return nil, fault.In(name, err)
	}
	_, d := X.Dims()
	rise := make([]float64, d)
	for j := range d {
		column := mat.Col(nil, j, X)
		mixed := slices.Clone(column)
		for range shuffles {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			rng.Shuffle(len(mixed), func(a, b int) { mixed[a], mixed[b] = mixed[b], mixed[a] })
			X.SetCol(j, mixed)
			v, err := loss(X)
			if err != nil {
				return nil, fault.In(name, err)
			}
			rise[j] += (v - base) / float64(shuffles)
		}
		X.SetCol(j, column)
	}
	return rise, nil
}

// PartialDependence returns what a model says when one feature has a given value in every row of X (n x d), and the other features are as
// they are: row i of the result is the mean over the rows of X of the n x K answers of predict with at[i] in column feature. Where features
// depend on each other it averages over rows that do not occur. X is as it was when the function returns. Source: Friedman, Greedy function
// approximation, Annals of Statistics 29 (2001), section 8.2.
//
// Errors: no rows, a feature outside 0 ... d-1, no values; those of predict; that of ctx.
func PartialDependence(
	ctx context.Context, X *mat.Dense, feature int, at []float64, predict func(*mat.Dense) (*mat.Dense, error),
) (*mat.Dense, error) {
	const name = "assess.PartialDependence"
	n, d := X.Dims()
	if n == 0 || feature < 0 || feature >= d {
		return nil, fault.Argument(name, "feature", feature, fmt.Sprintf("a column of the %d x %d rows", n, d), "")
	}
	if len(at) == 0 {
		return nil, fault.Argument(name, "at", "empty", "at least one value of the feature", "")
	}
	column, same := mat.Col(nil, feature, X), make([]float64, n)
	defer X.SetCol(feature, column)
	var out *mat.Dense
	for i, v := range at {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for r := range same {
			same[r] = v
		}
		X.SetCol(feature, same)
		answers, err := predict(X)
		if err != nil {
			return nil, fault.In(name, err)
		}
		_, k := answers.Dims()
		if out == nil {
			out = mat.NewDense(len(at), k, nil)
		}
		for c := range k {
			out.Set(i, c, floats.Sum(mat.Col(nil, c, answers))/float64(n))
		}
	}
	return out, nil
}
