package bayes

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/prl/fuzztest"
)

// drawNormal draws a Gaussian on the line, with means and deviations that coincide now and then.
func drawNormal(t *rapid.T) *Gaussian {
	return must(Normal(float64(rapid.IntRange(-12, 12).Draw(t, "4 mean"))/4, float64(rapid.IntRange(1, 12).Draw(t, "4 deviation"))/4))
}

// p(error) <= Chernoff <= Bhattacharyya <= sqrt(p0 p1), and no rule errs more than the smaller prior needs.
func TestErrorBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := float64(rapid.IntRange(1, 19).Draw(t, "20 prior")) / 20
		g0, g1 := drawNormal(t), drawNormal(t)
		bayes := must(must(NewLaw([]float64{p, 1 - p}, g0, g1)).BayesError())
		chernoff, beta, err := ChernoffBound(g0, g1, p, 1-p)
		if err != nil {
			t.Fatal(err)
		}
		bhattacharyya := must(BhattacharyyaBound(g0, g1, p, 1-p))
		if bayes > min(p, 1-p)+1e-12 || bayes > chernoff+1e-12 || chernoff > bhattacharyya+1e-12 || bhattacharyya > math.Sqrt(p*(1-p))+1e-12 {
			t.Fatalf("Bayes error %v, Chernoff %v at %v, Bhattacharyya %v, smaller prior %v", bayes, chernoff, beta, bhattacharyya, min(p, 1-p))
		}
		if beta < 0 || beta > 1 {
			t.Fatalf("beta = %v", beta)
		}
	})
}

// Chow's rule: with a rising cost fewer are rejected and more err; error + cost * reject is the least risk, concave in the cost and at most
// the Bayes error.
func TestChow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 3).Draw(t, "classes")
		priors, classes := make([]float64, k), make([]*Gaussian, k)
		sum := 0.0
		for c := range k {
			priors[c] = float64(rapid.IntRange(1, 5).Draw(t, "weight"))
			sum += priors[c]
			classes[c] = drawNormal(t)
		}
		for c := range priors {
			priors[c] /= sum
		}
		m := must(NewLaw(priors, classes...))
		points := must(m.ErrorReject(0.2, 0.5))
		bayes := must(m.BayesError())
		for i, p := range points {
			risk := p.Error + p.Cost*p.Reject
			if risk > min(bayes, p.Cost)+1e-9 {
				t.Fatalf("risk %v at cost %v exceeds the Bayes error %v or the cost", risk, p.Cost, bayes)
			}
			if i == 0 {
				continue
			}
			before := points[i-1]
			if p.Reject > before.Reject+1e-9 || p.Error < before.Error-1e-9 {
				t.Fatalf(
					"from cost %v to %v, reject goes from %v to %v, error from %v to %v",
					before.Cost,
					p.Cost,
					before.Reject,
					p.Reject,
					before.Error,
					p.Error,
				)
			}
			if slope := (risk - before.Error - before.Cost*before.Reject) / (p.Cost - before.Cost); slope > before.Reject+1e-9 ||
				slope < p.Reject-1e-9 {
				t.Fatalf("the risk rises by %v, which is not between the reject rates %v and %v", slope, p.Reject, before.Reject)
			}
		}
	})
}

// The pointwise rule on a table is the best of all policies, and its risk is the mean of the least conditional risks.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		observations, classes, actions := rapid.IntRange(1, 4).
			Draw(t, "observations"),
			rapid.IntRange(2, 3).
				Draw(t, "classes"),
			rapid.IntRange(1, 3).
				Draw(t, "actions")
		cells := fuzztest.Distribution(t, observations*classes)
		var rows [][]float64
		for x := range observations {
			rows = append(rows, cells[x*classes:(x+1)*classes])
		}
		j, err := NewJoint(rows...)
		if err != nil {
			t.Fatal(err)
		}
		var costs [][]float64
		loss := fuzztest.Matrix(t, actions, classes, 3)
		for a := range actions {
			costs = append(costs, loss.RawRowView(a))
		}
		table, err := NewLoss(costs...)
		if err != nil {
			return // negative losses may be refused
		}
		least := math.Inf(1)
		for _, p := range must(j.Policies(table)) {
			least = min(least, p.Risk)
		}
		risk := must(j.BayesRisk(table))
		if math.Abs(risk-least) > 1e-12 {
			t.Fatalf("Bayes risk %v, the best policy has %v", risk, least)
		}
		sum, evidence := 0.0, j.Evidence()
		for x, posterior := range j.Posteriors() {
			if evidence[x] == 0 {
				continue
			}
			conditional := must(ConditionalRisk(table, posterior))
			action, r, err := Decide(table, posterior)
			if err != nil || r != slices.Min(conditional) || conditional[action] != r {
				t.Fatalf("action %d of risk %v among %v (%v)", action, r, conditional, err)
			}
			sum += evidence[x] * r
		}
		if math.Abs(sum-risk) > 1e-12 {
			t.Fatalf("the conditional risks sum to %v, the Bayes risk is %v", sum, risk)
		}
	})
}

// The posteriors of LDA and QDA do not notice an invertible affine map of the features, those of naive Bayes none of the axes one by one.
func TestAffineInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 20).Draw(t, "n")
		X := fuzztest.Matrix(t, n, 2, 4)
		y := fuzztest.Labels(t, n, 2)
		shear := float64(rapid.IntRange(-8, 8).Draw(t, "4 shear")) / 4
		a, b := rapid.SampledFrom([]float64{-2, 0.25, 1, 8}).Draw(t, "a"), rapid.SampledFrom([]float64{-1, 0.5, 4}).Draw(t, "b")
		for _, fit := range []string{"LDA", "QDA", "NB"} {
			by := map[string]func(x mat.Matrix) (*Classifier, error){
				"LDA": func(x mat.Matrix) (*Classifier, error) { return FitLDA(t.Context(), x, y, Options{}) },
				"QDA": func(x mat.Matrix) (*Classifier, error) { return FitQDA(t.Context(), x, y, Options{}) },
				"NB":  func(x mat.Matrix) (*Classifier, error) { return FitGaussianNB(t.Context(), x, y, Options{}) },
			}[fit]
			s := shear
			if fit == "NB" {
				s = 0
			}
			var mapped mat.Dense
			mapped.Mul(X, mat.NewDense(2, 2, []float64{a, s, 0, b}))
			mapped.Apply(func(i, j int, v float64) float64 { return v + float64(3-5*j) }, &mapped)
			before, err1 := by(X)
			after, err2 := by(&mapped)
			if err1 != nil || err2 != nil {
				if (err1 == nil) != (err2 == nil) && !nearlySingular(before, after) {
					t.Fatalf("%s: %v and %v", fit, err1, err2)
				}
				continue
			}
			if nearlySingular(before, after) {
				continue
			}
			p, q := must(before.Proba(X)), must(after.Proba(&mapped))
			if !mat.EqualApprox(p, q, 1e-6) {
				t.Fatalf("%s: posteriors\n%v\nbecome\n%v", fit, mat.Formatted(p), mat.Formatted(q))
			}
		}
	})
}

// nearlySingular reports whether a covariance is so flat that rounding decides.
func nearlySingular(models ...*Classifier) bool {
	for _, m := range models {
		if m == nil {
			continue
		}
		for k := range m.Classes() {
			if mat.Cond(m.Gaussian(k).Cov(), 2) > 1e6 {
				return true
			}
		}
	}
	return false
}
