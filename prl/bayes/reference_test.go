package bayes

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// iris reads Fisher's iris data (1936, public domain).
func iris(t testing.TB) (*mat.Dense, []int) {
	t.Helper()
	f, err := os.Open("testdata/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[1:]
	X, y := mat.NewDense(len(rows), 4, nil), make([]int, len(rows))
	for i, r := range rows {
		for j := range 4 {
			v, err := strconv.ParseFloat(r[j], 64)
			if err != nil {
				t.Fatal(err)
			}
			X.Set(i, j, v)
		}
		y[i] = slices.Index([]string{"setosa", "versicolor", "virginica"}, r[4])
	}
	return X, y
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %.15g, want %.15g, |difference| %.2g > %.2g", what, got, want, math.Abs(got-want), tol)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Source: R 4.2.2, MASS 7.3-58.2, lda(Species ~ ., iris); cross-checked with an independent generalised eigenproblem.
func TestReferenceLDAIris(t *testing.T) {
	X, y := iris(t)
	m := must(FitLDA(context.Background(), X, y, DefaultOptions()))
	V, s, share, err := m.Coordinates(150)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0.829377642266, -0.024102148876953}, {1.5344730677, -2.1645212346584}, {-2.2012116555618, 0.93192121002937}, {-2.8104603088431, -2.8391878529827}}
	for a := range 2 {
		sign := 1.0
		if V.At(1, a)*want[1][a] < 0 {
			sign = -1
		}
		for i := range 4 {
			near(t, "scaling", sign*V.At(i, a), want[i][a], 1e-10)
		}
		near(t, "svd", s[a], []float64{48.642643802259, 4.5799827109713}[a], 1e-10)
		near(t, "proportion of trace", share[a], []float64{0.99121260496537, 0.0087873950346328}[a], 1e-12)
	}
	p := must(m.Predict(X))
	right := 0
	for i := range y {
		if p[i] == y[i] {
			right++
		}
	}
	if right != 147 { // R MASS and scikit-learn 1.2.1
		t.Errorf("%d of 150 right, want 147", right)
	}
}

// Source: R 4.2.2, MASS 7.3-58.2, qda(Species ~ ., iris) and qda(..., CV = TRUE); cross-checked with own numpy.
func TestReferenceQDAIris(t *testing.T) {
	X, y := iris(t)
	m := must(FitQDA(context.Background(), X, y, DefaultOptions()))
	for k, want := range []float64{-13.067360326588, -10.874325040247, -8.9270584782589} {
		near(t, "log det", m.Gaussian(k).LogDet(), want, 1e-8)
	}
	proba := must(m.Proba(X))
	for i, want := range map[int][]float64{
		71:  {1.0527233001739e-103, 0.33594418312415, 0.66405581687585},
		84:  {4.1020092680564e-114, 0.15434833098163, 0.84565166901837},
		134: {4.5506699376471e-111, 0.60496113151246, 0.39503886848754},
	} {
		for k := range 3 {
			near(t, "posterior", proba.At(i-1, k), want[k], 1e-8)
			near(t, "posterior, relative", proba.At(i-1, k)/want[k], 1, 1e-8)
		}
	}
	var wrong, wrongLOO []int
	predicted := must(m.Predict(X))
	for i := range y {
		if predicted[i] != y[i] {
			wrong = append(wrong, i+1)
		}
		o := DefaultOptions()
		o.Weights = make([]float64, 150) // weight zero leaves the row out
		for k := range o.Weights {
			o.Weights[k] = 1
		}
		o.Weights[i] = 0
		if must(FitQDA(context.Background(), X, y, o)).Class(X.RawRowView(i)...) != y[i] {
			wrongLOO = append(wrongLOO, i+1)
		}
	}
	if !slices.Equal(wrong, []int{71, 84, 134}) || !slices.Equal(wrongLOO, []int{69, 71, 84, 134}) {
		t.Errorf("errors at rows %v, leave-one-out %v", wrong, wrongLOO)
	}
}

// Source: scikit-learn 1.2.1, GaussianNB on iris: 144 of 150 right.
func TestReferenceGaussianNBIris(t *testing.T) {
	X, y := iris(t)
	p := must(must(FitGaussianNB(context.Background(), X, y, DefaultOptions())).Predict(X))
	right := 0
	for i := range y {
		if p[i] == y[i] {
			right++
		}
	}
	if right != 144 {
		t.Errorf("%d of 150 right, want 144", right)
	}
}

// Source: Wikipedia, "Naive Bayes classifier", person classification (6.1984e-09 and 5.3778e-04 with rounded variances); exact figures by numpy/scipy.
func TestReferencePersonClassification(t *testing.T) {
	X := mat.NewDense(8, 3, []float64{6, 180, 12, 5.92, 190, 11, 5.58, 170, 12, 5.92, 165, 10, 5, 100, 6, 5.5, 150, 8, 5.42, 130, 7, 5.75, 150, 9})
	m := must(FitGaussianNB(context.Background(), X, []int{0, 0, 0, 0, 1, 1, 1, 1}, DefaultOptions()))
	for j, want := range []float64{0.035033333333333, 122.91666666667, 0.91666666666667} {
		near(t, "variance, male", m.Gaussian(0).Cov().At(j, j)/want, 1, 1e-9)
	}
	for j, want := range []float64{0.097225, 558.33333333333, 1.6666666666667} {
		near(t, "variance, female", m.Gaussian(1).Cov().At(j, j)/want, 1, 1e-9)
	}
	joint := m.Model().Joint(6, 130, 8)
	near(t, "numerator, male", joint[0]/6.1970718438781e-09, 1, 1e-9)
	near(t, "numerator, female", joint[1]/0.000537790918363, 1, 1e-9)
}

