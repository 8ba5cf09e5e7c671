package boost_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/logistic"
)

var ctx = context.Background()

// noisy returns rows of whole numbers 0 ... 5 whose labels follow the first feature but for a quarter of them.
func noisy(seed uint64, n, d int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(seed, 27))
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		for j := range d {
			X.Set(i, j, float64(rng.IntN(6)))
		}
		if y[i] = 0; X.At(i, 0) > 2 != (rng.IntN(4) == 0) {
			y[i] = 1
		}
	}
	y[0], y[1] = 0, 1
	return X, y
}

func losses(m *boost.Additive) (v []float64) {
	for _, t := range m.Terms() {
		v = append(v, t.Loss)
	}
	return v
}

// Masses, overlap, heights and loss of each round are those of a slow program that follows the formulas.
func TestRealBoostByHand(t *testing.T) {
	X, y := noisy(1, 60, 3)
	for _, gentle := range []bool{false, true} {
		m, err := boost.FitReal(ctx, X, y, boost.RealOptions{Rounds: 12, Smooth: 0.01, Gentle: gentle})
		if err != nil {
			t.Fatal(err)
		}
		w, loss := make([]float64, 60), 1.0
		for i := range w {
			w[i] = 1.0 / 60
		}
		for r, term := range m.Terms() {
			best, at := math.Inf(1), -1
			var p, q [3][6]float64
			for j := range 3 {
				for i := range w {
					if b := int(X.At(i, j)); y[i] == 1 {
						p[j][b] += w[i]
					} else {
						q[j][b] += w[i]
					}
				}
				cost := 0.0
				for b := range 6 {
					if gentle {
						cost -= (p[j][b] - q[j][b]) * (p[j][b] - q[j][b]) / (p[j][b] + q[j][b])
					} else {
						cost += 2 * math.Sqrt(p[j][b]*q[j][b])
					}
				}
				if cost < best-1e-13 {
					best, at = cost, j
				}
			}
			if term.Feature != at || !gentle && math.Abs(term.Overlap()-best) > 1e-12 {
				t.Fatalf("round %d: feature %d of cost %v, not %d of %v", r, term.Feature, term.Overlap(), at, best)
			}
			z := 0.0
			for i := range w {
				b := int(X.At(i, at))
				h := 0.5 * math.Log((p[at][b]+0.01)/(q[at][b]+0.01))
				if gentle {
					h = (p[at][b] - q[at][b]) / (p[at][b] + q[at][b])
				}
				if math.Abs(term.Heights[b]-h) > 1e-10 {
					t.Fatalf("round %d: height %v of bin %d, not %v", r, term.Heights[b], b, h)
				}
				w[i] *= math.Exp(-float64(2*y[i]-1) * h)
				z += w[i]
			}
			for i := range w {
				w[i] /= z
			}
			if loss *= z; math.Abs(term.Loss-loss) > 1e-12 {
				t.Fatalf("round %d: loss %v, not %v", r, term.Loss, loss)
			}
		}
	}
}

// No round of RealBoost or GentleBoost, nor of LogitBoost with halved steps, raises its loss.
func TestAdditiveNeverRises(t *testing.T) {
	for seed := range uint64(20) {
		X, y := noisy(seed, 40, 3)
		for name, fit := range map[string]func() (*boost.Additive, error){
			"real": func() (*boost.Additive, error) { return boost.FitReal(ctx, X, y, boost.RealOptions{}) },
			"gentle": func() (*boost.Additive, error) {
				return boost.FitReal(ctx, X, y, boost.RealOptions{Gentle: true})
			},
			"logit": func() (*boost.Additive, error) {
				return boost.FitLogit(ctx, X, y, boost.LogitOptions{})
			},
			"linear": func() (*boost.Additive, error) {
				return boost.FitLogit(ctx, X, y, boost.LogitOptions{Linear: true})
			},
			"clipped": func() (*boost.Additive, error) {
				return boost.FitLogit(ctx, X, y, boost.LogitOptions{Bins: 2, Clip: 2})
			},
		} {
			m, err := fit()
			if err != nil {
				t.Fatal(name, err)
			}
			v := losses(m)
			for i := 1; i < len(v); i++ {
				if v[i] > v[i-1]+1e-14 {
					t.Errorf("%s, seed %d: the loss rises from %v to %v in round %d", name, seed, v[i-1], v[i], i+1)
				}
			}
			if len(v) == 0 || v[len(v)-1] > 0.99 {
				t.Errorf("%s, seed %d: nothing is learnt", name, seed)
			}
		}
	}
}

