package neural

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
)

// state is what is stored of a model: new fields at the end.
type state struct {
	K           int // classes, 0 of a regression
	Sizes       []int
	Hidden, Out int // activations
	Theta       []float64
	Reason      Reason
	Losses      []float64 // the mean loss of each round
	Held        []float64 // that on the rows held out
	Best        int       // the round whose parameters count, from 1; 0: the last
	Start       int       // the start that was best, from 0
	Names       estimator.Names
}

// net returns the net of a model, nil before a fit.
func (s *state) net() *Net {
	n, err := New(Activation(s.Hidden), Activation(s.Out), s.Sizes...)
	if err != nil {
		return nil
	}
	n.Theta = s.Theta
	return n
}

// dim returns the number of features, 0 before a fit.
func (s *state) dim() int {
	if len(s.Sizes) == 0 {
		return 0
	}
	return s.Sizes[0]
}

// sound reports whether the parts of a stored model fit together.
func (s *state) sound(classes bool) bool {
	n := Parameters(s.Sizes...)
	ok := n > 0 && len(s.Sizes) > 2 && len(s.Theta) == n && finite(s.Theta) && finite(s.Losses) && finite(s.Held) &&
		s.Reason >= AllRounds && s.Reason <= Settled && Activation(s.Hidden) >= ReLU && Activation(s.Hidden) < Softmax &&
		s.Best >= 0 && s.Start >= 0
	if !ok {
		return false
	}
	outputs, out := s.Sizes[len(s.Sizes)-1], Activation(s.Out)
	if classes {
		return s.K == 2 && outputs == 1 && out == Logistic || s.K > 2 && outputs == s.K && out == Softmax
	}
	return s.K == 0 && outputs == 1 && out == Linear
}

// answers writes the net inputs of the last layer for the rows of x into scores.
func answers(n *Net, scores, x []float64) {
	d, k := n.sizes[0], n.sizes[n.Layers()]
	b := n.batch(min(chunk, len(x)/d))
	for len(x) > 0 {
		rows := min(chunk, len(x)/d)
		copy(b.y[0], x[:rows*d])
		b.forward(rows, nil)
		copy(scores, b.y[n.Layers()][:rows*k])
		x, scores = x[rows*d:], scores[rows*k:]
	}
}

// cost is about the time of a row's answers in ns.
func (n *Net) cost() float64 {
	if n == nil {
		return 0
	}
	return 0.05 * float64(len(n.Theta))
}

// hidden returns the answers of the last hidden layer.
func hidden(n *Net, op string, X mat.Matrix, d int) (*mat.Dense, error) {
	if err := estimator.CheckWidth(op, X, d); err != nil {
		return nil, err
	}
	x := estimator.Dense(X)
	rows, _ := x.Dims()
	m := n.sizes[n.Layers()-1]
	out, b := mat.NewDense(rows, m, nil), n.batch(min(chunk, rows))
	for from := 0; from < rows; from += chunk {
		part := min(chunk, rows-from)
		for i := range part {
			copy(b.y[0][i*d:(i+1)*d], x.RawRowView(from+i))
		}
		b.forward(part, nil)
		copy(out.RawMatrix().Data[from*m:], b.y[n.Layers()-1][:part*m])
	}
	return out, nil
}

// text describes a model in a line.
func (s *state) text(what string) string {
	sizes := make([]string, len(s.Sizes))
	for l, m := range s.Sizes {
		sizes[l] = strconv.Itoa(m)
	}
	text := fmt.Sprintf("%s %s of %v units, %d parameters; %v", what, strings.Join(sizes, "-"), Activation(s.Hidden), len(s.Theta), s.Reason)
	if len(s.Losses) > 1 {
		text += fmt.Sprintf(" (%d rounds)", len(s.Losses))
	}
	return text
}

// A Classifier is a net for classes. It is immutable and safe for concurrent use.
type Classifier struct {
	estimator.Names
	s   state
	net *Net
}

// spine gives the model the methods that all classifiers have.
func (m *Classifier) spine() estimator.Discriminant[*Classifier] {
	return estimator.Discriminant[*Classifier]{Against0: true, Classification: estimator.Classification[*Classifier]{
		Model: m, Kind: "neural.Classifier", D: m.s.dim(), K: m.s.K, Scores: (*Classifier).scores, Cost: m.net.cost(),
	}}
}

