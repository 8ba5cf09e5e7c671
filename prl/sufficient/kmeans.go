package sufficient

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/mixture"
)

// A KMeansRound is what one round of Lloyd's k-means needs to know of the rows: the weight and mean of those nearest to each centre. Make
// it with NewKMeansRound, take in all rows, and go on with a round from the model that Next returns, until Inertia falls no more.
type KMeansRound struct {
	model   *mixture.KMeans
	centres [][]float64
	cluster []state // diagonal
	far     []distant
}

// A distant row is one of the K rows farthest from their centres, which clusters without rows are given.
type distant struct {
	Square float64
	Weight float64
	Row    []float64
	Of     int // the cluster
}

// NewKMeansRound returns a round from the centres of a model, such as mixture.KMeansOf or mixture.FitKMeans of a sample of the rows return.
func NewKMeansRound(model *mixture.KMeans) (*KMeansRound, error) {
	if model == nil || model.Dim() == 0 {
		return nil, estimator.Unfitted("sufficient.NewKMeansRound")
	}
	r := &KMeansRound{model: model, centres: model.Centres(), cluster: make([]state, model.Classes())}
	for c := range r.cluster {
		r.cluster[c] = newState(model.Dim(), true)
	}
	return r, nil
}

// Add takes in the rows of X (n x d), row i as weights[i] rows; nil weights count each once. A row that is equally near to several centres
// goes to the first. A *sparse.CSR is taken as Moments.Add takes it.
//
// Errors, which leave r as it was: those of Moments.Add.
func (r *KMeansRound) Add(X mat.Matrix, weights []float64) error {
	const function = "sufficient.KMeansRound.Add"
	if r.model == nil {
		return estimator.Unfitted(function)
	}
	t, err := tableOf(function, X, weights, r.model.Dim())
	if err != nil {
		return err
	}
	if t.thin == nil {
		X = mat.NewDense(t.n, t.d, t.x)
	}
	labels, err := r.model.Predict(X)
	if err != nil {
		return fault.In(function, err)
	}
	rows := make([][]int, len(r.cluster))
	for i, c := range labels {
		rows[c] = append(rows[c], i)
	}
	parts := make([]state, len(r.cluster))
	for c := range parts {
		parts[c] = r.cluster[c].clone()
		if err := t.to(&parts[c], rows[c], weights); err != nil {
			return fault.In(function, err)
		}
	}
	r.cluster = parts
	norms := make([]float64, len(r.centres))
	for c, centre := range r.centres {
		for _, v := range centre {
			norms[c] += v * v
		}
	}
	for i, c := range labels {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		square := t.square(i, r.centres[c], norms[c])
		if w > 0 && (len(r.far) < len(r.cluster) || square >= r.far[len(r.far)-1].Square) {
			r.keep(distant{square, w, t.row(i), c})
		}
	}
	return nil
}

// keep sorts a row in among the farthest; equally far ones stand in the order of their numbers, so that the order of the parts does not
// matter.
func (r *KMeansRound) keep(row distant) {
	at, _ := slices.BinarySearchFunc(r.far, row, func(a, b distant) int {
		switch {
		case a.Square > b.Square:
			return -1
		case a.Square < b.Square:
			return 1
		}
		return slices.Compare(a.Row, b.Row)
	})
	r.far = slices.Insert(r.far, at, row)
	r.far = r.far[:min(len(r.far), len(r.cluster))]
}

// Merge takes in all that other has seen. It fails when that began from other centres.
func (r *KMeansRound) Merge(other *KMeansRound) error {
	const function = "sufficient.KMeansRound.Merge"
	if r.model == nil || other.model == nil {
		return estimator.Unfitted(function)
	}
	if !slices.EqualFunc(r.centres, other.centres, slices.Equal[[]float64]) {
		return fault.Argument(function, "the other", "a round from other centres", "a part of the same round", "begin both from one model")
	}
	for c := range r.cluster {
		r.cluster[c].merge(&other.cluster[c])
	}
	for _, row := range other.far {
		r.keep(row)
	}
	return nil
}

