package reduce

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/kernel"
)

// rows draws n rows of d features.
func someRows(seed uint64, n, d int) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 14))
	X := mat.NewDense(n, d, nil)
	X.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, X)
	return X
}

func fitKernel(t *testing.T, X mat.Matrix, k kernel.Kernel, components int) *KernelPCA {
	t.Helper()
	p, err := FitKernelPCA(context.Background(), X, KernelPCAOptions{Kernel: k, Components: components})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func same(t *testing.T, what string, got, want mat.Matrix, tol float64) {
	t.Helper()
	if n, k := got.Dims(); true {
		if m, l := want.Dims(); m != n || l != k {
			t.Fatalf("%s is %d x %d, want %d x %d", what, n, k, m, l)
		}
		for j := range k {
			sign := 1.0
			if a, b := mat.Col(nil, j, got), mat.Col(nil, j, want); dot(a, b) < 0 {
				sign = -1
			}
			for i := range n {
				if d := math.Abs(sign*got.At(i, j) - want.At(i, j)); !(d <= tol) {
					t.Errorf("%s (%d, %d): %v, want %v", what, i, j, got.At(i, j), want.At(i, j))
				}
			}
		}
	}
}

// In the feature space of a polynomial kernel, written out, PCA finds the same variances and scores, also of rows it has not seen.
func TestKernelPCAIsPCAOfFeatures(t *testing.T) {
	X, Z := someRows(1, 20, 3), someRows(2, 5, 3)
	for _, k := range []kernel.Poly{{Degree: 1, Gamma: 1}, {Degree: 2, Gamma: 1, Coef0: 1}, {Degree: 3, Gamma: 0.5, Coef0: 2}} {
		phi, err := kernel.Features(k, 3)
		if err != nil {
			t.Fatal(err)
		}
		lift := func(X *mat.Dense) *mat.Dense {
			n, _ := X.Dims()
			out := mat.NewDense(n, phi.Len(), nil)
			for i := range n {
				out.SetRow(i, phi.At(X.RawRowView(i)))
			}
			return out
		}
		for _, of := range []Divisor{Sample, Population} {
			p, err := FitKernelPCA(context.Background(), X, KernelPCAOptions{Kernel: k, Components: 3, Divisor: of})
			if err != nil {
				t.Fatal(err)
			}
			q, err := FitPCA(context.Background(), lift(X), PCAOptions{Components: 3, Divisor: of})
			if err != nil {
				t.Fatal(err)
			}
			for j, v := range p.Variances() {
				if w := q.Variances()[j]; math.Abs(v-w) > 1e-10*w {
					t.Errorf("%v: variance %v, want %v", k, v, w)
				}
			}
			if math.Abs(p.Total()-q.Total()) > 1e-10*q.Total() {
				t.Errorf("%v: total %v, want %v", k, p.Total(), q.Total())
			}
			for what, rows := range map[string]*mat.Dense{"the fit": X, "new rows": Z} {
				got, err1 := p.Transform(rows)
				want, err2 := q.Transform(lift(rows))
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				same(t, k.String()+": scores of "+what, got, want, 1e-9*math.Sqrt(q.Total()))
			}
		}
	}
}

// The path for many rows and few components finds what all eigenvalues give.
func TestKernelPCAKrylov(t *testing.T) {
	X := someRows(3, 600, 4)
	few := fitKernel(t, X, kernel.RBF{Gamma: 0.2}, 5)
	all := fitKernel(t, X, kernel.Func("RBF", kernel.RBF{Gamma: 0.2}.Eval), 5) // not known to be a kernel
	for j, v := range few.Variances() {
		if w := all.Variances()[j]; math.Abs(v-w) > 1e-10*w {
			t.Errorf("variance %v, want %v", v, w)
		}
	}
	Z := someRows(4, 3, 4)
	got, err1 := few.Transform(Z)
	want, err2 := all.Transform(Z)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	same(t, "scores", got, want, 1e-8)
}

// Rows with a Gram matrix alone, and rows given twice.
func TestKernelPCAOfGram(t *testing.T) {
	X, Z := someRows(5, 15, 2), someRows(6, 4, 2)
	k := kernel.RBF{Gamma: 1}
	G, err := kernel.Gram(k, X)
	if err != nil {
		t.Fatal(err)
	}
	C, err := kernel.Cross(k, Z, X)
	if err != nil {
		t.Fatal(err)
	}
	got, err1 := fitKernel(t, G, kernel.Precomputed{}, 3).Transform(C)
	want, err2 := fitKernel(t, X, k, 3).Transform(Z)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	same(t, "scores", got, want, 1e-12)
	twice := mat.NewDense(30, 2, nil)
	twice.Stack(X, X)
	p := fitKernel(t, twice, k, All)
	if p.Components() != 14 {
		t.Errorf("%d components of 15 different rows, want 14", p.Components())
	}
	z, err := p.Transform(twice)
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range p.Variances() {
		if s := mat.Col(nil, j, z); math.Abs(dot(s, s)/29-v) > 1e-10 {
			t.Errorf("variance of the scores %v, want %v", dot(s, s)/29, v)
		}
	}
}

// Six points and a tanh that is no kernel there: scikit-learn issue 8368.
func TestKernelPCARefuses(t *testing.T) {
	X := someRows(7, 6, 2)
	for want, o := range map[string]KernelPCAOptions{
		"with eigenvalues from -":    {Kernel: kernel.Sigmoid{Gamma: 4}},
		"Components is 7":            {Components: 7},
		"X is of 2 components":       {Components: 3},
		"RBF gamma is -1":            {Kernel: kernel.RBF{Gamma: -1}},
		"Divisor is 7":               {Divisor: 7},
		"Gram matrix is not finite":  {Kernel: kernel.Func("inf", func(a, b []float64) float64 { return math.Inf(1) })},
		"a square Gram matrix for a": {Kernel: kernel.Precomputed{}},
	} {
		if _, err := FitKernelPCA(context.Background(), X, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestKernelPCAPlan(t *testing.T) {
	set := datasets.Rings(40, 0.05, 1)
	plan := PlanKernelPCA(2).RBF(3).Population().Fit(set)
	for _, fig := range []*plotting.Figure{plan.Scores(), plan.Component(1), PlanKernelPCA(1).Poly(2).Fit(set).Scores()} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%d bytes, %v", len(svg), err)
		}
	}
	if table := plan.Table(); table.Len() != 2 || table.Err() != nil {
		t.Error(table.Err())
	}
	if r := plan.Ratios(); !(r[0] >= r[1]) || !(r[0]+r[1] < 1) || plan.Variances()[0] <= 0 {
		t.Error(r)
	}
	if err := plan.Component(2).Err(); err == nil {
		t.Error("a third component of two")
	}
	for want, p := range map[string]KernelPCAPlan{
		"number of arguments": PlanKernelPCA().Poly(2, 1, 1, 1), "sigmoid gamma is 0": PlanKernelPCA().Sigmoid(0, 1),
		"Kernel is nil": PlanKernelPCA().Kernel(nil),
	} {
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
