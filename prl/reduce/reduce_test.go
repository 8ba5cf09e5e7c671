package reduce

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/fault"
)

var ctx = context.Background()

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

// A common offset that doubles hold exactly changes no scatter: the means keep the digits that rounding them would lose.
func TestScatterOffset(t *testing.T) {
	const offset = 1e12
	r := rand.New(rand.NewPCG(7, 1))
	n, d := 300, 3
	near0, far, y := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 4
		for j := range d {
			v := math.Round(8*(r.NormFloat64()+float64(y[i]*j))) / 8
			near0.Set(i, j, v)
			far.Set(i, j, v+offset)
		}
	}
	a, err := Scatters(near0, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Scatters(far, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		a, b mat.Symmetric
	}{{"S_B", a.Between, b.Between}, {"S_W", a.Within, b.Within}, {"S_T", a.Total, b.Total}} {
		for i := range d {
			for j := range d {
				near(t, c.name, c.b.At(i, j), c.a.At(i, j), 1e-12*c.a.At(d-1, d-1))
			}
		}
	}
}

// offsets returns data of three classes whose numbers are multiples of 1/1024, the same data plus an offset, which doubles hold exactly,
// and the labels.
func offsets(offset float64) (here, far *mat.Dense, y []int) {
	r := rand.New(rand.NewPCG(17, 1))
	n, d := 400, 4
	here, far, y = mat.NewDense(n, d, nil), mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 3
		for j := range d {
			v := math.Round(1024*(r.NormFloat64()*float64(j+1)+0.3*float64(y[i]*(j+1)%4))) / 1024
			here.Set(i, j, v)
			far.Set(i, j, v+offset)
		}
	}
	return here, far, y
}

