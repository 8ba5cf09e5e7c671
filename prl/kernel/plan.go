package kernel

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// A Plan looks at a kernel on a data set: PlanKernel(RBF{Gamma: 0.5}).Fit(rings).Heat(). Its model is the Gram matrix. It has no Keep: to
// compute a Gram matrix takes no longer than to read it.
//
//plan:step centred Centre // moves the points to mean zero in feature space
//plan:fit the points
//plan:without Keep
type Plan struct {
	plan.Plan[*mat.SymDense, settings]
}

// settings are what the steps of a plan set.
type settings struct {
	Kernel  Kernel
	centred bool
}

// PlanKernel begins a plan about a kernel.
func PlanKernel(k Kernel) Plan {
	return Plan{plan.New(plan.Spec[*mat.SymDense, settings]{
		Name: "Kernel", Args: []any{k}, Options: settings{Kernel: k}, Needs: plan.Rows,
		Check: func(step string, o settings) error { return Check(step, o.Kernel) },
		Fit: func(_ context.Context, set datasets.Set, o settings) (*mat.SymDense, error) {
			G, err := Gram(o.Kernel, set.X)
			if err == nil && o.centred {
				G = Centre(G)
			}
			return G, err
		},
	})}
}

// Gram returns the Gram matrix K(x_i, x_j), n x n.
func (p Plan) Gram() *mat.SymDense { return p.Model() }

// PSD reports whether the Gram matrix is positive semi-definite, to 1e-12 of its largest eigenvalue.
func (p Plan) PSD() Definiteness {
	return plan.Value(p, "PSD", func(G *mat.SymDense) (Definiteness, error) { return PSD(G, 1e-12) })
}

// Table lists parameters and diagnostics: what the spectrum of the Gram matrix says.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(G *mat.SymDense) (cell.Table, error) {
		d, err := PSD(G, 1e-12)
		if err != nil {
			return cell.Table{}, err
		}
		return cell.NewTable("points", "trace", "largest eigenvalue", "smallest eigenvalue", "rank", "positive semi-definite").
			Row(G.SymmetricDim(), mat.Trace(G), d.Max, d.Min, d.Rank, d.SemiDefinite).Title(p.title()), nil
	})
}

// Show shows the picture or table that says most: the Gram matrix.
func (p Plan) Show() { p.Heat().Show() }

// Heat draws the matrix of numbers as colours: the Gram matrix with the rows sorted by class.
func (p Plan) Heat() *plotting.Figure {
	return plan.Figure(p, "Heat", func(G *mat.SymDense) (*plotting.Figure, error) {
		return heat(sorted(plan.Data(p), G), p.title()), nil
	})
}

func (p Plan) title() string {
	if o := plan.Options(p); o.centred {
		return "Centred Gram matrix: " + o.Kernel.String()
	}
	return "Gram matrix: " + plan.Options(p).Kernel.String()
}

// sorted returns the rows of a matrix over pairs of points, in the order of their classes.
func sorted(set datasets.Set, G mat.Symmetric) [][]float64 {
	order := make([]int, G.SymmetricDim())
	for i := range order {
		order[i] = i
	}
	if set.Y != nil {
		slices.SortStableFunc(order, func(a, b int) int { return set.Y[a] - set.Y[b] })
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
	return plan.Figure(p, "Spectrum", func(G *mat.SymDense) (*plotting.Figure, error) {
		d, err := PSD(G, 1e-12)
		if err != nil {
			return nil, err
		}
		values, err := Spectrum(G)
		if err != nil {
			return nil, err
		}
		verdict := "positive semi-definite here"
		if !d.SemiDefinite {
			verdict = "not positive semi-definite: no kernel"
		}
		names := make([]string, len(values))
		for i := range names {
			names[i] = fmt.Sprint(i + 1)
		}
		return plotting.New(plotting.Bars(values).Categories(names...), plotting.HRule(0).Muted()).X("eigenvalue").Y("value").
			Title(plan.Options(p).Kernel.String()).Subtitle(fmt.Sprintf("smallest %.4g: %s", d.Min, verdict)), nil
	})
}

// Similarity draws K(anchor, x) over the plane of two features.
func (p Plan) Similarity(anchor ...float64) *plotting.Figure {
	return plan.Figure(p, "Similarity", func(*mat.SymDense) (*plotting.Figure, error) {
		set, k := plan.Data(p), plan.Options(p).Kernel
		x, y, err := plan.Plane(set, "Similarity")
		if err != nil {
			return nil, err
		}
		if err := estimator.CheckPoint("Similarity", anchor, 2); err != nil {
			return nil, err
		}
		points := plotting.Points(x, y)
		if set.Y != nil {
			points = points.By(set.Y, set.ClassNames...)
		}
		f := func(u, v float64) float64 { return k.Eval(anchor, []float64{u, v}) }
		return plotting.New(plotting.Contours(f).Filled().Label("K(anchor, x)"), points,
			plotting.Points(anchor[:1], anchor[1:]).Name("anchor").Accent().Size(12)).
			X(set.FeatureNames[0]).Y(set.FeatureNames[1]).Title("Similarity to one point: " + k.String()), nil
	}, fault.Args(anchor)...)
}
