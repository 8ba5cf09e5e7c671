package linear

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Fit is a least squares fit with what it says about its coefficients. It is immutable and safe for concurrent use.
type Fit struct {
	Model
	t fitState
}

type fitState struct {
	Dependent      []int     // columns that depend on others
	Kept           []int     // the others, all with MinimumNorm
	Mean           []float64 // of the kept columns; zeros without an intercept
	Upper          []float64 // R^-1 in units of X: the covariance is sigma^2 Upper Upper^T; none where the coefficients are not unique
	Rows           int
	Weight         float64 // the sum of the weights of the rows
	Rank           int     // without the intercept
	RSS, TSS       float64
	LogWeights     float64 // the sum of log w_i
	Durbin         float64
	Skew, Kurtosis float64
	Inflation      []float64 // of the kept columns
}

// fit returns the problem's solution as a model.
func (s *solved) fit(dropped []int) *Fit {
	coefficients, intercept := s.coefficients()
	f := &Fit{Model: newModel("least squares", coefficients, intercept, s.intercept)}
	f.t = fitState{
		Dependent: dropped, Kept: s.columns, Mean: s.mean, Rows: s.n, Weight: s.weight, Rank: s.rank, Upper: make([]float64, len(s.upper)),
	}
	lengths := columnLengths(s.factor)
	for j := range s.d {
		if s.upper == nil {
			break
		}
		for k := range s.d {
			f.t.Upper[j*s.d+k] = s.upper[j*s.d+k] / s.scale[j]
		}
		f.t.Inflation = append(f.t.Inflation, math.Pow(lengths[j]*length(s.upper[j*s.d:(j+1)*s.d]), 2))
	}
	before, turns := 0.0, 0.0
	for i, r := range s.residuals[:s.n] {
		r *= s.yScale
		f.t.RSS += r * r
		f.t.TSS += s.y[i] * s.y[i] * s.yScale * s.yScale
		f.t.LogWeights += 2 * math.Log(s.rootOf(i))
		if i > 0 {
			turns += (r - before) * (r - before)
		}
		before = r
	}
	f.t.Durbin = turns / f.t.RSS
	n := float64(s.n)
	unit := math.Sqrt(f.t.RSS / n)
	for _, r := range s.residuals[:s.n] {
		r *= s.yScale / unit
		f.t.Skew += r * r * r / n
		f.t.Kurtosis += r * r * r * r / n
	}
	return f
}

// Dependent returns the places of the columns that depend on columns before them: they are left out, or share in the shortest solution.
func (f *Fit) Dependent() []int { return slices.Clone(f.t.Dependent) }

// Rank returns the number of independent columns, the intercept counted where there is one.
func (f *Fit) Rank() int { return f.t.Rank + f.one() }

// unique reports whether one choice of coefficients alone has the smallest sum of squares.
func (f *Fit) unique() bool { return len(f.t.Upper) == len(f.t.Kept)*len(f.t.Kept) }

func (f *Fit) one() int {
	if f.s.HasIntercept {
		return 1
	}
	return 0
}

// DF returns the degrees of freedom that are left, the rows less the rank.
func (f *Fit) DF() int { return f.t.Rows - f.Rank() }

// RSS returns the weighted sum of squared residuals.
func (f *Fit) RSS() float64 { return f.t.RSS }

// Sigma returns the residual standard deviation, the root of RSS / DF; NaN when no degree of freedom is left.
func (f *Fit) Sigma() float64 {
	if f.DF() <= 0 {
		return math.NaN()
	}
	return math.Sqrt(f.t.RSS / float64(f.DF()))
}

// R2 returns the share of the weighted sum of squares about the mean, or about zero without an intercept, that is explained.
func (f *Fit) R2() float64 { return 1 - f.t.RSS/f.t.TSS }

// AdjustedR2 is R2 with variances, sums over their degrees of freedom, in place of sums.
func (f *Fit) AdjustedR2() float64 {
	return 1 - f.t.RSS/float64(f.DF())/(f.t.TSS/float64(f.t.Rows-f.one()))
}

// F returns the F statistic of all coefficients but the intercept being zero, and its p-value.
func (f *Fit) F() (statistic, p float64) {
	k, df := float64(f.t.Rank), float64(f.DF())
	statistic = (f.t.TSS - f.t.RSS) / k / (f.t.RSS / df)
	return statistic, beta(df/2, k/2, df/(df+k*statistic))
}

// LogLikelihood returns the logarithm, in nats, of the density of normal targets at its maximum over coefficients and variance.
func (f *Fit) LogLikelihood() float64 {
	n := float64(f.t.Rows)
	return 0.5 * (f.t.LogWeights - n*(math.Log(2*math.Pi)+1-math.Log(n)+math.Log(f.t.RSS)))
}

// AIC returns -2 LogLikelihood + 2 k, where k counts coefficients, intercept and variance, as R does.
func (f *Fit) AIC() float64 { return -2*f.LogLikelihood() + 2*float64(f.Rank()+1) }

// BIC returns -2 LogLikelihood + k log n with the same k.
func (f *Fit) BIC() float64 {
	return -2*f.LogLikelihood() + math.Log(float64(f.t.Rows))*float64(f.Rank()+1)
}

// Inflation returns of each column the variance inflation factor, 1 / (1 - R^2) of its regression on the others; NaN for dropped columns.
func (f *Fit) Inflation() []float64 { return f.spread(f.t.Inflation) }

// spread puts values of the kept columns into their places among all.
func (f *Fit) spread(values []float64) []float64 {
	out := make([]float64, f.s.D)
	for j := range out {
		out[j] = math.NaN()
	}
	for k, v := range values {
		out[f.t.Kept[k]] = v
	}
	return out
}

