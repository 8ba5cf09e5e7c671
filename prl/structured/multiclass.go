package structured

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// MulticlassOptions are the settings of FitMulticlass. A field that is zero stands for its default.
type MulticlassOptions struct {
	C      float64 // price of slack, > 0; default 1
	NoBias bool    // scores through the origin; otherwise b_k is the weight of a constant feature 1, penalised like the others
	Tol    float64 // what a rival may break beyond the slack, > 0; default 1e-3
}

// A Multiclass is a linear machine with one score w_k.x + b_k for each class. It is immutable and safe for concurrent use.
type Multiclass struct {
	estimator.Names
	s multiclassState
}

// A multiclassState is what is stored.
type multiclassState struct {
	D           int
	W           [][]float64 // K x d
	B           []float64
	Certificate Certificate
	Names       estimator.Names // in storage only
}

// FitMulticlass learns one score for each class of X (n x d) with labels y, the machine of Crammer and Singer. It minimises
//
//	sum_k |w_k|^2/2 + C sum_i max(0, 1 + max_{k != y_i} s_k(x_i) - s_{y_i}(x_i))
//
// which is the structural SVM of a sentence of one word. Without bias and for two classes w_1 = -w_0, and C here is half of C in svm.Fit.
//
// Errors: unusable data, labels or options, a context that ends.
//
// Source: K. Crammer and Y. Singer (2001), JMLR 2.
func FitMulticlass(ctx context.Context, X mat.Matrix, y []int, o MulticlassOptions) (*Multiclass, error) {
	const op = "structured.FitMulticlass"
	settings := PlaneOptions{C: o.C, Tol: o.Tol}
	if err := settings.check(op); err != nil {
		return nil, err
	}
	l, err := estimator.NewLabelled(ctx, op, X, y, estimator.Weighting{})
	if err != nil {
		return nil, err
	}
	if err := estimator.CheckSquares(op, l.Dense()); err != nil {
		return nil, err
	}
	width := l.D + 1
	rows := mat.NewDense(l.N, width, nil)
	for i := range l.N {
		copy(rows.RawRowView(i), l.Dense().RawRowView(i))
		if !o.NoBias {
			rows.Set(i, l.D, 1)
		}
	}
	scores := make([]float64, l.K)
	worst := func(i int, w []float64) Cut {
		x := rows.RawRowView(i)
		for k := range scores {
			scores[k] = floats.Dot(w[k*width:(k+1)*width], x)
		}
		rival := -1
		for k, s := range scores {
			if k != l.Y[i] && (rival < 0 || s > scores[rival]) {
				rival = k
			}
		}
		c := Cut{Loss: 1}
		for _, k := range []int{min(rival, l.Y[i]), max(rival, l.Y[i])} {
			for j, v := range x {
				if k != l.Y[i] {
					v = -v
				}
				if v != 0 {
					c.At, c.Values = append(c.At, int32(k*width+j)), append(c.Values, v)
				}
			}
		}
		return c
	}
	p, err := cutting(ctx, l.N, l.K*width, worst, settings)
	if err != nil {
		return nil, fault.In(op, err)
	}
	s := multiclassState{D: l.D, Certificate: p.Certificate}
	for k := range l.K {
		row := p.W[k*width : (k+1)*width]
		s.W, s.B = append(s.W, row[:l.D:l.D]), append(s.B, row[l.D])
	}
	return &Multiclass{s: s}, nil
}

// Certificate returns how the fit ended.
func (m *Multiclass) Certificate() Certificate { return m.s.Certificate }

// Weights returns w of each class, K x d.
func (m *Multiclass) Weights() [][]float64 { return estimator.CloneRows(m.s.W) }

// Bias returns b of each class.
func (m *Multiclass) Bias() []float64 { return append([]float64(nil), m.s.B...) }

// spine gives the model the methods that all classifiers have.
//
//spine:without Proba LogProba
func (m *Multiclass) spine() estimator.Discriminant[*Multiclass] {
	return estimator.Discriminant[*Multiclass]{Classification: estimator.Classification[*Multiclass]{
		Model: m, Kind: "structured.Multiclass", D: m.s.D, K: len(m.s.W), Scores: (*Multiclass).scores,
	}}
}

func (m *Multiclass) scores(scores, x []float64) {
	for d, k := m.s.D, len(m.s.W); len(x) > 0; x, scores = x[d:], scores[k:] {
		for c, w := range m.s.W {
			scores[c] = floats.Dot(w, x[:d]) + m.s.B[c]
		}
	}
}

// String returns "multi-class SVM: 3 classes, 4 features".
func (m *Multiclass) String() string {
	return fmt.Sprintf("multi-class SVM: %d classes, %d features; %v", len(m.s.W), m.s.D, m.s.Certificate)
}

// sound reports whether the parts of a stored model fit together.
func (s *multiclassState) sound() bool {
	ok := s.D > 0 && len(s.W) > 1 && len(s.B) == len(s.W)
	for k, w := range s.W {
		ok = ok && len(w) == s.D && finite(w) && finite(s.B[k:k+1])
	}
	return ok
}

func finite(v []float64) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}
