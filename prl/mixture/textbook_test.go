package mixture

import (
	"math"
	"slices"
	"testing"

	"github.com/prlab/prlab/prl/benchtest"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/estimator/estimatortest"
)

// textbookLloyd is k-means on one screen (S. P. Lloyd 1982): each row goes to the nearest centre, each centre to the mean of its rows,
// until no row changes.
func textbookLloyd(rows, centres [][]float64) (labels []int) {
	for {
		next := make([]int, len(rows))
		for i, x := range rows {
			least := math.Inf(1)
			for k, c := range centres {
				distance := 0.0
				for j := range x {
					distance += (x[j] - c[j]) * (x[j] - c[j])
				}
				if distance < least {
					least, next[i] = distance, k
				}
			}
		}
		if slices.Equal(next, labels) {
			return labels
		}
		labels = next
		for k, c := range centres {
			clear(c)
			count := 0.0
			for i, x := range rows {
				if labels[i] == k {
					count++
					for j := range x {
						c[j] += x[j]
					}
				}
			}
			for j := range c {
				c[j] /= count
			}
		}
	}
}

// FitKMeans finds the clusters that the textbook's loop finds from the same start, with bounds and without. (TestGenericEMIsFitGMM holds
// FitGMM to the steps of EM.)
func TestFitKMeansIsTextbookLloyd(t *testing.T) {
	X, _ := benchtest.Classes(2000, 5, 6)
	n, d := X.Dims()
	rows := cut(slices.Clone(X.RawMatrix().Data), d)
	for _, k := range []int{1, 2, 7, 20} {
		start := estimator.CloneRows(rows[:k])
		centres := estimator.CloneRows(start)
		labels := textbookLloyd(rows, centres)
		for _, algorithm := range []Algorithm{Hamerly, Lloyd} {
			o := KMeansOptions{K: k}
			o.Centres, o.Algorithm, o.MaxIter = start, algorithm, 1000
			m, err := FitKMeans(ctx, X, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Labels(), labels) || len(labels) != n {
				t.Errorf("%s with %d clusters: other labels", algorithm, k)
			}
			estimatortest.NearAll(t, "centres", slices.Concat(m.Centres()...), slices.Concat(centres...), 1e-12)
		}
	}
}
