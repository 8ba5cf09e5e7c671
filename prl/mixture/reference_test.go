package mixture

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g within %g", what, got, want, tol)
	}
}

func nearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		near(t, what+"["+strconv.Itoa(i)+"]", got[i], want[i], tol)
	}
}

// read returns the numeric columns of a file in testdata, and the last column as text.
func read(t testing.TB, name string) (*mat.Dense, []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := strconv.ParseFloat(records[0][0], 64); err != nil {
		records = records[1:]
	}
	var x []float64
	var last []string
	d := 0
	for _, r := range records {
		d = 0
		for _, s := range r {
			if v, err := strconv.ParseFloat(s, 64); err == nil {
				x = append(x, v)
				d++
			}
		}
		last = append(last, r[len(r)-1])
	}
	return mat.NewDense(len(records), d, x), last
}

func column(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func TestKMeansReferences(t *testing.T) {
	usarrests := func(X *mat.Dense) *mat.Dense { // unit variance with n-1
		n, d := X.Dims()
		for j := range d {
			c := mat.Col(nil, j, X)
			mean, ss := 0.0, 0.0
			for _, v := range c {
				mean += v / float64(n)
			}
			for _, v := range c {
				ss += (v - mean) * (v - mean)
			}
			sd := math.Sqrt(ss / float64(n-1))
			for i := range n {
				X.Set(i, j, (c[i]-mean)/sd)
			}
		}
		return X
	}
	for _, c := range []struct {
		file, source string
		k            int
		inertia      float64
		sizes        []int
		within       []float64
		first        []float64 // centre smallest in the first column
		prepare      func(*mat.Dense) *mat.Dense
	}{
		{"iris.csv", "R 4.2.2 kmeans Hartigan-Wong, 200 starts; published 152.348", 2, 152.34795176036, []int{53, 97}, []float64{28.552075471698, 123.79587628866}, []float64{5.0056603773585, 3.3698113207547, 1.5603773584906, 0.29056603773585}, nil},
		{"ruspini.csv", "R 4.2.2 kmeans Hartigan-Wong, 200 starts; published 12881.05", 4, 12881.051236147, []int{15, 17, 20, 23}, []float64{1456.5333333333, 3176.7826086957, 3689.5, 4558.2352941176}, []float64{20.15, 64.95}, nil},
		{"usarrests.csv", "UC Business Analytics R guide, tot.withinss 56.40317; R 4.2.2 kmeans", 4, 56.403173458293, []int{8, 13, 13, 16}, nil, nil, usarrests},
		{"iris.csv", "scikit-learn 1.2.1 KMeans", 3, 78.851441426146, []int{38, 50, 62}, nil, nil, nil},
	} {
		X, _ := read(t, c.file)
		if c.prepare != nil {
			X = c.prepare(X)
		}
		for _, algorithm := range []Algorithm{Hamerly, Lloyd} {
			o := DefaultKMeans(c.k)
			o.Restarts, o.Algorithm = 30, algorithm
			m, err := FitKMeans(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			near(t, c.file+" inertia ("+c.source+")", m.Inertia(), c.inertia, 1e-6)
			sizes := m.Sizes()
			slices.Sort(sizes)
			if !slices.Equal(sizes, c.sizes) {
				t.Errorf("%s: sizes %v, want %v", c.file, sizes, c.sizes)
			}
			if c.within != nil {
				within, err := m.Within(X)
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(within)
				nearAll(t, c.file+" within", within, c.within, 1e-6)
				centres := m.Centres()
				slices.SortFunc(centres, func(a, b []float64) int { return slices.Compare(a, b) })
				nearAll(t, c.file+" first centre", centres[0], c.first, 1e-6)
			}
		}
	}
}

// Source: J. Han and M. Kamber, Data Mining, exercise with eight points A1 ... C2, starts A1, B1, C1.
func TestKMeansEightPoints(t *testing.T) {
	X := mat.NewDense(8, 2, []float64{2, 10, 2, 5, 8, 4, 5, 8, 7, 5, 6, 4, 1, 2, 4, 9})
	for _, algorithm := range []Algorithm{Hamerly, Lloyd} {
		o := DefaultKMeans(3)
		o.Centres, o.Trace, o.Algorithm = [][]float64{{2, 10}, {5, 8}, {1, 2}}, true, algorithm
		m, err := FitKMeans(ctx, X, o)
		if err != nil {
			t.Fatal(err)
		}
		rounds := m.Rounds()
		for i, want := range [][]float64{{2, 10}, {6, 6}, {1.5, 3.5}} {
			nearAll(t, "centre after round 1", rounds[1].Centres[i], want, 1e-9)
		}
		for i, want := range [][]float64{{11. / 3, 9}, {7, 13. / 3}, {1.5, 3.5}} {
			nearAll(t, "final centre", m.Centres()[i], want, 1e-9)
		}
		if got := m.Labels(); !slices.Equal(got, []int{0, 2, 1, 0, 1, 1, 2, 0}) {
			t.Errorf("labels %v", got)
		}
		var j []float64
		for _, r := range rounds {
			j = append(j, r.Inertia)
		}
		nearAll(t, "inertia", j[:4], []float64{67, 29, 19.6875, 14.333333333333}, 1e-9)
	}
}

// Golden: points 0, 1, 2, 8, 9, 10 from the means 0, 1 give J = 195, 34, 4 with means (0,1), (0,6), (1,9); the rectangle has the fixed points J = 16 and J = 1.
func TestKMeansGolden(t *testing.T) {
	o := DefaultKMeans(2)
	o.Centres, o.Trace = [][]float64{{0}, {1}}, true
	m, err := FitKMeans(ctx, column(0, 1, 2, 8, 9, 10), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ a, b, j float64 }{{0, 1, 195}, {0, 6, 34}, {1, 9, 4}} {
		r := m.Rounds()[i]
		nearAll(t, "round", []float64{r.Centres[0][0], r.Centres[1][0], r.Inertia}, []float64{want.a, want.b, want.j}, 1e-12)
	}
	rectangle := mat.NewDense(4, 2, []float64{0, 0, 0, 1, 4, 0, 4, 1})
	for _, c := range []struct {
		centres [][]float64
		j       float64
	}{{[][]float64{{2, 0}, {2, 1}}, 16}, {[][]float64{{0, .5}, {4, .5}}, 1}} {
		o.Centres = c.centres
		if m, err = FitKMeans(ctx, rectangle, o); err != nil {
			t.Fatal(err)
		}
		near(t, "fixed point", m.Inertia(), c.j, 0)
	}
}

// Closed form: D^2 weighting of {0, 1, 3, 10} with the first centre 0.
func TestPlusPlus(t *testing.T) {
	p, err := PlusPlusProbabilities(column(0, 1, 3, 10), [][]float64{{0}})
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "probabilities", p, []float64{0, 1. / 110, 9. / 110, 100. / 110}, 1e-12)
}

// Source: mclust 6.0.0 (R 4.2.2) with EM tolerance 1e-12; its printed BIC is 2 L - p log n.
func TestFaithful(t *testing.T) {
	X, _ := read(t, "faithful.csv")
	o := DefaultGMM(3)
	o.Covariance, o.Reg, o.Tol, o.MaxIter, o.Restarts = Tied, 0, 1e-13, 5000, 5
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := m.LogLikelihood(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "EEE,3 log-likelihood", l, -1126.3159278235, 1e-4)
	bic, err := m.BIC(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "EEE,3 BIC", -bic, -2314.2956783762, 2e-4)
	if m.FreeParameters() != 11 {
		t.Errorf("%d free parameters, want 11", m.FreeParameters())
	}
	order := []int{0, 1, 2}
	means := m.Means()
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(means[a], means[b]) })
	for i, want := range []struct {
		w    float64
		mean []float64
	}{{0.35637811839523, []float64{2.0376147363511, 54.491285015859}}, {0.16860601443953, []float64{3.7977587410992, 77.468866059316}}, {0.47501586716524, []float64{4.4657388604717, 80.872752062964}}} {
		near(t, "weight", m.Weights()[order[i]], want.w, 1e-3)
		nearAll(t, "mean", means[order[i]], want.mean, 1e-2)
	}
	nearAll(t, "covariance", m.Covariances()[0][0], []float64{0.077975418159283, 0.47015841868362}, 1e-3)
	near(t, "covariance", m.Covariances()[0][1][1], 33.672041439626, 1e-2)

	o = DefaultGMM(2)
	o.Reg = 0
	if m, err = FitGMM(ctx, X, o); err != nil {
		t.Fatal(err)
	}
	if bic, err = m.BIC(X); err != nil {
		t.Fatal(err)
	}
	near(t, "VVV,2 BIC (mclust print-out -2322.192)", -bic, -2322.192, 5e-3)
	near(t, "VVV,2 log-likelihood (mclust print-out)", m.History()[len(m.History())-1], -1130.264, 1e-3)
}

