package bayes

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A RejectPoint is one point of the error-reject curve: with this cost of rejecting, the Bayes rule rejects where max_y p(y|x) < 1 - Cost.
type RejectPoint struct {
	Cost   float64
	Reject float64 // probability that x is rejected
	Error  float64 // probability that x is accepted and the decision is wrong
}

// ErrorReject returns the error-reject curve of a one-dimensional model at the given costs in [0, 1], in closed form from the intervals of
// Chow's rule. The curve satisfies Error(c) = -∫_0^c t dReject(t) (Chow, 1970).
func (m *Law) ErrorReject(costs ...float64) ([]RejectPoint, error) {
	const f = "bayes.Law.ErrorReject"
	k := m.Classes()
	onlyError, onlyReject := ZeroOne(k), make(LossTable, k+1)
	onlyError = append(onlyError, make([]float64, k))
	for i := range onlyReject {
		onlyReject[i] = make([]float64, k)
	}
	for j := range k {
		onlyReject[k][j] = 1
	}
	points := make([]RejectPoint, len(costs))
	for i, c := range costs {
		if !(c >= 0 && c <= 1) {
			return nil, fault.Argument(f, fmt.Sprintf("costs[%d]", i), c, "a number from 0 to 1", "")
		}
		rule, err := m.Rule(Reject(k, c))
		if err != nil {
			return nil, err
		}
		points[i].Cost = c
		if points[i].Reject, err = m.RiskOf(onlyReject, rule); err != nil {
			return nil, err
		}
		if points[i].Error, err = m.RiskOf(onlyError, rule); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// ErrorRejectCurve returns the empirical error-reject curve of posteriors (n x K) against the true classes y: the points at which one more
// of the distinct values of max_y p(y|x), from the least sure upwards, is rejected. The first point rejects nothing, the last everything.
func ErrorRejectCurve(proba mat.Matrix, y []int) ([]RejectPoint, error) {
	const f = "bayes.ErrorRejectCurve"
	if err := estimator.CheckX(f, proba); err != nil {
		return nil, err
	}
	n, k := proba.Dims()
	if len(y) != n {
		return nil, fault.Argument(f, "y", fmt.Sprintf("%d labels", len(y)), fmt.Sprintf("one label for each of the %d rows", n), "")
	}
	type row struct {
		sure  float64
		wrong bool
	}
	rows := make([]row, n)
	errors := 0
	for i := range rows {
		p := mat.Row(nil, i, proba)
		if y[i] < 0 || y[i] >= k {
			return nil, fault.Argument(f, fmt.Sprintf("y[%d]", i), y[i], fmt.Sprintf("a class 0 ... %d", k-1), "")
		}
		top := estimator.Argmax(p)
		rows[i] = row{p[top], top != y[i]}
		if rows[i].wrong {
			errors++
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.sure < b.sure:
			return -1
		case a.sure > b.sure:
			return 1
		}
		return 0
	})
	points := []RejectPoint{{Cost: 1 - rows[0].sure, Reject: 0, Error: float64(errors) / float64(n)}}
	for i := 0; i < n; {
		sure := rows[i].sure
		for ; i < n && rows[i].sure == sure; i++ {
			if rows[i].wrong {
				errors--
			}
		}
		cost := 0.0
		if i < n {
			cost = 1 - rows[i].sure
		}
		points = append(points, RejectPoint{Cost: math.Max(cost, 0), Reject: float64(i) / float64(n), Error: float64(errors) / float64(n)})
	}
	return points, nil
}
