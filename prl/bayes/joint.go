package bayes

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Joint is the table p(x, y) of a discrete problem: one observation a row, one class a column. Its entries sum to one.
type Joint struct{ p [][]float64 }

// NewJoint returns the table with the given rows. It fails when an entry is negative or the sum differs from one by more than 1e-9.
func NewJoint(rows ...[]float64) (*Joint, error) {
	const f = "bayes.NewJoint"
	if err := checkTable(f, "the table", "a table with one observation a row and one class a column", rows, 0); err != nil {
		return nil, err
	}
	var all []float64
	p := make([][]float64, len(rows))
	for i, r := range rows {
		p[i] = append([]float64(nil), r...)
		all = append(all, r...)
	}
	if err := estimator.CheckProbabilities(f, "the table", all); err != nil {
		return nil, err
	}
	return &Joint{p}, nil
}

// JointOf returns the table with p(x, y) = p(y) p(x|y); likelihoods has one observation a row and one class a column, and every column sums
// to one.
func JointOf(priors []float64, likelihoods [][]float64) (*Joint, error) {
	const f = "bayes.JointOf"
	if err := checkTable(f, "likelihoods", "a table with one observation a row and one class a column", likelihoods, len(priors)); err != nil {
		return nil, err
	}
	if err := checkPriors(f, priors, len(priors)); err != nil {
		return nil, err
	}
	rows := make([][]float64, len(likelihoods))
	for j := range priors {
		column := make([]float64, len(likelihoods))
		for i, r := range likelihoods {
			column[i] = r[j]
		}
		if err := estimator.CheckProbabilities(f, fmt.Sprintf("column %d of likelihoods", j), column); err != nil {
			return nil, err
		}
	}
	for i, r := range likelihoods {
		rows[i] = make([]float64, len(priors))
		for j := range priors {
			rows[i][j] = r[j] * priors[j]
		}
	}
	return NewJoint(rows...)
}

// Observations returns |X|, the number of rows.
func (t *Joint) Observations() int { return len(t.p) }

// Classes returns K, the number of columns.
func (t *Joint) Classes() int { return len(t.p[0]) }

// P returns p(x, y).
func (t *Joint) P(x, y int) float64 { return t.p[x][y] }

// Evidence returns p(x) = sum_y p(x, y) for every observation.
func (t *Joint) Evidence() []float64 {
	e := make([]float64, len(t.p))
	for i, r := range t.p {
		for _, v := range r {
			e[i] += v
		}
	}
	return e
}

// Priors returns p(y) = sum_x p(x, y) for every class.
func (t *Joint) Priors() []float64 {
	p := make([]float64, t.Classes())
	for _, r := range t.p {
		for j, v := range r {
			p[j] += v
		}
	}
	return p
}

// Posteriors returns p(y|x) = p(x, y)/p(x), one observation a row. The row of an impossible observation is zero.
func (t *Joint) Posteriors() [][]float64 {
	e := t.Evidence()
	q := make([][]float64, len(t.p))
	for i, r := range t.p {
		q[i] = make([]float64, len(r))
		for j, v := range r {
			if e[i] > 0 {
				q[i][j] = v / e[i]
			}
		}
	}
	return q
}

// Likelihoods returns p(x|y) = p(x, y)/p(y), one observation a row, so that each column sums to one (or is zero for an impossible class).
func (t *Joint) Likelihoods() [][]float64 {
	priors := t.Priors()
	q := make([][]float64, len(t.p))
	for i, r := range t.p {
		q[i] = make([]float64, len(r))
		for j, v := range r {
			if priors[j] > 0 {
				q[i][j] = v / priors[j]
			}
		}
	}
	return q
}

// Policy returns the Bayes policy: for every observation the action of least conditional risk (smallest number among ties).
func (t *Joint) Policy(loss LossTable) ([]int, error) {
	if err := loss.check("bayes.Joint.Policy", t.Classes()); err != nil {
		return nil, err
	}
	policy, risks := make([]int, len(t.p)), make([]float64, len(loss))
	for i, r := range t.p {
		policy[i] = argmin(loss.risks(risks, r)) // p(x) > 0 is a common factor
	}
	return policy, nil
}

// Risk returns sum_x sum_y loss[policy(x)][y] p(x, y), the risk of any policy.
func (t *Joint) Risk(loss LossTable, policy []int) (float64, error) {
	const f = "bayes.Joint.Risk"
	if err := loss.check(f, t.Classes()); err != nil {
		return 0, err
	}
	if len(policy) != len(t.p) {
		return 0, fault.Argument(
			f,
			"policy",
			fmt.Sprintf("%d actions", len(policy)),
			fmt.Sprintf("one action for each of the %d observations", len(t.p)),
			"",
		)
	}
	risk := 0.0
	for i, a := range policy {
		if a < 0 || a >= len(loss) {
			return 0, fault.Argument(f, fmt.Sprintf("policy[%d]", i), a, fmt.Sprintf("an action 0 ... %d", len(loss)-1), "")
		}
		for j, v := range t.p[i] {
			risk += loss[a][j] * v
		}
	}
	return risk, nil
}

// BayesRisk returns sum_x min_a sum_y loss[a][y] p(x, y), the least risk any policy attains.
func (t *Joint) BayesRisk(loss LossTable) (float64, error) {
	policy, err := t.Policy(loss)
	if err != nil {
		return 0, err
	}
	return t.Risk(loss, policy)
}

// BayesError returns 1 - sum_x max_y p(x, y), the Bayes risk under zero-one loss.
func (t *Joint) BayesError() float64 {
	e := 0.0
	for _, r := range t.p {
		top := estimator.Argmax(r)
		for j, v := range r {
			if j != top {
				e += v
			}
		}
	}
	return e
}

// A PolicyRisk is a policy, one action for each observation, with its risk.
type PolicyRisk struct {
	Policy []int
	Risk   float64
}

// Policies returns all A^|X| policies with their risks, the best first; equal risks stand in the order of counting with the first
// observation as the fastest digit. It fails above 100,000 policies.
func (t *Joint) Policies(loss LossTable) ([]PolicyRisk, error) {
	const f = "bayes.Joint.Policies"
	if err := loss.check(f, t.Classes()); err != nil {
		return nil, err
	}
	const most = 100_000
	if math.Pow(float64(len(loss)), float64(len(t.p))) > most {
		return nil, fault.Argument(
			f,
			"the number of policies",
			fmt.Sprintf("%d^%d", len(loss), len(t.p)),
			fmt.Sprintf("at most %d", most),
			"Policy gives the best one directly",
		)
	}
	var all []PolicyRisk
	policy := make([]int, len(t.p))
	for {
		risk, err := t.Risk(loss, policy)
		if err != nil {
			return nil, err
		}
		all = append(all, PolicyRisk{append([]int(nil), policy...), risk})
		i := 0
		for ; i < len(policy); i++ {
			if policy[i]++; policy[i] < len(loss) {
				break
			}
			policy[i] = 0
		}
		if i == len(policy) {
			slices.SortStableFunc(all, func(a, b PolicyRisk) int { return cmp.Compare(a.Risk, b.Risk) })
			return all, nil
		}
	}
}
