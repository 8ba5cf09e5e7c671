package structured

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/svm"
)

// LaplacianOptions are the settings of FitLaplacian. A field that is zero stands for its default.
type LaplacianOptions struct {
	Kernel     kernel.Kernel // default kernel.RBF{Gamma: 1}
	Neighbours int           // of a row, at least 1: it is linked with the nearest ones, and with those of which it is one; default 6
	Ambient    float64       // gamma_A, the price of |f|^2, > 0; default 1e-3
	Intrinsic  float64       // gamma_I, the price of f'Lf / m^2, or estimator.None; default 1
	Unlabelled mat.Matrix    // u x d rows without a label; nil for none
	Tol        float64       // as in svm.Options; default 1e-6
}

// filled returns o with defaults in the place of zeros.
func (o LaplacianOptions) filled() LaplacianOptions {
	if o.Kernel == nil {
		o.Kernel = kernel.RBF{Gamma: 1}
	}
	o.Neighbours, o.Ambient, o.Intrinsic = cmp.Or(o.Neighbours, 6), cmp.Or(o.Ambient, 1e-3), cmp.Or(o.Intrinsic, 1)
	o.Tol = cmp.Or(o.Tol, 1e-6)
	return o
}

func (o LaplacianOptions) check(op string) error {
	if err := kernel.Check(op, o.Kernel); err != nil {
		return err
	}
	if _, ok := o.Kernel.(kernel.Precomputed); ok {
		return fault.Argument(op, "Kernel", o.Kernel, "a kernel of points, whose distances make the graph", "")
	}
	if o.Intrinsic != estimator.None && !(o.Intrinsic > 0 && o.Intrinsic <= math.MaxFloat64) {
		return fault.Argument(op, "Intrinsic", o.Intrinsic, "a finite number > 0, or estimator.None", "")
	}
	return fault.First(
		estimator.CheckCount(op, "Neighbours", o.Neighbours, 1, math.MaxInt32),
		estimator.CheckPositive(op, "Ambient", o.Ambient, 1e-3),
		estimator.CheckPositive(op, "Tol", o.Tol, 1e-6),
	)
}

// A Laplacian is a classifier of two classes that was fitted with rows without labels: f(x) = sum_i alpha_i k(x_i, x) + b over all rows. It
// is immutable and safe for concurrent use.
type Laplacian struct {
	estimator.Names
	s    laplacianState
	rows *kernel.Rows
}

// A laplacianState is what is stored.
type laplacianState struct {
	D           int
	Kernel      kernel.Kernel
	X           []float64 // m x d, the labelled rows first
	Alpha       []float64
	B           float64
	Labelled    int
	Pieces      int // of the graph
	Certificate svm.Certificate
	Names       estimator.Names // in storage only
}

// FitLaplacian learns to separate two classes from l labelled rows X (l x d) with labels y, 0 or 1, and u rows without labels. Over
// functions f + b with f = sum alpha_i k(x_i, x) it minimises
//
//	(1/l) sum_i max(0, 1 - y_i (f(x_i) + b)) + gamma_A |f|^2 + (gamma_I / m^2) f'Lf,   m = l + u, y_i = +1 for class 1 and -1 for class 0
//
// where f'Lf = 1/2 sum_ij W_ij (f(x_i) - f(x_j))^2 is large when neighbours differ: W_ij is 1 for linked rows, L = D - W its Laplacian. The
// dual is that of svm.Fit for the l x l kernel matrix J K (2 gamma_A I + 2 gamma_I/m^2 L K)^-1 J' and C = 1/l; the matrix in the middle has
// an inverse, since L K has no negative eigenvalue. Without gamma_I it is the ordinary machine of C = 1/(2 l gamma_A).
//
// Errors: unusable data, labels or options, more than two classes, more rows than there is memory for, a context that ends.
//
// Source: M. Belkin, P. Niyogi and V. Sindhwani (2006), Manifold regularization, JMLR 7, section 4.2.
func FitLaplacian(ctx context.Context, X mat.Matrix, y []int, o LaplacianOptions) (*Laplacian, error) {
	const op = "structured.FitLaplacian"
	o = o.filled()
	if err := o.check(op); err != nil {
		return nil, err
	}
	l, err := estimator.NewLabelled(ctx, op, X, y, estimator.Weighting{})
	if err != nil {
		return nil, err
	}
	if l.K != 2 {
		return nil, fault.Argument(op, "number of classes", l.K, "2", "fit one class against the others")
	}
	rows := l.Dense()
	if o.Unlabelled != nil {
		if err := estimator.CheckX(op, o.Unlabelled); err != nil {
			return nil, err
		}
		more := estimator.Dense(o.Unlabelled)
		n, d := more.Dims()
		if d != l.D {
			return nil, fault.Argument(op, "Unlabelled", fmt.Sprintf("%d columns", d), fmt.Sprintf("%d columns like X", l.D), "")
		}
		if err := estimator.CheckRows(op, more, 0, n); err != nil {
			return nil, err
		}
		both := mat.NewDense(l.N+n, l.D, nil)
		both.Stack(rows, more)
		rows = both
	}
	m, _ := rows.Dims()
	if err := fault.First(
		estimator.CheckMemory(op, "kernel matrices of all rows", m, 4*m, "take fewer rows without labels"),
		estimator.CheckSquares(op, rows),
	); err != nil {
		return nil, err
	}
	s := laplacianState{D: l.D, Kernel: o.Kernel, Labelled: l.N, X: slices.Clone(rows.RawMatrix().Data)}
	G, err := Neighbourhood(ctx, rows, min(o.Neighbours, m-1))
	if err != nil {
		return nil, fault.In(op, err)
	}
	s.Pieces = G.Pieces()
	K, Z, err := deformed(ctx, rows, l.N, G, o)
	if err != nil {
		return nil, fault.In(op, err)
	}
	machine, err := svm.Fit(ctx, K, l.Y, svm.Options{Kernel: kernel.Precomputed{}, C: 1 / float64(l.N), Tol: o.Tol})
	if err != nil {
		return nil, fault.In(op, err)
	}
	s.B, s.Certificate, s.Alpha = machine.Bias(), machine.Certificate(), make([]float64, m)
	for i, a := range machine.Alpha() {
		floats.AddScaled(s.Alpha, a*float64(2*l.Y[i]-1), Z.RawRowView(i))
	}
	if !finite(s.Alpha) {
		return nil, fault.Argument(op, "Intrinsic", o.Intrinsic, "not so large beside Ambient that rounding is all that is left", "raise Ambient")
	}
	out := &Laplacian{s: s}
	return out, fault.In(op, out.prepare())
}

