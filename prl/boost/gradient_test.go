package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/internal/share"
	"github.com/prlab/prlab/prl/tree"
)

// wavy draws n rows of d features, a share of which is missing, and targets that depend on all of them.
func wavy(r *rand.Rand, n, d int, missing float64) (*mat.Dense, []float64) {
	X, z := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			v := r.NormFloat64()
			if j%2 == 1 {
				v = math.Round(2 * v) // with ties
			}
			z[i] += math.Sin(v + float64(j))
			if r.Float64() < missing {
				v = math.NaN()
				z[i]++
			}
			X.Set(i, j, v)
		}
		z[i] += 0.3 * r.NormFloat64()
	}
	return X, z
}

func regress(t *testing.T, X mat.Matrix, z []float64, o GradientOptions) *GradientRegressor {
	t.Helper()
	m, err := FitGradientRegression(context.Background(), X, z, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The first test of a tree has the largest gain of all tests, each tried by itself: every cut of every feature, gaps on either side.
func TestGradientBestTest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 28))
	for range 60 {
		n, d := 4+r.IntN(40), 1+r.IntN(4)
		X, z := wavy(r, n, d, 0.2)
		w := make([]float64, n)
		for i := range w {
			w[i] = 0.2 + r.Float64()
		}
		o := GradientOptions{Rounds: 1, Depth: 1, MinLeaf: 1 + r.IntN(3), Lambda: r.Float64(), Gamma: 0.01, Gaps: true, Weights: w}
		mean := stat.Mean(z, w)
		score := func(in func(i int) bool) (float64, int) {
			G, H, rows := 0.0, 0.0, 0
			for i := range z {
				if in(i) {
					G, H, rows = G+w[i]*(mean-z[i]), H+w[i], rows+1
				}
			}
			return G * G / (H + o.Lambda) / 2, rows
		}
		whole, _ := score(func(int) bool { return true })
		best := 0.0
		for j := range d {
			for _, cut := range mat.Col(nil, j, X) {
				for _, gapsLeft := range []bool{true, false} {
					left := func(i int) bool { v := X.At(i, j); return v <= cut || v != v && gapsLeft }
					a, l := score(left)
					b, m := score(func(i int) bool { return !left(i) })
					if l >= o.MinLeaf && m >= o.MinLeaf {
						best = max(best, a+b-whole-o.Gamma)
					}
				}
			}
		}
		m := regress(t, X, z, o)
		if best < 1e-9 {
			if m.Len() != 0 || m.Stop() != NoGain {
				t.Fatalf("no test gains, yet there are %d rounds (%v)", m.Len(), m.Stop())
			}
			continue
		}
		nodes := m.Tree(0)
		if math.Abs(nodes[0].Gain-best) > 1e-9 {
			t.Fatalf("gain %v, the best of all tests has %v", nodes[0].Gain, best)
		}
		for _, leaf := range nodes[1:] {
			if want := -leaf.G / (leaf.H + o.Lambda); math.Abs(leaf.Value-want) > 1e-12 {
				t.Fatalf("leaf %v, want %v", leaf.Value, want)
			}
		}
		loss := func(step float64) float64 { // of the penalised parabola, by the rows
			p, sum := o, 0.0
			p.Rate = step
			y, err := regress(t, X, z, p).Predict(X)
			if err != nil {
				t.Fatal(err)
			}
			for i := range z {
				sum += w[i] * (z[i] - y[i]) * (z[i] - y[i]) / 2
			}
			for _, leaf := range nodes[1:] {
				sum += o.Lambda / 2 * step * step * leaf.Value * leaf.Value
			}
			return sum
		}
		start := 0.0
		for i := range z {
			start += w[i] * (z[i] - mean) * (z[i] - mean) / 2
		}
		if fall := start - loss(1); math.Abs(fall-whole-nodes[0].Gain-o.Gamma) > 1e-8 {
			t.Fatalf("the penalised loss falls by %v, gain and root say %v", fall, whole+nodes[0].Gain+o.Gamma)
		}
	}
}

