package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/internal/gauss"
	"github.com/prlab/prlab/prl/internal/tile"
)

// PNNOptions are the settings of FitPNN. The zero value is usable.
type PNNOptions struct {
	Sigma  float64   // width of the bumps; 0 stands for the mean of Scott's widths of the classes
	Priors []float64 // K probabilities; nil stands for the shares of the classes
}

// A PNN is a probabilistic neural network: the classifier of Bayes on Parzen densities. It is safe for concurrent use.
type PNN struct {
	estimator.Names
	sigma    float64
	priors   []float64
	logPrior []float64
	classes  []*Parzen
}

// FitPNN puts a Gaussian bump of width sigma on each row of X (n x d) and decides for the class of the largest
//
//	P(k) p(x|k),  p(x|k) = 1/(N_k (2 pi)^(d/2) sigma^d) sum_{i of class k} exp(-|x - x_i|^2 / (2 sigma^2)).
//
// As sigma vanishes it becomes the rule of the nearest neighbour, whatever the priors, as long as none is zero. Source: Specht, Neural
// Networks 3 (1990).
//
// Errors: unusable data or labels; numbers whose squares overflow or vanish; a width that is not positive; priors that are none.
func FitPNN(ctx context.Context, X mat.Matrix, y []int, o PNNOptions) (*PNN, error) {
	const name = "density.FitPNN"
	classes, err := estimator.CheckLabelled(name, X, y)
	if err != nil {
		return nil, err
	}
	if o.Sigma != 0 {
		if err := estimator.CheckPositive(name, "Sigma", o.Sigma, 1); err != nil {
			return nil, err
		}
	}
	n, d := X.Dims()
	if o.Priors != nil {
		if err := estimator.CheckProbabilities(name, "Priors", o.Priors); err != nil {
			return nil, err
		}
		if len(o.Priors) != classes {
			want := fmt.Sprintf("%d, one for each class", classes)
			return nil, fault.Argument(name, "Priors", fmt.Sprintf("%d numbers", len(o.Priors)), want, "")
		}
	}
	x := estimator.Dense(X)
	if err := estimator.CheckSquares(name, x); err != nil {
		return nil, err
	}
	m := &PNN{sigma: o.Sigma}
	rows := make([][]float64, classes)
	for i, c := range y {
		rows[c] = append(rows[c], x.RawRowView(i)...)
	}
	weighed := 0.0
	for c := range classes {
		part := &Parzen{n: len(rows[c]) / d, d: d, window: Gauss, rule: Scott, rows: rows[c]}
		if err := part.arrange(ctx); err != nil {
			return nil, err
		}
		h, _ := part.scott()
		weighed += h * float64(part.n) / float64(n)
		prior := float64(part.n) / float64(n)
		if o.Priors != nil {
			prior = o.Priors[c]
		}
		m.classes, m.priors, m.logPrior = append(m.classes, part), append(m.priors, prior), append(m.logPrior, math.Log(prior))
	}
	if m.sigma == 0 {
		if m.sigma = weighed; !(weighed > 0) {
			return nil, fault.Argument(name, "X", "classes without spread", "different rows in a class", "set Sigma")
		}
	}
	for _, part := range m.classes {
		part.h = m.sigma
		part.settle()
	}
	return m, nil
}

// Dim returns d.
func (m *PNN) Dim() int {
	if len(m.classes) == 0 {
		return 0
	}
	return m.classes[0].d
}

// Classes returns K.
func (m *PNN) Classes() int { return len(m.classes) }

// Sigma returns the width of the bumps.
func (m *PNN) Sigma() float64 { return m.sigma }

// String returns "PNN of width 0.5 on 150 rows".
func (m *PNN) String() string {
	n := 0
	for _, part := range m.classes {
		n += part.n
	}
	return fmt.Sprintf("PNN of width %.4g on %d rows", m.sigma, n)
}

// Density returns p(x|k), the density of class k, and NaN for a point of another width or a class that does not exist.
func (m *PNN) Density(k int, x ...float64) float64 {
	if k < 0 || k >= len(m.classes) {
		return math.NaN()
	}
	return m.classes[k].Density(x...)
}

// Decision returns the n x K matrix of log P(k) + log p(x|k), in nats.
func (m *PNN) Decision(X mat.Matrix) (*mat.Dense, error) { return m.decide("density.PNN.Decision", X) }

