package mixture

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Candidate is one mixture in a comparison.
type Candidate struct {
	K          int
	Covariance Covariance
	Model      *GMM // nil when every start collapsed
	LogLik     float64
	Parameters int
	BIC, AIC   float64
}

// Select fits a mixture for each number of components from 1 to kMax and each type of covariance, the other settings as in o, and returns
// them in that order with the index of the smallest BIC.
func Select(ctx context.Context, X mat.Matrix, kMax int, kinds []Covariance, o GMMOptions) (candidates []Candidate, best int, err error) {
	const function = "mixture.Select"
	if err := estimator.CheckCount(function, "kMax", kMax, 1, 1<<20); err != nil {
		return nil, 0, err
	}
	if len(kinds) == 0 {
		return nil, 0, fault.Argument(function, "kinds", "empty", "at least one type of covariance", "")
	}
	best = -1
	for _, kind := range kinds {
		for k := 1; k <= kMax; k++ {
			o.K, o.Covariance, o.Start = k, kind, nil
			m, err := FitGMM(ctx, X, o)
			var collapse *CollapseError
			if errors.As(err, &collapse) {
				candidates = append(candidates, Candidate{K: k, Covariance: kind})
				continue
			}
			if err != nil {
				return nil, 0, fmt.Errorf("%s: K = %d, %s: %w", function, k, kind, err)
			}
			c := Candidate{K: k, Covariance: kind, Model: m, LogLik: m.logLik, Parameters: m.FreeParameters()}
			if c.BIC, err = m.BIC(X); err != nil {
				return nil, 0, err
			}
			if c.AIC, err = m.AIC(X); err != nil {
				return nil, 0, err
			}
			candidates = append(candidates, c)
			if best < 0 || c.BIC < candidates[best].BIC {
				best = len(candidates) - 1
			}
		}
	}
	if best < 0 {
		return candidates, -1, fmt.Errorf("%s: every mixture collapsed; set Reg above 0", function)
	}
	return candidates, best, nil
}