// Derivatives are those of differences, away from kinks; second ones where the loss is smooth.
func TestGradientDerivatives(t *testing.T) {
	const e = 1e-4
	for _, l := range []RowLoss{
		SquaredLoss(), AbsoluteLoss(), HuberLoss(0.7), QuantileLoss(0.8), PoissonLoss(), LogisticLoss(), ExponentialLoss(),
	} {
		for _, z := range []float64{0, 1} {
			for f := -3.05; f < 3; f += 0.1 {
				up, _, _ := l.At(z, f+e)
				down, _, _ := l.At(z, f-e)
				loss, g, h := l.At(z, f)
				if math.Abs((up-down)/(2*e)-g) > 1e-6 {
					t.Errorf("%v at z = %g, F = %g: g is %v, differences say %v", l, z, f, g, (up-down)/(2*e))
				}
				if smooth := l.kind == squaredLoss || l.kind >= poissonLoss; smooth && math.Abs((up-2*loss+down)/(e*e)-h) > 1e-5 {
					t.Errorf("%v at z = %g, F = %g: h is %v, differences say %v", l, z, f, h, (up-2*loss+down)/(e*e))
				}
			}
		}
	}
	for _, f := range []float64{-800, 800} {
		for _, l := range []RowLoss{LogisticLoss(), ExponentialLoss(), PoissonLoss()} {
			if loss, g, h := l.At(1, f); !finite(loss, g, h) {
				t.Errorf("%v at F = %g: %v, %v, %v", l, f, loss, g, h)
			}
		}
	}
}

// The loss that the fit has followed, by the leaves of drawn rows and walks of the others, is the loss of the finished model.
func TestGradientFollowsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 28))
	X, z := wavy(r, 300, 5, 0.1)
	y := make([]int, len(z))
	for i, v := range z {
		y[i] = int(min(max(v+2, 0), 2))
	}
	for _, o := range []GradientOptions{
		{Rows: 0.5, Columns: 0.5}, {Held: 0.3, Patience: 1000}, {Depth: 2, Monotone: []int{1, -1, 0, 0, 0}}, {Bins: 9},
	} {
		var followed []float64
		o.Gaps, o.Rounds = true, 30
		o.Progress = func(p estimator.Progress) { followed = append(followed, p.Objective) }
		m := regress(t, X, z, o)
		if o.Held > 0 {
			if low := floats.MinIdx(m.HeldLosses()); low != m.Len() || len(m.HeldLosses()) != 31 {
				t.Errorf("%d rounds, but the loss on rows held out is least after %d of %d", m.Len(), low, len(m.HeldLosses())-1)
			}
			continue
		}
		losses, err := m.Losses(context.Background(), X, z, nil)
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, "losses", losses[1:], followed, 1e-10)
		followed = nil
		if o.Monotone != nil {
			continue
		}
		c, err := FitGradient(context.Background(), X, y, o)
		if err != nil {
			t.Fatal(err)
		}
		losses, err = c.Losses(context.Background(), X, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, "losses of classes", losses[1:], followed, 1e-10)
		P, err := c.Proba(X)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, k := range y {
			sum -= math.Log(P.At(i, k)) / float64(len(y))
		}
		if math.Abs(sum-losses[30]) > 1e-10 {
			t.Errorf("the loss is %v, by the probabilities %v", losses[30], sum)
		}
		first, err := c.First(7)
		if err != nil {
			t.Fatal(err)
		}
		part, err := first.Losses(context.Background(), X, y, nil)
		if err != nil || part[7] != losses[7] || first.Len() != 7 {
			t.Errorf("the first 7 rounds have loss %v, want %v (%v)", part, losses[7], err)
		}
	}
}

// Fits stop when rows held out gain no more, and the training loss falls in each round.
func TestGradientStops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 28))
	X, z := wavy(r, 200, 3, 0)
	for i := range z {
		z[i] = r.NormFloat64() // nothing to learn
	}
	m := regress(t, X, z, GradientOptions{Held: 0.4, Rounds: 500, Patience: 5})
	if m.Stop() != NoProgress || m.Len() > 50 || len(m.HeldLosses()) != m.Len()+6 {
		t.Errorf("%d rounds of noise, %d losses (%v)", m.Len(), len(m.HeldLosses()), m.Stop())
	}
	if m := regress(t, X, make([]float64, 200), GradientOptions{}); m.Len() != 0 || m.Stop() != NoGain {
		t.Errorf("a constant target takes %d rounds (%v)", m.Len(), m.Stop())
	}
	X, z = wavy(r, 200, 3, 0)
	for _, rate := range []float64{0.1, 1, 1.9} {
		losses, err := regress(t, X, z, GradientOptions{Rate: rate, Lambda: estimator.None, Rounds: 20}).Losses(context.Background(), X, z, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 20 {
			if !(losses[k+1] < losses[k]) {
				t.Errorf("rate %g: the training loss goes from %v to %v", rate, losses[k], losses[k+1])
			}
		}
	}
	// SSE' = SSE - e (2 - e) sum n_j rbar_j^2 rises where e > 2
	losses, err := regress(t, X, z, GradientOptions{Rate: 2.1, Lambda: estimator.None, Rounds: 1}).Losses(context.Background(), X, z, nil)
	if err != nil || losses[1] <= losses[0] {
		t.Errorf("rate 2.1: the training loss goes from %v to %v (%v)", losses[0], losses[1], err)
	}
}