func (m *PNN) decide(function string, X mat.Matrix) (*mat.Dense, error) {
	if err := estimator.CheckWidth(function, X, m.Dim()); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	out := mat.NewDense(n, len(m.classes), nil)
	for c, part := range m.classes {
		logs, err := part.LogDensities(X)
		if err != nil {
			return nil, fault.In(function, err)
		}
		for i, v := range logs {
			out.Set(i, c, v+m.logPrior[c])
		}
	}
	return out, nil
}

// Proba returns the n x K probabilities of the classes; each row sums to one.
func (m *PNN) Proba(X mat.Matrix) (*mat.Dense, error) {
	out, err := m.decide("density.PNN.Proba", X)
	if err != nil {
		return nil, err
	}
	n, _ := out.Dims()
	for i := range n {
		gauss.Softmax(out.RawRowView(i))
	}
	return out, nil
}

// LogProba returns the n x K natural logarithms of the probabilities of the classes, also of those that Proba rounds to zero.
func (m *PNN) LogProba(X mat.Matrix) (*mat.Dense, error) {
	out, err := m.decide("density.PNN.LogProba", X)
	if err != nil {
		return nil, err
	}
	n, _ := out.Dims()
	for i := range n {
		gauss.LogSoftmax(out.RawRowView(i))
	}
	return out, nil
}

// Predict returns the class of each row of X (n x d), the first of equally likely ones.
func (m *PNN) Predict(X mat.Matrix) ([]int, error) {
	scores, err := m.decide("density.PNN.Predict", X)
	if err != nil {
		return nil, err
	}
	n, _ := scores.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = estimator.Argmax(scores.RawRowView(i))
	}
	return out, nil
}

// Class returns the class of one point, and -1 for a point of another length, with a NaN, or too far away for a squared distance.
func (m *PNN) Class(x ...float64) int {
	limit := estimator.SquareLimit(len(x))
	if len(x) == 0 || len(x) != m.Dim() || slices.ContainsFunc(x, func(v float64) bool { return !(math.Abs(v) <= limit) }) {
		return -1
	}
	most := 0
	for _, part := range m.classes {
		most = max(most, min(parzenRows, part.n))
	}
	scores, z, room := make([]float64, len(m.classes)), make([]float64, len(x)), make([]float64, tile.Padded(most))
	for c, part := range m.classes {
		scores[c] = part.logAt(x, z, room) + m.logPrior[c]
	}
	return estimator.Argmax(scores)
}

type pnnState struct {
	Names  estimator.Names
	D      int
	Sigma  float64
	Priors []float64
	Rows   [][]float64
}

// MarshalBinary encodes the model, which holds all rows of the fit.
func (m *PNN) MarshalBinary() ([]byte, error) {
	if len(m.classes) == 0 {
		return nil, estimator.Unfitted("density.PNN.MarshalBinary")
	}
	s := pnnState{Names: m.Names, D: m.Dim(), Sigma: m.sigma, Priors: m.priors}
	for _, part := range m.classes {
		s.Rows = append(s.Rows, part.rows)
	}
	return estimator.Encode("density.PNN", 1, s)
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *PNN) UnmarshalBinary(data []byte) error {
	var s pnnState
	if err := estimator.Decode(data, "density.PNN", 1, &s); err != nil {
		return err
	}
	bad := func(what string) error { return fmt.Errorf("density.PNN: decode: %s", what) }
	var all []float64
	var y []int
	for c, rows := range s.Rows {
		if s.D < 1 || !estimator.Fits(len(rows), len(rows)/max(1, s.D), s.D) {
			return bad("the rows of a class do not form a matrix")
		}
		all = append(all, rows...)
		for range len(rows) / s.D {
			y = append(y, c)
		}
	}
	if len(y) == 0 || s.Priors == nil || !(s.Sigma > 0) {
		return bad("there are no rows, priors or width")
	}
	read, err := FitPNN(context.Background(), mat.NewDense(len(y), s.D, all), y, PNNOptions{Sigma: s.Sigma, Priors: s.Priors})
	if err != nil {
		return bad(err.Error())
	}
	read.Names = s.Names
	*m = *read
	return nil
}
