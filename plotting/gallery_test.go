package plotting

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

var species = []string{"setosa", "versicolor", "virginica"}

// irisLike draws n points of each class with the moments of the petals of Fisher (1936), rounded.
func irisLike(n int, seed uint64) (x, y []float64, l []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	m := [][2]float64{{1.46, .25}, {4.26, 1.33}, {5.55, 2.03}}
	s := [][2]float64{{.3, .12}, {.47, .2}, {.55, .27}}
	for k := range 3 {
		for range n {
			x = append(x, m[k][0]+s[k][0]*r.NormFloat64())
			y = append(y, m[k][1]+s[k][1]*r.NormFloat64())
			l = append(l, k)
		}
	}
	return
}

// quadratic is the Bayes classifier of irisLike.
func quadratic(x, y float64) int {
	m := [][2]float64{{1.46, .25}, {4.26, 1.33}, {5.55, 2.03}}
	s := [][2]float64{{.3, .12}, {.47, .2}, {.55, .27}}
	best, at := math.Inf(-1), 0
	for k := range 3 {
		a, b := (x-m[k][0])/s[k][0], (y-m[k][1])/s[k][1]
		v := -a*a/2 - b*b/2 - math.Log(s[k][0]*s[k][1])
		if v > best {
			best, at = v, k
		}
	}
	return at
}

