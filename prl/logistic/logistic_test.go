package logistic_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/logistic"
)

var ctx = context.Background()

func ExampleFit() {
	flights := datasets.Challenger()
	m, _ := logistic.Fit(ctx, flights.X, flights.Y, logistic.Options{})
	p, _ := m.Proba(mat.NewDense(1, 1, []float64{31}))
	fmt.Printf("%.5f %.6f, p(31 °F) = %.4f\n", m.Intercept(1), m.Coefficients(1), p.At(0, 1))
	// Output:
	// 15.04290 [-0.232163], p(31 °F) = 0.9996
}

func ExampleSeparate() {
	X := mat.NewDense(4, 1, []float64{1, 2, 2, 3})
	v, _ := logistic.Separate(ctx, X, []int{0, 0, 1, 1}, true)
	fmt.Println(v.Case, v.Direction[1])
	_, err := logistic.Fit(ctx, X, []int{0, 0, 1, 1}, logistic.Options{})
	fmt.Println(err)
	// Output:
	// touching [-1 0.5]
	// logistic.Fit: the likelihood has no maximum: along the direction [-1 0.5] (intercept first) no row lies on a wrong side; set L2 above 0, or drop the feature that tells the classes apart
}

func ExamplePlanLogistic() {
	p := logistic.PlanLogistic().Fit(datasets.Challenger())
	ends := p.Profile(0.95, 31).Probabilities()
	fmt.Printf("%v: %.4f, %.2f to %.2f, averaged %.3f\n", p, ends.Estimate, ends.From, ends.To, p.Averaged(31))
	// Output:
	// Logistic().Fit(Challenger): 0.9996, 0.80 to 1.00, averaged 0.947
}

func ExampleMinimumSlack() {
	X := mat.NewDense(3, 1, []float64{-1, 0, 1})
	s, _ := logistic.MinimumSlack(ctx, X, []int{1, 0, 1}, 0)
	fmt.Printf("w = %.0f, total slack %.0f, dual %.0f\n", math.Abs(s.W[0]), s.Objective, s.Dual)
	// Output:
	// w = 0, total slack 2, dual 2
}

// draw returns n rows in d dimensions with k classes at random, a little apart.
func draw(r *rand.Rand, n, d, k int, apart float64) (*mat.Dense, []int) {
	X, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % k
		for j := range d {
			v := r.NormFloat64()
			if j%k == y[i] {
				v += apart
			}
			X.Set(i, j, v)
		}
	}
	return X, y
}

// byHand is the sum of log-probabilities of theta less the penalty, written out.
func byHand(X *mat.Dense, y []int, theta []float64, k int, l2 float64) float64 {
	n, d := X.Dims()
	sum := 0.0
	for i := range n {
		z, total := make([]float64, k), 0.0
		for c := 1; c < k; c++ {
			t := theta[(c-1)*(d+1) : c*(d+1)]
			z[c] = t[0] + floats.Dot(t[1:], X.RawRowView(i))
		}
		for _, v := range z {
			total += math.Exp(v)
		}
		sum += z[y[i]] - math.Log(total)
	}
	for j := 1; j <= d; j++ {
		mean := 0.0
		if k > 2 {
			for c := 1; c < k; c++ {
				mean += theta[(c-1)*(d+1)+j] / float64(k)
			}
			sum -= l2 / 2 * mean * mean
		}
		for c := 1; c < k; c++ {
			v := theta[(c-1)*(d+1)+j] - mean
			sum -= l2 / 2 * v * v
		}
	}
	return sum
}

