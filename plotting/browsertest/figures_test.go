package browsertest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/prlab/prlab/plotting"
)

// The figures the tests open: together they use every kind of mark, several panels, frames and hostile texts.

var species = []string{"setosa", "versicolor", "virginica"}

// flowers draws n points a class around three centres.
func flowers(n int) (x, y []float64, class []int) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 3 {
		for range n {
			x = append(x, 1.4+2.1*float64(k)+0.45*r.NormFloat64())
			y = append(y, 0.4+0.8*float64(k)+0.22*r.NormFloat64())
			class = append(class, k)
		}
	}
	return x, y, class
}

func nearestClass(x, y float64) int {
	best, at := math.Inf(1), 0
	for k := range 3 {
		dx, dy := x-1.4-2.1*float64(k), (y-0.4-0.8*float64(k))*2.5
		if d := dx*dx + dy*dy*(0.6+0.4*float64(k)); d < best {
			best, at = d, k
		}
	}
	return at
}

func bell(x, m, s float64) float64 {
	return math.Exp(-(x-m)*(x-m)/(2*s*s)) / (s * math.Sqrt(2*math.Pi))
}

func scatter() *plotting.Figure {
	x, y, class := flowers(50)
	return plotting.New(
		plotting.Regions(nearestClass, species...),
		plotting.Points(x, y).By(class, species...),
		plotting.EllipseOf([]float64{1.4, 0.4}, [][]float64{{0.2, 0.02}, {0.02, 0.05}}).Class("setosa").Sigma(2),
	).Title("Petal length and width of three iris species").Subtitle("50 flowers each, and the regions of the quadratic rule").
		X("petal length (cm)").Y("petal width (cm)")
}

func densities() *plotting.Figure {
	x, _, class := flowers(80)
	return plotting.New(plotting.Histogram(x).By(class, species...).Density(), plotting.Density(x).By(class, species...),
		plotting.VRule(2.45).Label("threshold").Accent()).
		Title("Class-conditional densities").X("petal length (cm)").Y("density")
}

func contours() *plotting.Figure {
	f := func(x, y float64) float64 { return math.Log(1 + 100*math.Pow(y-x*x, 2) + math.Pow(1-x, 2)) }
	x := []float64{-1.2, -0.9, -0.5, -0.1, 0.3, 0.6, 0.85, 1}
	y := []float64{1, 0.75, 0.3, 0.05, 0.1, 0.33, 0.7, 1}
	return plotting.New(plotting.Contours(f).Filled().Count(9).Label("log(1 + f)"), plotting.Line(x, y).Markers().Accent().Name("descent"),
		plotting.Text(1, 1, "minimum").Anchor("start", "bottom").Halo()).
		XRange(-1.6, 1.6).YRange(-0.6, 1.8).Title("Rosenbrock's valley").X("x").Y("y")
}

func bars() *plotting.Figure {
	return plotting.New(plotting.BarGroups([]string{"nearest mean", "naive Bayes", "quadratic", "support vectors"},
		plotting.BarSeries{Name: "training", Values: []float64{0.91, 0.953, 0.98, 0.973}},
		plotting.BarSeries{Name: "test", Values: []float64{0.9, 0.94, 0.967, 0.96}})).
		Title("Accuracy of four classifiers").Y("accuracy")
}

func confusion() *plotting.Figure {
	return plotting.New(plotting.Heat([][]float64{{50, 0, 0}, {0, 48, 2}, {0, 1, 49}}).Rows(species...).Columns(species...).
		Values("%.0f").Label("flowers")).Title("Confusion matrix of the quadratic rule").X("predicted").Y("true")
}

func correlation() *plotting.Figure {
	names := []string{"sepal length", "sepal width", "petal length", "petal width"}
	return plotting.New(plotting.Heat([][]float64{
		{1, -0.12, 0.87, 0.82},
		{-0.12, 1, -0.43, -0.37},
		{0.87, -0.43, 1, 0.96},
		{0.82, -0.37, 0.96, 1},
	}).Rows(names...).Columns(names...).Values("%.2f").Diverging().Range(-1, 1).Label("correlation")).
		Title("Correlation of the four measurements")
}

func regularisation() *plotting.Figure {
	var c, train, test, lo, hi []float64
	for i := range 25 {
		t := -3 + 0.25*float64(i)
		c = append(c, math.Pow(10, t))
		train = append(train, 0.3/(1+math.Exp(t+1))+0.02)
		test = append(test, 0.3/(1+math.Exp(t+1))+0.05+0.01*math.Max(0, t)*math.Max(0, t))
		lo = append(lo, test[i]-0.02)
		hi = append(hi, test[i]+0.02)
	}
	return plotting.New(plotting.Band(c, lo, hi).Class("test"), plotting.Line(c, train).Name("training").Class("training"),
		plotting.Line(c, test).Name("test").Class("test").Dash(), plotting.HRule(0.05).Label("Bayes error").Muted()).
		LogX().Title("Error against the regularisation constant").X("C").Y("error rate")
}

func circles() *plotting.Figure {
	return plotting.New(plotting.EllipseOf([]float64{0, 0}, [][]float64{{1, 0}, {0, 1}}).Name("unit circle").Fill(),
		plotting.Arrow(0, 0, 1.4, 0.7).Label("w").Accent(), plotting.Slope(0, -2).Dash().Label("w·x = 0")).
		Equal().XRange(-2, 2).YRange(-2, 2).Title("Equal axes").X("x₁").Y("x₂")
}

