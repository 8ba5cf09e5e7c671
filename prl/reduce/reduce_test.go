package reduce

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

var ctx = context.Background()

// table reads a CSV file of testdata with a header; classes are numbered in order of appearance.
func table(t testing.TB, file string, label, from, to int) (*mat.Dense, []int) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]int{}
	var x []float64
	var y []int
	for _, r := range rows[1:] {
		if _, ok := classes[r[label]]; !ok {
			classes[r[label]] = len(classes)
		}
		y = append(y, classes[r[label]])
		for _, s := range r[from:to] {
			v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
	}
	return mat.NewDense(len(y), to-from, x), y
}

func digits(t testing.TB) *mat.Dense {
	f, err := os.Open("../../datasets/data/digits-images.idx3-ubyte.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	b = b[16:] // header: magic, 1797, 8, 8
	x := make([]float64, len(b))
	for i, v := range b {
		x[i] = float64(v)
	}
	return mat.NewDense(len(b)/64, 64, x)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.14g, want %.14g (tolerance %g)", what, got, want, tol)
	}
}

func random(n, d, k int, seed uint64) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % k
		for j := range d {
			x.Set(i, j, r.NormFloat64()*(1+float64(j%3))+float64(y[i]*(j+1)%3))
			if j > 0 {
				x.Set(i, j, x.At(i, j)+0.5*x.At(i, j-1))
			}
		}
	}
	return x, y
}

// Source: R 4.2.2 prcomp; 4.22824171 0.24267075 0.0782095 0.02383509 in many outputs of R and scikit-learn.
func TestPCAIris(t *testing.T) {
	x, _ := table(t, "iris.csv", 4, 0, 4)
	values := []float64{4.2282417060349, 0.24267074792863, 0.078209500042919, 0.023835092973449}
	ratios := []float64{0.92461872320173, 0.053066483117068, 0.01710260980793, 0.0052121838732753}
	loadings := [][]float64{{0.36138659178537, -0.65658877128684, 0.58202985130606, 0.31548719290398}, {-0.084522514064569, -0.73016143478503, -0.59791083010008, -0.31972310366613},
		{0.85667060594984, 0.17337266279586, -0.076236075820963, -0.47983898699463}, {0.35828919715155, 0.075481019917464, -0.54583143202008, 0.75365742526405}}
	for _, path := range []Path{Covariance, SVD} {
		opts := DefaultPCA()
		opts.Path = path
		p, err := FitPCA(ctx, x, opts)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 4 {
			near(t, "variance", p.Variances()[j], values[j], 1e-8)
			near(t, "ratio", p.Ratios()[j], ratios[j], 1e-8)
			s := 1.0
			if p.Axes().At(0, j)*loadings[0][j] < 0 {
				s = -1
			}
			for i := range 4 {
				near(t, "loading", s*p.Axes().At(i, j), loadings[i][j], 1e-8)
			}
		}
	}
}

// Source: L. I. Smith, A tutorial on Principal Components Analysis, 2002: 1.28402771, 0.0490833989.
func TestPCASmith(t *testing.T) {
	x := mat.NewDense(10, 2, []float64{2.5, 2.4, 0.5, 0.7, 2.2, 2.9, 1.9, 2.2, 3.1, 3.0, 2.3, 2.7, 2.0, 1.6, 1.0, 1.1, 1.5, 1.6, 1.1, 0.9})
	p, err := FitPCA(ctx, x, DefaultPCA())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lambda 1", p.Variances()[0], 1.2840277121728, 1e-8)
	near(t, "lambda 2", p.Variances()[1], 0.049083398938327, 1e-8)
	near(t, "u11", math.Abs(p.Axes().At(0, 0)), 0.67787339852801, 1e-8)
	near(t, "u12", math.Abs(p.Axes().At(1, 0)), 0.73517865554441, 1e-8)
	s, err := FitWhitening(ctx, x, DefaultWhiten())
	if err != nil {
		t.Fatal(err)
	}
	var a, q mat.Dense
	a.Mul(s.Matrix(), mat.NewDense(2, 2, []float64{0.61655555555556, 0.61544444444444, 0.61544444444444, 0.71655555555556}))
	q.Mul(&a, s.Matrix().T())
	near(t, "A S A^T", q.At(0, 0), 1, 1e-10)
	near(t, "A S A^T", q.At(0, 1), 0, 1e-10)
}

