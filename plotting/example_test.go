package plotting_test

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/plotting"
)

func ExampleNew() {
	plotting.New(plotting.Points([]float64{1, 2, 3}, []float64{2, 4, 5})).Title("Three points").X("time (s)").Y("speed (m/s)").Show()
	// Output:
	// Three points. 3 points. Horizontal axis: time (s), from 0.91 to 3.09. Vertical axis: speed (m/s), from 1.86 to 5.13.
}

func ExampleFault() {
	fig := plotting.Fault(errors.New("the model is not fitted"))
	fmt.Println(fig.Err())
	// Output:
	// the model is not fitted
}

func ExampleRow() {
	left := plotting.New(plotting.Points([]float64{1, 2}, []float64{1, 2}).Class("a")).Title("before")
	right := plotting.New(plotting.Points([]float64{2, 1}, []float64{1, 2}).Class("a")).Title("after")
	plotting.Row(left, right).Title("Two panels").Show()
	// Output:
	// Two panels. 2 panels. 2 points (a); 2 points (a). Horizontal axis: x, from 0.955 to 2.04. Vertical axis: y, from 0.955 to 2.04.
}

func ExampleColumn() {
	plotting.Column(plotting.New(plotting.VRule(1)), plotting.New(plotting.HRule(1))).Show()
	// Output:
	// Figure. 2 panels. A rule; a rule. Horizontal axis: x, from 0.9 to 1.1. Vertical axis: y, from 0 to 1.
}

func ExampleGrid() {
	p := plotting.New(plotting.VRule(1))
	plotting.Grid(2, p, p, p, p).Show()
	// Output:
	// Figure. 4 panels. A rule; a rule; a rule; a rule. Horizontal axis: x, from 0.9 to 1.1. Vertical axis: y, from 0 to 1.
}

func ExampleSlide() {
	plotting.Slide("degree", []int{1, 2, 3}, func(k int) *plotting.Figure {
		return plotting.New(plotting.Curve(func(x float64) float64 { return math.Pow(x, float64(k)) }, 0, 2))
	}).Title("Powers").Show()
	// Output:
	// Powers. A curve. Horizontal axis: x, from 0 to 2. Vertical axis: y, from −0.36 to 8.36. 3 frames: degree from 1 to 3.
}

func ExamplePoints() {
	x, y := []float64{1.4, 1.3, 4.7, 4.5}, []float64{0.2, 0.2, 1.4, 1.5}
	plotting.New(plotting.Points(x, y).By([]int{0, 0, 1, 1}, "setosa", "versicolor")).Show()
	// Output:
	// Figure. 4 points by class: setosa 2, versicolor 2. Horizontal axis: x, from 1.15 to 4.85. Vertical axis: y, from 0.142 to 1.56.
}

func ExampleLine() {
	plotting.New(plotting.Line([]float64{0, 1, 2}, []float64{-9, -5, -4}).Name("log-likelihood")).X("iteration").Show()
	// Output:
	// Figure. A line (log-likelihood). Horizontal axis: iteration, from 0 to 2. Vertical axis: y, from −9.22 to −3.77.
}

func ExampleCurve() {
	plotting.New(plotting.Curve(math.Sin, 0, 2*math.Pi).Name("sine")).Show()
	// Output:
	// Figure. A curve (sine). Horizontal axis: x, from 0 to 6.28. Vertical axis: y, from −1.09 to 1.09.
}

func ExampleBand() {
	x := []float64{0, 1, 2}
	plotting.New(plotting.Band(x, []float64{-1, -1, -2}, []float64{1, 1, 2}).Name("two standard errors")).Show()
	// Output:
	// Figure. A band (two standard errors). Horizontal axis: x, from 0 to 2. Vertical axis: y, from −2.18 to 2.18.
}

func ExampleArea() {
	plotting.New(plotting.Area([]float64{0, 1, 2}, []float64{0, 1, 0})).Show()
	// Output:
	// Figure. A band. Horizontal axis: x, from 0 to 2. Vertical axis: y, from 0 to 1.04.
}

func ExampleErrorBars() {
	x := []float64{1, 2}
	plotting.New(plotting.ErrorBars(x, []float64{5, 6}, []float64{4, 5}, []float64{6, 8})).Show()
	// Output:
	// Figure. 2 error bars. Horizontal axis: x, from 0.955 to 2.04. Vertical axis: y, from 3.82 to 8.18.
}

