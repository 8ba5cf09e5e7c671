package density_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/density"
	"github.com/prlab/prlab/prl/fuzztest"
)

var windows = []density.Window{
	density.Gauss, density.Epanechnikov, density.Box, density.Triangle, density.Cosine, density.Exponential,
}

func ExampleFitParzen() {
	durations := datasets.Faithful().Features("eruptions")
	m, _ := density.FitParzen(ctx, durations.X, density.ParzenOptions{Rule: density.Silverman})
	modes, _ := m.Modes()
	fmt.Printf("%v, p(3) = %.4f, modes %.3f\n", m, m.Density(3), modes)
	// Output:
	// Gauss window of width 0.3348 on 272 rows, p(3) = 0.0642, modes [1.981 4.373]
}

func ExampleFitKNNDensity() {
	rows := mat.NewDense(4, 1, []float64{1, 2, 4, 8})
	m, _ := density.FitKNNDensity(ctx, rows, density.KNNDensityOptions{K: 2})
	fmt.Println(m, m.Density(3))
	// Output:
	// ball of 2 rows among 4 0.25
}

func ExampleFitPNN() {
	iris := datasets.Iris()
	m, _ := density.FitPNN(ctx, iris.X, iris.Y, density.PNNOptions{Sigma: 0.2})
	fmt.Println(m, m.Class(6, 2.7, 5.1, 1.6))
	// Output:
	// PNN of width 0.2 on 150 rows 2
}

func fitParzen(t interface{ Fatal(...any) }, X mat.Matrix, o density.ParzenOptions) *density.Parzen {
	m, err := density.FitParzen(ctx, X, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The values are those of testdata/values.py: KernelDensity, KDTree and BallTree.
func TestAgainstTreesOfScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/values.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Densities []struct {
			Columns int
			Kernel  string
			Log     []any
		}
		Neighbours []struct {
			Search    string
			Distances [][]float64
		}
	}
	// JSON has no infinity; the program writes it as Python does.
	if err := json.Unmarshal([]byte(replaceInfinity(string(text))), &want); err != nil {
		t.Fatal(err)
	}
	names := map[string]density.Window{
		"gaussian": density.Gauss, "epanechnikov": density.Epanechnikov, "tophat": density.Box, "linear": density.Triangle,
		"cosine": density.Cosine, "exponential": density.Exponential,
	}
	X := datasets.Iris().X
	for _, c := range want.Densities {
		places := mat.NewDense(len(c.Log), c.Columns, nil)
		for i := range c.Log {
			for j := range c.Columns {
				places.Set(i, j, X.At(10*i, j)+0.05)
			}
		}
		m := fitParzen(t, X.Slice(0, 150, 0, c.Columns), density.ParzenOptions{Window: names[c.Kernel], Width: 0.73})
		got, err := m.LogDensities(places)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range c.Log {
			w, finite := v.(float64)
			if !finite {
				w = math.Inf(-1)
			}
			if got[i] != w && !(math.Abs(got[i]-w) < 1e-9) {
				t.Errorf("%s, %d columns, place %d: %v, want %v", c.Kernel, c.Columns, i, got[i], w)
			}
		}
	}
	digits := datasets.Digits()
	for _, c := range want.Neighbours {
		rows, step, shift, search := X, 10, 0.05, density.KDTree
		if c.Search == "balls" {
			rows, step, shift, search = digits.X.Slice(0, 600, 0, 64).(*mat.Dense), 60, 0.5, density.BallTree
		}
		n, d := rows.Dims()
		y := make([]int, n)
		y[0] = 1
		m, err := density.FitKNN(ctx, rows, y, density.KNNOptions{K: 4, Search: search})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range c.Distances {
			at := make([]float64, d)
			for j := range at {
				at[j] = rows.At(step*i, j) + shift
			}
			_, got, err := m.Neighbours(at...)
			if err != nil {
				t.Fatal(err)
			}
			if !floats.EqualApprox(got[:4], w, 1e-12) {
				t.Errorf("%s, place %d: %v, want %v", c.Search, i, got, w)
			}
		}
	}
}

func replaceInfinity(s string) string {
	const word = "-Infinity"
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i:i+len(word)] == word {
			s = s[:i] + `"-inf"  ` + s[i+len(word):]
		}
	}
	return s
}

