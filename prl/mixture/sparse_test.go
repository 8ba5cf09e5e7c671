package mixture

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// thinGroups has groups that store other columns, a twentieth of the numbers.
func thinGroups(seed uint64, n, d, k int) *mat.Dense {
	r, X := rand.New(rand.NewPCG(seed, 1)), mat.NewDense(n, d, nil)
	for i := range n {
		for range d / 20 {
			j := r.IntN(d)
			if r.IntN(3) > 0 {
				j = j/k*k + i%k
			}
			X.Set(i, min(j, d-1), 1+r.ExpFloat64())
		}
	}
	return X
}

// Rows without their zeros have the clusters of the dense rows, by every algorithm, start and weight.
func TestKMeansOfSparseRows(t *testing.T) {
	for _, shape := range [][3]int{{3000, 120, 5}, {500, 40, 1}, {1500, 60, 19}} {
		n, d, k := shape[0], shape[1], shape[2]
		X := thinGroups(5, n, d, k)
		S, w := sparse.Of(X), make([]float64, n)
		for i := range w {
			w[i] = float64(i%4) / 2
		}
		for _, o := range []KMeansOptions{
			{K: k}, {K: k, Algorithm: Lloyd, Restarts: 3}, {K: k, Weights: w, Restarts: 3}, {K: k, Tol: 1e-3, Restarts: 3},
		} {
			dense, err := FitKMeans(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			m, err := FitKMeans(ctx, S, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Labels(), dense.Labels()) || m.Iterations() != dense.Iterations() {
				t.Fatalf("%v %+v: %v and %v", shape, o, m, dense)
			}
			near(t, "inertia", m.Inertia(), dense.Inertia(), 1e-12*dense.Inertia())
			for c, centre := range m.Centres() {
				for j, v := range centre {
					near(t, "centre", v, dense.Centres()[c][j], 1e-12)
				}
			}
			y, err := m.Predict(S)
			if err != nil || !slices.Equal(y, m.Labels()) && o.Tol == 0 {
				t.Error("other labels", err)
			}
			if again, err := m.Predict(X); err != nil || !slices.Equal(y, again) {
				t.Error("dense rows have other labels", err)
			}
			a, _ := m.Transform(S)
			b, _ := m.Transform(X)
			if !mat.EqualApprox(a, b, 1e-12) {
				t.Error("distances differ")
			}
			u, _ := m.Within(S)
			v, _ := m.Within(X)
			for c := range u {
				near(t, "within", u[c], v[c], 1e-12*dense.Inertia())
			}
		}
	}
}

// k-means++ draws the same rows, and the bounds of Hamerly's algorithm cost no assignment: all distances give the same rounds.
func TestSparseSeedsAndBounds(t *testing.T) {
	X := thinGroups(6, 2500, 80, 12)
	S := sparse.Of(X)
	for seed := range uint64(20) {
		a, err := PlusPlus(X, 12, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		b, err := PlusPlus(S, 12, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		for c := range a {
			if !slices.Equal(a[c], b[c]) {
				t.Fatalf("seed %d draws another centre %d", seed, c)
			}
		}
		p, _ := PlusPlusProbabilities(X, a)
		q, _ := PlusPlusProbabilities(S, a)
		for i := range p {
			near(t, "probability", q[i], p[i], 1e-14)
		}
		bounds, err := FitKMeans(ctx, S, KMeansOptions{K: 12, Centres: a})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := FitKMeans(ctx, S, KMeansOptions{K: 12, Centres: a, Algorithm: Lloyd})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(bounds.Labels(), plain.Labels()) || bounds.Inertia() != plain.Inertia() || bounds.Iterations() != plain.Iterations() {
			t.Fatalf("seed %d: %v and %v", seed, bounds, plain)
		}
	}
}

// Equal rows are one centre, clusters that lose their rows get others, and numbers of any size are clustered.
func TestSparseExtremes(t *testing.T) {
	for _, unit := range []float64{1, 1e-180, 1e180} {
		X := mat.NewDense(6, 4, nil)
		for i := range 6 {
			X.Set(i, i/2, unit*float64(1+i/2))
		}
		start := [][]float64{{unit, 0, 0, 0}, {50 * unit, 0, 0, 50 * unit}, {60 * unit, 0, 60 * unit, 0}}
		dense, err := FitKMeans(ctx, X, KMeansOptions{K: 3, Centres: start})
		if err != nil {
			t.Fatal(err)
		}
		m, err := FitKMeans(ctx, sparse.Of(X), KMeansOptions{K: 3, Centres: start})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Labels(), dense.Labels()) || m.Inertia() != dense.Inertia() {
			t.Errorf("unit %g: %v %v and %v %v", unit, m, m.Labels(), dense, dense.Labels())
		}
		y, err := m.Predict(sparse.Of(X))
		if err != nil || !slices.Equal(y, m.Labels()) {
			t.Errorf("unit %g: %v, %v", unit, y, err)
		}
		if all, err := FitKMeans(ctx, sparse.Of(X), KMeansOptions{K: 6}); err != nil || all.Inertia() > 1e-15*unit*unit {
			t.Errorf("unit %g: %v, %v", unit, all, err)
		}
	}
	X := thinGroups(7, 50, 30, 2)
	X.Set(4, 3, math.Inf(1))
	if _, err := FitKMeans(ctx, sparse.Of(X), KMeansOptions{K: 2}); err == nil || !strings.Contains(err.Error(), "X[4, 3]") {
		t.Error(err)
	}
	m, err := KMeansOf([][]float64{make([]float64, 30), slices.Repeat([]float64{1}, 30)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Predict(sparse.Of(X)); err == nil || !strings.Contains(err.Error(), "X[4, 3]") {
		t.Error(err)
	}
}
