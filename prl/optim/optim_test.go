package optim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func draws(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func walk(t *testing.T, p Problem, m Method, n int, start ...float64) [][]float64 {
	t.Helper()
	path, err := Walk(context.Background(), p, m, start, n)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var valley = Quadratic([]float64{10, 1}, []float64{4, 2})

// TestDescent follows a quadratic whose errors are known in closed form, (1 - step h)^k.
func TestDescent(t *testing.T) {
	for _, step := range []float64{0.05, 2.0 / 11, 0.19, 0.2, 0.21} {
		path := walk(t, valley, Descent{Step: step}, 20, 0, 0)
		for k, x := range path {
			near(t, "x", x[0], 4-4*math.Pow(1-10*step, float64(k)), 1e-12*math.Pow(max(1, math.Abs(1-10*step)), float64(k)))
			near(t, "y", x[1], 2-2*math.Pow(1-step, float64(k)), 1e-12)
		}
	}
	path := walk(t, valley, Steps{1, 0.1}, 2, 0, 0)
	near(t, "f after the forbidden step", valley.Value(path[1]), 6480, 1e-9)
	near(t, "f after both", valley.Value(path[2]), 0, 1e-24)
}

// TestExact has the values of the exact search on two quadratics, and the sum 1/t_k + 1/t_k+1 = h_1 + h_2 of the plane.
func TestExact(t *testing.T) {
	path := walk(t, Quadratic([]float64{1, 10}, []float64{0, 0}), Steepest{Search: Exact{}}, 3, 10, 1)
	for k, want := range []float64{55, 36.818182, 24.646882, 16.499152} {
		near(t, "f", Quadratic([]float64{1, 10}, []float64{0, 0}).Value(path[k]), want, 5e-7)
	}
	path = walk(t, valley, Steepest{Search: Exact{}}, 8, 0, 0)
	var steps []float64
	for k := 1; k < len(path); k++ {
		g := valley.Gradient(path[k-1])
		steps = append(steps, (path[k-1][1]-path[k][1])/g[1])
	}
	near(t, "first step", steps[0], 1604.0/16004, 1e-12)
	for k := 1; k < len(steps); k++ {
		near(t, "sum of reciprocals", 1/steps[k-1]+1/steps[k], 11, 1e-9)
	}
}

// TestMomentum compares three forms: the library's, the difference form, and the unrolled sum.
func TestMomentum(t *testing.T) {
	r := draws(1)
	for range 50 {
		h, mu, step := []float64{1 + r.Float64(), 3 * r.Float64()}, 0.9*r.Float64(), 0.3*r.Float64()
		p := Quadratic(h, []float64{1, -1})
		path := walk(t, p, Momentum{Step: step, Mu: mu}, 20, 3, 4)
		ball := walk(t, p, Nesterov{Step: step, Mu: mu}, 20, 3, 4)
		plain := walk(t, p, Descent{Step: step}, 20, 3, 4)
		if none := walk(t, p, Momentum{Step: step}, 20, 3, 4); !floats.Equal(none[20], plain[20]) {
			t.Error("momentum 0 is not plain descent")
		}
		for i := range h {
			c := []float64{1, -1}[i]
			e, before := path[0][i]-c, path[0][i]-c
			n, earlier := e, e
			for k := 1; k <= 20; k++ {
				e, before = e-step*h[i]*e+mu*(e-before), e
				near(t, "heavy ball", path[k][i]-c, e, 1e-12)
				n, earlier = (1+mu)*(1-step*h[i])*n-mu*(1-step*h[i])*earlier, n
				near(t, "Nesterov", ball[k][i]-c, n, 1e-12)
			}
		}
	}
}

// TestRadius compares the modulus of the roots with the growth of the iterates, and with the figures of the plan.
func TestRadius(t *testing.T) {
	near(t, "(0.9, 3.79)", MomentumRadius(0.9, 3.79), 0.9487, 5e-5)
	near(t, "(0.9, 3.81)", MomentumRadius(0.9, 3.81), 1.0647, 5e-5)
	near(t, "(1, 2)", MomentumRadius(1, 2), 1, 1e-15)
	near(t, "(-1.1, 0.1)", MomentumRadius(-1.1, 0.1), 1.1536, 5e-5)
	near(t, "no momentum", NesterovRadius(0, 0.3), 0.7, 1e-15)
	near(t, "complex roots", NesterovRadius(0.5, 0.5), 0.5, 1e-15)      // r^2 - 0.75 r + 0.25
	near(t, "real roots", NesterovRadius(0.5, 1.9), 1.6266, 5e-5)       // r^2 + 1.35 r - 0.45
	near(t, "the whole step at once", NesterovRadius(0.9, 1), 0, 1e-15) // no error is left where eh = 1
	r := draws(2)
	for range 1000 {
		mu, eh := 2.4*r.Float64()-1.2, 5*r.Float64()-0.5
		stable := math.Abs(mu) < 1 && 0 < eh && eh < 2*(1+mu)
		if (MomentumRadius(mu, eh) < 1) != stable {
			t.Errorf("mu %g, eh %g: radius %g", mu, eh, MomentumRadius(mu, eh))
		}
	}
	for _, kappa := range []float64{2, 10, 1000} {
		best := BestMomentum(1, kappa)
		worst := func(m Momentum) (w float64) {
			for i := range 2001 {
				w = max(w, MomentumRadius(m.Mu, m.Step*(1+(kappa-1)*float64(i)/2000)))
			}
			return w
		}
		near(t, "radius of the best", worst(best), math.Sqrt(best.Mu), 1e-6)
		for range 300 {
			other := Momentum{best.Step * math.Exp(0.2*r.NormFloat64()), min(0.9999, best.Mu*math.Exp(0.2*r.NormFloat64()))}
			if worst(other) < worst(best)-1e-6 {
				t.Errorf("kappa %g: %v has radius %g, the best %g", kappa, other, worst(other), worst(best))
			}
		}
	}
}

// TestChebyshev compares the worst factor with 1/T_k and with random steps.
func TestChebyshev(t *testing.T) {
	r := draws(3)
	worst := func(steps []float64, kappa float64) (w float64) {
		for i := range 4001 {
			w = max(w, math.Abs(Factors(steps, 1+(kappa-1)*float64(i)/4000)))
		}
		return w
	}
	for _, kappa := range []float64{2, 10, 100} {
		for k := 1; k <= 8; k++ {
			steps, err := Chebyshev(1, kappa, k)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "worst factor", worst(steps, kappa), ChebyshevFactor(kappa, k), 1e-12)
			for range 200 {
				other := make([]float64, k)
				for i := range other {
					other[i] = steps[i] * math.Exp(0.1*r.NormFloat64())
				}
				if w := worst(other, kappa); w < ChebyshevFactor(kappa, k)-1e-9 {
					t.Errorf("kappa %g, k %d: steps %v have %g", kappa, k, other, w)
				}
			}
		}
	}
	near(t, "k = 3", ChebyshevFactor(10, 3), 0.2750, 5e-5)
	near(t, "k = 8", ChebyshevFactor(10, 8), 0.0106, 5e-5)
	// the order keeps what lies between from growing: 64 steps in their natural order reach 1e14 of the start
	steps, _ := Chebyshev(1, 1000, 64)
	x, largest := []float64{1, 1, 1}, 0.0
	p := Quadratic([]float64{1, 400, 1000}, make([]float64, 3))
	for _, x := range walk(t, p, Steps(steps), 64, x...) {
		largest = max(largest, floats.Norm(x, math.Inf(1)))
	}
	if largest > 1e4 {
		t.Errorf("errors grow to %g on the way", largest)
	}
}

// TestRules has first moves, constant gradients, and the invariance to the unit of a coordinate.
func TestRules(t *testing.T) {
	slope := Problem{
		Value:    func(x []float64) float64 { return 100*x[0] + 0.01*x[1] },
		Gradient: func([]float64) []float64 { return []float64{100, 0.01} },
	}
	for _, c := range []struct {
		m    Method
		want float64
	}{
		{AdaGrad{Step: 0.01}, 0.01},
		{RMSprop{Step: 0.01}, 0.01 / math.Sqrt(0.1)},
		{Adam{Step: 0.01}, 0.01},
		{Adam{Step: 0.01, AMSGrad: true}, 0.01},
	} {
		x := walk(t, slope, c.m, 1, 0, 0)[1]
		near(t, c.m.String(), x[0], -c.want, 1e-12)
		near(t, c.m.String(), x[1], -c.want, 1e-12)
	}
	path := walk(t, slope, AdaGrad{Step: 1}, 50, 0, 0)
	adam := walk(t, slope, Adam{Step: 1}, 50, 0, 0)
	ball := walk(t, slope, Momentum{Step: 1, Mu: 0.9}, 300, 0, 0)
	for n := 1; n <= 50; n++ {
		near(t, "AdaGrad on a constant slope", path[n-1][0]-path[n][0], 1/math.Sqrt(float64(n)), 1e-12)
		near(t, "Adam on a constant slope", adam[n-1][1]-adam[n][1], 1, 1e-10)
	}
	near(t, "momentum on a constant slope", ball[299][0]-ball[300][0], 100/(1-0.9), 1e-9)

	narrow := Quadratic([]float64{1000, 1}, []float64{0, 0})
	for _, m := range []Method{AdaGrad{Step: 0.1}, RMSprop{Step: 0.1}, Adam{Step: 0.1}, Adam{Step: 0.1, AMSGrad: true}} {
		wide := Quadratic([]float64{1, 1}, []float64{0, 0})
		a, b := walk(t, narrow, m, 40, 1, 1), walk(t, wide, m, 40, 1, 1)
		near(t, m.String()+" and units", a[40][0], b[40][0], 1e-12)
	}
	end := walk(t, narrow, Adam{Step: 0.01}, 3000, 1, 1)[3000]
	if math.Abs(end[1]) > 1e-60 {
		t.Errorf("Adam ends at %v", end)
	}

	// R. Reddi and others: slopes 3, -1, -1; Adam without memory of slopes ends at the worst point of [-1, 1]. Here only the moves.
	n, rose := 0, Problem{Value: func(x []float64) float64 { return x[0] }}
	rose.Gradient = func([]float64) []float64 { n++; return []float64{[]float64{-1, 3, -1}[n%3]} }
	n = 0
	up := walk(t, rose, Adam{Step: 0.1, Theta: 1e-300, Gamma: 0.1}, 30, 0)
	n = 0
	down := walk(t, rose, Adam{Step: 0.1, Theta: 1e-300, Gamma: 0.1, AMSGrad: true}, 30, 0)
	if up[30][0] < 0.5 || down[30][0] > -0.1 {
		t.Errorf("Adam %v, AMSGrad %v", up[30], down[30])
	}
}

func TestQuickprop(t *testing.T) {
	p := Quadratic([]float64{3}, []float64{1.7})
	path := walk(t, p, Quickprop{Step: 0.4 / 5.1, Growth: 10}, 2, 0)
	near(t, "first", path[1][0], 0.4, 1e-15)
	near(t, "second", path[2][0], 1.7, 1e-14)
	hill := walk(t, Quadratic([]float64{-1}, []float64{0}), Quickprop{Step: 0.1}, 10, 1)
	for k := 1; k < len(hill); k++ {
		if hill[k][0] <= hill[k-1][0] {
			t.Error("on a hill it must go down:", hill)
		}
	}
}

// TestDownhill compares directions with all points of a sphere.
func TestDownhill(t *testing.T) {
	P := mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})
	ellipse, err := Ellipse(P)
	if err != nil {
		t.Fatal(err)
	}
	size := map[string]func(x, y float64) float64{
		"L1": func(x, y float64) float64 { return math.Abs(x) + math.Abs(y) }, "L2": math.Hypot,
		"L∞": func(x, y float64) float64 { return max(math.Abs(x), math.Abs(y)) },
		"P":  func(x, y float64) float64 { return math.Sqrt(2*x*x + x*y + y*y) },
	}
	r := draws(4)
	for range 50 {
		g := []float64{r.NormFloat64(), r.NormFloat64()}
		for _, n := range []Norm{L1, L2, LInf, ellipse} {
			u, dual := n.Downhill(g)
			least := math.Inf(1)
			for i := range 4000 {
				x, y := math.Cos(float64(i)*math.Pi/2000), math.Sin(float64(i)*math.Pi/2000)
				least = min(least, (g[0]*x+g[1]*y)/size[n.String()](x, y))
			}
			near(t, n.String(), least, -dual, 1e-5*dual)
			near(t, n.String(), floats.Dot(g, u), -dual, 1e-12)
			near(t, n.String()+" norm", size[n.String()](u[0], u[1]), 1, 1e-12)
		}
	}
	diagonal, _ := Ellipse(mat.NewDiagDense(2, []float64{1, 4}))
	u, dual := diagonal.Downhill([]float64{1, 1})
	near(t, "dual", dual, math.Sqrt(1.25), 1e-15)
	near(t, "direction", u[1]/u[0], 0.25, 1e-15)
	if _, err := Ellipse(mat.NewDiagDense(2, []float64{1, -4})); err == nil {
		t.Error("an indefinite P is taken")
	}
	for _, n := range []Norm{L1, L2, LInf, ellipse} {
		if u, dual := n.Downhill([]float64{0, 0}); dual != 0 || !floats.Equal(u, []float64{0, 0}) {
			t.Errorf("%s: %v, %g", n, u, dual)
		}
	}
}

