package boost

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
	"github.com/prlab/prlab/prl/tree"
)

// The values of this file are worked out by hand, or follow from a formula that the package does not use.

func second[T any](_ T, err error) error { return err }

func last[A, B any](_ A, _ B, err error) error { return err }

func TestNormaliser(t *testing.T) {
	near(t, "Z at 0", Normaliser(0.3, 0), 1, 1e-15)
	near(t, "Z", Normaliser(0.25, math.Ln2), 0.75/2+0.25*2, 1e-15)
	near(t, "alpha", Alpha(0.1), math.Log(3), 1e-15)
	near(t, "alpha at chance", Alpha(0.5), 0, 0)
	near(t, "least Z", MinNormaliser(0.1), 0.6, 1e-15)
	near(t, "least Z is Z at alpha", Normaliser(0.2, Alpha(0.2)), MinNormaliser(0.2), 1e-15)
	for _, c := range []struct {
		n     int
		gamma float64
		want  int
	}{{1, 0.5, 1}, {100, 0.5, 10}, {100, 0.1, 231}, {100, 0, 0}, {100, -1, 0}, {0, 0.1, 0}} { // log 100 = 4.605 by 2 gamma^2
		if got := RoundsToZero(c.n, c.gamma); got != c.want {
			t.Errorf("%d rows, edge %v: %d rounds, want %d", c.n, c.gamma, got, c.want)
		}
	}
	for _, c := range []struct {
		voters  int
		e, want float64
	}{{1, 0.3, 0.3}, {3, 0.25, 10.0 / 64}, {5, 0.5, 0.5}, {2, 0.25, 1.0/16 + 3.0/16}, {4, 0.5, 0.5}, {0, 0.5, 0}, {3, 0, 0}, {3, 1, 1}} {
		near(t, fmt.Sprintf("majority of %d", c.voters), MajorityError(c.voters, c.e), c.want, 1e-14)
	}
}

// Values at a few margins, and the slopes as limits of differences.
func TestLosses(t *testing.T) {
	for l, want := range map[Loss][3]float64{
		ZeroOne: {1, 1, 0}, Exponential: {math.E, 1, math.Exp(-2)},
		Logistic: {math.Log2(1 + math.E), 1, math.Log2(1 + math.Exp(-2))}, Hinge: {2, 1, 0}, Squared: {4, 1, 1},
	} {
		estimatortest.NearAll(t, l.String(), []float64{l.At(-1), l.At(0), l.At(2)}, want[:], 1e-15)
		for _, u := range []float64{-40, -3, -0.5, 0.5, 1, 1.5, 3} {
			const step = 1e-6
			size := math.Abs(l.At(u)) + 1
			near(t, fmt.Sprintf("slope of %s at %v", l, u), l.Slope(u)/size, (l.At(u+step)-l.At(u))/step/size, 2e-6)
		}
	}
	near(t, "logistic loss far out", Logistic.At(-1000), 1000/math.Ln2, 1e-12)
}

