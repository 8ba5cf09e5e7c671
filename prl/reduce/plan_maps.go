package reduce

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// mdsSettings are what the steps of a scaling set.
type mdsSettings struct {
	MDSOptions
	precomputed bool // the rows are a table of dissimilarities
}

// An MDSPlan is multidimensional scaling described step by step: PlanMDS(2).Precomputed().Fit(roads).
//
//plan:step precomputed Precomputed // says that the data are an n x n table of dissimilarities, such as datasets.Distances makes
//plan:step Scaling Classical() = Classical // keeps the centred inner products, by eigenvectors (Torgerson)
//plan:step Scaling NonMetric() = NonMetric // keeps the order of the dissimilarities only (Kruskal)
//plan:step Restarts Restarts // the classical map, then random ones
//plan:step Seed Seed // of the random starts
//plan:step MaxIter MaxIter // the steps of each start
//plan:step Tol Tol // the share of the stress by which a step has to lower it for the next one to be taken
//plan:step Relax Relax(alpha float64) // lengthens the steps of SMACOF by alpha, above 0 and below 2
//plan:fit rows, or with Precomputed their dissimilarities
type MDSPlan struct {
	plan.Plan[*MDS, mdsSettings]
}

// PlanMDS begins a plan of a map in k dimensions, in the plane unless said; the dissimilarities are the Euclidean distances of rows unless
// Precomputed says otherwise.
func PlanMDS(k ...int) MDSPlan {
	o := mdsSettings{MDSOptions: MDSOptions{}.filled()}
	if len(k) > 0 {
		o.Components = k[0]
	}
	return MDSPlan{plan.New(plan.Spec[*MDS, mdsSettings]{
		Name: "MDS", Args: fault.Args(k), Options: o, Needs: plan.Rows,
		Check: func(step string, o mdsSettings) error { return checkMDS(step, o.MDSOptions) },
		CheckData: func(step string, set datasets.Set, o mdsSettings) error {
			if o.precomputed {
				if _, _, err := pairs(step, set.X); err != nil {
					return err
				}
			}
			return estimator.CheckCount(step, "k", o.Components, 1, set.N()-1)
		},
		Fit: func(ctx context.Context, set datasets.Set, o mdsSettings) (*MDS, error) {
			if o.precomputed {
				return fitMDS(ctx, set.X, o.MDSOptions)
			}
			D, err := Distances(set.X)
			if err != nil {
				return nil, err
			}
			m, err := fitMDS(ctx, D, o.MDSOptions)
			if err == nil {
				m.Rows = mat.DenseCopyOf(set.X)
			}
			return m, err
		},
	})}
}

// From sets the numbers that the fit starts from: the first start, an n x k map, in place of the classical one.
func (p MDSPlan) From(start mat.Matrix) MDSPlan {
	start = mat.DenseCopyOf(start)
	return plan.With(p, "From", func(o *mdsSettings) { o.Start = start }, start)
}

// Transform returns the images of the rows: the places of the rows of the fit; of a classical map also those of another set.
func (p MDSPlan) Transform(other ...datasets.Set) datasets.Set {
	if len(other) > 0 {
		return plan.TransformOf(p, "MDS", other...)
	}
	return places(p, plan.Data(p), "MDS", func(m *MDS) *mat.Dense { return m.Y })
}

// Stress returns the stress of the map.
func (p MDSPlan) Stress() float64 { return p.Model().Stress() }

// Scores draws the data as the model sees them: the map.
func (p MDSPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *MDS) (*plotting.Figure, error) {
		return chart(plan.Data(p), m.Y, "MDS").Title("Map").Subtitle(fmt.Sprintf("stress %.4g", m.Stress())), nil
	})
}

// Shepard draws the distances of the map against the dissimilarities; of non-metric scaling with the monotone image as a line.
func (p MDSPlan) Shepard() *plotting.Figure {
	return plan.Figure(p, "Shepard", func(m *MDS) (*plotting.Figure, error) {
		fig := plotting.New(plotting.Points(m.Delta, m.Distances()).Size(5).Opacity(0.6)).
			X("dissimilarity").Y("distance in the map").Title("Shepard diagram")
		if m.Scaling == NonMetric {
			return fig.Add(plotting.Points(m.Delta, m.Disparities).Hollow().Size(5).Name("disparity")), nil
		}
		return fig.Add(plotting.Slope(0, 1).Dash().Muted()).Equal(), nil
	})
}

