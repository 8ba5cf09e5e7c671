package sufficient_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/sparse"
	"github.com/prlab/prlab/prl/sufficient"
)

// thinSample has 24 columns of which three are stored in most rows, one of them always and far from zero, and the others in a tenth.
func thinSample() (X *mat.Dense, y []int, w []float64) {
	random := rand.New(rand.NewPCG(4, 2))
	X, y, w = mat.NewDense(900, 24, nil), make([]int, 900), make([]float64, 900)
	for i := range y {
		y[i], w[i] = i%3, float64(random.IntN(3))
		for j := range 24 {
			switch v := random.NormFloat64(); {
			case j == 5:
				X.Set(i, j, 1e6+v)
			case j == 11 && i%10 > 2:
				X.Set(i, j, 3+v)
			case j == 12 && i > 100:
				X.Set(i, j, -2)
			case j%12 != 0 && random.IntN(12) == 0:
				X.Set(i, j, v+float64(y[i]))
			}
		}
	}
	return X, y, w
}

// Moments of rows without their zeros are those of the dense rows, also where a column is far from zero: the digits of its spread stay.
func TestMomentsOfSparseRows(t *testing.T) {
	X, y, weights := thinSample()
	S := sparse.Of(X)
	if 4*S.NonZeros() > 900*24 {
		t.Fatalf("%v is too full", S)
	}
	for _, w := range [][]float64{nil, weights} {
		var dense, thin sufficient.Moments
		must(t, dense.Add(X, w))
		must(t, thin.Add(S, w))
		scatter := func(m *sufficient.Moments) []float64 {
			s := m.Scatter()
			var all []float64
			for i := range 24 {
				for j := range 24 { // as a correlation, so that all are of one size
					unit := 1.0
					if s.At(i, i) > 0 && s.At(j, j) > 0 {
						unit = math.Sqrt(s.At(i, i) * s.At(j, j))
					}
					all = append(all, s.At(i, j)/unit)
				}
			}
			return all
		}
		for j, v := range thin.Mean() {
			near(t, "mean", []float64{v}, dense.Mean()[j:j+1], within)
		}
		near(t, "scatter", scatter(&thin), scatter(&dense), within)
		if thin.Weight() != dense.Weight() || thin.Rows() != dense.Rows() {
			t.Error(thin.Weight(), thin.Rows())
		}
		var a, b sufficient.Classes
		must(t, a.Add(X, y, w))
		must(t, b.Add(S, y, w))
		o := bayes.Options{}
		o.Shrinkage = 0.1 // columns 0 and 12 do not vary in a class
		p := got[*mat.Dense](t)(got[*bayes.Classifier](t)(a.LDA(o)).Proba(X))
		q := got[*mat.Dense](t)(got[*bayes.Classifier](t)(b.LDA(o)).Proba(S))
		near(t, "posteriors", numbers(q), numbers(p), 1e-9)
		c, e := sufficient.Classes{Diagonal: true}, sufficient.Classes{Diagonal: true}
		must(t, c.Add(X, y, w))
		must(t, e.Add(S, y, w))
		for class := range 3 {
			near(t, "mean of a class", e.Mean(class), c.Mean(class), within)
		}
		start := got[*mixture.KMeans](t)(mixture.KMeansOf([][]float64{X.RawRowView(0), X.RawRowView(1), X.RawRowView(8)}))
		r, s := got[*sufficient.KMeansRound](t)(sufficient.NewKMeansRound(start)),
			got[*sufficient.KMeansRound](t)(sufficient.NewKMeansRound(start))
		must(t, r.Add(X, w))
		must(t, s.Add(S, w))
		if !slices.Equal(r.Sizes(), s.Sizes()) {
			t.Error("other clusters", r.Sizes(), s.Sizes())
		}
		near(t, "inertia", []float64{s.Inertia()}, []float64{r.Inertia()}, 1e-9)
	}
	// A part more is merged, of another form.
	var one, two sufficient.Moments
	must(t, one.Add(X, nil))
	must(t, one.Add(X.Slice(0, 90, 0, 24), nil))
	must(t, two.Add(X, nil))
	must(t, two.Add(S.Select(all(90)...), nil))
	near(t, "merged means", two.Mean(), one.Mean(), within)
	X.Set(3, 2, 1e160)
	X.Set(4, 7, 1e160)
	var m sufficient.Moments
	if err := m.Add(sparse.Of(X), nil); err == nil || m.Rows() != 0 {
		t.Error(err, m.Rows())
	}
	if err := m.Add(sparse.Of(X), []float64{1}); err == nil || !strings.Contains(err.Error(), "Weights") {
		t.Error(err)
	}
}

func all(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
