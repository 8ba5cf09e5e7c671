package cluster_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cluster"
	"github.com/prlab/prlab/prl/fuzztest"
	"github.com/prlab/prlab/prl/internal/share"
)

var ctx = context.Background()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func line(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func cloud(r *rand.Rand, n, d int, whole bool) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 {
		if whole {
			return float64(r.IntN(5))
		}
		return r.NormFloat64()
	}, x)
	return x
}

func ExampleAgglomerate() {
	x := line(0, 1, 3, 6, 10)
	for _, l := range []cluster.Linkage{cluster.Single, cluster.Complete, cluster.Average} {
		t, _ := cluster.Agglomerate(ctx, x, l)
		labels, _ := t.Cut(2)
		fmt.Printf("%-8s %.4g %v\n", l, t.Heights(), labels)
	}
	// Output:
	// single   [1 2 3 4] [0 0 0 0 1]
	// complete [1 3 4 10] [0 0 0 1 1]
	// average  [1 2.5 4 6.667] [0 0 0 1 1]
}

func ExampleFitDBSCAN() {
	moons := datasets.Moons(200, 0.05, 1)
	m, _ := cluster.FitDBSCAN(ctx, moons.X, cluster.DBSCANOptions{Radius: 0.3, Least: 5})
	fmt.Println(m)
	// Output:
	// DBSCAN of radius 0.3 and 5 rows: 2 clusters, 0 of 200 rows noise
}

func ExampleFindChange() {
	c, _ := cluster.FindChange([]float64{1, 2, 1, 2, 7, 8, 7})
	fmt.Printf("the mean changes before value %d, from %.1f to %.2f\n", c.At, c.Before, c.After)
	// Output:
	// the mean changes before value 4, from 1.5 to 7.33
}

// definition joins the nearest two groups by distances computed again from all their members.
func definition(x *mat.Dense, l cluster.Linkage) []float64 {
	n, _ := x.Dims()
	var groups [][]int
	for i := range n {
		groups = append(groups, []int{i})
	}
	pairs := make([][]float64, n)
	for i := range pairs {
		pairs[i] = make([]float64, n)
		for j := range pairs[i] {
			for k, v := range x.RawRowView(i) {
				pairs[i][j] += (v - x.At(j, k)) * (v - x.At(j, k))
			}
			pairs[i][j] = math.Sqrt(pairs[i][j])
		}
	}
	means := make(map[int][]float64) // by the first row and the number of rows, which no two groups share
	mean := func(g []int) []float64 {
		key := g[0]*(n+1) + len(g)
		if m := means[key]; m != nil {
			return m
		}
		m := make([]float64, x.RawMatrix().Cols)
		for _, i := range g {
			for k, v := range x.RawRowView(i) {
				m[k] += v / float64(len(g))
			}
		}
		means[key] = m
		return m
	}
	distance := func(a, b []int) float64 {
		if l == cluster.Ward || l == cluster.Centroid {
			gap, p, q := 0.0, mean(a), mean(b)
			for k := range p {
				gap += (p[k] - q[k]) * (p[k] - q[k])
			}
			if na, nb := float64(len(a)), float64(len(b)); l == cluster.Ward {
				gap *= 2 * na * nb / (na + nb)
			}
			return math.Sqrt(gap)
		}
		low, high, sum := math.Inf(1), 0.0, 0.0
		for _, i := range a {
			for _, j := range b {
				low, high, sum = min(low, pairs[i][j]), max(high, pairs[i][j]), sum+pairs[i][j]
			}
		}
		switch l {
		case cluster.Single:
			return low
		case cluster.Complete:
			return high
		}
		return sum / float64(len(a)*len(b))
	}
	var heights []float64
	for len(groups) > 1 {
		a, b, least := 0, 1, math.Inf(1)
		for j := range groups {
			for i := range j {
				if v := distance(groups[i], groups[j]); v < least {
					a, b, least = i, j, v
				}
			}
		}
		heights = append(heights, least)
		groups[a] = append(slices.Clone(groups[a]), groups[b]...)
		groups = slices.Delete(groups, b, b+1)
	}
	return heights
}

func TestTreesFollowTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		x := cloud(r, 2+r.IntN(25), 1+r.IntN(3), false)
		for _, l := range []cluster.Linkage{cluster.Single, cluster.Complete, cluster.Average, cluster.Ward, cluster.Centroid} {
			got, want := must(cluster.Agglomerate(ctx, x, l)).Heights(), definition(x, l)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Fatalf("%s, %d rows: heights %v, by the definition %v", l, len(want)+1, got, want)
				}
			}
		}
	}
	for range 60 { // ties: trees differ, those of single linkage alone have heights of their own
		x := cloud(r, 2+r.IntN(25), 2, true)
		got, want := must(cluster.Agglomerate(ctx, x, cluster.Single)).Heights(), definition(x, cluster.Single)
		if !slices.Equal(got, want) {
			t.Fatalf("heights %v, by the definition %v", got, want)
		}
	}
}

// So many rows fill several blocks of distances, and the matrix shrinks on the way. Ward's linkage goes by means in few columns and by the
// matrix in many. On several processors the numbers are the same.
func TestLargeTreesFollowTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range []int{3, 130} {
		x := cloud(r, 300, d, false)
		for _, l := range []cluster.Linkage{cluster.Complete, cluster.Average, cluster.Ward} {
			got, want := must(cluster.Agglomerate(ctx, x, l)).Heights(), definition(x, l)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9*want[len(want)-1] {
					t.Fatalf("%s, %d columns: height %d is %v, by the definition %v", l, d, i, got[i], want[i])
				}
			}
			share.Eagerly(func() {
				if all := must(cluster.Agglomerate(ctx, x, l)).Heights(); !slices.Equal(all, got) {
					t.Errorf("%s, %d columns: on several processors the heights differ", l, d)
				}
			})
		}
	}
}

func TestTreesAreTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + r.IntN(40)
		x := cloud(r, n, 2, r.IntN(2) == 0)
		for _, l := range cluster.Linkages {
			tree := must(cluster.Agglomerate(ctx, x, l))
			h := tree.Heights()
			if l != cluster.Centroid && l != cluster.Median && !slices.IsSorted(h) {
				t.Fatalf("%s: heights fall: %v", l, h)
			}
			order := tree.Order()
			slices.Sort(order)
			c := tree.Cophenetic()
			for i := range n {
				if order[i] != i {
					t.Fatalf("%s: order %v", l, tree.Order())
				}
			}
			k := 1 + r.IntN(n)
			labels := must(tree.Cut(k))
			if slices.Max(labels) != k-1 || labels[0] != 0 {
				t.Fatalf("%s: %d groups are %v", l, k, labels)
			}
			top, groups := tree.Last(k)
			if top.Len() != k || len(groups) != k || !slices.Equal(top.Heights(), h[n-k:]) {
				t.Fatalf("%s: the last %d joins: %v of %v", l, k, top.Heights(), h)
			}
			if !slices.IsSorted(h) || n < 2 {
				continue
			}
			at := h[r.IntN(len(h))]
			labels = tree.CutAt(at)
			for i := range n {
				for j := range i {
					if (labels[i] == labels[j]) != (c.At(i, j) <= at) {
						t.Fatalf("%s: rows %d and %d meet at %v, cut at %v: %v", l, i, j, c.At(i, j), at, labels)
					}
				}
			}
		}
	}
}

func TestWardIsTheSumOfSquares(t *testing.T) {
	x := cloud(rand.New(rand.NewPCG(5, 6)), 80, 3, false)
	sum, total := 0.0, 0.0
	for _, h := range must(cluster.Agglomerate(ctx, x, cluster.Ward)).Heights() {
		sum += h * h / 2
	}
	for k := range 3 {
		column := mat.Col(nil, k, x)
		mean := 0.0
		for _, v := range column {
			mean += v / 80
		}
		for _, v := range column {
			total += (v - mean) * (v - mean)
		}
	}
	if math.Abs(sum-total) > 1e-9 {
		t.Errorf("half the squared heights are %v, the sum of squares %v", sum, total)
	}
}

func TestCentroidsInvert(t *testing.T) {
	h := must(cluster.Agglomerate(ctx, mat.NewDense(3, 2, []float64{0, 0, 1, 0, 0.5, math.Sqrt(0.75)}), cluster.Centroid)).Heights()
	if math.Abs(h[0]-1) > 1e-12 || math.Abs(h[1]-math.Sqrt(0.75)) > 1e-12 {
		t.Errorf("heights %v of an equilateral triangle", h)
	}
}