// Iterations shows what the fit did, step by step: the stress after each step of SMACOF.
func (p MDSPlan) Iterations() *plotting.Figure {
	return plan.Figure(p, "Iterations", func(m *MDS) (*plotting.Figure, error) {
		if m.Stresses == nil {
			return nil, fault.Argument("Iterations", "the scaling", "classical", "metric or non-metric", "classical scaling takes no steps")
		}
		step := make([]float64, len(m.Stresses))
		for i := range step {
			step[i] = float64(i)
		}
		return plotting.New(plotting.Line(step, m.Stresses)).X("step").Y("stress").Title("Stress, step by step"), nil
	})
}

// Scree draws the share of each component: the eigenvalues of the centred inner products of classical scaling, the negative ones too.
func (p MDSPlan) Scree() *plotting.Figure {
	return plan.Figure(p, "Scree", func(m *MDS) (*plotting.Figure, error) {
		if m.Values == nil {
			return nil, fault.Argument("Scree", "the scaling", string(m.Scaling), "classical", "set .Classical()")
		}
		return screeOf(m.Values), nil
	})
}

// Table lists parameters and diagnostics: the fit.
func (p MDSPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *MDS) (cell.Table, error) {
		t := cell.NewTable("figure", "value").Title(m.String()).Row("stress", m.Stress()).Row("stress-1", m.Stress1())
		if m.Values == nil {
			return t.Row("steps", len(m.Stresses)-1), nil
		}
		g1, g2 := m.GOF()
		return t.Row("share of the magnitudes of the eigenvalues", g1).Row("share of the positive ones", g2).
			Row("negative eigenvalues", m.Negative()), nil
	})
}

// Show shows the picture or table that says most: the map beside the Shepard diagram.
func (p MDSPlan) Show() {
	plan.Figure(p, "Show", func(*MDS) (*plotting.Figure, error) { return plotting.Row(p.Scores(), p.Shepard()), nil }).Show()
}

// An IsomapPlan is an isometric map described step by step: PlanIsomap(2).Neighbours(8).Fit(roll).
//
//plan:step Neighbours Neighbours
type IsomapPlan struct {
	plan.Plan[*Isomap, IsomapOptions]
}

// PlanIsomap begins a plan of a map of k dimensions, of the plane unless said, from shortest paths over links to near rows.
func PlanIsomap(k ...int) IsomapPlan {
	o := IsomapOptions{}.filled()
	if len(k) > 0 {
		o.Components = k[0]
	}
	return IsomapPlan{plan.New(plan.Spec[*Isomap, IsomapOptions]{
		Name: "Isomap", Args: fault.Args(k), Options: o, Needs: plan.Rows,
		Check: func(step string, o IsomapOptions) error { return checkNeighbours(step, o.Components, o.Neighbours) },
		CheckData: func(step string, set datasets.Set, o IsomapOptions) error {
			return checkFewer(step, set.N(), o.Components, o.Neighbours)
		},
		Fit: func(ctx context.Context, set datasets.Set, o IsomapOptions) (*Isomap, error) {
			return FitIsomap(ctx, set.X, o)
		},
	})}
}

// Transform returns the images of the rows: the places of the rows of the fit, or of another set.
func (p IsomapPlan) Transform(other ...datasets.Set) datasets.Set {
	if len(other) > 0 {
		return plan.TransformOf(p, "Isomap", other...)
	}
	return places(p, plan.Data(p), "Isomap", func(m *Isomap) *mat.Dense { return m.Y })
}

// Scores draws the data as the model sees them: the map.
func (p IsomapPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *Isomap) (*plotting.Figure, error) {
		return chart(plan.Data(p), m.Y, "Isomap").Title("Isomap"), nil
	})
}

// Scree draws the share of each component: the eigenvalues of the centred inner products, the negative ones too.
func (p IsomapPlan) Scree() *plotting.Figure {
	return plan.Figure(p, "Scree", func(m *Isomap) (*plotting.Figure, error) { return screeOf(m.Values), nil })
}

// Table lists parameters and diagnostics: the fit.
func (p IsomapPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Isomap) (cell.Table, error) {
		return cell.NewTable("figure", "value").Title(m.String()).Row("links", len(m.Links)).
			Row("residual variance", m.ResidualVariance()), nil
	})
}

// Show shows the picture or table that says most: the map.
func (p IsomapPlan) Show() { p.Scores().Show() }