func ExampleVRule() {
	plotting.New(plotting.VRule(0.5).Label("threshold")).XRange(0, 1).YRange(0, 1).Show()
	// Output:
	// Figure. A rule (threshold). Horizontal axis: x, from 0 to 1. Vertical axis: y, from 0 to 1.
}

func ExampleHRule() {
	plotting.New(plotting.HRule(0).Muted()).XRange(0, 1).YRange(-1, 1).Show()
	// Output:
	// Figure. A rule. Horizontal axis: x, from 0 to 1. Vertical axis: y, from −1 to 1.
}

func ExampleSlope() {
	plotting.New(plotting.Slope(0, 1).Name("chance")).XRange(0, 1).YRange(0, 1).Show()
	// Output:
	// Figure. A rule (chance). Horizontal axis: x, from 0 to 1. Vertical axis: y, from 0 to 1.
}

func ExampleRegions() {
	inside := func(x, y float64) int {
		if math.Hypot(x, y) < 1 {
			return 1
		}
		return 0
	}
	plotting.New(plotting.Regions(inside, "outside", "inside")).XRange(-2, 2).YRange(-2, 2).Show()
	// Output:
	// Figure. Decision regions of outside, inside. Horizontal axis: x, from −2 to 2. Vertical axis: y, from −2 to 2.
}

func ExampleContours() {
	bowl := func(x, y float64) float64 { return x*x + 4*y*y }
	plotting.New(plotting.Contours(bowl).Levels(1, 4, 9).Labels()).XRange(-3, 3).YRange(-2, 2).Show()
	// Output:
	// Figure. Contour lines at 1, 4, 9. Horizontal axis: x, from −3 to 3. Vertical axis: y, from −2 to 2.
}

func ExampleEllipse() {
	cov := mat.NewSymDense(2, []float64{2, 1, 1, 1})
	plotting.New(plotting.Ellipse([]float64{0, 1}, cov).Sigma(2).Name("2 sigma")).Show()
	// Output:
	// Figure. An ellipse (2 sigma) around (0, 1). Horizontal axis: x, from −3.08 to 3.08. Vertical axis: y, from −1.18 to 3.18.
}

func ExampleEllipseOf() {
	plotting.New(plotting.EllipseOf([]float64{0, 1}, [][]float64{{2, 1}, {1, 1}})).Show()
	// Output:
	// Figure. An ellipse around (0, 1). Horizontal axis: x, from −1.54 to 1.54. Vertical axis: y, from −0.0895 to 2.09.
}

func ExampleArrows() {
	zero := []float64{0, 0}
	plotting.New(plotting.Arrows(zero, zero, []float64{1, 0}, []float64{0, 1}).Labels("e1", "e2")).Show()
	// Output:
	// Figure. 2 arrows. Horizontal axis: x, from −0.045 to 1.04. Vertical axis: y, from −0.045 to 1.04.
}

func ExampleArrow() {
	plotting.New(plotting.Arrow(0, 0, 1, 2).Label("w")).Show()
	// Output:
	// Figure. 1 arrow. Horizontal axis: x, from −0.045 to 1.04. Vertical axis: y, from −0.09 to 2.09.
}

func ExampleHistogram() {
	plotting.New(plotting.Histogram([]float64{1, 2, 2, 3, 3, 3}).Bins(3)).Show()
	// Output:
	// Figure. A histogram of 6 values in 3 bins. Horizontal axis: x, from 0.91 to 3.09. Vertical axis: y, from 0 to 3.13.
}

func ExampleDensity() {
	plotting.New(plotting.Density([]float64{1, 2, 2, 3, 3, 3}).Bandwidth(0.5)).Show()
	// Output:
	// Figure. A density estimate of 6 values. Horizontal axis: x, from −0.5 to 4.5. Vertical axis: y, from 0 to 0.464.
}

func ExampleBars() {
	plotting.New(plotting.Bars([]float64{0.9, 0.95}).Categories("LDA", "SVM").Values()).Y("accuracy").Show()
	// Output:
	// Figure. 2 bars: LDA 0.9, SVM 0.95. Horizontal axis: x, with LDA, SVM. Vertical axis: accuracy, from 0 to 0.993.
}