// Source: mclust 6.0.0, iris VVV,3 (log-likelihood -180.1858, BIC -580.8399; classification error 3.3 %).
func TestIris(t *testing.T) {
	X, species := read(t, "iris.csv")
	names := []string{"setosa", "versicolor", "virginica"}
	r := make([]float64, 150*3)
	y := make([]int, 150)
	for i, s := range species {
		y[i] = slices.Index(names, strings.Trim(s, `"`))
		if y[i] < 0 {
			t.Fatalf("species %q", s)
		}
		r[i*3+y[i]] = 1
	}
	shape := &GMM{kind: Full, k: 3, d: 4, weights: make([]float64, 3), means: make([]float64, 12)}
	start, bad := shape.maximise(X.RawMatrix().Data, 150, nil, r, 0, hold{})
	if bad >= 0 {
		t.Fatal("start collapsed")
	}
	o := DefaultGMM(3)
	o.Start, o.Reg, o.Tol, o.MaxIter = start, 0, 1e-13, 5000
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	h := m.History()
	near(t, "log-likelihood of the start", h[0], -182.9208486053, 1e-4)
	near(t, "log-likelihood", h[len(h)-1], -180.1854771313, 1e-4)
	w := m.Weights()
	slices.Sort(w)
	nearAll(t, "weights", w, []float64{0.29919320158143, 1. / 3, 0.36747346508524}, 1e-3)
	bic, err := m.BIC(X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "BIC", -bic, -580.83890720284, 2e-4)
	wrong := 0
	for i, c := range m.Labels() {
		if c != y[i] {
			wrong++
		}
	}
	if wrong != 5 {
		t.Errorf("%d errors against the species, want 5", wrong)
	}
	near(t, "adjusted Rand index", adjustedRand(m.Labels(), y), 0.90387423177481, 1e-9)
	fit, err := FitGMM(ctx, X, DefaultGMM(3))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood from k-means starts (scikit-learn 1.2.1)", fit.History()[len(fit.History())-1], -180.185478, 1e-2)
}