// An LLEPlan is locally linear embedding described step by step: PlanLLE(2).Neighbours(10).Fit(roll).
//
//plan:step Neighbours Neighbours
//plan:step Regularise Regularise // rho: rho tr(C) to the diagonal of each C
//plan:step Hessian Hessian // asks for functions that are linear along the sheet, in place of functions that keep the weights
type LLEPlan struct {
	plan.Plan[*LLE, LLEOptions]
}

// PlanLLE begins a plan of a map of q dimensions, of the plane unless said.
func PlanLLE(q ...int) LLEPlan {
	o := LLEOptions{}.filled()
	if len(q) > 0 {
		o.Components = q[0]
	}
	return LLEPlan{plan.New(plan.Spec[*LLE, LLEOptions]{
		Name: "LLE", Args: fault.Args(q), Options: o, Needs: plan.Rows,
		Check: func(step string, o LLEOptions) error { return checkLLE(step, o) },
		CheckData: func(step string, set datasets.Set, o LLEOptions) error {
			return checkFewer(step, set.N(), o.Components, o.Neighbours)
		},
		Fit: func(ctx context.Context, set datasets.Set, o LLEOptions) (*LLE, error) { return fitLLE(ctx, set.X, o) },
	})}
}

// Transform returns the images of the rows: the places of the rows of the fit, or of another set.
func (p LLEPlan) Transform(other ...datasets.Set) datasets.Set {
	if len(other) > 0 {
		return plan.TransformOf(p, "LLE", other...)
	}
	return places(p, plan.Data(p), "LLE", func(m *LLE) *mat.Dense { return m.Y })
}

// Scores draws the data as the model sees them: the map.
func (p LLEPlan) Scores() *plotting.Figure {
	return plan.Figure(p, "Scores", func(m *LLE) (*plotting.Figure, error) {
		return chart(plan.Data(p), m.Y, "LLE").Title("Locally linear embedding"), nil
	})
}

// Table lists parameters and diagnostics: the fit.
func (p LLEPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *LLE) (cell.Table, error) {
		rows, points := m.Errors()
		t := cell.NewTable("figure", "value").Title(m.String()).Row("error of the rows", rows).Row("error of the map", points)
		for j, v := range m.Values {
			t = t.Row("eigenvalue "+strconv.Itoa(j+1), v)
		}
		return t, nil
	})
}

// Show shows the picture or table that says most: the map.
func (p LLEPlan) Show() { p.Scores().Show() }

// places returns the set of the places of the rows of the fit on a map.
func places[M any, P interface {
	plan.Of[M]
	String() string
}](p P, data datasets.Set, feature string, Y func(M) *mat.Dense) datasets.Set {
	return plan.Set(p, "Transform", func(m M) (datasets.Set, error) {
		y := mat.DenseCopyOf(Y(m))
		_, k := y.Dims()
		names := make([]string, k)
		for j := range names {
			names[j] = feature + strconv.Itoa(j+1)
		}
		return data.Mapped(p.String()+".Transform", y, names), nil
	})
}

// legible is the number of names that a map has room for.
const legible = 40

// chart draws a map by its first two columns, with equal axes, in the colours of classes and with the names of rows where there are some;
// of one column a line.
func chart(set datasets.Set, Y *mat.Dense, feature string) *plotting.Figure {
	n, k := Y.Dims()
	x, y := mat.Col(nil, 0, Y), make([]float64, n)
	if k > 1 {
		y = mat.Col(nil, 1, Y)
	}
	points := plotting.Points(x, y)
	if set.Y != nil {
		points = points.By(set.Y, set.ClassNames...)
	}
	if set.Y == nil && set.Target != nil {
		points = points.Values(set.Target, set.TargetName)
	}
	if set.RowNames != nil && n <= legible {
		points = points.Labels(set.RowNames...)
	}
	fig := plotting.New(points).X(feature + "1").Equal()
	if k > 1 {
		fig = fig.Y(feature + "2")
	}
	return fig
}

// screeOf draws eigenvalues that may be negative.
func screeOf(values []float64) *plotting.Figure {
	const most = 30
	if len(values) > most {
		values = append(append([]float64(nil), values[:most/2]...), values[len(values)-most/2:]...)
	}
	return plotting.New(plotting.Bars(values), plotting.HRule(0).Muted()).X("eigenvalue, largest first").Y("").Title("Eigenvalues")
}