func graph() *plotting.Figure {
	return plotting.New(plotting.Graph([]plotting.Node{{Name: "Sunny"}, {Name: "Cloudy"}, {Name: "Rainy"}},
		[]plotting.Edge{
			{From: "Sunny", To: "Cloudy", Label: "0.3"},
			{From: "Cloudy", To: "Rainy", Label: "0.4"},
			{From: "Rainy", To: "Sunny", Label: "0.2"},
			{From: "Sunny", To: "Sunny", Label: "0.7"},
		}).Circle().Directed()).
		Title("A Markov chain of the weather")
}

func trellis() *plotting.Figure {
	return plotting.New(plotting.Trellis([]string{"Rainy", "Sunny"}, 3).Values([][]float64{
		{0.06, 0.24},
		{0.0384, 0.0432},
		{0.01344, 0.002592},
	}).
		Path([]int{1, 0, 0}).Observations("walk", "shop", "clean")).
		Title("Viterbi on three days")
}

func dendrogram() *plotting.Figure {
	return plotting.New(plotting.Dendrogram([][4]float64{{0, 1, 0.3, 2}, {2, 3, 0.5, 2}, {5, 6, 1.2, 4}, {4, 7, 2.1, 5}},
		"ant", "bee", "cat", "dog", "eel").Cut(1)).Title("Average linkage").Y("distance")
}

func values() *plotting.Figure {
	x, y, _ := flowers(60)
	v := make([]float64, len(x))
	for i := range x {
		v[i] = bell(x[i], 3.5, 1.5)
	}
	return plotting.New(plotting.Points(x, y).Values(v, "likelihood")).Title("Points by a value").X("x").Y("y")
}

func em() *plotting.Figure {
	x, y, _ := flowers(50)
	steps := []int{0, 1, 2, 3, 4, 5, 6, 7}
	return plotting.Slide("EM iteration", steps, func(t int) *plotting.Figure {
		p := float64(t) / 7
		resp := make([][]float64, len(x))
		for i := range x {
			a, b := bell(x[i], 3-1.6*p, 1.2), bell(x[i], 3.5+1.2*p, 1.2)
			resp[i] = []float64{a / (a + b), b / (a + b)}
		}
		return plotting.New(plotting.Points(x, y).Mix(resp, "first", "second"),
			plotting.EllipseOf([]float64{3 - 1.6*p, 1 - 0.6*p}, [][]float64{{0.8, 0.1}, {0.1, 0.2}}).Class("first"),
			plotting.EllipseOf([]float64{3.5 + 1.2*p, 1.2 + 0.3*p}, [][]float64{{0.8, 0.1}, {0.1, 0.2}}).Class("second")).
			Title("Expectation maximisation").Subtitle(fmt.Sprintf("log-likelihood %.2f", -420+30*p)).X("x").Y("y")
	})
}

func panels() *plotting.Figure {
	x, y, class := flowers(40)
	return plotting.Row(
		plotting.New(plotting.Points(x, y).By(class, species...)).Title("As measured").X("petal length").Y("petal width"),
		plotting.New(plotting.Points(y, x).By(class, species...)).Title("Exchanged").X("petal width").Y("petal length"),
		plotting.New(plotting.Density(x).By(class, species...)).Title("Density of the petal length").X("petal length"),
	).Title("Three views of one data set").Subtitle("Point at a flower: it is marked in every panel")
}

func linked(flip bool) *plotting.Figure {
	x, y, class := flowers(40)
	if flip {
		x, y = y, x
	}
	return plotting.New(plotting.Points(x, y).By(class, species...)).Title("Linked").X("x").Y("y").Link("iris")
}

func many() *plotting.Figure {
	r := rand.New(rand.NewPCG(3, 4))
	x, y := make([]float64, 10000), make([]float64, 10000)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	return plotting.New(plotting.Points(x, y).Name("sample")).Title("Ten thousand points").X("x").Y("y")
}

// attack is a text that would run if anything took it for markup or script.
const attack = `</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'"{{1}}${window.hacked=1}` + "`"

func hostile() *plotting.Figure {
	return plotting.New(plotting.Points([]float64{0, 1, 2}, []float64{0, 1, 2}).By([]int{0, 1, 1}, attack, "b"+attack).
		Notes(attack, attack, attack).Labels(attack, "{a|b}", "c"), plotting.Text(1, 0.5, attack)).
		Title(attack).Subtitle(attack).Caption(attack).X(attack).Y(attack).Alt(attack).XTicks([]float64{0, 1, 2}, attack, "b", "c").
		Link(attack)
}

var gallery = []struct {
	name   string
	figure func() *plotting.Figure
}{
	{"scatter", scatter},
	{"densities", densities},
	{"contours", contours},
	{"bars", bars},
	{"confusion", confusion},
	{"correlation", correlation},
	{"regularisation", regularisation},
	{"circles", circles},
	{"graph", graph},
	{"trellis", trellis},
	{"dendrogram", dendrogram},
	{"values", values},
	{"em", em},
	{"panels", panels},
	{"many", many},
	{"hostile", hostile},
}
