package reduce

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Threshold is the rule that places the cut on the Fisher direction.
type Threshold int

const (
	// Midpoint cuts half-way between the two projected means.
	Midpoint Threshold = iota
	// Priors moves the cut by log(n_0 / n_1), the Bayes rule for Gaussian classes of equal covariance whose priors are the class shares (LDA).
	Priors
)

func (t Threshold) String() string { return [...]string{"midpoint", "priors"}[t] }

// FisherOptions are the settings of FitFisher. The zero value is the default.
type FisherOptions struct {
	Regularise float64   // gamma >= 0, adds gamma tr(S_W)/d to the diagonal of S_W; default 0
	Threshold  Threshold // default Midpoint
	Weights    []float64 // n sample weights; nil means ones
}

// A Fisher is the direction w that maximises Fisher's criterion for two classes,
//
//	J(w) = (m~_1 - m~_0)^2 / (s~_0^2 + s~_1^2) = w^T S_B w / w^T S_W w,   S_B = (m_1 - m_0)(m_1 - m_0)^T,
//
// that is w along S_W^-1 (m_1 - m_0), with a threshold on w^T x. Class 1 lies on the positive side. The greatest value of J is
// (m_1 - m_0)^T S_W^-1 (m_1 - m_0). Source: Fisher, The use of multiple measurements in taxonomic problems, 1936; Duda, Hart, Stork, 2001,
// section 3.8.2.
type Fisher struct {
	estimator.Names
	state    fisherState
	sw       *mat.SymDense
	within   [2]float64 // s~_i^2 on the unit direction
	coef     []float64
	offset   float64 // the decision value is coef^T x + offset,
	beside   float64 // and more exactly coef^T (x - m_0) + beside with the rounded m_0
	unit     []float64
	lengthOf float64
}

type fisherState struct {
	D         int
	Raw       []float64  // S_W^-1 (m_1 - m_0)
	Sizes     [2]float64 // n_0, n_1
	Means     [2][]float64
	SW        []float64 // S_W without the ridge, d x d
	S0        []float64 // S_0, so that s~_0^2 is known
	Threshold Threshold
	Apart     []float64 // m_1 - m_0 and what m_0 is beyond its rounding, with the digits that Means has no room for
	Beyond    []float64
	Names     estimator.Names // in storage only: Fisher.Names holds them
}

// FitFisher returns the Fisher direction of X (n x d) with labels y of two classes. It fails on a singular S_W: regularise, or reduce with
// PCA first.
func FitFisher(ctx context.Context, X mat.Matrix, y []int, opts FisherOptions) (*Fisher, error) {
	const name = "reduce.FitFisher"
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := checkGamma(name, opts.Regularise); err != nil {
		return nil, err
	}
	if opts.Threshold < Midpoint || opts.Threshold > Priors {
		return nil, fault.Argument(name, "Threshold", int(opts.Threshold), "Midpoint or Priors", "")
	}
	x, y, w, k, err := labelled(ctx, name, X, y, opts.Weights)
	if err != nil {
		return nil, err
	}
	if k != 2 {
		return nil, fault.Argument(
			name,
			"y",
			fmt.Sprintf("labels of %d classes", k),
			"labels of 2 classes",
			"take the rows of two classes, or use FitMDA",
		)
	}
	n, d := x.Dims()
	sizes, means, rests := classMeans(x, y, w, 2)
	m0, m1 := means.RawRowView(0), means.RawRowView(1)
	beyond := append([]float64(nil), rests.RawRowView(0)...)
	diff := apart(means, rests, m0, beyond).RawRowView(1)
	var s0 *mat.SymDense // S_0; S_1 = S_W - S_0
	sw := mat.NewSymDense(d, nil)
	rows := make([]int, 0, n)
	for c := range 2 {
		rows = rows[:0]
		for i, v := range y {
			if v == c {
				rows = append(rows, i)
			}
		}
		m := means.RawRowView(c)
		s, err := scatterAbout(ctx, name, x, rows, w, func(int) []float64 { return m })
		if err != nil {
			return nil, err
		}
		recentre(s, sizes[c], rests.RawRowView(c))
		sw.AddSym(sw, s)
		if c == 0 {
			s0 = s
		}
	}
	f, err := factorise(name, "S_W", regularise(sw, opts.Regularise), 0, singular(n, d, 2), n-2 >= d)
	if err != nil {
		return nil, err
	}
	raw := f.solve(diff)
	if length := math.Sqrt(dot(raw, raw)); !(length > 0) {
		return nil, fault.Argument(
			name,
			"m_1 - m_0",
			"zero: both classes have the same mean",
			"not zero",
			"no direction separates the means; try a quadratic classifier",
		)
	}
	fisher := &Fisher{state: fisherState{
		D: d, Raw: raw, Sizes: [2]float64{sizes[0], sizes[1]}, Means: [2][]float64{slices.Clone(m0), slices.Clone(m1)},
		SW: square(sw), S0: square(s0), Threshold: opts.Threshold, Apart: diff, Beyond: beyond,
	}}
	fisher.prepare()
	return fisher, nil
}

func singular(n, d, k int) string {
	s := "set Regularise to 0.01, or reduce the data with PCA first"
	if n-k < d {
		s = fmt.Sprintf("%d rows in %d classes span at most %d of the %d dimensions: ", n, k, n-k, d) + s
	}
	return s
}

func square(s *mat.SymDense) []float64 { return mat.DenseCopyOf(s).RawMatrix().Data }