// The objective is the sum written out; at the top its differences vanish, and their second differences are the inverse of Covariance.
func TestMaximum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 18))
	for trial := range 12 {
		k, l2 := 2+trial%3, float64(trial%2)
		X, y := draw(r, 60+10*trial, 1+trial%4, k, 0.7)
		m, steps, err := logistic.Trace(ctx, X, y, logistic.Options{L2: l2})
		if err != nil {
			t.Fatal(err)
		}
		theta := m.Theta()
		f := func(theta []float64) float64 { return byHand(X, y, theta, k, l2) }
		if got, want := steps[len(steps)-1].Objective, f(theta); math.Abs(got-want) > 1e-9 {
			t.Errorf("objective %v, by hand %v", got, want)
		}
		size := len(theta)
		h := mat.NewDense(size, size, nil)
		at := func(i, j int, a, b float64) float64 {
			moved := append([]float64(nil), theta...)
			moved[i] += a
			moved[j] += b
			return f(moved)
		}
		const e = 1e-3
		for i := range size {
			if slope := (at(i, i, e, 0) - at(i, i, -e, 0)) / (2 * e); math.Abs(slope) > 1e-3 {
				t.Errorf("slope %v of coefficient %d at the top", slope, i)
			}
			for j := range size {
				h.Set(i, j, -(at(i, j, e, e)-at(i, j, e, -e)-at(i, j, -e, e)+at(i, j, -e, -e))/(4*e*e))
			}
		}
		var product mat.Dense
		product.Mul(h, m.Covariance())
		for i := range size {
			for j := range size {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(product.At(i, j)-want) > 2e-3 {
					t.Errorf("trial %d: second differences times covariance: %v at %d, %d", trial, product.At(i, j), i, j)
				}
			}
		}
	}
}