// Source: numpy eigh and scikit-learn 1.2.1 PCA on the 1797 x 64 digits, of which three columns are constant.
func TestPCADigits(t *testing.T) {
	x := digits(t)
	top := []float64{179.00693009797, 163.71774688168, 141.78843909228, 101.10037520285, 69.513165590987, 59.1085248863, 51.884539107795, 44.015106669095, 40.310995292784, 37.011798402208}
	p, err := FitPCA(ctx, x, DefaultPCA())
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range top {
		near(t, "variance", p.Variances()[j], v, 1e-9*v)
	}
	near(t, "total", p.Total(), 1202.1477121607, 1e-9*1202)
	if p.Rank() != 61 || p.ComponentsFor(0.95) != 29 {
		t.Errorf("rank %d and %d components for 95 %%, want 61 and 29", p.Rank(), p.ComponentsFor(0.95))
	}
}

// Source: NIST StRD, one-way analysis of variance, certified values. S_B and S_W of one feature are the sums of squares between and within the treatments.
func TestScatterNIST(t *testing.T) {
	for _, c := range []struct {
		file               string
		k                  int
		between, within, f float64
		tol                float64
	}{
		{"nist_SiRstv.csv", 5, 0.0511462616, 0.21663656, 1.1804623744025, 1e-9},
		{"nist_SmLs07.csv", 9, 1.68, 1.8, 21, 0.01},
		{"nist_AtmWtAg.csv", 2, 3.638341875e-09, 1.0495172916667e-08, 15.946733567793, 1e-9},
	} {
		x, y := table(t, c.file, 0, 1, 2)
		s, err := Scatters(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, w := s.Between.At(0, 0), s.Within.At(0, 0)
		n := float64(len(y))
		near(t, c.file+" between", b, c.between, c.tol*c.between)
		near(t, c.file+" within", w, c.within, c.tol*c.within)
		near(t, c.file+" F", b/float64(c.k-1)/(w/(n-float64(c.k))), c.f, c.tol*c.f)
	}
}

// Source: R 4.2.2, MASS 7.3-58.2 lda(); LD1 0.8293776 1.5344731 -2.2012117 -2.8104603 in print.
func TestMDAIris(t *testing.T) {
	x, y := table(t, "iris.csv", 4, 0, 4)
	m, err := FitMDA(ctx, x, y, DefaultMDA())
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0.829377642266, -0.024102148876953}, {1.5344730677, -2.1645212346584}, {-2.2012116555618, 0.93192121002937}, {-2.8104603088431, -2.8391878529827}}
	for j := range 2 {
		s := 1.0
		if m.Axes().At(0, j)*want[0][j] < 0 {
			s = -1
		}
		for i := range 4 {
			near(t, "scaling", s*m.Axes().At(i, j), want[i][j], 1e-6)
		}
	}
	near(t, "svd 1", m.Singular()[0], 48.642643802259, 1e-6)
	near(t, "svd 2", m.Singular()[1], 4.5799827109713, 1e-6)
	near(t, "trace 1", m.Ratios()[0], 0.99121260496537, 1e-9)
	near(t, "trace 2", m.Ratios()[1], 0.0087873950346328, 1e-9)
	got, _ := m.Predict(x)
	right := 0
	for i, c := range got {
		if c == y[i] {
			right++
		}
	}
	if right != 147 {
		t.Errorf("%d of 150 right, want 147 (MASS lda)", right)
	}
}