// Four rows, + + - +, with the weights 1 1 1 3: the stumps by hand. "x <= 2.5: +" errs on row 4, "x > 2.5: +" on rows 1, 2 and 3; "always
// +" errs only on row 3, of weight 1/6.
func TestRoundsByHand(t *testing.T) {
	x, y := mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []int{1, 1, 0, 1}
	w := []float64{1, 1, 1, 3}
	m := fit(t, x, y, func(o *Options) { o.Rounds, o.Weights = 2, w })
	r := m.Rounds()
	if len(r) != 2 {
		t.Fatal(m)
	}
	near(t, "first error", r[0].Error, 1.0/6, 1e-15)
	near(t, "first alpha", r[0].Alpha, math.Log(5)/2, 1e-15)
	near(t, "first Z", r[0].Z, 2*math.Sqrt(5.0/36), 1e-15)
	// Row 3 then weighs 1/2, rows 1 and 2 a tenth each, row 4 three tenths: the best stump keeps 3 right and gives up the lighter side.
	near(t, "second error", r[1].Error, 0.2, 1e-15)
	near(t, "second alpha", r[1].Alpha, math.Log(4)/2, 1e-15)
	tr, err := m.Trace(x, y, w)
	if err != nil {
		t.Fatal(err)
	}
	a, b := math.Log(5)/2, math.Log(2)
	estimatortest.NearAll(t, "first weights", tr.Weights[0], []float64{1.0 / 6, 1.0 / 6, 1.0 / 6, 0.5}, 1e-15)
	estimatortest.NearAll(t, "second weights", tr.Weights[1], []float64{0.1, 0.1, 0.5, 0.3}, 1e-15)
	estimatortest.NearAll(t, "third weights", tr.Weights[2], []float64{0.25, 0.25, 0.3125, 0.1875}, 1e-15)
	estimatortest.NearAll(t, "scores", tr.Scores[2], []float64{a - b, a - b, a - b, a + b}, 1e-15)
	estimatortest.NearAll(t, "errors", tr.Error, []float64{1, 1.0 / 6, 1.0 / 6}, 1e-15)
	product, exponential := m.Bounds()
	estimatortest.NearAll(t, "products", product, []float64{1, math.Sqrt(5) / 3, math.Sqrt(5) / 3 * 0.8}, 1e-15)
	estimatortest.NearAll(t, "exponentials", exponential, []float64{1, math.Exp(-2.0 / 9), math.Exp(-2.0/9 - 0.18)}, 1e-15)
	margins, err := m.Margins(x, y)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "margins", margins, []float64{(a - b) / (a + b), (a - b) / (a + b), (b - a) / (a + b), 1}, 1e-15)
	bound, err := m.MarginBound(0.5)
	if err != nil {
		t.Fatal(err)
	}
	// 2 sqrt(eps^(1-theta) (1-eps)^(1+theta)) of each round
	near(t, "margin bound", bound, 4*math.Sqrt(math.Sqrt(1.0/6)*math.Pow(5.0/6, 1.5)*math.Sqrt(0.2)*math.Pow(0.8, 1.5)), 1e-14)
	p, err := m.Proba(x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "probability", p.At(3, 1), 1/(1+math.Exp(-2*(a+b))), 1e-15)
	near(t, "probability", p.At(3, 0), 1/(1+math.Exp(2*(a+b))), 1e-15)
	first, err := m.First(1)
	if err != nil || first.Len() != 1 || first.Score([]float64{3}) != r[0].Alpha {
		t.Error(first, err)
	}
	none, err := m.First(0)
	if err != nil || none.Len() != 0 || none.Class(3) != 0 {
		t.Error(none, err)
	}
	estimatortest.NearAll(t, "margins of nothing", must(none.Margins(x, y)), []float64{0, 0, 0, 0}, 0)
	if s := fit(t, x, y, func(o *Options) { o.Weights, o.TargetError = w, 0.2 }); s.Stop() != Reached || s.Len() != 1 {
		t.Errorf("%v", s)
	}
	if s := fit(t, x, y, func(o *Options) { o.Weights, o.MinEdge = w, 0.31 }); s.Stop() != NoEdge || s.Len() != 1 ||
		s.state.Last != r[1].Error {
		t.Errorf("%v", s)
	}
	// A stump without error outvotes what came before.
	easy := fit(t, x, []int{0, 0, 1, 1}, nil)
	if easy.Stop() != Perfect || easy.Len() != 1 || easy.Alphas()[0] != 1 {
		t.Errorf("%v", easy)
	}
	near(t, "Z of a sure round", easy.Rounds()[0].Z, math.Exp(-1), 1e-15)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// For one weak classifier that errs on one row of five, all is known: the step is Alpha(1/5), the loss afterwards 2 sqrt(4/25).
func TestDescentOfOne(t *testing.T) {
	H, y := mat.NewDense(5, 2, []float64{1, -1, 1, -1, 1, -1, -1, 1, 1, -1}), []int{1, 1, 1, 0, 0}
	path, coef, err := CoordinateDescent(ctx, H, y, 5)
	if err != nil || len(path) != 1 {
		t.Fatal(path, err)
	}
	estimatortest.NearAll(t, "step", []float64{path[0].Step, path[0].Slope, path[0].Loss}, []float64{math.Ln2, -0.6, 0.8}, 1e-15)
	estimatortest.NearAll(t, "coefficients", coef, []float64{math.Ln2, 0}, 1e-15)
	one := mat.DenseCopyOf(H.Slice(0, 5, 0, 1))
	a, loss, err := Reoptimise(ctx, one, y, []float64{-1}, 50)
	if err != nil {
		t.Fatal(err)
	}
	estimatortest.NearAll(t, "optimum", []float64{a[0], loss}, []float64{math.Ln2, 0.8}, 1e-9)
	if path, coef, err := CoordinateDescent(ctx, mat.NewDense(2, 1, []float64{1, -1}), []int{1, 0}, 5); err != nil || len(path) != 0 ||
		coef[0] != 0 {
		t.Errorf("a step without end: %v, %v (%v)", path, coef, err)
	}
}