// TestArmijo bisects for the longest step that is accepted on a quadratic: 2 (1 - C) t*.
func TestArmijo(t *testing.T) {
	r := draws(6)
	for range 200 {
		h, c := []float64{0.1 + r.Float64(), 0.1 + 5*r.Float64()}, 0.01+0.98*r.Float64()
		p := (&run{Problem: Quadratic(h, []float64{0, 0})}).at([]float64{r.NormFloat64(), r.NormFloat64()})
		g := p.gradient()
		best := floats.Dot(g, g) / (h[0]*g[0]*g[0] + h[1]*g[1]*g[1])
		d := []float64{-g[0], -g[1]}
		lo, hi := 0.0, 4*best
		for range 60 {
			mid := (lo + hi) / 2
			if _, step := (Armijo{C: c}).along(p, d, mid); step == mid {
				lo = mid
			} else {
				hi = mid
			}
		}
		near(t, "longest step", lo, 2*(1-c)*best, 1e-7*best)
		if q, _ := (Wolfe{C1: 0.1, C2: 0.2}).along(p, d, 1); math.Abs(floats.Dot(q.gradient(), d)) > 0.2*floats.Dot(g, g)*(1+1e-12) {
			t.Error("the slope at the step of Wolfe is too steep")
		}
	}
}

