package boost

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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

// binS draws labelled points in four dimensions: s <- 6364136223846793005 s + 1442695040888963407 from
// s = 31; u = (s >> 11)/2^53; x and e are sums of twelve u less 6; y = 1 if x0 x1 + x2^2/2 - 1/2 + x3/2 + 0.3 e > 0; six decimals are kept.
func binS(rows int) (*mat.Dense, []int) {
	s := uint64(31)
	normal := func() float64 {
		sum := 0.0
		for range 12 {
			s = s*6364136223846793005 + 1442695040888963407
			sum += float64(s>>11) / (1 << 53)
		}
		return sum - 6
	}
	X, y := mat.NewDense(rows, 4, nil), make([]int, rows)
	for i := range rows {
		x := X.RawRowView(i)
		for j := range x {
			x[j] = normal()
		}
		e := normal()
		if x[0]*x[1]+0.5*x[2]*x[2]-0.5+0.5*x[3]+0.3*e > 0 {
			y[i] = 1
		}
		for j, v := range x {
			x[j] = math.Round(v*1e6) / 1e6
		}
	}
	return X, y
}

func fit(t *testing.T, x mat.Matrix, y []int, change func(*Options)) *Model {
	t.Helper()
	o := Options{}
	if change != nil {
		change(&o)
	}
	m, err := Fit(ctx, x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
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

// Err <= prod Z <= exp(-2 sum gamma^2) in every round, prod Z is the exponential loss, the mistakes hold half of the next weights, D_t+1 is
// exp(-y F_t) normalised (Trace) and what Fit used (eps_t), and the share of small margins keeps its bound.
func TestBounds(t *testing.T) {
	for seed := range uint64(20) {
		x, y, w := noisy(60, 3, seed)
		if seed%2 == 0 {
			w = nil
		}
		m := fit(t, x, y, func(o *Options) {
			o.Rounds, o.Weights, o.Resample, o.Seed = 30, w, seed%4 == 1, seed
			if seed%5 == 0 {
				to := tree.Options{}
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

// AdaBoost is coordinate descent on the exponential loss over the pool of stumps, and joint optimisation of the coefficients is at least as
// good.
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
	to := tree.Options{}
	to.MaxDepth = 2
	m = fit(t, xor, []int{0, 1, 1, 0}, func(o *Options) { o.Learner = Trees(to) })
	if got, _ := m.Predict(xor); !slices.Equal(got, []int{0, 1, 1, 0}) || m.Stop() != Perfect {
		t.Errorf("XOR with trees of depth 2: %v gives %v", m, got)
	}
	easy := mat.NewDense(4, 1, []float64{1, 2, 3, 4})
	m = fit(t, easy, []int{0, 0, 1, 1}, nil)
	if got, _ := m.Predict(easy); m.Len() != 1 || m.Stop() != Perfect || !slices.Equal(got, []int{0, 0, 1, 1}) ||
		math.IsInf(m.Alphas()[0], 0) {
		t.Errorf("separable: %v gives %v", m, got)
	}
	if !strings.Contains(m.Reason(), "decides alone") {
		t.Error(m.Reason())
	}
	calls := 0
	x, y := ten()
	if early := fit(t, x, y, func(o *Options) { o.TargetError = NoError }); early.Len() != 3 || early.Stop() != Reached {
		t.Errorf("target 0: %v", early)
	}
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
	x, y := binS(200)
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
	o := Options{}
	o.Learner = l
	if _, err := Fit(ctx, x, y, o); err == nil || !strings.Contains(err.Error(), "Resample") {
		t.Errorf("unweighted learner without resampling: %v", err)
	}
}

type mean struct{ at float64 }

func (m mean) Class(x ...float64) int {
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
	bad := func(y []int, change func(*Options)) error {
		o := Options{}
		change(&o)
		_, err := Fit(ctx, x, y, o)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{bad(y, func(o *Options) { o.Rounds = -1 }), "Rounds is -1"},
		{bad(y, func(o *Options) { o.TargetError = 2 }), "TargetError is 2"},
		{bad(y, func(o *Options) { o.MinEdge = -1 }), "MinEdge is -1"},
		{bad(y, func(o *Options) { o.Weights = []float64{1} }), "Weights"},
		{bad(y, func(o *Options) { o.Weights = []float64{1, 1, 1, 0, 0, 0, 1, 1, 1, 0} }), "zero for all of class"},
	} {
		var arg *fault.ArgumentError
		if !errors.As(c.err, &arg) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not say %q", c.err, c.want)
		}
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Fit(stop, x, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled fit returns %v", err)
	}
	strange := Weighted("strange", func(context.Context, *mat.Dense, []int, []float64) (Hypothesis, error) { return third{}, nil })
	if err := bad(y, func(o *Options) { o.Learner = strange }); err == nil || !strings.Contains(err.Error(), "class 2") {
		t.Errorf("a weak learner of three classes: %v", err)
	}
}

type third struct{}

func (third) Class(...float64) int { return 2 }