// Monotone scores rise and fall as asked, whatever the data say.
func TestGradientMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 28))
	broken := 0
	for range 20 {
		X, z := wavy(r, 150, 3, 0.1)
		y := make([]int, len(z))
		for i, v := range z {
			if v > 0.5 {
				y[i] = 1
			}
		}
		for _, asked := range [][]int{{1, -1, 0}, nil} {
			o := GradientOptions{Monotone: asked, Rounds: 30, Gaps: true, MinLeaf: 1, Rate: 0.5}
			c, err := FitGradient(context.Background(), X, y, o)
			if err != nil {
				t.Fatal(err)
			}
			m := regress(t, X, z, o)
			o.Loss = QuantileLoss(0.7)
			q := regress(t, X, z, o)
			for range 200 {
				a := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
				b := slices.Clone(a)
				b[0] += r.ExpFloat64()
				b[1] -= r.ExpFloat64()
				D, err := c.Decision(mat.NewDense(2, 3, slices.Concat(a, b)))
				if err != nil {
					t.Fatal(err)
				}
				if D.At(1, 0) < D.At(0, 0)-1e-9 || m.Value(b...) < m.Value(a...)-1e-9 || q.Value(b...) < q.Value(a...)-1e-9 {
					if broken++; asked != nil {
						t.Fatalf("from %v to %v scores fall", a, b)
					}
				}
			}
		}
	}
	if broken == 0 {
		t.Error("no score falls without being asked, so the test says nothing")
	}
}

// Leaves of the quantile loss hold quantiles of residuals, with weights as of copies.
func TestGradientQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 28))
	for range 200 {
		n, tau := 1+r.IntN(9), []float64{0.1, 0.25, 0.5, 0.9}[r.IntN(4)]
		v, w := make([]float64, n), make([]float64, n)
		var copies []float64
		for i := range v {
			v[i], w[i] = math.Round(3*r.NormFloat64()), float64(1+r.IntN(3))
			for range int(w[i]) {
				copies = append(copies, v[i])
			}
		}
		loss := func(f float64) (sum float64) {
			for _, z := range copies {
				l, _, _ := QuantileLoss(tau).At(z, f)
				sum += l
			}
			return sum
		}
		got := quantileOf(slices.Clone(v), w, tau)
		if plain := quantileOf(slices.Clone(copies), nil, tau); math.Abs(plain-got) > 1e-12 {
			t.Fatalf("quantile %g of %v: %v with weights, %v of copies", tau, copies, got, plain)
		}
		for _, z := range copies {
			if loss(got) > loss(z)+1e-9 {
				t.Fatalf("quantile %g of %v is %v, but %v has a lower loss", tau, copies, got, z)
			}
		}
	}
	X, z := wavy(r, 2000, 3, 0)
	y, err := regress(t, X, z, GradientOptions{Loss: QuantileLoss(0.9), Depth: 3}).Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	below := 0.0
	for i := range z {
		if z[i] <= y[i] {
			below++
		}
	}
	if share := below / 2000; math.Abs(share-0.9) > 0.02 {
		t.Errorf("%v of the rows lie below their 0.9 quantile", share)
	}
}

// A leaf of counts takes Newton's step, and the mean of the predictions is that of the counts after many rounds.
func TestGradientPoisson(t *testing.T) {
	X := mat.NewDense(8, 1, []float64{0, 0, 0, 0, 1, 1, 1, 1})
	z := []float64{0, 1, 2, 1, 4, 6, 5, 5}
	m := regress(t, X, z, GradientOptions{Loss: PoissonLoss(), MinLeaf: 1, Lambda: estimator.None, Rate: 1, Rounds: 30})
	if m.Start() != math.Log(3) {
		t.Errorf("start %v, want log 3", m.Start())
	}
	if w := m.Tree(0)[1].Value; math.Abs(w-(4.-12)/12) > 1e-12 {
		t.Errorf("the first leaf is %v, want -2/3", w)
	}
	estimatortest.NearAll(t, "means", []float64{m.Value(0), m.Value(1)}, []float64{1, 5}, 1e-9)
}