func adjustedRand(a, b []int) float64 {
	table := map[[2]int]float64{}
	rows, cols := map[int]float64{}, map[int]float64{}
	for i := range a {
		table[[2]int{a[i], b[i]}]++
		rows[a[i]]++
		cols[b[i]]++
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var both, r, c float64
	for _, n := range table {
		both += pairs(n)
	}
	for _, n := range rows {
		r += pairs(n)
	}
	for _, n := range cols {
		c += pairs(n)
	}
	expected := r * c / pairs(float64(len(a)))
	return (both - expected) / ((r+c)/2 - expected)
}

// Source: an independent EM; scikit-learn GaussianMixture(max_iter=50, tol=0) has score -3.389268496.
func TestMixS(t *testing.T) {
	all, _ := read(t, "mix_S.csv")
	n, _ := all.Dims()
	X := mat.DenseCopyOf(all.Slice(0, n, 0, 2))
	p := GMMParameters{}
	for c := range 4 {
		p.Weights = append(p.Weights, .25)
		p.Means = append(p.Means, mat.Row(nil, c, X))
		p.Covariances = append(p.Covariances, [][]float64{{1, 0}, {0, 1}})
	}
	start, err := NewGMM(p)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultGMM(4)
	o.Start, o.Tol, o.MaxIter = start, 0, 50
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	for it, want := range map[int]float64{0: -4.0790747166918, 10: -3.3976935524302, 50: -3.3892684964983} {
		near(t, "mean log-likelihood", m.History()[it]/float64(n), want, 1e-6)
	}
	nearAll(t, "weights", m.Weights(), []float64{0.22943892699688, 0.24999872742121, 0.27063944750165, 0.24992289808026}, 1e-6)
	for c, want := range [][]float64{{-2.0372275388554, 1.319815673672}, {2.7735202270951, -2.8526965048648}, {-0.19582494613198, 3.4903738867316}, {-5.4363772663309, 0.69661837707642}} {
		nearAll(t, "mean", m.Means()[c], want, 1e-6)
	}
}

// Source: C. B. Do and S. Batzoglou, Nature Biotechnology 26 (2008) 897: 0.71 and 0.58 after one step, 0.80 and 0.52 after ten.
func TestCoins(t *testing.T) {
	p, err := Coins([]int{5, 9, 8, 4, 7}, 10)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultEM()
	o.MaxIter, o.Tol = 500, 0
	steps, err := EM(ctx, []float64{.6, .5}, p, o)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "after 1", steps[1].Theta, []float64{0.71301223540052, 0.58133930831366}, 1e-9)
	nearAll(t, "after 10", steps[10].Theta, []float64{0.79674414947521, 0.51965866220411}, 1e-9)
	nearAll(t, "limit", steps[500].Theta, []float64{0.79678906692265, 0.51958312014514}, 1e-9)
	for i, s := range steps {
		near(t, "Q + H - L", s.Q+s.H-s.LogLik, 0, 1e-9)
		near(t, "the bound touches", Bound(p, s, s.Theta), s.LogLik, 1e-9)
		if i > 0 && Bound(p, steps[i-1], s.Theta) > s.LogLik+1e-9 {
			t.Errorf("step %d: the bound is above the log-likelihood", i)
		}
	}
}