// Fewer rows than features take another way to each step. Rows repeated as often as it needs, each of so much less weight, are the same
// fit without it. Columns differ in size, one is constant, and two are alike.
func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 18))
	for trial := range 40 {
		n, k := 6+r.IntN(30), 2+trial%3
		d := n + r.IntN(60)
		X, y := draw(r, n, d, k, 0.5)
		for j := range d {
			by, move := math.Pow(10, 3*r.Float64()-1.5), 10*r.NormFloat64()
			for i := range n {
				X.Set(i, j, by*X.At(i, j)+move)
			}
		}
		for i := range n {
			X.Set(i, 0, 3)
			X.Set(i, 1, X.At(i, 2))
		}
		o := logistic.Options{L2: math.Pow(10, 4*r.Float64()-3), NoIntercept: trial%4 == 3, Balanced: trial%5 == 1}
		if trial%3 == 1 {
			o.Weights = make([]float64, n)
			for i := range n {
				o.Weights[i] = 0.2 + r.Float64()
			}
		}
		if trial%7 == 2 {
			o.Start = make([]float64, (k-1)*(d+1))
			for i := range o.Start {
				o.Start[i] = 0.01 * r.NormFloat64()
			}
			o.NoIntercept = false
		}
		wide, steps, err := logistic.Trace(ctx, X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		times := (d+1)/n + 1
		repeated, labels, weights := mat.NewDense(times*n, d, nil), make([]int, times*n), make([]float64, times*n)
		for i := range labels {
			repeated.SetRow(i, X.RawRowView(i%n))
			labels[i], weights[i] = y[i%n], 1/float64(times)
			if o.Weights != nil {
				weights[i] *= o.Weights[i%n]
			}
		}
		o.Weights = weights
		narrow, want, err := logistic.Trace(ctx, repeated, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(len(steps), len(want)) {
			if a, b := steps[i].Objective, want[i].Objective; math.Abs(a-b) > 1e-8*math.Abs(b) || steps[i].Halvings != want[i].Halvings {
				t.Errorf("trial %d: step %d leads to %v, without the kernel to %v", trial, i, steps[i], want[i])
			}
		}
		if math.Abs(wide.LogLikelihood()-narrow.LogLikelihood()) > 1e-8*math.Abs(narrow.LogLikelihood()) {
			t.Errorf("trial %d: log-likelihood %v, without the kernel %v", trial, wide.LogLikelihood(), narrow.LogLikelihood())
		}
		theta, errors, others := narrow.Theta(), wide.StandardErrors(), narrow.StandardErrors()
		size := floats.Norm(theta, math.Inf(1))
		for i, v := range wide.Theta() {
			if math.Abs(v-theta[i]) > 1e-8*size {
				t.Errorf("trial %d: coefficient %d is %v, without the kernel %v", trial, i, v, theta[i])
			}
			if math.Abs(errors[i]-others[i]) > 1e-6*others[i] {
				t.Errorf("trial %d: standard error %d is %v, without the kernel %v", trial, i, errors[i], others[i])
			}
		}
	}
}

// Every start leads to the same top, and the objective never falls.
func TestStarts(t *testing.T) {
	hours := []float64{.5, .75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5}
	y := []int{0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1}
	X := mat.NewDense(20, 1, hours)
	for _, start := range [][]float64{nil, {0, 1}, {5, -3}, {-40, 2}, {300, 200}} {
		m, steps, err := logistic.Trace(ctx, X, y, logistic.Options{Start: start})
		if err != nil {
			t.Fatalf("from %v: %v", start, err)
		}
		if got := m.Theta(); math.Abs(got[0]+4.077713) > 1e-6 || math.Abs(got[1]-1.504645) > 1e-6 {
			t.Errorf("from %v: %v", start, got)
		}
		for i := 1; i < len(steps); i++ {
			if steps[i].Objective < steps[i-1].Objective-1e-11 {
				t.Errorf("from %v: step %d falls from %v to %v", start, i, steps[i-1].Objective, steps[i].Objective)
			}
		}
	}
}

// checkVerdict multiplies a certificate out.
func checkVerdict(t *testing.T, X *mat.Dense, y []int, k int, v *logistic.Verdict) {
	t.Helper()
	n, d := X.Dims()
	if v.Case == logistic.Overlapping {
		for c := range k {
			balance, size := make([]float64, d+1), 0.0
			for i := range n {
				x := append([]float64{1}, X.RawRowView(i)...)
				for other, weight := range v.Balance[i] {
					if other == y[i] {
						continue
					}
					if !(weight > 0) {
						t.Fatalf("weight %v in a balance", weight)
					}
					size += weight * floats.Norm(x, 1)
					if y[i] == c {
						floats.AddScaled(balance, weight, x)
					}
					if other == c {
						floats.AddScaled(balance, -weight, x)
					}
				}
			}
			if floats.Norm(balance, math.Inf(1)) > 1e-9*size {
				t.Fatalf("the balance of class %d is %v of %v", c, balance, size)
			}
		}
		return
	}
	strict, all := false, true
	for i := range n {
		for c := range k {
			if c == y[i] {
				continue
			}
			gap := v.Direction[y[i]][0] - v.Direction[c][0] +
				floats.Dot(v.Direction[y[i]][1:], X.RawRowView(i)) - floats.Dot(v.Direction[c][1:], X.RawRowView(i))
			if gap < -1e-9 {
				t.Fatalf("row %d is %v on a wrong side", i, gap)
			}
			strict, all = strict || gap > 1e-9, all && gap > 1e-9
		}
	}
	if !strict || all != (v.Case == logistic.Apart) {
		t.Fatalf("%v, strictly for some: %v, for all: %v", v.Case, strict, all)
	}
}

// On small grids many classes touch: the certificates decide, and Fit agrees with them.
func TestSeparate(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 18))
	seen := map[logistic.Case]int{}
	for trial := range 600 {
		n, d, k := 6+r.IntN(10), 1+r.IntN(2), 2+r.IntN(2)
		X, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = i % k
			for j := range d {
				X.Set(i, j, float64(r.IntN(4)+y[i]*r.IntN(3)))
			}
		}
		v, err := logistic.Separate(ctx, X, y, true)
		if err != nil {
			t.Fatal(err)
		}
		seen[v.Case]++
		checkVerdict(t, X, y, k, v)
		_, err = logistic.Fit(ctx, X, y, logistic.Options{})
		if err != nil && strings.Contains(err.Error(), "combination of the others") {
			continue
		}
		if apart := (*logistic.SeparableError)(nil); errors.As(err, &apart) != (v.Case != logistic.Overlapping) || err != nil && apart == nil {
			t.Fatalf("trial %d: %v, and Fit says %v", trial, v.Case, err)
		}
	}
	for _, c := range []logistic.Case{logistic.Overlapping, logistic.Touching, logistic.Apart} {
		if seen[c] < 20 {
			t.Errorf("%d trials are %v", seen[c], c)
		}
	}
	cancer := datasets.BreastCancer()
	for features, want := range map[int]logistic.Case{30: logistic.Apart, 10: logistic.Overlapping} {
		X := mat.DenseCopyOf(cancer.X.Slice(0, 569, 0, features))
		v, err := logistic.Separate(ctx, X, cancer.Y, true)
		if err != nil || v.Case != want {
			t.Fatalf("%d features: %v, %v", features, v, err)
		}
		s, err := logistic.MinimumSlack(ctx, X, cancer.Y, 0)
		if err != nil || math.Abs(s.Objective-s.Dual) > 1e-6 {
			t.Fatalf("%d features: %+v %v", features, s, err)
		}
		if features == 10 && math.Abs(s.Objective-74.34) > 0.01 || features == 30 && s.Objective > 1e-6 {
			t.Errorf("%d features: slack %v", features, s.Objective)
		}
	}
}