// Steps of the logistic loss are bounded where the probabilities are almost sure.
func TestGradientSureLeaf(t *testing.T) {
	X := mat.NewDense(40, 1, nil)
	y := make([]int, 40)
	for i := range y {
		X.Set(i, 0, float64(i))
		if i >= 20 {
			y[i] = 1
		}
	}
	for _, loss := range []RowLoss{LogisticLoss(), ExponentialLoss()} {
		m, err := FitGradient(context.Background(), X, y, GradientOptions{Loss: loss, Lambda: estimator.None, Rate: 1, Rounds: 200})
		if err != nil {
			t.Fatal(err)
		}
		P, err := m.Proba(X)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range y {
			if !(P.At(i, c) > 0.999) {
				t.Errorf("%v: row %d has probability %v", loss, i, P.At(i, c))
			}
		}
	}
}

// Targets far from zero lose no digits.
func TestGradientFarTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 28))
	X, z := wavy(r, 200, 3, 0)
	far := slices.Clone(z)
	floats.AddConst(1e9, far)
	a, err := regress(t, X, z, GradientOptions{Rounds: 10}).Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	b, err := regress(t, X, far, GradientOptions{Rounds: 10}).Predict(X)
	if err != nil {
		t.Fatal(err)
	}
	floats.AddConst(-1e9, b)
	estimatortest.NearAll(t, "predictions", a, b, 1e-5)
}

// Bins: cuts are between values, no bin is empty, and there are no more than asked.
func TestBins(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 28))
	for range 300 {
		n, bins := 1+r.IntN(400), 2+r.IntN(30)
		values := make([]float64, n)
		for i := range values {
			values[i] = r.NormFloat64()
			if r.IntN(2) == 0 {
				values[i] = math.Round(values[i])
			}
		}
		slices.Sort(values)
		cuts := cutsOf(values, bins)
		rows, distinct := make([]int, bins), len(slices.Compact(slices.Clone(values)))
		for _, v := range values {
			b := int(binOf(cuts, v))
			if b > 0 && !(cuts[b-1] < v) || b < len(cuts) && !(v <= cuts[b]) {
				t.Fatalf("%v is in bin %d of %v", v, b, cuts)
			}
			rows[b]++
		}
		if want := min(distinct, bins); len(cuts) > bins-1 || distinct <= bins && len(cuts) != want-1 || slices.Contains(rows[:len(cuts)+1], 0) {
			t.Fatalf("%d values, %d bins: %d cuts, rows %v", distinct, bins, len(cuts), rows)
		}
	}
	big := []float64{-math.MaxFloat64, math.MaxFloat64}
	if c := cutsOf(big, 9); len(c) != 1 || c[0] != 0 {
		t.Errorf("between the largest numbers: %v", c)
	}
}

// Predictions of many rows, which walk together, are those of each row by itself, bit for bit: with gaps, ties, and any number of rows.
func TestGradientRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 28))
	X, z := wavy(r, 400, 5, 0.2)
	y := make([]int, len(z))
	for i, v := range z {
		y[i] = int(min(max(v+2, 0), 2))
	}
	for i := range 40 {
		X.Set(i, 1, math.Copysign(0, float64(i%2)-0.5))
		X.Set(i, 2, []float64{-1, 1}[i%2]*math.MaxFloat64)
	}
	o := GradientOptions{Gaps: true, MinLeaf: 1, Rounds: 20}
	m := regress(t, X, z, o)
	c, err := FitGradient(context.Background(), X, y, o)
	if err != nil {
		t.Fatal(err)
	}
	negative := math.Float64frombits(math.Float64bits(math.NaN()) | 1<<63)
	for _, n := range []int{31, 32, 33, 47, 400} {
		x := mat.DenseCopyOf(X.Slice(0, n, 0, 5))
		x.Set(n-1, 0, negative)
		values, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		P, err := c.Decision(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want := make([]float64, 3)
			if m.s.score(want[:1], x.RawRowView(i)); values[i] != want[0] {
				t.Fatalf("row %d of %d: %v, by itself %v", i, n, values[i], want[0])
			}
			if c.s.score(want, x.RawRowView(i)); !slices.Equal(P.RawRowView(i), want) {
				t.Fatalf("row %d of %d: %v, by itself %v", i, n, P.RawRowView(i), want)
			}
		}
	}
}