// Every window has volume 1 in one to three dimensions.
func TestVolumeIsOne(t *testing.T) {
	for _, w := range windows {
		for d := 1; d <= 3; d++ {
			h := 0.3 + 0.2*float64(d)
			m := fitParzen(t, mat.NewDense(1, d, make([]float64, d)), density.ParzenOptions{Window: w, Width: h})
			// In shells: the surface of the ball of radius r times p(r).
			surface, sum, steps, reach := []float64{2, 2 * math.Pi, 4 * math.Pi}[d-1], 0.0, 200_000, 45.0
			for i := range steps {
				r := (float64(i) + 0.5) * reach / float64(steps)
				at := make([]float64, d)
				at[0] = r
				sum += surface * math.Pow(r, float64(d-1)) * m.Density(at...) * reach / float64(steps)
			}
			if math.Abs(sum-1) > 5e-4 {
				t.Errorf("%s in %d dimensions: volume %v", w, d, sum)
			}
		}
	}
}

// Draws have the moments of the mixture: the mean of the rows, and their variance plus that of a bump.
func TestSampleFollowsDensity(t *testing.T) {
	iris := datasets.Iris().Features("petal length", "petal width")
	for _, w := range windows {
		for _, whitens := range []bool{false, true} {
			m := fitParzen(t, iris.X, density.ParzenOptions{Window: w, Rule: density.Scott, Whitens: whitens})
			sample, err := m.Sample(40_000, 1)
			if err != nil {
				t.Fatal(err)
			}
			rows, draws, factor := moments(iris.X), moments(sample), math.Pow(150, -1.0/6)
			for a := range 2 {
				for b := range 2 {
					want := rows[a][b] * 149 / 150
					switch {
					case whitens:
						want += factor * factor * rows[a][b]
					case a == b:
						want += factor * factor * (rows[0][0] + rows[1][1]) / 2
					}
					if math.Abs(draws[a][b]-want) > 0.03*want {
						t.Errorf("%s, whitened %t: covariance %d, %d is %v, want %v", w, whitens, a, b, draws[a][b], want)
					}
				}
			}
		}
	}
}

func moments(X *mat.Dense) [2][2]float64 {
	var cov [2][2]float64
	n, _ := X.Dims()
	mean := [2]float64{}
	for i := range n {
		for j := range 2 {
			mean[j] += X.At(i, j) / float64(n)
		}
	}
	for i := range n {
		for a := range 2 {
			for b := range 2 {
				cov[a][b] += (X.At(i, a) - mean[a]) * (X.At(i, b) - mean[b]) / float64(n-1)
			}
		}
	}
	return cov
}

// What the criteria say is what refitting without each row, and an integral, say.
func TestCriteriaAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 12).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "d")
		x, h := mat.NewDense(n, d, nil), rapid.Float64Range(0.2, 3).Draw(t, "h")
		for i := range n {
			for j := range d {
				x.Set(i, j, float64(rapid.IntRange(-400, 400).Draw(t, "x"))/100)
			}
		}
		w := rapid.SampledFrom([]density.Window{density.Gauss, density.Exponential}).Draw(t, "window")
		m, want := fitParzen(t, x, density.ParzenOptions{Window: w, Width: h}), 0.0
		for i := range n {
			rest := mat.NewDense(n-1, d, nil)
			for j, at := 0, 0; j < n; j++ {
				if j != i {
					rest.SetRow(at, x.RawRowView(j))
					at++
				}
			}
			want += math.Log(fitParzen(t, rest, density.ParzenOptions{Window: w, Width: h}).Density(x.RawRowView(i)...))
		}
		got, err := m.LeaveOneOut()
		if err != nil || math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("leave-one-out %v, %v, want %v", got, err, want)
		}
	})
}

// Hand-made data of 15 points: R 4.2.2, optimize() of both criteria, with the last point at 10.1 and at 40.
func TestWidths(t *testing.T) {
	xs := []float64{1, 1.7, 2.1, 2.6, 3.2, 3.9, 4.3, 5.1, 6.4, 7, 7.3, 8.2, 8.8, 9.5, 10.1}
	for _, c := range []struct {
		last             float64
		likelihood, lscv float64
	}{{10.1, 1.58, 2.82}, {40, 9.16, 2.75}} {
		xs[14] = c.last
		X := mat.NewDense(15, 1, xs)
		a := fitParzen(t, X, density.ParzenOptions{Rule: density.Likelihood}).Width()
		b := fitParzen(t, X, density.ParzenOptions{Rule: density.LSCV}).Width()
		if math.Abs(a-c.likelihood) > 0.006 || math.Abs(b-c.lscv) > 0.006 {
			t.Errorf("last at %v: likelihood %v, LSCV %v, want %v", c.last, a, b, c)
		}
	}
	faithful := datasets.Faithful().Features("eruptions")
	m := fitParzen(t, faithful.X, density.ParzenOptions{Rule: density.Likelihood})
	l, err := m.LeaveOneOut()
	if err != nil || math.Abs(m.Width()-0.10268) > 5e-6 || math.Abs(l+270.793) > 5e-4 {
		t.Errorf("Old Faithful: %v with %v, %v", m.Width(), l, err)
	}
	tied := mat.NewDense(6, 1, []float64{1, 1, 2, 2, 5, 5})
	for _, rule := range []density.Rule{density.Likelihood, density.LSCV} {
		if m, err := density.FitParzen(ctx, tied, density.ParzenOptions{Rule: rule}); err == nil && rule == density.Likelihood {
			t.Errorf("%s of rows that are all tied: %v", rule, m)
		}
	}
	if _, err := density.FitParzen(ctx, tied, density.ParzenOptions{Rule: density.LSCV, Window: density.Box}); err == nil {
		t.Error("LSCV of a box is no error")
	}
}