// A component that sits on the triple point at 0 has variance 0 without regularisation (closed form).
func TestSingularity(t *testing.T) {
	X := column(0, 0, 0, 1, 2, 3)
	start, err := NewGMM(GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{0}, {2}}, Covariances: [][][]float64{{{1e-2}}, {{1}}}})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultGMM(2)
	o.Start, o.MaxIter = start, 2000
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	l := m.History()[len(m.History())-1]
	if math.IsInf(l, 0) || math.IsNaN(l) {
		t.Errorf("log-likelihood %v", l)
	}
	for c, cov := range m.Covariances() {
		if cov[0][0] < 1e-6 {
			t.Errorf("variance of component %d is %g, below Reg", c, cov[0][0])
		}
	}
	o.Reg = 0
	_, err = FitGMM(ctx, X, o)
	if err == nil || !strings.Contains(err.Error(), "component 1 collapsed") {
		t.Errorf("Reg = 0: error %v", err)
	}
}

// Golden values of the nine points 0 1 2 3 5 7 8 9 10, start mu = (3, 6), sigma = (3, 3): log-likelihood, parameters and entropy of the
// labels, which falls although L rises.
func TestNinePoints(t *testing.T) {
	X := column(0, 1, 2, 3, 5, 7, 8, 9, 10)
	start, err := NewGMM(GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{3}, {6}}, Covariances: [][][]float64{{{9}}, {{9}}}})
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultGMM(2)
	o.Start, o.Reg, o.Tol, o.MaxIter, o.Trace = start, 0, 0, 40, true
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	tr := m.Iterations()
	near(t, "L start", tr[0].LogLik, -23.993815, 1e-6)
	one := tr[1].Model
	nearAll(t, "means after 1", []float64{one.Means()[0][0], one.Means()[1][0]}, []float64{3.166043, 6.618183}, 1e-6)
	nearAll(t, "sigma after 1", []float64{math.Sqrt(one.Covariances()[0][0][0]), math.Sqrt(one.Covariances()[1][0][0])}, []float64{2.958600, 3.046064}, 1e-6)
	nearAll(t, "weights after 1", one.Weights(), []float64{.468748, .531252}, 1e-6)
	near(t, "L after 1", tr[1].LogLik, -23.845101, 1e-6)
	nearAll(t, "means after 40", []float64{m.Means()[0][0], m.Means()[1][0]}, []float64{1.524944, 7.777460}, 1e-6)
	near(t, "L after 40", tr[40].LogLik, -22.024635, 1e-6)
	for it, want := range map[int]float64{0: 5.0266, 1: 4.7371, 2: 4.3099, 5: 1.6813, 40: 0.4132} {
		near(t, "entropy", tr[it].H, want, 5e-5)
	}
	p, err := Gaussians(X, o)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := EM(ctx, start, p, EMOptions{MaxIter: 40})
	if err != nil {
		t.Fatal(err)
	}
	for it := range steps {
		near(t, "generic EM against FitGMM", steps[it].LogLik, tr[it].LogLik, 1e-9)
		if it == 0 {
			continue
		}
		q, h, err := Decompose(X, tr[it-1].Model, tr[it].Model)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Q + H", q+h, tr[it].LogLik, 1e-9)
		if h < tr[it-1].H-1e-12 || q < tr[it-1].Q-1e-12 {
			t.Errorf("iteration %d: Q %g -> %g, H %g -> %g", it, tr[it-1].Q, q, tr[it-1].H, h)
		}
	}
}