// S_T = S_W + S_B, S_i and S_W against the covariance by its definition, and the two forms of S_B for two classes.
func TestScatterIdentities(t *testing.T) {
	for _, k := range []int{2, 3, 5} {
		x, y := random(101, 6, k, uint64(k))
		s, err := Scatters(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			for j := range 6 {
				near(t, "S_T - S_W - S_B", s.Total.At(i, j)-s.Within.At(i, j)-s.Between.At(i, j), 0, 1e-11*mat.Trace(s.Total))
				var direct float64
				for r := range 101 {
					direct += (x.At(r, i) - s.Means.At(y[r], i)) * (x.At(r, j) - s.Means.At(y[r], j))
				}
				near(t, "S_W", s.Within.At(i, j), direct, 1e-11*mat.Trace(s.Total))
			}
		}
		if k == 2 {
			b, err := s.TwoClass()
			if err != nil {
				t.Fatal(err)
			}
			near(t, "n1 n2 / n", s.Between.At(1, 2)/b.At(1, 2), s.Sizes[0]*s.Sizes[1]/101, 1e-10)
		} else if _, err := s.TwoClass(); err == nil {
			t.Error("TwoClass of more classes must fail")
		}
	}
}

func TestPCAPathsAgree(t *testing.T) {
	for _, size := range [][2]int{{50, 6}, {8, 20}, {3, 3}, {2, 1}} {
		for _, scale := range []bool{false, true} {
			x, _ := random(size[0], size[1], 1, 9)
			c, err1 := FitPCA(ctx, x, PCAOptions{Components: All, Path: Covariance, Scale: scale})
			v, err2 := FitPCA(ctx, x, PCAOptions{Components: All, Path: SVD, Scale: scale})
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			rank := min(size[0]-1, size[1])
			for j := range rank {
				near(t, "variance", c.Variances()[j], v.Variances()[j], 1e-10*c.Total())
				near(t, "cosine", math.Abs(dot(c.Axis(j), v.Axis(j))), 1, 1e-8)
				near(t, "sign", dot(c.Axis(j), v.Axis(j)), 1, 1e-8)
			}
			near(t, "total", c.Total(), v.Total(), 1e-10*c.Total())
		}
	}
}

// Reconstruction loses the discarded variances; all components lose nothing; scores are uncorrelated with variance lambda.
func TestPCAReconstruction(t *testing.T) {
	x, _ := random(60, 5, 1, 4)
	p, err := FitPCA(ctx, x, PCAOptions{Components: All, Divisor: Population})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 6 {
		r, err := p.Reconstruct(x, k)
		if err != nil {
			t.Fatal(err)
		}
		lost := 0.0
		for i := range 60 {
			for j := range 5 {
				lost += (x.At(i, j) - r.At(i, j)) * (x.At(i, j) - r.At(i, j)) / 60
			}
		}
		near(t, "lost variance", lost, p.Lost(k), 1e-10)
	}
	z, _ := p.Transform(x)
	for a := range 5 {
		for b := range 5 {
			c := 0.0
			for i := range 60 {
				c += z.At(i, a) * z.At(i, b) / 60
			}
			want := 0.0
			if a == b {
				want = p.Variances()[a]
			}
			near(t, "covariance of scores", c, want, 1e-10)
		}
	}
}

func TestWhitening(t *testing.T) {
	x, y := random(80, 4, 3, 6)
	for _, form := range []Form{Axes, ZCA, Triangular} {
		for _, labels := range [][]int{nil, y} {
			w, err := FitWhitening(ctx, x, WhitenOptions{Form: form, Labels: labels})
			if err != nil {
				t.Fatal(err)
			}
			z, _ := w.Transform(x)
			one, k := y, 3.0
			if labels == nil {
				one, k = append(make([]int, 79), 1), 1 // any two classes: only Total is read
			}
			s, err := Scatters(z, one, nil)
			if err != nil {
				t.Fatal(err)
			}
			cov := s.Total
			if labels != nil {
				cov = s.Within
			}
			for i := range 4 {
				for j := range 4 {
					want := 0.0
					if i == j {
						want = 80 - k
					}
					near(t, form.String()+" covariance", cov.At(i, j), want, 1e-9)
				}
			}
			back, _ := w.Inverse(z)
			if !mat.EqualApprox(back, x, 1e-10) {
				t.Errorf("%v: the inverse does not restore the data", form)
			}
		}
	}
	// Eigenvalues (5 +- sqrt 18) / 2 = 4.621320, 0.378680.
	g, err := WhiteningOf([]float64{1, 2}, mat.NewSymDense(2, []float64{4, 1.5, 1.5, 1}), Axes)
	if err != nil {
		t.Fatal(err)
	}
	a := g.Matrix()
	near(t, "1/|row 0|^2", 1/(a.At(0, 0)*a.At(0, 0)+a.At(0, 1)*a.At(0, 1)), 4.621320343559643, 1e-12)
	near(t, "1/|row 1|^2", 1/(a.At(1, 0)*a.At(1, 0)+a.At(1, 1)*a.At(1, 1)), 0.378679656440357, 1e-12)
}