// The linear program with a price: primal and dual meet, and no w of a random walk does better.
func TestMinimumSlack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 18))
	for range 40 {
		X, y := draw(r, 30, 3, 2, 1)
		price := 3 * r.Float64()
		s, err := logistic.MinimumSlack(ctx, X, y, price)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Objective-s.Dual) > 1e-8 {
			t.Errorf("primal %v, dual %v", s.Objective, s.Dual)
		}
		for range 50 {
			objective, b := 0.0, s.B+0.3*r.NormFloat64()
			w := make([]float64, 3)
			for j := range w {
				w[j] = s.W[j] + 0.3*r.NormFloat64()
				objective += price * math.Abs(w[j])
			}
			for i := range 30 {
				objective += max(0, 1-float64(2*y[i]-1)*(floats.Dot(w, X.RawRowView(i))+b))
			}
			if objective < s.Objective-1e-9 {
				t.Errorf("%v is below %v", objective, s.Objective)
			}
		}
	}
}

// Twice the data halve the variance, and the profile ends lose what they may.
func TestProfile(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 18))
	X, y := draw(r, 80, 2, 2, 0.8)
	m, err := logistic.Fit(ctx, X, y, logistic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0.5, -1}
	ends, err := logistic.Profile(ctx, X, y, 0.9, x, logistic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	drop := math.Pow(math.Erfinv(0.9), 2)
	for _, c := range []float64{ends.From, ends.To} {
		// The constraint as a heavy row: a penalty on (theta x - c)^2 by search over the two free directions.
		best := math.Inf(-1)
		u, v := m.Coefficients(1)[0], m.Coefficients(1)[1]
		for size := 1.0; size > 1e-7; size *= 0.7 {
			for range 60 {
				a, b := u+size*r.NormFloat64(), v+size*r.NormFloat64()
				if f := byHand(X, y, []float64{c - a*x[0] - b*x[1], a, b}, 2, 0); f > best {
					best, u, v = f, a, b
				}
			}
		}
		if got := m.LogLikelihood() - best; math.Abs(got-drop) > 1e-6 {
			t.Errorf("at %v the best loses %v, want %v", c, got, drop)
		}
	}
	if !(ends.From < ends.Estimate && ends.Estimate < ends.To) {
		t.Errorf("%+v", ends)
	}
}

// The average over the normal distribution of log-odds is within 0.0173 of its quadrature.
func TestAveraged(t *testing.T) {
	flights := datasets.Challenger()
	m, err := logistic.Fit(ctx, flights.X, flights.Y, logistic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{20, 31, 45, 60, 70, 90} {
		wald, _ := m.Wald(0.6826894921370859, x)
		s, sum, total := (wald.To-wald.From)/2, 0.0, 0.0
		for z := -9.0; z <= 9; z += 0.001 {
			weight := math.Exp(-z * z / 2)
			sum, total = sum+weight*logistic.Sigmoid(wald.Estimate+z*s), total+weight
		}
		got, err := m.Averaged(mat.NewDense(1, 1, []float64{x}))
		if err != nil || math.Abs(got[0]-sum/total) > 0.0173 {
			t.Errorf("at %v: %v, by quadrature %v, %v", x, got, sum/total, err)
		}
	}
}

func FuzzUnmarshalModel(f *testing.F) {
	iris, flights := datasets.Iris(), datasets.Challenger()
	a := fuzztest.Sound(logistic.Fit(ctx, flights.X, flights.Y, logistic.Options{}))
	b := fuzztest.Sound(logistic.Fit(ctx, iris.X, iris.Y, logistic.Options{L2: 1}))
	fuzztest.Unmarshal(
		f,
		[][]byte{a, b, {}, []byte("rubbish")},
		func() []fuzztest.Stored { return []fuzztest.Stored{new(logistic.Model)} },
		func(s fuzztest.Stored) {
			if m := s.(*logistic.Model); m.Dim() < 1000 {
				m.Class(make([]float64, m.Dim())...)
				m.StandardErrors()
			}
		},
	)
}
