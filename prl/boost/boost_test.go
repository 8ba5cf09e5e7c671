package boost

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/tree"
)

var ctx = context.Background()

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.14g, want %.14g (tolerance %g)", what, got, want, tol)
	}
}

func ten() (*mat.Dense, []int) {
	return mat.NewDense(10, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), []int{1, 1, 1, 0, 0, 0, 1, 1, 1, 0}
}

func binS(t testing.TB) (*mat.Dense, []int) {
	t.Helper()
	b, err := os.ReadFile("testdata/bin_S.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	x, y := mat.NewDense(200, 4, nil), make([]int, 200)
	for i, r := range rows[:200] {
		for j := range 4 {
			v, err := strconv.ParseFloat(r[j], 64)
			if err != nil {
				t.Fatal(err)
			}
			x.Set(i, j, v)
		}
		y[i], _ = strconv.Atoi(r[4])
	}
	return x, y
}

func fit(t *testing.T, x mat.Matrix, y []int, change func(*Options)) *Model {
	t.Helper()
	o := DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := Fit(ctx, x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Source: exact rationals; alphas 0.4236, 0.6496, 0.7514 in Li Hang, Statistical Learning Methods, example 8.1, whose third comes from an error rounded to 0.1820: exactly it is
// 1/2 ln(9/2) = 0.752039.
func TestTenPoints(t *testing.T) {
	x, y := ten()
	m := fit(t, x, y, func(o *Options) { o.Rounds = 3 })
	tr, err := m.Trace(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		threshold, eps, alpha, z float64
		left                     int
		weights                  [10]float64
		errors                   float64
	}{
		{2.5, 3. / 10, 0.4236489301936, 0.91651513899117, 1, [10]float64{1. / 14, 1. / 14, 1. / 14, 1. / 14, 1. / 14, 1. / 14, 1. / 6, 1. / 6, 1. / 6, 1. / 14}, 3},
		{8.5, 3. / 14, 0.64964149206513, 0.82065180664829, 1, [10]float64{1. / 22, 1. / 22, 1. / 22, 1. / 6, 1. / 6, 1. / 6, 7. / 66, 7. / 66, 7. / 66, 1. / 22}, 3},
		{5.5, 2. / 11, 0.75203869838814, 0.77138921583987, 0, [10]float64{1. / 8, 1. / 8, 1. / 8, 11. / 108, 11. / 108, 11. / 108, 7. / 108, 7. / 108, 7. / 108, 1. / 8}, 0},
	} {
		r := m.Rounds()[i]
		s := r.Hypothesis.(tree.Stump)
		if s.Threshold != want.threshold || s.Left != want.left {
			t.Errorf("round %d: %v", i+1, s)
		}
		near(t, "eps", r.Error, want.eps, 1e-12)
		near(t, "alpha", r.Alpha, want.alpha, 1e-9)
		near(t, "Z", r.Z, want.z, 1e-9)
		near(t, "training error", tr.Error[i+1], want.errors/10, 1e-12)
		half := 0.0
		for k, w := range want.weights {
			near(t, "weight", tr.Weights[i+1][k], w, 1e-12)
			if tr.Votes[i][k] != sign(y[k]) {
				half += tr.Weights[i+1][k]
			}
		}
		near(t, "weight of the mistakes after the round", half, 0.5, 1e-12)
	}
	f := []float64{0.3212517238706, 0.3212517238706, 0.3212517238706, -0.52604613651661, -0.52604613651661, -0.52604613651661, 0.97803126025967, 0.97803126025967, 0.97803126025967, -0.3212517238706}
	for i, v := range f {
		near(t, "F", tr.Scores[3][i], v, 1e-9)
		near(t, "Score", m.Score(x.RawRowView(i)), v, 1e-9)
	}
	product, exponential := m.Bounds()
	near(t, "prod Z", product[3], 0.58019253409827, 1e-12)
	near(t, "exponential loss", tr.Loss[3], 0.58019253409827, 1e-12)
	for i, v := range []float64{1, 0.923116, 0.784063, 0.640347} {
		near(t, "exp(-2 sum gamma^2)", exponential[i], v, 1e-6)
	}
	if m.Stop() != AllRounds {
		t.Errorf("stop: %v", m.Stop())
	}
	early := fit(t, x, y, func(o *Options) { o.TargetError = 0 })
	if early.Len() != 3 || early.Stop() != Reached {
		t.Errorf("target 0: %v", early)
	}
}

// Source: computed with numpy independently; 50 rounds of minimum-error stumps on the first 200 rows of bin_S.
func TestBinS(t *testing.T) {
	x, y := binS(t)
	m := fit(t, x, y, nil)
	tr, err := m.Trace(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		eps       float64
		feature   int
		threshold float64
		left      int
		alpha     float64
		loss      float64
		errors    float64
	}{
		{0.31, 3, 0.2739215, 0, 0.40005965005606, 0.92498648638777, 62},
		{0.39890135577373, 2, -0.437299, 1, 0.2050224484341, 0.90588071460745, 62},
		{0.37583104460596, 2, 0.229967, 0, 0.25364070030977, 0.87750261082187, 62},
		{0.37736561598481, 3, -1.06547, 0, 0.25037248090558, 0.85069939965968, 62},
		{0.40648925127667, 2, -0.5881115, 1, 0.18924891905491, 0.83568950736751, 62},
	} {
		r := m.Rounds()[i]
		s := r.Hypothesis.(tree.Stump)
		if s.Feature != want.feature || s.Left != want.left {
			t.Errorf("round %d: %v", i+1, s)
		}
		near(t, "threshold", s.Threshold, want.threshold, 1e-8)
		near(t, "eps", r.Error, want.eps, 1e-8)
		near(t, "alpha", r.Alpha, want.alpha, 1e-8)
		near(t, "loss", tr.Loss[i+1], want.loss, 1e-8)
		near(t, "errors", 200*tr.Error[i+1], want.errors, 1e-8)
	}
	near(t, "loss after 10", tr.Loss[10], 0.79564019772669, 1e-8)
	near(t, "loss after 50", tr.Loss[50], 0.68505468446374, 1e-8)
}

func noisy(n, d int, seed uint64) (*mat.Dense, []int, []float64) {
	r := rand.New(rand.NewPCG(seed, 2))
	x, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
	for i := range n {
		s := r.NormFloat64()
		for j := range d {
			x.Set(i, j, math.Round(8*r.NormFloat64())/8)
			s += x.At(i, j) * float64(j+1)
		}
		if s > 0 != (r.Float64() < 0.1) {
			y[i] = 1
		}
		w[i] = 0.2 + r.ExpFloat64()
	}
	y[0], y[1] = 0, 1
	return x, y, w
}

// Err <= prod Z <= exp(-2 sum gamma^2) in every round, prod Z is the exponential loss, the mistakes hold half of the next weights, D_t+1 is exp(-y F_t) normalised (Trace) and what
// Fit used (eps_t), and the share of small margins keeps its bound.
func TestBounds(t *testing.T) {
	for seed := range uint64(20) {
		x, y, w := noisy(60, 3, seed)
		if seed%2 == 0 {
			w = nil
		}
		m := fit(t, x, y, func(o *Options) {
			o.Rounds, o.Weights, o.Resample, o.Seed = 30, w, seed%4 == 1, seed
			if seed%5 == 0 {
				to := tree.DefaultOptions()
				to.MaxDepth = 2
				o.Learner = Trees(to)
			}
		})
		tr, err := m.Trace(x, y, w)
		if err != nil {
			t.Fatal(err)
		}
		product, exponential := m.Bounds()
		for s := range product {
			if tr.Error[s] > product[s]+1e-12 || product[s] > exponential[s]+1e-12 {
				t.Fatalf("seed %d round %d: %v <= %v <= %v does not hold", seed, s, tr.Error[s], product[s], exponential[s])
			}
			near(t, "prod Z = loss", product[s], tr.Loss[s], 1e-10)
			if s > 0 && s < m.Len() {
				eps, half := 0.0, 0.0
				for i := range y {
					if tr.Votes[s][i] != sign(y[i]) {
						eps += tr.Weights[s][i]
					}
					if tr.Votes[s-1][i] != sign(y[i]) {
						half += tr.Weights[s][i]
					}
				}
				near(t, "eps", m.Rounds()[s].Error, eps, 1e-9)
				near(t, "half", half, 0.5, 1e-9)
			}
		}
		if w == nil {
			margins, err := m.Margins(x, y)
			if err != nil {
				t.Fatal(err)
			}
			for _, theta := range []float64{-0.3, 0, 0.1, 0.4} {
				share := 0.0
				for _, v := range margins {
					if v <= theta {
						share += 1. / 60
					}
				}
				b, err := m.MarginBound(theta)
				if err != nil || share > b+1e-12 {
					t.Errorf("P(margin <= %v) = %v > %v (%v)", theta, share, b, err)
				}
			}
		}
		staged, _ := m.Staged(x, y, w)
		if !slices.Equal(staged, tr.Error) {
			t.Error("Staged and Trace differ")
		}
	}
}

// AdaBoost is coordinate descent on the exponential loss over the pool of stumps, and joint optimisation of the coefficients is at least as good.
func TestCoordinateDescent(t *testing.T) {
	x, y, _ := noisy(40, 2, 3)
	m := fit(t, x, y, func(o *Options) { o.Rounds = 12 })
	stumps, err := tree.Stumps(x)
	if err != nil {
		t.Fatal(err)
	}
	pool := make([]Hypothesis, len(stumps))
	for i, s := range stumps {
		pool[i] = s
	}
	h, err := Votes(x, pool)
	if err != nil {
		t.Fatal(err)
	}
	path, coef, err := CoordinateDescent(ctx, h, y, 12)
	if err != nil {
		t.Fatal(err)
	}
	product, _ := m.Bounds()
	sum := 0.0
	for s, c := range path {
		r := m.Rounds()[s]
		if pool[c.Member] != r.Hypothesis {
			t.Errorf("step %d: %v, AdaBoost has %v", s, pool[c.Member], r.Hypothesis)
		}
		near(t, "step", c.Step, r.Alpha, 1e-9)
		near(t, "loss", c.Loss, product[s+1], 1e-10)
		near(t, "slope", c.Slope, -(1-2*r.Error)*product[s], 1e-10)
		sum += c.Step
	}
	for _, a := range coef {
		sum -= a
	}
	near(t, "coefficients", sum, 0, 1e-9)
	var chosen []Hypothesis
	for _, r := range m.Rounds()[:5] {
		chosen = append(chosen, r.Hypothesis)
	}
	hc, _ := Votes(x, chosen)
	a, loss, err := Reoptimise(ctx, hc, y, m.Alphas()[:5], 100)
	if err != nil || len(a) != 5 {
		t.Fatal(a, err)
	}
	if loss > product[5]+1e-12 {
		t.Errorf("joint loss %v above the greedy %v", loss, product[5])
	}
}

func TestStops(t *testing.T) {
	xor := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1})
	m := fit(t, xor, []int{0, 1, 1, 0}, nil)
	if m.Stop() != NoEdge || m.Len() != 0 || !strings.Contains(m.Reason(), "no better than chance") {
		t.Errorf("XOR with stumps: %v, %s", m, m.Reason())
	}
	to := tree.DefaultOptions()
	to.MaxDepth = 2
	m = fit(t, xor, []int{0, 1, 1, 0}, func(o *Options) { o.Learner = Trees(to) })
	if got, _ := m.Predict(xor); !slices.Equal(got, []int{0, 1, 1, 0}) || m.Stop() != Perfect {
		t.Errorf("XOR with trees of depth 2: %v gives %v", m, got)
	}
	easy := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m = fit(t, easy, []int{0, 0, 1, 1}, nil)
	if got, _ := m.Predict(easy); m.Len() != 1 || m.Stop() != Perfect || !slices.Equal(got, []int{0, 0, 1, 1}) || math.IsInf(m.Alphas()[0], 0) {
		t.Errorf("separable: %v gives %v", m, got)
	}
	if !strings.Contains(m.Reason(), "decides alone") {
		t.Error(m.Reason())
	}
	calls := 0
	x, y := ten()
	fit(t, x, y, func(o *Options) {
		o.Rounds = 4
		o.Progress = func(p estimator.Progress) {
			if calls++; p.Iteration != calls || p.Of != 4 {
				t.Errorf("progress %+v", p)
			}
		}
	})
	if calls != 4 {
		t.Errorf("%d progress calls", calls)
	}
}

// A drawn sample has the weighted error in expectation; counts stay within four standard deviations; the seed decides.
func TestResample(t *testing.T) {
	p := []float64{0.5, 0.3, 0.15, 0.05}
	count := Draw(p, 10000, rand.New(rand.NewPCG(1, 1)))
	for i, c := range count {
		if sd := math.Sqrt(10000 * p[i] * (1 - p[i])); math.Abs(c-10000*p[i]) > 4*sd {
			t.Errorf("item %d drawn %v times, expected %v", i, c, 10000*p[i])
		}
	}
	x, y := binS(t)
	draw := func(seed uint64) *Model {
		return fit(t, x, y, func(o *Options) { o.Resample, o.Seed, o.Rounds = true, seed, 20 })
	}
	a, _ := draw(1).MarshalBinary()
	b, _ := draw(1).MarshalBinary()
	c, _ := draw(2).MarshalBinary()
	if !bytes.Equal(a, b) || bytes.Equal(a, c) {
		t.Error("the seed does not decide the draws")
	}
	l := Unweighted("nearest mean", func(ctx context.Context, X *mat.Dense, y []int) (Hypothesis, error) {
		return mean{X.At(0, 0)}, nil
	})
	if m := fit(t, x, y, func(o *Options) { o.Learner, o.Resample = l, true }); m == nil {
		t.Error("no model")
	}
	o := DefaultOptions()
	o.Learner = l
	if _, err := Fit(ctx, x, y, o); err == nil || !strings.Contains(err.Error(), "Resample") {
		t.Errorf("unweighted learner without resampling: %v", err)
	}
}

type mean struct{ at float64 }

func (m mean) Class(x []float64) int {
	if x[0] > m.at {
		return 1
	}
	return 0
}

func TestFormulas(t *testing.T) {
	near(t, "alpha(0.1)", Alpha(0.1), 1.098612, 1e-6)
	near(t, "alpha(0.4)", Alpha(0.4), 0.202733, 1e-6)
	near(t, "alpha(1/2)", Alpha(0.5), 0, 0)
	for _, e := range []float64{0.01, 0.2, 0.37, 0.49} {
		near(t, "odd", Alpha(e), -Alpha(1-e), 1e-12)
		near(t, "minimum", Normaliser(e, Alpha(e)), MinNormaliser(e), 1e-14)
		for a := -2.0; a < 2; a += 0.01 {
			if Normaliser(e, a) < MinNormaliser(e)-1e-15 {
				t.Errorf("Z(%v) below the minimum", a)
			}
		}
	}
	near(t, "three votes", MajorityError(3, 0.49), 0.485002, 1e-6)
	near(t, "101 votes", MajorityError(101, 0.49), 0.420148, 1e-6)
	near(t, "10001 votes", MajorityError(10001, 0.49), 0.022731, 1e-6)
	near(t, "two votes", MajorityError(2, 0.3), 0.3, 1e-12)
	if RoundsToZero(10, 0.2) != int(math.Log(10)/0.08)+1 || RoundsToZero(10, 0) != 0 {
		t.Error("RoundsToZero")
	}
	for u := -4.0; u <= 4; u += 0.125 {
		for _, l := range []Loss{Exponential, Logistic, Hinge, Squared} {
			if l.At(u) < ZeroOne.At(u)-1e-15 {
				t.Errorf("%v at %v lies below the zero-one loss", l, u)
			}
			if l == Hinge && u == 1 {
				continue
			}
			near(t, l.String()+" slope", l.Slope(u), (l.At(u+1e-6)-l.At(u-1e-6))/2e-6, 1e-4)
		}
	}
	for _, l := range []Loss{ZeroOne, Exponential, Logistic, Hinge, Squared} {
		near(t, l.String()+" at 0", l.At(0), 1, 1e-15)
	}
	near(t, "log2 at -2", Logistic.At(-2), 3.0685, 1e-4)
	near(t, "exp at -2", Exponential.At(-2), 7.389, 1e-3)
}

func TestErrors(t *testing.T) {
	x, y := ten()
	y3 := slices.Clone(y)
	y3[0] = 2
	bad := func(y []int, change func(*Options)) error {
		o := DefaultOptions()
		change(&o)
		_, err := Fit(ctx, x, y, o)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{bad(y3, func(o *Options) {}), "pick two with .Classes(a, b)"},
		{bad(y, func(o *Options) { o.Rounds = 0 }), "Rounds is 0"},
		{bad(y, func(o *Options) { o.Learner = nil }), "Learner is nil"},
		{bad(y, func(o *Options) { o.TargetError = 2 }), "TargetError is 2"},
		{bad(y, func(o *Options) { o.MinEdge = -1 }), "MinEdge is -1"},
		{bad(y, func(o *Options) { o.Weights = []float64{1} }), "Weights"},
		{bad(y, func(o *Options) { o.Weights = []float64{1, 1, 1, 0, 0, 0, 1, 1, 1, 0} }), "one class"},
	} {
		var arg *estimator.ArgumentError
		if !errors.As(c.err, &arg) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not say %q", c.err, c.want)
		}
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(stop, x, y, DefaultOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled fit returns %v", err)
	}
	strange := Weighted("strange", func(context.Context, *mat.Dense, []int, []float64) (Hypothesis, error) { return third{}, nil })
	if err := bad(y, func(o *Options) { o.Learner = strange }); err == nil || !strings.Contains(err.Error(), "class 2") {
		t.Errorf("a weak learner of three classes: %v", err)
	}
}

type third struct{}

func (third) Class([]float64) int { return 2 }

func TestContract(t *testing.T) {
	depth2 := tree.DefaultOptions()
	depth2.MaxDepth = 2
	for _, l := range []Learner{Stumps(), Trees(depth2)} {
		t.Run(l.String(), func(t *testing.T) {
			estimatortest.Classifier(t, estimatortest.ClassifierCase{MaxClasses: 2, Weighted: true, Zero: func() estimator.Classifier { return new(Model) },
				Fit: func(X mat.Matrix, y []int, w []float64) (estimator.Classifier, error) {
					o := DefaultOptions()
					o.Weights, o.Learner, o.Rounds = w, l, 20
					return Fit(ctx, X, y, o)
				}})
		})
	}
}

func FuzzUnmarshal(f *testing.F) {
	x, y := ten()
	m, _ := Fit(ctx, x, y, DefaultOptions())
	b, _ := m.MarshalBinary()
	f.Add(b)
	f.Add([]byte("rubbish"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Model
		if m.UnmarshalBinary(data) == nil && m.Dim() < 1000 {
			if _, err := m.Predict(mat.NewDense(1, m.Dim(), nil)); err != nil {
				t.Error(err)
			}
		}
	})
}
