package kernel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
)

// A Plan looks at a kernel on a data set: Of(RBF{Gamma: 0.5}).On(rings).Heat(). It is an immutable value.
type Plan struct {
	fault.Chain
	kernel  Kernel
	set     datasets.Set
	data    bool
	centred bool
	gram    cell.Outcome[*mat.SymDense]
}

// Of begins a plan about a kernel.
func Of(k Kernel) Plan {
	p := Plan{Chain: fault.Start("Kernel", k), kernel: k}
	p.Chain = p.Chain.Break(Check("Kernel", k))
	return p.renew()
}

// On names the points.
func (p Plan) On(set datasets.Set) Plan {
	p.Chain = p.Chain.Step("On", set).Break(set.Err())
	p.set, p.data = set, true
	return p.renew()
}

// Centre moves the points to mean zero in feature space.
func (p Plan) Centre() Plan {
	p.Chain = p.Chain.Step("Centre")
	p.centred = true
	return p.renew()
}

func (p Plan) renew() Plan {
	p.gram = cell.NewOutcome(p.Chain, func() (*mat.SymDense, error) {
		if !p.data {
			return nil, fault.Argument("Kernel", "plan", "without points", "ended by On", "append .On(set)")
		}
		G, err := Gram(p.kernel, p.set.X)
		if err == nil && p.centred {
			G = Centre(G)
		}
		return G, err
	})
	return p
}

// Result returns the Gram matrix, or the first error of the plan.
func (p Plan) Result() (*mat.SymDense, error) { return p.gram.Fitted() }

// Gram returns the Gram matrix and ends the cell with a message when there is none.
func (p Plan) Gram() *mat.SymDense { return p.gram.Model() }

// PSD tells whether the Gram matrix is positive semi-definite, to 1e-12 of its largest eigenvalue.
func (p Plan) PSD() Definiteness { return cell.Must(p.definiteness()) }

func (p Plan) definiteness() (Definiteness, error) {
	G, err := p.Result()
	if err != nil {
		return Definiteness{}, err
	}
	d, err := PSD(G, 1e-12)
	return d, p.Chain.Break(err).Err()
}

// Show displays the Gram matrix.
func (p Plan) Show() { p.Heat().Show() }

// Heat draws the Gram matrix with the rows sorted by class.
func (p Plan) Heat() *plotting.Figure {
	G, err := p.Result()
	if err != nil {
		return plotting.Fault(err)
	}
	return heat(p.sorted(G), p.title())
}

// DistanceHeat draws the distances in feature space with the rows sorted by class.
func (p Plan) DistanceHeat() *plotting.Figure {
	G, err := p.Result()
	if err != nil {
		return plotting.Fault(err)
	}
	return heat(p.sorted(Distances(G)), "Distances in feature space: "+p.kernel.String())
}

func (p Plan) title() string {
	if p.centred {
		return "Centred Gram matrix: " + p.kernel.String()
	}
	return "Gram matrix: " + p.kernel.String()
}

func (p Plan) sorted(G mat.Symmetric) [][]float64 {
	order := make([]int, G.SymmetricDim())
	for i := range order {
		order[i] = i
	}
	if p.set.Y != nil {
		slices.SortStableFunc(order, func(a, b int) int { return p.set.Y[a] - p.set.Y[b] })
	}
	z := make([][]float64, len(order))
	for i, a := range order {
		z[i] = make([]float64, len(order))
		for j, b := range order {
			z[i][j] = G.At(a, b)
		}
	}
	return z
}

// heat draws a matrix over pairs of points. Of many points it shows the means of square blocks: finer cells would be too small to see.
func heat(z [][]float64, title string) *plotting.Figure {
	const most = 48
	points := "point"
	if block := (len(z) + most - 1) / most; block > 1 {
		z = means(z, block)
		points = fmt.Sprintf("points, in blocks of %d", block)
	}
	layer := plotting.Heat(z)
	for _, row := range z {
		if slices.Min(row) < 0 {
			layer = layer.Diverging()
			break
		}
	}
	return plotting.New(layer).Title(title).X(points).Y(points)
}

// means returns the means of the blocks of a square matrix; those at the end may be smaller.
func means(z [][]float64, block int) [][]float64 {
	n := (len(z) + block - 1) / block
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			sum, count := 0.0, 0
			for _, row := range z[i*block : min((i+1)*block, len(z))] {
				for _, v := range row[j*block : min((j+1)*block, len(z))] {
					sum += v
					count++
				}
			}
			out[i][j] = sum / float64(count)
		}
	}
	return out
}

// Spectrum draws the eigenvalues of the Gram matrix, largest first.
func (p Plan) Spectrum() *plotting.Figure {
	d, err := p.definiteness()
	if err != nil {
		return plotting.Fault(err)
	}
	values, err := Spectrum(p.Gram())
	if err != nil {
		return plotting.Fault(p.Chain.Break(err).Err())
	}
	verdict := "positive semi-definite here"
	if !d.SemiDefinite {
		verdict = "not positive semi-definite: no kernel"
	}
	names := make([]string, len(values))
	for i := range names {
		names[i] = fmt.Sprint(i + 1)
	}
	return plotting.New(plotting.Bars(values).Categories(names...), plotting.HRule(0).Muted()).
		X("eigenvalue").Y("value").Title(p.kernel.String()).Subtitle(fmt.Sprintf("smallest %.4g: %s", d.Min, verdict))
}

// Similarity draws K(anchor, x) over the plane of two features.
func (p Plan) Similarity(anchor ...float64) *plotting.Figure {
	_, err := p.Result()
	if err == nil && (p.set.D() != 2 || len(anchor) != 2) {
		err = p.Chain.Step("Similarity", anchor).Break(fault.Argument("Similarity", "number of features", max(p.set.D(), len(anchor)), "2 for a picture of the plane", "choose two with .Features(a, b)")).Err()
	}
	if err == nil && (math.IsNaN(anchor[0]+anchor[1]) || math.IsInf(anchor[0]+anchor[1], 0)) {
		err = p.Chain.Step("Similarity", anchor).Break(fault.Argument("Similarity", "anchor", anchor, "finite", "")).Err()
	}
	if err != nil {
		return plotting.Fault(err)
	}
	x, y := p.set.Points()
	points := plotting.Points(x, y)
	if p.set.Y != nil {
		points = points.By(p.set.Y, p.set.ClassNames...)
	}
	f := func(u, v float64) float64 { return p.kernel.Eval(anchor, []float64{u, v}) }
	return plotting.New(plotting.Contours(f).Filled().Label("K(anchor, x)"), points,
		plotting.Points(anchor[:1], anchor[1:]).Name("anchor").Accent().Size(12)).
		X(p.set.FeatureNames[0]).Y(p.set.FeatureNames[1]).Title("Similarity to one point: " + p.kernel.String())
}