func TestNewton(t *testing.T) {
	path := walk(t, Problem{Value: func(x []float64) float64 { return 0.001 * math.Pow(x[0], 4) }, Gradient: func(x []float64) []float64 {
		return []float64{0.004 * math.Pow(x[0], 3)}
	}, Hessian: func(x []float64) *mat.SymDense { return mat.NewSymDense(1, []float64{0.012 * x[0] * x[0]}) }}, Newton{Pure: true}, 3, 10)
	for k, want := range []float64{10, 20.0 / 3, 40.0 / 9, 80.0 / 27} {
		near(t, "two thirds a move", path[k][0], want, 1e-12)
	}
	root := Problem{
		Value:    func(x []float64) float64 { return math.Sqrt(1 + x[0]*x[0]) },
		Gradient: func(x []float64) []float64 { return []float64{x[0] / math.Sqrt(1+x[0]*x[0])} },
		Hessian:  func(x []float64) *mat.SymDense { return mat.NewSymDense(1, []float64{math.Pow(1+x[0]*x[0], -1.5)}) },
	}
	for k, want := range []float64{1.1, -1.331, 2.357947691, -13.10999} {
		near(t, "-x^3", walk(t, root, Newton{Pure: true}, 3, 1.1)[k][0], want, 1e-5)
	}
	for _, start := range []float64{1.1, -5, 100} {
		r, err := Minimise(context.Background(), root, Newton{}, []float64{start}, Options{})
		if err != nil || !r.Converged() || math.Abs(r.X[0]) > 1e-7 || r.Iterations > 8 {
			t.Errorf("with Armijo from %g: %+v, %v", start, r, err)
		}
	}
	if x := walk(t, valley, Newton{}, 1, 7, -3)[1]; math.Abs(x[0]-4)+math.Abs(x[1]-2) > 1e-13 {
		t.Error("Newton needs one move on a quadratic:", x)
	}
}