// The closed form is the maximiser of J, the top generalised eigenvector, and the least-squares direction with targets n/n_1, -n/n_0.
func TestFisher(t *testing.T) {
	x, y := random(90, 3, 2, 8)
	for i := range 20 { // unequal sizes
		y[i] = 1
	}
	f, err := FitFisher(ctx, x, y, DefaultFisher())
	if err != nil {
		t.Fatal(err)
	}
	s, _ := Scatters(x, y, nil)
	b, _ := s.TwoClass()
	values, vectors, err := GeneralisedEigen(b, s.Within)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "J", f.J(), values[0], 1e-12)
	near(t, "rank one", values[1], 0, 1e-12)
	v := mat.Col(nil, 0, vectors)
	near(t, "cosine", math.Abs(dot(v, f.Direction()))/math.Sqrt(dot(v, v)), 1, 1e-10)
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		w := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		j, err := f.Criterion(w)
		if err != nil || j > f.J()*(1+1e-12) {
			t.Fatalf("J = %v beyond the maximum %v (%v)", j, f.J(), err)
		}
		near(t, "Rayleigh", j, Rayleigh(b, s.Within, w), 1e-12)
		twice, _ := f.Criterion([]float64{2 * w[0], 2 * w[1], 2 * w[2]})
		near(t, "J(2w)", twice, j, 1e-12)
	}
	means, scatters := f.Projected()
	near(t, "projected", (means[1]-means[0])*(means[1]-means[0])/(scatters[0]+scatters[1]), f.J(), 1e-12)

	design, target := mat.NewDense(90, 4, nil), mat.NewVecDense(90, nil)
	for i := range 90 {
		design.Set(i, 0, 1)
		for j := range 3 {
			design.Set(i, j+1, x.At(i, j))
		}
		target.SetVec(i, -90/s.Sizes[0])
		if y[i] == 1 {
			target.SetVec(i, 90/s.Sizes[1])
		}
	}
	var beta mat.VecDense
	if err := beta.SolveVec(design, target); err != nil {
		t.Fatal(err)
	}
	ls := []float64{beta.AtVec(1), beta.AtVec(2), beta.AtVec(3)}
	near(t, "least squares", dot(ls, f.Direction())/math.Sqrt(dot(ls, ls)), 1, 1e-10)
}

// J and the decisions do not change under an invertible affine map of the features; the direction becomes A^-T w.
func TestFisherInvariance(t *testing.T) {
	x, y := random(70, 3, 2, 12)
	a := mat.NewDense(3, 3, []float64{2, 0.3, -1, 0, 1.5, 0.2, 0.7, -0.4, 1})
	var xa mat.Dense
	xa.Mul(x, a)
	for i := range 70 {
		for j := range 3 {
			xa.Set(i, j, xa.At(i, j)+float64(10*j))
		}
	}
	f, err1 := FitFisher(ctx, x, y, FisherOptions{Threshold: Priors})
	g, err2 := FitFisher(ctx, &xa, y, FisherOptions{Threshold: Priors})
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	near(t, "J", f.J(), g.J(), 1e-10)
	var back mat.VecDense
	back.MulVec(a, mat.NewVecDense(3, g.Raw()))
	for j := range 3 {
		near(t, "A w'", back.AtVec(j), f.Raw()[j], 1e-10)
	}
	da, _ := f.Decision(x)
	db, _ := g.Decision(&xa)
	if !mat.EqualApprox(da, db, 1e-8) {
		t.Error("decision values change under an affine map")
	}
}

