package ica

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/tile"
)

// A Model is x = m + A s with k independent components s: s = W (x - m).
type Model struct {
	estimator.Names
	state    state
	unmixing *mat.Dense // k x d
	mixing   *mat.Dense // d x k
}

type state struct {
	D, K, N          int
	Method           Method
	Contrast         Contrast
	Mean             []float64 // d
	White, Back      []float64 // z = White (x - m), k x d, and x = m + Back z, d x k
	Rotation         []float64 // s = Rotation z, k x k
	Unmixing, Mixing []float64 // k x d and d x k
	Kurtosis, Gaps   []float64
	Steps            []int
	Converged        bool
	Names            estimator.Names // in storage only: Model.Names holds them
}

// finish turns W (k x k, in whitened coordinates) into the model: components of variance 1, in the order of falling squared gaps, signs by
// the mixing matrix.
func (s *state) finish(ctx context.Context, p *problem, w []float64) error {
	k, d := s.K, s.D
	for i := range k {
		unit(w[i*k : (i+1)*k]) // variance 1, for z is white
	}
	gaps := p.gaps(w)
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gaps[b]*gaps[b], gaps[a]*gaps[a]) })
	turned, steps := make([]float64, 0, k*k), make([]int, k)
	for to, from := range order {
		turned = append(turned, w[from*k:(from+1)*k]...)
		steps[to] = s.Steps[from]
		s.Gaps = append(s.Gaps, gaps[from])
	}
	s.Steps = steps
	inverse, err := power(ctx, turned, k, -1) // W^-1 = W^T (W W^T)^-1
	if err != nil {
		return err
	}
	inverse = product(transposed(turned, k), inverse, k)
	back, white := mat.NewDense(d, k, s.Back), mat.NewDense(k, d, s.White)
	var mixing, unmixing mat.Dense
	mixing.Mul(back, mat.NewDense(k, k, inverse))
	unmixing.Mul(mat.NewDense(k, k, turned), white)
	for j := range k {
		largest := 0.0
		for i := range d { // of nearly equal entries the first decides
			if v := mixing.At(i, j); math.Abs(v) > math.Abs(largest)*(1+1e-9) {
				largest = v
			}
		}
		if largest < 0 {
			for i := range d {
				mixing.Set(i, j, -mixing.At(i, j))
				unmixing.Set(j, i, -unmixing.At(j, i))
			}
			for i := range k {
				turned[j*k+i] = -turned[j*k+i]
			}
		}
	}
	s.Rotation, s.Mixing, s.Unmixing = turned, mixing.RawMatrix().Data, unmixing.RawMatrix().Data
	fourth, err := p.fourths(ctx, turned)
	if err != nil {
		return err
	}
	for _, v := range fourth {
		s.Kurtosis = append(s.Kurtosis, v-3)
	}
	return nil
}

func (m *Model) prepare() {
	s := &m.state
	m.unmixing, m.mixing = mat.NewDense(s.K, s.D, s.Unmixing), mat.NewDense(s.D, s.K, s.Mixing)
}

// Dim returns d.
func (m *Model) Dim() int { return m.state.D }

// Components returns k.
func (m *Model) Components() int { return m.state.K }

// Mean returns the mean of the data, d numbers.
func (m *Model) Mean() []float64 { return slices.Clone(m.state.Mean) }

// Unmixing returns W (k x d), s = W (x - m); its row j filters component j out of the mixtures.
func (m *Model) Unmixing() *mat.Dense { return copied(m.unmixing) }

// Mixing returns A (d x k), x = m + A s; W A = I. Its column j says how loud component j is in each mixture.
func (m *Model) Mixing() *mat.Dense { return copied(m.mixing) }

// Whitening returns the k x d matrix of z = D^-1/2 U^T (x - m).
func (m *Model) Whitening() *mat.Dense {
	return copied(mat.NewDense(max(1, m.state.K), max(1, m.state.D), orNil(m.state.White)))
}

// Rotation returns the k x k matrix of s = R z, orthogonal unless the method is Infomax.
func (m *Model) Rotation() *mat.Dense {
	return copied(mat.NewDense(max(1, m.state.K), max(1, m.state.K), orNil(m.state.Rotation)))
}

// orNil is v, or nil where an unfitted model has none.
func orNil(v []float64) []float64 {
	if len(v) == 0 {
		return nil
	}
	return v
}

func copied(m *mat.Dense) *mat.Dense {
	if m == nil {
		return nil
	}
	return mat.DenseCopyOf(m)
}

