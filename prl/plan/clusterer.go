package plan

import (
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// A ClusterModel puts rows into clusters 0 ... K-1.
type ClusterModel interface {
	Dim() int
	Classes() int
	Predict(X mat.Matrix) ([]int, error)
}

// A Clusterer is a plan whose model puts rows into clusters.
type Clusterer[M ClusterModel, O any] struct{ Plan[M, O] }

// NewClusterer begins a plan of a clustering.
func NewClusterer[M ClusterModel, O any](spec Spec[M, O]) Clusterer[M, O] {
	return Clusterer[M, O]{New(spec)}
}

// Predict returns the cluster, from 0, of each row of a set.
func (p Clusterer[M, O]) Predict(set datasets.Set) []int {
	return Value(p, "Predict", func(m M) ([]int, error) { return on(m, "Predict", set, m.Predict) }, set)
}

// Labels returns the cluster, from 0, of each row of the data of the fit.
func (p Clusterer[M, O]) Labels() []int {
	return Value(p, "Labels", func(m M) ([]int, error) { return m.Predict(p.data().X) })
}

// Sizes returns the number of rows of the data of the fit in each cluster.
func (p Clusterer[M, O]) Sizes() []int {
	return Value(p, "Sizes", func(m M) ([]int, error) {
		labels, err := m.Predict(p.data().X)
		sizes := make([]int, m.Classes())
		for _, k := range labels {
			sizes[k]++
		}
		return sizes, err
	})
}