// Golden values of the mixture 0.2 N(20, 6^2) + 0.5 N(40, 15^2) + 0.3 N(70, 8^2).
func TestThreeGaussians(t *testing.T) {
	m, err := NewGMM(GMMParameters{Weights: []float64{.2, .5, .3}, Means: [][]float64{{20}, {40}, {70}}, Covariances: [][][]float64{{{36}}, {{225}}, {{64}}}})
	if err != nil {
		t.Fatal(err)
	}
	mean, cov := m.Moments()
	near(t, "mean", mean[0], 45, 1e-12)
	near(t, "variance", cov[0][0], 463.9, 1e-9)
	for x, want := range map[float64]float64{20: .018765, 40: .013363, 70: .016760, 21.42: .0191056} {
		near(t, "density", m.Density(x), want, 1e-6)
	}
	nearAll(t, "peaks", []float64{m.Component(0, 20), m.Component(1, 40), m.Component(2, 70)}, []float64{.013298, .013298, .014960}, 1e-6)
	nearAll(t, "responsibilities at 30", m.Responsibilities(30), []float64{.237457, .762539, .000004}, 1e-6)
	if m.FreeParameters() != 8 {
		t.Errorf("%d free parameters, want 8", m.FreeParameters())
	}
}

// Golden values of 0, 1, 2, 8, 9, 10 with unit variances and equal weights held: log-likelihoods of three hypotheses, EM of the means from
// (0, 1), the gradient, and k-means as the limit of small variance.
func TestMeansOnly(t *testing.T) {
	X := column(0, 1, 2, 8, 9, 10)
	two := func(a, b, variance float64) *GMM {
		m, err := NewGMM(GMMParameters{Weights: []float64{.5, .5}, Means: [][]float64{{a}, {b}}, Covariances: [][][]float64{{{variance}}, {{variance}}}, Kind: Spherical})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct{ a, b, l float64 }{{1, 9, -11.672514}, {4, 6, -38.666801}, {5, 5, -55.513631}} {
		l, err := two(c.a, c.b, 1).LogLikelihood(X)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", l, c.l, 1e-6)
	}
	o := DefaultGMM(2)
	o.Covariance, o.HoldWeights, o.HoldCovariances, o.Reg, o.Tol, o.MaxIter, o.Trace = Spherical, true, true, 0, 0, 3, true
	o.Start = two(0, 1, 1)
	m, err := FitGMM(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	nearAll(t, "log-likelihood", m.History(), []float64{-106.022116, -24.727229, -11.672518, -11.672514}, 1e-6)
	for it, want := range [][]float64{{0, 1}, {.633331, 6.072694}, {.999788, 8.998509}, {1, 9}} {
		at := m.Iterations()[it].Model.Means()
		nearAll(t, "means", []float64{at[0][0], at[1][0]}, want, 1e-6)
	}
	g, err := two(2, 6, 1).MeansGradient(X)
	if err != nil {
		t.Fatal(err)
	}
	const step = 1e-5
	up, _ := two(2+step, 6, 1).LogLikelihood(X)
	down, _ := two(2-step, 6, 1).LogLikelihood(X)
	near(t, "gradient against differences", g[0][0], (up-down)/(2*step), 1e-6)
	o.Start, o.MaxIter = two(0, 1, 1e-4), 2
	if m, err = FitGMM(ctx, X, o); err != nil {
		t.Fatal(err)
	}
	for it, want := range [][]float64{{0, 1}, {0, 6}, {1, 9}} {
		at := m.Iterations()[it].Model.Means()
		nearAll(t, "hard limit", []float64{at[0][0], at[1][0]}, want, 1e-9)
	}
}
