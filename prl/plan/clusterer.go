package plan

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
)

// A ClusterModel puts rows into clusters 0 ... K-1.
type ClusterModel interface {
	Dim() int
	Classes() int
	Predict(X mat.Matrix) ([]int, error)
}

// A Clusterer is a plan whose model puts rows into clusters.
type Clusterer[M ClusterModel, O any] struct{ clusterer }

// NewClusterer begins a plan of a clustering.
func NewClusterer[M ClusterModel, O any](spec Spec[M, O]) Clusterer[M, O] {
	return Clusterer[M, O]{clusterer{begin(spec)}}
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Clusterer[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Clusterer[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Clusterer[M, O]) settings() O { return settings[O](p.base()) }

// A clusterer is a plan of any clustering.
type clusterer struct{ root }

func (p clusterer) any() typed[ClusterModel] { return typed[ClusterModel]{p.base()} }

// Predict returns the answer for each row of a set: its cluster, from 0.
func (p clusterer) Predict(set datasets.Set) []int {
	return Value(p.any(), "Predict", func(m ClusterModel) ([]int, error) { return on(m, "Predict", set, m.Predict) }, set)
}

// Labels returns the group, from 0, of each row of the data of the fit: its cluster.
func (p clusterer) Labels() []int {
	return Value(p.any(), "Labels", func(m ClusterModel) ([]int, error) { return m.Predict(p.base().set.X) })
}

// Sizes returns the number of rows in each group: of the data of the fit, in each cluster.
func (p clusterer) Sizes() []int {
	return Value(p.any(), "Sizes", func(m ClusterModel) ([]int, error) {
		labels, err := m.Predict(p.base().set.X)
		sizes := make([]int, m.Classes())
		for _, k := range labels {
			sizes[k]++
		}
		return sizes, err
	})
}

// Silhouettes draws the silhouette of each row: of the data of the fit, cluster by cluster and the widest first. Near 1 a row is closer to
// its cluster than to any other, below 0 another one is closer. Clusters of one height tell of the right number of them; see
// assess.Silhouette. Rows in no cluster are left out.
func (p clusterer) Silhouettes() *plotting.Figure {
	return Figure(p.any(), "Silhouettes", func(m ClusterModel) (*plotting.Figure, error) {
		set := p.base().set
		labels, err := m.Predict(set.X)
		if err != nil {
			return nil, err
		}
		var idx, of []int
		for i, k := range labels {
			if k >= 0 {
				idx, of = append(idx, i), append(of, k)
			}
		}
		part := set
		if len(idx) < set.N() && len(idx) > 0 {
			part = set.Rows(idx...)
		}
		widths, err := assess.Silhouette(context.Background(), part.X, of)
		if err != nil {
			return nil, err
		}
		order := make([]int, len(of))
		mean := 0.0
		for i := range order {
			order[i] = i
			mean += widths[i] / float64(len(of))
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(of[a], of[b]), cmp.Compare(widths[b], widths[a]))
		})
		fig := plotting.New()
		for from := 0; from < len(order); {
			k, to := of[order[from]], from
			var at, zero, height []float64
			for ; to < len(order) && of[order[to]] == k; to++ { // a step for each row
				at = append(at, float64(to), float64(to+1))
				zero = append(zero, 0, 0)
				height = append(height, widths[order[to]], widths[order[to]])
			}
			name := fmt.Sprintf("cluster %d", k+1) // as Clusters calls it
			fig = fig.Add(plotting.Band(at, zero, height).Class(name).Opacity(0.6).Name(fmt.Sprintf("%s, %d rows", name, to-from)))
			from = to
		}
		return fig.Add(plotting.HRule(mean).Dash().Name("mean")).X("rows, by cluster").Y("silhouette").
			Title("mean silhouette " + cell.Number(mean)).Subtitle(p.String()), nil
	})
}
