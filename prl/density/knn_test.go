package density_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/density"
	"github.com/prlab/prlab/prl/fuzztest"
)

var ctx = context.Background()

func ExampleFitKNN() {
	iris := datasets.Iris()
	m, _ := density.FitKNN(ctx, iris.X, iris.Y, density.KNNOptions{K: 5})
	fmt.Println(m, m.Class(6, 2.7, 5.1, 1.6))
	rows, distances, _ := m.Neighbours(6, 2.7, 5.1, 1.6)
	fmt.Printf("%d %.3f\n", rows, distances)
	// Output:
	// 5 nearest neighbours among 150 rows 2
	// [83 133 101 142 149] [0.000 0.332 0.361 0.361 0.374]
}

// naive sorts all distances, shares the votes of ties at the end, and knows no tree.
func naive(x *mat.Dense, y []int, w []float64, k, classes, but int, at []float64) []float64 {
	type row struct {
		squared, mass float64
		class         int
	}
	var rows []row
	n, _ := x.Dims()
	for i := range n {
		if i == but {
			continue
		}
		r := row{mass: 1, class: y[i]}
		if w != nil {
			r.mass = w[i]
		}
		for j, v := range x.RawRowView(i) {
			r.squared += (v - at[j]) * (v - at[j])
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.squared, b.squared) })
	out, left := make([]float64, classes), float64(k)
	for i := 0; i < len(rows) && left > 0; {
		j, mass := i, 0.0
		for ; j < len(rows) && rows[j].squared == rows[i].squared; j++ {
			mass += rows[j].mass
		}
		for _, r := range rows[i:j] {
			out[r.class] += r.mass * min(1, left/mass) / float64(k)
		}
		left -= mass
		i = j
	}
	return out
}

// The tree and the look at all rows give the votes of the definition, with ties and with weights, and so does the vote without the row
// itself.
func TestVotesAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(3, 300).Draw(t, "n"), rapid.IntRange(1, 15).Draw(t, "d")
		classes, k := rapid.IntRange(2, 3).Draw(t, "classes"), rapid.IntRange(1, 7).Draw(t, "k")
		side := rapid.SampledFrom([]int{2, 10, 1000}).Draw(t, "side") // few places make many ties
		x, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, float64(rapid.IntRange(0, side).Draw(t, "x")))
			}
			y[i], w[i] = i%classes, float64(rapid.IntRange(1, 3).Draw(t, "w"))
		}
		if rapid.Bool().Draw(t, "unweighted") {
			w = nil
		}
		k = min(k, n-1)
		m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: k, Weights: w})
		if err != nil {
			t.Fatal(err)
		}
		at := mat.NewDense(1, d, nil)
		for j := range d {
			at.Set(0, j, float64(rapid.IntRange(-1, side+1).Draw(t, "at")))
		}
		p, err := m.Proba(at)
		if err != nil {
			t.Fatal(err)
		}
		want := naive(x, y, w, k, classes, -1, at.RawRowView(0))
		for c, v := range p.RawRowView(0) {
			if math.Abs(v-want[c]) > 1e-12 {
				t.Fatalf("votes %v, want %v", p.RawRowView(0), want)
			}
		}
		alone, err := m.LeaveOneOut()
		if err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, n-1).Draw(t, "row")
		votes := naive(x, y, w, k, classes, i, x.RawRowView(i))
		if votes[alone[i]] < slices.Max(votes)-1e-12 {
			t.Fatalf("without itself row %d is put into %d of %v", i, alone[i], votes)
		}
	})
}

// scikit-learn 1.9.1: KNeighborsClassifier(15).fit(X, y).score(X, y) of iris, and of its first two columns.
func TestAgainstScikitLearn(t *testing.T) {
	iris := datasets.Iris()
	for _, c := range []struct {
		set  datasets.Set
		want int
	}{{iris, 148}, {iris.Features("sepal length", "sepal width"), 123}} {
		m, err := density.FitKNN(ctx, c.set.X, c.set.Y, density.KNNOptions{K: 15})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Predict(c.set.X)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, class := range got {
			if class == c.set.Y[i] {
				right++
			}
		}
		if right != c.want {
			t.Errorf("%d columns: %d right, want %d", c.set.D(), right, c.want)
		}
	}
}

func TestCoverHart(t *testing.T) {
	for _, c := range []struct {
		r       float64
		classes int
		want    float64
	}{{0, 2, 0}, {0.5, 2, 0.5}, {2. / 3, 3, 2. / 3}, {0.2, 4, 0.2 * (2 - 4./3*0.2)}} {
		if got, err := density.CoverHart(c.r, c.classes); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v of %d: %v, %v, want %v", c.r, c.classes, got, err, c.want)
		}
	}
	for _, bad := range []struct {
		r       float64
		classes int
	}{{0.6, 2}, {-0.1, 2}, {math.NaN(), 2}, {0.1, 1}} {
		if _, err := density.CoverHart(bad.r, bad.classes); err == nil {
			t.Errorf("%v of %d classes is no error", bad.r, bad.classes)
		}
	}
}

func TestPlan(t *testing.T) {
	two := datasets.Iris().Features("petal length", "petal width")
	p := density.PlanKNN(7).Fit(two)
	for name, fig := range map[string]interface{ SVG() ([]byte, error) }{"regions": p.Regions(), "roc": p.ROC()} {
		if svg, err := fig.SVG(); err != nil || len(svg) < 1000 {
			t.Errorf("%s: %d bytes, %v", name, len(svg), err)
		}
	}
	if p.Table().Len() != 1 || p.Accuracy() < 0.95 || p.Class(1.4, 0.2) != 0 {
		t.Errorf("%v: accuracy %v", p, p.Accuracy())
	}
	if err := density.PlanKNN(0).Fit(two).Err(); err == nil || !strings.HasPrefix(err.Error(), "KNN: k is 0") {
		t.Error(err)
	}
	if err := density.PlanKNN(151).Fit(two).Err(); err == nil || !strings.Contains(err.Error(), "K is 151") {
		t.Error(err)
	}
}

// FuzzUnmarshal reads bytes as a model.
func FuzzUnmarshal(f *testing.F) {
	iris := datasets.Iris()
	sound := fuzztest.Sound(density.FitKNN(ctx, iris.X.Slice(40, 60, 0, 2), iris.Y[40:60], density.KNNOptions{K: 3}))
	fuzztest.Unmarshal(
		f,
		[][]byte{sound, {}, []byte("rubbish")},
		func() []fuzztest.Stored { return []fuzztest.Stored{new(density.KNN)} },
		func(s fuzztest.Stored) {
			m := s.(*density.KNN)
			if m.Dim() < 1000 {
				m.Class(make([]float64, m.Dim())...)
				m.LeaveOneOut()
			}
		},
	)
}