// gallery returns one figure of each kind; the golden files are their stills.
func gallery() map[string]*Figure {
	f := map[string]*Figure{}
	x, y, l := irisLike(50, 3)
	f["01scatter"] = New(
		Points(x, y).By(l, species...),
	).Title("Petals of three iris species").
		Subtitle("Fifty flowers of each species, lengths in centimetres").
		X("petal length (cm)").
		Y("petal width (cm)").
		Caption("Simulated from the species means of Fisher (1936).")
	reg := New(Regions(quadratic, species...), Points(x, y).By(l, species...),
		EllipseOf([]float64{1.46, .25}, [][]float64{{.09, 0}, {0, .0144}}).Sigma(2).Class("setosa"),
		EllipseOf([]float64{4.26, 1.33}, [][]float64{{.22, 0.05}, {0.05, .04}}).Sigma(2).Class("versicolor"),
		Ellipse([]float64{5.55, 2.03}, mat.NewSymDense(2, []float64{.3, -.05, -.05, .073})).Sigma(2).Class("virginica")).
		Title("Quadratic discriminant regions").X("petal length (cm)").Y("petal width (cm)")
	f["02regions"] = reg
	g := func(x, y float64) float64 {
		return math.Exp(-(x-1)*(x-1)-y*y) + .7*math.Exp(-(x+1)*(x+1)/.5-(y-.5)*(y-.5))
	}
	f["03contour_filled"] = New(
		Contours(g).Filled().Label("density"),
	).XRange(-3, 3).
		YRange(-2, 2).
		Equal().
		Title("Two bumps, filled").
		X("x₁").
		Y("x₂")
	f["04contour_labels"] = New(
		Contours(func(x, y float64) float64 { return 100*math.Pow(y-x*x, 2) + math.Pow(1-x, 2) }).Levels(1, 5, 20, 100, 400, 1000).Labels(),
		Line(
			[]float64{-1.2, -1, -.5, 0, .5, .9, 1},
			[]float64{1, 1.02, .3, -.1, .2, .8, 1},
		).Accent().
			Markers().
			Name("iterates"),
	).XRange(-2, 2).
		YRange(-1, 3).
		Title("Rosenbrock's valley").
		X("x").
		Y("y")
	r := rand.New(rand.NewPCG(5, 5))
	v := make([]float64, 400)
	vl := make([]int, 400)
	for i := range v {
		vl[i] = i % 2
		v[i] = r.NormFloat64() + 2.4*float64(i%2)
	}
	f["05histogram"] = New(
		Histogram(v).Density().By(vl, "negative", "positive"),
		Density(v).By(vl, "negative", "positive"),
		VRule(1.2).Label("threshold 1.2").Dash().Accent(),
	).Title("Scores of two classes").
		X("score").
		Y("density")
	f["06histogram1"] = New(Histogram(v)).X("value").Y("count")
	n := []float64{10, 30, 100, 300, 1000, 3000, 10000}
	e := make([]float64, 7)
	lo := make([]float64, 7)
	hi := make([]float64, 7)
	for i := range n {
		e[i] = 1 / math.Sqrt(n[i])
		lo[i] = e[i] * .7
		hi[i] = e[i] * 1.4
	}
	f["07log"] = New(
		ErrorBars(n, e, lo, hi).Name("measured"),
		Curve(func(x float64) float64 { return 1 / math.Sqrt(x) }, 10, 10000).Name("n^(−1/2)").Dash(),
	).LogX().
		LogY().
		Title("Error falls with the root of n").
		X("sample size n").
		Y("error")
	f["08bars"] = New(
		Bars(
			[]float64{.91, .93, .88, .955, .97},
		).Categories("naive Bayes", "LDA", "1-NN", "RBF SVM", "random forest").
			Errors([]float64{.88, .9, .84, .93, .95}, []float64{.94, .96, .92, .98, .99}).
			Values(),
	).Title("Accuracy by classifier").
		Y("accuracy").
		YRange(0, 1.1)
	f["09groups"] = New(
		BarGroups(
			[]string{"iris", "wine", "breast cancer", "digits"},
			BarSeries{Name: "training", Values: []float64{.98, 1, .99, 1}},
			BarSeries{Name: "test", Values: []float64{.95, .97, .96, .93}},
			BarSeries{Name: "chance", Values: []float64{.33, .4, .63, .1}},
		),
	).Title("Training and test accuracy").
		Y("accuracy")
	f["10stacked"] = New(
		BarGroups(
			[]string{"k = 1", "k = 2", "k = 3"},
			BarSeries{Name: "bias²", Values: []float64{3, 2, 1}},
			BarSeries{Name: "variance", Values: []float64{.5, 1, 2.2}},
		).Stacked().
			Horizontal().
			Values(),
	).X("risk")
	f["11logbars"] = New(
		Bars(
			[]float64{3, 40, 600, 12000, 2.5e5},
		).Categories("linear", "k-d tree", "quadratic kernel machine", "cubic Gaussian process", "exhaustive search over subsets"),
	).LogY().
		Y("operations").
		Title("Cost of a fit")
	f["12confusion"] = New(
		Heat([][]float64{{50, 0, 0}, {0, 47, 3}, {0, 2, 48}}).Rows(species...).Columns(species...).Values("%.0f"),
	).X("predicted").
		Y("true").
		Title("Confusion matrix")
	z := make([][]float64, 12)
	for i := range z {
		z[i] = make([]float64, 12)
		for j := range z[i] {
			z[i][j] = math.Cos(float64(i-j)/2) * math.Exp(-math.Abs(float64(i-j))/6)
		}
	}
	f["13correlation"] = New(Heat(z).Diverging().Label("correlation").Range(-1, 1)).Title("Correlation of twelve features")
	d := make([][]float64, 8)
	for i := range d {
		d[i] = make([]float64, 8)
		for j := range d[i] {
			rr := math.Hypot(float64(i)-3.5, float64(j)-3.5)
			d[i][j] = 16 * math.Exp(-(rr-2.5)*(rr-2.5))
		}
	}
	f["14image"] = Row(
		New(Heat(d).Image()).Title("digit 0"),
		New(Heat(d).Image()).Title("digit 0 again"),
		New(Heat(z).Image()).Title("else"),
	).Title("Digits")
	f["15graph"] = New(
		Graph(
			[]Node{{Name: "Rain", X: 0, Y: 0}, {Name: "Sun", X: 2, Y: 0, Accent: true}, {Name: "Clouds", X: 1, Y: 1.2, Class: "hidden"}},
			[]Edge{
				{From: "Rain", To: "Sun", Label: "0.3"},
				{From: "Sun", To: "Rain", Label: "0.4"},
				{From: "Rain", To: "Rain", Label: "0.7"},
				{From: "Sun", To: "Sun", Label: "0.6"},
				{From: "Clouds", To: "Rain", Label: "0.5", Accent: true},
				{From: "Clouds", To: "Clouds", Label: "0.1"},
			},
		).Directed(),
	).Title("A Markov chain")
	f["16tree"] = New(
		Graph(
			[]Node{
				{Name: "a", Label: "x₁ < 2.4"},
				{Name: "b", Label: "setosa", Class: "setosa"},
				{Name: "c", Label: "x₂ < 1.7"},
				{Name: "d", Label: "versicolor", Class: "versicolor"},
				{Name: "e", Label: "virginica", Class: "virginica"},
			},
			[]Edge{
				{From: "a", To: "b", Label: "yes"},
				{From: "a", To: "c", Label: "no"},
				{From: "c", To: "d", Label: "yes"},
				{From: "c", To: "e", Label: "no"},
			},
		).Tree(),
	).Title("A decision tree")
	f["17circle"] = New(
		Graph(
			[]Node{{Name: "A"}, {Name: "B"}, {Name: "C"}, {Name: "D"}, {Name: "E"}, {Name: "F"}},
			[]Edge{
				{From: "A", To: "B", Weight: 1},
				{From: "B", To: "C", Weight: 5},
				{From: "C", To: "D", Weight: 2},
				{From: "D", To: "A", Weight: 3},
				{From: "E", To: "F", Weight: 4},
				{From: "A", To: "E", Weight: 1},
			},
		).Circle(),
	)
	f["18trellis"] = New(
		Trellis(
			[]string{"hot", "cold"},
			5,
		).Values([][]float64{{.32, .02}, {.0448, .048}, {.0083, .0144}, {.0051, .0017}, {.0014, .0005}}).
			Back([][]int{{-1, -1}, {0, 0}, {1, 1}, {1, 1}, {0, 0}}).
			Path([]int{0, 0, 1, 0, 0}).
			Observations("3", "1", "1", "3", "2"),
	).Title("Viterbi path")
	f["19dendrogram"] = New(
		Dendrogram(
			[][4]float64{{0, 1, .5, 2}, {2, 3, .8, 2}, {6, 4, 1.2, 3}, {7, 8, 2.6, 5}, {5, 9, 3.4, 6}},
			"ape",
			"human",
			"cow",
			"goat",
			"sheep",
			"trout",
		).Cut(2),
	).Y("height").
		Title("Average linkage")
	var ax, ay, bx, by []float64
	for i := -3; i <= 3; i++ {
		for j := -2; j <= 2; j++ {
			a, b := float64(i), float64(j)
			ax = append(ax, a)
			ay = append(ay, b)
			bx = append(bx, a-.12*a-.1*b)
			by = append(by, b-.25*b+.1*a)
		}
	}
	f["20arrows"] = New(
		Arrows(ax, ay, bx, by).Muted(),
		Arrow(0, 0, 1.5, .8).Accent().Label("w"),
		Arrow(0, 0, -.8, 1.5).Label("w⊥"),
		HRule(0).Muted(),
		VRule(0).Muted(),
	).Equal().
		Title("Gradient field").
		X("w₁").
		Y("w₂")
	f["21row"] = Row(
		reg.Title("QDA"),
		f["01scatter"].Title("data"),
		f["05histogram"].Title("scores"),
	).Title("Three views of one problem").
		Subtitle("Panels share the legend")
	f["22strip"] = Slide("threshold", []float64{-1, -.5, 0, .5, 1, 1.5, 2, 2.5, 3}, func(t float64) *Figure {
		return New(
			Density(v).By(vl, "negative", "positive").Fill(),
			VRule(t).Accent(),
		).Title("Moving the threshold").
			X("score").
			Y("density").
			Subtitle("error rates change")
	}).Start(2)
	big := 200000
	hx, hy, hl := make([]float64, big), make([]float64, big), make([]int, big)
	for i := range big {
		hl[i] = r.IntN(3)
		hx[i] = r.NormFloat64() + 2*float64(hl[i])
		hy[i] = r.NormFloat64()*.7 + math.Sin(hx[i])
	}
	f["23huge"] = New(Points(hx, hy).By(hl)).Title("Two hundred thousand points")
	f["24mid"] = New(Points(hx[:3000], hy[:3000]).By(hl[:3000])).Title("Three thousand points")
	bad := []string{
		"<script>alert(1)</script>",
		"\"quote' & amp; \x00\x01",
		"مرحبا בעולם 世界 🙂",
		"a very long name that goes on and on and on and on and on until it has to be cut somewhere by somebody",
	}
	f["25hostile"] = New(
		Points([]float64{1, 2, math.NaN(), 4, 3}, []float64{1, math.Inf(1), 2, 3, 2}).By([]int{0, 1, 2, 3, 2}, bad...),
		Text(2, 2, bad[0]).Halo(),
	).Title(bad[3] + bad[0] + bad[3]).
		X(bad[1]).
		Y(bad[2] + bad[3] + bad[3]).
		Caption(bad[2])
	f["26empty"] = New()
	f["27onepoint"] = New(Points([]float64{3.2}, []float64{1e-9})).X("x").Y("y")
	f["28band"] = func() *Figure {
		t := make([]float64, 60)
		lo, hi, m := make([]float64, 60), make([]float64, 60), make([]float64, 60)
		for i := range t {
			t[i] = float64(i) / 6
			m[i] = math.Sin(t[i])
			s := .2 + .05*t[i]
			lo[i], hi[i] = m[i]-s, m[i]+s
		}
		return New(
			Band(t, lo, hi).Name("±1 standard error"),
			Line(t, m).Name("mean"),
			Curve(func(x float64) float64 { return math.Sin(x) * .8 }, 0, 9.8).Name("prior").Dash(),
			Curve(func(x float64) float64 { return .1 * x }, 0, 9.8).Name("linear").Dot(),
			HRule(0).Muted(),
		).Title("A posterior mean").
			X("x").
			Y("f(x)")
	}()
	resp := make([][]float64, 150)
	for i := range resp {
		p := 1 / (1 + math.Exp(-(x[i]-3)*2))
		resp[i] = []float64{1 - p, p}
	}
	f["29mix"] = New(Points(x, y).Mix(resp, "A", "B")).Title("Responsibilities")
	val := make([]float64, 150)
	for i := range val {
		val[i] = x[i] * y[i]
	}
	f["30values"] = New(Points(x, y).Values(val, "area (cm²)").Size(9)).Title("Values")
	lab := make([]string, 12)
	for i := range lab {
		lab[i] = fmt.Sprintf("item %d", i)
	}
	f["31labels"] = New(Points(x[:12], y[:12]).Labels(lab...), Slope(0, .2).Name("fit").Accent().Label("slope 0.2")).Title("Labelled points")
	f["32slope"] = Slide("iteration", []int{0, 1, 2, 5, 10}, func(t int) *Figure {
		w := float64(t)
		return Row(
			New(
				Points(x, y).By(l, species...),
				EllipseOf([]float64{3 + w/5, 1}, [][]float64{{1, .3}, {.3, .5}}).Class("setosa").Fill(),
			).Title("fit"),
			New(Line([]float64{0, 1, 2, 5, 10}, []float64{-9, -6, -5, -4.5, -4.4}).Markers(), VRule(w).Accent()).Title("log-likelihood"),
		)
	})
	f["33tree"] = New(Regions(func(x, y float64) int {
		if x < .37 {
			return 0
		}
		if y < .61 {
			return 1
		}
		if x < .8 {
			return 2
		}
		return 0
	}, "a", "b", "c")).Title("A tree's cuts")
	f["34steps"] = New(
		Line([]float64{0, 0, .1, .3, .5, 1}, []float64{0, .4, .7, .8, .95, 1}).Steps().Fill().Name("ROC, AUC 0.86"),
		Slope(0, 1).Dash().Muted().Name("chance"),
	).Equal().
		XRange(0, 1).
		YRange(0, 1).
		X("false positive rate").
		Y("true positive rate").
		Title("ROC curve")
	eight := New()
	for k := range 8 {
		eight = eight.Add(Curve(func(x float64) float64 { return math.Sin(x + float64(k)/2) }, 0, 6).Name(fmt.Sprintf("series %d", k+1)))
	}
	f["35eight"] = eight.Title("Eight series")
	return f
}
