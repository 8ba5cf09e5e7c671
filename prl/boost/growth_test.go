package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// pass takes rows in by parts of all sizes, sent in bytes, and merges them in an order that is drawn.
func pass(t *testing.T, r *rand.Rand, g *Growth, X *mat.Dense, z, w []float64) {
	t.Helper()
	n, d := X.Dims()
	parts := []*GrowthPart{g.Part()}
	for from := 0; from < n; {
		to := min(n, from+1+r.IntN(n))
		data, err := g.Part().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var p, q GrowthPart
		if err := p.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		weights := w
		if w != nil {
			weights = w[from:to]
		}
		if err := p.Add(X.Slice(from, to, 0, d), z[from:to], weights); err != nil {
			t.Fatal(err)
		}
		if data, err = p.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
		if err := q.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		parts, from = append(parts, &q), to
	}
	r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	for _, p := range parts[1:] {
		if err := parts[0].Merge(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Take(parts[0]); err != nil {
		t.Fatal(err)
	}
}

// A growth of rows in parts is the fit on all rows, bit for bit, for all losses whose start is a mean and for all ways to grow.
func TestGrowth(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 28))
	ctx := context.Background()
	for _, c := range []struct {
		o       GradientOptions
		classes int
	}{
		{GradientOptions{}, 0},
		{GradientOptions{Depth: 3, Rate: 0.5}, 0},
		{GradientOptions{Loss: PoissonLoss()}, 0},
		{GradientOptions{Lambda: estimator.None, Gamma: 0.3, Leaves: 9}, 0},
		{GradientOptions{Monotone: []int{1, -1, 0, 0}}, 0},
		{GradientOptions{Bins: 7, MinLeaf: 1}, 0},
		{GradientOptions{}, 2},
		{GradientOptions{Loss: ExponentialLoss(), Depth: 2}, 2},
		{GradientOptions{Gamma: 1e9}, 0},
		{GradientOptions{Rate: 0.3}, 3},
		{GradientOptions{Leaves: 6, MinLeaf: 3}, 5},
		{GradientOptions{Gamma: 1e9}, 4},
	} {
		o, classes := c.o, c.classes
		X, z := wavy(r, 100+r.IntN(300), 4, 0.1)
		var w []float64
		if r.IntN(2) == 0 {
			for range z {
				w = append(w, 0.1+r.ExpFloat64())
			}
		}
		y := make([]int, len(z))
		for i, v := range z {
			switch {
			case o.Loss.kind == poissonLoss:
				z[i] = math.Abs(math.Round(v))
			case classes > 0:
				y[i] = max(0, min(int(v*float64(classes)), classes-1))
				z[i] = float64(y[i])
			}
		}
		o.Gaps, o.Rounds = true, 6
		g, err := NewGrowth(ctx, X, classes, o)
		if err != nil {
			t.Fatal(err)
		}
		passes := 0
		for ; !g.Done(); passes++ {
			pass(t, r, g, X, z, w)
		}
		o.Weights = w
		if classes > 0 {
			have, err := g.Classifier()
			if err != nil {
				t.Fatal(err)
			}
			want, err := FitGradient(ctx, X, y, o)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(have.s, want.s) || o.Gamma < 1 && have.Len() != 6 {
				t.Errorf("%+v: the growth has %v, the fit %v", o, have, want)
			}
			continue
		}
		have, err := g.Regressor()
		if err != nil {
			t.Fatal(err)
		}
		want := regress(t, X, z, o)
		if !reflect.DeepEqual(have.s, want.s) {
			t.Errorf("%+v: the growth has %v, the fit %v", o, have, want)
		}
		if most := 2 + 6*40; passes > most || o.Gamma < 1 && (want.Len() != 6 || passes < 2+6*3) {
			t.Errorf("%+v: %d passes, want at most %d", o, passes, most)
		}
	}
}

// What a growth cannot take is an error that says why.
func TestGrowthMisuse(t *testing.T) {
	X, z := wavy(rand.New(rand.NewPCG(13, 28)), 30, 2, 0)
	ctx := context.Background()
	errs := map[string]error{}
	for name, o := range map[string]GradientOptions{
		"Loss is absolute": {Loss: AbsoluteLoss()}, "Loss is Huber": {Loss: HuberLoss(1)}, "Rows": {Rows: 0.5}, "Rate": {Rate: -1},
		"Monotone": {Monotone: []int{1}},
	} {
		_, errs[name] = NewGrowth(ctx, X, 0, o)
	}
	_, errs["classes"] = NewGrowth(ctx, X, 1, GradientOptions{})
	g, err := NewGrowth(ctx, X, 2, GradientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first := g.Part()
	errs["target[0]"] = first.Add(X, z, nil)
	errs["29 numbers"] = first.Add(X, z[1:], nil)
	errs["the rows"] = g.Take(first)
	_, errs["Classifier"] = g.Classifier()
	_, errs["Regressor"] = g.Regressor()
	if err := first.Add(X, make([]float64, 30), nil); err != nil {
		t.Fatal(err)
	}
	errs["of one class"] = g.Take(first)
	if err := first.Add(X.Slice(0, 1, 0, 2), []float64{1}, nil); err != nil {
		t.Fatal(err)
	}
	if err := g.Take(first); err != nil {
		t.Fatal(err)
	}
	errs["of another pass"] = g.Take(first)
	errs["Merge"] = g.Part().Merge(first)
	if new(GrowthPart).UnmarshalBinary([]byte("no part")) == nil {
		t.Error("bytes that are no part were read")
	}
	_, errs["MarshalBinary"] = new(GrowthPart).MarshalBinary()
	three, err := NewGrowth(ctx, X, 3, GradientOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the extremes, then the shares of the classes
		p := three.Part()
		errs["a class from 0 to 2"] = p.Add(X.Slice(0, 1, 0, 2), []float64{3}, nil)
		if err := p.Add(X.Slice(0, 2, 0, 2), []float64{0, 2}, nil); err != nil {
			t.Fatal(err)
		}
		errs["without class 1"] = three.Take(p)
	}
	estimatortest.Refused(t, errs)
}