// Rows are drawn with their probabilities, and impossible ones never.
func TestDrawFrequencies(t *testing.T) {
	const n = 40000
	p := []float64{0.1, 0, 0.6, 0.3, 0}
	count := Draw(p, n, rand.New(rand.NewPCG(1, 2)))
	sum := 0.0
	for i, c := range count {
		near(t, "share", c/n, p[i], 5*math.Sqrt(p[i]*(1-p[i])/n))
		sum += c
	}
	near(t, "draws", sum, n, 0)
}

func TestArguments(t *testing.T) {
	x, y := ten()
	m := fit(t, x, y, func(o *Options) { o.Rounds = 3 })
	with := func(change func(*Options)) error {
		o := Options{}
		change(&o)
		return second(Fit(ctx, x, y, o))
	}
	H := mat.NewDense(2, 2, []float64{1, -1, -1, 1})
	binary := []int{0, 1}
	estimatortest.Refused(t, map[string]error{
		"X is nil":                            second(Fit(ctx, nil, y, Options{})),
		"y is 1 labels":                       second(Fit(ctx, x, y[:1], Options{})),
		"Rounds is -1":                        with(func(o *Options) { o.Rounds = -1 }),
		"TargetError is NaN":                  with(func(o *Options) { o.TargetError = math.NaN() }),
		"TargetError is 1":                    with(func(o *Options) { o.TargetError = 1 }),
		"MinEdge is -1":                       with(func(o *Options) { o.MinEdge = -1 }),
		"MinEdge is 0.5":                      with(func(o *Options) { o.MinEdge = 0.5 }),
		"Weights is 1 numbers":                with(func(o *Options) { o.Weights = []float64{1} }),
		"zero for all of class 0":             with(func(o *Options) { o.Weights = []float64{1, 1, 1, 0, 0, 0, 0, 0, 0, 0} }),
		"CoordinateDescent: X is nil":         last(CoordinateDescent(ctx, nil, binary, 1)),
		"CoordinateDescent: y is 1 labels":    last(CoordinateDescent(ctx, H, []int{0}, 1)),
		"CoordinateDescent: steps is 0":       last(CoordinateDescent(ctx, H, binary, 0)),
		"CoordinateDescent: y is labels of 3": last(CoordinateDescent(ctx, mat.NewDense(3, 1, []float64{1, 1, 1}), []int{0, 1, 2}, 1)),
		"H[1, 0] is 0":                        last(CoordinateDescent(ctx, mat.NewDense(2, 1, []float64{1, 0}), binary, 1)),
		"Reoptimise: from is 1 numbers":       last(Reoptimise(ctx, H, binary, []float64{1}, 5)),
		"Reoptimise: from[1] is NaN, but":     last(Reoptimise(ctx, H, binary, []float64{1, math.NaN()}, 5)),
		"Reoptimise: from[0] is +Inf, but":    last(Reoptimise(ctx, H, binary, []float64{math.Inf(1), 1}, 5)),
		"Reoptimise: from[1] is -Inf, but":    last(Reoptimise(ctx, H, binary, []float64{1, math.Inf(-1)}, 5)),
		"Reoptimise: maxIter is 0":            last(Reoptimise(ctx, H, binary, []float64{1, 1}, 0)),
		"Reoptimise: X[0, 1] is NaN": last(
			Reoptimise(ctx, mat.NewDense(2, 2, []float64{1, math.NaN(), 1, 1}), binary, []float64{1, 1}, 5),
		),
		"Votes: X is nil":                 second(Votes(nil, []Hypothesis{tree.Stump{}})),
		"Votes: pool is empty":            second(Votes(x, nil)),
		"MarginBound: theta is 1":         second(m.MarginBound(1)),
		"MarginBound: theta is -1":        second(m.MarginBound(-1)),
		"the model is of 3 classes":       second((&Model{state: state{D: 1, K: 3}}).MarginBound(0)),
		"First: t is 4":                   second(m.First(4)),
		"First: t is -1":                  second(m.First(-1)),
		"Trace: y is 1 labels":            second(m.Trace(x, y[:1], nil)),
		"Staged: y[1] is 2":               second(m.Staged(x, []int{0, 2, 0, 0, 0, 0, 0, 0, 0, 0}, nil)),
		"Margins: y[0] is -1":             second(m.Margins(x, []int{-1, 2, 0, 0, 0, 0, 0, 0, 0, 0})),
		"Trace: Weights is 1 numbers":     second(m.Trace(x, y, []float64{1})),
		"Trace: X is 2 x 2":               second(m.Trace(H, binary, nil)),
		"Decision: the model is not":      second(new(Model).Decision(x)),
		"boost.Model.Predict: X is 2 x 2": second(m.Predict(H)),
		"boost.Model.Proba: X is 2 x 2":   second(m.Proba(H)),
		"Resample is false, but needs to be t": with(func(o *Options) {
			o.Learner = Unweighted("mine", func(context.Context, *mat.Dense, []int) (Hypothesis, error) { return nil, nil })
		}),
	})
	if err := with(func(o *Options) {
		o.Learner = Weighted("mine", func(context.Context, *mat.Dense, []int, []float64) (Hypothesis, error) { return oddOne{}, nil })
	}); err == nil || !strings.Contains(err.Error(), "round 1: the weak classifier returns class 2") {
		t.Error(err)
	}
}