// MDA maximises the determinant criterion, is invariant to W -> W A, and with two classes gives Fisher's direction and LDA's rule.
func TestMDACriterion(t *testing.T) {
	x, y := random(90, 4, 3, 5)
	m, err := FitMDA(ctx, x, y, DefaultMDA())
	if err != nil {
		t.Fatal(err)
	}
	j, _ := m.Criterion(m.Axes())
	near(t, "J(W*)", j, m.J(), 1e-12*m.J())
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		w := mat.NewDense(4, 2, nil)
		for i := range 4 {
			w.Set(i, 0, r.NormFloat64())
			w.Set(i, 1, r.NormFloat64())
		}
		v, _ := m.Criterion(w)
		if v > m.J()*(1+1e-10) {
			t.Fatalf("J = %v beyond the maximum %v", v, m.J())
		}
	}
	var wa mat.Dense
	wa.Mul(m.Axes(), mat.NewDense(2, 2, []float64{2, 1, -1, 3}))
	inv, _ := m.Criterion(&wa)
	near(t, "J(WA)", inv, m.J(), 1e-10*m.J())
	s, _ := Scatters(x, y, nil)
	values, _, err := GeneralisedEigen(s.Between, s.Within)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lambda 1", values[0], m.Values()[0], 1e-10)
	near(t, "lambda 2", values[1], m.Values()[1], 1e-10)
	near(t, "lambda 3", values[2], 0, 1e-10)

	x2, y2 := random(60, 3, 2, 5)
	m2, _ := FitMDA(ctx, x2, y2, DefaultMDA())
	f, _ := FitFisher(ctx, x2, y2, FisherOptions{Threshold: Priors})
	w := mat.Col(nil, 0, m2.Axes())
	near(t, "two classes", math.Abs(dot(w, f.Direction()))/math.Sqrt(dot(w, w)), 1, 1e-12)
	pa, _ := m2.Proba(x2)
	pb, _ := f.Proba(x2)
	if !mat.EqualApprox(pa, pb, 1e-9) {
		t.Error("MDA and Fisher with priors give different posteriors for two classes")
	}
}

// Means (0,0), (4,0), (0,3), sizes 50, 5, 5 and S_W a multiple of I: the leading direction is (1, -0.57437) with equal and (1, -0.15223) with size weights.
func TestMDASpread(t *testing.T) {
	var rows []float64
	var y []int
	for c, m := range [][2]float64{{0, 0}, {4, 0}, {0, 3}} {
		size := []int{48, 4, 4}[c]
		for i := range size {
			s := math.Sqrt(2)
			d := [][2]float64{{s, 0}, {-s, 0}, {0, s}, {0, -s}}[i%4]
			rows = append(rows, m[0]+d[0], m[1]+d[1])
			y = append(y, c)
		}
	}
	x := mat.NewDense(len(y), 2, rows)
	w := make([]float64, len(y))
	for i, c := range y {
		w[i] = []float64{50. / 48, 5. / 4, 5. / 4}[c]
	}
	for spread, want := range map[Spread]float64{Equal: -0.57437, Sizes: -0.15223} {
		m, err := FitMDA(ctx, x, y, MDAOptions{Components: 1, Spread: spread, Weights: w})
		if err != nil {
			t.Fatal(err)
		}
		near(t, spread.String(), m.Axes().At(1, 0)/m.Axes().At(0, 0), want, 1e-5)
	}
}