// Bins by keys are those by comparisons.
func TestLadder(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 28))
	for range 200 {
		cuts := make([]float64, r.IntN(254))
		for i := range cuts {
			cuts[i] = math.Round(20*r.NormFloat64()) / 4
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		var l ladder
		l.set(cuts)
		values := append(slices.Clone(cuts), 0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, r.NormFloat64())
		for _, v := range values {
			if l.bin(v) != binOf(cuts, v) {
				t.Fatalf("%v is in bin %d of %v, not in %d", v, binOf(cuts, v), cuts, l.bin(v))
			}
		}
	}
}

// A fit is the same bit for bit on any number of processors and for rows in any order.
func TestGradientOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 28))
	X, z := wavy(r, 500, 19, 0.1)
	w := make([]float64, len(z))
	for i := range w {
		w[i] = r.ExpFloat64()
	}
	o := GradientOptions{Gaps: true, Rounds: 8, Weights: w}
	want := regress(t, X, z, o)
	share.Eagerly(func() {
		o.Weights = w
		if have := regress(t, X, z, o); !reflect.DeepEqual(have.s, want.s) {
			t.Error("several processors change the fit")
		}
	})
	order := r.Perm(len(z))
	Y, u, v := mat.NewDense(500, 19, nil), make([]float64, 500), make([]float64, 500)
	for i, k := range order {
		Y.SetRow(i, X.RawRowView(k))
		u[i], v[i] = z[k], w[k]
	}
	o.Weights = v
	if have := regress(t, Y, u, o); !reflect.DeepEqual(have.s, want.s) {
		t.Error("the order of the rows changes the fit")
	}
}

// Wrong settings and data are errors that name what is wrong.
func TestGradientMisuse(t *testing.T) {
	X, z := wavy(rand.New(rand.NewPCG(8, 28)), 30, 2, 0)
	y := make([]int, 30)
	for i := range y {
		y[i] = i % 3
	}
	errs := map[string]error{}
	for name, o := range map[string]GradientOptions{
		"Rate": {Rate: -1}, "Lambda": {Lambda: -0.5}, "Rows": {Rows: 1.5}, "Held": {Held: 1}, "Monotone": {Monotone: []int{1}},
		"Monotone[0]": {Monotone: []int{2, 0}}, "Bins": {Bins: 300}, "Loss": {Loss: LogisticLoss()}, "Huber": {Loss: HuberLoss(0)},
		"quantile": {Loss: QuantileLoss(1)}, "Poisson": {Loss: PoissonLoss()}, "ClassWeights": {Balanced: true}, "Leaves": {Leaves: 1},
		"Depth": {Depth: -2},
	} {
		_, errs[name] = FitGradientRegression(context.Background(), X, z, o)
	}
	_, errs["Loss is squared"] = FitGradient(context.Background(), X, y, GradientOptions{Loss: SquaredLoss()})
	_, errs["Loss is exponential"] = FitGradient(context.Background(), X, y, GradientOptions{Loss: ExponentialLoss()})
	_, errs["Monotone is [1 0]"] = FitGradient(context.Background(), X, y, GradientOptions{Monotone: []int{1, 0}})
	_, errs["spread over 2e+200"] = FitGradientRegression(context.Background(), mat.NewDense(2, 1, []float64{0, 1}), []float64{-1e200, 1e200},
		GradientOptions{})
	_, errs["zeros only"] = FitGradientRegression(context.Background(), X, make([]float64, 30), GradientOptions{Loss: PoissonLoss()})
	m := regress(t, X, z, GradientOptions{Rounds: 2, Depth: tree.Unlimited, MinLeaf: 5})
	_, errs["First"] = m.First(3)
	_, errs["30 x 1"] = m.Losses(context.Background(), X.Slice(0, 30, 0, 1), z, nil)
	_, errs["29 numbers"] = m.Losses(context.Background(), X, z[1:], nil)
	c, err := FitGradient(context.Background(), X, y, GradientOptions{Rounds: 2, MinLeaf: 5})
	if err != nil {
		t.Fatal(err)
	}
	_, errs["y[29]"] = c.Losses(context.Background(), X, append(slices.Clone(y[1:]), 3), nil)
	_, errs["t is -1"] = c.First(-1)
	estimatortest.Refused(t, errs)
	if m.Tree(2) != nil || c.Tree(0, 3) != nil || len(c.Tree(1, 2)) == 0 || len(c.Start()) != 3 {
		t.Error("trees that do not exist, or do")
	}
}