// deformed returns the l x l kernel matrix of the labelled rows and the l x m matrix whose row i holds what label i adds to alpha.
func deformed(ctx context.Context, rows *mat.Dense, l int, g *Graph, o LaplacianOptions) (*mat.SymDense, *mat.Dense, error) {
	m, _ := rows.Dims()
	gram, err := kernel.Gram(o.Kernel, rows)
	if err != nil {
		return nil, nil, err
	}
	// The middle matrix times Z = J', row by row: 2 gamma_A I + c (D - W) K, a sum over the neighbours.
	A, c := mat.NewDense(m, m, nil), 0.0
	if o.Intrinsic != estimator.None {
		c = 2 * o.Intrinsic / float64(m) / float64(m)
	}
	for i, near := range g.Near {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		row := A.RawRowView(i)
		for j := range row {
			row[j] = c * float64(len(near)) * gram.At(i, j)
		}
		for _, n := range near {
			for j := range row {
				row[j] -= c * gram.At(n, j)
			}
		}
		row[i] += 2 * o.Ambient
	}
	J, Z := mat.NewDense(m, l, nil), mat.NewDense(m, l, nil)
	for i := range l {
		J.Set(i, i, 1)
	}
	var lu mat.LU
	lu.Factorize(A)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err := lu.SolveTo(Z, false, J); err != nil {
		if _, poor := err.(mat.Condition); !poor || math.IsInf(lu.Cond(), 1) {
			return nil, nil, fault.Argument("", "the kernel and the graph", "numerically singular", "less extreme prices", "raise Ambient")
		}
	}
	var KZ mat.Dense
	KZ.Mul(gram.SliceSym(0, m), Z)
	out := mat.NewSymDense(l, nil)
	for i := range l {
		for j := i; j < l; j++ {
			out.SetSym(i, j, (KZ.At(i, j)+KZ.At(j, i))/2)
		}
	}
	return out, mat.DenseCopyOf(Z.T()), nil
}

// A Graph links rows: Near[i] are the rows linked with row i, ascending.
type Graph struct{ Near [][]int }

// Neighbourhood links each of the m rows of X with its k nearest ones by Euclidean distance, and with those of which it is one. Of rows at
// equal distances the first ones count.
//
// Errors: unusable data, k below 0 or above m - 1, a context that ends.
func Neighbourhood(ctx context.Context, X mat.Matrix, k int) (*Graph, error) {
	const op = "structured.Neighbourhood"
	if err := estimator.CheckX(op, X); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	m, _ := x.Dims()
	if err := fault.First(estimator.CheckSquares(op, x), estimator.CheckCount(op, "k", k, 0, m-1)); err != nil {
		return nil, err
	}
	g := &Graph{Near: make([][]int, m)}
	order, distance := make([]int, 0, m), make([]float64, m)
	for i := range m {
		if err := ctx.Err(); err != nil {
			return nil, fault.In(op, err)
		}
		order = order[:0]
		for j := range m {
			if distance[j] = floats.Distance(x.RawRowView(i), x.RawRowView(j), 2); j != i {
				order = append(order, j)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(distance[a], distance[b]) })
		for _, j := range order[:k] {
			g.Near[i], g.Near[j] = append(g.Near[i], j), append(g.Near[j], i)
		}
	}
	for i := range g.Near {
		slices.Sort(g.Near[i])
		g.Near[i] = slices.Compact(g.Near[i])
	}
	return g, nil
}