// Inertia returns the objective at the centres of the round, sum of w ||x - nearest centre||^2, from the moments: the sum of squares about
// a mean m is that about the centre c less n ||m - c||^2.
func (r *KMeansRound) Inertia() float64 {
	sum := 0.0
	for c := range r.cluster {
		s := &r.cluster[c]
		for j, v := range s.Scatter {
			u := (s.Mean[j] - r.centres[c][j]) + s.Rest[j]
			sum += v + s.Weight*u*u
		}
	}
	return sum
}

// Sizes returns the weight of the rows nearest to each centre.
func (r *KMeansRound) Sizes() []float64 {
	sizes := make([]float64, len(r.cluster))
	for c := range sizes {
		sizes[c] = r.cluster[c].Weight
	}
	return sizes
}

// Next returns the model whose centres are the means of the clusters, as one more round of mixture.FitKMeans does. A cluster that has lost
// all its rows gets the row that is farthest from its centre, and keeps its centre when there is none to spare.
//
// It fails when no row was seen.
func (r *KMeansRound) Next() (*mixture.KMeans, error) {
	const function = "sufficient.KMeansRound.Next"
	if r.model == nil || len(r.far) == 0 {
		return nil, fault.Argument(function, "the rows", "none", "at least one", "take in the rows first")
	}
	k, far := len(r.cluster), r.far
	mass, sums := r.Sizes(), make([]state, k)
	for c := range sums {
		sums[c] = r.cluster[c].clone()
	}
	for c := range k {
		if mass[c] > 0 {
			continue
		}
		copy(sums[c].Mean, r.centres[c])
		for i, row := range far {
			if mass[row.Of] > row.Weight {
				copy(sums[c].Mean, row.Row)
				from := &sums[row.Of] // its mean without the row
				for j, v := range row.Row {
					shift := ((from.Mean[j] - v) + from.Rest[j]) * (row.Weight / (mass[row.Of] - row.Weight))
					from.Mean[j], from.Rest[j] = twoSum(from.Mean[j], from.Rest[j]+shift)
				}
				mass[row.Of] -= row.Weight
				mass[c] = row.Weight
				far = far[i+1:]
				break
			}
		}
	}
	centres := make([][]float64, k)
	for c := range centres {
		centres[c] = sums[c].Mean
	}
	m, err := mixture.KMeansOf(centres)
	if err != nil {
		return nil, fault.In(function, err)
	}
	m.Remember(r.model.Names)
	return m, nil
}

// String returns a line such as "a round of 3 clusters in 4 dimensions".
func (r *KMeansRound) String() string {
	return "a round of " + sizes("clusters", r.cluster)
}

type kmeansRoundState struct {
	Model   *mixture.KMeans
	Cluster []state
	Far     []distant
}

// MarshalBinary encodes the round with its centres.
func (r *KMeansRound) MarshalBinary() ([]byte, error) {
	return estimator.Encode("sufficient.KMeansRound", 1, kmeansRoundState{r.model, r.cluster, r.far})
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (r *KMeansRound) UnmarshalBinary(data []byte) error {
	const kind = "sufficient.KMeansRound"
	var s kmeansRoundState
	if err := estimator.Decode(data, kind, 1, &s); err != nil {
		return err
	}
	if s.Model == nil || len(s.Cluster) != s.Model.Classes() || len(s.Far) > len(s.Cluster) || !sound(s.Cluster, s.Model.Dim(), true) {
		return damage(kind)
	}
	for _, row := range s.Far {
		if len(row.Row) != s.Model.Dim() || row.Of < 0 || row.Of >= len(s.Cluster) || !(row.Square >= 0) || !(row.Weight > 0) {
			return damage(kind)
		}
	}
	*r = KMeansRound{s.Model, s.Model.Centres(), s.Cluster, s.Far}
	return nil
}