// Kurtosis returns kurt of each component, on the data of the fit.
func (m *Model) Kurtosis() []float64 { return slices.Clone(m.state.Kurtosis) }

// Gaps returns E G(s) - E G(v), v Gaussian, of each component on the data of the fit; G is log cosh where the method is Infomax.
func (m *Model) Gaps() []float64 { return slices.Clone(m.state.Gaps) }

// Steps returns the number of steps that each component took.
func (m *Model) Steps() []int { return slices.Clone(m.state.Steps) }

// Converged reports whether the fit stopped by Tol.
func (m *Model) Converged() bool { return m.state.Converged }

// spread is the standard deviation of the gap of a standardised Gaussian sample, times root n, for each contrast: that of G(v) without what
// v^2 explains of it.
var spread = [...]float64{0.0795478911798, 0.1218616805630, 1.2247448713916}

// Gaussian returns the components that cannot be told from Gaussian ones: their gaps stay within 2 + sqrt k standard deviations of what
// Gaussian samples of this size have, where sqrt k allows for the fit having chosen the largest. Of two or more such components every turn
// is as good as the one returned.
func (m *Model) Gaussian() []int {
	var list []int
	for j, g := range m.state.Gaps {
		if math.Abs(g) <= (2+math.Sqrt(float64(m.state.K)))*spread[m.state.Contrast]/math.Sqrt(float64(m.state.N)) {
			list = append(list, j)
		}
	}
	return list
}

// Transform returns the components W (x - m) of the rows x of X (n x d), one a column.
func (m *Model) Transform(X mat.Matrix) (*mat.Dense, error) {
	return m.mapped("ica.Model.Transform", X, m.state.D, m.state.Unmixing, m.state.Mean, nil)
}

// Inverse returns the rows m + A s for the rows s of S (n x k). With fewer components than columns they are the nearest that k components
// can make.
func (m *Model) Inverse(S mat.Matrix) (*mat.Dense, error) {
	return m.mapped("ica.Model.Inverse", S, m.state.K, m.state.Mixing, nil, m.state.Mean)
}

// mapped returns (x - less) M^T + more for the rows x of X, M with width columns.
func (m *Model) mapped(name string, X mat.Matrix, width int, M, less, more []float64) (*mat.Dense, error) {
	if err := estimator.CheckShape(name, X, width); err != nil {
		return nil, err
	}
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	n, _ := x.Dims()
	k := len(M) / width
	out := mat.NewDense(n, k, nil)
	centred := make([]float64, min(n, batch)*width)
	for lo := 0; lo < n; lo += batch {
		count := min(batch, n-lo)
		for i := range count {
			row := centred[i*width : (i+1)*width]
			copy(row, x.RawRowView(lo+i))
			for j, v := range less {
				row[j] -= v
			}
		}
		part := out.RawMatrix().Data[lo*k : (lo+count)*k]
		tile.Dense(part, count, k, k).SetProduct(tile.Dense(centred, count, width, width), tile.Dense(M, k, width, width).T())
		for i := range part {
			if more != nil {
				part[i] += more[i%k]
			}
		}
	}
	return out, nil
}

// String returns a line such as "3 independent components of 4 features by symmetric FastICA (log cosh)". It says when the fit has not
// converged, and when two or more components look Gaussian.
func (m *Model) String() string {
	s := m.state
	if s.K == 0 {
		return "no independent components"
	}
	text := fmt.Sprintf("%d independent components of %d features by %s", s.K, s.D, s.Method)
	if s.Method != Infomax {
		text += fmt.Sprintf(" (%s)", s.Contrast)
	}
	if !s.Converged {
		text += ", not converged"
	}
	if list := m.Gaussian(); len(list) > 1 {
		text += fmt.Sprintf("; %d look Gaussian: any turn of them is as good", len(list))
	}
	return text
}

// sound reports whether the parts fit together.
func (s *state) sound() bool {
	return s.K >= 1 && s.D >= s.K && s.N >= 2 && s.Method >= Symmetric && s.Method <= Infomax && s.Contrast >= LogCosh &&
		s.Contrast <= Cube && estimator.Fits(len(s.White), s.K, s.D) && len(s.Mean) == s.D && len(s.Back) == s.K*s.D &&
		len(s.Unmixing) == s.K*s.D && len(s.Mixing) == s.K*s.D && len(s.Rotation) == s.K*s.K && len(s.Kurtosis) == s.K &&
		len(s.Gaps) == s.K && len(s.Steps) == s.K
}