// Roughness returns f'Lf = sum over the links (f_i - f_j)^2, and NaN for f of another length.
func (g *Graph) Roughness(f []float64) float64 {
	if len(f) != len(g.Near) {
		return math.NaN()
	}
	s := 0.0
	for i, near := range g.Near {
		for _, j := range near {
			s += (f[i] - f[j]) * (f[i] - f[j]) / 2
		}
	}
	return s
}

// Laplacian returns L = D - W, m x m: the number of links of each row on the diagonal, and -1 for each link.
func (g *Graph) Laplacian() *mat.SymDense {
	L := mat.NewSymDense(len(g.Near), nil)
	for i, near := range g.Near {
		L.SetSym(i, i, float64(len(near)))
		for _, j := range near {
			L.SetSym(i, j, -1)
		}
	}
	return L
}

// Pieces returns the number of connected pieces.
func (g *Graph) Pieces() int {
	seen, pieces := make([]bool, len(g.Near)), 0
	for i := range g.Near {
		if seen[i] {
			continue
		}
		pieces++
		seen[i] = true
		for stack := []int{i}; len(stack) > 0; {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, n := range g.Near[j] {
				if !seen[n] {
					seen[n] = true
					stack = append(stack, n)
				}
			}
		}
	}
	return pieces
}

// prepare derives what predictions need from the state.
func (m *Laplacian) prepare() (err error) {
	m.rows, err = kernel.NewRows(m.s.Kernel, mat.NewDense(len(m.s.Alpha), m.s.D, m.s.X), nil, nil)
	return err
}

// Alpha returns the m multipliers of f, those of the labelled rows first.
func (m *Laplacian) Alpha() []float64 { return slices.Clone(m.s.Alpha) }

// Bias returns b.
func (m *Laplacian) Bias() float64 { return m.s.B }

// Pieces returns the number of connected pieces of the graph.
func (m *Laplacian) Pieces() int { return m.s.Pieces }

// Certificate returns the proof that the fit is optimal: the two objectives of the machine with the deformed kernel.
func (m *Laplacian) Certificate() svm.Certificate { return m.s.Certificate }

// spine gives the model the methods that all classifiers have.
//
//spine:without Proba LogProba
func (m *Laplacian) spine() estimator.Discriminant[*Laplacian] {
	return estimator.Discriminant[*Laplacian]{Against0: true, Classification: estimator.Classification[*Laplacian]{
		Model: m, Kind: "structured.Laplacian", D: m.s.D, K: min(2*m.s.D, 2), Scores: (*Laplacian).scores,
	}}
}

func (m *Laplacian) scores(scores, x []float64) {
	values := make([]float64, len(m.s.Alpha))
	for ; len(x) > 0; x, scores = x[m.s.D:], scores[2:] {
		m.rows.Row(values, x[:m.s.D])
		scores[0], scores[1] = 0, floats.Dot(values, m.s.Alpha)+m.s.B
	}
}

// Value returns f(x) + b, and NaN for a point of another length or with a NaN.
func (m *Laplacian) Value(x ...float64) float64 {
	if m.Class(x...) < 0 {
		return math.NaN()
	}
	var scores [2]float64
	m.scores(scores[:], x)
	return scores[1]
}

// String returns "Laplacian SVM: RBF(gamma=1), 2 labelled and 198 other rows, 1 piece".
func (m *Laplacian) String() string {
	return fmt.Sprintf("Laplacian SVM: %v, %d labelled and %d other rows, %d pieces", m.s.Kernel, m.s.Labelled, len(m.s.Alpha)-m.s.Labelled,
		m.s.Pieces)
}

// sound reports whether the parts of a stored model fit together.
func (s *laplacianState) sound() bool {
	return s.D > 0 && len(s.Alpha) > 0 && len(s.X)/s.D == len(s.Alpha) && len(s.X)%s.D == 0 && finite(s.X) && finite(s.Alpha) &&
		s.B-s.B == 0 && s.Labelled > 0 && s.Labelled <= len(s.Alpha) && s.Kernel != nil && kernel.Check("", s.Kernel) == nil
}
