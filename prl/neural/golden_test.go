package neural_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/prlab/prlab/prl/neural"
	"github.com/prlab/prlab/prl/optim"
)

// golden is the 2-2-1 net whose passes are written out with numpy.
func golden(t *testing.T) *neural.Net {
	t.Helper()
	n, err := neural.New(neural.Logistic, neural.Logistic, 2, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	copy(n.Theta, []float64{0.5, -0.3, 0.2, 0.8, 0.1, -0.2, 0.7, -0.6, 0.05})
	return n
}

// TestGolden compares both passes with figures from numpy, to the six digits that are known.
func TestGolden(t *testing.T) {
	n := golden(t)
	p, err := n.Forward([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "hidden", p.Y[1], []float64{0.689974, 0.817574}, 5e-7)
	near(t, "output", p.Y[2], []float64{0.485613}, 5e-7)
	loss, err := n.Loss(p, neural.Squared, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "loss", []float64{loss}, []float64{0.132297}, 5e-7)
	g, err := n.Backward(p, neural.Squared, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "gradient", g, []float64{-0.019240, 0.011498, -0.038479, 0.022997, 0.019240, -0.011498, -0.088655, -0.105050, 0.128490}, 6e-7)
	if _, err = n.Backward(p, neural.CrossEntropy, []float64{1}); err != nil {
		t.Fatal(err)
	}
	near(t, "delta of cross-entropy", p.Delta[2], []float64{-0.514387}, 5e-7)
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if !floats.EqualApprox(got, want, tol) || len(got) != len(want) {
		t.Errorf("%s is %.9v, want %.9v", what, got, want)
	}
}

// A number is what forward can compute with: f knows how to go on.
type number interface{ float64 | complex128 | dual }

// A dual is v + d e with e e = 0: a value with its derivative.
type dual struct{ v, d float64 }

func add[T number](a, b T) T {
	switch a := any(a).(type) {
	case float64:
		return any(a + any(b).(float64)).(T)
	case complex128:
		return any(a + any(b).(complex128)).(T)
	case dual:
		b := any(b).(dual)
		return any(dual{a.v + b.v, a.d + b.d}).(T)
	}
	panic("no number")
}

func mul[T number](a, b T) T {
	switch a := any(a).(type) {
	case float64:
		return any(a * any(b).(float64)).(T)
	case complex128:
		return any(a * any(b).(complex128)).(T)
	case dual:
		b := any(b).(dual)
		return any(dual{a.v * b.v, a.v*b.d + a.d*b.v}).(T)
	}
	panic("no number")
}

func constant[T number](v float64) T {
	var zero T
	switch any(zero).(type) {
	case float64:
		return any(v).(T)
	case complex128:
		return any(complex(v, 0)).(T)
	}
	return any(dual{v: v}).(T)
}

func logarithm[T number](a T) T {
	switch a := any(a).(type) {
	case float64:
		return any(math.Log(a)).(T)
	case complex128:
		return any(cmplx.Log(a)).(T)
	case dual:
		return any(dual{math.Log(a.v), a.d / a.v}).(T)
	}
	panic("no number")
}

func exponential[T number](a T) T {
	switch a := any(a).(type) {
	case float64:
		return any(math.Exp(a)).(T)
	case complex128:
		return any(cmplx.Exp(a)).(T)
	case dual:
		return any(dual{math.Exp(a.v), a.d * math.Exp(a.v)}).(T)
	}
	panic("no number")
}

func inverse[T number](a T) T {
	switch a := any(a).(type) {
	case float64:
		return any(1 / a).(T)
	case complex128:
		return any(1 / a).(T)
	case dual:
		return any(dual{1 / a.v, -a.d / (a.v * a.v)}).(T)
	}
	panic("no number")
}

func realPart[T number](a T) float64 {
	switch a := any(a).(type) {
	case float64:
		return a
	case complex128:
		return real(a)
	case dual:
		return a.v
	}
	panic("no number")
}

// activate is f in numbers of any kind, by formulas other than those of the package.
func activate[T number](f neural.Activation, s T) T {
	one, minus := constant[T](1), constant[T](-1)
	switch f {
	case neural.ReLU:
		if realPart(s) > 0 {
			return s
		}
		return constant[T](0)
	case neural.Tanh: // (e - 1)/(e + 1), e = exp 2s
		e := exponential(mul(constant[T](2), s))
		return mul(add(e, minus), inverse(add(e, one)))
	case neural.Logistic:
		return inverse(add(one, exponential(mul(minus, s))))
	case neural.Softplus:
		return logarithm(add(one, exponential(s)))
	}
	return s
}

// lossOf runs a net of the given layers forward, unit by unit, and returns its loss.
func lossOf[T number](theta, x []T, sizes []int, hidden, out neural.Activation, loss neural.Loss, t []float64) T {
	y, at := x, 0
	for l := 1; l < len(sizes); l++ {
		next := make([]T, sizes[l])
		for j := range next {
			s := mul(constant[T](-1), theta[at+sizes[l-1]*sizes[l]+j])
			for i, v := range y {
				s = add(s, mul(v, theta[at+i*sizes[l]+j]))
			}
			f := hidden
			if l == len(sizes)-1 {
				f = out
			}
			if next[j] = s; f != neural.Softmax {
				next[j] = activate(f, s)
			}
		}
		at += (sizes[l-1] + 1) * sizes[l]
		y = next
	}
	if out == neural.Softmax {
		sum := constant[T](0)
		for k, s := range y {
			y[k] = exponential(s)
			sum = add(sum, y[k])
		}
		for k := range y {
			y[k] = mul(y[k], inverse(sum))
		}
	}
	total := constant[T](0)
	for k, v := range y {
		var term T
		switch {
		case loss == neural.Squared:
			d := add(v, constant[T](-t[k]))
			term = mul(constant[T](0.5), mul(d, d))
		case out == neural.Softmax:
			term = mul(constant[T](-t[k]), logarithm(v))
		default:
			rest := add(constant[T](1), mul(constant[T](-1), v))
			term = add(mul(constant[T](-t[k]), logarithm(v)), mul(constant[T](t[k]-1), logarithm(rest)))
		}
		total = add(total, term)
	}
	return total
}

func lift[T number](v []float64) []T {
	out := make([]T, len(v))
	for i, x := range v {
		out[i] = constant[T](x)
	}
	return out
}

// TestGradients compares Backward on random nets with three programs that know nothing of it: central differences, dual numbers and complex
// steps, the last two through a forward pass of their own.
func TestGradients(t *testing.T) {
	draws := rand.New(rand.NewPCG(20, 1))
	type head struct {
		out  neural.Activation
		loss neural.Loss
	}
	heads := []head{
		{neural.Softmax, neural.CrossEntropy},
		{neural.Logistic, neural.CrossEntropy},
		{neural.Linear, neural.Squared},
		{neural.Tanh, neural.Squared},
		{neural.Logistic, neural.Squared},
		{neural.Softplus, neural.Squared},
	}
	for round := range 60 {
		hidden, h := neural.Activation(round%5), heads[round%len(heads)]
		sizes := [][]int{{3, 5, 4, 2}, {2, 3, 3}, {1, 4, 2}, {4, 2}}[round%4]
		last := sizes[len(sizes)-1]
		n, err := neural.New(hidden, h.out, sizes...)
		if err != nil {
			t.Fatal(err)
		}
		x, target := make([]float64, sizes[0]), make([]float64, last)
		for _, list := range [][]float64{n.Theta, x} {
			for i := range list {
				list[i] = draws.NormFloat64()
			}
		}
		for k := range target {
			if target[k] = draws.NormFloat64(); h.loss == neural.CrossEntropy {
				target[k] = draws.Float64() // soft targets, which need not sum to one
			}
		}
		p, err := n.Forward(x)
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.Backward(p, h.loss, target)
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("net %d, %v, %v units, %v %v", round, sizes, hidden, h.out, h.loss)
		loss, err := n.Loss(p, h.loss, target)
		if err != nil {
			t.Fatal(err)
		}
		near(t, what+": loss", []float64{loss}, []float64{lossOf(n.Theta, x, sizes, hidden, h.out, h.loss, target)}, 1e-12)
		all := append(append([]float64{}, n.Theta...), x...)
		got = append(got, p.Delta[0]...)
		split := len(n.Theta)
		duals, steps := make([]float64, len(all)), make([]float64, len(all))
		for k := range all {
			d, c := lift[dual](all), lift[complex128](all)
			d[k].d = 1
			c[k] += complex(0, 1e-30)
			duals[k] = lossOf(d[:split], d[split:], sizes, hidden, h.out, h.loss, target).d
			steps[k] = imag(lossOf(c[:split], c[split:], sizes, hidden, h.out, h.loss, target)) / 1e-30
		}
		near(t, what+": against dual numbers", got, duals, 1e-12)
		near(t, what+": against complex steps", got, steps, 1e-12)
		differences := optim.Differences(func(v []float64) float64 {
			return lossOf(v[:split], v[split:], sizes, hidden, h.out, h.loss, target)
		}, all, 0)
		near(t, what+": against differences", got, differences, 1e-7)
	}
}

// TestSlopes compares slopes of activations with complex steps, and those of ReLU at its kink with what is documented.
func TestSlopes(t *testing.T) {
	for f := neural.ReLU; f < neural.Softmax; f++ {
		for _, s := range []float64{-700, -30, -3, -0.5, 0.25, 1, 8, 40, 700} {
			want := imag(activate(f, complex(s, 1e-30))) / 1e-30
			if math.IsNaN(want) { // the formula of the test overflows where that of the package does not
				continue
			}
			if got := f.Slope(s); math.Abs(got-want) > 1e-13 {
				t.Errorf("slope of %v at %g is %g, want %g", f, s, got, want)
			}
			if got, want := f.Value(s), activate(f, s); math.Abs(got-want) > 1e-13*(1+math.Abs(want)) {
				t.Errorf("%v at %g is %g, want %g", f, s, got, want)
			}
		}
	}
	if neural.ReLU.Slope(0) != 0 || neural.ReLU.Value(0) != 0 {
		t.Error("ReLU at 0 has another value or slope than 0")
	}
	for _, f := range []neural.Activation{neural.Softmax, -1} {
		if !math.IsNaN(f.Value(1)) || !math.IsNaN(f.Slope(1)) {
			t.Errorf("%v is taken for a function of one number", f)
		}
	}
	if got := neural.Logistic.Value(-800); got != 0 && !(got > 0 && got < 1e-300) {
		t.Errorf("logistic of -800 is %g", got)
	}
}

// TestParameters compares the count with the sum of the sizes of all parts.
func TestParameters(t *testing.T) {
	for sizes, want := range map[*[]int]int{
		{64, 32, 10}: 2410, {2, 2, 1}: 9, {1, 1}: 2, {3}: 0, {2, 0, 1}: 0, {2, -1}: 0, {1 << 29, 1 << 29}: 0,
	} {
		if got := neural.Parameters(*sizes...); got != want {
			t.Errorf("%v has %d parameters, want %d", *sizes, got, want)
		}
	}
	n, err := neural.New(neural.Tanh, neural.Linear, 2, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for l := range 4 {
		w, thresholds := n.Layer(l)
		count += len(w) + len(thresholds)
		if (l == 1 || l == 2) != (w != nil) {
			t.Errorf("layer %d has %d weights", l, len(w))
		}
	}
	if count != len(n.Theta) || n.Layers() != 2 || n.Activation(1) != neural.Tanh || n.Activation(2) != neural.Linear {
		t.Errorf("%d parameters in %d layers", count, n.Layers())
	}
}

// TestMisuse asks for errors in place of panics.
func TestMisuse(t *testing.T) {
	n := golden(t)
	p, err := n.Forward([]float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	other, err := neural.New(neural.Tanh, neural.Linear, 2, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	short := golden(t)
	short.Theta = short.Theta[:3]
	for what, f := range map[string]func() error{
		"sizes":          func() error { _, err := neural.New(neural.Tanh, neural.Linear, 2); return err },
		"softmax inside": func() error { _, err := neural.New(neural.Softmax, neural.Linear, 2, 2); return err },
		"unknown":        func() error { _, err := neural.New(neural.Tanh, 17, 2, 2); return err },
		"width":          func() error { _, err := n.Forward([]float64{1}); return err },
		"parameters":     func() error { _, err := short.Forward([]float64{1, 2}); return err },
		"zero net":       func() error { _, err := new(neural.Net).Forward(nil); return err },
		"targets":        func() error { _, err := n.Loss(p, neural.Squared, nil); return err },
		"pass":           func() error { _, err := other.Backward(p, neural.Squared, []float64{1}); return err },
		"nil pass":       func() error { _, err := n.Backward(nil, neural.Squared, []float64{1}); return err },
		"loss":           func() error { _, err := n.Loss(p, 7, []float64{1}); return err },
		"few parameters": func() error { _, err := short.Backward(p, neural.Squared, []float64{1}); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := other.Backward(p, neural.CrossEntropy, []float64{1}); err == nil {
		t.Error("the cross-entropy of linear units: no error")
	}
}
