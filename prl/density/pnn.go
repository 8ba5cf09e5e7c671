package density

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
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

// spine gives the model the methods that all classifiers have. Its decision values are log P(k) + log p(x|k), in nats.
func (m *PNN) spine() estimator.Discriminant[*PNN] {
	d, cost := 0, 0.0
	for _, part := range m.classes {
		d = part.d
		cost += float64(part.n) * (1.5 + 0.3*float64(d))
	}
	return estimator.Discriminant[*PNN]{Classification: estimator.Classification[*PNN]{
		Model: m, Kind: "density.PNN", D: d, K: len(m.classes), Squares: true, Cost: cost, Scores: (*PNN).scores,
	}}
}

func (m *PNN) scores(scores, x []float64) {
	d, k, most := m.classes[0].d, len(m.classes), 0
	for _, part := range m.classes {
		most = max(most, min(parzenRows, part.n))
	}
	z, room := make([]float64, d), make([]float64, tile.Padded(most))
	for ; len(x) > 0; x, scores = x[d:], scores[k:] {
		for c, part := range m.classes {
			scores[c] = part.logAt(x[:d], z, room) + m.logPrior[c]
		}
	}
}

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