// Log densities are numbers far out, and the number of modes does not rise with the width.
func TestFarAndModes(t *testing.T) {
	faithful := datasets.Faithful().Features("eruptions")
	l, err := fitParzen(t, faithful.X, density.ParzenOptions{Width: 0.1}).LogDensities(mat.NewDense(1, 1, []float64{1e6}))
	if err != nil || math.Abs(l[0]/-5e13-1) > 1e-4 {
		t.Error(l, err)
	}
	before := math.MaxInt
	for _, h := range []float64{0.005, 0.02, 0.05, 0.1, 0.127, 0.128, 0.5, 0.9} {
		modes, err := fitParzen(t, faithful.X, density.ParzenOptions{Width: h}).Modes()
		if err != nil || len(modes) > before || !slices.IsSorted(modes) {
			t.Errorf("h = %v: %d modes after %d, %v", h, len(modes), before, err)
		}
		before = len(modes)
	}
	if before != 1 {
		t.Errorf("%d modes at the end", before)
	}
}

// As the width vanishes the network decides as the nearest neighbour does, whatever the priors.
func TestNetworkTendsToNearestNeighbour(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, d := 6+r.IntN(30), 1+r.IntN(3)
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, r.NormFloat64())
			}
			y[i] = i % 2
		}
		p := 0.05 + 0.9*r.Float64()
		network, err := density.FitPNN(ctx, x, y, density.PNNOptions{Sigma: 1e-6, Priors: []float64{p, 1 - p}})
		if err != nil {
			t.Fatal(err)
		}
		nearest, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: 1})
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			at := make([]float64, d)
			for j := range at {
				at[j] = 2 * r.NormFloat64()
			}
			if a, b := network.Class(at...), nearest.Class(at...); a != b {
				t.Fatalf("%v: network %d, neighbour %d", at, a, b)
			}
		}
	})
}

// A condensed set classifies all rows as they are; an edited one holds no row that the others contradict.
func TestEditedAndCondensed(t *testing.T) {
	iris := datasets.Iris()
	m, err := density.FitKNN(ctx, iris.X, iris.Y, density.KNNOptions{K: 3})
	if err != nil {
		t.Fatal(err)
	}
	condensed, err := m.Condensed()
	if err != nil {
		t.Fatal(err)
	}
	part := iris.Rows(condensed...)
	small, err := density.FitKNN(ctx, part.X, part.Y, density.KNNOptions{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, err := small.Predict(iris.X)
	if err != nil || !slices.Equal(got, iris.Y) || len(condensed) > 40 {
		t.Errorf("%d rows, %v", len(condensed), err)
	}
	edited, err := m.Edited()
	if err != nil {
		t.Fatal(err)
	}
	alone, err := m.LeaveOneOut()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range alone {
		if (c == iris.Y[i]) != slices.Contains(edited, i) {
			t.Errorf("row %d", i)
		}
	}
}

// All ways to search find the same neighbours, ties among them.
func TestSearchesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 60 {
		n, d, side := 65+r.IntN(400), 1+r.IntN(9), []float64{2, 10, 1e6}[trial%3]
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, 1e5*float64(trial%2)+math.Floor(side*r.Float64()))
			}
			y[i] = i % 2
		}
		at := make([]float64, d)
		for j := range at {
			at[j] = 1e5*float64(trial%2) + math.Floor(side*r.Float64())
		}
		var rows []int
		for i, how := range []density.Search{density.Products, density.KDTree, density.BallTree, density.Auto} {
			m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: 1 + trial%7, Search: how})
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := m.Neighbours(at...)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				rows = got
			} else if !slices.Equal(got, rows) {
				t.Fatalf("n = %d, d = %d, side %g, %s: %v, want %v", n, d, side, how, got, rows)
			}
		}
	}
}

