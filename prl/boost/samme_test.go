package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/tree"
)

// classes returns n rows of k noisy classes in the plane.
func classes(n, k int, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		y[i] = i % k
		a := 2 * math.Pi * float64(y[i]) / float64(k)
		x.SetRow(i, []float64{2*math.Cos(a) + r.NormFloat64(), 2*math.Sin(a) + r.NormFloat64()})
	}
	return x, y
}

// With K classes: the scores are those of the definition, their loss is the product of the Z and falls below exp(-2 sum gamma^2), which
// bounds the rows whose class has no more than its share of the votes; a weak classifier is no better than a guess under the next weights;
// probabilities follow from the scores; and Trace, Staged, First, Margins, Class and Predict agree.
func TestManyClasses(t *testing.T) {
	for _, k := range []int{3, 4, 20} {
		for _, l := range []Learner{Stumps(), Trees(tree.Options{MaxDepth: 2})} {
			x, y := classes(60+10*k, k, uint64(k))
			n, K := len(y), float64(k)
			m, err := Fit(ctx, x, y, Options{Rounds: 15, Learner: l})
			if err != nil || m.Classes() != k || m.Len() < 2 {
				t.Fatal(m, err)
			}
			tr, err := m.Trace(x, y, nil)
			if err != nil || tr.Scores != nil || tr.Votes != nil {
				t.Fatal(err)
			}
			staged, _ := m.Staged(x, y, nil)
			product, exponential := m.Bounds()
			F, alphas := mat.NewDense(n, k, nil), 0.0
			for s := 0; ; s++ {
				loss, wrong, behind := 0.0, 0.0, 0.0
				for i, c := range y {
					row := F.RawRowView(i)
					loss += math.Exp(-2*(K-1)/K*row[c]) / float64(n)
					lead := math.Inf(1)
					for j, v := range row {
						if j != c {
							lead = min(lead, row[c]-v)
						}
					}
					if lead <= 1e-12 {
						wrong += 1 / float64(n)
					}
					if row[c] <= 1e-12 {
						behind += 1 / float64(n)
					}
				}
				near(t, "loss", tr.Loss[s], loss, 1e-10)
				near(t, "product of Z", product[s], loss, 1e-10)
				near(t, "error", tr.Error[s], wrong, 1e-10)
				near(t, "staged error", staged[s], wrong, 1e-10)
				if product[s] > exponential[s]+1e-12 || behind > product[s]+1e-12 {
					t.Errorf("%d classes, round %d: %v <= %v <= %v does not hold", k, s, behind, product[s], exponential[s])
				}
				if s == m.Len() {
					break
				}
				r := m.Rounds()[s]
				missed, next := 0.0, 0.0
				for i, c := range y {
					h := r.Hypothesis.Class(x.RawRowView(i)...)
					if h != c {
						missed += tr.Weights[s][i]
						next += tr.Weights[s+1][i]
					}
					for j := range k {
						if j == h {
							F.Set(i, j, F.At(i, j)+r.Alpha)
						} else {
							F.Set(i, j, F.At(i, j)-r.Alpha/(K-1))
						}
					}
				}
				alphas += r.Alpha
				near(t, "error of the round", r.Error, missed, 1e-10)
				near(t, "alpha", 2*r.Alpha, math.Log((1-r.Error)/r.Error)+math.Log(K-1), 1e-12)
				near(t, "edge", r.Edge(), 1-1/K-r.Error, 1e-15)
				near(t, "next weight of the mistakes", next, 1-1/K, 1e-9)
			}
			got, err := m.Decision(x)
			if err != nil || !mat.EqualApprox(got, F, 1e-10) {
				t.Error("the scores differ", err)
			}
			p, _ := m.Proba(x)
			labels, _ := m.Predict(x)
			margins, _ := m.Margins(x, y)
			for i, c := range y {
				sum := 0.0
				for j := range k {
					sum += math.Exp(2 * (K - 1) / K * (F.At(i, j) - F.At(i, c)))
				}
				near(t, "probability", p.At(i, c), 1/sum, 1e-10)
				if labels[i] != m.Class(x.RawRowView(i)...) {
					t.Error("Class and Predict differ")
				}
				if margins[i] > 1e-12 != (labels[i] == c) && math.Abs(margins[i]) > 1e-12 || math.Abs(margins[i]) > 1 {
					t.Errorf("margin %v, class %d predicted as %d", margins[i], c, labels[i])
				}
			}
			part, _ := m.First(2)
			near(t, "two rounds", part.Rounds()[1].Alpha, m.Alphas()[1], 0)
			if !math.IsNaN(m.Score(x.RawRowView(0))) {
				t.Error("three classes have one score")
			}
		}
	}
}