// TestConjugate ends after d moves on a quadratic of d variables.
func TestConjugate(t *testing.T) {
	r := draws(7)
	for d := 2; d < 8; d++ {
		A := mat.NewDense(d, d, nil)
		for i := range d {
			for j := range d {
				A.Set(i, j, r.NormFloat64())
			}
		}
		var S mat.SymDense
		S.SymOuterK(1, A)
		for i := range d {
			S.SetSym(i, i, S.At(i, i)+1)
		}
		p := Problem{
			Value: func(x []float64) float64 { v := mat.NewVecDense(d, x); return mat.Inner(v, &S, v) / 2 },
			Gradient: func(x []float64) []float64 {
				g := mat.NewVecDense(d, nil)
				g.MulVec(&S, mat.NewVecDense(d, x))
				return g.RawVector().Data
			},
			Hessian: func([]float64) *mat.SymDense {
				return mat.NewSymDense(d, append([]float64(nil), S.RawSymmetric().Data...))
			},
		}
		start := make([]float64, d)
		for i := range start {
			start[i] = r.NormFloat64()
		}
		path := walk(t, p, Conjugate{Search: Exact{}}, d, start...)
		near(t, "after d moves", floats.Norm(path[len(path)-1], 2), 0, 1e-8)
		if r, err := Minimise(context.Background(), p, BFGS{Search: Exact{}}, start, Options{}); err != nil || r.Iterations > d+1 {
			t.Errorf("BFGS with exact searches: %+v, %v", r, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	f := func(x []float64) float64 { return math.Exp(x[0]) * math.Sin(x[1]) }
	x := []float64{0.3, 1.2}
	want := []float64{math.Exp(0.3) * math.Sin(1.2), math.Exp(0.3) * math.Cos(1.2)}
	errors := []float64{}
	for _, h := range []float64{1e-2, 1e-3, 1e-12} {
		errors = append(errors, floats.Distance(Differences(f, x, h), want, 2))
	}
	near(t, "error falls like h^2", errors[0]/errors[1], 100, 1)
	if errors[2] < 1e-6 {
		t.Error("rounding must show at 1e-12:", errors)
	}
	schwarz := func(x []float64) []float64 {
		return Differences(func(x []float64) float64 {
			if x[0] == 0 && x[1] == 0 {
				return 0
			}
			a, b := x[0]*x[0], x[1]*x[1]
			return x[0] * x[1] * (a - b) / (a + b)
		}, x, 1e-7)
	}
	J := Jacobian(schwarz, []float64{0, 0}, 1e-3)
	near(t, "mixed derivative", J.At(0, 1), -1, 1e-6)
	near(t, "in the other order", J.At(1, 0), 1, 1e-6)
}

func TestErrors(t *testing.T) {
	ctx, x := context.Background(), []float64{0, 0}
	norm := []Method{
		nil,
		Descent{},
		Descent{Step: math.NaN()},
		Steps{},
		Steps{math.Inf(1)},
		Momentum{Step: 1, Mu: math.NaN()},
		Nesterov{},
		AdaGrad{Step: 1, Epsilon: -1},
		RMSprop{Step: 1, Gamma: 1},
		Adam{Step: 1, Theta: -1},
		Adam{Step: 1, Gamma: 2},
		Adam{},
		Quickprop{Step: 1, Growth: -1},
		LBFGS{Memory: -1},
		Steepest{Search: Armijo{C: 1}},
		Newton{Pure: true, Search: Exact{}},
		BFGS{Search: Wolfe{C1: 0.5, C2: 0.4}},
		Conjugate{Search: Armijo{Shrink: 2}},
	}
	for _, m := range norm {
		if _, err := Minimise(ctx, valley, m, x, Options{}); err == nil {
			t.Errorf("%#v is taken", m)
		}
	}
	for _, o := range []Options{{MaxIter: -1}, {Tol: -1}, {Tol: math.NaN()}} {
		if _, err := Minimise(ctx, valley, BFGS{}, x, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	for _, start := range [][]float64{nil, {math.NaN(), 0}, {math.Inf(1), 0}} {
		if _, err := Minimise(ctx, valley, BFGS{}, start, Options{}); err == nil {
			t.Errorf("start %v is taken", start)
		}
	}
	log := Problem{Value: func(x []float64) float64 { return math.Log(x[0]) }}
	if _, err := Minimise(ctx, log, BFGS{}, []float64{-1}, Options{}); err == nil {
		t.Error("a start where f is NaN is taken")
	}
	if _, err := Minimise(ctx, Problem{}, BFGS{}, x, Options{}); err == nil {
		t.Error("a problem without value is taken")
	}
	if _, err := Walk(ctx, valley, BFGS{}, x, -1); err == nil {
		t.Error("-1 moves are taken")
	}
	short := Problem{Value: valley.Value, Gradient: func([]float64) []float64 { return []float64{1} }}
	if _, err := Minimise(ctx, short, BFGS{}, x, Options{}); err == nil {
		t.Error("a gradient of another length is taken")
	}
	if _, err := LeastSquares(ctx, Residuals{Value: func(x []float64) []float64 { return x[:1] }}, x, Options{}); err == nil {
		t.Error("fewer residuals than variables are taken")
	}
	if _, err := LeastSquares(ctx, Residuals{}, x, Options{}); err == nil {
		t.Error("no residuals are taken")
	}
}

// TestInterrupt ends the context in the tenth evaluation.
func TestInterrupt(t *testing.T) {
	for _, m := range []Method{Descent{Step: 1e-4}, Adam{Step: 1e-4}, Steepest{}, Conjugate{}, BFGS{}, LBFGS{}, Newton{}} {
		ctx, stop := context.WithCancel(context.Background())
		calls := 0
		p := classics[0].problem()
		inner := p.Gradient
		p.Gradient = func(x []float64) []float64 {
			if calls++; calls == 10 {
				stop()
			}
			return inner(x)
		}
		if _, err := Walk(ctx, p, m, classics[0].start, 1000000); !errors.Is(err, context.Canceled) || calls > 100 {
			t.Errorf("%s: %v after %d calls", m, err, calls)
		}
		stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	itself := Residuals{Value: func(x []float64) []float64 { return x }}
	if _, err := LeastSquares(ctx, itself, []float64{1}, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestOtherSizes asks with places, Hessians and gradients that do not belong to the problem.
func TestOtherSizes(t *testing.T) {
	square := func([]float64) float64 { return 1 }
	problems := map[string]Problem{
		"curvatures and minimum": Quadratic([]float64{1, 2}, []float64{1}),
		"no Hessian":             {Value: square, Hessian: func([]float64) *mat.SymDense { return nil }},
		"a small Hessian":        {Value: square, Hessian: func([]float64) *mat.SymDense { return mat.NewSymDense(1, nil) }},
	}
	for name, p := range problems {
		if _, err := Walk(context.Background(), p, Newton{}, []float64{0, 0}, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, start := range [][]float64{{0}, {0, 0, 0}} {
		if _, err := Walk(context.Background(), valley, Descent{Step: 0.1}, start, 1); err == nil {
			t.Errorf("a start with %d coordinates: no error", len(start))
		}
	}
	for _, n := range []Norm{L1, L2, LInf} {
		if u, dual := n.Downhill(nil); len(u) != 0 || dual != 0 {
			t.Errorf("%v of no gradient: %v, %v", n, u, dual)
		}
	}
}

// TestStepper follows quadratics by gradients from outside: each method goes where it goes by itself, and Nesterov keeps the place to
// which momentum carries.
func TestStepper(t *testing.T) {
	for _, m := range []Method{
		Descent{Step: 0.05},
		Steps{0.1, 0.02, 0.07},
		Momentum{Step: 0.05, Mu: 0.7},
		AdaGrad{Step: 0.5},
		RMSprop{Step: 0.1, Epsilon: 1e-3},
		Adam{Step: 0.3, Epsilon: 1e-2},
		Adam{Step: 0.3, AMSGrad: true},
		Quickprop{Step: 0.05},
		Nesterov{Step: 0.05, Mu: 0.7},
	} {
		path := walk(t, valley, m, 12, 1, -3)
		s, err := NewStepper(m, 2)
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{1, -3}
		for k := 1; k < len(path); k++ {
			if err := s.Step(x, valley.Gradient(x)); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				want := path[k][i]
				if _, ok := m.(Nesterov); ok {
					want += 0.7 * (path[k][i] - path[k-1][i])
				}
				near(t, m.String(), x[i], want, 1e-12*(1+math.Abs(want)))
			}
		}
	}
	if _, err := NewStepper(BFGS{}, 2); err == nil {
		t.Error("BFGS moves without values of the function")
	}
	if _, err := NewStepper(Descent{Step: 1}, 0); err == nil {
		t.Error("no variables: no error")
	}
	if _, err := NewStepper(Adam{}, 1); err == nil {
		t.Error("no step: no error")
	}
	s, _ := NewStepper(Descent{Step: 1}, 2)
	if s.Step([]float64{1}, []float64{1, 2}) == nil || s.Step([]float64{1, 2}, nil) == nil {
		t.Error("slices of other lengths: no error")
	}
}

// TestAdam compares three moves with the formulas of the paper, algorithm 1, written out.
func TestAdam(t *testing.T) {
	for _, amsgrad := range []bool{false, true} {
		s, err := NewStepper(Adam{Step: 0.1, Theta: 0.8, Gamma: 0.95, Epsilon: 0.01, AMSGrad: amsgrad}, 1)
		if err != nil {
			t.Fatal(err)
		}
		x, want := []float64{2}, 2.0
		m, v, top := 0.0, 0.0, 0.0
		for k, g := range []float64{3, -0.5, 0.25} {
			m, v = 0.8*m+0.2*g, 0.95*v+0.05*g*g
			if top = max(top, v); !amsgrad {
				top = v
			}
			a, b := m/(1-math.Pow(0.8, float64(k+1))), top/(1-math.Pow(0.95, float64(k+1)))
			want -= 0.1 * a / (math.Sqrt(b) + 0.01)
			if err := s.Step(x, []float64{g}); err != nil {
				t.Fatal(err)
			}
			near(t, "Adam", x[0], want, 1e-14)
		}
	}
}
