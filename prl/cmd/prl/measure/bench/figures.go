package bench

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/kernel"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/reduce"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

// A Figure is what a typical picture costs. Models behind a picture are fitted before the clock starts.
type Figure struct {
	Name  string  `json:"name"`
	Still int     `json:"still"` // bytes of the SVG
	Spec  int     `json:"spec"`  // bytes of what brings it to life
	Cell  int     `json:"cell"`  // bytes of the output in a notebook, both together
	Page  int     `json:"page"`  // bytes of a page that stands alone, with the runtime
	Draw  float64 `json:"draw"`  // seconds to make the figure and its SVG, best of several
	All   float64 `json:"all"`   // seconds to make the figure and its page
}

type sample struct {
	name string
	draw func() *plotting.Figure
}

// samples are the kinds of layers first, then what the families show.
func samples() []sample {
	iris, petals := datasets.Iris(), datasets.Iris().Features("petal length", "petal width")
	x, y := petals.Points()
	rings, faithful, moons := datasets.Rings(120, 0.15, 1), datasets.Faithful(), datasets.Moons(200, 0.2, 1)
	bump := func(x, y float64) float64 { return math.Exp(-x*x-y*y) - 0.5*math.Exp(-(x-1)*(x-1)-y*y) }
	grid := make([][]float64, 12)
	for i := range grid {
		for j := range 12 {
			grid[i] = append(grid[i], math.Cos(float64(i-j)/2))
		}
	}
	svm1, tree1 := svm.PlanSVM().RBF(0.5).C(10).Fit(rings), tree.PlanTree().Depth(3).Fit(iris)
	boost1, gmm, hmm := boost.PlanAdaBoost().Rounds(40).Fit(moons), mixture.PlanGMM(2).Fit(faithful), markov.PlanOf(markov.Tagging())
	qda, pca, fisher := bayes.PlanQDA().
		Fit(petals),
		reduce.PlanPCA().
			Fit(iris),
		reduce.PlanFisher().
			Fit(petals.Classes("versicolor", "virginica"))
	return []sample{
		{"points", func() *plotting.Figure { return plotting.New(plotting.Points(x, y).By(petals.Y, petals.ClassNames...)) }},
		{"curve", func() *plotting.Figure { return plotting.New(plotting.Curve(math.Sin, 0, 10)) }},
		{"contours", func() *plotting.Figure {
			return plotting.New(plotting.Contours(bump).Filled()).XRange(-3, 3).YRange(-2, 2)
		}},
		{"histogram", func() *plotting.Figure { return plotting.New(plotting.Histogram(x).By(petals.Y, petals.ClassNames...)) }},
		{"bars", func() *plotting.Figure {
			return plotting.New(plotting.Bars([]float64{3, 1, 2}).Categories("a", "b", "c").Values())
		}},
		{"heat", func() *plotting.Figure { return plotting.New(plotting.Heat(grid).Diverging()) }},
		{"slide of 9", func() *plotting.Figure {
			return plotting.Slide("shift", []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, func(t float64) *plotting.Figure {
				return plotting.New(plotting.Curve(func(x float64) float64 { return math.Sin(x + t) }, 0, 10))
			})
		}},
		{"bayes: regions", qda.Regions},
		{"bayes: posterior", func() *plotting.Figure { return qda.Posterior(1) }},
		{"reduce: scores", pca.Scores},
		{"reduce: turning axis", func() *plotting.Figure {
			return plotting.Slide("angle", []float64{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170}, fisher.Turned)
		}},
		{"kernel: Gram matrix", func() *plotting.Figure { return kernel.PlanKernel(kernel.RBF{Gamma: 0.5}).Fit(rings).Heat() }},
		{"svm: regions", svm1.Regions},
		{"tree: graph", tree1.Graph},
		{"tree: regions", tree.PlanTree().Depth(3).Fit(petals).Regions},
		{"boost: curves", func() *plotting.Figure { return boost1.Curves() }},
		{"boost: iterations", boost1.Iterations},
		{"mixture: clusters", gmm.Clusters},
		{"mixture: iterations", gmm.Iterations},
		{"markov: graph", hmm.Graph},
		{"markov: trellis", hmm.Viterbi("I", "bank", "at", "CFCU").Trellis},
	}
}

// Figures measures each sample.
func Figures(ctx context.Context, told func(done int)) ([]Figure, error) {
	var all []Figure
	for i, s := range samples() {
		f, err := measureFigure(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, f)
		told(i + 1)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return all, nil
}

func measureFigure(s sample) (f Figure, err error) {
	f.Name, f.Draw, f.All = s.name, math.Inf(1), math.Inf(1)
	for range 6 {
		began := time.Now()
		svg, err := s.draw().SVG()
		if err != nil {
			return f, err
		}
		f.Still, f.Draw = len(svg), min(f.Draw, time.Since(began).Seconds())
		began = time.Now()
		page, err := s.draw().HTML()
		if err != nil {
			return f, err
		}
		f.Page, f.All = len(page), min(f.All, time.Since(began).Seconds())
		f.Cell, f.Spec = parts(page)
	}
	return f, nil
}

// parts returns the size of the element that is the figure in a page, and of the specification in it.
func parts(page string) (element, spec int) {
	_, rest, _ := strings.Cut(page, `<img class="prl-figure"`)
	rest, _, _ = strings.Cut(rest, "\n")
	_, text, _ := strings.Cut(rest, `data-prl-figure="`)
	text, _, _ = strings.Cut(text, `"`)
	return len(`<img class="prl-figure"`) + len(rest), len(text)
}

// FigureTable is the table of bench figures, with a last row of sums.
func FigureTable(figures []Figure) string {
	table := [][]string{{"figure", "still (bytes)", "spec (bytes)", "cell (bytes)", "page (bytes)", "still (ms)", "page (ms)"}}
	sum := Figure{Name: "all"}
	row := func(f Figure) {
		table = append(table, []string{
			f.Name, fmt.Sprint(f.Still), fmt.Sprint(f.Spec), fmt.Sprint(f.Cell), fmt.Sprint(f.Page),
			fmt.Sprintf("%.2f", f.Draw*1e3), fmt.Sprintf("%.2f", f.All*1e3),
		})
	}
	for _, f := range figures {
		row(f)
		sum.Still, sum.Spec, sum.Cell, sum.Page = sum.Still+f.Still, sum.Spec+f.Spec, sum.Cell+f.Cell, sum.Page+f.Page
		sum.Draw, sum.All = sum.Draw+f.Draw, sum.All+f.All
	}
	row(sum)
	return Columns(table)
}
