package prepare

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/sparse"
)

// TFIDFOptions are the settings of FitTFIDF.
type TFIDFOptions struct {
	Sublinear bool // 1 + ln of a count that is not 0 in its place: the tenth occurrence of a word tells less than the first
	Raw       bool // rows keep their lengths; otherwise each has the Euclidean length 1
}

// A TFIDF weighs the counts of words by how few texts have the word: what all texts have tells nothing.
type TFIDF struct {
	estimator.Names
	state tfidfState
}

type tfidfState struct {
	IDF   []float64
	Rows  int
	O     TFIDFOptions
	Names estimator.Names // in storage only
}

// FitTFIDF learns the weights of the d features from the counts X (n x d):
//
//	idf_j = ln((1 + n) / (1 + df_j)) + 1,  df_j the number of rows whose count of feature j is not 0,
//
// as if one more row had each word once, so that no weight is infinite and none 0. A row of counts x becomes x_j idf_j, divided by its
// Euclidean length unless Raw. Errors: no rows, numbers that are negative or not finite. Sources: Sparck Jones, Journal of Documentation 28
// (1972); the form is that of scikit-learn.
func FitTFIDF(ctx context.Context, X mat.Matrix, o TFIDFOptions) (*TFIDF, error) {
	const name = "prepare.FitTFIDF"
	thin, err := counts(name, X)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	n, d := X.Dims()
	s := tfidfState{IDF: make([]float64, d), Rows: n, O: o}
	for i := range n {
		for j, v := range thin.Row(i) {
			if v != 0 {
				s.IDF[j]++
			}
		}
	}
	for j, df := range s.IDF {
		s.IDF[j] = math.Log(float64(1+n)/(1+df)) + 1
	}
	return &TFIDF{state: s}, nil
}

// counts returns the rows of X without their zeros, or the error of a number that is no count.
func counts(name string, X mat.Matrix) (*sparse.CSR, error) {
	if err := estimator.CheckX(name, X); err != nil {
		return nil, err
	}
	thin := sparse.Of(X)
	n, _ := thin.Dims()
	for i := range n {
		for j, v := range thin.Row(i) {
			if v < 0 {
				return nil, fault.Argument(name, fmt.Sprintf("X[%d, %d]", i, j), v, "a count of at least 0",
					"weigh words before any scaling")
			}
		}
	}
	return thin, nil
}

// Dim returns the number of features.
func (m *TFIDF) Dim() int { return len(m.state.IDF) }

// IDF returns the weight of each feature.
func (m *TFIDF) IDF() []float64 { return append([]float64(nil), m.state.IDF...) }

// Transform returns the weighed rows of X (n x d). A row without any word stays 0.
func (m *TFIDF) Transform(X mat.Matrix) (*mat.Dense, error) {
	thin, err := m.transform("prepare.TFIDF.Transform", X)
	if err != nil {
		return nil, err
	}
	return thin.Dense(), nil
}

// TransformSparse is Transform without the zeros.
func (m *TFIDF) TransformSparse(X mat.Matrix) (*sparse.CSR, error) {
	return m.transform("prepare.TFIDF.TransformSparse", X)
}

func (m *TFIDF) transform(name string, X mat.Matrix) (*sparse.CSR, error) {
	if err := estimator.CheckShape(name, X, m.Dim()); err != nil {
		return nil, err
	}
	thin, err := counts(name, X)
	if err != nil {
		return nil, err
	}
	n, _ := thin.Dims()
	lengths, unit := make([]float64, n), make([]int, n)
	if !m.state.O.Raw { // the length of a row has no unit, and no overflow
		thin.Map(func(i, _ int, v float64) float64 {
			if v > 1e100 && !m.state.O.Sublinear {
				_, e := math.Frexp(v)
				unit[i] = max(unit[i], e)
			}
			return v
		})
	}
	z := thin.Map(func(i, j int, v float64) float64 {
		if v != 0 && m.state.O.Sublinear {
			v = 1 + math.Log(v)
		}
		v = math.Ldexp(v, -unit[i]) * m.state.IDF[j]
		lengths[i] = math.Hypot(lengths[i], v)
		return v
	})
	if m.state.O.Raw {
		return z, nil
	}
	return z.Map(func(i, _ int, v float64) float64 {
		if lengths[i] > 0 {
			v /= lengths[i]
		}
		return v
	}), nil
}

// String says how many words are weighed.
func (m *TFIDF) String() string {
	return fmt.Sprintf("weights of %d words in %d texts", m.Dim(), m.state.Rows)
}

// sound reports whether the parts fit together.
func (s *tfidfState) sound() bool {
	fit := len(s.IDF) > 0 && s.Rows > 0
	for _, w := range s.IDF {
		fit = fit && w >= 1 && !math.IsInf(w, 0)
	}
	return fit
}

// A TFIDFPlan weighs the counts of words by how few texts have the word: PlanTFIDF().Fit(texts.Counts(words)).
//
//plan:step Sublinear Sublinear // takes 1 + ln of each count in its place
//plan:step Raw Raw // leaves rows the lengths they have
//plan:fit counts of words such as datasets.Texts.Counts makes
type TFIDFPlan struct {
	plan.Transformer[*TFIDF, TFIDFOptions]
}

// PlanTFIDF begins weights of words, for rows of length 1.
func PlanTFIDF() TFIDFPlan {
	return TFIDFPlan{plan.NewTransformer(plan.Spec[*TFIDF, TFIDFOptions]{
		Name: "TFIDF", Needs: plan.Rows,
		Fit: func(ctx context.Context, set datasets.Set, o TFIDFOptions) (*TFIDF, error) {
			return FitTFIDF(ctx, set.X, o)
		},
	}, "")}
}

// Table lists parameters and diagnostics: the weight of each word.
func (p TFIDFPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *TFIDF) (cell.Table, error) {
		t := cell.NewTable("word", "weight")
		for j, w := range m.state.IDF {
			t = t.Row(m.FeatureName(j), w)
		}
		return t.Title(p.String()).Note(m.String()), nil
	})
}

// Show shows the picture or table that says most: the table.
func (p TFIDFPlan) Show() { p.Table().Show() }