// A weak classifier whose error lies between one half and that of a guess is of use with three classes; one that is no better than a guess
// ends it; one without error decides; the training error can be a target; and drawn samples may lack a class.
func TestStopsOfManyClasses(t *testing.T) {
	x, y := mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []int{0, 1, 2, 0, 1, 2}
	says := func(class ...int) Learner {
		return Weighted("fixed", func(context.Context, *mat.Dense, []int, []float64) (Hypothesis, error) { return fixed(class), nil })
	}
	m, err := Fit(ctx, x, y, Options{Learner: says(0, 1, 1, 1, 0, 2), Rounds: 1})
	if err != nil || m.Len() != 1 {
		t.Fatal(m, err)
	}
	near(t, "alpha of the error one half", m.Alphas()[0], 0.5*math.Log(2), 1e-15)
	m, err = Fit(ctx, x, y, Options{Learner: says(0, 0, 0, 0, 0, 0)})
	if err != nil || m.Len() != 0 || m.Stop() != NoEdge {
		t.Error(m, err)
	}
	near(t, "error", m.state.Last, 2./3, 1e-15)
	m, err = Fit(ctx, x, y, Options{Learner: says(y...)})
	if err != nil || m.Len() != 1 || m.Stop() != Perfect {
		t.Error(m, err)
	}
	near(t, "Z of no error", m.Rounds()[0].Z, math.Exp(-4./3), 1e-15)
	_, err = Fit(ctx, x, y, Options{Learner: says(0, 1, 3, 0, 0, 0)})
	if err == nil || !strings.Contains(err.Error(), "class 3, not one of 0 ... 2") {
		t.Error(err)
	}
	many, labels := classes(90, 3, 1)
	m, err = Fit(ctx, many, labels, Options{Learner: Trees(tree.Options{MaxDepth: 3}), TargetError: NoError, Rounds: 200})
	if err != nil || m.Stop() != Reached {
		t.Fatal(m, err)
	}
	before, err := m.First(m.Len() - 1)
	if err != nil {
		t.Fatal(err)
	}
	for want, model := range map[bool]*Model{true: m, false: before} {
		if e, _ := model.Staged(many, labels, nil); (e[model.Len()] == 0) != want {
			t.Errorf("error %v after %d rounds", e[model.Len()], model.Len())
		}
	}
	if got, err := m.Predict(many); err != nil || !slices.Equal(got, labels) {
		t.Error(err)
	}
	w := make([]float64, 6)
	for i := range w {
		w[i] = []float64{100, 100, 0.01, 100, 100, 0.01}[i]
	}
	for _, l := range []Learner{Stumps(), Trees(tree.Options{MaxDepth: 1})} {
		m, err = Fit(ctx, x, y, Options{Learner: l, Resample: true, Weights: w, Rounds: 3})
		if err != nil || m.Classes() != 3 {
			t.Error(m, err)
		}
	}
	_, err = Fit(ctx, x, y, Options{Weights: []float64{1, 1, 0, 1, 1, 0}})
	if err == nil || !strings.Contains(err.Error(), "zero for all of class 2") {
		t.Error(err)
	}
}

// fixed says a class for each of the points 1, 2, 3, ...
type fixed []int

func (f fixed) Class(x ...float64) int { return f[int(x[0])-1] }