// oddOne answers with a class that there is not.
type oddOne struct{}

func (oddOne) Class(...float64) int { return 2 }

// Margins of 800 in either direction leave weights that are numbers.
func TestWeightsOfHugeMargins(t *testing.T) {
	m := &Model{
		state: state{
			D:       1,
			Learner: "stumps",
			Rounds:  []Round{{Hypothesis: tree.Stump{Feature: 0, Threshold: 1.5, Left: 0, Right: 1}, Alpha: 800, Z: 1}},
		},
	}
	x := mat.NewDense(4, 1, []float64{1, 1, 2, 2})
	for y, want := range map[[4]int][]float64{{0, 0, 1, 1}: {.25, .25, .25, .25}, {1, 0, 0, 1}: {.5, 0, .5, 0}} {
		tr, err := m.Trace(x, y[:], nil)
		if err != nil {
			t.Fatal(err)
		}
		estimatortest.NearAll(t, "weights", tr.Weights[1], want, 1e-15)
	}
	if a, _, err := Reoptimise(ctx, mat.NewDense(3, 1, []float64{1, 1, -1}), []int{1, 0, 0}, []float64{0}, 1); err != nil || len(a) != 1 {
		t.Error("one iteration", a, err)
	}
	for name, s := range map[string]state{
		"no features":         {Learner: "stumps"},
		"a feature too far":   {D: 1, Rounds: []Round{{Hypothesis: tree.Stump{Feature: 1}}}},
		"a negative feature":  {D: 1, Rounds: []Round{{Hypothesis: tree.Stump{Feature: -1}}}},
		"no weak classifier":  {D: 1, Rounds: []Round{{Alpha: 1}}},
		"a tree of no fit":    {D: 1, Rounds: []Round{{Hypothesis: &tree.Classifier{}}}},
		"a tree of two":       {D: 1, Rounds: []Round{{Hypothesis: treeOfTwo(t)}}},
		"a stump of features": {D: -1, Rounds: nil},
		"one class":           {D: 1, K: 1},
		"less than no class":  {D: 1, K: -3},
		"too many classes":    {D: 1, K: 1 << 40},
		"rounds of others":    {D: 1, K: 3, Rounds: []Round{{Hypothesis: tree.Stump{}, Classes: 2}}},
	} {
		data, err := estimator.Encode("boost.Model", modelVersion, s)
		if err != nil {
			continue // an unfitted classifier cannot be stored
		}
		if new(Model).UnmarshalBinary(data) == nil {
			t.Errorf("%s: read", name)
		}
	}
}

// treeOfTwo is a tree on two features.
func treeOfTwo(t *testing.T) *tree.Classifier {
	c, err := tree.Fit(ctx, mat.NewDense(2, 2, []float64{0, 0, 1, 1}), []int{0, 1}, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exp(-2 gamma^2 T) < 1/n needs T > log n / (2 gamma^2): 2.3e20 rounds for n = 100 and gamma = 1e-10, which an int cannot count.
func TestRoundsToZeroSaturates(t *testing.T) {
	for _, c := range []struct {
		n     int
		gamma float64
		want  int
	}{{100, 1e-10, math.MaxInt}, {2, 1e-300, math.MaxInt}, {1, 1e-300, 1}, {100, 0.1, 231}, {1 << 50, 0.5, 70}} {
		if got := RoundsToZero(c.n, c.gamma); got != c.want {
			t.Errorf("RoundsToZero(%d, %g) = %d, want %d", c.n, c.gamma, got, c.want)
		}
	}
}