// Source: T. M. Mitchell, Machine Learning, 1997, section 6.9.1 (0.0053, 0.0206); exact rationals.
func TestReferencePlayTennis(t *testing.T) {
	names := [][]string{{"sunny", "overcast", "rain"}, {"hot", "mild", "cool"}, {"high", "normal"}, {"weak", "strong"}, {"no", "yes"}}
	table := [][]string{
		{"sunny", "hot", "high", "weak", "no"}, {"sunny", "hot", "high", "strong", "no"}, {"overcast", "hot", "high", "weak", "yes"},
		{"rain", "mild", "high", "weak", "yes"}, {"rain", "cool", "normal", "weak", "yes"}, {"rain", "cool", "normal", "strong", "no"},
		{"overcast", "cool", "normal", "strong", "yes"}, {"sunny", "mild", "high", "weak", "no"}, {"sunny", "cool", "normal", "weak", "yes"},
		{"rain", "mild", "normal", "weak", "yes"}, {"sunny", "mild", "normal", "strong", "yes"}, {"overcast", "mild", "high", "strong", "yes"},
		{"overcast", "hot", "normal", "weak", "yes"}, {"rain", "mild", "high", "strong", "no"},
	}
	var rows [][]int
	var y []int
	for _, r := range table {
		row := make([]int, 5)
		for j, v := range r {
			row[j] = slices.Index(names[j], v)
		}
		rows, y = append(rows, row[:4]), append(y, row[4])
	}
	m := must(FitNominal(rows, y, 0))
	a := must(m.LogJoint(0, 2, 0, 1))
	near(t, "score of yes", math.Exp(a[1])/0.00529100529100529, 1, 1e-12)
	near(t, "score of no", math.Exp(a[0])/0.0205714285714286, 1, 1e-12)
	near(t, "posterior of yes", must(m.Posterior(0, 2, 0, 1))[1]/0.20458265139116, 1, 1e-12)
}

// Source: Duda, Hart and Stork, Pattern Classification, 2nd ed., chapter 2, example 1 (x2 = 3.514 - 1.125 x1 + 0.1875 x1^2); closed forms.
func TestReferenceDudaHartStork(t *testing.T) {
	g0 := must(NewGaussian([]float64{3, 6}, mat.NewSymDense(2, []float64{0.5, 0, 0, 2})))
	g1 := must(NewGaussian([]float64{3, -2}, mat.NewSymDense(2, []float64{2, 0, 0, 2})))
	A, b, c, err := Discriminant(g0, g1, 0.5, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "A22", A.At(1, 1), 0, 1e-12)
	for i, v := range []float64{c, b[0], A.At(0, 0)} {
		near(t, "c", -v/b[1], []float64{3.51421320486, -1.125, 0.1875}[i], 1e-9)
	}
	near(t, "k(1/2)", must(ChernoffExponent(g0, g1, 0.5)), 4.1115717756571, 1e-9)
	near(t, "Bhattacharyya bound", must(BhattacharyyaBound(g0, g1, 0.5, 0.5)), 0.0081910027213097, 1e-9)
	if bound, beta, err := ChernoffBound(g0, g1, 0.5, 0.5); err != nil || bound > 0.0081910027213097 || beta < 0.1 || beta > 0.9 {
		t.Error(bound, beta, err)
	}
}

// Source: closed form, x^2 = (8/3) ln 2.
func TestReferenceUnequalVariances(t *testing.T) {
	m := must(NewModel([]float64{0.5, 0.5}, must(Normal(0, 1)), must(Normal(0, 2))))
	r := must(m.Rule(ZeroOne(2)))
	if !slices.Equal(r.Actions, []int{1, 0, 1}) {
		t.Fatal(r)
	}
	near(t, "boundary", r.Cuts[1], 1.3595559868917, 1e-12)
	near(t, "boundary", r.Cuts[0], -1.3595559868917, 1e-12)
	near(t, "Bayes error", must(m.BayesError()), 0.33866271558262, 1e-12)
	near(t, "Bayes error by quadrature", must(m.QuadratureRisk(ZeroOne(2), nil)), 0.33866271558262, 1e-12)
}

// Source: N(0,1) against N(2,1): t = 1 + ln(p0/p1)/2, E = p0 Phi(-t) + p1 Phi(t-2).
func TestReferenceEqualVariances(t *testing.T) {
	for _, c := range []struct{ p, t, e, tol float64 }{{0.5, 1, 0.15865525393145707, 1e-15}, {0.7, 1.423649, 0.138749, 5e-7}} {
		m := must(NewModel([]float64{c.p, 1 - c.p}, must(Normal(0, 1)), must(Normal(2, 1))))
		r := must(m.Rule(ZeroOne(2)))
		near(t, "threshold", r.Cuts[0], c.t, max(c.tol, 5e-7))
		near(t, "Bayes error", must(m.BayesError()), c.e, c.tol)
		near(t, "quadrature", must(m.QuadratureRisk(ZeroOne(2), nil)), must(m.BayesError()), 1e-13)
		near(t, "quadrature of the rule", must(m.QuadratureRisk(ZeroOne(2), r.Action)), must(m.BayesError()), 1e-12)
	}
}
