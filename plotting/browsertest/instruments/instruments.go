// Package instruments has live figures for the tests of the page: the tests draw their stills and serve them as a module.
package instruments

import (
	"fmt"
	"html"
	"os"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/live"
)

// Cells are cells with live figures, by their ids.
var Cells = map[string]func(){
	"rings":    func() { prl.Live(Rings).Show() },
	"inputs":   func() { prl.Live(Inputs).Show(); prl.Live(Second).Show() },
	"frames":   func() { prl.Live(Second).Frames(5).Show() },
	"cloud":    func() { prl.Live(Cloud).Show() },
	"troubles": func() { prl.Live(Troubles).Show() },
	"predict":  func() { prl.Live(Heavier).Show() },
	"film":     func() { prl.Slide("slope", []float64{0, 0.5, 2}, Frame).Title("A film").Show() },
}

// Heavier asks before it tells which side of a seesaw sinks.
func Heavier(in *live.Inputs) *plotting.Figure {
	ask := in.Predict("Which side sinks?", "left", "right")
	left := in.Slider("left", 0, 2, live.Step(0.5), live.At(1.5))
	switch {
	case left > 1:
		ask.Answer("left")
	case left < 1:
		ask.Answer("right")
	default:
		ask.Answer()
	}
	fig := plotting.New(plotting.Points([]float64{-1, 1}, []float64{0, 0})).Title("A seesaw")
	if !ask.Made() {
		return fig.Subtitle("predict first")
	}
	return fig.Subtitle(fmt.Sprintf("left %.1f, right 1.0", left))
}

// Frame is a line through the origin, as a frame of a film.
func Frame(slope float64) *plotting.Figure {
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * slope})).Subtitle(fmt.Sprintf("slope %.2f", slope))
}

// Rings is a soft margin machine whose points are dragged, added, deleted and turned.
func Rings(in *live.Inputs) *plotting.Figure {
	c, gamma := in.Slider("C", 0.1, 1000, live.Log, live.At(10)), in.Slider("γ", 0.05, 5, live.Log, live.At(0.5))
	m := prl.SVM().RBF(gamma).C(c).Fit(in.Points("points", datasets.Rings(60, 0.25, 7), live.Grow, live.Turn))
	proof := m.Certificate()
	prl.Check("", "primal and dual meet").AtMost(proof.Gap, 1e-2)
	rows := len(m.Model().SupportRows())
	prl.Table("support vectors", "primal − dual").Row(rows, fmt.Sprintf("%.1e", proof.Gap)).Show()
	return m.Regions().Title("A soft margin").Subtitle(fmt.Sprintf("C = %.3g, γ = %.3g: %d support vectors", c, gamma, rows))
}

// Inputs has one input of every kind but points.
func Inputs(in *live.Inputs) *plotting.Figure {
	x, y := in.Point("mean", 1, 2)
	t, _ := in.Point("threshold", 0.5, 1, live.Horizontal)
	rule := in.Choice("rule", "Bayes", "minimax", "Neyman–Pearson")
	word := in.Choice("a longer list", "one", "two", "three", "four", "five", "six")
	margin := in.Toggle("show the margin", true)
	priors := in.Values("priors", []string{"setosa", "versicolor", "virginica"}, []float64{0.5, 0.3, 0.2}, live.Sum(1))
	losses := in.Table(
		"losses",
		[]string{"decide 1", "decide 2"},
		[]string{"class 1", "class 2"},
		mat.NewDense(2, 2, []float64{0, 1, 5, 0}),
		live.Within(0, 100),
	)
	sentence := in.Text("sentence", "the dog barks")
	seed := in.Seed("draw again")
	degree := in.Slider("degree", 1, 9, live.Step(1), live.At(3))
	cases := in.Slider("cases", 3, 2000, live.Log, live.Step(1), live.At(20))
	cell.Display(cell.Bundle{HTML: "<p class=echo>" + html.EscapeString(strings.Join([]string{
		fmt.Sprintf("mean %.2f %.2f", x, y),
		fmt.Sprintf("threshold %.2f", t),
		rule, word, fmt.Sprint(margin),
		fmt.Sprintf("priors %.2f", priors),
		fmt.Sprintf("losses %v %v %v %v", losses.At(0, 0), losses.At(0, 1), losses.At(1, 0), losses.At(1, 1)),
		sentence,
		fmt.Sprintf("seed %d", seed),
		fmt.Sprintf("degree %v", degree),
		fmt.Sprintf("cases %v", cases),
	}, "; ")) + "</p>"})
	return plotting.New(plotting.Points([]float64{-3, 3, x}, []float64{-1, 4, y}), plotting.VRule(t)).X("x").Y("y").
		Title("Every kind of input").Subtitle(fmt.Sprintf("mean (%.2f, %.2f), threshold %.2f", x, y, t))
}

// Cloud has an ellipse with handles.
func Cloud(in *live.Inputs) *plotting.Figure {
	mean, cov := in.Ellipse("cloud", []float64{1, 0}, mat.NewSymDense(2, []float64{4, 0, 0, 1}))
	return plotting.New(plotting.Ellipse(mean, cov)).XRange(-6, 6).YRange(-6, 6).Equal().Title("A cloud").
		Subtitle(fmt.Sprintf("mean %.2f %.2f, covariance %.2f %.2f %.2f", mean[0], mean[1], cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)))
}

// Second is a line through the origin.
func Second(in *live.Inputs) *plotting.Figure {
	slope := in.Slider("slope", 0, 2, live.Step(0.1))
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4 * slope})).Title("A slope").Subtitle(fmt.Sprintf("slope %.1f", slope))
}

// Troubles does what its reader writes: panic, fail, doubt, exit, or never end.
func Troubles(in *live.Inputs) *plotting.Figure {
	switch in.Text("deed", "none") {
	case "panic":
		panic("as asked")
	case "fail":
		return prl.SVM().C(-1).Fit(datasets.Rings(60, 0.25, 7)).Regions()
	case "doubt":
		prl.Check("", "one is two").Near(1, 2, 0.1)
	case "exit":
		os.Exit(3)
	case "endless":
		for n := 0; ; n++ {
		}
	}
	return plotting.New(plotting.Line([]float64{0, 4}, []float64{0, 4})).Title("Troubles")
}