// The first round of LogitBoost adds 2 p - 1, the mean of y, in each bin: half the mean of z = 2 y with equal weights.
func TestLogitBoostFirstRound(t *testing.T) {
	X, y := noisy(3, 50, 1)
	m, err := boost.FitLogit(ctx, X, y, boost.LogitOptions{Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	for b, h := range m.Terms()[0].Heights {
		sum, n := 0.0, 0.0
		for i, c := range y {
			if int(X.At(i, 0)) == b {
				sum, n = sum+float64(2*c-1), n+1
			}
		}
		if math.Abs(h-sum/n) > 1e-12 {
			t.Errorf("bin %d: %v, not %v", b, h, sum/n)
		}
	}
}

// Linear terms end at logistic regression with halved coefficients.
func TestLogitBoostLinear(t *testing.T) {
	x := mat.NewDense(12, 1, []float64{-40, -3, -2.5, -2, -1, 0, 0.5, 1, 2, 2.5, 3, 60})
	y := []int{1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1}
	m, err := boost.FitLogit(ctx, x, y, boost.LogitOptions{Linear: true, Rounds: 200})
	if err != nil {
		t.Fatal(err)
	}
	ml, err := logistic.Fit(ctx, x, y, logistic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two := [2]float64{}
	for _, term := range m.Terms() {
		two[0], two[1] = two[0]+2*term.Heights[0], two[1]+2*term.Heights[1]
	}
	for k, want := range ml.Theta() {
		if math.Abs(two[k]-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("coefficient %d is %v, not %v", k, two[k], want)
		}
	}
	if m.Stop() != boost.NoGain {
		t.Errorf("stopped as %v", m.Stop())
	}
}

// Errors name the function and the argument.
func TestAdditiveErrors(t *testing.T) {
	X, y := noisy(1, 30, 2)
	three := append([]int(nil), y...)
	three[2] = 2
	for want, fit := range map[string]func() error{
		"boost.FitReal: Bins is 1": func() error {
			_, err := boost.FitReal(ctx, X, y, boost.RealOptions{Bins: 1})
			return err
		},
		"boost.FitReal: Bins is 255": func() error {
			_, err := boost.FitReal(ctx, X, y, boost.RealOptions{Bins: 255})
			return err
		},
		"boost.FitReal: Smooth is -1": func() error {
			_, err := boost.FitReal(ctx, X, y, boost.RealOptions{Smooth: -1})
			return err
		},
		"boost.FitReal: y is of 3 classes": func() error { _, err := boost.FitReal(ctx, X, three, boost.RealOptions{}); return err },
		"boost.FitLogit: Rounds is -1": func() error {
			_, err := boost.FitLogit(ctx, X, y, boost.LogitOptions{Rounds: -1})
			return err
		},
		"boost.FitLogit: Clip is NaN": func() error {
			_, err := boost.FitLogit(ctx, X, y, boost.LogitOptions{Clip: math.NaN()})
			return err
		},
		"boost.Additive.First: t is 9": func() error {
			m, _ := boost.FitReal(ctx, X, y, boost.RealOptions{Rounds: 3})
			_, err := m.First(9)
			return err
		},
		"boost.Additive.Staged: y is 3 labe": func() error {
			m, _ := boost.FitReal(ctx, X, y, boost.RealOptions{})
			_, err := m.Staged(X, y[:3])
			return err
		},
	} {
		if err := fit(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

// Staged ends at the error of the model, and equal masses end the fit without a term.
func TestAdditiveStaged(t *testing.T) {
	X, y := noisy(5, 80, 2)
	m, err := boost.FitReal(ctx, X, y, boost.RealOptions{Rounds: 7})
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Staged(X, y)
	if err != nil {
		t.Fatal(err)
	}
	for n, e := range v[1:] {
		part, err := m.First(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		said, err := part.Predict(X)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0.0
		for i := range y {
			if said[i] != y[i] {
				wrong++
			}
		}
		if math.Abs(e-wrong/80) > 1e-12 {
			t.Errorf("after %d terms %v, not %v", n+1, e, wrong/80)
		}
	}
	xor := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	m, err = boost.FitReal(ctx, xor, []int{0, 1, 1, 0}, boost.RealOptions{})
	if err != nil || m.Len() != 0 || m.Stop() != boost.NoEdge {
		t.Errorf("%v, %v: features that say nothing give terms", m, err)
	}
}

// Every figure and table of the plans can be drawn.
func TestAdditivePlans(t *testing.T) {
	train, test := datasets.Iris().Classes("versicolor", "virginica").Split(0.6, 1)
	real, logit := boost.PlanRealBoost().Bins(4).Rounds(6).Fit(train), boost.PlanLogitBoost().Linear().Clip(4).Rounds(6).Fit(train)
	if svg, err := real.Curves(test).SVG(); err != nil || len(svg) < 1000 {
		t.Error(err)
	}
	if svg, err := logit.Curves(test).SVG(); err != nil || len(svg) < 1000 {
		t.Error(err)
	}
	if real.Table().Len() != real.Model().Len() || logit.Table().Len() != logit.Model().Len() {
		t.Error("the table lacks rounds")
	}
	if real.Accuracy(test) < 0.85 || logit.Accuracy(test) < 0.85 {
		t.Errorf("accuracies %v and %v", real.Accuracy(test), logit.Accuracy(test))
	}
}
