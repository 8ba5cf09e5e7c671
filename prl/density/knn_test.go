package density_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
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
// TestManyTies has rows at few places: equal numbers of rows have equal shares to the last bit, and the first of them decides.
func TestManyTies(t *testing.T) {
	const n = 6000
	for _, search := range []density.Search{density.Auto, density.KDTree, density.BallTree, density.Products} {
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			x.Set(i, 0, float64(i%3))
			y[i] = (i + 1) / 3 % 2
		}
		for _, k := range []int{1, 3, 5, 7} {
			m, err := density.FitKNN(context.Background(), x, y, density.KNNOptions{K: k, Search: search})
			if err != nil {
				t.Fatal(err)
			}
			share, err := m.Proba(x.Slice(0, 3, 0, 2))
			if err != nil {
				t.Fatal(err)
			}
			classes, _ := m.Predict(x.Slice(0, 3, 0, 2))
			for i, c := range classes {
				if share.At(i, 0) != 0.5 || share.At(i, 1) != 0.5 || c != y[i] {
					t.Errorf("%q, K %d, place %d: shares %v, class %d, the first row has %d", search, k, i, share.RawRowView(i), c, y[i])
				}
			}
		}
	}
}

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

// Many rows of many columns, far from zero, some of them equal: the screen finds what the definition finds.
func TestScreenAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{1, 1e-6, 1e140, 1e-140} {
		for _, offset := range []float64{0, 1e7} {
			const n, d = 2300, 14
			x, y := mat.NewDense(n, d, nil), make([]int, n)
			for i := range n {
				for j := range d {
					x.Set(i, j, scale*(offset+math.Round(4*r.NormFloat64())/4))
				}
				if i > 5 && i%3 == 0 {
					x.SetRow(i, x.RawRowView(r.IntN(i)))
				}
				y[i] = i % 3
			}
			for _, k := range []int{1, 6} {
				m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: k})
				if err != nil {
					t.Fatal(err)
				}
				places := mat.NewDense(40, d, nil)
				for i := range 40 {
					for j := range d {
						places.Set(i, j, x.At(50*i, j)+scale*math.Round(r.NormFloat64()))
					}
				}
				p, err := m.Proba(places)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 40 {
					want := naive(x, y, nil, k, 3, -1, places.RawRowView(i))
					if !floats.EqualApprox(p.RawRowView(i), want, 1e-12) {
						t.Fatalf("scale %g, offset %g, k = %d, place %d: votes %v, want %v", scale, offset, k, i, p.RawRowView(i), want)
					}
				}
				loo, err := m.LeaveOneOut()
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < n; i += 97 {
					want := naive(x, y, nil, k, 3, i, x.RawRowView(i))
					if want[loo[i]] < slices.Max(want)-1e-12 {
						t.Fatalf("scale %g, offset %g, k = %d: row %d left out has votes %v, got class %d", scale, offset, k, i, want, loo[i])
					}
				}
			}
		}
	}
}

// Twins differ by less than products of so many columns can tell: only differences find which of two is nearer. Weighted or not, and with
// fewer rows than fill a block, the votes are those of the definition.
func TestScreenOfTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][2]int{{66, 7}, {509, 40}, {1100, 300}} {
		n, d := shape[0], shape[1]
		x, y, w := mat.NewDense(n, d, nil), make([]int, n), make([]float64, n)
		for i := range n {
			y[i], w[i] = i%2, 0.5+r.Float64()
			for j := range d {
				x.Set(i, j, r.NormFloat64())
			}
			if y[i] == 1 { // the twin of the row before
				for j := range d {
					x.Set(i, j, x.At(i-1, j)*(1+1e-15*r.NormFloat64()))
				}
			}
		}
		places := mat.NewDense(150, d, nil)
		places.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, places)
		for _, weights := range [][]float64{nil, w} {
			for _, k := range []int{1, 2, 9} {
				m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: k, Weights: weights, Search: density.Products})
				if err != nil {
					t.Fatal(err)
				}
				p, err := m.Proba(places)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 150 {
					if want := naive(x, y, weights, k, 2, -1, places.RawRowView(i)); !floats.EqualApprox(p.RawRowView(i), want, 1e-12) {
						t.Fatalf("%v, k = %d, place %d: votes %v, want %v", shape, k, i, p.RawRowView(i), want)
					}
				}
			}
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range [][2]int{{20000, 3}, {20000, 8}, {20000, 12}, {20000, 20}, {20000, 123}, {20000, 784}} {
		n, d := shape[0], shape[1]
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = i % 10
			for j := range d {
				x.Set(i, j, r.NormFloat64()+float64((i%10+j)%3))
			}
		}
		m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: 5})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Predict(x.Slice(0, 2000, 0, d)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
