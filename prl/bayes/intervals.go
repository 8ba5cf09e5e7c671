package bayes

import (
	"fmt"
	"math"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// Intervals is a decision rule on the line: Actions[i] is taken between Cuts[i-1] and Cuts[i], with -Inf and +Inf at the ends. At a cut the
// action to its right is taken.
type Intervals struct {
	Cuts    []float64 // increasing
	Actions []int     // one more than Cuts
}

// Action returns the action taken at x.
func (r Intervals) Action(x float64) int {
	i := 0
	for i < len(r.Cuts) && x >= r.Cuts[i] {
		i++
	}
	return r.Actions[i]
}

// Threshold returns the rule that takes action 0 below t and action 1 from t on.
func Threshold(t float64) Intervals { return Intervals{[]float64{t}, []int{0, 1}} }

// Rule returns the Bayes rule of a one-dimensional model as intervals. Two actions tie where sum_j (l_aj - l_bj) p_j N_j(x) = 0. When only
// two classes enter, as always for K = 2 or zero-one loss, that is a quadratic equation in x and is solved in closed form; other ties are
// found as sign changes on a grid of 1/200 of the least standard deviation and bisected to rounding.
func (m *Law) Rule(loss LossTable) (Intervals, error) {
	const f = "bayes.Law.Rule"
	if err := m.oneDimensional(f); err != nil {
		return Intervals{}, err
	}
	if err := loss.check(f, m.Classes()); err != nil {
		return Intervals{}, err
	}
	var cuts []float64
	for a := range loss {
		for b := range a {
			cuts = append(cuts, m.ties(loss[a], loss[b])...)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	// Keep the cuts at which the best action changes.
	var r Intervals
	w := m.width()
	for i := 0; i <= len(cuts); i++ {
		var lo, hi float64
		switch {
		case len(cuts) == 0:
			lo, hi = m.class[0].mean[0]-w, m.class[0].mean[0]+w
		case i == 0:
			lo, hi = cuts[0]-2*w, cuts[0]
		case i == len(cuts):
			lo, hi = cuts[i-1], cuts[i-1]+2*w
		default:
			lo, hi = cuts[i-1], cuts[i]
		}
		action := m.within(loss, lo, hi)
		if i > 0 && action == r.Actions[len(r.Actions)-1] {
			continue
		}
		if i > 0 {
			r.Cuts = append(r.Cuts, cuts[i-1])
		}
		r.Actions = append(r.Actions, action)
	}
	return r, nil
}

// within returns the best action between two neighbouring cuts. It asks at five points, for at one of them two actions may tie without
// changing places: the discriminant then touches zero.
func (m *Law) within(loss LossTable, lo, hi float64) int {
	votes := make([]int, len(loss))
	for _, share := range []float64{0.5, 0.25, 0.75, 0.4, 0.6} {
		votes[m.Decide(loss, lo+share*(hi-lo))]++
	}
	return slices.Index(votes, slices.Max(votes))
}

// width is the least standard deviation of a class.
func (m *Law) width() float64 {
	w := math.Inf(1)
	for _, g := range m.class {
		w = min(w, g.factor.SD())
	}
	return w
}

func (m *Law) ties(a, b []float64) []float64 {
	var involved []int
	diff := make([]float64, len(a))
	for j := range a {
		diff[j] = (a[j] - b[j]) * m.priors[j]
		if diff[j] != 0 {
			involved = append(involved, j)
		}
	}
	if len(involved) < 2 {
		return nil // one action is never worse than the other
	}
	if len(involved) == 2 {
		j, k := involved[0], involved[1]
		if diff[j]*diff[k] > 0 {
			return nil
		}
		return crossings(m.class[j], m.class[k], math.Abs(diff[j]), math.Abs(diff[k]))
	}
	h := func(x float64) float64 { // scaled by the evidence, which has no zeros
		s := 0.0
		a := m.LogJoint(x)
		Softmax(a)
		for _, j := range involved {
			s += diff[j] / m.priors[j] * a[j]
		}
		return s
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, g := range m.class {
		sd := g.factor.SD()
		lo, hi = min(lo, g.mean[0]-12*sd), max(hi, g.mean[0]+12*sd)
	}
	steps := int(min(max((hi-lo)/m.width()*200, 1000), 1e6))
	var cuts []float64
	x0, h0 := lo, h(lo)
	for i := 1; i <= steps; i++ {
		x1 := lo + (hi-lo)*float64(i)/float64(steps)
		h1 := h(x1)
		if h0 == 0 {
			cuts = append(cuts, x0)
		} else if h0*h1 < 0 {
			l, r := x0, x1
			for mid := (l + r) / 2; mid > l && mid < r; mid = (l + r) / 2 {
				if h(mid)*h0 > 0 {
					l = mid
				} else {
					r = mid
				}
			}
			cuts = append(cuts, r)
		}
		x0, h0 = x1, h1
	}
	return cuts
}

// crossings solves w0 N0(x) = w1 N1(x) for positive weights: with v the variances, (1/v1 - 1/v0)/2 x^2 + (m0/v0 - m1/v1) x + c = 0.
func crossings(g0, g1 *Gaussian, w0, w1 float64) []float64 {
	m0, m1 := g0.mean[0], g1.mean[0]
	v0, v1 := g0.cov[0], g1.cov[0]
	// Shift the origin to the middle of the means, which avoids cancellation far from zero.
	origin := (m0 + m1) / 2
	m0, m1 = m0-origin, m1-origin
	a := 0.5 * (v0 - v1) / (v0 * v1)
	b := m0/v0 - m1/v1
	c := math.Log(w0/w1) + 0.5*math.Log(v1/v0) + 0.5*(m1*m1/v1-m0*m0/v0)
	if a == 0 {
		if b == 0 {
			return nil // the same density: one weight is larger everywhere
		}
		return []float64{origin - c/b}
	}
	disc := b*b - 4*a*c
	if disc <= 0 {
		return nil
	}
	q := -0.5 * (b + math.Copysign(math.Sqrt(disc), b)) // Citardauq form: no difference of nearly equal numbers
	x, y := q/a, c/q
	return []float64{origin + min(x, y), origin + max(x, y)}
}

// RiskOf returns the risk of an interval rule in closed form: sum_j p_j sum_i loss[a_i][j] P_j(interval i).
func (m *Law) RiskOf(loss LossTable, rule Intervals) (float64, error) {
	const f = "bayes.Law.RiskOf"
	if err := m.oneDimensional(f); err != nil {
		return 0, err
	}
	if err := loss.check(f, m.Classes()); err != nil {
		return 0, err
	}
	if len(rule.Actions) != len(rule.Cuts)+1 || !slices.IsSorted(rule.Cuts) {
		return 0, fault.Argument(f, "rule", fmt.Sprintf("%v", rule), "increasing cuts with one more action than cuts", "")
	}
	risk := 0.0
	for i, a := range rule.Actions {
		if a < 0 || a >= len(loss) {
			return 0, fault.Argument(f, "rule", fmt.Sprintf("action %d", a), fmt.Sprintf("an action 0 ... %d", len(loss)-1), "")
		}
		lo, hi := math.Inf(-1), math.Inf(1)
		if i > 0 {
			lo = rule.Cuts[i-1]
		}
		if i < len(rule.Cuts) {
			hi = rule.Cuts[i]
		}
		for j, g := range m.class {
			if loss[a][j] != 0 {
				risk += m.priors[j] * loss[a][j] * g.mass(lo, hi)
			}
		}
	}
	return risk, nil
}

// BayesRisk returns the least risk any rule attains on a one-dimensional model, in closed form from the Bayes rule's intervals.
func (m *Law) BayesRisk(loss LossTable) (float64, error) {
	rule, err := m.Rule(loss)
	if err != nil {
		return 0, err
	}
	return m.RiskOf(loss, rule)
}

// BayesError returns the Bayes risk of a one-dimensional model under zero-one loss, 1 - ∫ max_y p(x, y) dx.
func (m *Law) BayesError() (float64, error) { return m.BayesRisk(ZeroOne(m.Classes())) }

// QuadratureRisk integrates sum_j loss[rule(x)][j] p(x, j) over the line to about 1e-13. A nil rule is the Bayes rule, whose integrand is
// min_a sum_j loss[a][j] p(x, j). It is independent of the closed forms and serves any rule.
func (m *Law) QuadratureRisk(loss LossTable, rule func(x float64) int) (float64, error) {
	const f = "bayes.Law.QuadratureRisk"
	if err := m.oneDimensional(f); err != nil {
		return 0, err
	}
	if err := loss.check(f, m.Classes()); err != nil {
		return 0, err
	}
	points := m.support()
	if rule == nil { // the integrand has kinks at the cuts of the Bayes rule: panels end there
		best, err := m.Rule(loss)
		if err != nil {
			return 0, err
		}
		for _, c := range best.Cuts {
			if c > points[0] && c < points[len(points)-1] {
				points = append(points, c)
			}
		}
		slices.Sort(points)
	}
	risks := make([]float64, len(loss))
	bad := -1
	v, err := Quadrature(func(x float64) float64 {
		loss.risks(risks, m.Joint(x))
		if rule == nil {
			return risks[argmin(risks)]
		}
		a := rule(x)
		if a < 0 || a >= len(loss) {
			bad = a
			return 0
		}
		return risks[a]
	}, 1e-13, points...)
	if bad != -1 {
		return 0, fault.Argument(
			f,
			"rule",
			fmt.Sprintf("action %d somewhere", bad),
			fmt.Sprintf("an action 0 ... %d everywhere", len(loss)-1),
			"",
		)
	}
	return v, err
}