func TestErrors(t *testing.T) {
	x, y := random(12, 3, 2, 1)
	constant := mat.DenseCopyOf(x)
	for i := range 12 {
		constant.Set(i, 1, 4)
	}
	wide, wy := random(4, 5, 2, 1)
	three, ty := random(12, 3, 3, 1)
	copied := mat.NewDense(12, 3, nil)
	for i := range 12 {
		copied.SetRow(i, []float64{x.At(i, 0), x.At(i, 1), x.At(i, 0) + x.At(i, 1)})
	}
	alike := mat.NewDense(4, 2, []float64{0, 1, 2, 0, 2, 0, 0, 1})
	fisher := func(x mat.Matrix, y []int, o FisherOptions) error { _, err := FitFisher(ctx, x, y, o); return err }
	mda := func(o MDAOptions) error { _, err := FitMDA(ctx, three, ty, o); return err }
	pca := func(x mat.Matrix, o PCAOptions) error { _, err := FitPCA(ctx, x, o); return err }
	white := func(x mat.Matrix, o WhitenOptions) error { _, err := FitWhitening(ctx, x, o); return err }
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"constant feature", fisher(constant, y, DefaultFisher()), []string{"S_W", "feature 1 does not vary", "Regularise", "PCA"}},
		{"more columns than rows", fisher(wide, wy, DefaultFisher()), []string{"S_W is singular", "4 rows in 2 classes span at most 2 of the 5 dimensions", "Regularise"}},
		{"dependent columns", fisher(copied, y, DefaultFisher()), []string{"linear combinations", "Regularise"}},
		{"three classes", fisher(three, ty, DefaultFisher()), []string{"3 classes", ".Classes(a, b)"}},
		{"equal means", fisher(alike, []int{0, 0, 1, 1}, FisherOptions{Regularise: 0.1}), []string{"same mean"}},
		{"negative ridge", fisher(x, y, FisherOptions{Regularise: -1}), []string{"Regularise is -1"}},
		{"bad threshold", fisher(x, y, FisherOptions{Threshold: 7}), []string{"Threshold"}},
		{"components of MDA", mda(MDAOptions{Components: 3}), []string{"Components is 3", "from 1 to 2"}},
		{"priors", mda(MDAOptions{Components: All, Priors: []float64{1}}), []string{"Priors", "3 probabilities"}},
		{"spread", mda(MDAOptions{Components: All, Spread: 9}), []string{"Spread"}},
		{"components of PCA", pca(x, PCAOptions{Components: 4}), []string{"Components is 4", "1 to 3"}},
		{"zero components", pca(x, PCAOptions{}), []string{"Components is 0"}},
		{"one row", pca(x.Slice(0, 1, 0, 3), DefaultPCA()), []string{"n-1", "Population"}},
		{"path", pca(x, PCAOptions{Components: All, Path: 5}), []string{"Path"}},
		{"divisor", pca(x, PCAOptions{Components: All, Divisor: 5}), []string{"Divisor"}},
		{"scale", pca(constant, PCAOptions{Components: All, Scale: true}), []string{"feature 1 is constant"}},
		{"singular whitening", white(constant, DefaultWhiten()), []string{"covariance", "Regularise"}},
		{"form", white(x, WhitenOptions{Form: 9}), []string{"Form"}},
	} {
		var arg *estimator.ArgumentError
		if !errors.As(c.err, &arg) {
			t.Errorf("%s: %v is not an ArgumentError", c.name, c.err)
			continue
		}
		for _, s := range c.want {
			if !strings.Contains(c.err.Error(), s) {
				t.Errorf("%s: %q does not say %q", c.name, c.err, s)
			}
		}
	}
	if err := fisher(wide, wy, FisherOptions{Regularise: 0.01}); err != nil {
		t.Errorf("the remedy does not work: %v", err)
	}
	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := FitPCA(stop, x, DefaultPCA()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled PCA returns %v", err)
	}
	for _, zero := range []interface{ UnmarshalBinary([]byte) error }{new(PCA), new(Whitening), new(Fisher), new(MDA)} {
		if zero.UnmarshalBinary([]byte("no model")) == nil {
			t.Errorf("%T reads rubbish", zero)
		}
	}
}

// Weight k is k copies, weight 0 is absence.
func TestPCAWeights(t *testing.T) {
	x, _ := random(20, 3, 1, 2)
	w := make([]float64, 20)
	var rows []float64
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, x.RawRowView(i)...)
		}
	}
	for _, path := range []Path{Covariance, SVD} {
		a, err1 := FitPCA(ctx, x, PCAOptions{Components: All, Path: path, Weights: w})
		b, err2 := FitPCA(ctx, mat.NewDense(len(rows)/3, 3, rows), PCAOptions{Components: All, Path: path})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for j := range 3 {
			near(t, "variance", a.Variances()[j], b.Variances()[j], 1e-12*a.Total())
			near(t, "axis", dot(a.Axis(j), b.Axis(j)), 1, 1e-10)
		}
	}
}

func BenchmarkPCA(b *testing.B) {
	x, _ := random(50000, 50, 10, 1)
	for b.Loop() {
		if _, err := FitPCA(ctx, x, PCAOptions{Components: 10}); err != nil {
			b.Fatal(err)
		}
	}
}
