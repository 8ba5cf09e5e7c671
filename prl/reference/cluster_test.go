package reference

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cluster"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/reduce"
)

func TestCluster(t *testing.T) { run(t, "hclust") }

var clusterCases = runners{
	"hclust-wikipedia-5": func(c *check) {
		D := mat.NewDense(5, 5, []float64{0, 17, 21, 31, 23, 17, 0, 30, 34, 21, 21, 30, 0, 28, 39, 31, 34, 28, 0, 43, 23, 21, 39, 43, 0})
		for _, linkage := range []cluster.Linkage{cluster.Single, cluster.Complete, cluster.Average, cluster.Weighted} {
			c.near(string(linkage), must(cluster.AgglomerateDistances(c.Context(), D, linkage)).Heights())
		}
	},
	"hclust-eurodist-single": func(c *check) {
		h := must(cluster.AgglomerateDistances(c.Context(), datasets.Roads().X, cluster.Single)).Heights()
		c.near("heights", h)
		c.near("mst_weight", total(h))
	},
	"hclust-usarrests-complete": func(c *check) {
		h := heights(c, cluster.Complete)
		c.near("heights", h)
		c.near("sum", total(h))
		var sizes [4]int
		for _, k := range must(arrests(c, cluster.Complete).Cut(4)) {
			sizes[k]++
		}
		slices.Sort(sizes[:])
		c.near("cut4_sizes_sorted", sizes[:])
	},
	"hclust-usarrests-wardd2": func(c *check) {
		h := heights(c, cluster.Ward)
		c.near("heights", h)
		c.near("sum", total(h))
	},
	"hclust-cophenetic-usarrests": func(c *check) {
		D := must(reduce.Distances(read(c, "usarrests.csv")))
		c.near("cor", must(arrests(c, cluster.Average).Correlation(D)))
	},
	"hclust-usarrests-scipy": func(c *check) {
		for _, linkage := range []cluster.Linkage{cluster.Single, cluster.Average, cluster.Weighted, cluster.Centroid, cluster.Median} {
			c.near(string(linkage), heights(c, linkage))
		}
	},
	"dbscan-iris": func(c *check) {
		X, _ := set(c, datasets.Iris())
		settings := map[string]cluster.DBSCANOptions{
			"eps_5_5": {Radius: 0.5, Least: 5}, "eps_4_4": {Radius: 0.4, Least: 4}, "eps_8_10": {Radius: 0.8, Least: 10},
		}
		for name, o := range settings {
			m := must(cluster.FitDBSCAN(c.Context(), X, o))
			labels := m.Labels()
			var noise, cores []int
			for i, k := range labels {
				if k < 0 {
					noise = append(noise, i)
				}
			}
			for _, i := range m.Cores() {
				cores = append(cores, labels[i])
			}
			c.near(name+".cores", m.Cores())
			c.near(name+".core_labels", cores)
			c.near(name+".noise", noise)
		}
	},
	"cluster-scores-iris": func(c *check) {
		X, y := set(c, datasets.Iris())
		widths := must(assess.Silhouette(c.Context(), X, y))
		c.near("silhouette", total(widths)/float64(len(widths)))
		c.near("calinski_harabasz", must(assess.CalinskiHarabasz(X, y)))
		c.near("davies_bouldin", must(assess.DaviesBouldin(X, y)))
		p := must(assess.NewPartition(y, kmeans(c, X, 2, func(*mixture.KMeansOptions) {}).Labels()))
		c.near("rand", p.Rand())
		c.near("adjusted_rand", p.AdjustedRand())
		c.near("adjusted_mutual_information", p.AdjustedMutualInformation())
	},
	"mcd-faithful": func(c *check) {
		e := must(cluster.MCD(c.Context(), datasets.Faithful().X, cluster.MCDOptions{}))
		c.near("location", e.Mean)
		c.near("covariance", [][]float64{{e.Covariance.At(0, 0), e.Covariance.At(0, 1)}, {e.Covariance.At(1, 0), e.Covariance.At(1, 1)}})
		c.near("rows", len(e.Rows))
		if o := must(cluster.Mahalanobis(datasets.Faithful().X)); math.Abs(o.Mean[0]-e.Mean[0]) < 0.5 {
			c.Errorf("the plain mean %v is that of the long eruptions", o.Mean)
		}
	},
}

func arrests(c *check, linkage cluster.Linkage) *cluster.Dendrogram {
	return must(cluster.Agglomerate(c.Context(), read(c, "usarrests.csv"), linkage))
}

func heights(c *check, linkage cluster.Linkage) []float64 { return arrests(c, linkage).Heights() }

func total(v []float64) (sum float64) {
	for _, w := range v {
		sum += w
	}
	return sum
}
