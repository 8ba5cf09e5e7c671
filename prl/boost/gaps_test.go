package boost_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/tree"
)

// gapped are 90 rows of three classes, with gaps, one of which tells something.
func gapped() (*mat.Dense, []int) {
	x, y := mat.NewDense(90, 3, nil), make([]int, 90)
	for i := range y {
		v := float64(i)
		row := []float64{math.Sin(v * 1.7), math.Cos(v * 2.3), math.Sin(v * v * 0.37)}
		y[i] = i % 3
		row[[]int{2, 0, 1}[y[i]]] += []float64{0.8, 0.5, 0.4}[y[i]]
		if i%7 == 3 {
			row[0] = math.NaN()
		}
		if i%5 == 1 && y[i] == 2 {
			row[1] = math.NaN()
		}
		x.SetRow(i, row)
	}
	return x, y
}

// The alphas of trees of depth 2 on rows with gaps are those of scikit-learn's trees in the same rounds; its AdaBoostClassifier itself
// refuses gaps (scikit-learn 1.9.1, with X and y as gapped makes them):
//
//	w = np.full(90, 1/90)
//	for t in range(6):
//	    m = DecisionTreeClassifier(max_depth=2, random_state=t).fit(X, y, sample_weight=w)
//	    wrong = m.predict(X) != y; e = w[wrong].sum()
//	    a = .5*(np.log((1-e)/e) + np.log(2)); print(a)
//	    w = np.where(wrong, w*np.exp(2/3*a), w*np.exp(-4/3*a)); w /= w.sum()
func TestGapsAgainstScikitLearn(t *testing.T) {
	x, y := gapped()
	opts := boost.Options{}
	opts.Rounds, opts.Learner = 6, boost.Trees(tree.Options{MaxDepth: 2, Gaps: true})
	m, err := boost.Fit(context.Background(), x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.5725661521515011, 0.47454027734857307, 0.6631981097694106, 0.4631592737995263, 0.3897772625946865, 0.421351787897659}
	for i, a := range m.Alphas() {
		if math.Abs(a-want[i]) > 1e-12 {
			t.Errorf("alpha of round %d is %v, want %v", i+1, a, want[i])
		}
	}
	// Rows one by one, scores, storage and trace know gaps as well.
	got, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var again boost.Model
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	same, err := again.Predict(x)
	if err != nil || !slices.Equal(got, same) {
		t.Errorf("the stored model predicts %v, %v", same, err)
	}
	wrong := 0
	for i := range y {
		if c := m.Class(x.RawRowView(i)...); c != got[i] {
			t.Errorf("row %d is %d by itself and %d among others", i, c, got[i])
		}
		if got[i] != y[i] {
			wrong++
		}
	}
	trace, err := m.Trace(x, y, nil)
	if err != nil || math.Abs(trace.Error[6]-float64(wrong)/90) > 1e-12 {
		t.Errorf("%d rows are wrong; %v", wrong, err)
	}
	x.Set(5, 1, math.Inf(1))
	if _, err := m.Predict(x); err == nil || !strings.Contains(err.Error(), "X[5, 1]") {
		t.Error(err)
	}
	if _, err := boost.Fit(context.Background(), x, y, opts); err == nil || !strings.Contains(err.Error(), "X[5, 1]") {
		t.Error(err)
	}
}

// Gaps that nobody has change nothing.
func TestGapsWithoutGaps(t *testing.T) {
	iris := datasets.Iris()
	var first []float64
	for _, gaps := range []bool{false, true} {
		opts := boost.Options{}
		opts.Rounds, opts.Learner = 8, boost.Trees(tree.Options{MaxDepth: 2, Gaps: gaps})
		m, err := boost.Fit(context.Background(), iris.X, iris.Y, opts)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = m.Alphas()
		}
		if !slices.Equal(first, m.Alphas()) {
			t.Errorf("%v and %v", first, m.Alphas())
		}
		if class := m.Class(math.NaN(), 3, 4, 1); (class >= 0) != gaps {
			t.Errorf("with gaps %v a gap is put into class %d", gaps, class)
		}
	}
}

// A plan takes a table as it is, words by their names, and stumps say that they do not.
func TestWordsAndGaps(t *testing.T) {
	birds := datasets.PalmerPenguins().Drop("egg laid")
	set := birds.Label("species")
	p := boost.PlanAdaBoost().TreeDepth(2).Rounds(20).Fit(set)
	if a := p.Accuracy(); a < 0.99 {
		t.Errorf("accuracy %v", a)
	}
	// Rows of two islands alone number their words again.
	some := birds.Where("island", "Dream", "Torgersen").Drop("species").Unlabelled()
	island, all, k := birds.Words("island"), p.Predict(set), 0
	for i, c := range p.Predict(some) {
		for island[k] == "Biscoe" {
			k++
		}
		if c != all[k] {
			t.Fatalf("row %d of the two islands is %d, and was %d", i, c, all[k])
		}
		k++
	}
	for _, s := range []boost.Plan{boost.PlanAdaBoost().Fit(set), boost.PlanAdaBoost().Fit(set.Features("bill length"))} {
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), "prl.Impute()") {
			t.Error(err)
		}
	}
	if tr := p.Trace(); len(tr.Error) != p.Model().Len()+1 {
		t.Error("no trace")
	}
}