// Votes that count by similarity are those of the definition, and angles do not depend on lengths.
func TestWeightedVotesAndAngles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		const n, k, sigma = 90, 9, 0.4
		x, y := mat.NewDense(n, 2, nil), make([]int, n)
		for i := range n {
			x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
			y[i] = i % 3
		}
		m, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: k, Sigma: sigma})
		if err != nil {
			t.Fatal(err)
		}
		at := []float64{r.NormFloat64(), r.NormFloat64()}
		rows, distances, err := m.Neighbours(at...)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, 3)
		for i, row := range rows {
			want[y[row]] += math.Exp(-distances[i] * distances[i] / (2 * sigma * sigma))
		}
		floats.Scale(1/floats.Sum(want), want)
		p, err := m.Proba(mat.NewDense(1, 2, at))
		if err != nil || !floats.EqualApprox(p.RawRowView(0), want, 1e-12) {
			t.Fatalf("votes %v, want %v (%v)", p, want, err)
		}
		angle, err := density.FitKNN(ctx, x, y, density.KNNOptions{K: k, Angle: true})
		if err != nil {
			t.Fatal(err)
		}
		a, cosines, _ := angle.Neighbours(at...)
		b, _, _ := angle.Neighbours(7*at[0], 7*at[1])
		row := x.RawRowView(a[0])
		cos := (row[0]*at[0] + row[1]*at[1]) / math.Hypot(row[0], row[1]) / math.Hypot(at[0], at[1])
		if !slices.Equal(a, b) || math.Abs(cosines[0]-(1-cos)) > 1e-12 {
			t.Fatalf("%v and %v, %v against %v", a, b, cosines[0], 1-cos)
		}
	}
}

// FuzzUnmarshalDensities reads bytes as a model of the three densities.
func FuzzUnmarshalDensities(f *testing.F) {
	iris := datasets.Iris()
	X, y := iris.X.Slice(40, 60, 0, 2), iris.Y[40:60]
	a := fuzztest.Sound(density.FitParzen(ctx, X, density.ParzenOptions{}))
	b := fuzztest.Sound(density.FitPNN(ctx, X, y, density.PNNOptions{}))
	c := fuzztest.Sound(density.FitKNNDensity(ctx, X, density.KNNDensityOptions{}))
	fuzztest.Unmarshal(
		f,
		[][]byte{a, b, c, {}, []byte("rubbish")},
		func() []fuzztest.Stored {
			return []fuzztest.Stored{new(density.Parzen), new(density.PNN), new(density.KNNDensity)}
		},
		func(s fuzztest.Stored) {
			m := s.(interface{ Dim() int })
			if d := m.Dim(); d < 1000 {
				if p, ok := s.(interface{ Density(x ...float64) float64 }); ok {
					p.Density(make([]float64, d)...)
				}
			}
		},
	)
}

// Rows of many columns, and of few: the sum over all of them.
func BenchmarkLogDensities(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, shape := range [][2]int{{20000, 1}, {20000, 2}, {20000, 10}, {5000, 64}} {
		x := mat.NewDense(shape[0], shape[1], nil)
		x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
		m := fitParzen(b, x, density.ParzenOptions{})
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			for b.Loop() {
				if _, err := m.LogDensities(x.Slice(0, 5000, 0, shape[1])); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExamplePlanParzen() {
	p := density.PlanParzen().Window(density.Epanechnikov).Whitened().Fit(datasets.Faithful())
	fmt.Printf("%v: log p = %.3f\n", p, p.LogDensity(4.5, 80))
	fmt.Println(p.Sample(3, 1).N(), "points drawn, width", math.Round(1000*p.Model().Width())/1000)
	// Output:
	// Parzen().Window(Epanechnikov).Whitened().Fit(Old Faithful): log p = -3.707
	// 3 points drawn, width 0.962
}

func ExamplePlanPNN() {
	p := density.PlanPNN(0.3).Priors(0.2, 0.4, 0.4).Fit(datasets.Iris())
	fmt.Println(p, p.Confusion().Right())
	// Output:
	// PNN(0.3).Priors(0.2, 0.4, 0.4).Fit(iris) 149
}

func ExamplePlanKNNDensity() {
	p := density.PlanKNNDensity(10).Unbiased().Fit(datasets.Faithful().Features("eruptions"))
	fmt.Printf("%.3f\n", math.Exp(p.LogDensity(2)))
	// Output:
	// 0.973
}