// prepare derives what the methods need from the state.
func (f *Fisher) prepare() {
	s := &f.state
	f.sw = mat.NewSymDense(s.D, s.SW)
	f.lengthOf = math.Sqrt(dot(s.Raw, s.Raw))
	f.unit = make([]float64, s.D)
	for j, v := range s.Raw {
		f.unit[j] = v / f.lengthOf
	}
	u := mat.NewVecDense(s.D, f.unit)
	both := mat.Inner(u, f.sw, u)
	f.within[0] = mat.Inner(u, mat.NewSymDense(s.D, s.S0), u)
	f.within[1] = max(both-f.within[0], 0)
	// Decision values are log odds of Gaussian classes with covariance S_W / (n-2); with so few rows that n <= 2, the length of Raw is kept.
	scale := max(s.Sizes[0]+s.Sizes[1]-2, 1)
	f.coef = make([]float64, s.D)
	for j, v := range s.Raw {
		f.coef[j] = scale * v
		f.offset -= f.coef[j] * (s.Means[0][j] + s.Means[1][j]) / 2
		f.beside -= f.coef[j] * (s.Beyond[j] + s.Apart[j]/2)
	}
	if s.Threshold == Priors {
		f.offset += math.Log(s.Sizes[1] / s.Sizes[0])
		f.beside += math.Log(s.Sizes[1] / s.Sizes[0])
	}
}

// spine gives the discriminant the methods that all classifiers have. Its decision values are
// (n-2) (S_W^-1 (m_1 - m_0))^T x + offset, the log odds of class 1 if both classes are Gaussian with the pooled covariance S_W / (n-2).
func (f *Fisher) spine() estimator.Discriminant[*Fisher] {
	return estimator.Discriminant[*Fisher]{Against0: true, Classification: estimator.Classification[*Fisher]{
		Model: f, Kind: "reduce.Fisher", D: f.state.D, K: 2, Cost: float64(5 + f.state.D), Scores: (*Fisher).scores,
	}}
}

func (f *Fisher) scores(scores, x []float64) {
	z := projected(x, f.state.Means[0], mat.NewDense(f.state.D, 1, f.coef))
	for i, v := range z.RawMatrix().Data {
		scores[2*i], scores[2*i+1] = 0, v+f.beside
	}
}

// Direction returns w, d numbers of unit length, pointing from class 0 to class 1.
func (f *Fisher) Direction() []float64 { return append([]float64(nil), f.unit...) }

// Raw returns S_W^-1 (m_1 - m_0) without change of length.
func (f *Fisher) Raw() []float64 { return append([]float64(nil), f.state.Raw...) }

// Cut returns the threshold on w^T x for the unit direction w.
func (f *Fisher) Cut() float64 {
	return -f.offset / (f.lengthOf * max(f.state.Sizes[0]+f.state.Sizes[1]-2, 1))
}

// Means returns the mean of class c (0 or 1).
func (f *Fisher) Means(c int) []float64 { return append([]float64(nil), f.state.Means[c]...) }

// Projected returns the projected means m~_0, m~_1 and the projected scatters s~_0^2, s~_1^2 on the unit direction.
func (f *Fisher) Projected() (means, scatters [2]float64) {
	for c := range means {
		means[c] = dot(f.unit, f.state.Means[c])
	}
	return means, f.within
}

// Criterion returns J(w) for any direction w of d numbers, with S_W as in the data (not regularised). It is NaN for a w along which the
// classes do not vary.
func (f *Fisher) Criterion(w []float64) (float64, error) {
	if f.state.D == 0 {
		return 0, estimator.Unfitted("reduce.Fisher.Criterion")
	}
	if len(w) != f.state.D {
		return 0, fault.Argument(
			"reduce.Fisher.Criterion",
			"w",
			fmt.Sprintf("%d numbers", len(w)),
			fmt.Sprintf("%d numbers like the data of the fit", f.state.D),
			"",
		)
	}
	v := mat.NewVecDense(len(w), append([]float64(nil), w...))
	den := mat.Inner(v, f.sw, v)
	if den == 0 {
		return math.NaN(), nil
	}
	diff := dot(w, f.state.Apart)
	return diff * diff / den, nil
}

// J returns the criterion at the Fisher direction, the largest there is when S_W was not regularised.
func (f *Fisher) J() float64 {
	j, _ := f.Criterion(f.unit) // the width is right by construction
	return j
}

// Transform returns the n x 1 scores w^T x for the unit direction w.
func (f *Fisher) Transform(X mat.Matrix) (*mat.Dense, error) {
	const name = "reduce.Fisher.Transform"
	if err := estimator.CheckShape(name, X, f.state.D); err != nil {
		return nil, err
	}
	return project(name, estimator.Dense(X), nil, nil, mat.NewDense(f.state.D, 1, f.unit))
}

// String returns a line such as "Fisher LDA of 2 features: J = 0.0281, threshold 1.2 on w = (0.8, 0.6)".
func (f *Fisher) String() string {
	w := ""
	if f.state.D <= 4 {
		for j, v := range f.unit {
			if j > 0 {
				w += ", "
			}
			w += fmt.Sprintf("%.4g", v)
		}
		w = " on w = (" + w + ")"
	}
	return fmt.Sprintf("Fisher LDA of %d features: J = %.4g, threshold %.4g%s", f.state.D, f.J(), f.Cut(), w)
}

// sound reports whether the parts fit together.
func (s *fisherState) sound() bool {
	return s.D >= 1 && len(s.Raw) == s.D && len(s.Means[0]) == s.D && len(s.Means[1]) == s.D && len(s.SW) == s.D*s.D &&
		len(s.S0) == s.D*s.D && dot(s.Raw, s.Raw) != 0 && len(s.Apart) == s.D && len(s.Beyond) == s.D
}