// Discriminants, components and whitening of data with a large common offset are those of the data without it.
func TestOffset(t *testing.T) {
	ctx := t.Context()
	for _, offset := range []float64{1e9, -1e12} {
		here, far, y := offsets(offset)
		same := func(what string, got, want mat.Matrix, tol float64) {
			t.Helper()
			if !mat.EqualApprox(got, want, tol) {
				t.Errorf("%s at offset %g: %v, want %v", what, offset, mat.Formatted(got, mat.Excerpt(3)), mat.Formatted(want, mat.Excerpt(3)))
			}
		}
		two := make([]int, len(y))
		for i, c := range y {
			two[i] = min(c, 1)
		}
		for _, threshold := range []Threshold{Midpoint, Priors} {
			o := FisherOptions{}
			o.Threshold = threshold
			a, err := FitFisher(ctx, here, two, o)
			if err != nil {
				t.Fatal(err)
			}
			b, err := FitFisher(ctx, far, two, o)
			if err != nil {
				t.Fatal(err)
			}
			same("Fisher's direction", mat.NewVecDense(4, b.Direction()), mat.NewVecDense(4, a.Direction()), 1e-12)
			near(t, "J", b.J(), a.J(), 1e-12*a.J())
			_, scatters := b.Projected()
			_, want := a.Projected()
			for c := range want {
				near(t, "projected scatter", scatters[c], want[c], 1e-12*want[c])
			}
			da, err := a.Decision(here)
			if err != nil {
				t.Fatal(err)
			}
			db, err := b.Decision(far)
			if err != nil {
				t.Fatal(err)
			}
			same("Fisher's decision", db, da, 1e-11)
			data, err := b.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var read Fisher
			if err := read.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			dr, err := read.Decision(far)
			if err != nil {
				t.Fatal(err)
			}
			same("the decision of a discriminant read back", dr, db, 0)
		}
		for _, spread := range []Spread{Sizes, Equal} {
			o := MDAOptions{}
			o.Spread = spread
			a, err := FitMDA(ctx, here, y, o)
			if err != nil {
				t.Fatal(err)
			}
			b, err := FitMDA(ctx, far, y, o)
			if err != nil {
				t.Fatal(err)
			}
			same("discriminants", b.Axes(), a.Axes(), 1e-12)
			same("eigenvalues", mat.NewVecDense(2, b.Values()), mat.NewVecDense(2, a.Values()), 1e-13)
			pa, err := a.Proba(here)
			if err != nil {
				t.Fatal(err)
			}
			pb, err := b.Proba(far)
			if err != nil {
				t.Fatal(err)
			}
			same("probabilities", pb, pa, 1e-11)
			data, err := b.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			var read MDA
			if err := read.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			same("centres of discriminants read back", read.Centres(), b.Centres(), 0)
		}
		a, err := FitPCA(ctx, here, PCAOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := FitPCA(ctx, far, PCAOptions{})
		if err != nil {
			t.Fatal(err)
		}
		same("principal axes", b.Axes(), a.Axes(), 1e-12)
		same("variances", mat.NewVecDense(4, b.Variances()), mat.NewVecDense(4, a.Variances()), 1e-11)
		for _, labels := range [][]int{nil, y} {
			o := WhitenOptions{}
			o.Labels = labels
			a, err := FitWhitening(ctx, here, o)
			if err != nil {
				t.Fatal(err)
			}
			b, err := FitWhitening(ctx, far, o)
			if err != nil {
				t.Fatal(err)
			}
			same("whitening", b.Matrix(), a.Matrix(), 1e-12)
		}
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
	f, err := FitFisher(ctx, x, y, FisherOptions{})
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
	m, err := FitMDA(ctx, x, y, MDAOptions{})
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
	m2, _ := FitMDA(ctx, x2, y2, MDAOptions{})
	f, _ := FitFisher(ctx, x2, y2, FisherOptions{Threshold: Priors})
	w := mat.Col(nil, 0, m2.Axes())
	near(t, "two classes", math.Abs(dot(w, f.Direction()))/math.Sqrt(dot(w, w)), 1, 1e-12)
	pa, _ := m2.Proba(x2)
	pb, _ := f.Proba(x2)
	if !mat.EqualApprox(pa, pb, 1e-9) {
		t.Error("MDA and Fisher with priors give different posteriors for two classes")
	}
}

// Means (0,0), (4,0), (0,3), sizes 50, 5, 5 and S_W a multiple of I: the leading direction is (1, -0.57437) with equal and (1, -0.15223)
// with size weights.
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
		{"constant feature", fisher(constant, y, FisherOptions{}), []string{"S_W", "column 1 does not vary", "Regularise", "PCA"}},
		{"more columns than rows", fisher(wide, wy, FisherOptions{}), []string{"S_W is singular", "4 rows in 2 classes span at most 2 of the " +
			"5 dimensions", "Regularise"}},
		{"dependent columns", fisher(copied, y, FisherOptions{}), []string{"column 2 depends on those before it", "Regularise"}},
		{"three classes", fisher(three, ty, FisherOptions{}), []string{"3 classes", "FitMDA"}},
		{"equal means", fisher(alike, []int{0, 0, 1, 1}, FisherOptions{Regularise: 0.1}), []string{"same mean"}},
		{"negative ridge", fisher(x, y, FisherOptions{Regularise: -1}), []string{"Regularise is -1"}},
		{"bad threshold", fisher(x, y, FisherOptions{Threshold: 7}), []string{"Threshold"}},
		{"components of MDA", mda(MDAOptions{Components: 3}), []string{"Components is 3", "from 1 to 2"}},
		{"priors", mda(MDAOptions{Components: All, Priors: []float64{1}}), []string{"Priors", "3 probabilities"}},
		{"spread", mda(MDAOptions{Components: All, Spread: 9}), []string{"Spread"}},
		{"components of PCA", pca(x, PCAOptions{Components: 4}), []string{"Components is 4", "1 to 3"}},
		{"negative components", pca(x, PCAOptions{Components: -1}), []string{"Components is -1"}},
		{"one row", pca(x.Slice(0, 1, 0, 3), PCAOptions{}), []string{"n-1", "Population"}},
		{"path", pca(x, PCAOptions{Components: All, Path: 5}), []string{"Path"}},
		{"divisor", pca(x, PCAOptions{Components: All, Divisor: 5}), []string{"Divisor"}},
		{"scale", pca(constant, PCAOptions{Components: All, Scale: true}), []string{"column 1 of X is constant"}},
		{"singular whitening", white(constant, WhitenOptions{}), []string{"covariance", "Regularise"}},
		{"form", white(x, WhitenOptions{Form: 9}), []string{"Form"}},
	} {
		var arg *fault.ArgumentError
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
	if _, err := FitPCA(stop, x, PCAOptions{}); !errors.Is(err, context.Canceled) {
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

// The PCA of equal rows does not claim to hold any variance.
func TestPCAOfEqualRows(t *testing.T) {
	for _, v := range []float64{0.1, 1} {
		p, err := FitPCA(context.Background(), mat.NewDense(6, 1, []float64{v, v, v, v, v, v}), PCAOptions{})
		if err != nil || p.Total() != 0 || p.Rank() != 0 || !strings.Contains(p.String(), "do not vary") {
			t.Errorf("six times %v: %v, variance %v, %v", v, p, p.Total(), err)
		}
	}
}