// dense is the definition of DBSCAN without a tree.
func dense(x *mat.Dense, radius float64, least int) (core []bool, same func(i, j int) bool, noise func(i int) bool) {
	n, d := x.Dims()
	near := func(i, j int) bool {
		s := 0.0
		for k := range d {
			s += (x.At(i, k) - x.At(j, k)) * (x.At(i, k) - x.At(j, k))
		}
		return math.Sqrt(s) <= radius
	}
	core, link := make([]bool, n), make([][]bool, n)
	for i := range n {
		count := 0
		for j := range n {
			if near(i, j) {
				count++
			}
		}
		core[i] = count >= least
	}
	for i := range n {
		link[i] = make([]bool, n)
		for j := range n {
			link[i][j] = core[i] && core[j] && near(i, j)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				link[i][j] = link[i][j] || link[i][k] && link[k][j]
			}
		}
	}
	return core, func(i, j int) bool { return link[i][j] }, func(i int) bool {
		for j := range n {
			if core[j] && near(i, j) {
				return false
			}
		}
		return true
	}
}

func TestDBSCANFollowsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for trial := range 103 {
		n, d := 1+r.IntN(60), 1+r.IntN(3)
		radius, least := 0.2+r.Float64(), 1+r.IntN(6)
		if trial >= 100 { // several blocks of many columns
			n, d, radius, least = 560, 9, 3, 2+r.IntN(3)
		}
		x := cloud(r, n, d, r.IntN(2) == 0)
		m := must(cluster.FitDBSCAN(ctx, x, cluster.DBSCANOptions{Radius: radius, Least: least}))
		core, same, noise := dense(x, radius, least)
		labels := m.Labels()
		if !slices.Equal(labels, must(m.Predict(x))) {
			t.Fatal("Predict of the rows of the fit is not Labels")
		}
		for i := range n {
			if core[i] != slices.Contains(m.Cores(), i) || (labels[i] < 0) != noise(i) {
				t.Fatalf("row %d: core %v, label %d", i, core[i], labels[i])
			}
			for j := range i {
				if core[i] && core[j] && (labels[i] == labels[j]) != same(i, j) {
					t.Fatalf("cores %d and %d have the labels %d and %d", i, j, labels[i], labels[j])
				}
			}
		}
	}
}

func TestOutliers(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	x := cloud(r, 60, 3, false)
	e := must(cluster.Mahalanobis(x))
	sum, most := 0.0, 0.0
	for _, s := range must(e.Squares(x)) {
		sum, most = sum+s, max(most, s)
	}
	if math.Abs(sum-59*3) > 1e-9 || most > 59.0*59/60 {
		t.Errorf("squared distances: sum %v, want 177; the largest %v, at most 58.02", sum, most)
	}
	for i := range 20 { // a third of the rows far away, in one place
		for k := range 3 {
			x.Set(i, k, 20+0.1*r.NormFloat64())
		}
	}
	robust := must(cluster.MCD(ctx, x, cluster.MCDOptions{}))
	if slices.Min(robust.Rows) < 20 {
		t.Errorf("the robust ellipse holds the rows %v", robust.Rows)
	}
	// scipy.stats: chi2.ppf(.975, d), and 14²/15 beta.ppf(.975, 1, 6)
	for _, c := range []struct {
		n, d int
		want float64
	}{{0, 1, 5.023886}, {0, 2, 7.377759}, {0, 5, 12.832502}, {15, 2, 6.000973}} {
		if got := must(cluster.SquareQuantile(0.975, c.n, c.d)); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("quantile of n = %d, d = %d: %v, want %v", c.n, c.d, got, c.want)
		}
	}
	if _, err := cluster.Mahalanobis(mat.NewDense(4, 2, []float64{0, 0, 1, 1, 2, 2, 3, 3})); err == nil {
		t.Error("points of a line have an ellipse")
	}
}