func (m *Classifier) scores(scores, x []float64) {
	if m.s.K > 2 {
		answers(m.net, scores, x)
	} else {
		n := len(scores) / 2
		answers(m.net, scores[n:], x)
		for i := range n {
			scores[2*i], scores[2*i+1] = 0, scores[n+i]
		}
	}
	for i, v := range scores {
		scores[i] = bounded(v)
	}
}

// bounded keeps a score from being infinite, or NaN where infinities of both signs met.
func bounded(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, v))
}

// Net returns a copy of the net, for features as they are.
func (m *Classifier) Net() *Net { return m.net.clone() }

func (n *Net) clone() *Net {
	if n == nil {
		return nil
	}
	c := *n
	c.Theta = slices.Clone(n.Theta)
	return &c
}

// Reason says why training stopped.
func (m *Classifier) Reason() Reason { return m.s.Reason }

// Start returns the number of the start that was best, from 0.
func (m *Classifier) Start() int { return m.s.Start }

// Losses returns the mean loss of a row in each round of training, in nats, with the penalty, while the parameters moved; one number, that
// of the end, for a method that searches.
func (m *Classifier) Losses() []float64 { return slices.Clone(m.s.Losses) }

// HeldLosses returns the mean loss on the rows held out after each round, also of those that were taken back; nil without such rows.
func (m *Classifier) HeldLosses() []float64 { return slices.Clone(m.s.Held) }

// Hidden returns what the units of the last hidden layer answer to the rows of X (n x d): n x M^(L-1).
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (m *Classifier) Hidden(X mat.Matrix) (*mat.Dense, error) {
	return hidden(m.net, "neural.Classifier.Hidden", X, m.s.dim())
}

// String returns "net 4-100-3 of ReLU units, 803 parameters; the loss fell no more (57 rounds)".
func (m *Classifier) String() string { return m.s.text("net") }

func (m *Classifier) sound() bool { return m.s.sound(true) }

func (m *Classifier) prepare() { m.net = m.s.net() }

// A Regressor is a net for numbers. It is immutable and safe for concurrent use.
type Regressor struct {
	estimator.Names
	s   state
	net *Net
}

// spine gives the model the methods that all regressions have.
func (m *Regressor) spine() estimator.Regression[*Regressor] {
	return estimator.Regression[*Regressor]{
		Model: m, Kind: "neural.Regressor", D: m.s.dim(), Cost: m.net.cost(),
		Values: func(m *Regressor, y, x []float64) {
			answers(m.net, y, x)
			for i, v := range y {
				y[i] = bounded(v)
			}
		},
	}
}

// Net returns a copy of the net, for features and targets as they are.
func (m *Regressor) Net() *Net { return m.net.clone() }

// Reason says why training stopped.
func (m *Regressor) Reason() Reason { return m.s.Reason }

// Start returns the number of the start that was best, from 0.
func (m *Regressor) Start() int { return m.s.Start }

// Losses returns half the mean squared error of each round of training, of targets scaled to variance 1 unless Unscaled, with the penalty;
// one number, that of the end, for a method that searches.
func (m *Regressor) Losses() []float64 { return slices.Clone(m.s.Losses) }

// HeldLosses returns the mean loss on the rows held out after each round, also of those that were taken back; nil without such rows.
func (m *Regressor) HeldLosses() []float64 { return slices.Clone(m.s.Held) }

// Hidden returns what the units of the last hidden layer answer to the rows of X (n x d): n x M^(L-1).
//
// Errors: a model that is not fitted; X of another width than d, or with a number that is not finite.
func (m *Regressor) Hidden(X mat.Matrix) (*mat.Dense, error) {
	return hidden(m.net, "neural.Regressor.Hidden", X, m.s.dim())
}

// String returns "net 4-100-1 of ReLU units, 601 parameters; the loss fell no more (57 rounds)".
func (m *Regressor) String() string { return m.s.text("net") }

func (m *Regressor) sound() bool { return m.s.sound(false) }

func (m *Regressor) prepare() { m.net = m.s.net() }