// Covariance returns the covariance matrix of the intercept, where there is one, and the d coefficients, sigma^2 (X^T W X)^-1. It is NaN
// at columns that were dropped, and nil where the coefficients are not unique.
func (f *Fit) Covariance() *mat.SymDense {
	if !f.unique() || f.s.D == 0 {
		return nil
	}
	k, one, variance := len(f.t.Kept), f.one(), f.Sigma()*f.Sigma()
	c := mat.NewSymDense(f.s.D+one, nil)
	for i := range f.s.D + one {
		for j := i; j < f.s.D+one; j++ {
			c.SetSym(i, j, math.NaN())
		}
	}
	if one == 1 {
		c.SetSym(0, 0, variance/f.t.Weight)
	}
	if k == 0 {
		return c
	}
	up := mat.NewDense(k, k, f.t.Upper)
	var v mat.Dense
	v.Mul(up, up.T())
	v.Scale(variance, &v)
	for i, a := range f.t.Kept {
		for j, b := range f.t.Kept {
			c.SetSym(a+one, b+one, v.At(i, j))
		}
	}
	if one == 1 {
		var m mat.VecDense
		m.MulVec(&v, mat.NewVecDense(k, f.t.Mean))
		for i, a := range f.t.Kept {
			c.SetSym(0, a+1, -m.AtVec(i))
		}
		c.SetSym(0, 0, variance/f.t.Weight+mat.Dot(&m, mat.NewVecDense(k, f.t.Mean)))
	}
	return c
}

// StandardErrors returns the standard errors of the intercept, where there is one, and the d coefficients: NaN for columns that were
// dropped, and nil where the coefficients are not unique.
func (f *Fit) StandardErrors() []float64 {
	if !f.unique() {
		return nil
	}
	k := len(f.t.Kept)
	rows := make([]float64, k)
	at := 1 / f.t.Weight
	shift := make([]float64, k)
	for j := range k {
		row := f.t.Upper[j*k : (j+1)*k]
		rows[j] = f.Sigma() * length(row)
		for i, v := range row {
			shift[i] += v * f.t.Mean[j]
		}
	}
	out := f.spread(rows)
	if f.one() == 1 {
		l := length(shift)
		out = append([]float64{f.Sigma() * math.Sqrt(at+l*l)}, out...)
	}
	return out
}

// Theta returns the intercept, where there is one, and the d coefficients.
func (f *Fit) Theta() []float64 {
	if f.s.HasIntercept {
		return append([]float64{f.s.Intercept}, f.s.Coefficients...)
	}
	return f.Coefficients()
}

// T returns the t values of Theta and their two-sided p-values.
func (f *Fit) T() (t, p []float64) {
	theta, df := f.Theta(), float64(f.DF())
	for i, v := range f.StandardErrors() {
		at := theta[i] / v
		t, p = append(t, at), append(p, beta(df/2, 0.5, df/(df+at*at)))
	}
	return t, p
}

// beta is the regularised incomplete beta function, NaN outside its domain.
func beta(a, b, x float64) float64 {
	if !(a > 0 && b > 0 && x >= 0 && x <= 1) {
		return math.NaN()
	}
	return mathext.RegIncBeta(a, b, x)
}

// quantile returns the t with the given share of Student's distribution of df degrees of freedom within -t ... t.
func quantile(share, df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	x := mathext.InvRegIncBeta(df/2, 0.5, 1-share)
	return math.Sqrt(df * (1 - x) / x)
}

// An Interval is an estimate between the ends of its interval.
type Interval struct{ From, Estimate, To float64 }

// Intervals returns the confidence intervals of Theta at a level such as 0.95.
func (f *Fit) Intervals(level float64) ([]Interval, error) {
	if err := checkLevel("linear.Fit.Intervals", level); err != nil {
		return nil, err
	}
	t, theta := quantile(level, float64(f.DF())), f.Theta()
	out := make([]Interval, 0, len(theta))
	for i, v := range f.StandardErrors() {
		out = append(out, Interval{theta[i] - t*v, theta[i], theta[i] + t*v})
	}
	return out, nil
}

func checkLevel(op string, level float64) error {
	if !(level > 0 && level < 1) {
		return fault.Argument(op, "level", level, "a number between 0 and 1", "0.95 is usual")
	}
	return nil
}

// Bands returns for each row of X (n x d) two intervals at a level such as 0.95: that of the height of the plane there, and that of a new
// target of weight one.
func (f *Fit) Bands(X mat.Matrix, level float64) (mean, target []Interval, err error) {
	const op = "linear.Fit.Bands"
	if err := checkLevel(op, level); err != nil {
		return nil, nil, err
	}
	y, err := f.Predict(X)
	if err != nil {
		return nil, nil, fault.In(op, err)
	}
	if !f.unique() {
		return nil, nil, fmt.Errorf("%s: the coefficients are not unique, and have no intervals; leave dependent columns out", op)
	}
	x, t, sigma := estimator.Dense(X), quantile(level, float64(f.DF())), f.Sigma()
	for i, v := range y {
		h := f.leverage(x.RawRowView(i))
		near, far := t*sigma*math.Sqrt(h), t*sigma*math.Sqrt(1+h)
		mean, target = append(mean, Interval{v - near, v, v + near}), append(target, Interval{v - far, v, v + far})
	}
	return mean, target, nil
}

// leverage returns x (X^T W X)^-1 x^T for a row x, with its one where there is an intercept.
func (f *Fit) leverage(x []float64) float64 {
	h := 0.0
	if f.s.HasIntercept {
		h = 1 / f.t.Weight
	}
	k := len(f.t.Kept)
	for c := range k {
		s := 0.0
		for j, at := range f.t.Kept {
			s += (x[at] - f.t.Mean[j]) * f.t.Upper[j*k+c]
		}
		h += s * s
	}
	return h
}