func ExampleBarGroups() {
	plotting.New(plotting.BarGroups([]string{"iris", "wine"},
		plotting.BarSeries{Name: "training", Values: []float64{1, 0.99}},
		plotting.BarSeries{Name: "test", Values: []float64{0.95, 0.97}})).Show()
	// Output:
	// Figure. 4 bars: training iris 1, test iris 0.95, training wine 0.99, test wine 0.97. Horizontal axis: x, with iris, wine. Vertical axis: y, from 0 to 1.04.
}

func ExampleHeat() {
	confusion := [][]float64{{48, 2}, {1, 49}}
	plotting.New(plotting.Heat(confusion).Rows("a", "b").Columns("a", "b").Values("%.0f")).X("predicted").Y("true").Show()
	// Output:
	// Figure. A heat map of 2 x 2 cells. Horizontal axis: predicted, with a, b. Vertical axis: true, with a, b.
}

func ExampleGraph() {
	plotting.New(plotting.Graph(
		[]plotting.Node{{Name: "sun"}, {Name: "rain"}},
		[]plotting.Edge{{From: "sun", To: "rain", Label: "0.2"}, {From: "sun", To: "sun", Label: "0.8"}},
	).Directed()).Show()
	// Output:
	// Figure. A graph of 2 nodes and 2 edges.
}

func ExampleTrellis() {
	plotting.New(plotting.Trellis([]string{"hot", "cold"}, 3).Path([]int{0, 0, 1}).Observations("3", "1", "1")).Show()
	// Output:
	// Figure. A trellis of 2 states over 3 steps; the path is hot, hot, cold.
}

func ExampleDendrogram() {
	plotting.New(plotting.Dendrogram([][4]float64{{0, 1, 0.5, 2}, {3, 2, 1.5, 3}}, "a", "b", "c").Cut(1)).Show()
	// Output:
	// Figure. A dendrogram of 3 leaves. Horizontal axis: x, with a, b, c. Vertical axis: y, from 0 to 1.57.
}

func ExamplePolygon() {
	plotting.New(plotting.Polygon([]float64{0, 1, 0}, []float64{0, 0, 1}).Fill().Name("simplex")).Show()
	// Output:
	// Figure. A polygon of 3 corners (simplex). Horizontal axis: x, from −0.045 to 1.04. Vertical axis: y, from −0.045 to 1.04.
}

func ExampleText() {
	plotting.New(plotting.Text(1, 2, "saddle").Bold().Halo()).Show()
	// Output:
	// Figure. The text saddle. Horizontal axis: x, from 0.9 to 1.1. Vertical axis: y, from 1.8 to 2.2.
}

func ExampleFigure_Err() {
	fig := plotting.New(plotting.Points([]float64{1, 2, 3}, []float64{1, 2}))
	fmt.Println(fig.Err())
	// Output:
	// plotting.Points: y is 2 numbers, but needs to be as long as x: 3
}

// What a figure draws is read back under its names.
func ExampleFigure_Drawn() {
	fig := plotting.New(
		plotting.Line([]float64{0, 1, 2}, []float64{1, 3, 2}).Name("risk"),
		plotting.Points([]float64{1}, []float64{3}).Name("knife").Marker("star"),
		plotting.Area([]float64{0, 2}, []float64{1, 1}).Name("error"),
	)
	fmt.Println(fig.Drawn("risk").At(1.5), fig.Drawn("knife").Points(), fig.Drawn("knife").Marker())
	fmt.Println(fig.Drawn("error").Area(), fig.Drawn("error").Covers(1, 0.5), fig.Drawn("error").Covers(1, 1.5))
	fmt.Println(fig.Drawn("risks").Err())
	// Output:
	// 2.5 [[1 3]] star
	// 2 true false
	// plotting.Drawn: name is "risks", but needs to be "risk", "knife", "error"; did you mean "risk"?
}

// The frames of a film are read one by one.
func ExampleFigure_Frame() {
	film := plotting.Slide("step", []float64{0, 1, 2}, func(k float64) *plotting.Figure {
		return plotting.New(plotting.Points([]float64{k}, []float64{k * k}).Name("mean")).XRange(-1, 3).YRange(-1, 5)
	})
	for i := range 3 {
		fmt.Println(film.Frame(i).Label(), film.Frame(i).Drawn("mean").Points())
	}
	// Output:
	// step = 0 [[0 0]]
	// step = 1 [[1 1]]
	// step = 2 [[2 4]]
}