func TestChange(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		n := 2 + r.IntN(40)
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		squares := func(part []float64) (s float64) {
			mean := 0.0
			for _, v := range part {
				mean += v / float64(len(part))
			}
			for _, v := range part {
				s += (v - mean) * (v - mean)
			}
			return s
		}
		c := must(cluster.FindChange(x))
		for k := 1; k < n; k++ {
			if want := squares(x) - squares(x[:k]) - squares(x[k:]); math.Abs(c.Profile[k]-want) > 1e-9 {
				t.Fatalf("split before %d of %d: %v, by two sums of squares %v", k, n, c.Profile[k], want)
			}
		}
		if c.Gain != slices.Max(c.Profile) || c.Profile[c.At] != c.Gain {
			t.Fatalf("change %+v", c)
		}
	}
	if p := must(cluster.ChangePValue([]float64{0, 0.1, 0, 0.1, 5, 5.1, 5, 5.1}, 999, 1)); p > 0.06 || p < 0.01 {
		t.Errorf("p-value %v, want about 2/70", p)
	}
	up, down, alarms, err := cluster.Page{Target: 0, Slack: 0.5, Limit: 3}.Watch([]float64{0, 2, 2, 2, 0, -2, -3, -3})
	if err != nil || !slices.Equal(up, []float64{0, 1.5, 3, 4.5, 0, 0, 0, 0}) || !slices.Equal(alarms, []int{3, 6}) ||
		!slices.Equal(down, []float64{0, 0, 0, 0, 0, 1.5, 4, 2.5}) {
		t.Errorf("up %v, down %v, alarms %v, %v", up, down, alarms, err)
	}
}

func TestErrors(t *testing.T) {
	three := line(0, 1, 2)
	for name, f := range map[string]func() error{
		"linkage":    func() error { _, err := cluster.Agglomerate(ctx, three, "mean"); return err },
		"not square": func() error { _, err := cluster.AgglomerateDistances(ctx, three, cluster.Single); return err },
		"Ward of D": func() error {
			_, err := cluster.AgglomerateDistances(ctx, mat.NewDense(2, 2, []float64{0, 1, 1, 0}), cluster.Ward)
			return err
		},
		"not symmetric": func() error {
			_, err := cluster.AgglomerateDistances(ctx, mat.NewDense(2, 2, []float64{0, 1, 2, 0}), cluster.Single)
			return err
		},
		"groups":    func() error { _, err := must(cluster.Agglomerate(ctx, three, cluster.Ward)).Cut(4); return err },
		"radius":    func() error { _, err := cluster.FitDBSCAN(ctx, three, cluster.DBSCANOptions{Radius: -2}); return err },
		"one value": func() error { _, err := cluster.FindChange([]float64{1}); return err },
		"NaN":       func() error { _, err := cluster.FindChange([]float64{1, math.NaN()}); return err },
		"p":         func() error { _, err := cluster.SquareQuantile(1, 0, 2); return err },
		"Page":      func() error { _, _, _, err := cluster.Page{}.Watch(nil); return err },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Distances that were computed both ways differ by rounding, and are taken for what they are.
func TestRoundedDistances(t *testing.T) {
	D := mat.NewDense(3, 3, []float64{0, 0.1 + 0.2, 2, 0.3, 0, 2, 2, 2, 0})
	for _, linkage := range []cluster.Linkage{cluster.Single, cluster.Complete, cluster.Average} {
		tree, err := cluster.AgglomerateDistances(ctx, D, linkage)
		if err != nil {
			t.Fatal(err)
		}
		if h := tree.Heights(); !(math.Abs(h[0]-0.3) < 1e-15) || h[1] != 2 {
			t.Errorf("%s: heights %v", linkage, h)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	iris := datasets.Iris()
	sound := fuzztest.Sound(cluster.FitDBSCAN(ctx, iris.X.Slice(40, 60, 0, 2), cluster.DBSCANOptions{}))
	fuzztest.Unmarshal(
		f,
		[][]byte{sound, {}, []byte("rubbish")},
		func() []fuzztest.Stored { return []fuzztest.Stored{new(cluster.DBSCAN)} },
		func(s fuzztest.Stored) {
			m := s.(*cluster.DBSCAN)
			if m.Dim() < 1000 {
				must(m.Predict(mat.NewDense(1, m.Dim(), nil)))
			}
		},
	)
}

func BenchmarkAgglomerate(b *testing.B) {
	x := cloud(rand.New(rand.NewPCG(1, 1)), 2000, 10, false)
	for _, l := range cluster.Linkages {
		b.Run(string(l), func(b *testing.B) {
			for b.Loop() {
				must(cluster.Agglomerate(ctx, x, l))
			}
		})
	}
}
